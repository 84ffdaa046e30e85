// Why a finished game was won, in words: what stands on the sites of the line has something in common.

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

// "three X", "all round", or "" where no line won.
export function reasonOf({ sites, winning }) {
  const words = sites.filter(({ name }) => winning.includes(name)).map((site) => site.words.split(", "));
  if (!words.length) return "";
  const common = words[0].filter((word) => words.every((other) => other.includes(word)));
  if (!common.length) return "lines with something in common";
  return words[0].length === 1 ? `${NUMBERS[words.length] ?? words.length} ${common[0]}` : `all ${common.join(" and ")}`;
}
