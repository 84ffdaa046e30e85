"""Kernels as WebAssembly in node, called from Python as compiled ones are: what they write comes back into the arrays."""

import json
import subprocess
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from playwright._impl._driver import compute_driver_executable

from ludus.core.native.wasm import compile_for_web, export_name, layout_of, link_module

from ..system.processes import ROOT

NODE = compute_driver_executable()[0]
CALLS = """
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { loadKernels } from "%s";

const { layouts, name } = JSON.parse(readFileSync("kernel.json", "utf8"));
const kernels = await loadKernels(readFileSync("kernel.wasm"), { layouts });
const [game, kernel] = name.split(".");

for await (const line of createInterface({ input: process.stdin })) {
  try {
    const written = [];
    const result = kernels.scope(() => {
      const given = JSON.parse(line).map((value) => lay(value, written));
      return kernels.call(game, kernel, ...given);
    });
    console.log(JSON.stringify({ result: String(result), written: written.map((array) => hex(bytesOf(array))) }));
  } catch (error) {
    console.log(JSON.stringify({ error: `${error.name}: ${error.message}` }));
  }
}

function lay(value, written) {
  if (typeof value === "string") return BigInt(value);
  if (!("dtype" in value)) return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, lay(member, written)]));
  const array = kernels.array(value.dtype, ...value.shape);
  written.push(array);
  bytesOf(array).set(Buffer.from(value.bytes, "hex"));
  return array;
}

function bytesOf({ data }) {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function hex(bytes) {
  return Buffer.from(bytes).toString("hex");
}
"""


@contextmanager
def kernel_in_node(kernel, link, folder: Path):
    """A kernel in node, as a function of numpy arrays, numbers and NamedTuples; a mistake is a ValueError with node's message."""
    name = export_name(kernel, link)
    (folder / "kernel.wasm").write_bytes(link_module({name: compile_for_web(kernel, link)}))
    (folder / "kernel.json").write_text(json.dumps({"layouts": {kernel.__name__: layout_of(kernel)}, "name": name}))
    (folder / "calls.mjs").write_text(CALLS % (ROOT / "web" / "kernels" / "kernels.js"))
    with subprocess.Popen([NODE, "calls.mjs"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:

        def call(*arguments):
            print(json.dumps([as_json(argument) for argument in arguments]), file=node.stdin, flush=True)
            answer = json.loads(node.stdout.readline())
            if "error" in answer:
                raise ValueError(answer["error"])
            for array, written in zip(arrays_in(arguments), answer["written"], strict=True):
                array[...] = np.frombuffer(bytes.fromhex(written), array.dtype).reshape(array.shape)
            return answer["result"]

        yield call


def as_json(value):
    """An argument as calls.mjs reads it."""
    if isinstance(value, tuple):
        return {name: as_json(part) for name, part in zip(value._fields, value, strict=True)}
    if isinstance(value, np.ndarray):
        return {"dtype": str(value.dtype), "shape": value.shape, "bytes": value.tobytes().hex()}
    return str(int(value))


def arrays_in(values):
    """The arrays among some arguments, also within tuples, in order."""
    for value in values:
        if isinstance(value, tuple):
            yield from arrays_in(value)
        elif isinstance(value, np.ndarray):
            yield value
