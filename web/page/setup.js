// The form for a new game: the variant, the opponent's level and your side; under "More", any policy with its settings on either side.
//
// What counts stands in the fields under "More". The levels and the sides are short ways to fill them, and show what they say.

import { make, onSubmit } from "/shared/elements.js";
import { YOU, nameSide } from "./game.js";

export class Setup {
  // `begin({ game, players }, isAtOnce)` is called with what the form says: by its button, or at once while no move is made.
  constructor(form, offers, begin) {
    Object.assign(this, { form, offers, begin });
    this.seats = [...form.querySelectorAll(".player")];
    for (const seat of this.seats) {
      const choice = seat.querySelector("select");
      choice.addEventListener("change", () => this.showSettings(seat, choice.value));
    }
    form.addEventListener("change", ({ target }) => this.change(target.name));
    onSubmit(form, () => begin(this.chosen, false));
  }

  // What the form says: { game, players }.
  get chosen() {
    return { game: this.form.game.value, players: this.seats.map(player) };
  }

  // Shows who plays what. What was chosen for the next game stays while this one goes on.
  show({ game, players, top }) {
    this.isFresh = !top.children.length;
    const current = JSON.stringify({ game, players });
    const isOther = current !== this.current;
    if (isOther) {
      this.current = current;
      this.of = this.offerOf(game);
      const variants = [...new Set([...this.of.variants, game])];
      this.form.game.replaceChildren(...variants.map((spec) => new Option(describeVariant(spec), spec, spec === game, spec === game)));
      this.form.game.closest("label").hidden = variants.length < 2;
      this.seats.forEach((seat, i) => {
        seat.querySelector("legend").textContent = describeSide(this.of.players[i], i);
        this.fill(seat, players[i]);
      });
      const sides = this.of.players.map((name, i) => chip("side", i, describeSide(name, i)));
      this.find("#sides").replaceChildren(make("legend", {}, "You play"), ...sides);
    }
    this.reflect();
    if (isOther && !this.find("[name=level]:checked")) this.find("#more").open = true;
  }

  offerOf(game) {
    return this.offers.games.find(({ name }) => name === split(game)[0]) ?? this.offers.games[0];
  }

  // The names of the policies that play a variant.
  policies(game) {
    return this.offerOf(game).policies.filter(({ variants }) => variants?.includes(game) ?? true).map(({ name }) => name);
  }

  // Whether a policy with its settings may be chosen for a game.
  offersPolicy(spec, game) {
    const names = this.policies(game);
    return names.includes(spec) || names.includes(spec.split(":")[0]);
  }

  // The levels of a variant, each { name, policy, sentence }, from the weakest on.
  levels(game) {
    const { name, levels } = this.offerOf(game);
    return levels[game] ?? levels[name];
  }

  // The level that a policy is in a game, if it is one.
  levelOf(game, policy) {
    return this.levels(game).find((level) => level.policy === policy);
  }

  // ---- what the user changes

  change(name) {
    if (name === "level") this.chooseLevel(this.form.level.value);
    else if (name === "side") this.seat(this.form.side.value, this.opponent);
    else if (name === "game") this.chooseVariant(this.form.game.value);
    this.reflect();
    if (this.isFresh && ["level", "side", "game"].includes(name)) this.begin(this.chosen, true);
  }

  chooseLevel(policy) {
    if (policy === YOU) for (const seat of this.seats) this.fill(seat, YOU);
    else this.seat(this.form.side.value || "0", policy);
  }

  // In another variant the same level may be another policy.
  chooseVariant(game) {
    const same = this.levels(game).find(({ name }) => name === this.level?.name);
    if (same) this.chooseLevel(same.policy);
    else for (const seat of this.seats) this.fill(seat, player(seat));
  }

  // Gives you a side, and a policy the other.
  seat(side, policy) {
    this.seats.forEach((seat, i) => this.fill(seat, i === Number(side) ? YOU : policy));
  }

