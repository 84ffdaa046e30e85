// The WebSocket to the server: questions, their answers, and a new connection where the old one is lost.

const WAITS = [200, 500, 1000, 2000, 5000]; // milliseconds before each new attempt

export class Connection {
  // `changed(isOpen)` is called whenever the connection opens or closes.
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
      this.changed(true);
      for (const { message } of this.waiting.values()) this.socket.send(message);
    });
    this.socket.addEventListener("message", (event) => {
      const answer = JSON.parse(event.data);
      const asked = this.waiting.get(answer.id);
      if (asked?.update && answer.error === undefined) {
        asked.update(answer);
        return;
      }
      this.waiting.delete(answer.id);
      if (answer.error !== undefined) asked?.reject(new Error(answer.error));
      else asked?.resolve(answer);
    });
    this.socket.addEventListener("close", () => {
      this.changed(false);
      setTimeout(() => this.connect(), WAITS[Math.min(this.attempts++, WAITS.length - 1)]);
    });
  }

  // Asks the server. A question that is open when the connection is lost is asked again. `signal` takes it back.
  ask(type, fields = {}, signal = undefined) {
    return this.begin(type, fields, signal, undefined);
  }

  // Asks for news: `update(news)` is called with each. The promise ends by an error, or when `signal` takes the question back.
  follow(type, fields, signal, update) {
    return this.begin(type, fields, signal, update);
  }

  begin(type, fields, signal, update) {
    const id = ++this.last;
    const message = JSON.stringify({ type, id, ...fields });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { message, resolve, reject, update });
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
