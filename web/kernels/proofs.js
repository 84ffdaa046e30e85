// What a search proves: the values of positions and of their actions.

import { tableOf, workspaceFor } from "./alphabeta.js";

// The value of a position for the player to move, finished ones too: 1, 0 or -1, or null where visiting that many positions does not
// prove it. With it the distance in plies of a win or a loss, or null, and an action that keeps the value, or null.
export function prove(game, state, nodes) {
  const { kernels, constants } = game;
  const { LARGEST_DEPTH, PROOF_TABLE_BITS, UNKNOWN } = constants;
  const table = tableOf(kernels, PROOF_TABLE_BITS);
  return kernels.scope(() => {
    const [first, second] = [table.nextGeneration(), table.nextGeneration()];
    const workspace = workspaceFor(game, LARGEST_DEPTH, table, [1, 1, 0, game.actionWords, first, 0], [0n], nodes);
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
