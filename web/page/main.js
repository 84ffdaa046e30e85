// The page: a game between you and policies, and what perfect play and other policies say about it.
//
// The game is a state (game.js). All changes go through `change`, one after the other. It asks the server for the new position; only an
// accepted position is shown and written to the address.

import { find, onSubmit } from "/shared/elements.js";
import * as address from "./address.js";
import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { copyText } from "./browser.js";
import * as game from "./game.js";
import { PACE, YOU, wait } from "./game.js";
import { fillHeader, linkTo } from "./header.js";
import { Lessons } from "./lessons.js";
import { Moves } from "./moves.js";
import { Puzzles } from "./puzzles.js";
import { Record } from "./record.js";
import { Setup } from "./setup.js";
import { Table } from "./table.js";

const SOON = 25; // milliseconds that a board waits for its colours
const FIRST = { game: "tictactoe", start: null, players: [YOU, "random"], seed: 0, analyse: false, paused: false, ask: [] };

function newSeed() {
  return Math.floor(Math.random() * 2 ** 31);
}

export class Page {
  // `connect(changed)` gives what answers (connection.js), and calls `changed(isOpen, reason)` whenever it can be asked or no longer can.
  constructor(connect) {
    this.connection = connect((open, reason) => {
      find("#connection").textContent = open ? "" : `No connection${reason && ` (${reason})`}; trying again …`;
    });
    this.board = new Board(find("#board"), find("#extra"), this);
    this.analysis = new Analysis(this);
    this.moves = new Moves(this);
    this.record = new Record(this);
    this.table = new Table(this);
    this.puzzles = new Puzzles(this);
    this.lessons = new Lessons(this);
    this.state = null;
    this.changes = Promise.resolve();
    this.open = 0; // the number of pending changes
    this.looking = new AbortController(); // cancels the requests about the position on the board
    this.asked = null; // the policy that is thinking: { policy, node, stop, error }
    this.note = null; // a remark on the position on the board: { node, text, lit }
    this.problem = null; // an error: { beside, text }
    this.listen();
    this.start();
  }

  listen() {
    const acts = {
      undo: () => this.attempt(game.undo),
      hint: () => this.hint(),
      // during a game the other one goes on for you; after its end a new one begins
      swap: () => this.attempt((state) => (state.cursor.view.outcome === null ? game.swap(state) : game.rematch(game.swap(state), newSeed()))),
      copy: () => this.copy(),
      pause: () => this.attempt(game.pause),
      rematch: () => this.attempt((state) => game.rematch(state, newSeed())),
      rules: () => this.lessons.openRules(),
      again: () => this.askAgain(),
    };
    for (const walk of ["first", "back", "on", "last"]) acts[walk] = () => this.attempt(game[walk]);
    for (const [name, act] of Object.entries(acts)) {
      const button = find(`#${name}`);
      button.addEventListener("click", () => button.getAttribute("aria-disabled") !== "true" && act());
    }
    find("#analyse").addEventListener("change", ({ target: { checked: analyse } }) => this.attempt((state) => ({ ...state, analyse })));
    onSubmit(find("#placing"), () => {
      const start = find("#placing").position.value.trim();
      this.attempt((state) => game.begin({ ...state, start }), "placing");
    });
    addEventListener("popstate", () => this.load());
    addEventListener("keydown", (event) => this.key(event));
  }

