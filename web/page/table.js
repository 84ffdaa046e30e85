// What stands beside the board: who plays, whose turn it is, how the game ended, errors; and the log for screen readers.

import { find, make } from "/shared/elements.js";
import { beforeLast, isWatched, mayMove, YOU } from "./game.js";
import { capitalize } from "./setup.js";

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const HEARD = 6; // lines that the log for screen readers keeps

export class Table {
  constructor(page) {
    this.page = page;
  }

  // Shows the seats, the buttons that make sense, and the result.
  draw(state) {
    const { view } = state.cursor;
    const near = nearPlayer(state);
    const isOver = view.outcome !== null;
    ["#near", "#far"].forEach((seat, i) => {
      const player = i ? 1 - near : near;
      const score = view.scores?.[player] ?? "";
      find(seat).replaceChildren(`${this.nameOf(state, player)} · ${view.players[player]}`, ...(score === "" ? [] : [make("b", {}, `${score}`)]));
      find(seat).title = state.players[player] === YOU ? "" : state.players[player];
      find(seat).dataset.player = player;
      find(seat).classList.toggle("turn", view.player === player);
      find(seat).classList.toggle("winner", isOver && view.outcome[player] > 0);
    });
    find("#bar").classList.toggle("turned", near === 1);
    find("#rematch").hidden = !isOver;
    find("#pause").hidden = !isWatched(state) || isOver;
    find("#pause").setAttribute("aria-pressed", String(state.paused));
    find("#undo").setAttribute("aria-disabled", String(!beforeLast(state)));
    find("#hint").hidden = isOver;
  }

  // Shows the status, the result and errors, each in its place.
  say() {
    const { state, asked, problem } = this.page;
    const failed = state?.cursor === state?.tip && asked?.error;
    const problems = { status: failed?.message, ...(problem && { [problem.beside]: problem.text }) };
    for (const form of ["setup", "placing"]) find(`#${form} .problem`).textContent = problems[form] ?? "";
    find("#status").textContent = problems.status ?? (state ? this.statusOf(state) : "");
    find("#status").classList.toggle("wrong", problems.status !== undefined);
    find("#ending").textContent = state ? endingOf(state.cursor.view) : "";
    find("#again").hidden = !failed;
    if (problems.status && state) this.hear(problems.status);
  }

  // Announces a move and the status after it to screen readers.
  announce(state, before) {
    const { cursor, players } = state;
    const { view, mover } = cursor;
    const ply = view.moves.length;
    const isHotSeat = players.every((player) => player === YOU);
    const side = view.players[mover];
    const by = isHotSeat ? `${side} plays` : players[mover] === YOU ? "You play" : `${this.nameOf(state, mover)} (${side}) plays`;
    const isNext = before && cursor.parent === before.cursor;
    const move = !ply ? "The start." : isNext ? `${by} ${cursor.move}.` : `Move ${ply}: ${cursor.move}.`;
    const stands = view.outcome === null ? `${view.status}.` : `${this.resultOf(state)} ${endingOf(view)}`;
    this.hear(`${move} ${stands}`);
  }

  hear(text) {
    const log = find("#heard");
    if (log.lastChild?.textContent === text) return;
    log.append(make("p", {}, text));
    while (log.children.length > HEARD) log.firstChild.remove();
  }

  // ---- words

  // "You", a level, or a policy's spec.
  nameOf({ game, players }, player) {
    if (players[player] === YOU) return "You";
    const level = this.page.setup.levelOf(game, players[player]);
    return level ? capitalize(level.name) : players[player];
  }

  statusOf(state) {
    const { asked, note } = this.page;
    const { cursor, tip } = state;
    const { view } = cursor;
    if (note?.node === cursor) return note.text;
    if (view.outcome !== null) return this.resultOf(state);
    if (mayMove(state)) return `Your move: ${view.status}.`;
    if (cursor !== tip) return `Move ${view.moves.length} of ${tip.view.moves.length}: ${view.status}.`;
    return asked ? `${this.nameOf(state, tip.view.player)} is thinking …` : `Paused: ${view.status}.`;
  }

  resultOf(state) {
    const { players, cursor } = state;
    const { view } = cursor;
    if (view.outcome[0] === 0) return "A draw.";
    const winner = view.outcome[0] > 0 ? 0 : 1;
    const others = players[1 - winner];
    if (players[winner] === YOU && others !== YOU) return "You win!";
    if (players[winner] !== YOU && others === YOU) return `You lose: ${this.nameOf(state, winner)} wins.`;
    return `${capitalize(view.players[winner])} wins.`;
  }
}

// The player who sits on the near side of the board: you, or the first player.
function nearPlayer({ players }) {
  return players[1] === YOU && players[0] !== YOU ? 1 : 0;
}

// How the game ended: what the winning line has in common and where it lies, or else the words of the rules, as Othello's discs.
function endingOf(view) {
  if (view.outcome === null) return "";
  const words = reasonOf(view) || view.status.replace(/\.$/, "");
  return capitalize(view.winning.length ? `${words}: ${view.winning.join(", ")}.` : `${words}.`);
}

// What stands on the sites of the line that won has in common: "three X", "all round"; "" where no line won.
function reasonOf({ sites, winning }) {
  const words = sites.filter(({ name }) => winning.includes(name)).map((site) => site.words.split(", "));
  if (!words.length) return "";
  const common = words[0].filter((word) => words.every((other) => other.includes(word)));
  if (!common.length) return "lines with something in common";
  return words[0].length === 1 ? `${NUMBERS[words.length] ?? words.length} ${common[0]}` : `all ${common.join(" and ")}`;
}
