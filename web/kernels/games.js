// The rules of a game, asked of its kernels. A state is a BigUint64Array: the words in which the rules keep a position.

export class Game {
  constructor(kernels, given) {
    const { games, constants } = kernels.document;
    const spec = findVariant(given, games);
    const about = games[spec];
    Object.assign(this, { kernels, spec, constants, about, name: about.name });
    this.numActions = about.actions;
    this.actionWords = about.action_words;
    this.shape = about.shape; // planes, height and width of what a seat sees
    this.maxPlies = about.max_plies;
    this.oracle = about.oracle; // what it takes to know perfect play (oracles.js), or null
    this.weights = about.weights.map(BigInt); // of the game's own evaluation
    this.policies = about.policies; // those that play it, each with what it needs for that
    this.startWords = about.start.map(BigInt);
  }

  get start() {
    return BigUint64Array.from(this.startWords);
  }

  // Who moves, 0 or 1.
  player(state) {
    return this.ask("players", state, "int8", [1])[0];
  }

  // The results of both players, or null while the game goes on. It is drawn after maxPlies plies, where that is not 0.
  outcome(state, plies = 0) {
    const result = this.ask("outcomes", state, "int8", [1])[0];
    if (result !== this.constants.ONGOING) return [result, -result];
    return this.maxPlies > 0 && plies >= this.maxPlies ? [0, 0] : null;
  }

  // The legal actions in rising order; none where the game is over.
  legal(state) {
    const mask = this.ask("masks", state, "int8", [1, this.numActions], () => [this.kernels.array("uint64", 1, this.actionWords)]);
    return Array.from(mask.keys()).filter((action) => mask[action]);
  }

  // The state after a legal action.
  play(state, action) {
    if (!this.legal(state).includes(action)) throw new Error(`action ${action} of ${this.spec} is not legal in ${hex(state)}`);
    const given = () => [this.kernels.arrayOf("int64", [BigInt(action)]), this.numActions];
    return this.ask("plays", state, "uint64", [1, this.startWords.length], given);
  }

  // What a seat sees: zeros and ones, plane by plane and row by row.
  planes(state, seat) {
    const [depth, height, width] = this.shape;
    return this.ask("observations", state, "int8", [1, depth, height * width], () => [this.kernels.arrayOf("int8", [seat])]);
  }

  // The leaves of the tree of games below a state; a finished game is one leaf.
  perft(depth, state = this.start) {
    return this.kernels.scope(() => this.call("perft", this.words(state), depth, this.actionWords, this.kernels.array("int64", 1)));
  }

  // ---- for searches, within a scope

  call(kernel, ...given) {
    return this.kernels.call(this.name, kernel, ...given);
  }

  // A state in the memory of the kernels, as a row of a batch, and the start of the game.
  row(state) {
    if (state.length !== this.startWords.length) this.refuse(state);
    return [this.kernels.arrayOf("uint64", state, 1, state.length), this.kernels.arrayOf("uint64", this.startWords)];
  }

  // A state in the memory of the kernels, once it is known to be one of this game.
  words(state) {
    if (this.call("first_foreign", ...this.row(state)) >= 0) this.refuse(state);
    return this.kernels.arrayOf("uint64", state);
  }

  // What a kernel writes of one state; `given` makes what the kernel takes between the start and the array for its results.
  ask(kernel, state, dtype, shape, given = () => []) {
    return this.kernels.scope(() => {
      const before = [...this.row(state), ...given()];
      const result = this.kernels.array(dtype, ...shape);
      if (this.call(kernel, ...before, result) >= 0) this.refuse(state);
      return result.data.slice();
    });
  }

  refuse(state) {
    throw new Error(`${hex(state)} is not a state of ${this.spec}`);
  }
}

// The variant that a spec names, whose settings may come in any order, or be those that it has anyway.
function findVariant(given, games) {
  const [name, rest = ""] = given.split(/:(.*)/s);
  const usual = Object.hasOwn(games, name) ? games[name].settings : {};
  const settings = Object.fromEntries(rest.split(",").filter(Boolean).map((part) => part.split("=").map((text) => text.trim())));
  const wanted = Object.entries({ ...usual, ...settings });
  const isThis = (about) => about.name === name && wanted.every(([key, value]) => about.settings[key] === value);
  const found = Object.keys(games).find((spec) => isThis(games[spec]));
  if (found !== undefined) return found;
  const variants = Object.keys(games).filter((spec) => games[spec].name === name);
  const known = variants.length ? variants : [...new Set(Object.values(games).map((about) => about.name))];
  throw new Error(`there is no game ${given} here; there are ${known.join(", ")}`);
}

function hex(state) {
  return Array.from(state, (word) => `0x${word.toString(16)}`).join(" ");
}
