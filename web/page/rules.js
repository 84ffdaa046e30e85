// The rules of the game on the board, in sentences and pictures, in a window over the page.

import { button, drawing, make } from "/shared/elements.js";

export class Rules {
  // `learn()` begins the guided game.
  constructor(dialog, connection, learn) {
    this.dialog = dialog;
    this.connection = connection;
    this.learn = learn;
    dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close()); // beside the window
    dialog.addEventListener("keydown", (event) => {
      if (event.key === "?") dialog.close();
      event.stopPropagation(); // keys of the page are not meant
    });
  }

  open({ game, cursor }, lesson) {
    if (this.dialog.open) return;
    if (game !== this.game) this.fill(game, cursor.view.title, lesson);
    this.game = game;
    this.dialog.showModal();
    this.dialog.scrollTop = 0;
  }

  fill(game, title, lesson) {
    const close = button({ "aria-label": "Close" }, () => this.dialog.close(), "×");
    const parts = [make("div", { class: "head" }, make("h2", { id: "rulebook-title" }, `How to play ${title}`), close)];
    if (lesson.sentences.length) parts.push(make("ol", {}, ...lesson.sentences.map((text) => make("li", {}, text))));
    else parts.push(make("p", {}, lesson.explanation || "This game brings no explanation."));
    if (lesson.exercises.length) {
      const learn = () => {
        this.dialog.close();
        this.learn();
      };
      parts.push(button({ class: "main" }, learn, "Try it in a guided game"));
    }
    parts.push(make("div", { class: "pictures" }, ...lesson.illustrations.map((shown) => this.picture(game, shown))));
    this.dialog.replaceChildren(...parts);
  }

  // A picture, which comes a moment later.
  picture(game, { position: start, moves, caption }) {
    const figure = make("figure", {}, make("figcaption", {}, caption));
    this.connection.ask("show", { game, start, moves }).then(
      ({ svg, title, position }) => figure.prepend(drawing(svg, `${title}, ${position}`)),
      (error) => figure.append(error.message),
    );
    return figure;
  }
}
