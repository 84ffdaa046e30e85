// The page: a game between you and policies, and what perfect play and other policies say about it.

import * as address from "./address.js";
import { YOU } from "./address.js";
import { Board } from "./board.js";
import { Connection } from "./connection.js";
import { draw } from "/shared/graph.js";
import { fillHeader } from "./header.js";
import { Setup, fill } from "./setup.js";
import { Tree } from "./tree.js";

const find = (selector) => document.querySelector(selector);
const VALUES = { 1: "won", 0: "drawn", "-1": "lost" };
const PACE = 700; // milliseconds between two moves of policies that play each other

class Page {
  constructor() {
    this.connection = new Connection((open) => (find("#connection").textContent = open ? "" : "No connection; trying again …"));
    this.board = new Board(find("#board"), find("#extra"), (move) => this.go([...this.game.moves, move]));
    this.tree = new Tree(find("#moves"), (line) => this.go(line));
    this.known = new Map(); // what perfect play says, by the line of moves
    this.asked = []; // the policies that say what they would play
    this.round = 0;
    this.paused = false;
    find("#undo").addEventListener("click", () => this.undo());
    find("#hint").addEventListener("click", () => this.hint());
    find("#swap").addEventListener("click", () => this.change({ players: [...this.game.players].reverse() }));
    find("#copy").addEventListener("click", () => this.copy());
    find("#pause").addEventListener("click", () => this.pause(!this.paused));
    find("#analyse").addEventListener("change", (event) => this.change({ analyse: event.target.checked }));
    this.onSubmit("#placing", (form) => this.change({ start: form.position.value.trim(), moves: [] }));
    this.onSubmit("#asking", (form) => this.ask(form.policy.value));
    addEventListener("popstate", () => this.load());
    this.open();
  }

