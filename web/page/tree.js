// Draws the moves of a game and its variations.

import { make, refill } from "/shared/elements.js";

// Draws the tree after its top. `cursor` is the node on the board; `slips` are those whose moves lost value. Gives the node of each button.
export function drawTree(root, top, cursor, slips) {
  const nodes = new Map();
  refill(root, ...line(top, 0, { cursor, slips, nodes }));
  const here = root.querySelector("[aria-current]");
  if (here) root.scrollTop = here.offsetTop - root.offsetTop - root.clientHeight / 2;
  return nodes;
}

// The main line from a node on, with each variation in a box of its own where it begins.
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

function button(node, ply, { cursor, slips, nodes }) {
  const key = String(nodes.size); // the tree only grows; a button that moves on loses the focus at most to its neighbour
  nodes.set(key, node);
  const attributes = { type: "button", "data-key": key, class: slips.includes(node) ? "slip" : "" };
  return make("button", node === cursor ? { ...attributes, "aria-current": "step" } : attributes, `${ply}. ${node.move}`);
}
