// Monte-Carlo tree search: the trees of a search, what is read from them, and the policy `mcts`.

import { AT_ONCE, Policy } from "./policy.js";

const SLICE = 64; // playouts between two pauses

// The tree of a position in arrays that grow, as kernels take them.
export class Trees {
  // `room` is the number of nodes that it begins with, `entries` that of a table for proof searches.
  constructor(game, state, room, entries) {
    const { kernels, constants } = game;
    this.game = game;
    this.counters = kernels.array("int64", 1, constants.NUM_COUNTERS);
    [this.roots] = game.row(state);
    game.words(state);
    this.lay(room);
    this.tables = kernels.array("uint64", 1, entries, constants.ENTRY_WORDS);
    game.call("begin_trees", this.roots, 0, kernels.array("int64", 0), kernels.array("int64", 1), this);
  }

  lay(room) {
    const { kernels, constants } = this.game;
    this.nodes = kernels.array("int32", 1, room, constants.NODE_COLUMNS);
    this.values = kernels.array("float64", 1, room, constants.VALUE_COLUMNS);
  }

  count(which) {
    return Number(this.counters.data[this.game.constants[which]]);
  }

  get room() {
    return this.nodes.shape[1];
  }

  get isProven() {
    const { ROOT, NODE_COLUMNS, PROOF, UNKNOWN } = this.game.constants;
    return this.nodes.data[ROOT * NODE_COLUMNS + PROOF] !== UNKNOWN;
  }

  // Whether the tree has as much room as it may.
  get isFullSize() {
    return 2 * (this.nodes.data.byteLength + this.values.data.byteLength) > this.game.constants.MAX_BYTES;
  }

  // Moves to arrays of twice the room.
  double() {
    const { nodes, values } = this;
    this.lay(2 * this.room);
    this.nodes.data.set(nodes.data);
    this.values.data.set(values.data);
  }

  // The action; the value of the position and whether that is proven; visits, values and proofs of each action; the principal
  // variation. `improve(results)` may change the action and the shares of actions before the line is read.
  read(improve = () => {}) {
    const { game } = this;
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
    game.call("read_trees", this, results);
    improve(results);
    results.lines.data.fill(-1n);
    game.call("read_lines", this, results.actions, results.lines);
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
      const trees = new Trees(game, state, room, 0);
      await this.grow(trees, key, work);
      return trees.read();
    });
  }

  async analyse(state, key, work = AT_ONCE) {
    return analysisOf(await this.search(state, key, work), this.constants);
  }

  get limit() {
    return this.seconds === null ? this.simulations : Infinity;
  }

  // Lets a tree grow by all simulations, or until its root is proven.
  async grow(trees, key, work) {
    const { game, kernels } = this;
    const settings = {
      exploration: kernels.arrayOf("float64", [this.exploration]),
      rollouts: this.rollouts,
      plies: this.rollout_plies,
      solver: Number(this.solver),
      action_words: game.actionWords,
    };
    const slice = Math.max(1, Math.floor(SLICE / this.rollouts));
    const end = this.seconds === null ? Infinity : performance.now() + 1000 * this.seconds;
    const done = () => trees.count("DONE");
    while (done() < this.limit && !trees.isProven && (done() === 0 || performance.now() < end)) {
      await work.pause();
      const target = Math.min(this.limit, done() + slice);
      const spare = trees.isFullSize ? 0 : game.numActions;
      if (game.call("simulate", target, spare, key, settings, trees)) trees.double();
    }
  }
}
