// The files that a page holds in its HTML, each as base64 of gzip.

// `file(name)`, which gives a promise of the bytes of a file, from { name: base64 }.
export function unpack(packed) {
  return async (name) => {
    if (!(name in packed)) throw new Error(`there is no file ${name} in this page; there are ${Object.keys(packed).join(", ")}`);
    const open = new Blob([bytesOf(packed[name])]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(open).arrayBuffer());
  };
}

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
