// Begins the page without a server: what its HTML holds goes to workers, which answer it.

import { Connection } from "../page/connection.js";
import { Page } from "../page/main.js";
import { unpack } from "./files.js";

const THINKING = ["answer", "opine", "judge"]; // these take a while; they alone are stopped
const GRACE = 4000; // milliseconds that the worker has to hear a stop: a long search in one kernel hears nothing

// The workers that answer: one at once, and one that thinks, which starts when it is first asked.
class WorkerConnection extends Connection {
  // `make()` starts a Worker that runs worker.js; `files` are those of the page; `changed(isOpen, reason)` is called when one fails.
  constructor(make, files, changed) {
    super();
    Object.assign(this, { make, files, changed });
    this.ready = this.start();
    this.thinker = null;
    this.stops = new Map(); // the timers of the stops that were not heard yet, by the numbers of their requests
  }

  start() {
    const worker = this.make();
    worker.addEventListener("message", ({ data }) => this.hear(data));
    worker.addEventListener("error", ({ message }) => {
      this.changed(false, message);
      this.refuse(new Error(`What plays here has failed: ${message}. Load the page again.`));
    });
    worker.postMessage({ files: this.files });
    return worker;
  }

  send(message) {
    if (message.type === "stop") {
      this.stops.set(message.id, setTimeout(() => this.replace(), GRACE));
      this.thinker.postMessage(message);
    } else if (THINKING.includes(message.type)) {
      this.thinker ??= this.start();
      this.thinker.postMessage(message);
    } else this.ready.postMessage(message);
  }

  hear(answer) {
    if (answer.stopped === undefined) return super.hear(answer);
    clearTimeout(this.stops.get(answer.stopped));
    this.stops.delete(answer.stopped);
  }

  // Another worker takes the place of one that does not stop, and answers what is still asked.
  replace() {
    this.thinker.terminate();
    for (const timer of this.stops.values()) clearTimeout(timer);
    this.stops.clear();
    this.thinker = null;
    for (const { message } of this.waiting.values()) if (THINKING.includes(message.type)) this.send(message);
  }
}

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
