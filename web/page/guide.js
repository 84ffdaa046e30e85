// A guided game: exercises on the board, one after the other, until the learner leaves.
//
// The state of the page says which exercise it is (`lesson` in game.js), so that it survives reload, back and undo.

import { make, onPress, refill } from "/shared/elements.js";
import { begin, isSolved, learn } from "./game.js";

export class Guide {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    const acts = { next: () => this.go(this.step + 1), show: () => this.showMove(), over: () => this.go(0), leave: () => this.leave() };
    onPress(root, "button", ({ dataset }) => acts[dataset.key]());
  }

  // Shows the exercise of a state, if it has one.
  show(state, lesson) {
    Object.assign(this, { state, lesson });
    const wasGuiding = !this.root.hidden;
    this.root.hidden = state.lesson === null || !lesson.exercises.length;
    if (this.root.hidden) {
      this.heard = null;
      if (wasGuiding) this.before = null; // the learner went elsewhere
      return;
    }
    if (this.wrong?.node !== state.cursor) this.wrong = null;
    this.draw();
    const words = this.exercise ? (isSolved(state) ? this.exercise.right : this.exercise.text) : this.lesson.farewell;
    if (words !== this.heard) this.page.table.hear(words);
    this.heard = words;
    const isOnBoard = document.activeElement?.closest("#board, #extra");
    if (isSolved(state) && isOnBoard) this.root.querySelector("[data-key=next]")?.focus({ preventScroll: true });
  }

  get step() {
    return this.state.lesson.step;
  }

  // The exercise on the board; none at the end.
  get exercise() {
    return this.lesson.exercises[this.step];
  }

  draw() {
    const { exercise, lesson } = this;
    const count = lesson.exercises.length;
    const button = (key, words, more = {}) => make("button", { type: "button", "data-key": key, ...more }, words);
    const isSolvedNow = exercise && isSolved(this.state);
    const parts = [make("h2", {}, exercise ? `Guided game, step ${this.step + 1} of ${count}` : "Guided game")];
    parts.push(make("p", {}, exercise ? exercise.text : lesson.farewell));
    if (isSolvedNow) parts.push(make("p", { class: "right" }, exercise.right));
    else if (this.wrong) parts.push(make("p", { class: "wrong" }, this.wrong.text));
    const buttons = [];
    if (isSolvedNow) buttons.push(button("next", "Next", { class: "main" }));
    else if (exercise?.asked.length) buttons.push(button("show", "Show me"));
    if (this.step > 0) buttons.push(button("over", "Start over"));
    buttons.push(exercise ? button("leave", "Leave") : button("leave", "Play", { class: "main" }));
    refill(this.root, ...parts, make("div", { class: "buttons" }, ...buttons));
  }

  // ---- what the learner does

  // Begins with the first exercise. The game before it comes back when the learner leaves.
  begin() {
    if (this.state.lesson === null) this.before = this.state;
    this.go(0);
  }

  go(step) {
    const { exercises } = this.lesson;
    const { position = null, moves = [] } = exercises[step] ?? exercises.at(-1);
    this.page.attempt((state) => learn(state, step, exercises[step] ? { start: position, moves } : null));
    document.querySelector("#board").focus({ preventScroll: true });
  }

  // Whether a move is not what the exercise asks for. Then it says why, and the move is not made.
  refuses(move) {
    if (this.root.hidden || !this.exercise) return false;
    const { asked, avoid, wrong } = this.exercise;
    if (asked.length ? asked.includes(move) : !avoid.includes(move)) return false;
    this.say(wrong, asked);
    return true;
  }

  showMove() {
    const { asked } = this.exercise;
    this.say(`Try ${asked[0]}.`, asked);
  }

  say(text, lit) {
    const node = this.state.cursor;
    this.wrong = { node, text };
    this.draw();
    this.page.remark(node, text, lit);
  }

  leave() {
    const { before } = this;
    this.before = null;
    this.page.attempt((state) => before ?? begin({ ...state, start: null }));
    document.querySelector("#board").focus({ preventScroll: true });
  }
}
