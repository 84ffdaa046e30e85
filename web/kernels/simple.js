// Policies that look at most a few plies ahead: the random, the greedy and the expectimax player; and the classic players of single
// games.

import { watchFor } from "./alphabeta.js";
import { AT_ONCE, Policy, shareAmong } from "./policy.js";

const MOST_TURNS = 16; // of Frontiers, after which every game is over

// A policy that draws among good actions, each equally likely.
class Drawing extends Policy {
  async search(state, key) {
    const { game, kernels } = this;
    return kernels.scope(() => {
      game.words(state);
      const good = kernels.array("uint64", 1, game.actionWords);
      const actions = kernels.array("int64", 1);
      this.draw(game.row(state)[0], good, kernels.arrayOf("uint64", [key]), actions);
      return { action: Number(actions.data[0]), good: good.data.slice() };
    });
  }

  async analyse(state, key, work = AT_ONCE) {
    const { action, good } = await this.search(state, key, work);
    const isGood = Array.from({ length: this.game.numActions }, (_, each) => ((good[each >> 6] >> BigInt(each & 63)) & 1n) === 1n);
    return { action, probabilities: shareAmong(isGood) };
  }
}

export class Random extends Drawing {
  draw(states, good, keys, actions) {
    this.game.call("random_actions", states, good, keys, actions);
  }
}

export class NimSum extends Drawing {
  draw(states, good, keys, actions) {
    this.game.call("nim_sum_actions", states, this.data.period, good, keys, actions);
  }
}

export class Easy extends Drawing {
  draw(states, good, keys, actions) {
    this.game.call("easy_actions", 0, 1, states, good, keys, actions);
  }
}

export class Hard extends Policy {
  async search(state, key) {
    const { game, kernels } = this;
    return kernels.scope(() => {
      const search = {
        budget: this.budget,
        table: kernels.array("uint64", this.data.entries, this.constants.ENTRY_WORDS),
        movements: kernels.arrayOf("uint16", movementsOf(this.data.cells), this.data.cells.length, 2, 256),
        watch: watchFor(game),
      };
      return { action: game.call("hard_action", game.words(state), key, search) };
    });
  }
}

// Where each set of cells in the first and in the second half of the board goes, by movement.
export function movementsOf(cells) {
  const goal = (set, places) => places.reduce((goals, place, cell) => goals | (((set >> cell) & 1) << place), 0);
  const sets = Array.from({ length: 256 }, (_, set) => set);
  return cells.flatMap((places) => [places.slice(0, 8), places.slice(8)].flatMap((half) => sets.map((set) => goal(set, half))));
}

export class Frontiers extends Policy {
  async search(state, key) {
    const { game, kernels } = this;
    const depth = Math.min(this.depth, MOST_TURNS);
    return kernels.scope(() => {
      game.words(state);
      const notes = kernels.array("int64", 1, depth + 1, 16);
      const actions = kernels.array("int64", 1);
      const search = { depth, highest: Number(this.highest), notes, watch: watchFor(game) };
      game.call("frontiers_actions", 0, 1, game.row(state)[0], kernels.arrayOf("uint64", [key]), search, actions);
      return { action: Number(actions.data[0]) };
    });
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
