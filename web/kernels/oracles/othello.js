// Othello: a search for the score of endings, which remembers bounds (oracles/othello).

import { AT_ONCE } from "../policy.js";
import { bitsOf, Oracle } from "./oracle.js";

export class Othello extends Oracle {
  generation = 0;

  // Own discs, the opponent's and the empty cells, as bits of 8×8.
  position(state) {
    const { game, kernels } = this;
    return kernels.scope(() => {
      const positions = kernels.array("uint64", 1, 3);
      game.call("write_positions", game.row(state)[0], positions);
      return positions.data.slice();
    });
  }

  reaches(state) {
    return bitsOf(this.position(state)[2]).length <= this.most_empty || this.game.outcome(state) !== null;
  }

  async solve(state, work) {
    const position = this.position(state);
    const score = this.game.outcome(state) ? this.scoreNow(position) : await this.score(position, work);
    return { value: Math.sign(score), score };
  }

  // Whether each action keeps the score is quicker to know than its score.
  async choices(state, work = AT_ONCE) {
    if (!this.reaches(state)) return [];
    const { game } = this;
    const score = await this.score(this.position(state), work);
    const best = [];
    for (const action of game.legal(state)) {
      const after = game.play(state, action);
      const position = this.position(after);
      const threshold = 1 - score; // the opponent, who moves now, gets no more than -score
      const bound = game.outcome(after) ? this.scoreNow(position) : await this.bound(position, threshold, this.arraysFor(position), work);
      if (bound < threshold) best.push(action);
    }
    return best;
  }

  // The score of a finished game.
  scoreNow(position) {
    const { game, kernels } = this;
    return kernels.scope(() => game.call("score_now", kernels.arrayOf("uint64", position)));
  }

  // The score of a position. Each answer is a bound, and the next threshold lies just beyond it, until both bounds meet.
  async score(position, work) {
    const { above, caution } = this;
    const arrays = this.arraysFor(position);
    const units = await this.inSlices(work, (watch) => this.ask(position, this.looked_ahead, 0, arrays, watch));
    const guess = 2 * Math.round(units / (2 * this.units)); // in discs, even
    let [low, high, threshold] = [-above, above, Math.max(1 - above, Math.min(above - 1, guess - caution))];
    while (low < high) {
      const bound = await this.bound(position, threshold, arrays, work);
      if (bound > threshold) [low, threshold] = [bound, bound + 1];
      else [high, threshold] = [bound, bound - 1];
    }
    return high;
  }

  // A bound of the score that tells whether it is above a threshold, an odd number.
  bound(position, threshold, arrays, work) {
    return this.inSlices(work, (watch) => this.ask(position, 0, threshold, arrays, watch));
  }

  ask(position, plies, threshold, arrays, watch) {
    return this.game.call("guess_or_prove", this.kernels.arrayOf("uint64", position), plies, threshold, { ...arrays, watch });
  }

  // The arrays of a search; with fewer empty cells a smaller part of the table is enough.
  arraysFor(position) {
    const { kernels, constants } = this.game;
    const whole = kernels.kept("bounds", () => kernels.array("uint64", 2 ** this.table_bits, 4));
    const busy = kernels.kept("busy", () => kernels.array("uint64", this.busy));
    const left = bitsOf(position[2]).length;
    const bits = Math.min(this.table_bits, Math.max(this.least_bits, left - this.spare_bits));
    const workspace = kernels.kept(`workspace ${bits}`, () => kernels.array("int64", this.workspace));
    workspace.data.set([this.margin, 64 - bits, ++this.generation, constants.UNLIMITED, 0, left].map(BigInt));
    // what a page solves in a second has too few empty cells for patterns to pay
    const pattern_weights = kernels.kept("no patterns", () => kernels.array("int64", 0));
    return { table: whole.part(0, 2 ** bits), busy, workspace, pattern_weights };
  }
}
