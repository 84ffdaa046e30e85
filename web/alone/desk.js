// Answers the requests of the page (web/requests.py) in the page itself, with the fields that the server gives (web/server.py). What it
// asks of policies and oracles stands at Policy (kernels/policy.js) and Oracle (kernels/oracles/oracle.js).
//
// A policy is asked one question at a time; its game has kernels of its own, whose arrays last over pauses.

import { readLine, viewOf } from "../kernels/boards.js";
import { Game } from "../kernels/games.js";
import { makeOracle } from "../kernels/oracles.js";
import { makePolicy } from "../kernels/policies.js";
import { derive } from "../kernels/policy.js";
import { Work } from "./work.js";

const MOST_POLICIES = 4; // that stay ready, each with memory of its own
const PART = 100; // milliseconds after which the moves that are judged are sent
const COLUMNS = { probability: "probabilities", prior: "priors", value: "values", visits: "visits", evaluation: "evaluations", proof: "proofs" };

export class Desk {
  // `offers` is what `offer` answers; `send(message)` sends an answer to the page.
  constructor(kernels, offers, send) {
    Object.assign(this, { kernels, offers, send });
    this.games = new Map();
    this.works = new Map();
    this.policies = new Shelf(async ({ policy, game }) => makePolicy(policy, new Game(await kernels.another(), game)));
    const { offer, show, answer, judge, opine, teach, puzzles } = this;
    this.requests = { offer, show, answer, judge, opine, teach, puzzles };
  }

  // Starts or stops what a message asks for.
  hear({ type, id, ...fields }) {
    if (type === "stop") {
      this.works.get(id)?.stop();
      this.send({ stopped: id }); // so that the page knows that it was heard
      return;
    }
    const work = new Work((part) => this.send({ id, ...part }));
    this.works.set(id, work);
    this.reply(type, fields, work).then((answer) => {
      this.works.delete(id);
      if (!work.isStopped) this.send({ id, ...answer });
    });
  }

  // The answer to a request, or a sentence about what is wrong with it.
  async reply(type, fields, work) {
    try {
      const request = this.requests[type];
      if (!request) throw new Error(`the page alone answers ${Object.keys(this.requests).join(", ")}, not ${type}`);
      return await request.call(this, fields, work);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return { error: error.message };
    }
  }

  offer() {
    return this.offers;
  }

  async show({ game, start = null, moves = [], policies = [] }, work) {
    for (const policy of policies) await this.policies.lend({ policy, game }, work, () => {});
    return viewOf(this.game(game), start, moves);
  }

  // How a variant is taught.
  teach({ game }) {
    return this.documentOf(game, "lessons.json");
  }

  // The puzzles of a variant, the easiest first.
  puzzles({ game }) {
    return this.documentOf(game, "puzzles.json");
  }

  // The move that a policy plays; it depends only on the line and the seed.
  async answer(request, work) {
    const line = this.readUnfinished(request);
    const action = await this.policies.lend(request, work, (player) => player.act(line.state, line.key, work, line));
    return { move: line.legalMove(action) };
  }

  // A policy's opinion of the moves, for the player to move.
  async opine(request, work) {
    const line = this.readUnfinished({ ...request, seed: 0 });
    const analysis = await this.policies.lend(request, work, (player) => player.analyse(line.state, line.key, work));
    const columns = Object.entries(COLUMNS).map(([name, column]) => [name, analysis[column] ?? []]);
    const numbers = (action) => Object.fromEntries(columns.map(([name, column]) => [name, numberOf(column[action])]));
    const nameOf = (action) => line.game.about.moves[action];
    return {
      move: line.legalMove(analysis.action),
      line: analysis.line ? Array.from(analysis.line, nameOf) : null,
      value: numberOf(analysis.value),
      prior_value: numberOf(analysis.priorValue),
      moves: Object.fromEntries(line.legal.map((action) => [nameOf(action), numbers(action)])),
    };
  }

