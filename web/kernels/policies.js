// Policies that play in the page, and what a search proves: the searches are kernels, and here their arrays are laid out, as the
// Python classes of the same names do. With the same state and key a policy plays the same move as in Python.

const ENTRY_WORDS = 2; // of a transposition table

// A policy of a game by its spec, such as "mcts:simulations=100".
export function makePolicy(spec, game) {
  const [name, rest = ""] = spec.split(/:(.*)/s);
  const defaults = game.kernels.document.policies[name];
  if (!defaults) throw new Error(`there is no policy ${name} here; there are ${Object.keys(POLICIES).join(", ")}`);
  const settings = { ...defaults };
  for (const part of rest.split(",").filter(Boolean)) {
    const [key, value] = part.split("=");
    if (!(key in defaults)) throw new Error(`${name} has no setting ${key} here; it has ${Object.keys(defaults).join(", ") || "none"}`);
    settings[key] = read(value, `${name}: ${key}`);
  }
  return new POLICIES[name](game, settings);
}

function read(text, what) {
  const words = { true: true, false: false, none: null };
  if (text in words) return words[text];
  if (!text || Number.isNaN(Number(text))) throw new Error(`${what} is ${text}, which is no number, true, false or none`);
  return Number(text);
}

// The key of the index-th random choice under a key.
export function derive(kernels, key, index) {
  return kernels.scope(() => {
    const derived = kernels.array("uint64", 1);
    kernels.call("any", "derive_keys", kernels.arrayOf("uint64", [key]), kernels.arrayOf("int64", [BigInt(index)]), derived);
    return derived.data[0];
  });
}

class Policy {
  constructor(game, settings) {
    Object.assign(this, { game, kernels: game.kernels, constants: game.constants, ...settings });
  }

  // The action in an unfinished position; the key, a BigInt of 64 random bits, is all its randomness.
  act(state, key) {
    return this.search(state, key).action;
  }
}

class Random extends Policy {
  search(state, key) {
    const { game, kernels } = this;
    return kernels.scope(() => {
      game.words(state);
      const action = kernels.array("int64", 1);
      const choices = kernels.array("uint64", 1, game.actionWords);
      game.call("random_actions", game.row(state)[0], choices, kernels.arrayOf("uint64", [key]), action);
      return { action: Number(action.data[0]) };
    });
  }
}

class Expectimax extends Policy {
  // The action, and the expected result of each action, -2 where it is not legal.
  search(state, key) {
    const { game, kernels } = this;
    return kernels.scope(() => {
      const values = kernels.array("float64", game.numActions);
      const weights = kernels.arrayOf("int64", game.weights);
      const action = game.call("expect", game.words(state), key, this.depth, game.actionWords, weights, values, watch(game));
      return { action, values: values.data.slice() };
    });
  }
}

class Greedy extends Expectimax {
  depth = 1;
}

class Minimax extends Policy {
  // The action, its value for the player to move, the depth of the deepest search that was completed, and the positions visited.
  search(state, key) {
    const { game, kernels } = this;
    const { USUAL_DEPTH, LARGEST_DEPTH } = this.constants;
    const depth = this.depth ?? (this.nodes === null ? USUAL_DEPTH : LARGEST_DEPTH);
    const table = tableOf(kernels, this.table ? this.table_bits : 1);
    return kernels.scope(() => {
      const settings = [this.prune, this.table, this.aspiration, game.actionWords, table.nextGeneration()];
      const workspace = workspaceFor(game, depth, table, settings, game.weights, this.nodes);
      const result = kernels.array("int64", 3);
      game.call("search", game.words(state), key, depth, workspace, result);
      const [action, value, completed] = Array.from(result.data, Number);
      return { action, value, depth: completed, nodes: Number(workspace.watch.data[0]) };
    });
  }
}

class Mcts extends Policy {
  // The action; the value of the position and whether that is proven; visits, values and proofs of each action.
  search(state, key) {
    const { game, kernels } = this;
    return kernels.scope(() => {
      const [roots] = game.row(state);
      game.words(state);
      let trees = this.newTree(roots);
      game.call("begin_trees", roots, 0, kernels.array("int64", 0), kernels.array("int64", 1), trees);
      trees = this.grow(trees, key);
      return this.read(trees);
    });
  }

  newTree(roots) {
    const { SLICE, NODES_PER_SIMULATION, NUM_COUNTERS } = this.constants;
    const room = this.game.numActions + 1 + NODES_PER_SIMULATION * Math.min(this.simulations, SLICE);
    const counters = this.kernels.array("int64", 1, NUM_COUNTERS);
    return { ...this.nodesOf(room), counters, roots, tables: this.kernels.array("uint64", 1, 0, ENTRY_WORDS) };
  }

