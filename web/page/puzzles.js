// Puzzles: positions in which exactly one move wins. You look for it; then the best defence shows that it wins.

import { find } from "/shared/elements.js";
import { readKept, writeKept } from "./browser.js";
import { PACE, YOU, begin, lineTo, play, remove, wait } from "./game.js";
import { bestOf, describeVerdict } from "./verdicts.js";

const LONGEST = 40; // moves of the line that is shown
const CHOICES = 3; // moves between which a hint leaves the choice
const KEPT = "ludus.puzzles"; // where the browser keeps the positions that were solved, by game

export class Puzzles {
  constructor(page) {
    Object.assign(this, { page, lists: new Map(), counts: {}, open: 0 });
    const acts = { next: () => this.next(), clue: () => this.clue(), solution: () => this.solve() };
    for (const [name, act] of Object.entries(acts)) find(`#puzzle-${name}`).addEventListener("click", () => this.act(act));
    find("#puzzle-level").addEventListener("change", () => this.draw());
  }

  // Takes in how many puzzles each game has.
  offer({ games }) {
    for (const { puzzles } of games) Object.assign(this.counts, puzzles);
  }

  // Does something that takes a while.
  async act(work) {
    this.open += 1;
    find("#puzzles").setAttribute("aria-busy", "true");
    await work().catch((error) => this.page.complain("status", error));
    this.open -= 1;
    find("#puzzles").setAttribute("aria-busy", String(this.open > 0));
  }

  // Begins with another state; `before` is the one before it.
  look(state, before) {
    this.state = state;
    this.act(() => this.judge(state, before));
  }

  // Says whether a move that was just made in a puzzle is the answer to it.
  async judge(state, before) {
    if (state.start !== null) await this.list(state.game);
    if (this.state !== state) return;
    this.draw();
    const { top, cursor } = state;
    if (!this.puzzle || this.answered === top || cursor.parent !== top || before?.cursor !== top) return;
    await (cursor.move === this.puzzle.move ? this.finish(`Right: ${this.described}.`, true) : this.refuse(cursor));
  }

  // The puzzles of a game, the easiest first.
  async list(game) {
    if (!this.counts[game]) return [];
    if (!this.lists.has(game)) this.lists.set(game, this.page.connection.ask("puzzles", { game }).then(({ puzzles }) => puzzles));
    return this.lists.set(game, await this.lists.get(game)).get(game);
  }

  // The puzzle on the board; undefined without one.
  get puzzle() {
    const { game, start, players, lesson } = this.state;
    const list = this.lists.get(game);
    if (!Array.isArray(list) || lesson || players.some((player) => player !== YOU)) return undefined;
    return list.find(({ position }) => position === start);
  }

  // What the solution does, in words.
  get described() {
    const { move, distance } = this.puzzle;
    return `${move} ${describeVerdict({ value: 1, distance })}`;
  }

  // The next puzzle that is not solved, of the level that is chosen; after all of them, the next one again.
  async next() {
    const { state } = this;
    const list = await this.list(state.game);
    const level = Number(find("#puzzle-level").value);
    const fits = (puzzle) => !level || puzzle.level === level;
    const start = list.indexOf(this.puzzle) + 1;
    const order = [...list.slice(start), ...list.slice(0, start)].filter(fits);
    const solved = solvedIn(state.game);
    const puzzle = order.find(({ position }) => !solved.has(position)) ?? order[0];
    if (!puzzle) return;
    const next = begin({ ...state, players: [YOU, YOU], start: puzzle.position, analyse: false, ask: [], paused: false });
    await this.page.attempt(() => next);
    find("#board").scrollIntoView({ block: "nearest" }); // on a phone the board is above this
    if (this.state.top === next.top) this.say(next.top, `Find the only move that wins: ${next.top.view.status}.`);
  }

  // Says of a few moves that one of them wins.
  async clue() {
    if (!this.puzzle) return;
    const { top } = this.state;
    const others = top.view.legal.map(({ move }) => move).filter((move) => move !== this.puzzle.move);
    const far = Math.max(1, Math.floor(others.length / (CHOICES - 1)));
    const some = others.filter((_, i) => i % far === 0).slice(0, CHOICES - 1);
    const moves = [...some, this.puzzle.move].sort();
    if (this.state.cursor !== top) await this.page.change((state) => ({ ...state, tip: top, cursor: top }));
    this.say(top, `One of these wins: ${moves.join(", ")}.`, moves);
  }

  // Shows the move that wins, and why.
  async solve() {
    if (!this.puzzle) return;
    const { top } = this.state;
    const { move } = this.puzzle;
    this.answered = top;
    await this.page.change((state) => state.top === top && play({ ...state, tip: top, cursor: top }, top, move));
    await this.finish(`The solution: ${this.described}.`, false);
  }

  // Says that a move does not win, and takes it back.
  async refuse(node) {
    const { top } = this.state;
    this.say(node, `${node.move} does not win.`);
    const verdicts = await this.verdictsOn(top);
    const words = describeVerdict(verdicts[node.move]) || "does not win";
    await this.page.change((state) => {
      if (state.cursor !== node) return null;
      remove(node);
      return { ...state, tip: top, cursor: top };
    });
    if (this.state.cursor === top) this.say(top, `${node.move} ${words}. Try again.`);
  }

  // The verdicts on the moves of a position, not before one had the time to look at it.
  async verdictsOn(node) {
    const [verdicts] = await Promise.all([this.page.analysis.verdictsOn(lineTo(this.state, node)), wait(PACE)]);
    return verdicts;
  }

  // Shows how the game goes on with the best moves of both sides, as long as nobody does anything else.
  async finish(text, isSolved) {
    const { top, game } = this.state;
    this.answered = top;
    if (isSolved) writeKept(KEPT, { ...readKept(KEPT, {}), [game]: [...solvedIn(game).add(this.puzzle.position)] });
    this.draw();
    let { tip: node } = this.state;
    this.say(node, text);
    for (let count = 0; count < LONGEST && node.view.player !== null; count++) {
      const [best] = bestOf(await this.verdictsOn(node));
      if (this.state.cursor !== node) return;
      await this.page.change((state) => play(state, node, best));
      if (this.state.cursor.parent !== node) return;
      node = this.state.cursor;
    }
    if (node.view.player === null) this.say(node, `${text} ${node.view.status}.`);
  }

  // Says something about a position beside the board, and here, where the reader has pressed a button.
  say(node, text, moves) {
    this.page.remark(node, text, moves);
    find("#puzzle-said").textContent = text;
  }

  // Shows how many there are, and which one this is.
  draw() {
    const { game, top } = this.state;
    const count = this.counts[game] ?? 0;
    find("#puzzles").hidden = !count;
    const { puzzle } = this;
    for (const name of ["clue", "solution"]) find(`#puzzle-${name}`).hidden = !puzzle || this.answered === top;
    if (!puzzle) find("#puzzle-said").textContent = "";
    find("#puzzle-next").textContent = puzzle ? "Next puzzle" : "Solve a puzzle";
    find("#puzzle-next").classList.toggle("main", Boolean(puzzle) && this.answered === top);
    const solved = solvedIn(game).size;
    const number = puzzle ? `Puzzle ${this.lists.get(game).indexOf(puzzle) + 1} of ${count}, level ${puzzle.level} of 5. ` : "";
    find("#puzzle-text").textContent = `${number}${puzzle ? "Exactly one move wins." : `${count} positions in which exactly one move wins.`} ${solved} solved.`;
  }
}

// The positions of a game that were solved.
function solvedIn(game) {
  return new Set(readKept(KEPT, {})[game]);
}
