// How fast moves follow each other that nobody makes by hand.

export const PACE = 700; // milliseconds between two of them

// A promise that resolves after some milliseconds.
export function wait(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}
