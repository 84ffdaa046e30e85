// Connect Four: a search, which remembers bounds of scores (oracles/connect_four/search.py), and a book of the first plies.

import { Oracle } from "./oracle.js";

export class ConnectFour extends Oracle {
  async prepare() {
    const [name] = this.files;
    if (name && !this.book) {
      const bytes = await this.kernels.file(name);
      this.book ??= this.readBook(bytes);
    }
  }

  readBook(bytes) {
    const count = bytes.length / 9;
    const states = this.kernels.array("uint64", count);
    states.data.set(new BigUint64Array(bytes.slice(0, 8 * count).buffer));
    states.data.forEach((step, place, all) => (all[place] += all[place - 1] ?? 0n));
    const mirror = this.mirror.map((places) => this.kernels.arrayOf("int16", places));
    return [...mirror, states, this.kernels.arrayOf("int8", new Int8Array(bytes.slice(8 * count).buffer))];
  }

  count(state) {
    const { game, kernels } = this;
    return kernels.scope(() => game.call("count_discs", game.words(state)));
  }

  reaches(state) {
    const discs = this.count(state);
    return discs <= this.discs || discs >= this.cells - this.most_empty || this.game.outcome(state) !== null;
  }

  async solve(state, work) {
    const discs = this.count(state);
    const score = await this.score(state, discs, work);
    const plies = this.game.call("plies_to_end", score, discs, this.cells);
    return { value: Math.sign(score), distance: plies < 0 ? null : plies };
  }

  // Who wins for the player to move, and how soon.
  score(state, discs, work) {
    const { game, kernels } = this;
    const result = this.result(state);
    if (result !== null) return result * Math.floor((this.cells + 2 - discs) / 2);
    if (discs <= this.discs) return kernels.scope(() => game.call("book_score", game.words(state), ...this.book));
    const table = kernels.kept("bounds", () => kernels.array("uint64", 2 ** this.table_bits));
    return this.inSlices(work, (watch) => {
      const board = kernels.arrayOf("uint64", this.board.map(BigInt));
      return game.call(this.kernel, game.words(state), 0, { table, moves: kernels.array("uint64", 42, 14), board, watch });
    });
  }
}
