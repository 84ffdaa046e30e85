// The course of a game: how far the first player is ahead in each position, and the moves that lost value.

import { setAttributes, shape } from "./elements.js";

const HEIGHT = 60;
const STEP = 12;

// Draws values (from 1 to -1, or null) by ply into an SVG. Each ply is an element of class "ply" with its number as `data-ply`.
//   lost      the plies whose moves lost value; those after which the value is another, unless given
//   estimated the plies whose values are estimates; they are drawn hollow
//   opening   how many plies were random
//   shortest  how many plies the graph has room for at least
export function draw(root, values, now, { lost = changes(values), estimated = [], opening = 0, shortest = 30 } = {}) {
  const width = Math.max(values.length, shortest) * STEP;
  setAttributes(root, { viewBox: `0 0 ${width} ${HEIGHT}`, preserveAspectRatio: "none" });
  const parts = [shape("line", { x1: 0, x2: width, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "zero" })];
  values.forEach((value, ply) => {
    const place = { x: ply * STEP, y: 0, width: STEP, height: HEIGHT, "data-ply": ply };
    parts.push(shape("rect", { ...place, class: ply === now ? "ply now" : "ply" }));
    if (typeof value === "number") parts.push(level(value, ply, estimated.includes(ply)));
    if (lost.includes(ply)) parts.push(shape("rect", { x: ply * STEP + 1, y: 0, width: STEP - 2, height: 5, class: "slip" }));
  });
  const end = (opening + 1) * STEP;
  const begun = { x1: end, x2: end, y1: 0, y2: HEIGHT, class: "begun" };
  if (opening) parts.push(shape("line", begun));
  root.replaceChildren(...parts);
  const known = values.filter((value) => typeof value === "number").length;
  const label = `The value of each position so far, ${known - estimated.length} known`;
  root.setAttribute("aria-label", estimated.length ? `${label}, ${estimated.length} estimated` : label);
}

function level(value, ply, isEstimate) {
  const height = value === 0 ? 4 : Math.abs(value) * (HEIGHT / 2 - 4);
  const y = value < 0 ? HEIGHT / 2 : HEIGHT / 2 - (value === 0 ? 2 : height);
  const kind = value > 0 ? "first" : value < 0 ? "second" : "even";
  return shape("rect", { x: ply * STEP + 1, y, width: STEP - 2, height, class: `${kind} level ${isEstimate ? "estimate" : ""}` });
}

function changes(values) {
  const known = (ply) => typeof values[ply] === "number";
  return values.map((_, ply) => ply).filter((ply) => known(ply) && known(ply - 1) && values[ply] !== values[ply - 1]);
}
