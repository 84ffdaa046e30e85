// The minimax player, and the arrays of searches by alpha-beta.

import { AT_ONCE, Policy } from "./policy.js";

const ENTRY_WORDS = 2; // of a transposition table
const FIRST_NODES = 20000; // of a search that time limits; then it searches again with more, and finds in the table what it knows

export class Minimax extends Policy {
  // The action, its value for the player to move, the depth of the deepest search that was completed, and the positions visited.
  async search(state, key, work = AT_ONCE) {
    return this.searchTo(this.deepest, state, key, this, work);
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
      const settings = [this.prune, this.table, this.aspiration, game.actionWords, generation];
      const workspace = workspaceFor(game, depth, table, settings, this.weights ?? game.weights, nodes);
      const result = kernels.array("int64", 3);
      game.call("search", game.words(state), key, depth, workspace, result);
      const [action, value, completed] = Array.from(result.data, Number);
      const visited = Number(workspace.watch.data[0]);
      return { action, value, depth: completed, nodes: visited, isStopped: nodes !== null && visited > nodes };
    });
  }

  // Each action is searched by itself, to one ply less, but to at least one.
  async analyse(state, key, work = AT_ONCE) {
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

// A transposition table that stays, and the numbers of its searches: an entry counts only in the search that wrote it.
class Table {
  constructor(kernels, bits) {
    this.entries = kernels.array("uint64", 2 ** bits, ENTRY_WORDS);
    this.generations = kernels.document.constants.GENERATIONS;
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

export function tableOf(kernels, bits) {
  return kernels.kept(`a table of 2^${bits} entries`, () => new Table(kernels, bits));
}

export function workspaceFor(game, depth, table, settings, weights, nodes) {
  const { kernels } = game;
  const lists = () => kernels.array("int64", depth + 1, game.numActions);
  return {
    settings: kernels.arrayOf("int64", settings.map(BigInt)),
    weights: kernels.arrayOf("int64", weights),
    table: table.entries,
    history: kernels.array("int64", 2, game.numActions),
    moves: lists(),
    scores: lists(),
    best: kernels.array("int64", depth + 1),
    watch: watchFor(game, nodes),
    margins: kernels.array("int64", depth + 1),
  };
}

// The words of a watch (search/watch.py): positions visited, the limit, and two of progress.
export function watchFor({ kernels, constants }, nodes = null) {
  return kernels.arrayOf("int64", [0n, BigInt(nodes ?? constants.UNLIMITED), 0n, 0n]);
}
