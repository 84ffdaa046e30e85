// The top of each page: links to the games, and to the stores and runs that the command line named.

import { make } from "/shared/elements.js";

// `home` is where the games are played; "" on that page itself.
export function fillHeader({ games, watched }, home) {
  const gameLinks = games.map(({ name, title }) => make("a", { href: `${home}#game=${name}`, "data-game": name }, title));
  document.querySelector("#games").replaceChildren(...gameLinks);
  const watchLinks = watched.map(({ name }) => make("a", { href: `/watch#${new URLSearchParams({ name })}`, "data-name": name }, last(name)));
  document.querySelector("#watched").replaceChildren(...watchLinks);
}

// The last part of a path, by which one knows a file.
export function last(path) {
  return path.split("/").filter(Boolean).at(-1) ?? path;
}
