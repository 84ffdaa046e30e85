// A board: the server's drawing, and over it the places that can be clicked, touched, or reached by keys.

import { drawing, shape } from "/shared/elements.js";
import { better, kind, mark, spoken } from "./verdicts.js";

const EDGE = 14; // between a drawing and its lower edge
const narrow = matchMedia("(max-width: 600px)");

export class Board {
  // `chosen(move)` is called with the name of a move that clicks complete; `extra` takes buttons for moves without a place.
  constructor(root, extra, chosen) {
    this.root = root;
    this.extra = extra;
    this.chosen = chosen;
    root.addEventListener("keydown", (event) => this.key(event));
    narrow.addEventListener("change", () => {
      if (!this.view) return;
      this.draw(this.view);
      this.offer();
    });
  }

  // Shows a view of the server. `verdicts` says what each move leads to, as far as that is known; `open` whether moves can be made;
  // `lit` are moves to draw attention to.
  show(view, { open, verdicts = {}, lit = [] }) {
    const here = this.root.contains(document.activeElement) ? document.activeElement.dataset.place : undefined;
    if (view !== this.view) this.draw(view);
    this.shown = { open, verdicts, lit };
    this.offer();
    if (here !== undefined) (this.drawing.querySelector(`.open[data-place="${here}"]`) ?? this.first())?.focus();
    const unplaced = open ? view.legal.filter(({ places }) => !places.length) : [];
    this.extra.replaceChildren(...unplaced.map(({ move }) => this.button(move)));
  }

  draw(view) {
    const follows = this.view?.game === view.game && String(this.view.moves) === String(view.moves.slice(0, -1)) && view.moves.length;
    const before = this.drawing;
    this.view = view;
    this.done = [];
    this.drawing = drawing(view.svg, `${view.title}, ${view.position}`, "group");
    this.root.replaceChildren(this.drawing);
    if (follows) turn(before, this.drawing);
    this.trim();
    this.layers = this.divide(view.panels ?? []);
    const { width, height } = this.drawing.viewBox.baseVal;
    this.root.style.setProperty("--ratio", width / height);
  }

  // Takes out the status, which the page shows itself, and the room that is left then.
  trim() {
    const [paper, ...rest] = this.drawing.children;
    const status = rest.find((one) => one.textContent === this.view.status);
    status?.remove();
    const low = rest.filter((one) => one !== status).map((one) => one.getBBox());
    const height = Math.max(...low.map((box) => box.y + box.height)) + EDGE;
    this.drawing.setAttribute("viewBox", `0 0 ${this.drawing.viewBox.baseVal.width} ${height}`);
    paper.setAttribute("height", height);
    paper.setAttribute("class", "paper");
  }

