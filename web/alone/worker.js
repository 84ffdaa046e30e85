// The worker of the page: its first message brings the files of the page, and each other one a request.

import { loadKernels } from "../kernels/kernels.js";
import { Desk } from "./desk.js";
import { unpack } from "./files.js";

let desk; // a promise of it

addEventListener("message", ({ data }) => {
  if (desk === undefined) desk = open(data.files);
  else desk.then((answering) => answering.hear(data), (error) => postMessage({ id: data.id, error: error.message }));
});

async function open(files) {
  const file = unpack(files);
  const document = async (name) => JSON.parse(new TextDecoder().decode(await file(name)));
  const [module, layouts, offers] = await Promise.all([file("kernels.wasm"), document("kernels.json"), document("offers.json")]);
  return new Desk(await loadKernels(module, layouts, file), offers, (message) => postMessage(message));
}
