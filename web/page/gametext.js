// A game as a text, in the format that Ludus calls `pgn` (docs/records.md): a header, and numbered moves with variations in parentheses.
//
// No rule is here: what a move is called, and which are legal, is what `show` answers about a position.

import { YOU, begin, extendLine, keep, lineTo, pathTo } from "./game.js";

const WIDTH = 100; // characters of a line of moves
const PASS = "pass"; // a text may leave it out where it alone is legal
const RESULTS = { 1: "1-0", 0: "1/2-1/2", "-1": "0-1" };
const TAG = /^\s*\[\s*([^\[\]"]*?)\s*"((?:[^"\\]|\\.)*)"\s*\]/;
const BETWEEN = /^(?:[\s,]|\d+\.+|\$\d+|[!?]+)+/; // spaces, numbers of moves, and what somebody thinks of them
const RESULT = /^(?:1-0|0-1|1\/2-1\/2|\*|\d{1,4}-\d{1,4})(?=$|[\s;])/;
const WORD = /^[^\s,()]+/;

// The text of a game with all its variations. The line that is played comes first.
export function writeText({ game, start, players, top, tip }) {
  const { outcome } = tip.view;
  const result = outcome ? RESULTS[outcome[0]] : "*";
  const header = { Game: game, "Player 0": players[0], "Player 1": players[1], Result: result, ...(start !== null && { Start: start }) };
  const tags = Object.entries(header).map(([name, value]) => `[${name} ${JSON.stringify(value)}]`);
  return [...tags, "", ...wrap([...wordsAfter(top, 1, new Set(pathTo(tip))), result]), ""].join("\n");
}

// The moves after a node, each with its number and followed by the variations that replace it.
function wordsAfter(node, ply, played) {
  const words = [];
  for (let at = node; at.children.length; ply++) {
    const main = at.children.find((child) => played.has(child)) ?? at.children[0];
    words.push(`${ply}. ${main.move}`);
    for (const other of at.children.filter((child) => child !== main)) {
      const variation = [`${ply}. ${other.move}`, ...wordsAfter(other, ply + 1, played)];
      variation[0] = `(${variation[0]}`;
      words.push(...variation.slice(0, -1), `${variation.at(-1)})`);
    }
    at = main;
  }
  return words;
}

function wrap(words) {
  const lines = [];
  let line = "";
  for (const word of words) {
    if (line && line.length + 1 + word.length > WIDTH) lines.push(line);
    line = !line || lines.at(-1) === line ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

// The state of the game in a text: one that `writeText` has written, a game with or without numbers, or a position.
//   state     the game on the page: it is played on where the text does not say which game it is
//   offers    whether a policy is offered for a game: offers(policy, game)
//   show      show(line) gives what `show` answers
// Throws an error that says what could not be read.
export async function readText(text, state, offers, show) {
  const { tags, body } = takeApart(text);
  const game = (tags.game ?? state.game).toLowerCase();
  const player = (name) => (name !== undefined && offers(name, game) ? name : YOU);
  const players = [player(tags["player 0"]), player(tags["player 1"])];
  const settings = { ...state, game, players, paused: !players.includes(YOU) };
  const position = body.trim();
  if (!position && !tags.game) throw new Error("There is no game in this text.");
  if (!Object.keys(tags).length && !position.includes("\n")) {
    const view = await show({ game, start: position, moves: [] }).catch(() => null);
    if (view) return begin({ ...settings, start: position });
  }
  const [, listed, moves] = /^([^:\n]*):([^]*)$/.exec(body) ?? [null, null, body]; // a list has a position before a colon
  const next = begin({ ...settings, start: tags.start ?? tags.fen ?? listed?.trim() ?? null });
  const tip = await readMoves(moves, next, show);
  return { ...next, tip, cursor: tip };
}

// The header of the first game of a text by its names in small letters, and its moves without comments.
function takeApart(text) {
  const [tags, moves] = [{}, []];
  for (let line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    if (line.startsWith("%")) continue;
    const listed = /^\s*#\s*Game:\s*(\S+)/i.exec(line);
    if (listed) tags.game ??= listed[1];
    let isHeader = false;
    for (let tag; (tag = TAG.exec(line)); line = line.slice(tag[0].length)) {
      isHeader = true;
      if (moves.some((words) => words.trim())) return { tags, body: withoutComments(moves) }; // another game begins
      tags[tag[1].toLowerCase()] = unquote(tag[2]);
    }
    if (!isHeader || line.trim()) moves.push(line);
  }
  return { tags, body: withoutComments(moves) };
}

function withoutComments(lines) {
  return lines.join("\n").replace(/\{[^}]*\}|[;#][^\n]*/g, " ");
}

function unquote(value) {
  try {
    return JSON.parse(`"${value}"`);
  } catch {
    return value.replace(/\\(["\\])/g, "$1");
  }
}

// Adds the moves of a text and their variations to the tree of a game; gives the end of the main line.
async function readMoves(text, state, show) {
  let [rest, node] = [text, state.top];
  const open = []; // the nodes after which variations end
  const skip = () => (rest = rest.replace(BETWEEN, ""));
  for (skip(); rest; skip()) {
    if (!node.view) keep(node, await show(lineTo(state, node)));
    const names = node.view.legal.map(({ move }) => move);
    const move = nextMove(rest, names);
    if (move) {
      rest = rest.slice(move.length);
      node = extendLine(node, [move.name]);
    } else if (rest[0] === "(" && node.parent) {
      open.push(node);
      node = node.parent;
      rest = rest.slice(1);
    } else if (rest[0] === ")" && open.length) {
      node = open.pop();
      rest = rest.slice(1);
    } else if (names.length === 1 && names[0] === PASS && WORD.test(rest) && !RESULT.test(rest)) {
      node = extendLine(node, [PASS]);
    } else if (!open.length && RESULT.test(rest)) {
      break;
    } else {
      throw new Error(refusal(rest, node, names));
    }
  }
  if (open.length) throw new Error("A parenthesis ( is not closed; each variation ends with ).");
  if (!node.view) keep(node, await show(lineTo(state, node)));
  return node;
}

// The legal move with which a text begins, the longest of several: its name, and how many characters it takes. A number is read whole.
function nextMove(text, names) {
  const fits = names.flatMap((name) => {
    const pattern = name.split(" ").map((part) => part.replace(/[^\w\s]/g, "\\$&")).join("\\s+");
    const match = new RegExp(`^${pattern}${/\d$/.test(name) ? "(?!\\d)" : ""}`, "i").exec(text);
    return match ? [{ name, length: match[0].length }] : [];
  });
  return fits.reduce((best, fit) => (best && best.length >= fit.length ? best : fit), null);
}

function refusal(rest, node, names) {
  const ply = pathTo(node).length;
  const word = (WORD.exec(rest)?.[0] ?? rest[0]).slice(0, 40);
  const after = ply ? `after ${ply}. ${node.move}` : "at the start";
  if (!names.length) return `“${word}” cannot be read: the game is over ${after}.`;
  const some = names.length > 8 ? `${names.slice(0, 8).join(", ")} and others` : names.join(", ");
  return `Move ${ply + 1}, “${word}”, cannot be read: ${after} the legal moves are ${some}.`;
}
