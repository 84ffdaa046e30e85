// The page: a game between you and policies, and what perfect play and other policies say about it.

import * as address from "./address.js";
import { YOU } from "./address.js";
import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { Connection } from "./connection.js";
import { fillHeader } from "./header.js";
import { Setup } from "./setup.js";
import { Tree } from "./tree.js";

const find = (selector) => document.querySelector(selector);
const PACE = 700; // milliseconds between two moves of policies that play each other
const SOON = 25; // milliseconds that a board waits for its colours

class Page {
  constructor() {
    this.connection = new Connection((open, reason) => {
      find("#connection").textContent = open ? "" : `No connection${reason && ` (${reason})`}; trying again …`;
    });
    this.board = new Board(find("#board"), find("#extra"), (move) => this.go([...this.game.moves, move]));
    this.tree = new Tree(find("#moves"), (line) => this.go(line));
    this.analysis = new Analysis(this.connection, {
      go: (ply) => this.go(this.game.moves.slice(0, ply)),
      light: (lit) => this.light(lit),
      changed: () => this.draw(),
      change: (fields) => this.change(fields),
      fail: (error) => this.say(error.message, true),
    });
    this.round = 0;
    this.paused = false;
    const keys = { undo: "u", hint: "h", swap: "s", copy: "c", pause: "p" };
    for (const [name, key] of Object.entries(keys)) this.button(name, key, () => this[name]());
    find("#analyse").addEventListener("change", (event) => this.change({ analyse: event.target.checked }));
    this.onSubmit("#placing", (form) => this.change({ start: form.position.value.trim(), moves: [] }));
    addEventListener("popstate", () => this.load());
    addEventListener("keydown", (event) => this.key(event));
    this.open();
  }

  button(name, key, act) {
    const button = find(`#${name}`);
    button.addEventListener("click", act);
    button.setAttribute("aria-keyshortcuts", key);
    button.title = `Key: ${key}`;
  }

  onSubmit(selector, act) {
    find(selector).addEventListener("submit", (event) => {
      event.preventDefault();
      act(event.target);
    });
  }