  nodesOf(room) {
    const { NODE_COLUMNS, VALUE_COLUMNS } = this.constants;
    return { nodes: this.kernels.array("int32", 1, room, NODE_COLUMNS), values: this.kernels.array("float64", 1, room, VALUE_COLUMNS) };
  }

  // The tree after all simulations, or once its root is proven; it may have moved to larger arrays.
  grow(trees, key) {
    const { game, kernels, constants } = this;
    const settings = {
      exploration: kernels.arrayOf("float64", [this.exploration]),
      rollouts: this.rollouts,
      plies: this.rollout_plies,
      solver: Number(this.solver),
      action_words: game.actionWords,
    };
    const slice = Math.max(1, Math.floor(constants.SLICE / this.rollouts));
    const done = () => Number(trees.counters.data[constants.DONE]);
    const isProven = () => trees.nodes.data[constants.ROOT * constants.NODE_COLUMNS + constants.PROOF] !== constants.UNKNOWN;
    while (done() < this.simulations && !isProven()) {
      const bytes = trees.nodes.data.byteLength + trees.values.data.byteLength;
      const spare = 2 * bytes > constants.MAX_BYTES ? 0 : game.numActions;
      const target = Math.min(this.simulations, done() + slice);
      if (game.call("simulate", target, spare, key, settings, trees)) trees = this.double(trees);
    }
    return trees;
  }

  double(trees) {
    const larger = this.nodesOf(2 * trees.nodes.shape[1]);
    larger.nodes.data.set(trees.nodes.data);
    larger.values.data.set(trees.values.data);
    return { ...trees, ...larger };
  }

  read(trees) {
    const { game, kernels } = this;
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
      lines: kernels.array("int64", 1, 0),
    };
    game.call("read_trees", trees, results);
    return {
      action: Number(results.actions.data[0]),
      value: results.values.data[0],
      proof: results.proofs.data[0],
      simulations: Number(results.simulations.data[0]),
      visits: Array.from(results.visits.data, Number),
      values: results.action_values.data.slice(),
      proofs: results.action_proofs.data.slice(),
    };
  }
}

const POLICIES = { random: Random, greedy: Greedy, expectimax: Expectimax, minimax: Minimax, mcts: Mcts };

// ---- what is certain

// The value of a position for the player to move, finished ones too: 1, 0 or -1, or null where visiting that many positions does not
// prove it. With it the distance in plies of a win or a loss, or null, and an action that keeps the value, or null.
export function prove(game, state, nodes) {
  const { kernels, constants } = game;
  const { LARGEST_DEPTH, PROOF_TABLE_BITS, UNKNOWN } = constants;
  const table = tableOf(kernels, PROOF_TABLE_BITS);
  return kernels.scope(() => {
    const [first, second] = [table.nextGeneration(), table.nextGeneration()];
    const workspace = workspaceFor(game, LARGEST_DEPTH, table, [1, 1, 0, game.actionWords, first], [0n], nodes);
    const result = kernels.array("int64", 3);
    game.call("prove_position", game.words(state), LARGEST_DEPTH, second, workspace, result);
    const [action, value, distance] = Array.from(result.data, Number);
    const isProven = value !== UNKNOWN;
    return { value: isProven ? value : null, distance: isProven && value ? distance : null, action: action < 0 ? null : action };
  });
}

// The verdict on each legal action for the player who takes it: its value, or null, and the distance, which counts the action.
export function judge(game, state, nodes) {
  const mover = game.player(state);
  return game.legal(state).map((action) => {
    const after = game.play(state, action);
    const { value, distance } = prove(game, after, nodes);
    const sign = game.player(after) === mover ? 1 : -1;
    return { action, value: value && sign * value, distance: distance === null ? null : distance + 1 };
  });
}

// ---- arrays of searches by alpha-beta

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

function tableOf(kernels, bits) {
  return kernels.kept(`a table of 2^${bits} entries`, () => new Table(kernels, bits));
}

function workspaceFor(game, depth, table, settings, weights, nodes) {
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
    watch: watch(game, nodes),
    margins: kernels.array("int64", depth + 1),
  };
}

// The words of a watch (search/watch.py): positions visited, the limit, and two of progress.
function watch({ kernels, constants }, nodes = null) {
  return kernels.arrayOf("int64", [0n, BigInt(nodes ?? constants.UNLIMITED), 0n, 0n]);
}
