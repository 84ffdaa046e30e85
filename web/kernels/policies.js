// Policies by their specs. The searches are kernels, and JavaScript lays out their arrays, as the Python classes of the same names do.
// With the same state and key a policy plays the same move as in Python.

import { Minimax } from "./alphabeta.js";
import { AlphaZero } from "./guided.js";
import { makeOracle } from "./oracles.js";
import { AT_ONCE, Policy, shareAmong } from "./policy.js";
import { Easy, Expectimax, Frontiers, Greedy, Hard, NimSum, Random } from "./simple.js";
import { Mcts } from "./trees.js";

// The oracle's move within its reach, and the deepest search within its limits beyond it.
class Perfect extends Policy {
  async search(state, key, work = AT_ONCE) {
    const { game, kernels, nodes, data } = this;
    const action = await (await makeOracle(game)).choose(state, key, work);
    if (action !== null) return { action };
    const defaults = Object.entries(kernels.document.policies.minimax).map(([name, setting]) => [name, setting.default]);
    const weights = data.weights.map(BigInt);
    return new Minimax(game, { ...Object.fromEntries(defaults), nodes, weights, data: {} }).search(state, key, work);
  }

  async analyse(state, key, work = AT_ONCE) {
    const { game } = this;
    const choices = await (await makeOracle(game)).choices(state, work);
    const isBest = Array.from({ length: game.numActions }, (_, action) => choices.includes(action));
    return { action: await this.act(state, key, work), probabilities: choices.length ? shareAmong(isBest) : undefined };
  }
}

const POLICIES = {
  random: Random,
  greedy: Greedy,
  expectimax: Expectimax,
  minimax: Minimax,
  perfect: Perfect,
  mcts: Mcts,
  alphazero: AlphaZero,
  nim_sum: NimSum,
  easy: Easy,
  hard: Hard,
  frontiers: Frontiers,
};

// A policy of a game by its spec, such as "mcts:simulations=100".
export function makePolicy(spec, game) {
  const [name, rest = ""] = spec.split(/:(.*)/s);
  const { policies } = game.kernels.document;
  if (!Object.hasOwn(policies, name)) throw new Error(`there is no policy ${name} here; there are ${Object.keys(POLICIES).join(", ")}`);
  if (!Object.hasOwn(game.policies, name)) throw new Error(`${name} does not play ${game.spec}; ${Object.keys(game.policies).join(", ")} do`);
  const known = policies[name];
  const settings = Object.fromEntries(Object.entries(known).map(([key, setting]) => [key, setting.default]));
  for (const part of rest.split(",").filter(Boolean)) {
    const [key, value] = part.split("=").map((text) => text.trim());
    if (!Object.hasOwn(known, key)) throw new Error(`${name} has no setting ${key} here; it has ${Object.keys(known).join(", ") || "none"}`);
    settings[key] = read(value, known[key], `${name}: ${key}`);
  }
  return new POLICIES[name](game, { ...settings, data: game.policies[name] });
}

// The value of a setting that a text stands for.
function read(text, { kinds, choices, least = -Infinity, most = Infinity, above = -Infinity, allowed }, what) {
  const flags = new Map([["true", true], ["false", false]]);
  const number = Number(text);
  const isNumber = kinds.includes("number") || (kinds.includes("whole") && Number.isInteger(number));
  if (text === "none" && kinds.includes("none")) return null;
  if (flags.has(text) && kinds.includes("flag")) return flags.get(text);
  if (kinds.includes("text") && (choices?.includes(text) ?? true)) return text;
  if (text && isNumber && number >= least && number <= most && number > above) return number;
  throw new Error(`${what} is ${text}; it must be ${allowed}`);
}
