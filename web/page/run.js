// A training run: how far it is, its curves while it trains, and its latest checkpoint as an opponent.

import { find, make, shape } from "/shared/elements.js";
import { last, progress } from "./header.js";

const WIDTH = 320; // pixels of a curve
const HEIGHT = 140;
const EDGE = 6; // around it

export class RunView {
  constructor(root, { name }) {
    this.name = name;
    root.append(find("#run").content.cloneNode(true));
    for (const part of ["done", "play", "curves"]) this[part] = root.querySelector(`.${part}`);
    this.meter = root.querySelector("progress");
    root.querySelector("h2").textContent = last(name);
  }

  load() {}

  update({ trainer, game, seed, unit, done, total, seconds, finished, playable, curves }) {
    const far = progress(done, finished ? 0 : total, unit);
    this.done.textContent = `${trainer} learns ${game}, seed ${seed}: ${far}, ${Math.round(seconds)} s${finished ? ", finished" : ""}`;
    this.meter.hidden = finished || !total;
    this.meter.max = total || 1;
    this.meter.value = done;
    this.play.hidden = !playable;
    this.play.href = `/#${new URLSearchParams({ game, first: "you", second: this.name })}`;
    this.curves.replaceChildren(...curves.map((numbers) => curve(numbers, unit)));
  }
}

// A figure with its name, the curve, the least and the greatest number, and the last one. `range` is what numbers can be.
function curve({ name, points, range }, unit) {
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
  const across = scale(0, Math.max(1, ...xs), EDGE, WIDTH - EDGE);
  const [low, high] = range ?? [Math.min(...ys), Math.max(...ys)];
  const down = low === high ? () => HEIGHT / 2 : scale(low, high, HEIGHT - EDGE, EDGE);
  const line = points.map(([x, y]) => `${across(x).toFixed(1)},${down(y).toFixed(1)}`).join(" ");
  const label = points.length ? `${name}: ${short(ys.at(-1))} after ${xs.at(-1).toLocaleString("en")} ${unit}` : name;
  const plot = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
  for (const share of [0, 0.5, 1]) {
    const y = EDGE + share * (HEIGHT - 2 * EDGE);
    plot.append(shape("line", { x1: EDGE, x2: WIDTH - EDGE, y1: y, y2: y, class: "rule" }));
  }
  plot.append(shape("polyline", { points: line, class: "line" }));
  if (points.length) plot.append(shape("circle", { cx: across(xs.at(-1)), cy: down(ys.at(-1)), r: 4, class: "end" }));
  const between = points.length ? `${short(low)} to ${short(high)}` : "no number yet";
  const heading = make("figcaption", {}, make("b", {}, name), make("span", {}, points.length ? short(ys.at(-1)) : ""));
  return make("figure", { "data-points": points.length }, heading, plot, make("small", {}, between));
}

function scale(low, high, from, to) {
  return (value) => from + ((value - low) / (high - low)) * (to - from);
}

function short(number) {
  return Number(number.toPrecision(4)).toLocaleString("en", { maximumSignificantDigits: 4 });
}
