// What policies share, as the page's desk asks them (web/alone/desk.js).
//
// `work` (alone/work.js) is the request: await work.pause() between slices of work of a few milliseconds. What was made within
// kernels.during(…) is free again afterwards, also where a pause throws because the request was stopped.

// Work that never pauses, and that nobody stops.
export const AT_ONCE = { async pause() {}, part() {} };

// Each kind has `search(state, key, work)`, which gives the `action` and what else it finds.
export class Policy {
  constructor(game, settings) {
    Object.assign(this, { game, kernels: game.kernels, constants: game.constants, ...settings });
  }

  // The action in an unfinished position; the key, a BigInt of 64 random bits, is all its randomness. A policy that remembers the
  // positions that it left looks at `before`, the line that led here.
  async act(state, key, work = AT_ONCE, before = null) {
    return (await this.search(state, key, work, before)).action;
  }

  // What it thinks of a position, for the player to move: its `action`, and as far as it states them the `value` and the `priorValue`
  // of the position, the actions of the `line` that it expects, and of each action, in arrays of game.numActions: `probabilities`,
  // `priors`, `values`, `visits`, `evaluations`, `proofs` (agents/answers.py: Analysis).
  async analyse(state, key, work = AT_ONCE) {
    return { action: await this.act(state, key, work) };
  }
}

// 1 shared among the actions that are equally likely, 0 for all others.
export function shareAmong(isChosen) {
  const count = isChosen.filter(Boolean).length;
  return isChosen.map((chosen) => (chosen ? 1 / count : 0));
}

// ---- random numbers by keys

// The key of the index-th random choice under a key.
export function derive(kernels, key, index) {
  return kernels.scope(() => {
    const derived = kernels.array("uint64", 1);
    kernels.call("any", "derive_keys", kernels.arrayOf("uint64", [key]), kernels.arrayOf("int64", [BigInt(index)]), derived);
    return derived.data[0];
  });
}

// A number from 0 on, below 1, by a key.
export function uniform(key) {
  return Number(key >> 11n) * 2 ** -53;
}

// A number from 0 to bound - 1.
export function below(key, bound) {
  return Number(((key >> 32n) * BigInt(bound)) >> 32n);
}
