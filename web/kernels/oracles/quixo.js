// Quixo: the boards of 3×3 and 4×4 are solved as a whole, and on 5×5 what ends within a few plies is searched.

import { AT_ONCE } from "../policy.js";
import { bitsOf, Oracle } from "./oracle.js";

const STEPS = 64; // in which a kernel over rows takes them

// All boards of a size, solved backwards (oracles/quixo/retrograde.py).
export class QuixoTable extends Oracle {
  entries = null;
  failed = false;
  solved = 0; // the share of the boards that is solved

  // Solves all boards when first asked: whoever waits for that does the next step.
  async prepare(work) {
    for (let before = -1; !this.entries && !this.failed; await work.pause()) {
      this.step();
      const percent = Math.floor(100 * this.solved);
      if (percent > before) work.part({ progress: percent / 100 });
      before = percent;
    }
  }

  step() {
    try {
      this.steps ??= this.make();
      this.steps.next();
    } catch (error) {
      this.failed = true;
      this.reach = `no board of this size here: ${error.message}`;
    }
  }

  reaches(state) {
    return this.entries !== null;
  }

  async solve(state) {
    const { game, kernels, drawn } = this;
    const entry = kernels.scope(() => {
      const board = kernels.array("int32", 1);
      game.call("numbers", 0, 1, game.row(state)[0], board);
      return this.entries.data[board.data[0]];
    });
    return { value: Math.sign(drawn - entry), distance: entry === drawn ? null : entry < drawn ? entry - 1 : 255 - entry };
  }

  // Solves all boards, step by step.
  *make() {
    const tables = this.makeTables();
    const entries = this.kernels.array("uint8", 3 ** this.size ** 2);
    entries.data.fill(this.drawn);
    const { boards, ends } = yield* this.listBoards(tables);
    const starts = [0, ...ends];
    const most = Math.max(...ends.map((end, layer) => end - starts[layer]));
    const [best, decided] = [this.kernels.array("uint8", most), this.kernels.array("uint8", most)];
    let longest = 0;
    for (let layer = ends.length - 1; layer >= 0; layer--) {
      // the most marked cubes first: taking a blank cube leads to a solved layer
      longest = yield* this.solveLayer(boards.part(starts[layer], ends[layer]), longest, { tables, entries, best, decided });
      this.solved = 1 - starts[layer] / boards.length;
    }
    this.entries = entries;
  }

  makeTables() {
    const { game, kernels, size, part } = this;
    const tables = {
      size,
      marks: kernels.array("uint64", 2, part),
      lines: kernels.array("uint64", 2, part),
      images: kernels.array("int32", 2, part, 8),
      starts: kernels.arrayOf("int32", this.starts),
      replies: kernels.arrayOf("int32", this.replies),
    };
    kernels.scope(() => {
      const cells = kernels.arrayOf("int16", this.cells.flat(), this.cells.length, size ** 2);
      game.call("fill_parts", size, cells, tables.marks, tables.lines, tables.images);
    });
    return tables;
  }

  // One board of each eight that are symmetric, by the number of marked cubes, and where the boards of each number end.
  *listBoards(tables) {
    const { kernels, size, part } = this;
    const layers = size ** 2 + 1;
    const highs = Math.ceil(3 ** size ** 2 / part);
    const places = kernels.array("int64", highs, layers);
    yield* this.inParts("count_boards", highs, tables, places);
    const numbers = places.data;
    const ends = [];
    let total = 0n;
    for (let layer = 0; layer < layers; layer++) {
      for (let at = layer; at < numbers.length; at += layers) [numbers[at], total] = [total, total + numbers[at]];
      ends.push(Number(total));
    }
    const boards = kernels.array("int32", Number(total));
    yield* this.inParts("place_boards", highs, tables, places, boards);
    return { boards, ends };
  }

  // Solves the boards of a layer; returns the longest distance so far.
  *solveLayer(boards, longest, { tables, entries, best, decided }) {
    yield* this.inParts("begin", boards.length, boards, tables, entries, best, decided);
    let left = boards.length;
    const last = longest + 1; // the layers solved before decide boards up to one ply more than their longest distance
    for (let distance = 0; left; distance++) {
      if (distance) yield* this.inParts("decide", left, boards, distance, tables, entries, best, decided);
      yield* this.inParts("write_images", left, boards, decided, tables, entries);
      const undecided = this.game.call("keep_undecided", boards.part(0, left), best, decided);
      if (undecided < left) longest = Math.max(longest, distance);
      else if (distance > last) break; // no board was decided at this distance, so none can be at a larger one: the rest is drawn
      left = undecided;
    }
    return longest;
  }

  // Calls a kernel over rows with all of them, some at each step.
  *inParts(kernel, rows, ...given) {
    const most = Math.ceil(rows / STEPS);
    for (let first = 0; first < rows; first += most) {
      this.game.call(kernel, first, Math.min(rows, first + most), ...given);
      yield;
    }
  }
}

// Wins and losses within a few plies, by search (oracles/quixo/endings.py).
export class QuixoEndings extends Oracle {
  async solve(state) {
    return this.deepen(state);
  }

  async choices(state, work = AT_ONCE) {
    const { distance, best } = this.deepen(state);
    const soonest = [];
    for (const action of best) if ((await this.after(state, action, work)).distance === distance) soonest.push(action);
    return soonest.length ? soonest : best;
  }

  // The value and the distance of a position, where one side wins within the depth, and the actions that are proven to keep it.
  deepen(state) {
    const { game, kernels, depth } = this;
    const result = this.result(state);
    if (result !== null) return { value: result, distance: 0, best: [] };
    const answers = kernels.kept("answers", () => kernels.array("uint64", this.answers));
    answers.data.fill(0n);
    const watch = this.watch(game.constants.UNLIMITED);
    return kernels.scope(() => {
      const words = game.words(state);
      const winning = (plies) => game.call("winning_actions", words, plies, answers, watch);
      for (let plies = 1; plies <= depth; plies++) {
        const soon = winning(plies);
        // the slower wins within the depth keep the value too
        if (soon) return { value: 1, distance: plies, best: bitsOf(soon | winning(Math.max(plies, depth))) };
        if (game.call("is_lost", words, plies, answers, watch)) return { value: -1, distance: plies, best: game.legal(state) };
      }
      return { value: null, distance: null, best: [] };
    });
  }
}