  // Letters press the buttons that name them; the arrow keys go back and forth in the game where no board or field takes them.
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    const button = document.querySelector(`[aria-keyshortcuts="${CSS.escape(event.key)}"]`);
    if (button) button.click();
    else if (event.target.closest("#board")) return;
    else if (event.key === "ArrowLeft" && this.game.moves.length) this.go(this.game.moves.slice(0, -1));
    else if (event.key === "ArrowRight") this.forward();
  }

  forward() {
    const move = this.tree.after(this.game.moves);
    if (move !== undefined) this.go([...this.game.moves, move]);
  }

  async open() {
    const offers = await this.connection.ask("offer");
    const begin = (chosen) => this.change({ ...chosen, start: null, moves: [], seed: Math.floor(Math.random() * 2 ** 31) });
    this.setup = new Setup(find("#setup"), offers, begin);
    fillHeader(offers);
    this.load();
  }

  load() {
    this.game = address.read();
    this.refresh();
  }

  change(fields) {
    this.game = { ...this.game, ...fields };
    address.write(this.game);
    this.refresh();
  }

  go(moves) {
    this.change({ moves });
  }

  swap() {
    this.change({ players: [...this.game.players].reverse() });
  }

  pause() {
    this.paused = !this.paused;
    this.refresh();
  }

  // The game as the server takes it.
  line() {
    const { game, start, moves } = this.game;
    return { game, start, moves };
  }

  // ---- the position, and who moves

  // Shows the position. Where it is a policy's turn, and the game has not gone on from here before, it plays.
  async refresh() {
    const round = ++this.round;
    this.thinking?.abort(new DOMException("the position has changed", "AbortError"));
    this.thinking = new AbortController();
    const { signal } = this.thinking;
    try {
      const colours = this.game.analyse && this.analysis.ahead(this.line(), signal);
      const view = await this.connection.ask("show", this.line(), signal);
      await Promise.race([colours, new Promise((done) => setTimeout(done, SOON))]); // what is known at once is drawn at once
      if (round !== this.round) return;
      this.view = view;
      this.tree.begin(JSON.stringify([this.game.game, this.game.start]));
      const isNew = this.tree.after(this.game.moves) === undefined;
      this.tree.add(this.game.moves);
      this.setup.show(this.game);
      this.analysis.look(this.game, view, this.setup.policies(view.game), signal);
      this.show();
      if (isNew) await this.answer(round, signal);
    } catch (error) {
      if (error.name !== "AbortError" && round === this.round) this.say(error.message, true);
    }
  }

  async answer(round, signal) {
    const { view, game } = this;
    const policy = game.players[view.player];
    if (view.player === null || policy === YOU || (this.watched && this.paused)) return;
    this.say(`${policy} is thinking …`);
    const pace = this.watched && game.moves.length ? new Promise((done) => setTimeout(done, PACE)) : null;
    const { move } = await this.connection.ask("answer", { ...this.line(), policy, seed: game.seed }, signal);
    await pace;
    if (round !== this.round) return;
    this.game = { ...this.game, moves: [...game.moves, move] };
    address.write(this.game, true);
    this.refresh();
  }

  // Whether two policies play each other.
  get watched() {
    return !this.game.players.includes(YOU);
  }

  // Whether a person is to move.
  get mine() {
    return this.view.player !== null && this.game.players[this.view.player] === YOU;
  }

  // The side that is drawn below the board: yours, or the first.
  get near() {
    return this.game.players[1] === YOU && this.game.players[0] !== YOU ? 1 : 0;
  }

  show() {
    const { view, game } = this;
    const [name] = game.game.split(":");
    for (const link of document.querySelectorAll("#games a")) {
      if (link.dataset.game === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    document.title = `${view.title} · Ludus`;
    find("#stage").dataset.plies = game.moves.length;
    find("#stage").dataset.over = view.outcome !== null;
    ["#near", "#far"].forEach((place, i) => {
      const player = i ? 1 - this.near : this.near;
      const who = game.players[player] === YOU ? "You" : game.players[player];
      find(place).textContent = `${who} · ${view.players[player]}`;
      find(place).classList.toggle("turn", view.player === player);
    });
    find("#bar").classList.toggle("turned", this.near === 1);
    find("#pause").hidden = !this.watched;
    find("#pause").setAttribute("aria-pressed", String(this.paused));
    find("#placing").position.value = view.position;
    find("#undo").disabled = !game.moves.length;
    find("#hint").disabled = view.player === null;
    find("#analyse").checked = game.analyse;
    this.draw();
    this.say(this.status());
  }

  // Draws the board, on which attention is drawn to some moves.
  light(lit) {
    this.board.show(this.view, { open: this.mine, verdicts: this.analysis.verdicts, lit });
  }

  // Draws the board and the moves with what is known of them.
  draw() {
    const { analysis, game } = this;
    this.light([]);
    const lost = analysis.draw();
    const isHere = (line) => String(line) === String(game.moves.slice(0, line.length));
    this.tree.draw(game.moves, (line) => (isHere(line) && lost.includes(line.length) ? "slip" : ""));
  }

  status() {
    const { view, game } = this;
    if (view.outcome === null) return this.mine && game.players.includes(YOU) ? `Your move: ${view.status}.` : view.status;
    if (view.outcome[0] === 0) return "A draw.";
    const winner = view.outcome[0] > 0 ? 0 : 1;
    const others = game.players[1 - winner];
    if (game.players[winner] === YOU && others !== YOU) return "You win!";
    if (game.players[winner] !== YOU && others === YOU) return `You lose: ${game.players[winner]} wins.`;
    return `${view.players[winner]} wins.`;
  }

  say(text, wrong = false) {
    find("#status").textContent = text;
    find("#status").classList.toggle("wrong", wrong);
  }

  // Takes back the last move of a person, and all after it.
  undo() {
    const { view, game } = this;
    const last = view.movers.findLastIndex((player) => game.players[player] === YOU);
    this.go(game.moves.slice(0, last < 0 ? game.moves.length - 1 : last));
  }

  async hint() {
    try {
      const move = await this.analysis.best();
      this.light([move]);
      this.say(`Hint: ${move}`);
    } catch (error) {
      if (error.name !== "AbortError") this.say(error.message, true);
    }
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.view.position);
      this.say(`Copied: ${this.view.position}`);
    } catch {
      this.say(`Select and copy: ${this.view.position}`); // the browser lets no page write to the clipboard
    }
  }
}

new Page();
