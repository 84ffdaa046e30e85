// What stands beside the board: who plays, whose turn it is, how the game ended, errors; and the log for screen readers.

import { beforeLast, isWatched, mayMove, YOU } from "./game.js";

const HEARD = 6; // lines that the log for screen readers keeps

const find = (selector) => document.querySelector(selector);

export class Table {
  // Shows the seats, the buttons that make sense, and the result.
  draw(state) {
    const { view } = state.cursor;
    const near = nearPlayer(state);
    const isOver = view.outcome !== null;
    ["#near", "#far"].forEach((seat, i) => {
      const player = i ? 1 - near : near;
      find(seat).textContent = `${nameOf(state, player)} · ${view.players[player]}`;
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
  //   asked    the policy that is thinking: { policy, error }, or null
  //   note     a remark on a position: { node, text }, or null
  //   problem  an error: { beside, text }, or null
  say(state, { asked, note, problem }) {
    const failed = state?.cursor === state?.tip && asked?.error;
    const problems = { status: failed?.message, ...(problem && { [problem.beside]: problem.text }) };
    for (const [beside, field] of Object.entries({ setup: "#setup .problem", placing: "#placing .problem" })) {
      find(field).textContent = problems[beside] ?? "";
    }
    find("#status").textContent = problems.status ?? (state ? statusOf(state, asked, note) : "");
    find("#status").classList.toggle("wrong", problems.status !== undefined);
    find("#ending").textContent = state ? endingOf(state.cursor.view) : "";
    find("#again").hidden = !failed;
    if (problems.status && state) this.hear(problems.status);
  }

  // Announces a move and the status after it to screen readers.
  announce({ cursor, players }, before) {
    const { view } = cursor;
    const ply = view.moves.length;
    const [policy, side] = [players[cursor.mover], view.players[cursor.mover]];
    const isHotSeat = players.every((player) => player === YOU);
    const by = isHotSeat ? `${side} plays` : policy === YOU ? "You play" : `${policy} (${side}) plays`;
    const isNext = before && cursor.parent === before.cursor;
    const move = !ply ? "The start." : isNext ? `${by} ${cursor.move}.` : `Move ${ply}: ${cursor.move}.`;
    const stands = view.outcome === null ? `${view.status}.` : `${resultOf({ cursor, players })} ${endingOf(view)}`;
    this.hear(`${move} ${stands}`);
  }

  hear(text) {
    const log = find("#heard");
    if (log.lastChild?.textContent === text) return;
    const line = document.createElement("p");
    line.textContent = text;
    log.append(line);
    while (log.children.length > HEARD) log.firstChild.remove();
  }
}

// The player who sits on the near side of the board: you, or the first player.
function nearPlayer({ players }) {
  return players[1] === YOU && players[0] !== YOU ? 1 : 0;
}

// Who plays a side.
export function nameOf({ players }, player) {
  return players[player] === YOU ? "You" : players[player];
}

function statusOf(state, asked, note) {
  const { cursor, tip } = state;
  const { view } = cursor;
  if (note?.node === cursor) return note.text;
  if (view.outcome !== null) return resultOf(state);
  if (mayMove(state)) return `Your move: ${view.status}.`;
  if (cursor !== tip) return `Move ${view.moves.length} of ${tip.view.moves.length}: ${view.status}.`;
  return asked ? `${asked.policy} is thinking …` : `Paused: ${view.status}.`;
}

function resultOf({ players, cursor }) {
  const { view } = cursor;
  if (view.outcome[0] === 0) return "A draw.";
  const winner = view.outcome[0] > 0 ? 0 : 1;
  const others = players[1 - winner];
  if (players[winner] === YOU && others !== YOU) return "You win!";
  if (players[winner] !== YOU && others === YOU) return `You lose: ${players[winner]} wins.`;
  return `${view.players[winner]} wins.`;
}

// How the game ended, in the words of its rules: the discs in Othello, or the winning line.
function endingOf(view) {
  if (view.outcome === null) return "";
  const words = view.status.charAt(0).toUpperCase() + view.status.slice(1).replace(/\.$/, "");
  return view.winning.length ? `${words}: ${view.winning.join(", ")}.` : `${words}.`;
}
