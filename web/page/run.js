// A training run: how far it is, its curves while it trains, and its latest checkpoint as an opponent.

import { make } from "/shared/elements.js";
import { curve } from "./curve.js";
import { last } from "./header.js";

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
