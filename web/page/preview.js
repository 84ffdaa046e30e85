// A look at the board as a move would leave it, before the move is made: while the last of its places has the pointer or the focus.
//
// A finger has no such moment, so a first touch shows it and a second one makes the move.

import { drawing, shape } from "/shared/elements.js";

export class Preview {
  constructor(board, page) {
    Object.assign(this, { board, page });
    const { root } = board;
    root.addEventListener("pointerdown", ({ pointerType }) => (this.isTouched = pointerType === "touch"), true);
    root.addEventListener("pointerover", ({ target, pointerType }) => pointerType !== "touch" && this.look(target));
    root.addEventListener("pointerleave", ({ pointerType }) => pointerType !== "touch" && this.end());
    root.addEventListener("focusin", ({ target }) => target.matches(":focus-visible") && this.look(target));
    root.addEventListener("focusout", () => this.end());
  }

  // Shows the move that a place would complete, if it is the last of several.
  async look(place) {
    const move = this.board.moveEndingAt(place);
    const { drawing: drawn } = this.board;
    if (move === this.move && drawn === this.drawn) return;
    this.end();
    if (!move) return;
    Object.assign(this, { move, drawn });
    const view = await this.page.ahead(move).catch(() => null); // without an answer there is nothing to show
    if (view && this.move === move && this.board.drawing === drawn) this.cover(view);
  }

  // Lays the drawing of a view over the one on the board, below the places.
  cover({ svg, caption }) {
    const shapes = [...drawing(svg, "").children].filter(({ textContent }) => textContent !== caption);
    shapes[0].setAttribute("class", "paper");
    this.layer = shape("g", { class: "preview", "aria-hidden": "true" }, ...shapes);
    this.board.layers[0].root.before(this.layer);
  }

  end() {
    this.move = null;
    this.layer?.remove();
    this.layer = null;
  }

  // Whether a touch of this place only shows its move.
  holdsBack(place) {
    const move = this.board.moveEndingAt(place);
    if (!this.isTouched || !move || move === this.move) return false;
    this.look(place);
    this.page.remark(this.page.state.cursor, `Touch it again to play ${move}.`);
    return true;
  }
}
