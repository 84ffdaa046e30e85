// The minimax player, proofs of values, and the arrays of both searches by alpha-beta.

import { KernelArray } from "./kernels.js";
import { Book, loadPatterns } from "./patterns.js";
import { AT_ONCE, Policy } from "./policy.js";

const FIRST_NODES = 20000; // of a search that time limits; then it searches again with more, and finds in the table what it knows

export class Minimax extends Policy {
  constructor(game, settings) {
    super(game, settings);
    const refuse = (what) => {
      throw new Error(`minimax: ${what}`);
    };
    const { patterns, book, mobility_unit: unit } = this.data;
    const evaluations = patterns ? ["classic", "patterns"] : ["classic"];
    if (!evaluations.includes(this.evaluation)) {
      refuse(`evaluation is ${this.evaluation}; in ${game.spec} it must be ${evaluations.join(" or ")} here`);
    }
    if (this.book && !book) refuse(`there is no book of openings for ${game.spec}; leave it out`);
    if (this.mobility && (!unit || this.usesPatterns)) refuse(`mobility does not count in the ${this.evaluation} evaluation of ${game.spec}; leave it out`);
    if (this.probcut && !this.usesPatterns) refuse("probcut needs evaluation=patterns, whose errors are known; leave it out");
    if (this.probcut && !(this.prune && this.table)) refuse("probcut has no effect without prune and table; leave it out");
    if (this.mobility) this.weights = [...game.weights.slice(0, -1), BigInt(Math.round(this.mobility * unit))];
  }

  get usesPatterns() {
    return this.evaluation === "patterns";
  }

  // The action, its value for the player to move, the depth of the deepest search that was completed, and the positions visited; of
  // what the book knows the action alone.
  async search(state, key, work = AT_ONCE) {
    if (this.usesPatterns || this.book) await this.prepare();
    const action = this.book ? this.opened.choose(state, key) : null;
    return action === null ? this.searchTo(this.deepest, state, key, this, work) : { action };
  }

  // Loads what it plays by.
  async prepare() {
    if (this.usesPatterns) this.weights ??= await loadPatterns(this.kernels, this.data.patterns);
    if (this.book) this.opened ??= await Book.load(this.game, this.data.book);
  }

  get deepest() {
    const { USUAL_DEPTH, LARGEST_DEPTH } = this.constants;
    return this.depth ?? (this.nodes === null && this.seconds === null ? USUAL_DEPTH : LARGEST_DEPTH);
  }

  async searchTo(depth, state, key, { nodes, seconds }, work) {
    const table = tableOf(this.kernels, this.table ? this.table_bits : 1);
    const generation = table.nextGeneration();
    const search = (limit) => this.searchOnce(depth, state, key, table, generation, limit);
    if (seconds === null) return search(nodes);
    const end = performance.now() + 1000 * seconds;
    let best = search(Math.min(FIRST_NODES, nodes ?? Infinity));
    let [visited, last] = [best.nodes, best];
    while (last.isStopped && performance.now() < end && visited < (nodes ?? Infinity)) {
      await work.pause();
      const began = end - 1000 * seconds;
      const affordable = Math.ceil((visited / (performance.now() - began)) * Math.max(1, end - performance.now()));
      last = search(Math.min(2 * last.nodes, affordable, (nodes ?? Infinity) - visited));
      visited += last.nodes;
      if (last.depth >= best.depth && last.depth > 0) best = last;
    }
    return { ...best, nodes: visited };
  }

  searchOnce(depth, state, key, table, generation, nodes) {
    const { game, kernels } = this;
    return kernels.scope(() => {
      const deepens = this.prune && this.table;
      const margins = this.marginsTo(depth);
      const isSelective = margins.flat().some((margin) => margin > 0n);
      const step = deepens ? (isSelective && nodes === null ? 2 : 1) : depth; // as in search/alphabeta/negamax.py
      const flags = [this.prune, this.table, this.aspiration];
      const settings = [...flags, game.actionWords, generation, isSelective, step, this.constants.UNLIMITED];
      const workspace = workspaceFor(game, depth, table, settings, this.weights ?? game.weights, nodes, margins);
      const result = kernels.array("int64", 3);
      game.call(this.usesPatterns ? "search_by_patterns" : "search", game.words(state), key, depth, workspace, result);
      const [action, value, completed] = Array.from(result.data, Number);
      const visited = Number(workspace.watch.data[0]);
      return { action, value, depth: completed, nodes: visited, isStopped: nodes !== null && visited > nodes };
    });
  }

