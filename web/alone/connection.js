// The worker that answers the page in the page itself.

import { Connection } from "../page/connection.js";

export class WorkerConnection extends Connection {
  // `worker` is a Worker that runs worker.js; `files` are those of the page; `changed(isOpen, reason)` is called when the worker fails.
  constructor(worker, files, changed) {
    super();
    this.worker = worker;
    worker.addEventListener("message", ({ data }) => this.hear(data));
    worker.addEventListener("error", ({ message }) => {
      changed(false, message);
      this.refuse(new Error(`What plays here has failed: ${message}. Load the page again.`));
    });
    worker.postMessage({ files });
  }

  send(message) {
    this.worker.postMessage(message);
  }
}
