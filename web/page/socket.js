// The WebSocket to the server, and a new one after the old one is lost.

import { Connection } from "./connection.js";

const WAITS = [200, 500, 1000, 2000, 5000]; // milliseconds before each new attempt
const TOO_LONG = 1009; // the server closes a connection with this code after a message that is too long

export class SocketConnection extends Connection {
  // `changed(isOpen, reason)` is called whenever the connection opens or closes.
  constructor(changed) {
    super();
    this.changed = changed;
    this.attempts = 0;
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/socket`);
    this.socket.addEventListener("open", () => {
      this.attempts = 0;
      this.changed(true, "");
      for (const { message } of this.waiting.values()) this.send(message); // also those that were sent over the old connection
    });
    this.socket.addEventListener("message", (event) => this.hear(JSON.parse(event.data)));
    this.socket.addEventListener("close", (event) => {
      this.changed(false, event.reason);
      if (event.code === TOO_LONG) this.refuse(new Error("The game is too long for the server; begin a shorter one."));
      setTimeout(() => this.connect(), WAITS[Math.min(this.attempts++, WAITS.length - 1)]);
    });
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
