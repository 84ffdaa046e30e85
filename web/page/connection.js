// The WebSocket to the server: requests, their answers, and a new connection after the old one is lost.

const WAITS = [200, 500, 1000, 2000, 5000]; // milliseconds before each new attempt
const TOO_LONG = 1009; // the server closes a connection with this code after a message that is too long

export class Connection {
  // `changed(isOpen, reason)` is called whenever the connection opens or closes.
  constructor(changed) {
    this.changed = changed;
    this.last = 0;
    this.waiting = new Map();
    this.attempts = 0;
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/socket`);
    this.socket.addEventListener("open", () => {
      this.attempts = 0;
      this.changed(true, "");
      for (const { message } of this.waiting.values()) this.socket.send(message);
    });
    this.socket.addEventListener("message", (event) => this.hear(JSON.parse(event.data)));
    this.socket.addEventListener("close", (event) => {
      this.changed(false, event.reason);
      if (event.code === TOO_LONG) this.refuse(new Error("The game is too long for the server; begin a shorter one."));
      setTimeout(() => this.connect(), WAITS[Math.min(this.attempts++, WAITS.length - 1)]);
    });
  }

  // Rejects all requests: if the server could not read a message, nobody knows which request it was.
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
      asked.part(answer);
      return;
    }
    this.waiting.delete(answer.id);
    if (answer.error !== undefined) asked?.reject(new Error(answer.error));
    else asked?.resolve(answer);
  }

  // Asks the server. Requests without an answer are sent again over a new connection. `signal` cancels a request; `part` is called with
  // each part of an answer that comes in parts, before the last one.
  ask(type, fields = {}, signal = undefined, part = undefined) {
    return this.begin(type, fields, signal, part, (answer) => answer.left > 0);
  }

  // Asks for news: `update(news)` is called with each. The promise ends with an error, or when `signal` cancels the request.
  follow(type, fields, signal, update) {
    return this.begin(type, fields, signal, update, () => true);
  }

  begin(type, fields, signal, part, isPart) {
    const id = ++this.last;
    const message = JSON.stringify({ type, id, ...fields });
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      this.waiting.set(id, { message, resolve, reject, part, isPart });
      signal?.addEventListener("abort", () => {
        if (!this.waiting.delete(id)) return;
        this.send(JSON.stringify({ type: "stop", id }));
        reject(signal.reason);
      });
      this.send(message);
    });
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(message);
  }
}
