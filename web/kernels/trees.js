// Monte-Carlo tree search: the trees of a search, what is read from them, and the policy `mcts`.

import { AT_ONCE, Policy } from "./policy.js";

const SLICE = 64; // playouts between two pauses

// The tree of a position with room for so many nodes, and with so many entries of a table for proof searches.
export function newTree(game, state, room, entries) {
  const { kernels, constants } = game;
  const counters = kernels.array("int64", 1, constants.NUM_COUNTERS);
  const [roots] = game.row(state);
  game.words(state);
  const trees = { ...nodesFor(game, room), counters, roots, tables: kernels.array("uint64", 1, entries, constants.ENTRY_WORDS) };
  game.call("begin_trees", roots, 0, kernels.array("int64", 0), kernels.array("int64", 1), trees);
  return trees;
}

function nodesFor({ kernels, constants }, room) {
  const { NODE_COLUMNS, VALUE_COLUMNS } = constants;
  return { nodes: kernels.array("int32", 1, room, NODE_COLUMNS), values: kernels.array("float64", 1, room, VALUE_COLUMNS) };
}

export function counterOf({ counters }, which) {
  return Number(counters.data[which]);
}

export function isProven({ nodes }, { ROOT, NODE_COLUMNS, PROOF, UNKNOWN }) {
  return nodes.data[ROOT * NODE_COLUMNS + PROOF] !== UNKNOWN;
}

// Whether the tree has as much room as it may.
export function isFullSize({ nodes, values }, { MAX_BYTES }) {
  return 2 * (nodes.data.byteLength + values.data.byteLength) > MAX_BYTES;
}

// The tree in arrays of twice the room.
export function double(game, trees) {
  const larger = nodesFor(game, 2 * trees.nodes.shape[1]);
  larger.nodes.data.set(trees.nodes.data);
  larger.values.data.set(trees.values.data);
  return { ...trees, ...larger };
}

// The action; the value of the position and whether that is proven; visits, values and proofs of each action; the principal variation.
// `improve(results)` may change the action and the shares of actions before the line is read.
export function readTree(game, trees, improve = () => {}) {
  const { kernels, constants } = game;
  const each = (dtype) => kernels.array(dtype, 1);
  const every = (dtype) => kernels.array(dtype, 1, game.numActions);
  const results = {
    actions: each("int64"),
    policy: every("float64"),
    visits: every("int64"),
    values: each("float64"),
    proofs: each("int8"),
    action_values: every("float64"),
    action_proofs: every("int8"),
    simulations: each("int64"),
    lines: kernels.array("int64", 1, constants.LONGEST_LINE),
  };
  game.call("read_trees", trees, results);
  improve(results);
  results.lines.data.fill(-1n);
  game.call("read_lines", trees, results.actions, results.lines);
  return {
    action: Number(results.actions.data[0]),
    value: results.values.data[0],
    proof: results.proofs.data[0],
    simulations: Number(results.simulations.data[0]),
    shares: results.policy.data.slice(),
    visits: Array.from(results.visits.data, Number),
    values: results.action_values.data.slice(),
    proofs: results.action_proofs.data.slice(),
    line: Array.from(results.lines.data, Number).filter((action) => action >= 0),
  };
}

// What a tree search found, as `Policy.analyse` gives it.
export function analysisOf({ action, value, shares, visits, values, proofs, line }, { UNKNOWN }) {
  const known = (isKnown, numbers) => Array.from(numbers, (number, each) => (isKnown(each) ? number : NaN));
  return {
    action,
    value,
    line,
    visits,
    probabilities: shares,
    values: known((each) => visits[each] > 0 || proofs[each] !== UNKNOWN, values),
    proofs: known((each) => proofs[each] !== UNKNOWN, proofs),
  };
}

export class Mcts extends Policy {
  async search(state, key, work = AT_ONCE) {
    const { game, kernels, constants } = this;
    return kernels.during(async () => {
      const room = game.numActions + 1 + constants.NODES_PER_SIMULATION * Math.min(this.limit, constants.SLICE);
      return readTree(game, await this.grow(newTree(game, state, room, 0), key, work));
    });
  }

  async analyse(state, key, work = AT_ONCE) {
    return analysisOf(await this.search(state, key, work), this.constants);
  }

  get limit() {
    return this.seconds === null ? this.simulations : Infinity;
  }

  // The tree after all simulations, or once its root is proven; it may have moved to larger arrays.
  async grow(trees, key, work) {
    const { game, kernels, constants } = this;
    const settings = {
      exploration: kernels.arrayOf("float64", [this.exploration]),
      rollouts: this.rollouts,
      plies: this.rollout_plies,
      solver: Number(this.solver),
      action_words: game.actionWords,
    };
    const slice = Math.max(1, Math.floor(SLICE / this.rollouts));
    const end = this.seconds === null ? Infinity : performance.now() + 1000 * this.seconds;
    const done = () => counterOf(trees, constants.DONE);
    while (done() < this.limit && !isProven(trees, constants) && (done() === 0 || performance.now() < end)) {
      await work.pause();
      const target = Math.min(this.limit, done() + slice);
      const spare = isFullSize(trees, constants) ? 0 : game.numActions;
      if (game.call("simulate", target, spare, key, settings, trees)) trees = double(game, trees);
    }
    return trees;
  }
}
