// The perfect player: the oracle's move within its reach, and the deepest search within its limits beyond it.

import { Minimax } from "./alphabeta.js";
import { makeOracle } from "./oracles.js";
import { AT_ONCE, Policy, shareAmong } from "./policy.js";

export class Perfect extends Policy {
  async search(state, key, work = AT_ONCE) {
    const { game, kernels, nodes, data } = this;
    const action = await (await makeOracle(game)).choose(state, key, work);
    if (action !== null) return { action };
    const defaults = Object.entries(kernels.document.policies.minimax).map(([name, setting]) => [name, setting.default]);
    const weights = data.weights.map(BigInt);
    return new Minimax(game, { ...Object.fromEntries(defaults), nodes, weights, data: {} }).search(state, key, work);
  }

  async analyse(state, key, work = AT_ONCE) {
    const { game } = this;
    const choices = await (await makeOracle(game)).choices(state, work);
    const isBest = Array.from({ length: game.numActions }, (_, action) => choices.includes(action));
    return { action: await this.act(state, key, work), probabilities: choices.length ? shareAmong(isBest) : undefined };
  }
}