  // On a narrow page, puts the panels of a wide drawing below one another. Gives each panel's box and the layer for its places.
  divide(panels) {
    const layer = (root) => root.appendChild(shape("g"));
    if (!panels.length || !narrow.matches) return [{ root: layer(this.drawing) }];
    const drawn = [...this.drawing.children].slice(1).map((one) => [one, one.getBBox()]);
    const width = panels[0][2];
    let y = 0;
    const layers = panels.map(([left, top, wide, high]) => {
      const group = layer(this.drawing);
      group.setAttribute("transform", `translate(${(width - wide) / 2 - left} ${y - top})`);
      const holds = (box) => box.x + box.width / 2 >= left && box.x + box.width / 2 < left + wide;
      group.append(...drawn.filter(([, box]) => holds(box)).map(([one]) => one));
      y += high;
      return { root: layer(group), holds };
    });
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${y}`);
    this.drawing.firstElementChild.setAttribute("height", y);
    return layers;
  }

  button(move) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = move;
    button.className = kind(this.shown.verdicts[move]);
    button.addEventListener("click", () => this.chosen(move));
    return button;
  }

  // Draws the places that can be chosen next, and those that were.
  offer() {
    const offered = new Map();
    const depth = this.done.length;
    for (const { move, places } of this.view.legal) {
      if (places.length <= depth || this.done.some((box, i) => box !== String(places[i].box))) continue;
      const { box, name, empty } = places[depth];
      const last = places.length === depth + 1;
      if (!offered.has(String(box))) offered.set(String(box), { box, name, empty, last, moves: [] });
      offered.get(String(box)).moves.push(move);
    }
    for (const { root } of this.layers) root.replaceChildren();
    for (const box of this.done) this.place(box.split(",").map(Number), [this.rectangle(box.split(",").map(Number), "chosen")]);
    for (const one of offered.values()) this.place(one.box, this.target(one));
  }

  // Adds shapes to the layer of the panel that they lie in.
  place([x, , width], shapes) {
    const layer = this.layers.find(({ holds }) => !holds || holds({ x, width })) ?? this.layers[0];
    layer.root.append(...shapes);
  }

  rectangle([x, y, width, height], name) {
    return shape("rect", { x: x + 2, y: y + 2, width: width - 4, height: height - 4, rx: 6, class: name });
  }

  // A place that can be chosen: its shape, and what is known of its best move in a few letters.
  target({ box, name, empty, last, moves }) {
    const { open, verdicts, lit } = this.shown;
    const best = this.best(moves.map((move) => verdicts[move]).filter(Boolean));
    const target = this.rectangle(box, `target ${kind(best)}`);
    target.dataset.place = String(box);
    target.dataset.last = last;
    target.classList.toggle("lit", moves.some((move) => lit.includes(move)));
    target.classList.toggle("end", this.done.length > 0);
    target.setAttribute("role", open ? "button" : "img");
    target.setAttribute("aria-label", [name, spoken(best)].filter(Boolean).join(", "));
    if (open) {
      target.classList.add("open");
      target.setAttribute("tabindex", "0");
      target.addEventListener("click", () => this.choose(target.dataset.place, moves, last));
    }
    return best ? [target, ...this.note(box, best, empty)] : [target];
  }

  best(verdicts) {
    return verdicts.length ? verdicts.reduce((a, b) => (better(b, a) ? b : a)) : null;
  }

  // What is known of a move, in the middle of an empty place or else in its corner.
  note([x, y, width, height], verdict, empty) {
    const text = mark(verdict);
    if (!text || width < 40) return [];
    const wide = 12 + 9.6 * text.length;
    const [cx, cy] = empty ? [x + width / 2, y + height / 2] : [x + width - 5 - wide / 2, y + height - 14];
    const plate = shape("rect", { x: cx - wide / 2, y: cy - 10, width: wide, height: 20, rx: 10, class: "plate" });
    const words = shape("text", { x: cx, y: cy + 5, class: "note" });
    words.textContent = text;
    const group = shape("g", { class: `noted ${kind(verdict)}`, "aria-hidden": "true" });
    group.append(plate, words);
    return [group];
  }

  choose(place, moves, last) {
    if (last) {
      this.chosen(moves[0]);
      return;
    }
    this.done.push(place);
    this.offer();
    this.first()?.focus();
  }

  first() {
    return this.drawing.querySelector(".open");
  }

  // Arrow keys go to the nearest place in their direction, Enter and the space bar choose it, Escape begins again.
  key(event) {
    const here = document.activeElement;
    if (event.key === "Escape" && this.done.length) {
      this.done = [];
      this.offer();
      this.first()?.focus();
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
    const centre = (place) => {
      const { x, y, width, height } = place.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    };
    const [x, y] = centre(from);
    const far = (place) => {
      const [a, b] = centre(place);
      const along = (a - x) * dx + (b - y) * dy;
      const across = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
      return along > 1 ? along + 2 * across : Infinity;
    };
    const places = [...this.drawing.querySelectorAll(".open")].filter((place) => far(place) < Infinity);
    return places.sort((a, b) => far(a) - far(b))[0];
  }
}

// Animates what changed between two drawings: what changed its colour in place turns over, as a captured disc does.
function turn(before, after) {
  const place = (shape) => ["cx", "cy", "r"].map((name) => shape.getAttribute(name)).join();
  const colours = new Map();
  for (const disc of before.querySelectorAll("circle:not([fill-opacity])")) colours.set(place(disc), disc.getAttribute("fill"));
  for (const disc of after.querySelectorAll("circle:not([fill-opacity])")) {
    const was = colours.get(place(disc));
    if (was === undefined || was === disc.getAttribute("fill")) continue;
    disc.style.setProperty("--was", was);
    disc.classList.add("turned");
  }
}
