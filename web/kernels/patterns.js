// The patterns and the book of openings that a game may have in the page (search/patterns/page.py).

import { openFile } from "./kernels.js";
import { uniform } from "./policy.js";

// The numbers of the patterns as the evaluation takes them, four in a word. It is to be called outside of scopes, as they stay.
export async function loadPatterns(kernels, name) {
  const { head, numbers } = await openFile(kernels, name);
  return kernels.kept(name, () => expand(kernels, head, numbers));
}

function expand(kernels, { stages, atOnce, step, families }, differences) {
  const size = families.reduce((sum, { numbers }) => sum + numbers, 0);
  const words = kernels.array("int64", Math.ceil((stages * size) / 4));
  const tables = new Int16Array(kernels.memory.buffer, words.pointer, stages * size);
  let [first, next] = [0, 0];
  for (const { numbers, image } of families) {
    for (let pattern = 0; pattern < numbers; pattern++) {
      const mirrored = image ? mirror(pattern, image) : pattern;
      let steps = 0;
      for (let stage = stages - 1; stage >= 0; stage--) {
        const place = stage * size + first;
        if (mirrored >= pattern && (stage + 1) % atOnce === 0) steps += differences.getInt8(next++);
        tables[place + pattern] = mirrored < pattern ? tables[place + mirrored] : step * steps;
      }
    }
    first += numbers;
  }
  return words;
}

// A pattern's number after each of its cells, which are digits of base 3, has gone to its place in the image.
function mirror(pattern, image) {
  let number = 0;
  for (const place of image) {
    number += (pattern % 3) * 3 ** place;
    pattern = Math.floor(pattern / 3);
  }
  return number;
}

// A book of positions and their values.
export class Book {
  static async load(game, name) {
    const { head, numbers } = await openFile(game.kernels, name);
    const word = (place) => numbers.getBigUint64(8 * place, true);
    const position = (row) => Array.from({ length: head.words }, (_, place) => word(row * head.words + place));
    const valuesAt = 8 * head.words * head.positions;
    const entries = Array.from({ length: head.positions }, (_, row) => [String(position(row)), numbers.getInt16(valuesAt + 2 * row, true)]);
    return Object.assign(new Book(), { game, values: new Map(entries), close: head.close });
  }

  // One of the actions with the best values, drawn by the key; null where the position after some action is not in the book.
  choose(state, key) {
    const { game, values, close } = this;
    const actions = game.legal(state);
    const after = actions.map((action) => game.play(state, action));
    const worth = after.map((child) => {
      const value = values.get(this.nameOf(child)) ?? NaN;
      return game.player(child) === game.player(state) ? value : -value;
    });
    if (worth.some(Number.isNaN)) return null;
    const best = actions.filter((_, place) => worth[place] >= Math.max(...worth) - close);
    return best[Math.floor(uniform(key) * best.length)];
  }

  // The name of a position, the same for those that are symmetric to it.
  nameOf(state) {
    const { game } = this;
    return game.kernels.scope(() => {
      const image = game.kernels.array("uint64", state.length);
      game.call("least_image", game.words(state), image);
      return String(image.data);
    });
  }
}
