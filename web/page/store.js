// A store: its standing, its games by filters, and a game to step through. A tournament that is being played changes all of it.

import { button, drawing, make, onSubmit } from "/shared/elements.js";
import { Replay, stepByKeys } from "/shared/replay.js";
import { last } from "./header.js";

const LOST = ["nothing", "1 (won to drawn, or drawn to lost)", "2 (won to lost)"];
const FILTERS = ["game", "policy", "against", "result", "lost"];

export class StoreView {
  constructor(root, { name, connection, write, signal }) {
    Object.assign(this, { root, name, connection, write, signal });
    this.fields = { name };
    this.done = make("p", { class: "done", role: "status" });
    this.meter = make("progress", { max: 1, value: 0, "aria-label": "Games played" });
    this.newest = make("a", { class: "newest", hidden: "" });
    this.replay = make("section", { class: "replay", "aria-label": "Game", hidden: "" });
    this.tables = make("div", { class: "results" });
    this.filters = make("form", { class: "filters", "aria-label": "Filters" });
    this.list = make("tbody");
    this.more = button({ hidden: "" }, () => this.look(this.after), "More games");
    this.message = make("p", { class: "note", role: "status" });
    this.build();
    stepByKeys(() => (this.player ? [this.player] : []));
  }

  build() {
    const heads = ["game", "first player", "second player", "ended", "largest blunder"];
    const head = make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text))));
    const region = { class: "scroll", tabindex: 0, role: "region", "aria-label": "Games" };
    const table = make("div", region, make("table", { class: "games" }, head, this.list));
    const heading = make("div", { class: "heading" }, make("div", {}, make("h2", {}, last(this.name)), this.done, this.meter), this.newest);
    const games = make("section", { "aria-label": "List of games" }, make("h3", {}, "Games"), this.filters, table, this.message, this.more);
    this.root.replaceChildren(heading, this.replay, this.tables, games);
    this.filters.addEventListener("change", () => this.filter());
    onSubmit(this.filters, () => {});
  }

  // ---- what the server says

  update(news) {
    const isFirst = !this.news;
    this.news = news;
    const { done, total } = news;
    this.done.textContent = done < total ? `${done.toLocaleString("en")} of ${total.toLocaleString("en")} games` : `${done.toLocaleString("en")} games`;
    this.meter.max = Math.max(total, 1);
    this.meter.value = done;
    this.meter.hidden = done >= total;
    this.tables.replaceChildren(...news.games.map((game) => this.section(game)));
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
    for (const select of this.filters.querySelectorAll("select")) select.value = fields[select.name] ?? "";
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
    const choices = {
      game: ["Game", "any", games.map(({ game }) => [game, game])],
      policy: ["Policy", "any", policies.map((policy) => [policy, policy])],
      against: ["Against", "any", policies.map((policy) => [policy, policy])],
      result: ["Result", "any", [["won", "won"], ["drawn", "drawn"], ["lost", "lost"]]],
      lost: ["Value lost in a move, at least", LOST[0], [["1", LOST[1]], ["2", LOST[2]]]],
    };
    const fields = Object.entries(choices).map(([name, [label, any, options]]) => {
      const made = [["", any], ...options].map(([value, text]) => make("option", { value }, text));
      const select = make("select", { name }, ...made);
      select.value = this.fields[name] ?? "";
      return make("label", {}, label, select);
    });
    this.filters.replaceChildren(...fields);
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
    const lost = game.lost === null ? "not known" : LOST[game.lost].split(" ")[0];
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
