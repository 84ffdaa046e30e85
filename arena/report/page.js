// What moves on the page: what a mark says under the pointer, where one is in the index, and the games to step through.
"use strict";

// ---- what a mark or a cell says

const tip = document.getElementById("tip");
const saying = '[data-tip], .plot [role="graphics-symbol"][aria-label]:not([aria-roledescription="axis"])';

function tell(target, x, y) {
  tip.textContent = target.dataset.tip ?? target.getAttribute("aria-label");
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(8, Math.min(x - width / 2, innerWidth - width - 8))}px`;
  tip.style.top = `${y - height - 14 > 0 ? y - height - 14 : y + 18}px`;
}

addEventListener("pointermove", (event) => {
  const target = event.target instanceof Element && event.target.closest(saying);
  if (target) tell(target, event.clientX, event.clientY);
  else tip.hidden = true;
});
addEventListener("pointerdown", (event) => {
  const target = event.target instanceof Element && event.target.closest(saying);
  if (target) tell(target, event.clientX, event.clientY);
});
addEventListener("scroll", () => (tip.hidden = true), { passive: true, capture: true });
addEventListener("keydown", (event) => event.key === "Escape" && (tip.hidden = true));

// ---- where one is in the index

const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
const seen = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const [name, link] of links) link.classList.toggle("here", name === entry.target.id);
      const link = links.get(entry.target.id);
      const row = link?.parentElement;
      if (row) row.scrollLeft = link.offsetLeft - row.clientWidth / 2 + link.offsetWidth / 2;
    }
  },
  { rootMargin: "-20% 0px -75% 0px" },
);
for (const section of document.querySelectorAll("main > section")) seen.observe(section);

// ---- games to step through

const PAUSE = 750; // milliseconds between two moves of a game that plays

class Viewer {
  constructor(root) {
    this.root = root;
    this.find = (selector) => root.querySelector(selector);
    const { pieces, games } = JSON.parse(document.getElementById(root.dataset.film).textContent);
    this.pieces = pieces;
    this.games = games;
    this.slider = this.find("input");
    this.choices = [...root.querySelectorAll(".choice button")];
    this.choices.forEach((button, number) => button.addEventListener("click", () => this.choose(number)));
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    for (const button of root.querySelectorAll("[data-go]")) button.addEventListener("click", () => this.move(button.dataset.go));
    this.choose(0);
  }

  choose(number) {
    this.stop();
    this.game = this.games[number];
    this.choices.forEach((button, i) => button.setAttribute("aria-pressed", String(i === number)));
    [".first", ".second"].forEach((seat, i) => {
      this.find(`${seat} b`).textContent = this.game.players[i];
      this.find(`${seat} small`).textContent = this.game.seats[i];
    });
    this.slider.max = this.game.moves.length;
    this.slider.style.setProperty("--columns", this.game.moves.length + 1);
    this.blunders = this.game.moves.map((_, i) => i + 1).filter((ply) => this.slipped(ply));
    const { length } = this.blunders;
    this.find("[data-go=blunder]").textContent = ["no blunder", "the blunder"][length] ?? `next of ${length} blunders`;
    this.find(".levels").replaceChildren(...this.game.levels.map((level, ply) => this.column(level, ply)));
    this.find(".moves").replaceChildren(...this.game.moves.map((move, i) => this.entry(move, i + 1)));
    this.go(this.game.first);
  }

  column(level, ply) {
    const column = document.createElement("span");
    if (level !== null) column.className = level > 0 ? "up" : level < 0 ? "down" : "even";
    column.style.setProperty("--level", Math.abs(level ?? 0));
    if (this.slipped(ply)) column.classList.add("slip");
    if (this.slipped(ply)) column.append(document.createElement("i"));
    if (ply === this.game.opening && ply) column.classList.add("begun");
    return column;
  }

  entry(move, ply) {
    const entry = document.createElement("li");
    const button = document.createElement("button");
    const number = document.createElement("small");
    button.type = "button";
    button.tabIndex = -1; // the slider and the arrow keys go everywhere
    number.textContent = `${ply}.`;
    button.append(number, move.move);
    button.className = ply <= this.game.opening ? "opening" : this.slipped(ply) ? "blunder" : "";
    button.addEventListener("click", () => this.go(ply));
    entry.append(button);
    return entry;
  }

  slipped(ply) {
    return ply > this.game.opening && this.game.moves[ply - 1].lost > 0;
  }

  go(ply) {
    const { game, root } = this;
    this.ply = Math.max(0, Math.min(ply, game.moves.length));
    const board = this.find(".stage .board");
    board.innerHTML = this.drawing(game.frames[this.ply]);
    board.setAttribute("aria-label", game.positions[this.ply]);
    this.slider.value = this.ply;
    this.mark(".levels", this.ply, document.createElement("u"));
    const entry = this.mark(".moves", this.ply - 1)?.firstChild;
    const list = this.find(".moves");
    if (entry) list.scrollTop = entry.offsetTop - list.offsetTop - list.clientHeight / 2;
    this.tell();
    const end = this.ply === game.moves.length;
    const off = { first: !this.ply, back: !this.ply, on: end, last: end, blunder: !this.blunders.length };
    for (const [name, disabled] of Object.entries(off)) root.querySelector(`[data-go=${name}]`).disabled = disabled;
    if (end) this.stop();
  }

  mark(list, place, ...more) {
    this.find(`${list} .now u`)?.remove();
    this.find(`${list} .now`)?.classList.remove("now");
    const item = this.find(list).children[place];
    (item?.firstChild?.tagName === "BUTTON" ? item.firstChild : item)?.classList.add("now");
    item?.append(...more);
    return item;
  }

  tell() {
    const { game, ply } = this;
    const move = game.moves[ply - 1];
    const words = this.find(".verdict");
    const strong = document.createElement("b");
    strong.textContent = ply ? `${ply}. ${move.move}` : "The start";
    const parts = [strong];
    if (ply && ply <= game.opening) parts.push(" · a random ply of the opening");
    else if (ply) parts.push(` by ${game.players[move.by]}`);
    if (ply) {
      const verdict = document.createElement("span");
      verdict.className = ply > game.opening ? move.word : "";
      verdict.textContent = ` · ${move.says || "out of the oracle's reach"}`;
      parts.push(verdict);
    }
    if (ply === game.moves.length) parts.push(document.createElement("br"), `${game.ending}${game.reason ? `: ${game.reason}` : ""}.`);
    words.replaceChildren(...parts);
    this.slider.setAttribute("aria-valuetext", words.textContent);
    const next = game.moves[ply]?.by;
    [".first", ".second"].forEach((seat, i) => this.find(`.players ${seat}`).classList.toggle("turn", next === i));
  }

  drawing(runs) {
    let text = "";
    for (let i = 0; i < runs.length; i += 2) text += this.pieces.slice(runs[i], runs[i] + runs[i + 1]).join("");
    return text;
  }

  // After how many plies the next blunder was made; behind the last comes the first again.
  next() {
    return this.blunders.find((ply) => ply > this.ply) ?? this.blunders[0];
  }

  move(where) {
    if (where === "play") return this.timer ? this.stop() : this.play();
    this.stop();
    const places = { first: 0, back: this.ply - 1, on: this.ply + 1, last: this.game.moves.length, blunder: this.next() };
    return this.go(places[where] ?? this.ply);
  }

  play() {
    if (this.ply === this.game.moves.length) this.go(0);
    this.root.classList.add("playing");
    this.find("[data-go=play]").setAttribute("aria-label", "Pause");
    this.timer = setInterval(() => this.go(this.ply + 1), PAUSE);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.root.classList.remove("playing");
    this.find("[data-go=play]").setAttribute("aria-label", "Play");
  }
}

const viewers = [...document.querySelectorAll(".viewer")].map((root) => new Viewer(root));

// The arrow keys step through the game that is on the screen.
addEventListener("keydown", (event) => {
  const way = { ArrowLeft: "back", ArrowRight: "on" }[event.key];
  if (!way || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest?.("input, .scroll")) return;
  const middle = innerHeight / 2;
  const far = ({ root }) => {
    const { top, bottom } = root.querySelector(".stage").getBoundingClientRect();
    return bottom < 0 || top > innerHeight ? Infinity : Math.abs((top + bottom) / 2 - middle);
  };
  const nearest = viewers.reduce((best, one) => (far(one) < far(best) ? one : best), viewers[0]);
  if (nearest && far(nearest) < Infinity) {
    event.preventDefault();
    nearest.move(way);
  }
});
