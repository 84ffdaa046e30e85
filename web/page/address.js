// The address of the page holds the game: reload, back and sharing go on where it stands.

export const YOU = "you";

export function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  return {
    game: given.get("game") ?? "tictactoe",
    start: given.get("start"),
    moves: given.get("moves")?.split(",").filter(Boolean) ?? [],
    players: [given.get("first") ?? YOU, given.get("second") ?? "random"],
    seed: Number(given.get("seed") ?? 0) || 0,
    analyse: given.has("analyse"),
    ask: given.getAll("ask"),
  };
}

export function write(game, replace = false) {
  const [first, second] = game.players;
  const fields = new URLSearchParams({ game: game.game, first, second, seed: game.seed });
  if (game.start !== null) fields.set("start", game.start);
  if (game.moves.length) fields.set("moves", game.moves.join(","));
  if (game.analyse) fields.set("analyse", "");
  for (const policy of game.ask) fields.append("ask", policy);
  const hash = `#${fields}`;
  if (hash === location.hash) return;
  if (replace) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
}
