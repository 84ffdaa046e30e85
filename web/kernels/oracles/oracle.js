// What the oracles of all games share. Here their arrays are laid out as those of the oracles in Python, and what takes long is done in
// slices.
//
// `work` is a request that is answered (alone/work.js): `await work.pause()` lets others be heard, and throws where nobody waits any
// more; `work.part({ progress })` says how much of a table is made. Nothing is half done at a pause, so that several may ask at once.

import { AT_ONCE, below } from "../policy.js";

const SLICE = 20; // milliseconds from one pause to the next, about
const FIRST_NODES = 2 ** 14; // positions that the first slice of a search visits
const GROWTH = 1.1; // of longer slices: so a search ends, however little of it its tables keep
const NOTHING = { value: null, distance: null, score: null };

// An oracle, which by itself knows nothing.
export class Oracle {
  reach = "no position";

  constructor(game) {
    Object.assign(this, { game, kernels: game.kernels, ...game.oracle });
  }

  // Makes or loads what it needs.
  async prepare(work) {}

  // Whether it certainly knows a position.
  reaches(state) {
    return true;
  }

  // The value, the distance and the score of a position that it reaches for the player to move, finished ones too; null or left out
  // where not known.
  async solve(state, work) {
    return NOTHING;
  }

  // The verdict on a legal action for the player who takes it: { value, distance, score }, each null where it is not known.
  async after(state, action, work = AT_ONCE) {
    await this.prepare(work);
    const { game } = this;
    const after = game.play(state, action);
    const sign = game.player(after) === game.player(state) ? 1 : -1;
    const { value, distance = null, score = null } = this.reaches(after) ? await this.solve(after, work) : NOTHING;
    return { value: value && sign * value, distance: distance === null ? null : distance + 1, score: score && sign * score };
  }

  // The best actions, of them those that win soonest or lose latest; none where the position is out of reach.
  async choices(state, work = AT_ONCE) {
    await this.prepare(work);
    if (!this.reaches(state)) return [];
    const actions = this.game.legal(state);
    const worth = [];
    for (const action of actions) {
      const { value, distance, score } = await this.after(state, action, work);
      if (value === null) return [];
      worth.push(score ?? value * (1000 - (distance ?? 0)));
      await work.pause();
    }
    const best = Math.max(...worth);
    return this.soonest(state, actions.filter((_, place) => worth[place] === best));
  }

  // Of some legal actions, those that win at once; all where none does.
  soonest(state, actions) {
    const wins = actions.filter((action) => this.game.outcome(this.game.play(state, action))?.[this.game.player(state)] === 1);
    return wins.length ? wins : actions;
  }

  // One of them, which a key decides; null where the position is out of reach.
  async choose(state, key, work = AT_ONCE) {
    const choices = await this.choices(state, work);
    return choices.length ? choices[below(key, choices.length)] : null;
  }

  // The result of a finished game for the player who would be next, or null.
  result(state) {
    return this.game.outcome(state)?.[this.game.player(state)] ?? null;
  }

  // The words of a watch (search/watch.py), set to a limit.
  watch(nodes) {
    const watch = this.kernels.kept("a watch", () => this.kernels.array("int64", 4));
    watch.data.set([0n, BigInt(nodes), 0n, 0n]);
    return watch;
  }

  // What a search finds that visits as many positions as a watch allows: it is called again, with what its tables hold by then, until
  // it ends before.
  async inSlices(work, search) {
    for (let nodes = FIRST_NODES; ; await work.pause()) {
      const began = performance.now();
      const watch = this.watch(nodes);
      const result = this.kernels.scope(() => search(watch));
      if (watch.data[0] <= nodes) return result;
      nodes = Math.ceil(nodes * (performance.now() - began < SLICE ? 2 : GROWTH));
    }
  }
}

// The numbers of the bits that are set, rising.
export function bitsOf(word) {
  return Array.from({ length: 64 }, (_, bit) => bit).filter((bit) => (word >> BigInt(bit)) & 1n);
}