  // Keys press the buttons with these shortcuts, unless a board or a field uses them.
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, dialog")) return;
    const button = document.querySelector(`[aria-keyshortcuts="${CSS.escape(event.key)}"]`);
    const isPlaying = event.target.closest("#board, #extra") && find("#stage").dataset.over !== "true";
    const isForBoard = event.key.length > 1 && (event.defaultPrevented || isPlaying);
    if (!button || isForBoard) return;
    event.preventDefault(); // Home and End would move the page
    button.click();
  }

  async start() {
    const offers = await this.connection.ask("offer");
    const begin = ({ game: spec, players }, isAtOnce) => {
      const startOf = (state) => (isAtOnce && spec === state.game ? state.start : null);
      const fresh = (state) => game.begin({ ...state, game: spec, players, start: startOf(state), paused: false, seed: newSeed() });
      const policies = isAtOnce ? [] : players.filter((player) => player !== YOU); // a level needs no check
      this.attempt(fresh, "setup", { policies, replace: isAtOnce });
    };
    this.setup = new Setup(find("#setup"), offers, begin);
    this.puzzles.offer(offers);
    fillHeader(offers, "");
    if (!location.hash) history.replaceState(null, "", linkTo(this.setup.offerOf(FIRST.game)));
    this.load();
  }

  // ---- the one place where the game changes

  // Makes one change after the other. `make` returns another state, or null for no change. The promise resolves to null or an error.
  change(make, how = {}) {
    this.open += 1;
    find("#stage").setAttribute("aria-busy", "true");
    this.board.close();
    this.changes = this.changes.then(() => this.apply(make, how)).catch((error) => error);
    return this.changes;
  }

  async apply(make, { policies = [], replace = false }) {
    try {
      const next = make(this.state);
      if (next) await this.look(next, policies);
      if (next) this.accept(next, replace);
      return null;
    } finally {
      this.open -= 1;
      find("#stage").setAttribute("aria-busy", String(this.open > 0));
      if (this.state) {
        this.advance();
        this.show();
      }
    }
  }

  accept(next, replace) {
    const before = this.state;
    this.state = next;
    address.write(next, replace);
    this.setup.show(next);
    this.analysis.look(next, this.setup.policies(next.cursor.view.game), this.looking.signal);
    if (next.cursor !== before?.cursor && !next.lesson) this.table.announce(next, before);
    if (next.top !== before?.top) this.moves.attribute(next);
    this.puzzles.look(next, before);
  }

  // Asks the server for those positions of a state that are not known yet.
  async look(next, policies) {
    const { cursor, tip, analyse } = next;
    const looking = new AbortController();
    const colours = analyse && this.analysis.ahead(game.lineTo(next, cursor), looking.signal);
    try {
      for (const node of new Set([tip, cursor])) {
        if (!node.view) game.keep(node, await this.connection.ask("show", { ...game.lineTo(next, node), policies }));
      }
      await Promise.race([colours, wait(SOON)]); // what is known at once is drawn at once
    } catch (error) {
      looking.abort();
      this.legal = await this.countLegal(game.lineTo(next, tip));
      game.prune(next, this.legal);
      throw error;
    }
    this.looking.abort();
    this.looking = looking;
  }

  // The number of legal moves at the start of a line that the server refuses; -1 if its first position is refused, too.
  async countLegal(line) {
    let [legal, refused] = [-1, line.moves.length];
    while (refused - legal > 1) {
      const count = Math.floor((legal + refused) / 2);
      await this.connection.ask("show", { ...line, moves: line.moves.slice(0, count) }).then(() => (legal = count), () => (refused = count));
    }
    return legal;
  }

  // A change by the user. An error is shown beside its field, and nothing changes.
  async attempt(make, beside = "status", how = {}) {
    if (!this.state) return;
    this.note = null;
    const error = await this.change(make, how);
    this.problem = null;
    if (error) this.complain(beside, error);
    else if (beside === "placing") this.position = null; // the field may show the next position
    this.table.say();
  }

  complain(beside, error) {
    this.problem = { beside, text: error.message };
    this.table.say();
  }

  // Loads the game of the address. If the server refuses it, loads its legal moves, or keeps the game before.
  async load() {
    let next = address.read((spec) => this.setup.levels(spec)[0].policy);
    let refused = null;
    for (let attempt = 0; ; attempt++) {
      const error = await this.change((state) => (attempt && state) || next, { replace: true }); // which a policy may have changed by then
      if (!error) break;
      refused ??= error;
      next = game.cut(next, this.legal) ?? game.begin(attempt || next.start === null ? FIRST : { ...next, start: null });
      if (attempt > 3) break;
    }
    this.problem = refused && { beside: "status", text: refused.message };
    this.table.say();
  }

  // ---- moves

  play(move) {
    if (this.lessons.refuses(move)) {
      this.board.startOver();
      return;
    }
    const node = this.state.cursor;
    this.attempt((state) => game.play(state, node, move));
  }

  // The view of the position after a move that is not made.
  ahead(move) {
    const line = game.lineTo(this.state, this.state.cursor);
    return this.connection.ask("show", { ...line, moves: [...line.moves, move] });
  }

  go(node) {
    if (node) this.attempt((state) => game.show(state, node));
  }

  // Asks the policy that has to answer on the current line, unless it is already being asked. A request about a position that is no
  // longer the tip is cancelled.
  advance() {
    const { tip: node } = this.state;
    const policy = game.policyToAsk(this.state);
    if (this.asked?.node === node && this.asked.policy === policy) return;
    this.asked?.stop.abort(new DOMException("another position is played", "AbortError"));
    this.asked = policy && { policy, node, stop: new AbortController(), error: null };
    if (policy) this.ask(this.asked);
  }

  async ask(asked) {
    const { policy, node, stop } = asked;
    const question = { ...game.lineTo(this.state, node), policy, seed: this.state.seed };
    const pace = game.isWatched(this.state) && node.parent ? PACE : 0;
    try {
      const [{ move }] = await Promise.all([this.connection.ask("answer", question, stop.signal), wait(pace)]);
      asked.error = await this.change((state) => game.answer(state, node, move), { replace: true });
    } catch (error) {
      if (error.name !== "AbortError") asked.error = error;
    }
    this.table.say();
  }

  askAgain() {
    this.asked = null;
    this.advance();
    this.table.say();
  }

  // ---- what is shown

  show() {
    const { state } = this;
    const { view } = state.cursor;
    const [name] = state.game.split(":");
    for (const link of document.querySelectorAll("#games a")) {
      if (link.dataset.game !== name) link.removeAttribute("aria-current");
      else if (!link.hasAttribute("aria-current")) {
        link.setAttribute("aria-current", "page");
        link.scrollIntoView({ block: "nearest", inline: "nearest" }); // a narrow page has no room for all of them
      }
    }
    document.title = `${view.title} · Ludus`;
    find("#stage").dataset.plies = view.moves.length;
    find("#stage").dataset.over = view.outcome !== null;
    this.table.draw(state);
    this.record.draw(state);
    find("#analyse").checked = state.analyse;
    this.fillPosition(view.position);
    this.lessons.show(state);
    this.draw();
    this.table.say();
  }

  // Shows the position as text, unless the user is typing another one.
  fillPosition(position) {
    const field = find("#placing").position;
    if (this.position && field.value !== this.position) return;
    field.value = this.position = position;
  }

  // Draws the board, with some moves highlighted.
  light(lit) {
    const open = this.open === 0 && game.mayMove(this.state);
    this.board.show(this.state.cursor.view, { open, verdicts: this.analysis.verdicts, lit });
  }

  // Draws the board and the moves with what is known of them.
  draw() {
    if (this.analysis.state !== this.state) return; // a change is under way
    this.light(this.note?.node === this.state.cursor ? (this.note.lit ?? []) : []);
    this.moves.draw(this.state, this.analysis.draw());
  }

  remark(node, text, lit = []) {
    this.note = { node, text, lit };
    this.draw();
    this.table.say();
    this.table.hear(text);
  }

  async hint() {
    const node = this.state.cursor;
    this.remark(node, "Looking for a good move …");
    try {
      const move = await this.analysis.best();
      if (node === this.state.cursor) this.remark(node, `Hint: ${move}`, [move]);
    } catch (error) {
      if (this.note?.node === node) this.note = null;
      if (error.name !== "AbortError") this.complain("status", error);
      this.table.say();
    }
  }

  async copy() {
    const { cursor: node } = this.state;
    const { position } = node.view;
    this.remark(node, (await copyText(position)) ? `Copied: ${position}` : `Select and copy: ${position}`);
  }
}
