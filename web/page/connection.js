// Requests of the page and their answers. What answers them stands behind: a server (socket.js), or a worker of the page itself
// (alone/begin.js). Each has `send(message)`, which sends a message, { type, id, … }, where it can be sent now.

export class Connection {
  constructor() {
    this.last = 0;
    this.waiting = new Map();
  }

  // Rejects all requests: if a message could not be read, nobody knows which request it was.
  refuse(error) {
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of waiting) reject(error);
  }

  hear(answer) {
    if (answer.id === null) {
      this.refuse(new Error(answer.error));
      return;
    }
    const asked = this.waiting.get(answer.id);
    if (answer.error === undefined && asked?.isPart(answer)) {
      asked.part?.(answer);
      return;
    }
    this.waiting.delete(answer.id);
    if (answer.error !== undefined) asked?.reject(new Error(answer.error));
    else asked?.resolve(answer);
  }

  // Asks with a message of web/requests.py. `signal` cancels a request; `part` is called with each part of an answer that comes in parts,
  // before the last one.
  ask(type, fields = {}, signal = undefined, part = undefined) {
    return this.begin(type, fields, signal, part, (answer) => answer.left > 0);
  }

  // Asks for news: `update(news)` is called with each. The promise ends with an error, or when `signal` cancels the request.
  follow(type, fields, signal, update) {
    return this.begin(type, fields, signal, update, () => true);
  }

  begin(type, fields, signal, part, isPart) {
    const id = ++this.last;
    const message = { type, id, ...fields };
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      this.waiting.set(id, { message, resolve, reject, part, isPart });
      signal?.addEventListener("abort", () => {
        if (!this.waiting.delete(id)) return;
        this.send({ type: "stop", id });
        reject(signal.reason);
      });
      this.send(message);
    });
  }
}
