// Policies that look at most a few plies ahead: the random, the greedy and the expectimax player.

import { watchFor } from "./alphabeta.js";
import { Policy, shareAmong } from "./policy.js";

export class Random extends Policy {
  async search(state, key) {
    const { game, kernels } = this;
    return kernels.scope(() => {
      game.words(state);
      const action = kernels.array("int64", 1);
      const choices = kernels.array("uint64", 1, game.actionWords);
      game.call("random_actions", game.row(state)[0], choices, kernels.arrayOf("uint64", [key]), action);
      return { action: Number(action.data[0]) };
    });
  }

  async analyse(state, key) {
    const legal = new Set(this.game.legal(state));
    const isLegal = Array.from({ length: this.game.numActions }, (_, action) => legal.has(action));
    return { action: await this.act(state, key), probabilities: shareAmong(isLegal) };
  }
}

export class Expectimax extends Policy {
  // The action, and the expected result of each action, -2 where it is not legal.
  async search(state, key) {
    const { game, kernels } = this;
    return kernels.scope(() => {
      const values = kernels.array("float64", game.numActions);
      const weights = kernels.arrayOf("int64", game.weights);
      const action = game.call("expect", game.words(state), key, this.depth, game.actionWords, weights, values, watchFor(game));
      return { action, values: values.data.slice() };
    });
  }

  async analyse(state, key) {
    const { action, values } = await this.search(state, key);
    const best = Math.max(...values);
    return { action, probabilities: shareAmong(Array.from(values, (value) => value === best)) };
  }
}

export class Greedy extends Expectimax {
  depth = 1;
}
