// The moves beside the board: whose each is, the variations, and the buttons that go through them.

import { find, make, onPress, refill } from "/shared/elements.js";
import * as game from "./game.js";

const STEPS = ["first", "back", "on", "last"];

export class Moves {
  constructor(page) {
    this.page = page;
    onPress(find("#moves"), "button", ({ dataset }) => page.go(this.nodes.get(dataset.key)));
  }

  // `slips` are the nodes whose moves lost value.
  draw(state, slips) {
    const { top, cursor } = state;
    const players = cursor.view.players.map((side, player) => `${side} · ${this.page.table.nameOf(state, player)}`);
    this.nodes = drawTree(find("#moves"), top, { players, cursor, slips });
    for (const name of STEPS) find(`#${name}`).setAttribute("aria-disabled", String(!game[name](state)));
  }

  // Learns who made the moves of variations, which an address or a text has brought. What is refused goes.
  async attribute(state) {
    for (let end; (end = game.unattributed(state.top)); ) {
      const asked = this.page.connection.ask("show", game.lineTo(state, end));
      await asked.then((view) => game.keep(end, view), () => game.remove(end));
      this.page.draw();
    }
  }
}

// Draws the tree after its top: the first player's moves in the left column, the second player's in the right one. `players` are the names of the columns, `cursor` is the node on the board, `slips` are the nodes whose
// moves lost value. Gives the node of each button.
function drawTree(root, top, { players, cursor, slips }) {
  const drawing = { players, cursor, slips, nodes: new Map() };
  const heads = players.map((name, player) => make("span", { class: "head", "data-player": player }, name));
  refill(root, ...(top.children.length ? heads : []), ...line(top, 0, drawing));
  const here = root.querySelector("[aria-current]");
  if (here) root.scrollTop = here.offsetTop - root.offsetTop - root.clientHeight / 2;
  return drawing.nodes;
}

// The main line from a node on, with each variation in a box of its own after the move that it replaces.
function line(node, ply, drawing) {
  const parts = [];
  for (let at = node; at.children.length; at = at.children[0]) {
    ply += 1;
    const [main, ...others] = at.children;
    parts.push(button(main, ply, drawing));
    for (const other of others) {
      parts.push(make("span", { class: "variation" }, button(other, ply, drawing), ...line(other, ply, drawing)));
    }
  }
  return parts;
}

function button(node, ply, { players, cursor, slips, nodes }) {
  const key = String(nodes.size); // the tree only grows; a button that moves on loses the focus at most to its neighbour
  nodes.set(key, node);
  const text = `${ply}. ${node.move}`;
  const isSlip = slips.includes(node);
  const words = [text, players[node.mover], isSlip && "loses value"].filter(Boolean).join(", ");
  const attributes = { type: "button", "data-key": key, "aria-label": words, class: isSlip ? "slip" : "" };
  if (node.mover !== null) attributes["data-player"] = node.mover;
  if (node === cursor) attributes["aria-current"] = "step";
  return make("button", attributes, text);
}
