// A training run: how far it is, its curves while it trains, and its latest checkpoint as an opponent.

import { make, shape } from "/shared/elements.js";
import { last } from "./header.js";

const WIDTH = 320; // pixels of a curve
const HEIGHT = 140;
const EDGE = 6; // around it

export class RunView {
  constructor(root, { name }) {
    this.name = name;
    this.what = make("p", { class: "done", role: "status" });
    this.meter = make("progress", { max: 1, value: 0, "aria-label": "Progress of the training" });
    this.play = make("a", { class: "on", hidden: "" }, "Play against its latest checkpoint");
    this.curves = make("div", { class: "curves" });
    root.append(make("div", { class: "heading" }, make("div", {}, make("h2", {}, last(name)), this.what, this.meter), this.play), this.curves);
  }

  load() {}

  update({ trainer, game, seed, unit, done, total, seconds, finished, playable, curves }) {
    const number = (count) => count.toLocaleString("en");
    const far = total && !finished ? `${number(done)} of ${number(total)} ${unit}` : `${number(done)} ${unit}`;
    this.what.textContent = `${trainer} learns ${game}, seed ${seed}: ${far}, ${Math.round(seconds)} s${finished ? ", finished" : ""}`;
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
