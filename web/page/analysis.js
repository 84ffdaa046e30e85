// The analysis of the position on the board: verdicts on its moves, a bar, the course of the game, and the opinions of policies.

import { find, onPress, onSubmit, setAttributes } from "/shared/elements.js";
import { draw } from "/shared/graph.js";
import { lineTo, pathTo } from "./game.js";
import { Knowledge } from "./knowledge.js";
import { Opinions } from "./opinions.js";
import { fill } from "./setup.js";
import { bestOf, describeVerdict, isExact, percent } from "./verdicts.js";

export class Analysis {
  constructor(page) {
    this.page = page;
    this.knowledge = new Knowledge(page.connection);
    const ask = (policies) => page.attempt((state) => ({ ...state, ask: policies }));
    const remove = (policy) => ask(this.state.ask.filter((other) => other !== policy));
    this.opinions = new Opinions(find("#opinions"), remove, (moves) => page.light(moves));
    onSubmit(find("#asking"), () => {
      const policy = find("#asking").policy.value;
      if (!this.state.ask.includes(policy)) ask([...this.state.ask, policy]);
    });
    const go = (ply) => page.go(this.path[ply]);
    for (const root of ["#graph", "#mistakes"]) onPress(find(root), "[data-ply]", ({ dataset }) => go(dataset.ply));
  }

  // Asks about a position before its board arrives. Returns a promise that resolves when there is an answer or an error.
  ahead(line, signal) {
    this.early = this.knowledge.learn(line, signal, () => this.signal === signal && this.page.draw());
    return this.early.catch(() => {}); // `learn` reports it
  }

  // Begins with another position. `policies` are the policies that may be asked; `signal` cancels all requests about it.
  look(state, policies, signal) {
    Object.assign(this, { state, signal, view: state.cursor.view });
    this.path = [state.top, ...pathTo(state.tip)];
    this.asked = new Map(state.ask.map((policy) => [policy, null]));
    if (String(policies) !== this.offered) fill(find("#asking").policy, policies, "mcts");
    this.offered = String(policies);
    if (state.analyse) this.learn().catch((error) => error.name !== "AbortError" && this.page.complain("status", error));
    if (this.view.player !== null) for (const policy of state.ask) this.opine(policy);
  }

  line(node = this.state.cursor) {
    return lineTo(this.state, node);
  }

  // Learns about the position, and then about the others of the line that is played, for the course of the game.
  async learn() {
    const { signal } = this;
    await this.early;
    for (const node of [...this.path].reverse()) {
      await this.knowledge.learn(this.line(node), signal, () => !signal.aborted && this.page.draw());
    }
  }

  async opine(policy) {
    const { asked, signal } = this;
    try {
      asked.set(policy, await this.page.connection.ask("opine", { ...this.line(), policy }, signal));
    } catch (error) {
      asked.set(policy, error);
    }
    if (!signal.aborted) this.page.draw();
  }

  // The verdicts on the moves of any position, once they are known.
  async verdictsOn(line) {
    await this.knowledge.learn(line, undefined, () => {});
    return this.knowledge.of(line).moves;
  }

  // The best move that is known, for a hint.
  async best() {
    const known = this.knowledge.of(this.line());
    await this.knowledge.learn(this.line(), this.signal, () => {});
    return bestOf(known.moves)[0];
  }

  // The verdicts on the legal moves.
  get verdicts() {
    return this.state.analyse ? this.knowledge.of(this.line()).moves : {};
  }

  // The value of each position of the current line for the first player: { value, exact }, or null if it is not known.
  get course() {
    const { view } = this.state.tip;
    return [...view.movers, view.player].map((player, ply) => {
      if (player === null) return { value: view.outcome[0], exact: true };
      const known = this.knowledge.of(this.line(this.path[ply]));
      const value = known.value ?? known.estimate ?? null;
      return value === null ? null : { value: player === 0 ? value : -value, exact: isExact(known) };
    });
  }

  // The plies whose moves lost value, by exact values.
  lost(course) {
    if (!this.state.analyse) return [];
    const lost = (here, before) => here?.exact && before?.exact && here.value !== before.value;
    return course.map((_, ply) => ply).filter((ply) => lost(course[ply], course[ply - 1]));
  }

  // Draws the analysis; returns the nodes whose moves lost value.
  draw() {
    const { state, view, course } = this;
    const ply = this.path.indexOf(state.cursor);
    const lost = this.lost(course);
    const estimated = course.map((_, at) => at).filter((at) => course[at] && !course[at].exact);
    const values = course.map((known) => known?.value ?? null);
    find("#graph").toggleAttribute("hidden", !state.analyse);
    for (const name of ["#legend", "#mistakes"]) find(name).hidden = !state.analyse;
    const near = { "#mistake-before": lost.findLast((at) => at < ply), "#mistake-after": lost.find((at) => at > ply) };
    for (const [name, at] of Object.entries(near)) setAttributes(find(name), { "data-ply": at ?? "", "aria-disabled": !at });
    const { move, parent } = state.cursor;
    find("#better").textContent = lost.includes(ply) ? describeMistake(move, this.knowledge.of(this.line(parent)).moves) : "";
    if (state.analyse) draw(find("#graph"), values, ply, { lost, estimated });
    const here = course[ply];
    const words = state.analyse && view.player !== null ? this.words() : "";
    const bar = find("#bar");
    bar.hidden = !state.analyse;
    bar.dataset.known = !here ? "unknown" : here.exact ? "exact" : "estimate";
    bar.style.setProperty("--first-share", `${50 * (1 + (here?.value ?? 0))}%`);
    bar.setAttribute("aria-label", words || "Not known yet.");
    find("#verdict").textContent = words;
    this.opinions.draw(view.legal.map(({ move }) => move), this.verdicts, this.asked);
    return lost.map((at) => this.path[at]);
  }

  words() {
    const { players, player } = this.view;
    const known = this.knowledge.of(this.line());
    const { estimate, reach, done, progress } = known;
    if (isExact(known)) return `With perfect play ${players[player]} ${describeVerdict(known, true)}.`;
    const solving = typeof progress === "number" ? `All positions of this game are being solved, once: ${Math.floor(100 * progress)} %.` : "";
    if (typeof estimate === "number") {
      return `Estimate: ${percent(estimate)} for ${players[player]}. ${reach ? `Perfect play is known for ${reach}.` : solving}`;
    }
    if (solving && !done) return solving;
    return done ? "Nothing is known about this position." : "Looking …";
  }
}

// A mistake and the best move instead, in words: "b2 draws. e3 was better: it wins in 5."
function describeMistake(move, verdicts) {
  if (!isExact(verdicts[move])) return `${move} lost value.`;
  const [best, verdict] = bestOf(Object.fromEntries(Object.entries(verdicts).filter(([, verdict]) => isExact(verdict))));
  return `${move} ${describeVerdict(verdicts[move])}. ${best} was better: it ${describeVerdict(verdict)}.`;
}
