// A game's board in the page: its drawing, its legal moves with where to click for them, and positions as text. All that is about one
// game is its layout (games/drawing/layout.py), which kernels.json holds, and what its kernels say; the functions here are those of
// the Python classes Layout and BoardGame, and of web/positions.py.

// All that a page shows of the last position of a line: the document of `position_view`.
export function viewOf(game, start, moves) {
  const { states, actions } = readLine(game, start, moves);
  const { about } = game;
  const state = states.at(-1);
  const outcome = game.outcome(state, actions.length);
  const isCutShort = outcome !== null && game.outcome(state) === null;
  const board = new Board(game, state, actions.at(-1));
  const caption = board.status();
  return {
    game: game.spec,
    title: about.title,
    players: about.players,
    moves: actions.map((action) => about.moves[action]),
    movers: states.slice(0, -1).map((before) => game.player(before)),
    position: board.text(),
    status: isCutShort ? `A draw: the game is limited to ${game.maxPlies} moves.` : caption,
    caption,
    winning: about.layout.sites.filter((_, site) => board.won[site]).map(([name]) => name),
    sites: about.layout.sites.map(([name, box], site) => ({ name, box, words: about.layout.symbols[board.symbols[site]][1] })),
    scores: about.layout.counted.map((symbol) => board.symbols.filter((other) => other === symbol).length),
    svg: board.draw(caption),
    panels: about.layout.panels,
    player: outcome === null ? game.player(state) : null,
    outcome,
    legal: (outcome === null ? game.legal(state) : []).map((action) => ({ move: about.moves[action], places: board.places(action) })),
  };
}

// A line of moves: every state, and the actions between them.
export function readLine(game, start, moves) {
  const actions = moves.map((move) => actionOf(game, move));
  const states = [start === null ? game.start : parsePosition(game, start)];
  for (const action of actions) {
    const state = states.at(-1);
    if (!game.legal(state).includes(action)) {
      const move = game.about.moves[action];
      throw new Error(`${move} is not legal in ${quote(new Board(game, state).text())} of ${game.spec}`);
    }
    states.push(game.play(state, action));
  }
  if (game.maxPlies && moves.length > game.maxPlies) throw new Error(`the game is over before ${quote(moves[game.maxPlies])}`);
  return { states, actions };
}

// The action of a move's name; of one that is not legal, too.
function actionOf(game, move) {
  const { title, moves, aliases } = game.about;
  const name = move.toLowerCase().trim().split(/\s+/).join(" ");
  const action = Object.hasOwn(aliases, name) ? aliases[name] : moves.indexOf(name);
  if (action >= 0) return action;
  const some = new Set([moves[0], moves[Math.floor(moves.length / 2)], moves.at(-1)]);
  throw new Error(`${title} has no move ${quote(move)}; moves read ${[...some].join(", ")}`);
}

// ---- positions as text

// A position as text.
export function textOf(game, state) {
  return new Board(game, state).text();
}

// The state of a position's text.
export function parsePosition(game, text) {
  const { notation, symbols: kinds, sites } = game.about.layout;
  const symbols = sites.map(() => 0);
  const mistake = (template, values) => new Error(fill(template, { text: quote(text), ...values }));
  const fault = (number, site, mover) => {
    const movers = { mover: notation.movers[mover], other: notation.movers[1 - mover] };
    return mistake(notation.faults[number - 1], { ...count(kinds, symbols), ...movers, site: sites[site][0], symbol: kinds[symbols[site]][0] });
  };
  const given = notation.any_case ? text.trim().toLowerCase() : text.trim();
  for (const [pattern, refusal] of notation.patterns) if (!new RegExp(`^(?:${pattern})$`, "u").test(given)) throw mistake(refusal);
  const parts = given.split(/\s+/);
  notation.groups.forEach((group, place) => {
    const part = parts[place];
    if (notation.counts && Number(part) > group.length) throw fault(1, 0, 0);
    const held = notation.counts ? Array(Number(part)).fill(1) : Array.from(part, (char) => kinds.findIndex(([other]) => other === char));
    held.forEach((symbol, i) => (symbols[group[i]] = symbol));
  });
  const mover = notation.movers ? notation.movers.indexOf(parts.at(-1)) : 0;
  return game.kernels.scope(() => {
    const result = game.kernels.array("uint64", game.startWords.length);
    const found = game.kernels.array("int64", 2);
    const start = game.kernels.arrayOf("uint64", game.startWords);
    game.call("set_up", game.kernels.arrayOf("int8", symbols), mover, start, result, found);
    const [number, site] = Array.from(found.data, Number);
    if (number) throw fault(number, site, mover);
    return result.data.slice();
  });
}

// ---- one position

