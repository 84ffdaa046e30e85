// A board: the server's drawing, and over it the places that can be clicked, touched, or reached by keys.

import { drawing, make, onPress, onSubmit, setAttributes, shape } from "/shared/elements.js";
import { moveChanges } from "./motion.js";
import { Preview } from "./preview.js";
import { fill } from "./setup.js";
import { better, kind, mark, describeVerdict } from "./verdicts.js";

const FINGER = 24; // pixels that a finger needs
const EDGE = 14; // between a drawing and its lower edge
const narrow = matchMedia("(max-width: 600px) and (orientation: portrait)");

export class Board {
  // `extra` takes buttons for moves without a place.
  constructor(root, extra, page) {
    Object.assign(this, { root, extra, page });
    this.falls = []; // what a move lets fall
    this.at = null; // the box, as text, of the place that Tab comes to
    root.addEventListener("focusin", ({ target }) => this.rove(target.dataset.place));
    this.preview = new Preview(this, page);
    root.addEventListener("click", (event) => this.press(event), true);
    root.addEventListener("keydown", (event) => this.key(event));
    onPress(extra, "button", ({ textContent }) => this.take(textContent));
    this.names = document.querySelector("#names");
    onSubmit(this.names, () => this.take(this.names.querySelector("select").value));
    addEventListener("resize", () => this.view && this.offerNames());
    narrow.addEventListener("change", () => {
      if (!this.view) return;
      this.draw(this.view);
      this.offer();
    });
  }

  // Shows a view of the server. `verdicts` says what each move leads to, as far as that is known; `open` whether moves can be made;
  // `lit` are moves to draw attention to.
  show(view, { open, verdicts = {}, lit = [] }) {
    this.keepFocus(() => {
      if (view !== this.view) this.draw(view);
      this.marks = { open, verdicts, lit };
      this.offer();
    });
  }

  // Takes no more moves until it is shown again.
  close() {
    if (this.marks?.open) this.show(this.view, { ...this.marks, open: false });
  }

  take(move) {
    if (!this.marks.open) return;
    this.hasMoved = true;
    this.close();
    this.page.play(move);
  }

  // Places come and go. The focus stays where it was, or goes to the nearest place that is left.
  keepFocus(change) {
    const focused = document.activeElement;
    const isHere = this.root.contains(focused) || this.extra.contains(focused);
    change();
    if (!isHere) return;
    const next = this.stops.get(this.at) ?? this.extra.querySelector("button") ?? this.root;
    if (next !== document.activeElement) next.focus({ preventScroll: true });
  }

  draw(view) {
    const follows = this.view?.game === view.game && String(this.view.moves) === String(view.moves.slice(0, -1)) && view.moves.length;
    this.preview.end();
    const [before, boxes] = [this.drawing, follows ? this.boxesOf(view.moves.at(-1)) : []];
    this.view = view;
    this.done = [];
    this.keys = null;
    this.drawing = drawing(view.svg, `${view.title}, ${view.position}`, "group");
    this.root.replaceChildren(this.drawing);
    this.trim();
    this.layers = this.divide(view.panels ?? []);
    const { width, height } = this.drawing.viewBox.baseVal;
    this.root.parentElement.style.setProperty("--ratio", width / height);
    this.falls = follows ? moveChanges(before, this.drawing, boxes, this.falls) : [];
  }

  // The boxes that one chooses for a move.
  boxesOf(move) {
    return this.view.legal.find((legal) => legal.move === move)?.places.map(({ box }) => box) ?? [];
  }

  // Takes out the status, which the page shows itself, and the room that is left then.
  trim() {
    const [paper, ...rest] = this.drawing.children;
    const caption = rest.find((element) => element.textContent === this.view.caption);
    caption?.remove();
    const low = rest.filter((element) => element !== caption).map(boxOf);
    const height = Math.max(...low.map((box) => box.y + box.height)) + EDGE;
    this.drawing.setAttribute("viewBox", `0 0 ${this.drawing.viewBox.baseVal.width} ${height}`);
    setAttributes(paper, { height, class: "paper" });
  }