  // For each phase of the game and each depth, how far outside of a null window a shallow search must end to settle a position.
  marginsTo(depth) {
    const { deviations = [[0]] } = this.data;
    const margin = (row, each) => BigInt(Math.ceil(this.probcut * row[Math.min(each, row.length - 1)]));
    return deviations.map((row) => Array.from({ length: depth + 1 }, (_, each) => margin(row, each)));
  }

  // Each action is searched by itself, to one ply less, but to at least one.
  async analyse(state, key, work = AT_ONCE) {
    await this.prepare();
    const { game, constants } = this;
    const { PROVEN, WIN } = constants;
    const actions = game.legal(state);
    const mover = game.player(state);
    const limits = {
      nodes: this.nodes && Math.max(1, Math.floor(this.nodes / actions.length)),
      seconds: this.seconds && this.seconds / actions.length,
    };
    const [evaluations, proofs] = [Array(game.numActions).fill(NaN), Array(game.numActions).fill(NaN)];
    for (const action of actions) {
      const after = game.play(state, action);
      const results = game.outcome(after);
      let value;
      if (results) value = results[mover] * WIN;
      else {
        const reply = await this.searchTo(Math.max(1, this.deepest - 1), after, key, limits, work);
        value = game.player(after) === mover ? reply.value : -reply.value;
        await work.pause();
      }
      if (Math.abs(value) > PROVEN) proofs[action] = Math.sign(value);
      else evaluations[action] = value;
    }
    return { action: await this.act(state, key, work), evaluations, proofs };
  }
}

// The value of a position for the player to move, finished ones too: 1, 0 or -1, or null where visiting that many positions does not
// prove it. With it the distance in plies of a win or a loss, or null, and an action that keeps the value, or null.
export function prove(game, state, nodes) {
  const { kernels, constants } = game;
  const { LARGEST_DEPTH, PROOF_TABLE_BITS, UNKNOWN } = constants;
  const table = tableOf(kernels, PROOF_TABLE_BITS);
  return kernels.scope(() => {
    const [first, second] = [table.nextGeneration(), table.nextGeneration()];
    const workspace = workspaceFor(game, LARGEST_DEPTH, table, [1, 1, 0, game.actionWords, first, 0], [0n], nodes);
    const result = kernels.array("int64", 3);
    game.call("prove_position", game.words(state), LARGEST_DEPTH, second, workspace, result);
    const [action, value, distance] = Array.from(result.data, Number);
    const isProven = value !== UNKNOWN;
    return { value: isProven ? value : null, distance: isProven && value ? distance : null, action: action < 0 ? null : action };
  });
}

// A transposition table that stays, and the numbers of its searches: an entry counts only in the search that wrote it.
class Table {
  constructor(kernels, bits) {
    const { ENTRY_WORDS, GENERATIONS } = kernels.document.constants;
    this.entries = kernels.array("uint64", 2 ** bits, ENTRY_WORDS);
    this.generations = GENERATIONS;
    this.generation = 0;
  }

  nextGeneration() {
    this.generation += 1;
    if (this.generation === this.generations) {
      this.entries.data.fill(0n);
      this.generation = 1;
    }
    return this.generation;
  }
}

function tableOf(kernels, bits) {
  return kernels.kept(`a table of 2^${bits} entries`, () => new Table(kernels, bits));
}

// The arrays of a search. `weights` are those of the evaluation, as numbers or in an array of kernels.
function workspaceFor(game, depth, table, settings, weights, nodes, margins = [Array(depth + 1).fill(0n)]) {
  const { kernels } = game;
  const lists = () => kernels.array("int64", depth + 1, game.numActions);
  return {
    settings: kernels.arrayOf("int64", settings.map(BigInt)),
    weights: weights instanceof KernelArray ? weights : kernels.arrayOf("int64", weights),
    table: table.entries,
    history: kernels.array("int64", 2, game.numActions),
    moves: lists(),
    scores: lists(),
    best: kernels.array("int64", depth + 1),
    watch: watchFor(game, nodes),
    margins: kernels.arrayOf("int64", margins.flat(), margins.length, depth + 1),
  };
}

// The words of a watch (search/watch.py): positions visited, the limit, and two of progress.
export function watchFor({ kernels, constants }, nodes = null) {
  return kernels.arrayOf("int64", [0n, BigInt(nodes ?? constants.UNLIMITED), 0n, 0n]);
}
