// Begins the page without a server: what its HTML holds goes to a worker, which answers it.

import { Page } from "../page/main.js";
import { WorkerConnection } from "./connection.js";
import { unpack } from "./files.js";

async function begin() {
  const held = [...document.querySelectorAll("[data-file]")];
  const files = Object.fromEntries(held.map(({ dataset, textContent }) => [dataset.file, textContent]));
  const source = new Blob([await unpack(files)("worker.js")], { type: "text/javascript" });
  const address = URL.createObjectURL(source);
  new Page((changed) => new WorkerConnection(() => new Worker(address), files, changed));
}

// The first board, which is in the HTML, is on the screen before that. A page that is not seen draws no frame.
if (document.hidden) begin();
else requestAnimationFrame(() => setTimeout(begin));
