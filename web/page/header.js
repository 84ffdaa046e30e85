// The top of each page: links to the games, and to the stores and runs that the command line named.

import { make } from "/shared/elements.js";
import { YOU } from "./game.js";

// `home` is where the games are played; "" on that page itself.
export function fillHeader({ games, watched }, home) {
  const gameLinks = games.map((game) => make("a", { href: home + linkTo(game), "data-game": game.name }, game.title));
  document.querySelector("#games").replaceChildren(...gameLinks);
  const watchLinks = watched.map(({ name }) => make("a", { href: `/watch#${new URLSearchParams({ name })}`, "data-name": name }, last(name)));
  document.querySelector("#watched").replaceChildren(...watchLinks);
}

// The address of a first game: you begin, against the weakest level.
export function linkTo({ name, levels }) {
  return `#${new URLSearchParams({ game: name, first: YOU, second: levels[name][0].policy })}`;
}

// The last part of a path, by which one knows a file.
export function last(path) {
  return path.split("/").filter(Boolean).at(-1) ?? path;
}

// How far something is: "1,200 of 5,000 games", or just the number once all are done or where nobody knows how many there will be.
export function progress(done, total, unit) {
  const number = (count) => count.toLocaleString("en");
  return done < total ? `${number(done)} of ${number(total)} ${unit}` : `${number(done)} ${unit}`;
}
