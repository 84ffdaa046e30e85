// A request that is being answered, as those who work on it see it: they pause between slices, so that others are heard meanwhile.

const SLICE = 20; // milliseconds of work between two pauses, in which messages of the page are heard

export class Work {
  // `send(fields)` sends a part of the answer.
  constructor(send = () => {}) {
    this.send = send;
    this.isStopped = false;
    this.began = performance.now();
  }

  stop() {
    this.isStopped = true;
  }

  // Lets others have their turn, where the last pause was a slice ago. Call it between two calls of a kernel that take a few
  // milliseconds each. It throws an error when the answer is no longer wanted.
  async pause() {
    if (performance.now() - this.began >= SLICE) {
      await turn();
      this.began = performance.now();
    }
    if (this.isStopped) throw new Error("another position is wanted");
  }

  // Sends a part of an answer: verdicts on `moves`, how many are `left`, and the `progress` of what must be done first, from 0 to 1.
  part({ moves = {}, left = 1, ...progress }) {
    if (!this.isStopped) this.send({ left, moves, ...progress });
  }
}

// A promise that resolves when the messages that have come are heard. It is sooner than a timer, which may wait for 4 ms.
function turn() {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });
}