class Board {
  // `action` is the last one; without it the drawing has no marks.
  constructor(game, state, action = -1) {
    Object.assign(this, { game, state, layout: game.about.layout });
    const { length } = this.layout.sites;
    const shown = game.kernels.scope(() => {
      const [words, start] = [game.kernels.arrayOf("uint64", state), game.kernels.arrayOf("uint64", game.startWords)];
      const sites = game.kernels.array("int8", 3, length);
      if (state.length !== game.startWords.length || game.call("look", words, start, action, sites) < 0) game.refuse(state);
      return Array.from(sites.data);
    });
    [this.symbols, this.marks, this.won] = [0, 1, 2].map((row) => shown.slice(row * length, (row + 1) * length));
  }

  text() {
    const { groups, counts, movers } = this.layout.notation;
    const char = (site) => this.layout.symbols[this.symbols[site]][0];
    const written = counts ? this.countGroups() : groups.map((group) => group.map(char).join(""));
    return [...written, ...(movers ? [movers[this.game.player(this.state)]] : [])].join(" ");
  }

  // How many sites of each group hold symbol 1.
  countGroups() {
    return this.layout.notation.groups.map((group) => group.filter((site) => this.symbols[site] === 1).length);
  }

  status() {
    const { game, state, symbols } = this;
    const { words, symbols: kinds } = this.layout;
    const names = game.about.players;
    const outcome = game.outcome(state);
    const say = (template, values) => fill(template, { ...count(kinds, symbols), ...values });
    if (outcome === null) return say(words.ongoing[words.ongoing.length > 1 ? symbols[words.site] : 0], { mover: names[game.player(state)] });
    if (outcome[0] === 0) return say(words.draw);
    const winner = outcome.indexOf(1);
    return say(words.wins[winner], { winner: names[winner] });
  }

  // Where one clicks to take a legal action, one place after the other.
  places(action) {
    const { sites, symbols, clicks, lands, words } = this.layout;
    const aim = lands || !clicks.length ? this.aim(action) : 0;
    const template = words.places[words.places.length > 1 ? action : 0];
    return (clicks.length ? clicks[action] : [aim]).map((site) => {
      const [char, about] = symbols[this.symbols[site]];
      const values = { move: this.game.about.moves[action], site: sites[site][0], words: about, lands: sites[aim][0] };
      return { box: sites[site][1], name: fill(template, values), empty: char === "-", lands: lands ? sites[aim][1] : null };
    });
  }

  // The first site of the trace that a legal action will leave.
  aim(action) {
    const { game, state } = this;
    return game.kernels.scope(() => {
      const marks = game.kernels.array("int8", this.layout.sites.length);
      game.call("foresee", game.words(state), action, marks);
      return Math.max(0, marks.data.findIndex((mark) => mark));
    });
  }

  draw(caption) {
    const { width, height, sites, symbols, notation, behind, front, marks, frame, motion, is_under: isUnder } = this.layout;
    const around = (site, attribute, value, svg, more = "") =>
      `<g data-site="${sites[site][0]}" ${attribute}="${value}" transform="translate(${centre(sites[site]).join(" ")})"${more}>${svg}</g>`;
    const stand = this.symbols.map((number, site) => {
      const [char, , svg] = symbols[number];
      const more = motion === "fall" && this.marks[site] ? ` data-falls="${centre(sites[site])[1]}"` : "";
      return svg && around(site, "data-symbol", char, svg, more);
    });
    const left = this.marks.map((mark, site) => (mark ? around(site, "data-mark", mark, marks[mark - 1]) : ""));
    const frames = this.won.map((won, site) => (won ? around(site, "data-won", "true", frame) : ""));
    const counts = notation.counts ? this.countGroups().map((number, group) => [`count${group + 1}`, number]) : [];
    const said = fill(this.layout.caption, { status: escape(caption), ...Object.fromEntries(counts) });
    const parts = [behind, ...(isUnder ? left : []), ...stand, front, ...(isUnder ? [] : left), ...frames, said];
    const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"${motion && ` data-motion="${motion}"`}`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${parts.join("")}</svg>`;
  }
}

function centre([, [x, y, width, height]]) {
  return [x + width / 2, y + height / 2];
}

// How many of each symbol there are, by their characters.
function count(kinds, symbols) {
  const counts = kinds.map(([char], number) => [char, symbols.filter((symbol) => symbol === number).length]);
  return Object.fromEntries(counts.reverse());
}

// ---- text

// A template with values for the names in its braces.
function fill(template, values) {
  return template.replace(/\{([^{}]+)\}/g, (_, name) => values[name]);
}

function escape(text) {
  const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
  return text.replace(/[&<>"']/g, (char) => entities[char]);
}

// A text in quotes, as Python writes it.
function quote(text) {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const names = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", [mark]: `\\${mark}` };
  const code = (char) => char.codePointAt(0).toString(16);
  const hex = (char) => (code(char).length < 3 ? `\\x${code(char).padStart(2, "0")}` : code(char).length < 5 ? `\\u${code(char).padStart(4, "0")}` : `\\U${code(char).padStart(8, "0")}`);
  const write = (char) => names[char] ?? (char !== " " && /[\p{C}\p{Z}]/u.test(char) ? hex(char) : char);
  return mark + Array.from(text, write).join("") + mark;
}
