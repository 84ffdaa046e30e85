// What was said about a move: the questions, the replies, what was wrong with them, and what they cost.

import { make } from "./elements.js";

const PARTS = { system: "Instructions", question: "Question", reasoning: "Reasoning" };

// Shows what was said about one move, or nothing. Parts that the reader has opened stay open from move to move.
export function showSaid(root, said) {
  const open = [...root.querySelectorAll("details[open]")].map((part) => part.dataset.part);
  root.hidden = !said;
  if (!said) return root.replaceChildren();
  const part = (name, text, number = "") => {
    const id = `${name}${number}`;
    const details = make("details", { "data-part": id }, make("summary", {}, PARTS[name]), make("pre", {}, text));
    details.open = open.includes(id);
    return details;
  };
  const reply = (attempt, number) => [
    ...(attempt.reasoning ? [part("reasoning", attempt.reasoning, number)] : []),
    ...answer(attempt),
  ];
  const [first, ...others] = said.attempts;
  return root.replaceChildren(
    make("p", { class: "note" }, costs(said)),
    ...(said.system ? [part("system", said.system)] : []),
    part("question", first.question),
    ...reply(first, 0),
    ...others.flatMap((attempt, number) => [make("p", { class: "again" }, attempt.question), ...reply(attempt, number + 1)]),
  );
}

function answer({ reply: text, fault, reason }) {
  const words = text ? make("pre", { class: "reply" }, text) : make("p", { class: "quiet" }, "No reply.");
  return [words, ...(fault ? [make("p", { class: "fault" }, make("b", {}, fault), reason ? `: ${reason}` : "")] : [])];
}

function costs({ policy, model, attempts }) {
  const sum = (name) => attempts.reduce((total, one) => total + (one[name] ?? 0), 0);
  const [tokensIn, tokensOut] = [sum("tokens_in"), sum("tokens_out")].map((count) => count.toLocaleString("en"));
  const known = attempts.some((one) => one.tokens_out !== null);
  return [
    model && model !== policy ? `${policy} (${model})` : policy,
    attempts.length > 1 ? `${attempts.length} replies` : "1 reply",
    ...(known ? [`${tokensIn} tokens in, ${tokensOut} out`] : []),
    `${(sum("milliseconds") / 1000).toFixed(2)} s`,
  ].join(" · ");
}
