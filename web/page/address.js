// The address of the page holds the game: reload, back and sharing go on where it stands.
//
//   moves   the line that is played          ply    the position on the board, where that is not its end
//   lesson  the exercise of a guided game, and how many moves lead to it: "2.4"
//   tree    all lines, where there are others: of each the number of moves that it shares with the one before it, then the rest

import { writeAddress } from "./browser.js";
import { YOU, begin, extendLine, linesOf, movesTo, pathTo } from "./game.js";

// `opponentIn(game)` is who plays second where the address does not say it.
export function read(opponentIn) {
  const given = new URLSearchParams(location.hash.slice(1));
  const game = given.get("game") ?? "tictactoe";
  const state = begin({
    game,
    start: given.get("start"),
    players: [given.get("first") ?? YOU, given.get("second") ?? opponentIn(game)],
    seed: Math.min(Math.abs(Math.trunc(Number(given.get("seed")))) || 0, Number.MAX_SAFE_INTEGER),
    analyse: given.has("analyse"),
    paused: given.has("paused"),
    ask: given.getAll("ask"),
  });
  readTree(state.top, given.get("tree") ?? "");
  const tip = extendLine(state.top, split(given.get("moves")));
  const path = [state.top, ...pathTo(tip)];
  const ply = given.has("ply") ? Number(given.get("ply")) : path.length - 1;
  return { ...state, lesson: readLesson(given.get("lesson")), tip, cursor: path[ply] ?? tip };
}

export function write(state, replace = false) {
  const { game, start, players, seed, analyse, paused, ask, lesson, top, tip, cursor } = state;
  const fields = new URLSearchParams({ game, first: players[0], second: players[1], seed });
  if (start !== null) fields.set("start", start);
  const moves = movesTo(tip);
  const tree = writeTree(top);
  if (moves.length) fields.set("moves", moves);
  if (cursor !== tip) fields.set("ply", pathTo(cursor).length);
  if (tree !== `0:${moves}`) fields.set("tree", tree);
  if (analyse) fields.set("analyse", "");
  if (paused) fields.set("paused", "");
  if (lesson) fields.set("lesson", `${lesson.step}.${lesson.plies}`);
  for (const policy of ask) fields.append("ask", policy);
  const isFramed = parent !== window; // where going back is about the page around it
  writeAddress(fields, replace || isFramed);
}

function split(moves) {
  return moves?.split(",").filter(Boolean) ?? [];
}

function readLesson(text) {
  const [, step, plies] = text?.match(/^(\d{1,3})\.(-1|\d{1,4})$/) ?? [];
  return step === undefined ? null : { step: Number(step), plies: Number(plies) };
}

function readTree(top, text) {
  let before = [];
  for (const line of text.split(";")) {
    const [shared, moves] = line.split(":");
    before = [...before.slice(0, Number(shared) || 0), ...split(moves)];
    extendLine(top, before);
  }
}

function writeTree(top) {
  let before = [];
  return linesOf(top)
    .map((line) => {
      const differs = line.findIndex((move, ply) => move !== before[ply]);
      const shared = differs < 0 ? line.length : differs;
      before = line;
      return `${shared}:${line.slice(shared)}`;
    })
    .join(";");
}
