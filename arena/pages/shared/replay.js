// Games to step through: the board, the course of the game, its moves, and what perfect play says about each of them.

import { button, drawing, make, shape } from "./elements.js";
import { letFall } from "./falling.js";
import { draw } from "./graph.js";
import { showSaid } from "./said.js";

const PAUSE = 750; // milliseconds between two moves of a game that plays
const BUTTONS = { first: "To the start", back: "Back", play: "Play", on: "On", last: "To the end" };
const ICONS = {
  first: "M2 2h2v12H2zM14 2v12L5 8z",
  back: "M12 2v12L4 8z",
  play: "M3 1v14l11-7z",
  pause: "M3 1h4v14H3zM9 1h4v14H9z",
  on: "M4 2v12l8-6z",
  last: "M12 2h2v12h-2zM2 2v12l9-6z",
};

export class Replay {
  // `film` is what ludus.arena.pages.film gives. `changed(game, ply)` is called with each position that is shown.
  constructor(root, film, changed = () => {}) {
    Object.assign(this, { film, changed });
    const { games } = film;
    this.choices = games.map((game, number) => this.choice(game, number));
    this.board = make("div", { class: "board" });
    this.seats = ["first", "second"].map((seat) => make("span", { class: seat }, make("i"), make("b"), make("small")));
    this.graph = shape("svg", { class: "graph", "aria-hidden": "true" });
    this.slider = make("input", { type: "range", min: 0, value: 0, "aria-label": "Ply" });
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.buttons = Object.fromEntries(Object.entries(BUTTONS).map(([go, label]) => [go, this.button(go, label)]));
    this.buttons.blunder = this.button("blunder");
    this.verdict = make("p", { class: "verdict", "aria-live": "polite" });
    this.moves = make("ol", { class: "moves" });
    this.said = make("section", { class: "said", "aria-label": "What was said" });
    const keys = make("span", { class: "note keys", "aria-hidden": "true" }, "← → step");
    const telling = make(
      "div",
      { class: "telling" },
      make("p", { class: "players" }, ...this.seats),
      make("div", { class: "strip" }, this.graph, this.slider),
      make("div", { class: "buttons" }, ...Object.values(this.buttons), keys),
      this.verdict,
      this.moves,
      this.said,
    );
    const choice = make("div", { class: "choice", role: "group", "aria-label": "Games" }, ...this.choices);
    this.stage = make("div", { class: "stage" }, this.board, telling);
    root.replaceChildren(...(games.length > 1 ? [choice] : []), this.stage);
    this.choose(0);
  }

  choice(game, number) {
    const names = make("span", {}, game.players.join(" – "));
    const ending = make("span", { class: "quiet" }, game.ending);
    return button({}, () => this.choose(number), make("b", {}, game.title), names, ending);
  }

  button(go, label = "") {
    const attributes = label ? { "aria-label": label } : { class: "words" };
    return button({ "data-go": go, ...attributes }, () => this.move(go), ...(label ? [icon(go)] : []));
  }

  choose(number, ply = this.film.games[number].first) {
    this.stop();
    this.number = number;
    this.ply = null; // of another game
    this.game = this.film.games[number];
    this.choices.forEach((button, i) => button.setAttribute("aria-pressed", String(i === number)));
    this.seats.forEach((seat, i) => {
      seat.querySelector("b").textContent = this.game.players[i];
      seat.querySelector("small").textContent = this.game.seats[i];
    });
    this.slider.max = this.game.moves.length;
    this.slider.style.setProperty("--columns", this.game.moves.length + 1);
    this.blunders = this.game.moves.map((_, i) => i + 1).filter((at) => this.slipped(at));
    const { length } = this.blunders;
    this.buttons.blunder.textContent = ["no blunder", "the blunder"][length] ?? `next of ${length} blunders`;
    this.moves.replaceChildren(...this.game.moves.map((move, i) => this.entry(move, i + 1)));
    this.go(ply);
  }

  entry(move, ply) {
    const kind = ply <= this.game.opening ? "opening" : this.slipped(ply) ? "blunder" : "";
    // the slider and the arrow keys go everywhere
    return make("li", {}, button({ tabindex: -1, class: kind }, () => this.go(ply), make("small", {}, `${ply}.`), move.move));
  }

  slipped(ply) {
    return ply > this.game.opening && this.game.moves[ply - 1].lost > 0;
  }

