// Files of the page with a head of JSON and numbers after it (core/files/headed.py).

// The head of a file, and a view of its numbers.
export async function openFile(kernels, name) {
  const bytes = await kernels.file(name);
  const start = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, start)));
  return { head, numbers: new DataView(bytes.buffer, bytes.byteOffset + start, bytes.byteLength - start) };
}
