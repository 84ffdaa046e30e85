// What is said about the position on the board: verdicts on its moves, a bar, the course of the game, and what policies would play.

import { draw } from "/shared/graph.js";
import { Knowledge } from "./knowledge.js";
import { Opinions } from "./opinions.js";
import { fill } from "./setup.js";
import { better, isExact, percent, signed } from "./verdicts.js";

const find = (selector) => document.querySelector(selector);
const VALUES = { 1: "won", 0: "drawn", "-1": "lost" };

export class Analysis {
  // `page` has what the page does: `go(ply)`, `light(moves)`, `changed()`, `change(fields of the game)`, `fail(error)`.
  constructor(connection, page) {
    this.connection = connection;
    this.page = page;
    this.knowledge = new Knowledge(connection);
    const remove = (policy) => page.change({ ask: this.game.ask.filter((other) => other !== policy) });
    this.opinions = new Opinions(find("#opinions"), remove, page.light);
    find("#asking").addEventListener("submit", (event) => {
      event.preventDefault();
      const policy = event.target.policy.value;
      if (!this.game.ask.includes(policy)) page.change({ ask: [...this.game.ask, policy] });
    });
  }

  // Asks about a position while its board is still under way. Gives a promise that is kept with the answer, even where that is an error.
  ahead(line, signal) {
    this.early = this.knowledge.learn(line, signal, () => this.signal === signal && this.page.changed());
    return this.early.catch(() => {}); // `learn` reports it
  }

  // Begins with another position. `policies` are those that may be asked; `signal` ends what is under way for it.
  look(game, view, policies, signal) {
    Object.assign(this, { game, view, signal });
    this.asked = new Map(game.ask.map((policy) => [policy, null]));
    if (String(policies) !== this.offered) fill(find("#asking").policy, policies, "mcts");
    this.offered = String(policies);
    if (game.analyse) this.learn().catch((error) => error.name !== "AbortError" && this.page.fail(error));
    if (view.player !== null) for (const policy of game.ask) this.opine(policy);
  }

  line(length = this.game.moves.length) {
    const { game, start, moves } = this.game;
    return { game, start, moves: moves.slice(0, length) };
  }

  // Learns about the position, and then about those before it, for the course of the game.
  async learn() {
    const { signal } = this;
    await this.early;
    for (let ply = this.game.moves.length - 1; ply >= 0; ply--) {
      await this.knowledge.learn(this.line(ply), signal, () => !signal.aborted && this.page.changed());
    }
  }

  async opine(policy) {
    const { asked, signal } = this;
    try {
      asked.set(policy, await this.connection.ask("opine", { ...this.line(), policy }, signal));
    } catch (error) {
      asked.set(policy, error);
    }
    if (!signal.aborted) this.page.changed();
  }

  // The best move that is known, for a hint.
  async best() {
    const known = this.knowledge.of(this.line());
    await this.knowledge.learn(this.line(), this.signal, () => {});
    const moves = Object.entries(known.moves);
    return moves.reduce((a, b) => (better(b[1], a[1]) ? b : a))[0];
  }

  // What is known of the legal moves.
  get verdicts() {
    return this.game.analyse ? this.knowledge.of(this.line()).moves : {};
  }

  // What each position of the line is worth to the first player: { value, exact }, or null where nothing is known.
  get course() {
    return [...this.view.movers, this.view.player].map((player, ply) => {
      if (player === null) return { value: this.view.outcome[0], exact: true };
      const known = this.knowledge.of(this.line(ply));
      const value = known.value ?? known.estimate ?? null;
      return value === null ? null : { value: player === 0 ? value : -value, exact: isExact(known) };
    });
  }

  // The plies whose moves lost value, as far as perfect play knows.
  lost(course) {
    if (!this.game.analyse) return [];
    const lost = (here, before) => here?.exact && before?.exact && here.value !== before.value;
    return course.map((_, ply) => ply).filter((ply) => lost(course[ply], course[ply - 1]));
  }

  // Draws all of it; gives the plies whose moves lost value.
  draw() {
    const { game, view, course } = this;
    const lost = this.lost(course);
    const estimated = course.map((_, ply) => ply).filter((ply) => course[ply] && !course[ply].exact);
    const values = course.map((known) => known?.value ?? null);
    find("#graph").toggleAttribute("hidden", !game.analyse);
    find("#legend").hidden = !game.analyse;
    if (game.analyse) draw(find("#graph"), values, game.moves.length, this.page.go, { lost, estimated });
    const here = course.at(-1);
    const words = game.analyse && view.player !== null ? this.words() : "";
    const bar = find("#bar");
    bar.hidden = !game.analyse;
    bar.dataset.known = !here ? "unknown" : here.exact ? "exact" : "estimate";
    bar.style.setProperty("--first-share", `${50 * (1 + (here?.value ?? 0))}%`);
    bar.setAttribute("aria-label", words || "The value is not known.");
    find("#verdict").textContent = words;
    this.opinions.draw(view.legal.map(({ move }) => move), this.verdicts, this.asked);
    return lost;
  }

  words() {
    const { players, player } = this.view;
    const { value, distance, score, estimate, reach, done } = this.knowledge.of(this.line());
    if (value !== null) {
      const more = typeof score === "number" ? `, ${signed(score)} discs` : typeof distance === "number" ? ` in ${distance} plies` : "";
      return `With perfect play the position is ${VALUES[value]} for ${players[player]}${more}.`;
    }
    if (typeof estimate === "number") {
      return `A search estimates ${percent(estimate)} for ${players[player]}. Perfect play is known for ${reach}.`;
    }
    return done ? "Nothing is known of this position." : "Looking …";
  }
}