  onSubmit(selector, act) {
    find(selector).addEventListener("submit", (event) => {
      event.preventDefault();
      act(event.target);
    });
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

  pause(paused) {
    this.paused = paused;
    this.refresh();
  }

  line(length = this.game.moves.length) {
    const { game, start, moves } = this.game;
    return { game, start, moves: moves.slice(0, length) };
  }

  name(moves = this.game.moves) {
    return JSON.stringify([this.game.game, this.game.start, moves]);
  }

  // ---- the position, and who moves

  // Shows the position. Where it is a policy's turn, and the game has not gone on from here before, it plays.
  async refresh() {
    const round = ++this.round;
    this.thinking?.abort(new DOMException("the position has changed", "AbortError"));
    this.thinking = new AbortController();
    const { signal } = this.thinking;
    try {
      const view = await this.connection.ask("show", this.line(), signal);
      if (round !== this.round) return;
      this.view = view;
      if (this.tree.name !== this.name([])) this.tree.clear(this.name([]));
      const isNew = this.tree.after(this.game.moves) === undefined;
      this.tree.add(this.game.moves);
      this.show();
      if (this.game.analyse) this.judge(signal);
      for (const policy of this.asked) this.opine(policy, signal);
      if (isNew) await this.answer(round, signal);
    } catch (error) {
      if (error.name !== "AbortError" && round === this.round) this.say(error.message, true);
    }
  }

  async answer(round, signal) {
    const { view, game } = this;
    const policy = game.players[view.player];
    const watched = !game.players.includes(YOU);
    if (view.player === null || policy === YOU || (watched && this.paused)) return;
    this.say(`${policy} is thinking …`);
    const pace = watched && game.moves.length ? new Promise((done) => setTimeout(done, PACE)) : null;
    const { move } = await this.connection.ask("answer", { ...this.line(), policy, seed: game.seed }, signal);
    await pace;
    if (round !== this.round) return;
    this.game = { ...game, moves: [...game.moves, move] };
    address.write(this.game, true);
    this.refresh();
  }

  // Whether a person is to move.
  get mine() {
    return this.view.player !== null && this.game.players[this.view.player] === YOU;
  }

  // The side that is drawn below the board: yours, or the first.
  get near() {
    return this.game.players[1] === YOU && this.game.players[0] !== YOU ? 1 : 0;
  }

  show(hint = null) {
    const { view, game } = this;
    const verdicts = game.analyse ? this.known.get(this.name())?.moves : {};
    this.board.show(view, { open: this.mine, verdicts, hint });
    this.setup.show(game);
    const [name] = game.game.split(":");
    for (const link of document.querySelectorAll("#games a")) {
      if (link.dataset.game === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    document.title = `${view.title} · Ludus`;
    find("#stage").dataset.plies = game.moves.length;
    ["#near", "#far"].forEach((place, i) => {
      const player = i ? 1 - this.near : this.near;
      const who = game.players[player] === YOU ? "You" : game.players[player];
      find(place).textContent = `${who} · ${view.players[player]}`;
      find(place).classList.toggle("turn", view.player === player);
    });
    const watched = !game.players.includes(YOU);
    find("#pause").hidden = !watched;
    find("#pause").setAttribute("aria-pressed", String(this.paused));
    find("#placing").position.value = view.position;
    find("#undo").disabled = !game.moves.length;
    find("#hint").disabled = view.player === null;
    find("#analyse").checked = game.analyse;
    const of = this.setup.of.policies.map((policy) => policy.name);
    if (String(of) !== this.offered) fill(find("#asking").policy, of, "random");
    this.offered = String(of);
    this.course();
    this.say(this.status());
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
      const found = await this.verdict(this.game.moves.length);
      const best = Object.keys(found.moves).find((move) => found.moves[move].value === found.value);
      if (best) this.show(best);
      else this.say("The oracle does not reach this position; ask a policy what it would play.");
    } catch (error) {
      this.say(error.message, true);
    }
  }

  copy() {
    navigator.clipboard?.writeText(this.view.position);
    this.say(`Copied: ${this.view.position}`);
  }

  // ---- what perfect play says

  async verdict(length, signal = undefined) {
    const name = this.name(this.game.moves.slice(0, length));
    if (!this.known.has(name)) this.known.set(name, await this.connection.ask("judge", this.line(length), signal));
    return this.known.get(name);
  }

  // Asks about the position, and then about those before it, for the course of the game.
  async judge(signal) {
    const { length } = this.game.moves;
    try {
      for (let ply = length; ply >= 0; ply--) {
        await this.verdict(ply, signal);
        if (signal.aborted) return;
        if (ply === length) this.show();
        else this.course();
      }
    } catch (error) {
      if (error.name !== "AbortError") find("#verdict").textContent = error.message;
    }
  }

  // What each position of the line was worth to the first player, null where that is not known.
  values() {
    const { view, game } = this;
    return [...view.movers, view.player].map((player, ply) => {
      if (player === null) return view.outcome[0];
      const value = this.known.get(this.name(game.moves.slice(0, ply)))?.value ?? null;
      return value === null ? null : player === 0 ? value : -value;
    });
  }

  course() {
    const { view, game } = this;
    const values = this.values();
    const slipped = (ply) => values[ply - 1] !== null && values[ply] !== null && values[ply - 1] !== values[ply];
    const notes = (line) => {
      const here = game.analyse && String(line) === String(game.moves.slice(0, line.length)) && slipped(line.length);
      return here ? "slip" : "";
    };
    this.tree.draw(game.moves, notes);
    find("#graph").toggleAttribute("hidden", !game.analyse);
    if (game.analyse) draw(find("#graph"), values, game.moves.length, (ply) => this.go(game.moves.slice(0, ply)));
    const known = this.known.get(this.name());
    const words = known ? (known.value === null ? "The oracle does not reach this position." : this.words(known)) : "";
    const bar = find("#bar");
    bar.hidden = !game.analyse;
    bar.dataset.value = values.at(-1) ?? "unknown";
    bar.setAttribute("aria-label", words || "The value is not known.");
    find("#verdict").textContent = game.analyse && view.outcome === null ? words : "";
  }

  words({ value, distance, score }) {
    const { players, player } = this.view;
    const more = score !== null ? `, ${score > 0 ? "+" : ""}${score} discs` : distance !== null ? ` in ${distance} plies` : "";
    return `With perfect play the position is ${VALUES[value]} for ${players[player]}${more}.`;
  }

  // ---- what policies would play

  ask(policy) {
    if (this.asked.includes(policy)) this.asked = this.asked.filter((other) => other !== policy);
    else this.asked.push(policy);
    find("#opinions").replaceChildren();
    for (const one of this.asked) this.opine(one, this.thinking.signal);
  }

  async opine(policy, signal) {
    const row = this.row(policy);
    const moves = row.lastChild;
    moves.textContent = "…";
    if (this.view.player === null) moves.textContent = "the game is over";
    else {
      try {
        const { move, chances } = await this.connection.ask("opine", { ...this.line(), policy }, signal);
        const likely = Object.entries(chances ?? {}).sort(([, a], [, b]) => b - a).slice(0, 4);
        moves.textContent = likely.length ? likely.map(([name, p]) => `${name} ${(100 * p).toFixed(0)} %`).join(", ") : move;
      } catch (error) {
        if (error.name !== "AbortError") moves.textContent = error.message;
      }
    }
  }

  row(policy) {
    const found = [...find("#opinions").children].find((row) => row.dataset.policy === policy);
    if (found) return found;
    const row = document.createElement("li");
    row.dataset.policy = policy;
    const name = document.createElement("b");
    name.textContent = policy;
    row.append(name, document.createElement("span"));
    find("#opinions").append(row);
    return row;
  }
}

new Page();
