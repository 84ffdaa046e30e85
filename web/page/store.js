// A store: its standing, its games by filters, and a game to step through. A tournament that is being played changes all of it.

import { button, drawing, find, make, onSubmit } from "/shared/elements.js";
import { Replay, stepByKeys } from "/shared/replay.js";
import { last, progress } from "./header.js";

const FILTERS = ["game", "policy", "against", "result", "lost"];

export class StoreView {
  constructor(root, { name, connection, write, signal }) {
    Object.assign(this, { name, connection, write, signal });
    this.fields = { name };
    root.append(find("#store").content.cloneNode(true));
    for (const part of ["done", "newest", "replay", "results", "filters", "more", "message"]) this[part] = root.querySelector(`.${part}`);
    this.meter = root.querySelector("progress");
    this.list = root.querySelector("tbody");
    root.querySelector("h2").textContent = last(name);
    this.more.addEventListener("click", () => this.look(this.after));
    this.filters.addEventListener("change", () => this.filter());
    onSubmit(this.filters, () => {});
    stepByKeys(() => (this.player ? [this.player] : []));
  }

  // ---- what the server says

  update(news) {
    const isFirst = !this.news;
    this.news = news;
    const { done, total } = news;
    this.done.textContent = progress(done, total, "games");
    this.meter.max = Math.max(total, 1);
    this.meter.value = done;
    this.meter.hidden = done >= total;
    this.results.replaceChildren(...news.games.map((game) => this.section(game)));
    this.announce(news.newest);
    if (isFirst) this.offer();
    if (isFirst || !this.isDeep) this.look(null);
  }

  section({ title, html }) {
    const parsed = new DOMParser().parseFromString(html, "text/html").body; // made by the server, which escapes all names
    const nodes = [...parsed.childNodes].map((node) => document.importNode(node, true));
    return make("section", { "aria-label": title }, make("h2", {}, title), ...(nodes.length ? nodes : ["No game yet."]));
  }

  announce(newest) {
    this.newest.hidden = !newest;
    if (!newest) return;
    const words = make("span", {}, make("small", {}, "Newest game"), make("b", {}, newest.players.join(" – ")), newest.ending);
    this.newest.href = this.address(newest);
    this.newest.replaceChildren(drawing(newest.svg, `The newest game: ${newest.ending}`), words);
  }

  // The filters that are set.
  get wanted() {
    return Object.fromEntries(FILTERS.filter((name) => this.fields[name]).map((name) => [name, this.fields[name]]));
  }

  address({ pairing, number }) {
    return `#${new URLSearchParams({ name: this.name, ...this.wanted, pairing, number })}`;
  }

  // ---- the address

  load(fields) {
    const before = this.fields;
    this.fields = fields;
    this.fillFilters();
    if (this.news && FILTERS.some((name) => before[name] !== fields[name])) this.look(null);
    const isNew = before.pairing !== fields.pairing || before.number !== fields.number;
    if (fields.number !== undefined && isNew) this.show(fields);
    else if (fields.number === undefined) this.hide();
    else this.player?.go(Number(fields.ply ?? this.player.ply));
  }

  // ---- the list

  offer() {
    const { pairings, games } = this.news;
    const policies = [...new Set(pairings.flatMap(({ a, b }) => [a, b]))].sort();
    const choices = { game: games.map(({ game }) => game), policy: policies, against: policies };
    for (const [name, options] of Object.entries(choices)) this.filters[name].append(...options.map((option) => new Option(option)));
    this.fillFilters();
  }

  fillFilters() {
    for (const name of FILTERS) this.filters[name].value = this.fields[name] ?? "";
  }

  filter() {
    const { pairing, number, ply } = this.fields;
    this.fields = { name: this.name, ...Object.fromEntries(new FormData(this.filters)), pairing, number, ply };
    this.write(this.fields);
    this.look(null);
  }

  // Lists games after one of them, or from the first on.
  async look(after) {
    this.isDeep = after !== null;
    const round = (this.round = (this.round ?? 0) + 1);
    const { lost = 0, ...wanted } = this.wanted;
    try {
      const question = { store: this.name, ...wanted, lost: Number(lost), after };
      const answer = await this.connection.ask("games", question, this.signal);
      if (round !== this.round) return;
      const rows = answer.games.map((game) => this.row(game));
      if (after) this.list.append(...rows);
      else this.list.replaceChildren(...rows);
      this.after = answer.after;
      this.more.hidden = !answer.after;
      const count = this.list.children.length;
      this.message.textContent = count ? "" : answer.after ? "None so far; press More games to go on." : "No such game.";
      this.point();
    } catch (error) {
      if (error.name !== "AbortError") this.message.textContent = error.message;
    }
  }

  row(game) {
    const href = this.address(game);
    const link = make("a", { href }, `${game.number + 1}`);
    const names = game.players.map((name) => make("td", { class: "name", "data-tip": name }, name));
    const lost = game.lost === null ? "not known" : game.lost || "nothing";
    const row = make("tr", { "data-game": `${game.pairing}/${game.number}` }, make("th", { scope: "row" }, link, make("small", {}, game.game)));
    row.append(...names, make("td", {}, game.ending), make("td", { class: game.lost ? "blunder" : "quiet" }, lost));
    row.addEventListener("click", () => (location.hash = href));
    return row;
  }

  point() {
    for (const row of this.list.children) {
      const isOpen = row.dataset.game === `${this.fields.pairing}/${this.fields.number}`;
      row.toggleAttribute("data-open", isOpen);
    }
  }

  // ---- a game

  async show({ pairing, number, ply }) {
    try {
      if (![pairing, number].every((part) => /^\d{1,15}$/.test(part))) throw new Error(`There is no game ${pairing}, ${number} in the address.`);
      const question = { store: this.name, pairing: Number(pairing), number: Number(number) };
      const record = await this.connection.ask("replay", question, this.signal);
      if (this.fields.number !== number || this.fields.pairing !== pairing) return;
      const stage = make("div", {});
      const link = make("a", { class: "on" }, "Play on from here");
      const shut = button({ class: "shut" }, () => this.shut(), "Close");
      this.replay.replaceChildren(make("div", { class: "bar" }, make("h3", {}, record.players.join(" – ")), link, shut), stage);
      this.replay.hidden = false;
      this.player = new Replay(stage, record.film, (_, at) => this.at(at, record, link));
      if (ply !== undefined) this.player.go(Number(ply));
      this.replay.scrollIntoView({ block: "nearest" });
    } catch (error) {
      if (error.name === "AbortError") return;
      this.replay.hidden = false;
      this.replay.replaceChildren(make("p", { class: "problem", role: "alert" }, error.message));
    }
    this.point();
  }

  at(ply, record, link) {
    this.fields = { ...this.fields, ply };
    this.write(this.fields, true);
    const [game] = record.film.games;
    const moves = game.moves.slice(0, ply).map(({ move }) => move);
    const mover = game.moves[ply]?.by ?? 0;
    const players = record.players.map((player, i) => (i === mover ? "you" : player));
    const start = record.start === null ? {} : { start: record.start };
    const fields = { game: record.game, ...start, first: players[0], second: players[1], moves: moves.join(","), analyse: "" };
    link.href = `/#${new URLSearchParams(fields)}`;
  }

  shut() {
    const { pairing, number, ply, ...rest } = this.fields;
    this.write(rest);
    this.load(rest);
  }

  hide() {
    this.player?.stop();
    this.player = null;
    this.replay.hidden = true;
    this.replay.replaceChildren();
    this.point();
  }
}
