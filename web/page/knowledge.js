// What is known of the positions of games: what perfect play says, and where it does not reach, what a search estimates.

import { isExact } from "./verdicts.js";

const MOST = 5000; // positions that are remembered
const ESTIMATOR = "mcts:simulations=2000";

export class Knowledge {
  constructor(connection) {
    this.connection = connection;
    this.positions = new Map();
  }

  // What is known of the last position of a line { game, start, moves }: the verdicts on its moves by their names; `value`, `distance`
  // and `score` of the position, or else its `estimate`, for the player to move; `done` once nothing more is to come.
  of(line) {
    const name = JSON.stringify([line.game, line.start, line.moves]);
    if (!this.positions.has(name)) this.positions.set(name, { moves: {}, value: null, done: false });
    if (this.positions.size > MOST) this.positions.delete(this.positions.keys().next().value);
    return this.positions.get(name);
  }

  // Asks the server about a position, and calls `changed()` whenever more is known.
  async learn(line, signal, changed) {
    const known = this.of(line);
    if (known.done) return;
    let early = null; // estimates, where a table is made first
    const { moves, value, distance, score, reach } = await this.connection.ask("judge", line, signal, (part) => {
      Object.assign(known.moves, part.moves);
      known.progress = part.progress; // of that table, from 0 to 1
      if (known.progress < 1) early ??= this.estimate(line, known, signal).then(changed, () => {});
      changed();
    });
    Object.assign(known, { moves, value, distance, score, reach });
    if (Object.values(moves).some((verdict) => !isExact(verdict))) {
      changed();
      await this.estimate(line, known, signal);
    }
    known.done = true;
    changed();
  }

  async estimate(line, known, signal) {
    const opinion = await this.connection.ask("opine", { ...line, policy: ESTIMATOR }, signal);
    for (const [move, { value, proof }] of Object.entries(opinion.moves)) {
      if (!isExact(known.moves[move])) known.moves[move] = proof === null ? { estimate: value } : { value: proof };
    }
    if (known.value === null) known.estimate = opinion.value;
  }
}
