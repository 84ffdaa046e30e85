// What is known of a move: exactly, as { value, distance, score }, or as the estimate of a search, as { estimate }.
// Values and estimates are from -1 to 1, for the player who moves.

const KINDS = { 1: "win", 0: "draw", "-1": "loss" };
export const WORDS = { 1: "wins", 0: "draws", "-1": "loses" };

export function isExact(verdict) {
  return typeof verdict?.value === "number";
}

// The class of what is drawn for it.
export function kind(verdict) {
  return isExact(verdict) ? KINDS[verdict.value] : typeof verdict?.estimate === "number" ? "estimate" : "";
}

// In words: "wins in 5", "draws", "estimate 62 %"; with units "wins in 5 moves", "loses by 1 disc".
export function describeVerdict(verdict, hasUnits = false) {
  if (!isExact(verdict)) return typeof verdict?.estimate === "number" ? `estimate ${percent(verdict.estimate)}` : "";
  const { value, distance, score } = verdict;
  const count = (number, unit) => (hasUnits ? `${number} ${unit}${number === 1 ? "" : "s"}` : number);
  if (typeof score === "number") return WORDS[value] + (value ? ` by ${count(Math.abs(score), "disc")}` : "");
  return WORDS[value] + (typeof distance === "number" ? ` in ${count(distance, "move")}` : "");
}

// In a few letters, for the board.
export function mark(verdict) {
  if (!isExact(verdict)) return typeof verdict?.estimate === "number" ? `≈${percent(verdict.estimate).replace(" %", "")}` : "";
  const { value, distance, score } = verdict;
  if (typeof score === "number") return signed(score);
  return { 1: "W", 0: "=", "-1": "L" }[value] + (typeof distance === "number" ? distance : "");
}

// An expected result as a share of the point: 1 is 100 %, a draw 50 %.
export function percent(value) {
  return `${Math.round(50 * (1 + value))} %`;
}

export function signed(number) {
  return number > 0 ? `+${number}` : `${number}`.replace("-", "−");
}

// Whether one verdict is better than another for the player who moves: a quicker win, a slower loss, more discs. An estimate is
// better than a known loss and worse than a known win.
export function better(a, b) {
  const [first, second] = [a, b].map((verdict) => (isExact(verdict) ? verdict.value : (verdict.estimate ?? 0) * 0.99));
  if (first !== second) return first > second;
  if (typeof a.score === "number" && typeof b.score === "number") return a.score > b.score;
  return a.value > 0 ? a.distance < b.distance : a.distance > b.distance;
}

// The best of some moves with its verdict: [move, verdict].
export function bestOf(moves) {
  return Object.entries(moves).reduce((a, b) => (better(b[1], a[1]) ? b : a));
}
