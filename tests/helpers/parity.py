"""What Python and the kernels for browsers (answers.js) are asked about each game, and a check that both answer alike."""

import json
import os
from collections.abc import Mapping
from functools import cache
from math import log
from pathlib import Path

import numpy as np

from ludus.agents import make_policy
from ludus.agents.registry import plays
from ludus.envs import make_game
from ludus.games.kernels.keys import derive_keys
from ludus.oracles import make_oracle
from ludus.oracles.values import quick_oracle
from ludus.search.alphabeta.proof import UNKNOWN, prove
from ludus.web.kernels.building import variants_for_web
from ludus.web.positions import position_view
from ludus.web.questions import answer_move, best_verdict, judge_moves, opinion

from .games import keys, positions
from .system.processes import ROOT

POSITIONS = int(os.environ.get("PARITY_POSITIONS", "100"))
POLICIES = (
    *("random", "greedy", "expectimax:depth=2", "minimax:depth=3", "minimax:nodes=300,table_bits=8", "minimax:depth=2,prune=false"),
    *("nim_sum", "easy", "hard:budget=3000", "frontiers", "frontiers:depth=2,highest=false"),
    *("mcts:simulations=60", "mcts:simulations=20,rollouts=2,solver=false,exploration=0.7,rollout_plies=30"),
)
THINKERS = "random", "greedy", "nim_sum", "easy", "minimax:nodes=200", "mcts:simulations=40"
"""The policies whose opinions are compared."""
NODES = 1000
"""Positions that a proof may visit."""
STEP = 7
"""Of so many positions policies are asked for their opinion of one; it is odd, as turns alternate."""
DEPTH = 3
SEED = 12
LINES, TEXTS = 8, 40
"""Lines whose last positions are drawn, half of them finished games; and texts that are read as positions, right and wrong."""
LEAVES = 200
"""Plies after which a game may count as drawn."""
JUDGED = POSITIONS // 2 if POSITIONS >= 1000 else 8
"""Positions whose moves are judged by the oracle."""
BEYOND = 2
"""Positions that the oracle does not reach, where `perfect` searches."""
PERFECT = "perfect:nodes=1000"


SLOW = "quixo:size=4"
"""The variant whose table takes seconds to make: only where it is asked for."""


def hexes(states):
    return [" ".join(f"{word:x}" for word in state) for state in states.tolist()]


def question(spec):
    """What JavaScript is asked about a game."""
    game = make_game(spec)
    states = hexes(positions(game, POSITIONS))
    given = [f"{key:x}" for key in keys(POSITIONS).tolist()]
    numbers = {"depth": DEPTH, "leaves": LEAVES, "nodes": NODES, "step": STEP, "seed": SEED}
    judged, beyond = map(hexes, judged_positions(game))
    return {
        "spec": spec,
        "states": states,
        "keys": given,
        "lines": lines_of(game),
        "texts": texts_of(game),
        "policies": playing(POLICIES, game),
        "thinkers": playing(THINKERS, game),
        "judged": judged,
        "beyond": beyond,
        "perfect": PERFECT,
        **numbers,
    }


def playing(policies, game):
    """Those of some policies that play a game."""
    return [policy for policy in policies if plays(policy, game)]


def lines_of(game):
    """Lines of random moves as the page shows them: a first position, None for the start of the game, and the moves."""
    random, lines = np.random.default_rng(0), []
    for number in range(LINES):
        plies = int(random.integers(20)) if number % 2 else game.max_plies or 400
        state, moves = game.start, []
        while len(moves) < plies and game.outcome(state) is None:
            action = int(random.choice(game.legal_actions(state)))
            moves, state = [*moves, game.move_name(action)], game.play(state, action)
        middle = len(moves) // 2 if number % 4 == 3 else 0
        first = game.text(game.play_line(map(game.action, moves[:middle]))[-1]) if middle else None
        lines.append([first, moves[middle:]])
    return lines


def texts_of(game):
    """Texts of positions, with up to three slips in most."""
    random, texts = np.random.default_rng(0), []
    for state in positions(game, TEXTS):
        text = [*game.text(state)]
        for _ in range(random.integers(4)):
            place = int(random.integers(len(text)))
            slip = random.choice([*text, "", "X", "9", " ", "a", "'", "\n", "é"])
            text[place] = str(slip)
        texts.append("".join(text))
    return texts


def reread(game, text):
    try:
        state = game.parse(text)
    except ValueError as error:
        return str(error)
    return [hexes(state[None])[0], game.text(state)]


def judged_positions(game):
    """Positions of which the oracle soon knows all moves, or any where it never says so; and some beyond its reach."""
    states = positions(game, 40 * JUDGED, seed=1)
    rows, actions = np.nonzero(game.masks(states))
    quick, near = quick_oracle(game, at_once=True), np.ones(len(states), np.bool_)
    np.logical_and.at(near, rows, quick.reached(game.plays(states[rows], actions)))
    known, far = states[near if near.any() else ~near], states[~make_oracle(game).reached(states)]
    return known[np.linspace(0, len(known) - 1, JUDGED + 1).astype(int)[1:]], far[:BEYOND]


