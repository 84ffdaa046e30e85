// Nim: the value of a position is known at once (oracles/nim.py).

import { Oracle } from "./oracle.js";

export class Nim extends Oracle {
  async solve(state) {
    const { game, kernels } = this;
    return kernels.scope(() => {
      const values = kernels.array("int8", 1);
      game.call("nim_values", game.row(state)[0], this.period, values);
      return { value: values.data[0] };
    });
  }
}
