// What perfect play says: exact values, by the kernels of the oracles in Python, which know the same.

import { prove } from "./alphabeta.js";
import { Game } from "./games.js";
import { ConnectFour } from "./oracles/connect_four.js";
import { Oracle } from "./oracles/oracle.js";
import { Othello } from "./oracles/othello.js";
import { Quarto } from "./oracles/quarto.js";
import { QuixoEndings, QuixoTable } from "./oracles/quixo.js";

// Any game, where a search proves the value of a position.
class Proofs extends Oracle {
  async solve(state) {
    return prove(this.game, state, this.nodes);
  }
}

class Nim extends Oracle {
  async solve(state) {
    const { game, kernels } = this;
    return kernels.scope(() => {
      const values = kernels.array("int8", 1);
      game.call("nim_values", game.row(state)[0], this.period, values);
      return { value: values.data[0] };
    });
  }
}

const KINDS = { Proofs, Nim, QuixoTable, QuixoEndings, ConnectFour, Quarto, Othello };
const MOST_ORACLES = 4; // that stay, each with memory of its own
const oracles = new WeakMap(); // by what kernels.json says

// The oracle of a game, which all who ask share: it has kernels of its own, and remembers what it has made and proven.
export function makeOracle({ kernels, spec }) {
  if (!oracles.has(kernels.document)) oracles.set(kernels.document, new Map());
  const ours = oracles.get(kernels.document);
  const oracle = ours.get(spec) ?? begin(kernels, spec);
  ours.delete(spec);
  ours.set(spec, oracle); // the last one now
  if (ours.size > MOST_ORACLES) ours.delete(ours.keys().next().value);
  oracle.catch(() => ours.delete(spec)); // it could not be made
  return oracle;
}

async function begin(kernels, spec) {
  const game = new Game(await kernels.another(), spec);
  return new (KINDS[game.oracle?.kind] ?? Oracle)(game);
}
