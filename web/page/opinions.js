// What policies would play, side by side and beside perfect play: a row for each move, a column or two for each policy.

import { make, onPress, refill } from "/shared/elements.js";
import { WORDS, better, describeVerdict, isExact, kind, percent, signed } from "./verdicts.js";

const MEANINGS = {
  prior: "What its network likes, before any search",
  probability: "How likely it makes each move, and what it expects of it: 100 % is a win, a draw counts half",
  evaluation: "How much it likes the board after each move, in points of its own",
};

export class Opinions {
  // `remove(policy)` is called to take a policy out; `light(moves)` with the moves to draw attention to.
  constructor(table, remove, light) {
    this.table = table;
    this.light = light;
    onPress(table, ".remove", ({ dataset }) => remove(dataset.key));
  }

  // Draws the table. `moves` are the legal ones; `verdicts` what is known of them; `asked` has for each policy what it thinks
  // ({ move, moves, … } of the server), an Error, or null while it thinks.
  draw(moves, verdicts, asked) {
    this.table.hidden = !asked.size || !moves.length;
    const columns = [...asked].flatMap(([policy, opinion]) => columnsOf(policy, opinion));
    const judged = moves.some((move) => kind(verdicts[move]));
    const exact = moves.some((move) => isExact(verdicts[move]));
    const heads = columns.map((column) => this.head(column));
    if (judged) heads.unshift(make("th", { scope: "col" }, exact ? "Perfect play" : "Estimate"));
    const head = make("tr", {}, make("th", { scope: "col" }, "Move"), ...heads);
    const rows = sortMoves(moves, verdicts, columns).map((move) => this.row(move, judged && verdicts[move], columns, judged));
    const lines = [...asked].filter(([, opinion]) => opinion?.line?.length > 1).map(([policy, { line }]) => {
      const expected = make("td", { colspan: heads.length + 1 }, make("b", {}, policy), ` expects ${line.join(" ")}`);
      return make("tr", {}, expected);
    });
    refill(this.table, make("thead", {}, head), make("tbody", {}, ...rows), make("tfoot", {}, ...lines));
  }

  head({ policy, title, first, value, meaning = "" }) {
    const head = make("th", { scope: "col", title: meaning }, title);
    if (typeof value === "number") head.append(make("small", {}, `here ${percent(value)}`));
    if (first) {
      head.append(make("button", { type: "button", class: "remove", "data-key": policy, "aria-label": `Remove ${policy}` }, "×"));
    }
    return head;
  }

  row(move, verdict, columns, judged) {
    const cells = columns.map(({ cell }) => cell(move));
    if (judged) cells.unshift(make("td", { class: `truth ${kind(verdict)}` }, describeVerdict(verdict) || "unknown"));
    const row = make("tr", {}, make("th", { scope: "row" }, move), ...cells);
    row.addEventListener("pointerenter", () => this.light([move]));
    row.addEventListener("pointerleave", () => this.light([]));
    return row;
  }
}

// The columns of a policy: what its network says before any search, and what it plays or how it searched.
function columnsOf(policy, opinion) {
  const whole = (text) => [{ policy, title: policy, first: true, share: () => 0, cell: () => make("td", {}, text) }];
  if (opinion === null) return whole("…");
  if (opinion instanceof Error) return whole(opinion.message);
  const of = (name) => (move) => opinion.moves[move]?.[name] ?? null;
  const has = (name) => Object.values(opinion.moves).some((move) => move[name] !== null);
  const shares = (title, name, value, meaning, more) => ({
    policy, title, value, meaning, share: of(name), cell: (move) => share(of(name)(move), name !== "prior" && move === opinion.move, more(move)),
  });
  const columns = [];
  if (has("prior")) columns.push(shares(`${policy}, network alone`, "prior", opinion.prior_value, MEANINGS.prior, () => ""));
  if (has("probability")) {
    columns.push(shares(policy, "probability", opinion.value, MEANINGS.probability, (move) => (has("value") ? worth(opinion.moves[move]) : "")));
  } else if (has("evaluation") || has("proof")) {
    const cell = (move) => make("td", { class: move === opinion.move ? "played" : "" }, worth(opinion.moves[move]));
    columns.push({ policy, title: policy, meaning: MEANINGS.evaluation, share: of("evaluation"), cell });
  } else if (!columns.length) {
    const chosen = (move) => Number(move === opinion.move);
    columns.push({ policy, title: policy, share: chosen, cell: (move) => share(chosen(move), chosen(move) === 1, "") });
  }
  columns[0].first = true;
  return columns;
}

// What a search found of a move, in short: its proof, its expected result or its evaluation.
function worth({ proof, value, evaluation }) {
  if (proof !== null) return WORDS[proof];
  if (evaluation !== null) return Math.abs(evaluation) < 1000 ? signed(evaluation) : `${signed(Math.round(evaluation / 1000))}k`;
  return value === null ? "" : percent(value);
}

function share(number, isPlayed, more) {
  const text = number === null ? "" : `${number < 0.005 && number > 0 ? "<1" : Math.round(100 * number)} %`;
  const cell = make("td", { class: `share ${isPlayed ? "played" : ""}` }, text);
  if (more) cell.append(make("small", {}, more));
  cell.style.setProperty("--share", number ?? 0);
  return cell;
}

// The best moves first; where that is not known, those that the policies like most.
function sortMoves(moves, verdicts, columns) {
  const preference = (move) => columns.reduce((sum, { share }) => sum + (share(move) ?? 0), 0);
  return [...moves].sort((a, b) => {
    const [first, second] = [verdicts[a], verdicts[b]];
    if (kind(first) && kind(second) && better(first, second)) return -1;
    if (kind(first) && kind(second) && better(second, first)) return 1;
    return isExact(second) - isExact(first) || preference(b) - preference(a);
  });
}
