// Answers what parity.py asks of the kernels for browsers, in node and in a browser: the rules, boards, the policies, proofs.

import { Desk } from "./alone/desk.js";
import { Work } from "./alone/work.js";
import { prove } from "./kernels/alphabeta.js";
import { parsePosition, textOf, viewOf } from "./kernels/boards.js";
import { Game } from "./kernels/games.js";
import { loadKernels } from "./kernels/kernels.js";
import { makePolicy } from "./kernels/policies.js";
import { derive } from "./kernels/policy.js";

const LOGS = 10000; // numbers of which kernels may ask the logarithm
const hex = (words) => Array.from(words, (word) => word.toString(16)).join(" ");
const words = (text) => BigUint64Array.from(text.split(" "), (word) => BigInt(`0x${word}`));

// `file(name)` gives a promise of the bytes of a file of the page; `leftOut` is a game whose oracle is not asked.
export async function answer(bytes, document, questions, file, leftOut) {
  const kernels = await loadKernels(bytes, document, file);
  const games = await inTurn(questions, async (question) => {
    const game = new Game(kernels, question.spec);
    const judged = question.spec === leftOut ? null : await verdicts(game, question);
    return { ...(await ofGame(game, question)), judged };
  });
  return { games, logs: Array.from({ length: LOGS }, (_, n) => Math.log(n + 1)) };
}

// The opinions of policies on some positions, and the moves that they play there, as the page gets them.
function opinions(game, states, { thinkers, seed }) {
  const desk = new Desk(game.kernels, {}, () => {});
  const ask = (type, state, policy) => desk[type]({ game: game.spec, start: textOf(game, state), policy, seed }, new Work());
  const opinionAndMove = async (state, policy) => [await ask("opine", state, policy), (await ask("answer", state, policy)).move];
  return inTurn(states, (state) => inTurn(thinkers, (policy) => opinionAndMove(state, policy)));
}

// A position from its text, and as text again; or why it is not one.
function reread(game, text) {
  try {
    const state = parsePosition(game, text);
    return [hex(state), textOf(game, state)];
  } catch (error) {
    return error.message;
  }
}

// The verdicts on the moves of each position, as the page gets them, and what `perfect` plays.
async function verdicts(game, { judged, beyond, perfect, seed }) {
  const desk = new Desk(game.kernels, {}, () => {});
  const ask = (type, start, more) => desk[type]({ game: game.spec, start: textOf(game, words(start)), ...more }, new Work());
  const play = async (start) => (await ask("answer", start, { policy: perfect, seed })).move;
  const known = await inTurn(judged, async (start) => [await ask("judge", start), await play(start)]);
  return [...known, ...(await inTurn(beyond, async (start) => [null, await play(start)]))];
}

async function ofGame(game, { lines, texts, depth, leaves, states, keys, policies, nodes, step, ...asked }) {
  const { kernels } = game;
  const some = states.filter((_, row) => row % step === 0).map(words);
  const players = policies.map((policy) => makePolicy(policy, game));
  return {
    start: hex(game.start),
    perft: game.perft(depth),
    views: lines.map(([start, moves]) => viewOf(game, start, moves)),
    texts: texts.map((text) => reread(game, text)),
    opinions: await opinions(game, some, asked),
    states: await inTurn(states, async (text, row) => {
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
        actions: await inTurn(players, (player) => player.act(state, key)),
        proof: Object.values(prove(game, state, nodes)),
      };
    }),
  };
}

// What `work` answers for each item, one after another.
async function inTurn(items, work) {
  const answers = [];
  for (const [place, item] of items.entries()) answers.push(await work(item, place));
  return answers;
}
