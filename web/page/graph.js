// The course of a game: what each position was worth to the first player, and the moves that lost value.

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 60;
const STEP = 12;
const SHORTEST = 30; // plies that the graph has room for at least

// Draws values (1, 0, -1 or null) by ply into an SVG; `go(ply)` is called with a ply that is clicked.
export function draw(root, values, now, go) {
  const width = Math.max(values.length, SHORTEST) * STEP;
  root.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  root.setAttribute("preserveAspectRatio", "none");
  const parts = [shape("line", { x1: 0, x2: width, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "zero" })];
  values.forEach((value, ply) => {
    const x = ply * STEP + 1;
    const column = shape("rect", { x, y: 0, width: STEP - 2, height: HEIGHT, class: ply === now ? "ply now" : "ply" });
    column.addEventListener("click", () => go(ply));
    parts.push(column);
    if (value === null || value === undefined) return;
    const y = value > 0 ? 4 : HEIGHT / 2 - 2;
    const height = value === 0 ? 4 : HEIGHT / 2 - 4;
    const lost = ply > 0 && typeof values[ply - 1] === "number" && values[ply - 1] !== value;
    const colour = value > 0 ? "first" : value < 0 ? "second" : "even";
    parts.push(shape("rect", { x, y: value < 0 ? HEIGHT / 2 : y, width: STEP - 2, height, class: `${colour} level` }));
    if (lost) parts.push(shape("ellipse", { cx: x + STEP / 2 - 1, cy: HEIGHT / 2, rx: 4, ry: 4, class: "slip" }));
  });
  root.replaceChildren(...parts);
  root.setAttribute("aria-label", `The value of each position so far, ${values.filter((v) => v !== null).length} known`);
}

function shape(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}
