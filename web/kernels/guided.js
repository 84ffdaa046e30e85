// AlphaZero's player: a tree search guided by a network, as agents/alphazero.py and search/mcts/guided.py lay it out.

import { loadNetwork } from "./networks.js";
import { AT_ONCE, Policy, derive, uniform } from "./policy.js";
import { Trees, analysisOf } from "./trees.js";

export class AlphaZero extends Policy {
  async act(state, key, work = AT_ONCE, before = null) {
    const results = await this.search(state, key, work);
    return before && this.repeats && this.game.maxPlies > 0 ? this.leaveNew(results, state, key, before) : results.action;
  }

  async search(state, key, work = AT_ONCE) {
    const { game, kernels } = this;
    const network = await this.network();
    return kernels.during(async () => {
      const settings = this.settingsFor(this.noise(key));
      const trees = new Trees(game, state, this.room, this.tableEntries);
      const pending = { nodes: kernels.array("int64", 1, 1), states: kernels.array("uint64", 1, 1, state.length) };
      const offsets = kernels.array("int64", 1);
      const priors = kernels.array("float64", 1, game.numActions);
      const values = kernels.array("float64", 1);
      for (;;) {
        await work.pause();
        while (trees.room - trees.count("USED") < game.numActions) {
          if (trees.isFullSize) throw new Error("the tree has no room for more nodes; do fewer simulations");
          trees.double();
        }
        game.call("select_leaves", 0, 1, settings, pending, trees);
        if (!trees.count("NUM_PENDING")) break;
        const { priors: given, value } = network.evaluate(pending.states.data.slice());
        priors.data.set(given);
        values.data[0] = Math.max(-1, Math.min(1, value));
        game.call("expand_leaves", 0, 1, offsets, priors, values, settings, pending, trees);
      }
      const improve = ({ actions, policy }) => game.call("read_gumbel_results", settings, trees, actions, policy);
      return trees.read(this.isGumbel ? improve : undefined);
    });
  }

  async analyse(state, key, work = AT_ONCE) {
    const network = await this.network();
    const { priors, value } = network.evaluate(state);
    return { ...analysisOf(await this.search(state, key, work), this.constants), priors, priorValue: value };
  }

  network() {
    this.loading ??= loadNetwork(this.game, this.data.network);
    return this.loading;
  }

  get isGumbel() {
    return this.formula === "gumbel";
  }

  get room() {
    const { numActions } = this.game;
    return 1 + 2 * numActions + this.constants.NODES_PER_SIMULATION * Math.min(this.simulations, this.constants.SLICE);
  }

  // The entries of the table for proof searches, a power of two.
  get tableEntries() {
    const { POSITIONS_PER_ENTRY, MAX_ENTRIES } = this.constants;
    const positions = Math.max(this.ahead, this.root_ahead);
    const bits = positions < POSITIONS_PER_ENTRY ? 0 : 1 + Math.floor(Math.log2(Math.floor(positions / POSITIONS_PER_ENTRY)));
    return positions ? Math.min(MAX_ENTRIES, 2 ** (bits + 1)) : 0;
  }

  settingsFor(noise) {
    const { game, kernels, constants } = this;
    const columns = this.isGumbel ? game.numActions : 0;
    const ahead = [this.ahead, Math.max(this.ahead, this.root_ahead)];
    const numbers = [this.exploration, constants.NOISE_SHARE, constants.VALUE_SCALE, constants.VALUE_VISITS, this.considered, ...ahead];
    return {
      simulations: this.simulations,
      numbers: kernels.arrayOf("float64", numbers),
      formula: constants[this.formula.toUpperCase()],
      solver: Number(this.solver),
      action_words: game.actionWords,
      noise: kernels.arrayOf("float64", noise ?? new Float64Array(columns), 1, columns),
      visits_before: kernels.array("int64", 1, columns),
    };
  }

  // Draws from Gumbel's distribution by the key, for each action; null at temperature 0.
  noise(key) {
    const circles = this.game.maxPlies > 0 && this.isGumbel ? this.constants.AGAINST_CIRCLES : 0;
    const temperature = this.temperature ?? circles;
    if (!temperature) return null;
    const draw = (action) => uniform(derive(this.kernels, key, action));
    return Float64Array.from({ length: this.game.numActions }, (_, action) => -temperature * Math.log(-Math.log(draw(action) + 2 ** -54)));
  }

  // The best action that leaves no position to the opponent for a second time, where that is better than a draw: one is worth a draw.
  leaveNew({ action, proof, proofs, values, visits, shares }, state, key, { states }) {
    const { game } = this;
    const mover = game.player(state);
    const left = new Set(states.slice(1).filter((_, ply) => game.player(states[ply]) === mover).map(String));
    const isBetter = (each) => (proof === 1 ? proofs[each] === 1 : values[each] > 0 && proofs[each] !== -1);
    const scores = new Map(game.legal(state).map((each) => [each, isBetter(each) ? visits[each] + shares[each] : -1]));
    scores.set(action, Infinity);
    for (;;) {
      const highest = Math.max(...scores.values());
      const best = [...scores.keys()].filter((each) => scores.get(each) === highest);
      const chosen = best[Math.floor(uniform(key) * best.length)];
      if (highest === 0 || !left.has(String(game.play(state, chosen)))) return chosen;
      scores.set(chosen, 0);
    }
  }
}
