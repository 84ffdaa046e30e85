// A board: the server's drawing, and over it the places that can be clicked, touched, or reached by keys.

import { drawing } from "/shared/elements.js";

const SVG = "http://www.w3.org/2000/svg";
const WORDS = { 1: "wins", 0: "draws", "-1": "loses" };

export class Board {
  // `chosen(move)` is called with the name of a move that clicks complete.
  constructor(root, extra, chosen) {
    this.root = root;
    this.extra = extra;
    this.chosen = chosen;
    root.addEventListener("keydown", (event) => this.key(event));
  }

  // Shows a view of the server. `verdicts` says what each move leads to, where that is known; `open` whether moves can be made.
  show(view, { open, verdicts = {}, hint = null }) {
    this.drawing = drawing(view.svg, `${view.title}, ${view.position}`, "group");
    const { width, height } = this.drawing.viewBox.baseVal;
    this.root.style.setProperty("--ratio", width / height);
    this.root.replaceChildren(this.drawing);
    this.targets = this.drawing.appendChild(document.createElementNS(SVG, "g"));
    this.legal = view.legal;
    this.open = open;
    this.verdicts = verdicts;
    this.hint = hint;
    this.done = [];
    this.offer();
    const unplaced = open ? view.legal.filter(({ boxes }) => !boxes.length) : [];
    this.extra.replaceChildren(...unplaced.map(({ move }) => this.button(move)));
  }

  button(move) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = move;
    button.className = this.kind([move]);
    button.addEventListener("click", () => this.chosen(move));
    return button;
  }

  // Draws the places that can be chosen next, and those that were.
  offer() {
    const places = new Map();
    const depth = this.done.length;
    for (const { move, boxes } of this.legal) {
      if (boxes.length <= depth || this.done.some((box, i) => box !== String(boxes[i]))) continue;
      const place = String(boxes[depth]);
      if (!places.has(place)) places.set(place, { moves: [], last: boxes.length === depth + 1 });
      places.get(place).moves.push(move);
    }
    const drawn = [...places].map(([place, { moves, last }]) => this.target(place, moves, last));
    const chosen = this.done.map((place) => this.rectangle(place, "chosen"));
    this.targets.replaceChildren(...chosen, ...drawn);
  }

  rectangle(place, kind) {
    const [x, y, width, height] = place.split(",").map(Number);
    const shape = document.createElementNS(SVG, "rect");
    const inside = { x: x + 2, y: y + 2, width: width - 4, height: height - 4, rx: 6 };
    for (const [name, value] of Object.entries(inside)) shape.setAttribute(name, value);
    shape.setAttribute("class", kind);
    return shape;
  }

  target(place, moves, last) {
    const shape = this.rectangle(place, `target ${this.kind(moves)}`);
    shape.dataset.place = place;
    if (moves.includes(this.hint)) shape.classList.add("hint");
    shape.setAttribute("aria-label", this.label(moves, last));
    shape.setAttribute("role", this.open ? "button" : "img");
    if (!this.open) return shape;
    shape.classList.add("open");
    shape.setAttribute("tabindex", "0");
    shape.addEventListener("click", () => this.choose(place, moves, last));
    return shape;
  }

  choose(place, moves, last) {
    if (last) {
      this.chosen(moves[0]);
      return;
    }
    this.done.push(place);
    this.offer();
    this.targets.querySelector(".open")?.focus();
  }

  // What a place leads to: the best of its moves, for the player to move.
  best(moves) {
    const known = moves.map((move) => this.verdicts[move]).filter(Boolean);
    return known.length ? known.reduce((a, b) => (better(b, a) ? b : a)) : null;
  }

  kind(moves) {
    const best = this.best(moves);
    return best === null || best.value === null ? "" : { 1: "win", 0: "draw", "-1": "loss" }[best.value];
  }

  label(moves, last) {
    const best = this.best(moves);
    const name = last ? moves[0] : `first part of ${moves.join(", ")}`;
    if (best === null || best.value === null) return name;
    return `${name}, ${WORDS[best.value]}${best.distance === null ? "" : ` in ${best.distance}`}`;
  }

  // Arrow keys go to the nearest place in their direction, Enter and the space bar choose it, Escape begins again.
  key(event) {
    const here = document.activeElement;
    if (event.key === "Escape" && this.done.length) {
      this.done = [];
      this.offer();
      this.targets.querySelector(".open")?.focus();
    } else if ((event.key === "Enter" || event.key === " ") && here?.dataset.place) {
      event.preventDefault();
      here.dispatchEvent(new MouseEvent("click"));
    } else if (event.key.startsWith("Arrow") && here?.dataset.place) {
      event.preventDefault();
      this.nearest(here, event.key.slice(5))?.focus();
    }
  }

  nearest(from, direction) {
    const [dx, dy] = { Left: [-1, 0], Right: [1, 0], Up: [0, -1], Down: [0, 1] }[direction];
    const centre = (shape) => {
      const [x, y, width, height] = shape.dataset.place.split(",").map(Number);
      return [x + width / 2, y + height / 2];
    };
    const [x, y] = centre(from);
    const far = (shape) => {
      const [a, b] = centre(shape);
      const along = (a - x) * dx + (b - y) * dy;
      const across = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
      return along > 1 ? along + 2 * across : Infinity;
    };
    const places = [...this.targets.querySelectorAll(".open")].filter((shape) => far(shape) < Infinity);
    return places.sort((a, b) => far(a) - far(b))[0];
  }
}

// Whether one verdict is better than another for the player to move: a quicker win, a slower loss, more discs.
function better(a, b) {
  if (a.value !== b.value) return a.value > b.value;
  if (a.score !== null && b.score !== null) return a.score > b.score;
  return a.value > 0 ? a.distance < b.distance : a.distance > b.distance;
}