  go(ply) {
    const { game } = this;
    const before = this.ply;
    this.ply = Math.max(0, Math.min(Math.trunc(ply) || 0, game.moves.length));
    const board = drawing(this.frame(game.frames[this.ply]), game.positions[this.ply]);
    this.board.replaceChildren(board);
    this.falls = this.ply === before + 1 ? letFall(board, this.falls) : [];
    this.slider.value = this.ply;
    const { opening } = game;
    draw(this.graph, game.levels, this.ply, { lost: this.blunders, opening, shortest: 0 });
    this.mark();
    this.describe();
    const end = this.ply === game.moves.length;
    const off = { first: !this.ply, back: !this.ply, on: end, last: end, blunder: !this.blunders.length };
    for (const [name, disabled] of Object.entries(off)) this.buttons[name].disabled = disabled;
    if (end) this.stop();
    this.changed(this.number, this.ply);
  }

  mark() {
    this.moves.querySelector(".now")?.classList.remove("now");
    const entry = this.moves.children[this.ply - 1]?.firstChild;
    entry?.classList.add("now");
    if (entry) this.moves.scrollTop = entry.offsetTop - this.moves.offsetTop - this.moves.clientHeight / 2;
  }

  describe() {
    const { game, ply } = this;
    const move = game.moves[ply - 1];
    const parts = [make("b", {}, ply ? `${ply}. ${move.move}` : "The start")];
    if (ply && ply <= game.opening) parts.push(" · a ply of the opening");
    else if (ply) parts.push(` by ${game.players[move.by]}`);
    if (ply) {
      const kind = ply > game.opening ? move.word : "";
      parts.push(make("span", { class: kind }, ` · ${move.verdict || "out of the oracle's reach"}`));
    }
    if (ply === game.moves.length) parts.push(make("br"), `${game.ending}${game.reason ? `: ${game.reason}` : ""}.`);
    this.verdict.replaceChildren(...parts);
    showSaid(this.said, this.saidAt(ply));
    this.slider.setAttribute("aria-valuetext", this.verdict.textContent);
    const next = game.moves[ply]?.by;
    this.seats.forEach((seat, i) => seat.classList.toggle("turn", next === i));
  }

  // What was said about the move that led to a position; at the end of a game that was forfeited, about the move that never came.
  saidAt(ply) {
    const at = (number) => this.game.said?.find((one) => one.ply === number);
    return (ply === this.game.moves.length && at(ply)) || at(ply - 1);
  }

  // The text of a frame: runs of pieces, the first of each and how many follow it.
  frame(runs) {
    let text = "";
    for (let i = 0; i < runs.length; i += 2) text += this.film.pieces.slice(runs[i], runs[i] + runs[i + 1]).join("");
    return text;
  }

  move(where) {
    if (where === "play") return this.timer ? this.stop() : this.play();
    this.stop();
    const blunder = this.blunders.find((ply) => ply > this.ply) ?? this.blunders[0]; // after the last one comes the first again
    const places = { first: 0, back: this.ply - 1, on: this.ply + 1, last: this.game.moves.length, blunder };
    return this.go(places[where] ?? this.ply);
  }

  play() {
    if (this.ply === this.game.moves.length) this.go(0);
    this.timer = setInterval(() => this.go(this.ply + 1), PAUSE);
    this.turnInto("pause", "Pause");
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.turnInto("play", "Play");
  }

  turnInto(name, label) {
    this.buttons.play.setAttribute("aria-label", label);
    this.buttons.play.replaceChildren(icon(name));
  }
}

function icon(name) {
  return shape("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, shape("path", { d: ICONS[name] }));
}

// Puts the games of a page of one file where they belong: an element names, as its `data-film`, the script that holds its games.
export function showFilms() {
  const roots = [...document.querySelectorAll("[data-film]")];
  const replays = roots.map((root) => new Replay(root, JSON.parse(document.getElementById(root.dataset.film).textContent)));
  stepByKeys(() => replays);
}

// The left and right arrow keys step through the game that is nearest to the middle of the screen.
export function stepByKeys(replays) {
  addEventListener("keydown", (event) => {
    const way = { ArrowLeft: "back", ArrowRight: "on" }[event.key];
    const isTaken = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest?.("input, select, .scroll");
    if (!way || isTaken) return;
    const distance = ({ stage }) => {
      const { top, bottom } = stage.getBoundingClientRect();
      return bottom < 0 || top > innerHeight ? Infinity : Math.abs((top + bottom - innerHeight) / 2);
    };
    const nearest = replays().reduce((best, one) => (best && distance(best) <= distance(one) ? best : one), null);
    if (!nearest || distance(nearest) === Infinity) return;
    event.preventDefault();
    nearest.move(way);
  });
}