@cache
def expected(spec):
    """What Python answers."""
    game = make_game(spec)
    states, given = positions(game, POSITIONS), keys(POSITIONS)
    rows, actions = np.nonzero(game.masks(states))
    children = game.plays(states[rows], actions)
    after = [[text, over(game, state), over(game, state, LEAVES)] for text, state in zip(hexes(children), children, strict=True)]
    planes = [game.observations(states, np.full(POSITIONS, seat)).reshape(POSITIONS, -1) for seat in (0, 1)]
    derived = np.empty(POSITIONS, np.uint64)
    game.kernel(derive_keys)(given, np.arange(POSITIONS), derived)
    acted = [make_policy(policy, game).act(states, given) for policy in playing(POLICIES, game)]
    proofs = prove(game, states, NODES)
    return {
        "start": hexes(game.start[None])[0],
        "perft": game.perft(DEPTH),
        "views": [json.loads(json.dumps(position_view(spec, *line))) for line in lines_of(game)],
        "texts": [reread(game, text) for text in texts_of(game)],
        "judged": judged(game),
        "opinions": [opinions(game, state) for state in states[::STEP]],
        "states": [
            {
                "player": int(player),
                "legal": actions[rows == row].tolist(),
                "children": after[np.searchsorted(rows, row) : np.searchsorted(rows, row, "right")],
                "planes": ["".join(map(str, seen[row].tolist())) for seen in planes],
                "derived": f"{derived[row]:x}",
                "actions": [int(chosen[row]) for chosen in acted],
                "proof": [
                    known(proofs.values[row], UNKNOWN),
                    known(proofs.distances[row], -1),
                    known(proofs.actions[row], -1),
                ],
            }
            for row, player in enumerate(game.players(states))
        ],
    }


def judged(game):
    """The verdicts on each position, as the server gives them, and what `perfect` plays; only that beyond its reach."""
    near, beyond = ([game.text(state) for state in states] for states in judged_positions(game))
    known = [judge_all(game.spec, start) for start in near] + [None] * len(beyond)
    moves = [answer_move(game.spec, start, [], PERFECT, SEED)["move"] for start in near + beyond]
    return [[*each] for each in zip(known, moves, strict=True)]


def judge_all(spec, start):
    verdicts, left = {}, True
    while left:
        answer = judge_moves(spec, start, [], verdicts)
        verdicts, left = verdicts | answer["moves"], answer["left"]
    return {"moves": verdicts, "reach": answer["reach"], **best_verdict(verdicts)}


def opinions(game, state):
    """What policies think of a position, and the moves that they play there."""
    start = game.text(state)
    return [
        [opinion(game.spec, start, [], policy), answer_move(game.spec, start, [], policy, SEED)["move"]]
        for policy in playing(THINKERS, game)
    ]


def known(number, unknown):
    return None if number == unknown else int(number)


def over(game, state, plies=0):
    result = game.outcome(state, plies)
    return None if result is None else list(result)


def check(answers):
    """Compares JavaScript's answers with Python's; what it was not asked to judge has the answer None."""
    check_logarithms(answers["logs"])
    answers = answers["games"]
    specs = variants_for_web()
    assert len(answers) == len(specs) >= 15
    for spec, answer in zip(specs, answers, strict=True):
        wanted = expected(spec)
        assert len(answer["states"]) == POSITIONS
        for row, (state, other) in enumerate(zip(answer["states"], wanted["states"], strict=True)):
            assert state == other, f"row {row} of {spec}"
        assert (answer["judged"] is None) == (spec == LEFT_OUT)
        for row, (verdicts, other) in enumerate(zip(answer["judged"] or wanted["judged"], wanted["judged"], strict=True)):
            assert verdicts == other, f"judged row {row} of {spec}"
        assert answer | {"states": 0, "judged": 0} == wanted | {"states": 0, "judged": 0}, spec


def check_logarithms(given):
    """The browser's logarithms are ours but for the last bit of some."""
    wanted = np.array([log(number) for number in range(1, len(given) + 1)])
    units = abs(np.array(given) - wanted) / np.spacing(wanted)
    assert len(given) == 10_000
    assert units.max() <= 1
    assert np.count_nonzero(units) <= len(given) // 50


def lay_out(folder: Path, files: Mapping[str, bytes]) -> Path:
    """The files of the page, among them the kernels; the JavaScript and the questions: all in one folder."""
    for name in ("kernels.wasm", "kernels.json"):
        (folder / name).write_bytes(files[name])
    (folder / "files").mkdir()
    for name in files.keys() - {"kernels.wasm", "kernels.json"}:
        (folder / "files" / name).write_bytes(files[name])
    (folder / "questions.json").write_text(json.dumps([question(spec) for spec in variants_for_web()]))
    (folder / "answers.js").write_text((ROOT / "tests" / "helpers" / "answers.js").read_text())
    (folder / "run.mjs").write_text(IN_NODE)
    (folder / "index.html").write_text("<!doctype html><title>Kernels</title>")
    for name in ("kernels", "alone"):
        (folder / name).symlink_to(ROOT / "web" / name)
    return folder


LEFT_OUT = SLOW if POSITIONS < 1000 else ""
IN_NODE = f"""
import {{ readFileSync }} from "node:fs";
import {{ answer }} from "./answers.js";
const read = (name) => JSON.parse(readFileSync(name, "utf8"));
const file = async (name) => new Uint8Array(readFileSync(`files/${{name}}`));
const answers = await answer(readFileSync("kernels.wasm"), read("kernels.json"), read("questions.json"), file, "{LEFT_OUT}");
process.stdout.write(JSON.stringify(answers));
"""
IN_BROWSER = f"""async () => {{
  const {{ answer }} = await import("/answers.js");
  const names = ["kernels.wasm", "kernels.json", "questions.json"];
  const [bytes, document, questions] = await Promise.all(names.map((name) => fetch(name)));
  const file = async (name) => new Uint8Array(await (await fetch(`files/${{name}}`)).arrayBuffer());
  return JSON.stringify(await answer(await bytes.arrayBuffer(), await document.json(), await questions.json(), file, "{LEFT_OUT}"));
}}"""
