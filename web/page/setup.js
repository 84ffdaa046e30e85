// The form for a new game: the variant, and who plays each side, with the settings of policies.

import { YOU } from "./game.js";

export class Setup {
  // `begin({ game, players })` is called with what the form says.
  constructor(form, offers, begin) {
    this.form = form;
    this.offers = offers;
    this.sides = [...form.querySelectorAll(".player")];
    for (const side of this.sides) {
      const choice = side.querySelector("select");
      choice.addEventListener("change", () => this.settings(side, choice.value));
    }
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      begin({ game: form.game.value, players: this.sides.map(player) });
    });
  }

  // Shows who plays what. What was chosen for the next game stays while this one goes on.
  show({ game, players }) {
    const current = JSON.stringify([game, players]);
    if (current === this.current) return;
    this.current = current;
    const name = split(game)[0];
    this.of = this.offers.games.find((offer) => offer.name === name) ?? this.offers.games[0];
    fill(this.form.game, [...new Set([...this.of.variants, game])], game);
    this.sides.forEach((side, i) => {
      const isNamed = this.of.policies.some((policy) => policy.name === players[i]);
      const [policy, texts] = isNamed ? [players[i], {}] : split(players[i]);
      side.querySelector("legend").textContent = `${i ? "Second" : "First"}: ${this.of.players[i]}`;
      fill(side.querySelector("select"), [YOU, ...this.policies(game)], policy);
      this.settings(side, policy, texts);
    });
  }

  // The names of the policies that play a variant.
  policies(game) {
    return this.of.policies.filter(({ variants }) => variants?.includes(game) ?? true).map(({ name }) => name);
  }

  // Whether a policy with its settings may be chosen for a game.
  offersPolicy(spec, game) {
    const { policies } = this.offers.games.find(({ name }) => name === split(game)[0]) ?? { policies: [] };
    const policy = policies.find(({ name }) => name === spec || name === spec.split(":")[0]);
    return policy !== undefined && (policy.variants?.includes(game) ?? true);
  }

  settings(side, name, texts = {}) {
    const { settings = [] } = this.of.policies.find((policy) => policy.name === name) ?? {};
    const fields = settings.map((setting) => {
      const label = document.createElement("label");
      const input = document.createElement("input");
      input.dataset.setting = setting.name;
      input.placeholder = setting.default;
      label.title = [setting.meaning, setting.allowed].filter(Boolean).join(" — ");
      input.value = texts[setting.name] ?? "";
      input.autocomplete = "off";
      label.append(`${setting.name.replaceAll("_", " ")} `, input);
      return label;
    });
    const details = document.createElement("details");
    const summary = document.createElement("summary");
    summary.textContent = "Settings";
    details.open = Object.keys(texts).length > 0;
    const grid = document.createElement("div");
    grid.append(...fields);
    details.append(summary, grid);
    side.querySelector(".settings").replaceChildren(...(fields.length ? [details] : []));
  }
}

// Who plays a side, as the form says: YOU, or a policy's spec.
function player(side) {
  const given = [...side.querySelectorAll("[data-setting]")].filter((input) => input.value.trim());
  const settings = given.map((input) => `${input.dataset.setting}=${input.value.trim()}`).join(",");
  const name = side.querySelector("select").value;
  return settings ? `${name}:${settings}` : name;
}

function split(spec) {
  const [name, ...rest] = spec.split(":");
  return [name, Object.fromEntries(rest.join(":").split(",").filter(Boolean).map((part) => part.split("=")))];
}

export function fill(select, options, chosen) {
  select.replaceChildren(...options.map((option) => new Option(option, option, option === chosen, option === chosen)));
}
