// Quarto: a search that answers whether the player to move gets a value, and a book of the first pieces (oracles/quarto).

import { AT_ONCE, below, derive } from "../policy.js";
import { movementsOf } from "../simple.js";
import { Oracle } from "./oracle.js";

export class Quarto extends Oracle {
  async prepare() {
    const [name] = this.files;
    this.book ??= readNumbers(await this.kernels.file(name), this.won);
  }

  stage(state) {
    const { game, kernels } = this;
    const stage = kernels.scope(() => game.call("stage", game.words(state)));
    return { placed: stage >> 1, holds: stage % 2 === 1 };
  }

  reaches(state) {
    const { placed } = this.stage(state);
    return placed >= this.placed || placed <= this.book_placed || this.game.outcome(state) !== null;
  }

  async solve(state, work) {
    if (!(await this.gets(state, 0, work))) return { value: -1 };
    return { value: (await this.gets(state, 1, work)) ? 1 : 0 };
  }

  // Whether the player to move gets at least a value; in a finished game, whether the one who would be next did.
  async gets(state, wanted, work) {
    if (wanted < 0 || wanted > 1) return wanted < 0; // everybody gets at least a loss, nobody more than a win
    const result = this.result(state);
    if (result !== null) return result >= wanted;
    const { placed, holds } = this.stage(state);
    if (holds) return placed <= this.book_placed ? this.inBook(state) >= wanted : this.search(state, wanted, work);
    for (const action of this.game.legal(state)) if (await this.keeps(state, action, wanted, work)) return true;
    return false;
  }

  // Whether an action gets the player who takes it at least a value.
  async keeps(state, action, wanted, work) {
    const after = this.game.play(state, action);
    // after a placement the same player gives; after that the opponent moves, who must not get more than -wanted
    return this.stage(state).holds ? this.gets(after, wanted, work) : !(await this.gets(after, 1 - wanted, work));
  }

  // As Python draws: one action after the other, until one keeps the value.
  async choose(state, key, work = AT_ONCE) {
    await this.prepare(work);
    if (!this.reaches(state)) return null;
    const { value } = await this.solve(state, work);
    const left = this.soonest(state, this.game.legal(state));
    for (let turn = 0; ; turn++) {
      const [action] = left.splice(below(derive(this.kernels, key, turn), left.length), 1);
      if (!left.length || (await this.keeps(state, action, value, work))) return action;
    }
  }

  inBook(state) {
    const { game, kernels, movements } = this;
    return kernels.scope(() => {
      const numbers = kernels.array("uint64", 1);
      game.call("number_each", game.row(state)[0], movements, numbers);
      return this.book.get(Number(numbers.data[0])) ?? 0;
    });
  }

  get movements() {
    const { kernels, cells } = this;
    return kernels.kept("movements", () => kernels.arrayOf("uint16", movementsOf(cells), cells.length, 2, 256));
  }

  async search(state, wanted, work) {
    const { game, kernels, movements } = this;
    const table = kernels.kept("answers", () => kernels.array("uint64", 2 ** this.table_bits, 2));
    const action = await this.inSlices(work, (watch) => {
      const boards = kernels.array("uint64", ...this.boards);
      const choices = kernels.array("uint64", 17, this.choices_each);
      return game.call(this.kernel, game.words(state), wanted, { boards, choices, table, movements, watch });
    });
    return action >= 0;
  }
}

// A book's numbers of positions, with 1 for those that are won, and -1 for those that are lost.
function readNumbers(bytes, won) {
  const numbers = new Uint32Array(bytes.slice().buffer);
  return new Map(Array.from(numbers, (number, place) => [number, place < won ? 1 : -1]));
}
