// Answers the requests of the page (web/requests.py) in the page itself, with the fields that the server gives (web/server.py).
//
// It asks three others, which are given to it:
//
//   boards    viewOf(game, start, moves)     what `show` answers (web/positions.py)
//             readLine(game, start, moves)   { states, actions }: every state of a line, and the actions between them
//   policies  makePolicy(spec, game)         a policy
//   oracles   makeOracle(game)               an oracle, the same one for all who ask
//
// Each of these may be async; what else it answers lies in files as it is. A policy has
//
//   act(state, key, work, before)     the action that it plays. The key is all its randomness, a BigInt of 64 bits; `before` is the line
//                                     that led here, { states, actions }, for those that remember the positions they left
//   analyse(state, key, work)         what it thinks, for the player to move: its `action`, and as far as it states them the `value` and
//                                     the `priorValue` of the position, the actions of the `line` that it expects, and of each action,
//                                     in arrays of game.numActions: `probabilities`, `priors`, `values`, `visits`, `evaluations`, `proofs`
//                                     (agents/answers.py: Analysis). Without it, its action is all that is known.
//
// and an oracle
//
//   reach                             what it knows, in words
//   after(state, action, work)        { value, distance, score } of an action for the player who takes it, each null where not known
//
// `work` (work.js) is the request: await work.pause() between slices of work of a few milliseconds, and work.progress(share) where
// much must be done first. A policy is asked one question at a time; its game has kernels of its own (game.kernels), whose arrays last
// over pauses; what was made within kernels.during(…) is free again afterwards, also where a pause throws because the request was
// stopped. Files come from await game.kernels.file(name), as a Uint8Array.

import { Game } from "../kernels/games.js";
import { derive } from "../kernels/policies.js";
import { Work } from "./work.js";

const MOST_POLICIES = 4; // that stay ready, each with memory of its own
const PART = 100; // milliseconds after which the moves that are judged are sent
const UNPROVEN = 2;
const COLUMNS = { probability: "probabilities", prior: "priors", value: "values", visits: "visits", evaluation: "evaluations", proof: "proofs" };

export class Desk {
  // `offers` is what `offer` answers; `send(message)` sends an answer to the page.
  constructor(kernels, offers, { boards, policies, oracles }, send) {
    Object.assign(this, { kernels, offers, boards, oracles, send });
    this.games = new Map();
    this.works = new Map();
    this.policies = new Shelf(MOST_POLICIES, async (name) => policies.makePolicy(name.policy, await this.gameApart(name.game)));
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
    return this.boards.viewOf(this.game(game), start, moves);
  }

  // How a variant is taught (web/lessons.py).
  teach({ game }) {
    return this.documentOf(game, "lessons.json");
  }

  // The puzzles of a variant, the easiest first.
  puzzles({ game }) {
    return this.documentOf(game, "puzzles.json");
  }

  // The move that a policy plays; it depends only on the line and the seed.
  async answer({ game, start = null, moves = [], policy, seed = 0 }, work) {
    const line = await this.readUnfinished(game, start, moves);
    const key = this.keyOf(seed, moves);
    const action = await this.policies.lend({ policy, game }, work, (player) => player.act(line.state, key, work, line));
    return { move: this.legalMove(line, policy, action) };
  }

  // A policy's opinion of the moves, for the player to move.
  async opine({ game, start = null, moves = [], policy }, work) {
    const line = await this.readUnfinished(game, start, moves);
    const key = this.keyOf(0, moves);
    const analysis = await this.policies.lend({ policy, game }, work, async (player) =>
      player.analyse ? player.analyse(line.state, key, work) : { action: await player.act(line.state, key, work) },
    );
    const opinion = { move: this.legalMove(line, policy, analysis.action), line: null, moves: {} };
    if (analysis.line) opinion.line = Array.from(analysis.line, (action) => line.game.about.moves[action]);
    Object.assign(opinion, { value: numberOf(analysis.value), prior_value: numberOf(analysis.priorValue) });
    for (const action of line.game.legal(line.state)) {
      const entries = Object.entries(COLUMNS).map(([name, column]) => [name, numberOf(analysis[column]?.[action])]);
      const numbers = Object.fromEntries(entries);
      if (numbers.proof === UNPROVEN) numbers.proof = null;
      opinion.moves[line.game.about.moves[action]] = numbers;
    }
    return opinion;
  }

