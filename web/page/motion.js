// What a move changed, moving: pieces turn over, slide, come from the hand, or go. Nothing waits for it, and nothing moves where the
// system asks for less motion.

import { shape } from "/shared/elements.js";
import { letFall } from "/shared/falling.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const TIME = 320; // milliseconds
const EASE = "cubic-bezier(0.3, 0.1, 0.3, 1)";

// Moves what a move has changed between two drawings. `path` are the boxes that one chooses for the move, `falls` what was falling
// before. Gives what falls now.
export function moveChanges(before, after, path, falls) {
  const kind = after.dataset.motion;
  if (kind === "turn") turn(before, after);
  if (!calm.matches) {
    if (kind === "slide") slide(after, path);
    else carry(symbolsOf(before), symbolsOf(after), after);
  }
  return letFall(after, falls);
}

// The symbols of a drawing by their sites.
function symbolsOf(drawing) {
  return new Map([...drawing.querySelectorAll("[data-symbol]")].map((symbol) => [symbol.dataset.site, symbol]));
}

// A symbol that took another's place turns over, as a captured disc does.
function turn(before, after) {
  const old = symbolsOf(before);
  for (const symbol of symbolsOf(after).values()) {
    const was = old.get(symbol.dataset.site);
    if (!was || was.dataset.symbol === "-" || was.dataset.symbol === symbol.dataset.symbol) continue;
    const [face, back] = ["turned", "away"].map((name) => shape("g", { class: name }));
    face.append(...symbol.children);
    back.append(...(was.querySelector(".turned") ?? was).cloneNode(true).children);
    symbol.append(back, face);
  }
}

// What was taken at the first box of the path and entered at the last has pushed all that lies between them.
function slide(after, path) {
  const [from, to] = [path[0], path.at(-1)].map(([x, y, width, height]) => [x + width / 2, y + height / 2]);
  const long = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const [dx, dy] = [0, 1].map((axis) => (to[axis] - from[axis]) / long);
  for (const symbol of symbolsOf(after).values()) {
    const [x, y] = middleOf(symbol);
    const along = (x - from[0]) * dx + (y - from[1]) * dy;
    const across = Math.abs((x - from[0]) * dy - (y - from[1]) * dx);
    if (across < 1 && along > -1 && along < long + 1) glide(symbol, dx * path[0][2], dy * path[0][3]);
  }
}

// A symbol that is new on its site comes from the site where it has gone, or appears; one that has gone and is nowhere new fades.
function carry(before, after, drawing) {
  const differ = (here, there) => [...here.values()].filter(({ dataset }) => dataset.symbol !== "-" && there.get(dataset.site)?.dataset.symbol !== dataset.symbol);
  const gone = differ(before, after);
  for (const symbol of differ(after, before)) {
    if (symbol.dataset.falls || symbol.querySelector(".turned")) continue;
    const source = gone.findIndex(({ dataset }) => dataset.symbol === symbol.dataset.symbol);
    if (source >= 0) {
      const [was] = gone.splice(source, 1);
      const [[x, y], [oldX, oldY]] = [middleOf(symbol), middleOf(was)];
      glide(symbol, oldX - x, oldY - y);
    } else symbol.animate([{ opacity: 0 }, { opacity: 1 }], TIME / 2);
  }
  for (const symbol of gone) if ((after.get(symbol.dataset.site)?.dataset.symbol ?? "-") === "-") fade(symbol, drawing);
}

// Brings a symbol to its place from so far beside it.
function glide(symbol, x, y) {
  symbol.animate([{ translate: `${x}px ${y}px` }, { translate: "0 0" }], { duration: TIME, easing: EASE });
}

function fade(symbol, drawing) {
  const ghost = symbol.cloneNode(true);
  ghost.setAttribute("aria-hidden", "true");
  ghost.removeAttribute("data-site");
  ghost.classList.add("ghost");
  drawing.append(ghost);
  const frames = [{ opacity: 1 }, { opacity: 0, translate: "0 -14px" }];
  ghost.animate(frames, { duration: TIME, easing: "ease-out" }).finished.then(() => ghost.remove(), () => {});
}

// Where a symbol stands on the whole drawing; a panel may have been moved with all that is on it.
function middleOf(symbol) {
  const moves = [symbol, symbol.parentNode].map(({ transform }) => transform?.baseVal.consolidate()?.matrix ?? { e: 0, f: 0 });
  return [moves[0].e + moves[1].e, moves[0].f + moves[1].f];
}
