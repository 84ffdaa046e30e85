// The state of the game on the page, and what follows from it: whose turn it is, which policy has to answer, whether you may click.
//
// A state is
//   game, start, players, seed, analyse, ask, paused    what the form, the buttons and the address set
//   top       the start of the tree of moves
//   tip       the end of the line that is played: there you move, or a policy answers
//   cursor    the position on the board: the tip, or one before it when you look back
//   lesson    in a guided game the exercise: { step, plies }, its number and how many moves lead to it; -1 plies after the last one; else null
// A node of the tree is { move, parent, children, mover, view }; its view is the server's answer about the position, null before that.
// These functions do not change a state: they return another one, or null if nothing changes. The tree only grows.

export const YOU = "you";
export const PACE = 700; // milliseconds between two moves that nobody makes by hand

// ---- the tree

function nodeOf(move, parent) {
  return { move, parent, children: [], mover: null, view: null };
}

// The moves from the start to a node.
export function movesTo(node) {
  return pathTo(node).map(({ move }) => move);
}

// The nodes after the start, up to a node.
export function pathTo(node) {
  const path = [];
  for (let at = node; at.parent; at = at.parent) path.unshift(at);
  return path;
}

// The line to a node, as requests name a position.
export function lineTo({ game, start }, node) {
  return { game, start, moves: movesTo(node) };
}

// The node after a move, which is added if it is new.
function extend(node, move) {
  let next = node.children.find((child) => child.move === move);
  if (!next) node.children.push((next = nodeOf(move, node)));
  return next;
}

export function extendLine(node, moves) {
  return moves.reduce(extend, node);
}

// Removes all moves after the first `count` of a line from the tree, because the server refuses them.
export function prune({ tip }, count) {
  const refused = pathTo(tip)[count];
  if (refused) remove(refused);
}

// Stores the server's answer about a position, and who made the moves to it.
export function keep(node, view) {
  node.view = { ...view, players: view.players.map(nameSide), status: nameSide(view.status) };
  pathTo(node).forEach((at, ply) => (at.mover = view.movers[ply]));
}

// In words for people: where a game has no names for its sides, they have numbers, from 0.
export function nameSide(text) {
  return text.replace("player 0", "first player").replace("player 1", "second player");
}

// The end of the first continuation.
function leafAfter(node) {
  return node.children.length ? leafAfter(node.children[0]) : node;
}

// An end of a line in the tree of which nobody has said yet who made its moves; undefined without one.
export function unattributed(node) {
  if (!node.children.length) return node.parent && node.mover === null ? node : undefined;
  return node.children.map(unattributed).find(Boolean);
}

// Takes a node and what follows it out of the tree.
export function remove(node) {
  node.parent.children = node.parent.children.filter((child) => child !== node);
}

// The lines of a tree, each as its moves.
export function linesOf(node, before = []) {
  if (!node.children.length) return [before];
  return node.children.flatMap((child) => linesOf(child, [...before, child.move]));
}

// ---- whose turn it is

// Whether two policies play each other.
export function isWatched({ players }) {
  return !players.includes(YOU);
}

// The policy that has to answer on the current line; null if it is your turn, or the game is over or paused.
export function policyToAsk(state) {
  const { tip, players, paused, lesson } = state;
  if (!tip.view || tip.view.player === null || (paused && isWatched(state)) || lesson) return null;
  const policy = players[tip.view.player];
  return policy === YOU ? null : policy;
}

// Whether you may make a move in the position on the board. Before the tip, a move begins a variation.
export function mayMove({ cursor, players, lesson }) {
  if (lesson) return cursor.view.player !== null && pathTo(cursor).length === lesson.plies;
  return cursor.view.player !== null && players[cursor.view.player] === YOU;
}

// ---- what changes it

// A new game with a tree of its own.
export function begin(settings, moves = []) {
  const top = nodeOf(null, null);
  const tip = extendLine(top, moves);
  return { ...settings, lesson: null, top, tip, cursor: tip };
}

// An exercise of a guided game, on the board that it asks for: { start, moves }. Without one, the board stays, and nobody moves.
export function learn(state, step, board) {
  if (!board) return { ...state, lesson: { step, plies: -1 } };
  const { start, moves } = board;
  return { ...begin({ ...state, start, analyse: false, paused: false }, moves), lesson: { step, plies: moves.length } };
}

// Whether the exercise is done: the move that it asks for was made.
export function isSolved({ tip, lesson }) {
  return lesson.plies >= 0 && pathTo(tip).length > lesson.plies;
}

// Your move. It becomes the tip of the current line.
export function play(state, node, move) {
  if (state.cursor !== node || !mayMove(state)) return null;
  const next = extend(node, move);
  return { ...state, tip: next, cursor: next };
}

// A policy's move in the position for which it was asked.
export function answer(state, node, move) {
  if (state.tip !== node || policyToAsk(state) === null) return null;
  const next = extend(node, move);
  return { ...state, tip: next, cursor: state.cursor === node ? next : state.cursor };
}

// Shows another position. A position of a variation makes this the current line. Policies that play each other wait.
export function show(state, node) {
  if (node === state.cursor) return null;
  const tip = node === state.tip || pathTo(state.tip).includes(node) || node === state.top ? state.tip : leafAfter(node);
  return { ...state, tip, cursor: node, paused: state.paused || (isWatched(state) && node !== tip) };
}

export function back(state) {
  return state.cursor.parent && show(state, state.cursor.parent);
}

// One move forward: along the current line, or else to the first continuation.
export function on(state) {
  const path = pathTo(state.tip);
  const next = path[pathTo(state.cursor).length] ?? state.cursor.children[0];
  return next ? show(state, next) : null;
}

export function first(state) {
  return show(state, state.top);
}

// The end of the current line; from there, that of the first continuation.
export function last(state) {
  return show(state, state.cursor === state.tip ? leafAfter(state.tip) : state.tip);
}

// The position that undo goes back to: before your last move, or before the last move of two policies. Null if there is none.
export function beforeLast({ cursor, players, lesson }) {
  const path = pathTo(cursor);
  if (lesson) return path[lesson.plies]?.parent ?? null;
  const last = isWatched({ players }) ? path.at(-1) : path.findLast(({ mover }) => players[mover] === YOU);
  return last?.parent ?? null;
}

// Takes moves back: the current line ends before them. They stay in the tree.
export function undo(state) {
  const node = beforeLast(state);
  return node && { ...state, tip: node, cursor: node, paused: state.paused || isWatched(state) };
}

// Exchanges the players, who go on from the position on the board.
export function swap(state) {
  return { ...state, players: [...state.players].reverse(), tip: state.cursor };
}

// The same game from its start once more.
export function rematch(state, seed) {
  return begin({ ...state, paused: false, seed });
}

// Lets two policies wait, or go on from the position on the board.
export function pause(state) {
  if (!isWatched(state)) return null;
  return { ...state, paused: !state.paused, tip: state.paused ? state.cursor : state.tip };
}

// The state with only the first `count` moves of its line; null if the line has no more.
export function cut(state, count) {
  const path = [state.top, ...pathTo(state.tip)];
  const tip = path[count];
  return tip && tip !== state.tip ? { ...state, tip, cursor: path.indexOf(state.cursor) > count ? tip : state.cursor } : null;
}

// A promise that resolves after some milliseconds.
export function wait(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}
