// What perfect play says: exact values, by the kernels of the oracles in Python, which know the same. Here their arrays are laid out,
// and what takes long is done in slices.
//
// `work` is a request that is answered (alone/work.js): `await work.pause()` lets others be heard, and throws where nobody waits any
// more; `work.part({ progress })` says how much of a table is made. Nothing is half done at a pause, so that several may ask at once.

import { movementsOf } from "./classics.js";
import { Game } from "./games.js";
import { AT_ONCE } from "./policy.js";
import { prove } from "./proofs.js";
import { below, derive } from "./random.js";

const SLICE = 20; // milliseconds from one pause to the next, about
const FIRST_NODES = 2 ** 14; // positions that the first slice of a search visits
const GROWTH = 1.1; // of longer slices: so a search ends, however little of it its tables keep
const STEPS = 64; // in which a kernel over rows takes them
const MOST_ORACLES = 4; // that stay, each with memory of its own
const NOTHING = { value: null, distance: null, score: null };

const oracles = new WeakMap(); // by what kernels.json says

// The oracle of a game, which all who ask share: it has kernels of its own, and remembers what it has made and proven.
export function makeOracle({ kernels, spec }) {
  if (!oracles.has(kernels.document)) oracles.set(kernels.document, new Map());
  const ours = oracles.get(kernels.document);
  const oracle = ours.get(spec) ?? kernels.another().then((own) => begin(new Game(own, spec)));
  ours.delete(spec);
  ours.set(spec, oracle); // the last one now
  if (ours.size > MOST_ORACLES) ours.delete(ours.keys().next().value);
  return oracle;
}

function begin(game) {
  return new (KINDS[game.oracle?.kind] ?? Oracle)(game);
}

// An oracle, which by itself knows nothing.
class Oracle {
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

  // The value, the distance and the score of a position for the player to move, finished ones too; null or left out where not known.
  async solve(state, work) {
    return NOTHING;
  }

