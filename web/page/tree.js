// The moves of a game and its variations: a tree of which one line is shown on the board.

export class Tree {
  // `go(line)` is called with the moves up to one that is clicked.
  constructor(root, go) {
    this.root = root;
    this.go = go;
    this.begin("");
  }

  // Begins a new tree where the name of the game and its start is another one.
  begin(name) {
    if (name === this.name) return;
    this.name = name;
    this.top = { move: null, children: [] };
  }

  // Adds a line of moves.
  add(moves) {
    let node = this.top;
    for (const move of moves) {
      let next = node.children.find((child) => child.move === move);
      if (!next) node.children.push((next = { move, children: [] }));
      node = next;
    }
  }

  // The first continuation of a line, if it has one.
  after(moves) {
    let node = this.top;
    for (const move of moves) node = node?.children.find((child) => child.move === move);
    return node?.children[0]?.move;
  }

  // Draws the tree; `moves` is the line on the board, `notes(line)` the class of its last move.
  draw(moves, notes) {
    this.root.replaceChildren(...this.line(this.top, [], moves, notes));
    const here = this.root.querySelector("[aria-current]");
    if (here) this.root.scrollTop = here.offsetTop - this.root.offsetTop - this.root.clientHeight / 2;
  }

  // The main line from a node on, with each variation in a box of its own where it begins.
  line(node, before, moves, notes) {
    const drawn = [];
    while (node.children.length) {
      const [main, ...others] = node.children;
      drawn.push(this.button(main.move, before, moves, notes));
      for (const other of others) {
        const box = document.createElement("span");
        box.className = "variation";
        box.append(this.button(other.move, before, moves, notes), ...this.line(other, [...before, other.move], moves, notes));
        drawn.push(box);
      }
      before = [...before, main.move];
      node = main;
    }
    return drawn;
  }

  button(move, before, moves, notes) {
    const line = [...before, move];
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `${line.length}. ${move}`;
    button.className = notes(line);
    if (String(line) === String(moves)) button.setAttribute("aria-current", "step");
    button.addEventListener("click", () => this.go(line));
    return button;
  }
}
