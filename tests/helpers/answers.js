// Answers what parity.py asks of the kernels for browsers, in node and in a browser: the rules, the policies, proofs.

import { Game } from "./kernels/games.js";
import { loadKernels } from "./kernels/kernels.js";
import { derive, judge, makePolicy, prove } from "./kernels/policies.js";

const LOGS = 10000; // numbers of which kernels may ask the logarithm
const hex = (words) => Array.from(words, (word) => word.toString(16)).join(" ");
const words = (text) => BigUint64Array.from(text.split(" "), (word) => BigInt(`0x${word}`));

export async function answer(bytes, document, questions) {
  const kernels = await loadKernels(bytes, document);
  return { games: questions.map((question) => ofGame(kernels, question)), logs: Array.from({ length: LOGS }, (_, n) => Math.log(n + 1)) };
}

// What searches find besides their actions.
function searches(game, state, key) {
  const search = (spec) => makePolicy(spec, game).search(state, key);
  const { value, depth, nodes } = search("minimax");
  const { visits, simulations, proof, proofs, ...tree } = search("mcts");
  const expected = search("expectimax:depth=1").values;
  return [[value, depth, nodes], visits, [simulations, proof], Array.from(proofs), tree.value, Array.from(tree.values), Array.from(expected)];
}

function ofGame(kernels, { spec, depth, leaves, states, keys, policies, nodes, step }) {
  const game = new Game(kernels, spec);
  const some = Array.from(states.keys()).filter((row) => row % step === 0);
  const players = policies.map((policy) => makePolicy(policy, game));
  return {
    start: hex(game.start),
    perft: game.perft(depth),
    verdicts: some.map((row) => judge(game, words(states[row]), nodes).map(Object.values)),
    searches: some.map((row) => searches(game, words(states[row]), BigInt(`0x${keys[row]}`))),
    states: states.map((text, row) => {
      const state = words(text);
      const key = BigInt(`0x${keys[row]}`);
      return {
        player: game.player(state),
        legal: game.legal(state),
        children: game.legal(state).map((action) => {
          const child = game.play(state, action);
          return [hex(child), game.outcome(child), game.outcome(child, leaves)];
        }),
        planes: [0, 1].map((seat) => game.planes(state, seat).join("")),
        derived: derive(kernels, key, row).toString(16),
        actions: players.map((player) => player.act(state, key)),
        proof: Object.values(prove(game, state, nodes)),
      };
    }),
  };
}
