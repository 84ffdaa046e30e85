// How the game on the board is taught: its goal, its rules, a guided first game, and why a player passes.

import { button, drawing, find, make } from "/shared/elements.js";
import { readKept, writeKept } from "./browser.js";
import { mayMove } from "./game.js";
import { Guide } from "./guide.js";

const KEPT = "ludus.guided"; // the games for which this browser offers no guided game any more
const NOTHING = { goal: "", explanation: "", sentences: [], illustrations: [], exercises: [], farewell: "", passing: null };

export class Lessons {
  constructor(page) {
    this.page = page;
    this.asked = new Map(); // for each game that was on the board, a promise of its lesson
    this.known = new Map(); // the lessons that have come
    this.dialog = find("#rulebook");
    this.dialog.addEventListener("click", ({ target }) => target === this.dialog && this.dialog.close()); // beside the window
    this.dialog.addEventListener("keydown", (event) => {
      if (event.key === "?") this.dialog.close();
      event.stopPropagation(); // keys of the page are not meant
    });
    this.guide = new Guide(find("#guide"), page);
    find("#learn").addEventListener("click", () => this.begin());
    find("#known").addEventListener("click", () => this.dismiss());
  }

  // Shows what belongs to a state, at once or when the lesson of its game has come.
  show(state) {
    this.state = state;
    const lesson = this.lesson ?? NOTHING;
    find("#goal").textContent = lesson.goal;
    find("#invitation p").textContent = `New to ${state.cursor.view.title}?`;
    find("#invitation").hidden = state.lesson !== null || !lesson.exercises.length || readKept(KEPT, []).includes(nameOf(state));
    this.guide.show(state, lesson);
    this.explainPass(state, lesson.passing);
    if (!this.lesson) this.learn(state.game);
  }

  // The lesson of the game on the board, once it is known.
  get lesson() {
    return this.known.get(this.state.game);
  }

  learn(game) {
    if (!this.asked.has(game)) this.asked.set(game, this.ask(game));
    return this.asked.get(game);
  }

  async ask(game) {
    this.known.set(game, await this.page.connection.ask("teach", { game }).catch(() => NOTHING));
    if (this.state.game === game) this.show(this.state);
  }

  // ---- the rules, in sentences and pictures, in a window over the page

  async openRules() {
    const { game } = this.state;
    await this.learn(game);
    if (this.state.game !== game || this.dialog.open) return;
    if (game !== this.inDialog) this.fillRules(game, this.state.cursor.view.title, this.lesson);
    this.inDialog = game;
    this.dialog.showModal();
    this.dialog.scrollTop = 0;
  }

  fillRules(game, title, lesson) {
    const close = button({ "aria-label": "Close" }, () => this.dialog.close(), "×");
    const parts = [make("div", { class: "head" }, make("h2", { id: "rulebook-title" }, `How to play ${title}`), close)];
    if (lesson.sentences.length) parts.push(make("ol", {}, ...lesson.sentences.map((text) => make("li", {}, text))));
    else parts.push(make("p", {}, lesson.explanation || "This game brings no explanation."));
    if (lesson.exercises.length) parts.push(button({ class: "main" }, () => this.begin(), "Try it in a guided game"));
    parts.push(make("div", { class: "pictures" }, ...lesson.illustrations.map((shown) => this.picture(game, shown))));
    this.dialog.replaceChildren(...parts);
  }

  // A picture, which comes a moment later.
  picture(game, { position: start, moves, caption }) {
    const figure = make("figure", {}, make("figcaption", {}, caption));
    this.page.connection.ask("show", { game, start, moves }).then(
      ({ svg, title, position }) => figure.prepend(drawing(svg, `${title}, ${position}`)),
      (error) => figure.append(error.message),
    );
    return figure;
  }

  // ---- the guided game

  begin() {
    this.dialog.close();
    this.dismiss();
    this.guide.begin();
  }

  // Whether the guided game asks for another move; it says so.
  refuses(move) {
    return this.guide.refuses(move);
  }

  // Offers the guided game no more.
  dismiss() {
    writeKept(KEPT, [...new Set([...readKept(KEPT, []), nameOf(this.state)])]);
    find("#invitation").hidden = true;
  }

  // ---- passing

  // Says why a player passes, before the own pass and after one of the other side.
  explainPass(state, passing) {
    const { cursor } = state;
    const isAsked = passing && mayMove(state) && cursor.view.legal.some(({ move }) => move === passing.move);
    const isDone = passing && cursor.move === passing.move;
    const note = isDone ? passing.note.replace("{player}", cursor.view.players[cursor.mover]) : "";
    const words = [note.charAt(0).toUpperCase() + note.slice(1), isAsked ? passing.why : ""].filter(Boolean).join(" ");
    if (find("#passing").textContent === words) return;
    find("#passing").textContent = words;
    if (words) this.page.table.hear(words);
  }
}

function nameOf({ game }) {
  return game.split(":")[0];
}
