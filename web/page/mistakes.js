// Moves that lost value: goes from one to the next, and says which move was better.

import { find } from "/shared/elements.js";
import { better, describeVerdict, isExact } from "./verdicts.js";

export class Mistakes {
  // `go(ply)` shows another position of the line.
  constructor(go) {
    for (const name of ["#mistake-before", "#mistake-after"]) find(name).addEventListener("click", () => this[name] > 0 && go(this[name]));
  }

  // Shows the mistakes of a line.
  //   lost      the plies whose moves lost value
  //   ply       the position that is shown, and `move` the last move before it
  //   verdicts  what is known of the moves that could be made instead of it
  draw({ lost, ply, move, verdicts }) {
    this["#mistake-before"] = lost.findLast((at) => at < ply);
    this["#mistake-after"] = lost.find((at) => at > ply);
    for (const name of ["#mistake-before", "#mistake-after"]) find(name).setAttribute("aria-disabled", String(!this[name]));
    find("#better").textContent = lost.includes(ply) ? describeMistake(move, verdicts) : "";
  }
}

// A mistake and the best move instead, in words: "b2 draws. e3 was better: it wins in 5."
function describeMistake(move, verdicts) {
  const known = Object.entries(verdicts).filter(([, verdict]) => isExact(verdict));
  if (!isExact(verdicts[move])) return `${move} lost value.`;
  const [best, verdict] = known.reduce((a, b) => (better(b[1], a[1]) ? b : a));
  return `${move} ${describeVerdict(verdicts[move])}. ${best} was better: it ${describeVerdict(verdict)}.`;
}
