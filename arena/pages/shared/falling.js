// Discs that fall: a shape with `data-falls` came from so many pixels above with the last move.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const GRAVITY = "cubic-bezier(0.33, 0, 0.67, 0.33)";
const SLOWNESS = 26; // milliseconds for the root of a pixel

// Lets the shapes of a new drawing fall, and those that were falling in the drawing before, `falls`, go on. Returns what falls now.
export function letFall(drawing, falls = []) {
  if (calm.matches) return [];
  const running = falls.filter(({ playState }) => playState === "running");
  const before = new Map(running.map((fall) => [describe(fall.effect.target), fall]));
  const begun = [...drawing.children].map((shape) => {
    if (shape.dataset.falls) return fallFrom(shape, Number(shape.dataset.falls));
    const fall = before.get(describe(shape));
    return fall && goOn(shape, fall);
  });
  return begun.filter(Boolean);
}

// What a shape looks like and where it lies.
function describe(shape) {
  const seen = [...shape.attributes].filter(({ name }) => name !== "data-falls");
  return seen.map(({ value }) => value).join();
}

// It bounces once, and not high.
function fallFrom(shape, height) {
  const at = (pixels) => `0 ${-pixels}px`; // beside the shape's own transform
  const frames = [
    { translate: at(height), easing: GRAVITY },
    { translate: at(0), offset: 0.8, easing: "ease-out" },
    { translate: at(height / 40), offset: 0.9, easing: "ease-in" },
    { translate: at(0) },
  ];
  return shape.animate(frames, SLOWNESS * Math.sqrt(height));
}

function goOn(shape, fall) {
  const same = shape.animate(fall.effect.getKeyframes(), fall.effect.getTiming());
  same.currentTime = fall.currentTime;
  return same;
}