  // The verdicts on all legal moves, in parts as they come, and at last the verdict on the position.
  async judge(request, work) {
    const { game, state, legal } = this.readLine(request);
    const oracle = await makeOracle(game);
    const verdicts = {};
    let [fresh, began] = [{}, performance.now()];
    for (const [place, action] of legal.entries()) {
      const name = game.about.moves[action];
      verdicts[name] = fresh[name] = await oracle.after(state, action, work);
      await work.pause();
      if (performance.now() - began < PART || place === legal.length - 1) continue;
      work.part({ left: legal.length - 1 - place, moves: fresh });
      [fresh, began] = [{}, performance.now()];
    }
    return { moves: verdicts, reach: oracle.reach, ...bestVerdict(Object.values(verdicts)) };
  }

  // ---- what the requests are about

  // What a file says of a variant.
  async documentOf(spec, name) {
    const documents = JSON.parse(new TextDecoder().decode(await this.kernels.file(name)));
    return documents[this.game(spec).spec];
  }

  game(spec) {
    if (!this.games.has(spec)) this.games.set(spec, new Game(this.kernels, spec));
    return this.games.get(spec);
  }

  // A line with its game, its last state and the actions that are legal there, none once the game is over.
  readLine({ game: spec, start = null, moves = [] }) {
    const game = this.game(spec);
    const { states, actions } = readLine(game, start, moves);
    const state = states.at(-1);
    return { game, states, actions, state, legal: game.outcome(state, actions.length) === null ? game.legal(state) : [] };
  }

  // A line at whose end a policy is asked, with the key of its randomness, and `legalMove(action)`, the name of its answer.
  readUnfinished({ policy, seed = 0, ...request }) {
    const line = this.readLine(request);
    const { game, actions, legal } = line;
    if (!legal.length) throw new Error("the game is over, so there is no move to play");
    const legalMove = (action) => {
      if (!legal.includes(action)) throw new Error(`${policy} chose action ${action}, which is not legal here`);
      return game.about.moves[action];
    };
    return { ...line, key: derive(this.kernels, BigInt(seed), actions.length), legalMove };
  }
}

// Keeps the policies that were asked last, and lends each to one borrower at a time.
class Shelf {
  items = new Map();

  constructor(make) {
    this.make = make;
  }

  // What `use` returns of a policy for a game, once those who came before have given it back.
  async lend({ policy, game }, work, use) {
    const key = JSON.stringify([policy, game]);
    const item = this.items.get(key) ?? { thing: this.make({ policy, game }), free: Promise.resolve() };
    this.items.delete(key);
    this.items.set(key, item); // the last one now
    if (this.items.size > MOST_POLICIES) this.items.delete(this.items.keys().next().value);
    const before = item.free;
    let giveBack;
    item.free = new Promise((done) => (giveBack = done));
    try {
      await before;
      await work.pause();
      return await use(await item.thing);
    } catch (error) {
      item.thing.catch(() => this.items.delete(key)); // it could not be made
      throw error;
    } finally {
      giveBack();
    }
  }
}

// The verdict on a position for the player to move, from the verdicts on all its moves. It is known if a move is known to win, or if
// all moves are known.
function bestVerdict(verdicts) {
  const values = verdicts.map(({ value }) => value);
  const value = Math.max(...values.filter((each) => each !== null)); // -Infinity where none is known
  if (value !== 1 && (!values.length || values.includes(null))) return { value: null, distance: null, score: null };
  const best = verdicts.filter((verdict) => verdict.value === value);
  const [distances, scores] = ["distance", "score"].map((name) => best.map((verdict) => verdict[name]));
  const soonest = value === 1 ? Math.min : Math.max; // the winner hurries, the loser delays
  return {
    value,
    distance: value && !distances.includes(null) ? soonest(...distances) : null,
    score: [...values, ...scores].includes(null) ? null : Math.max(...scores),
  };
}

// A number with four decimals as Python rounds it, to the even one of two that are as near; null where it is not known.
function numberOf(number) {
  const exact = Number(number ?? NaN);
  if (!Number.isFinite(exact)) return null;
  const thirtySeconds = exact * 32; // an odd number of them lies between two that have four decimals
  if (!Number.isInteger(thirtySeconds) || thirtySeconds % 2 === 0) return Number(exact.toFixed(4));
  const below = Math.floor(exact * 10000);
  return (below + Math.abs(below % 2)) / 10000;
}