  // The verdicts on all legal moves, in parts as they come, and at last the verdict on the position.
  async judge({ game, start = null, moves = [] }, work) {
    const line = await this.readLine(game, start, moves);
    const oracle = await this.oracles.makeOracle(line.game);
    const [verdicts, legal] = [{}, line.outcome === null ? line.game.legal(line.state) : []];
    let [fresh, began] = [{}, performance.now()];
    for (const [place, action] of legal.entries()) {
      const name = line.game.about.moves[action];
      const { value, distance, score } = await oracle.after(line.state, action, work);
      verdicts[name] = fresh[name] = { value, distance: distance ?? null, score: score ?? null };
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

  // A game with kernels of its own.
  async gameApart(spec) {
    return new Game(await this.kernels.another(), spec);
  }

  // A line with its game, its last state, and its outcome, which is null while the game goes on.
  async readLine(spec, start, moves) {
    const game = this.game(spec);
    const { states, actions } = await this.boards.readLine(game, start, moves);
    const state = states.at(-1);
    return { game, states, actions, state, outcome: game.outcome(state, actions.length) };
  }

  async readUnfinished(spec, start, moves) {
    const line = await this.readLine(spec, start, moves);
    if (line.outcome !== null) throw new Error("the game is over, so there is no move to play");
    return line;
  }

  keyOf(seed, moves) {
    return derive(this.kernels, BigInt(seed), moves.length);
  }

  legalMove({ game, state }, policy, action) {
    if (!game.legal(state).includes(action)) throw new Error(`${policy} chose action ${action}, which is not legal here`);
    return game.about.moves[action];
  }
}

// Keeps what was used last, and lends each to one borrower at a time.
class Shelf {
  constructor(most, make) {
    Object.assign(this, { most, make });
    this.items = new Map();
  }

  // What `use` returns of the thing with this name, once those who came before have given it back.
  async lend(name, work, use) {
    const key = JSON.stringify(name);
    const item = this.items.get(key) ?? { thing: this.make(name), free: Promise.resolve() };
    this.items.delete(key);
    this.items.set(key, item); // the last one now
    if (this.items.size > this.most) this.items.delete(this.items.keys().next().value);
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
export function bestVerdict(verdicts) {
  const value = verdicts.reduce((best, { value }) => (value !== null && (best === null || value > best) ? value : best), null);
  if (value === null || (value !== 1 && verdicts.some((verdict) => verdict.value === null))) return { value: null, distance: null, score: null };
  const best = verdicts.filter((verdict) => verdict.value === value);
  const extreme = (choose, numbers) => (numbers.includes(null) ? null : choose(...numbers));
  const soonest = value === 1 ? Math.min : Math.max; // the winner hurries, the loser delays
  return {
    value,
    distance: value ? extreme(soonest, best.map(({ distance }) => distance)) : null,
    score: verdicts.some((verdict) => verdict.value === null) ? null : extreme(Math.max, best.map(({ score }) => score)),
  };
}

// A number with four decimals as Python rounds it, to the even one of two that are as near; null where it is not known.
export function numberOf(number) {
  if (number === undefined || number === null || !Number.isFinite(Number(number))) return null;
  const exact = Number(number);
  const thirtySeconds = exact * 32; // an odd number of them lies between two that have four decimals
  if (!Number.isInteger(thirtySeconds) || thirtySeconds % 2 === 0) return Number(exact.toFixed(4));
  const below = Math.floor(exact * 10000);
  return (below + Math.abs(below % 2)) / 10000;
}
