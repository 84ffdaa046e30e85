// The page of a store or a run. Its address says which one, and in a store which games, which game and which ply.

import { make } from "/shared/elements.js";
import { showTips } from "/shared/tips.js";
import { writeAddress } from "./browser.js";
import { fillHeader, last } from "./header.js";
import { RunView } from "./run.js";
import { SocketConnection } from "./socket.js";
import { StoreView } from "./store.js";

const root = document.querySelector("#watch");
const connection = new SocketConnection((open) => {
  document.querySelector("#connection").textContent = open ? "" : "No connection; trying again …";
});
let stop = new AbortController();
let view = null;

// The address, as fields.
function read() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

// Writes fields into the address; those that are empty are left out.
function write(fields, replace) {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== "");
  writeAddress(new URLSearchParams(given), replace);
}

async function open() {
  showTips();
  const offers = await connection.ask("offer");
  fillHeader(offers, "/");
  const load = () => {
    const fields = read();
    if (!fields.name && offers.watched.length) {
      fields.name = offers.watched[0].name;
      write(fields, true);
    }
    if (view && view.name === fields.name) return view.load(fields);
    return begin(offers, fields);
  };
  addEventListener("popstate", load);
  load();
}

function begin(offers, fields) {
  stop.abort();
  stop = new AbortController();
  const { name } = fields;
  if (!name) {
    view = null;
    root.replaceChildren(make("p", { role: "status" }, "There is no store or run to watch. Name one at the start: ludus web cup.sqlite"));
    return;
  }
  const kind = offers.watched.find((file) => file.name === name)?.kind ?? "store";
  for (const link of document.querySelectorAll("#watched a")) {
    if (link.dataset.name === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${last(name)} · Ludus`;
  const problem = make("p", { class: "problem", role: "alert", hidden: "" });
  const place = make("div", { class: kind });
  root.replaceChildren(problem, place);
  const View = kind === "run" ? RunView : StoreView;
  view = new View(place, { name, connection, write, signal: stop.signal });
  const say = (text) => {
    problem.textContent = text ?? "";
    problem.hidden = !text;
  };
  connection
    .follow("follow", { name }, stop.signal, (news) => {
      say(news.problem);
      if (!news.problem) view.update(news);
    })
    .catch((error) => error.name === "AbortError" || say(error.message));
  view.load(fields);
}

open();
