// The moves beside the board: whose each is, the variations, and the buttons that go through them.

import { find, onPress } from "/shared/elements.js";
import * as game from "./game.js";
import { drawTree } from "./tree.js";

const STEPS = ["first", "back", "on", "last"];

export class Moves {
  // `page` has what the page does: `go(node)`, `changed()`, `nameOf(state, player)`.
  constructor(connection, page) {
    this.connection = connection;
    this.page = page;
    onPress(find("#moves"), "button", ({ dataset }) => page.go(this.nodes.get(dataset.key)));
  }

  // `slips` are the nodes whose moves lost value.
  draw(state, slips) {
    const { top, cursor } = state;
    const players = cursor.view.players.map((side, player) => `${side} · ${this.page.nameOf(state, player)}`);
    this.nodes = drawTree(find("#moves"), top, { players, cursor, slips });
    for (const name of STEPS) find(`#${name}`).setAttribute("aria-disabled", String(!game[name](state)));
  }

  // Learns who made the moves of variations, which an address or a text has brought. What is refused goes.
  async attribute({ game: name, start, top }) {
    for (let end; (end = game.unattributed(top)); ) {
      const line = { game: name, start, moves: game.movesTo(end) };
      await this.connection.ask("show", line).then((view) => game.keep(end, view), () => game.remove(end));
      this.page.changed();
    }
  }
}