  // The verdict on a legal action for the player who takes it: { value, distance, score }, each null where it is not known.
  async after(state, action, work = AT_ONCE) {
    await this.prepare(work);
    const { game } = this;
    const after = game.play(state, action);
    const sign = game.player(after) === game.player(state) ? 1 : -1;
    const { value, distance = null, score = null } = await this.solve(after, work);
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
    return actions.filter((_, place) => worth[place] === best);
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

// ---- any game

class Proofs extends Oracle {
  async solve(state) {
    return prove(this.game, state, this.nodes);
  }
}

// ---- Nim

class Nim extends Oracle {
  async solve(state) {
    const { game, kernels } = this;
    return kernels.scope(() => {
      const values = kernels.array("int8", 1);
      game.call("nim_values", game.row(state)[0], this.period, values);
      return { value: values.data[0] };
    });
  }
}

// ---- Quixo

// All boards of a size, solved backwards (oracles/quixo/retrograde.py).
class QuixoTable extends Oracle {
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
    if (!this.entries) return NOTHING;
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
class QuixoEndings extends Oracle {
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

// ---- Connect Four

// A search, which remembers bounds of scores (oracles/connect_four/search.py), and a book of the first plies.
class ConnectFour extends Oracle {
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
    if (!this.reaches(state)) return NOTHING;
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

// ---- Quarto

// A search that answers whether the player to move gets a value, and a book of the first pieces (oracles/quarto).
class Quarto extends Oracle {
  async prepare() {
    const [name] = this.files;
    this.book ??= readNumbers(await this.kernels.file(name), this.won);
  }

  stage(state) {
    const { game, kernels } = this;
    const stage = kernels.scope(() => game.call("stage", game.words(state)));
    return { placed: stage >> 1, holds: stage % 2 === 1 };
  }

  reaches(state) {
    const { placed } = this.stage(state);
    return placed >= this.placed || placed <= this.book_placed || this.game.outcome(state) !== null;
  }

  async solve(state, work) {
    if (!this.reaches(state)) return NOTHING;
    if (!(await this.gets(state, 0, work))) return { value: -1 };
    return { value: (await this.gets(state, 1, work)) ? 1 : 0 };
  }

  // Whether the player to move gets at least a value; in a finished game, whether the one who would be next did.
  async gets(state, wanted, work) {
    if (wanted < 0 || wanted > 1) return wanted < 0; // everybody gets at least a loss, nobody more than a win
    const result = this.result(state);
    if (result !== null) return result >= wanted;
    const { placed, holds } = this.stage(state);
    if (holds) return placed <= this.book_placed ? this.inBook(state) >= wanted : this.search(state, wanted, work);
    for (const action of this.game.legal(state)) if (await this.keeps(state, action, wanted, work)) return true;
    return false;
  }

  // Whether an action gets the player who takes it at least a value.
  async keeps(state, action, wanted, work) {
    const after = this.game.play(state, action);
    // after a placement the same player gives; after that the opponent moves, who must not get more than -wanted
    return this.stage(state).holds ? this.gets(after, wanted, work) : !(await this.gets(after, 1 - wanted, work));
  }

  // As Python draws: one action after the other, until one keeps the value.
  async choose(state, key, work = AT_ONCE) {
    await this.prepare(work);
    if (!this.reaches(state)) return null;
    const { value } = await this.solve(state, work);
    const left = this.game.legal(state);
    for (let turn = 0; ; turn++) {
      const [action] = left.splice(below(derive(this.kernels, key, turn), left.length), 1);
      if (!left.length || (await this.keeps(state, action, value, work))) return action;
    }
  }

  inBook(state) {
    const { game, kernels, movements } = this;
    return kernels.scope(() => {
      const numbers = kernels.array("uint64", 1);
      game.call("number_each", game.row(state)[0], movements, numbers);
      return this.book.get(Number(numbers.data[0])) ?? 0;
    });
  }

  get movements() {
    const { kernels, cells } = this;
    return kernels.kept("movements", () => kernels.arrayOf("uint16", movementsOf(cells), cells.length, 2, 256));
  }

  async search(state, wanted, work) {
    const { game, kernels, movements } = this;
    const table = kernels.kept("answers", () => kernels.array("uint64", 2 ** this.table_bits, 2));
    const action = await this.inSlices(work, (watch) => {
      const boards = kernels.array("uint64", ...this.boards);
      const choices = kernels.array("uint64", 17, this.choices_each);
      return game.call(this.kernel, game.words(state), wanted, { boards, choices, table, movements, watch });
    });
    return action >= 0;
  }
}

// A book's numbers of positions, with 1 for those that are won, and -1 for those that are lost.
function readNumbers(bytes, won) {
  const numbers = new Uint32Array(bytes.slice().buffer);
  return new Map(Array.from(numbers, (number, place) => [number, place < won ? 1 : -1]));
}

// ---- Othello

// A search for the score of endings, which remembers bounds (oracles/othello).
class Othello extends Oracle {
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
    if (!this.reaches(state)) return NOTHING;
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
    const bits = Math.min(this.table_bits, Math.max(this.least_bits, bitsOf(position[2]).length - this.spare_bits));
    const workspace = kernels.kept(`workspace ${bits}`, () => kernels.array("int64", this.workspace));
    workspace.data.set([this.margin, 64 - bits, ++this.generation, constants.UNLIMITED, 0].map(BigInt));
    return { table: whole.part(0, 2 ** bits), busy, workspace };
  }
}

const KINDS = { Proofs, Nim, QuixoTable, QuixoEndings, ConnectFour, Quarto, Othello };

// ---- numbers

// The numbers of the bits that are set, rising.
function bitsOf(word) {
  return Array.from({ length: 64 }, (_, bit) => bit).filter((bit) => (word >> BigInt(bit)) & 1n);
}
