// Kernels in WebAssembly: their memory, the arrays in it, and calls as kernels.json describes them (building.py).

const KINDS = {
  bool: Uint8Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
};
// Functions that a module imports. Where Math's pow gives NaN for powers of 1 and -1, C's gives 1.
const FLOATS = {
  __proto__: Math,
  exp2: (x) => 2 ** x,
  pow: (x, y) => (x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : x ** y),
};
const LINE = 64; // bytes: where arrays begin, as numpy's do on other machines
const PAGE = 65536;

// Kernels from the bytes of kernels.wasm and what kernels.json says. `file(name)` gives a promise of the bytes of another file that
// policies and oracles ask for, such as weights.
export async function loadKernels(bytes, document, file = noFile) {
  return beginKernels(await WebAssembly.compile(bytes), document, file);
}

async function beginKernels(module, document, file) {
  const { exports } = await WebAssembly.instantiate(module, { env: FLOATS });
  return new Kernels(module, exports, document, file);
}

async function noFile(name) {
  throw new Error(`there is no file ${name} here`);
}

export class Kernels {
  constructor(module, exports, document, file) {
    Object.assign(this, { module, exports, document, file });
    this.memory = exports.memory;
    this.top = exports.__heap_base.value; // the first byte that no array takes
    this.isOpen = false; // whether arrays are taken back at the end of a scope
  }

  // The same kernels with a memory of their own, for work that pauses while others call kernels.
  another() {
    return beginKernels(this.module, this.document, this.file);
  }

  // An array of zeros. One that is made within a scope goes with it; others stay for good.
  array(dtype, ...shape) {
    const kind = KINDS[dtype];
    const length = shape.reduce((product, extent) => product * extent, 1);
    const pointer = Math.ceil(this.top / LINE) * LINE;
    const stop = pointer + length * kind.BYTES_PER_ELEMENT;
    const missing = stop - this.memory.buffer.byteLength;
    if (missing > 0) {
      try {
        this.memory.grow(Math.ceil(missing / PAGE));
      } catch {
        throw new Error(`there is no room for an array of ${stop - pointer} bytes; close other pages, or search with less`);
      }
    }
    this.top = stop;
    const array = new KernelArray(this.memory, dtype, shape, pointer);
    array.data.fill(dtype.endsWith("int64") ? 0n : 0);
    return array;
  }

  // An array of these numbers, in one dimension or, where a shape is given, in several.
  arrayOf(dtype, numbers, ...shape) {
    const array = this.array(dtype, ...(shape.length ? shape : [numbers.length]));
    array.data.set(numbers);
    return array;
  }

  // What work returns; the arrays that it made are free again. Nothing that it returns may be one of them.
  scope(work) {
    const { top, isOpen } = this;
    this.isOpen = true;
    try {
      return work();
    } finally {
      Object.assign(this, { top, isOpen });
    }
  }

  // The same for work that pauses. Nobody else may use these kernels meanwhile: see `another`.
  async during(work) {
    const { top, isOpen } = this;
    this.isOpen = true;
    try {
      return await work();
    } finally {
      Object.assign(this, { top, isOpen });
    }
  }

  // An array that is made once, and must not be made within a scope.
  kept(name, make) {
    this.keep ??= new Map();
    if (!this.keep.has(name)) {
      if (this.isOpen) throw new Error(`${name} is to stay, and cannot be made within a scope; make it before`);
      this.keep.set(name, make());
    }
    return this.keep.get(name);
  }

  // Calls a kernel of a game with arrays, numbers, and an object for each group. It gives what the kernel returns.
  call(game, kernel, ...given) {
    const { arguments: wanted, returns } = this.document.layouts[kernel];
    if (given.length !== wanted.length) {
      const names = wanted.map(({ name }) => name).join(", ");
      throw new TypeError(`the kernel ${kernel} takes ${wanted.length} arguments (${names}), not ${given.length}`);
    }
    const words = wanted.flatMap((argument, place) => wordsOf(kernel, argument, given[place]));
    const result = (this.exports[`${game}.${kernel}`] ?? this.exports[`any.${kernel}`])(...words);
    return returns === null ? undefined : returns === "uint64" ? BigInt.asUintN(64, result) : Number(result);
  }
}

// An array in the memory of kernels, its numbers row by row.
export class KernelArray {
  constructor(memory, dtype, shape, pointer) {
    Object.assign(this, { memory, dtype, shape, pointer });
    this.length = shape.reduce((product, extent) => product * extent, 1);
  }

  // Some of its rows, in the same memory.
  part(start, stop) {
    const [, ...rest] = this.shape;
    const bytes = KINDS[this.dtype].BYTES_PER_ELEMENT * rest.reduce((product, extent) => product * extent, 1);
    return new KernelArray(this.memory, this.dtype, [stop - start, ...rest], this.pointer + start * bytes);
  }

  // The numbers as they are now; read it again after each call and each new array, which may move the memory.
  get data() {
    return new KINDS[this.dtype](this.memory.buffer, this.pointer, this.length);
  }
}

// What stands for an argument in a call of WebAssembly.
function wordsOf(kernel, { name, dtype, dimensions, members }, value) {
  if (members) return members.flatMap((member) => wordsOf(kernel, member, value?.[member.name]));
  const isArray = value instanceof KernelArray;
  if (dimensions ? !isArray || value.dtype !== dtype || value.shape.length !== dimensions : isArray || value === undefined) {
    const is = isArray ? `an array of ${value.dtype} with ${value.shape.length} dimensions` : String(value);
    throw new TypeError(`${name} of the kernel ${kernel} is ${dimensions ? `an array of ${dtype} with ${dimensions} dimensions` : "a number"}, not ${is}`);
  }
  return dimensions ? [value.pointer, ...value.shape.map(BigInt)] : [BigInt.asIntN(64, BigInt(value))];
}

// The head of a file, which is JSON, and a view of the numbers after it (core/files/headed.py).
export async function openFile(kernels, name) {
  const bytes = await kernels.file(name);
  const start = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, start)));
  return { head, numbers: new DataView(bytes.buffer, bytes.byteOffset + start, bytes.byteLength - start) };
}