  // On a narrow page, puts the panels of a wide drawing below one another. Gives each panel's box and the layer for its places.
  divide(panels) {
    const layer = (root) => root.appendChild(shape("g"));
    if (!panels.length || !narrow.matches) return [{ root: layer(this.drawing) }];
    const elements = [...this.drawing.children].slice(1).map((element) => [element, boxOf(element)]);
    const width = panels[0][2];
    let y = 0;
    const layers = panels.map(([left, top, wide, high]) => {
      const group = layer(this.drawing);
      group.setAttribute("transform", `translate(${(width - wide) / 2 - left} ${y - top})`);
      const holds = (box) => box.x + box.width / 2 >= left && box.x + box.width / 2 < left + wide;
      group.append(...elements.filter(([, box]) => holds(box)).map(([element]) => element));
      y += high;
      return { root: layer(group), holds };
    });
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${y}`);
    this.drawing.firstElementChild.setAttribute("height", y);
    return layers;
  }

  // The places that were chosen, and those that can be chosen next, by their boxes as text.
  items() {
    const items = new Map(this.done.map((place) => [place, { place, isTaken: true, moves: [] }]));
    const depth = this.done.length;
    for (const { move, places } of this.view.legal) {
      if (places.length <= depth || this.done.some((place, i) => place !== String(places[i].box))) continue;
      const { box, name, empty, lands } = places[depth];
      const place = String(box);
      if (!items.has(place)) items.set(place, { place, name, empty, lands, isLast: places.length === depth + 1, moves: [] });
      items.get(place).moves.push(move);
      this.done.forEach((taken, i) => (items.get(taken).name = places[i].name));
    }
    return items;
  }

  // Shows the places. Those that are there already stay, so that a click on them is not lost.
  offer() {
    const items = this.items();
    const keys = [...items.values()].map(({ place, isTaken }) => place + isTaken).join(";");
    if (keys !== this.keys) this.lay(items);
    this.keys = keys;
    this.choices = items;
    for (const { notes } of this.layers) notes.replaceChildren();
    for (const item of items.values()) this.mark(item);
    this.rove();
    document.querySelector("#step").hidden = !this.done.length;
    const unplaced = this.marks.open ? this.view.legal.filter(({ places }) => !places.length) : [];
    this.extra.replaceChildren(...unplaced.map(({ move }) => this.button(move)));
    this.offerNames();
  }

  // Where places are too small for a finger, as those of many matches in a row, moves are chosen by their names, too.
  offerNames() {
    const isSmall = ({ width, height }) => Math.min(width, height) < FINGER;
    const { open } = this.marks;
    this.names.hidden = !open || !this.open().some((place) => isSmall(place.getBoundingClientRect()));
    const [select, moves] = [this.names.querySelector("select"), this.view.legal.map(({ move }) => move)];
    if (!this.names.hidden && String([...select.options].map(({ value }) => value)) !== String(moves)) fill(select, moves);
  }

  // Makes the shapes of places, in the layer of the panel that they lie in, and of the sites that are no places now.
  lay(items) {
    for (const layer of this.layers) {
      layer.shapes = shape("g");
      layer.notes = shape("g");
      layer.root.replaceChildren(layer.shapes, layer.notes);
    }
    this.shapes = new Map();
    const sites = new Map((this.view.sites ?? []).map((site) => [String(site.box), site]));
    for (const place of new Set([...sites.keys(), ...items.keys()])) {
      const [x, y, width, height] = place.split(",").map(Number);
      const rectangle = shape("rect", { x: x + 2, y: y + 2, width: width - 4, height: height - 4, rx: 6, "data-place": place });
      const lands = items.get(place)?.lands;
      if (!items.has(place)) this.describe(rectangle, sites.get(place));
      this.layerOf(place).shapes.append(rectangle, ...(lands ? [landingAt(lands)] : []));
      this.shapes.set(place, rectangle);
    }
  }

  // Says what stands on a site that cannot be chosen.
  describe(rectangle, { name, words }) {
    const has = (mark) => this.drawing.querySelector(`[data-site="${CSS.escape(name)}"][${mark}]`);
    const more = [has("data-mark") && "last move", has("data-won") && "in the line that won"];
    const label = [name, words, ...more].filter(Boolean).join(", ");
    setAttributes(rectangle, { class: "site", role: "img", "aria-label": label });
  }

  // One place of the board is reached by Tab, the others by arrow keys: those that can be chosen, and the sites beside them.
  rove(place = this.at) {
    const [choices, sites] = [[], []];
    for (const rectangle of this.shapes.values()) (rectangle.matches(".open, .chosen") ? choices : sites).push(rectangle);
    const isCovered = (site) => choices.some((choice) => covers(choice, site));
    const stops = [...choices, ...sites.filter((site) => !isCovered(site))];
    this.stops = new Map(stops.map((stop) => [stop.dataset.place, stop]));
    const far = (stop) => Math.hypot(...[0, 1].map((i) => stop.dataset.place.split(",")[i] - place.split(",")[i]));
    if (!place) this.at = stops[0]?.dataset.place;
    else if (this.stops.has(place)) this.at = place;
    else this.at = (choices.length ? choices : stops).sort((a, b) => far(a) - far(b))[0]?.dataset.place;
    for (const [name, rectangle] of this.shapes) {
      if (this.stops.has(name)) rectangle.setAttribute("tabindex", name === this.at ? "0" : "-1");
      else rectangle.removeAttribute("tabindex");
    }
  }

  layerOf(place) {
    const [x, , width] = place.split(",").map(Number);
    return this.layers.find(({ holds }) => !holds || holds({ x, width })) ?? this.layers[0];
  }

  // Says by its shape what a place is, whether it can be chosen, and what is known of its best move.
  mark({ place, name, empty, lands, isTaken, isLast, moves }) {
    const { open, verdicts, lit } = this.marks;
    const best = moves.map((move) => verdicts[move]).filter(Boolean).reduce((a, b) => (a && !better(b, a) ? a : b), null);
    const rectangle = this.shapes.get(place);
    const classes = isTaken
      ? ["chosen"]
      : ["target", kind(best), open && "open", this.done.length && "end", moves.some((move) => lit.includes(move)) && "lit"];
    const words = [name, isTaken ? "chosen; choose it again to give it back" : describeVerdict(best)].filter(Boolean).join(", ");
    const role = open ? "button" : "img";
    setAttributes(rectangle, { class: classes.filter(Boolean).join(" "), "data-last": isLast ?? false, role, "aria-label": words });
    if (lands) setAttributes(rectangle.nextElementSibling, { class: `landing ${kind(best)}`.trim() });
    if (best) this.layerOf(place).notes.append(...this.note(lands ?? place.split(",").map(Number), best, empty));
  }

  // What is known of a move, in the middle of an empty place or else in its corner.
  note([x, y, width, height], verdict, empty) {
    const text = mark(verdict);
    if (!text || width < 40) return [];
    const wide = 12 + 9.6 * text.length;
    const [cx, cy] = empty ? [x + width / 2, y + height / 2] : [x + width - 5 - wide / 2, y + height - 14];
    const plate = shape("rect", { x: cx - wide / 2, y: cy - 10, width: wide, height: 20, rx: 10, class: "plate" });
    const words = shape("text", { x: cx, y: cy + 5, class: "note" }, text);
    return [shape("g", { class: `noted ${kind(verdict)}`, "aria-hidden": "true" }, plate, words)];
  }

  button(move) {
    return make("button", { type: "button", class: kind(this.marks.verdicts[move]) }, move);
  }

  // A click or a touch. After the first half of a double click has made a move, the second one counts for nothing: another position
  // is there by then.
  press(event) {
    if (event.detail <= 1) this.hasMoved = false;
    if (this.hasMoved || !this.marks?.open) return;
    const pressed = placeAt(event);
    if (pressed && this.preview.holdsBack(pressed)) return;
    if (pressed) this.choose(pressed.dataset.place);
    else if (this.done.length) {
      this.startOver(); // a click beside the ends, which may choose another cube at once
      const other = document.elementFromPoint(event.clientX, event.clientY)?.closest(".open");
      if (other && this.root.contains(other)) this.choose(other.dataset.place);
    }
  }

  choose(place) {
    const { isTaken, isLast, moves } = this.choices.get(place);
    if (isTaken) this.startOver();
    else if (isLast) this.take(moves[0]);
    else {
      this.done.push(place);
      this.offer();
      this.open()[0]?.focus({ preventScroll: true });
    }
  }

  // The move that a place completes, where it is the last of several.
  moveEndingAt({ dataset }) {
    const item = this.done.length && this.marks.open && this.choices.get(dataset?.place);
    return item && item.isLast ? item.moves[0] : null;
  }

  // Gives back what was chosen.
  startOver() {
    this.preview.end();
    const [place] = this.done;
    this.done = [];
    this.offer();
    this.shapes.get(place)?.focus({ preventScroll: true });
  }

  open() {
    return [...this.root.querySelectorAll(".open")];
  }

  // Arrow keys go to the nearest place or site in their direction, Enter and the space bar choose it, Escape begins again.
  key(event) {
    const here = document.activeElement;
    if (event.key === "Escape" && this.done.length) this.startOver();
    else if ((event.key === "Enter" || event.key === " ") && here?.dataset.place) {
      event.preventDefault();
      if (here.matches(".open, .chosen") && !event.repeat) this.choose(here.dataset.place);
    } else if (event.key.startsWith("Arrow") && this.stops.size) {
      event.preventDefault();
      (here?.dataset.place ? this.nearest(here, event.key.slice(5)) : this.stops.get(this.at))?.focus();
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
    const stops = [...this.stops.values()].filter((stop) => far(stop) < Infinity);
    return stops.sort((a, b) => far(a) - far(b))[0];
  }
}

// Where a move comes to lie that is chosen at the place before it.
function landingAt([x, y, width, height]) {
  return shape("ellipse", { cx: x + width / 2, cy: y + height / 2, rx: width / 3, ry: height / 3 });
}

// Whether a place that can be chosen lies over a site, as a column does over its cells.
function covers(choice, site) {
  const [[left, top, wide, high], [x, y, width, height]] = [choice, site].map(({ dataset }) => dataset.place.split(",").map(Number));
  const [across, down] = [x + width / 2 - left, y + height / 2 - top];
  return across > 0 && across < wide && down > 0 && down < high;
}

// The place of a click; also where its shape was drawn again while the button was down.
function placeAt({ target, clientX, clientY }) {
  const places = ".open, .chosen";
  return target.closest(places) ?? document.elementFromPoint(clientX, clientY)?.closest(places);
}

// Where an element lies on the drawing.
function boxOf(element) {
  const { x, y, width, height } = element.getBBox();
  const { e, f } = element.transform.baseVal.consolidate()?.matrix ?? { e: 0, f: 0 };
  return { x: x + e, y: y + f, width, height };
}
