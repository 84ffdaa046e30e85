// What moves on the page: tips, where one is in the index, and the games to step through.

import { showFilms } from "../pages/shared/replay.js";
import { showTips } from "../pages/shared/tips.js";

showTips();

const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
const seen = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const [name, link] of links) link.classList.toggle("here", name === entry.target.id);
      const link = links.get(entry.target.id);
      const row = link?.parentElement;
      if (row) row.scrollLeft = link.offsetLeft - row.clientWidth / 2 + link.offsetWidth / 2;
    }
  },
  { rootMargin: "-20% 0px -75% 0px" },
);
for (const section of document.querySelectorAll("main > section")) seen.observe(section);

showFilms();