  // Who plays against you.
  get opponent() {
    return this.chosen.players.find((policy) => policy !== YOU) ?? YOU;
  }

  // ---- what the form shows

  fill(seat, spec) {
    const isNamed = this.of.policies.some(({ name }) => name === spec);
    const [policy, texts] = isNamed ? [spec, {}] : split(spec);
    fill(seat.querySelector("select"), [YOU, ...this.policies(this.form.game.value)], policy);
    this.showSettings(seat, policy, texts);
  }

  showSettings(seat, name, texts = {}) {
    const { settings = [] } = this.of.policies.find((policy) => policy.name === name) ?? {};
    const fields = settings.map(({ name: setting, default: usual, meaning, allowed }) => {
      const input = make("input", { "data-setting": setting, placeholder: usual, value: texts[setting] ?? "", autocomplete: "off" });
      const title = [meaning, allowed].filter(Boolean).join(" — ");
      return make("label", { title }, `${setting.replaceAll("_", " ")} `, input);
    });
    const details = make("details", {}, make("summary", {}, "Settings"), make("div", {}, ...fields));
    details.open = Object.keys(texts).length > 0;
    seat.querySelector(".settings").replaceChildren(...(fields.length ? [details] : []));
  }

  // Shows the level and the side that the fields say, if they are one.
  reflect() {
    const { game, players } = this.chosen;
    const mine = players.indexOf(YOU);
    const isHotSeat = mine === 0 && players[1] === YOU;
    this.level = mine < 0 ? undefined : this.levelOf(game, this.opponent);
    this.offerLevels(this.levels(game));
    for (const input of this.form.querySelectorAll("[name=level]")) input.checked = input.value === (isHotSeat ? YOU : this.level?.policy);
    for (const input of this.form.querySelectorAll("[name=side]")) input.checked = !isHotSeat && Number(input.value) === mine;
    this.find("#sides").hidden = isHotSeat || mine < 0;
    this.find("#about").textContent = isHotSeat ? "Two people take turns at this screen." : (this.level?.sentence ?? "");
    this.find("#later").hidden = this.isFresh || JSON.stringify(this.chosen) === this.current;
  }

  offerLevels(levels) {
    const names = JSON.stringify(levels);
    if (names === this.offered) return;
    this.offered = names;
    const chips = levels.map(({ name, policy }) => chip("level", policy, capitalize(name)));
    this.find("#levels").replaceChildren(make("legend", {}, "Opponent"), ...chips, chip("level", YOU, "A person here"));
  }

  find(selector) {
    return this.form.querySelector(selector);
  }
}

// One of some choices, as a button that stays down.
function chip(name, value, words) {
  return make("label", { class: "chip" }, make("input", { type: "radio", name, value }), make("span", {}, words));
}

// Who plays a side, as the form says: YOU, or a policy's spec.
function player(seat) {
  const given = [...seat.querySelectorAll("[data-setting]")].filter((input) => input.value.trim());
  const settings = given.map((input) => `${input.dataset.setting}=${input.value.trim()}`).join(",");
  const name = seat.querySelector("select").value;
  return settings ? `${name}:${settings}` : name;
}

function split(spec) {
  const [name, ...rest] = spec.split(":");
  return [name, Object.fromEntries(rest.join(":").split(",").filter(Boolean).map((part) => part.split("=")))];
}

// A side in words: its name and whether it begins; "First player" where the game has no name for it.
function describeSide(name, i) {
  return nameSide(name) === name ? `${capitalize(name)}, ${i ? "second" : "first"}` : capitalize(nameSide(name));
}

// A variant in words: "size 4", "heaps 1+3+5, limit 3, misere".
function describeVariant(spec) {
  const settings = Object.entries(split(spec)[1]).map(([name, value]) => (value === "true" ? name : `${name} ${value}`));
  return settings.join(", ") || "standard";
}

export function capitalize(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function fill(select, options, chosen) {
  select.replaceChildren(...options.map((option) => new Option(option, option, option === chosen, option === chosen)));
}
