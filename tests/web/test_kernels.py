"""The kernels for browsers do what Python's do, in node: for each variant of each game, in random positions."""

import json
import subprocess
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Route

from ludus.agents import make_policy
from ludus.agents.alphazero import AlphaZeroPolicy
from ludus.agents.policy import settings_of
from ludus.core.specs import parse
from ludus.envs import Game, make_game
from ludus.oracles import make_oracle
from ludus.search.patterns.page import patterns_for_page
from ludus.web.alone.building import offers_alone
from ludus.web.kernels.building import variants_for_web
from ludus.web.kernels.networks import PageNetwork, network_for_page
from ludus.web.positions import position_view
from ludus.web.questions import answer_move, opinion

from ..helpers.games import keys, positions, random_line
from ..helpers.native.node import NODE
from ..helpers.parity import check, judge_all, lay_out
from ..helpers.system.browser import CHROMIUM

pytestmark = pytest.mark.skipif(find_spec("ziglang") is None, reason="needs ziglang, which the extra `page` brings")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]) -> Path:
    return lay_out(tmp_path_factory.mktemp("kernels"), files)


def node_prints(folder: Path, script: str) -> str:
    """What a script prints in node."""
    done = subprocess.run([NODE, script], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_node_answers_as_python_does(folder: Path):
    check(json.loads(node_prints(folder, "run.mjs")))


# ---- perfect play

AGAINST_ITSELF = """async () => {
  const [bytes, document] = await Promise.all(["kernels.wasm", "kernels.json"].map((name) => fetch(name)));
  const modules = ["kernels/games", "kernels/kernels", "kernels/policies", "alone/work"];
  const [{ Game }, { loadKernels }, { makePolicy }, { Work }] = await Promise.all(modules.map((name) => import(`/${name}.js`)));
  const game = new Game(await loadKernels(await bytes.arrayBuffer(), await document.json()), "quixo:size=4");
  const player = makePolicy("perfect", game);
  window.play = async (seed) => {
    let [state, plies] = [game.start, 0];
    const move = () => player.act(state, BigInt(seed + plies) << 40n, new Work());
    for (; !game.outcome(state); plies++) state = game.play(state, await move());
    return [game.outcome(state), plies];
  };
}"""


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_quixo_4x4_is_solved_offline_in_chromium_and_won_by_the_first_player_in_21_plies(folder: Path, chromium: Browser):
    page = chromium.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.route("**/*", partial(serve, folder))
    page.goto("http://kernels.test/index.html")
    page.evaluate(AGAINST_ITSELF)
    page.context.set_offline(True)
    assert [page.evaluate("play", seed) for seed in (0, 1 << 20)] == [[[1, -1], 21]] * 2
    assert said == []


def serve(folder: Path, route: Route) -> None:
    """Answers a browser with a file of the folder."""
    route.fulfill(path=folder / route.request.url.removeprefix("http://kernels.test/"))


# ---- calls from JavaScript

MISTAKES = {
    "new Game(kernels, 'chess')": "Error: there is no game chess here; there are nim, tictactoe, ",
    "game.play(game.start, 9)": "Error: action 9 of tictactoe is not legal in 0x0",
    "game.player([1n << 60n])": "Error: 0x1000000000000000 is not a state of tictactoe",
    "makePolicy('human', game)": "Error: there is no policy human here; there are random, greedy, expectimax, ",
    "makePolicy('minimax:depth=deep', game)": "Error: minimax: depth is deep; it must be a whole number from 1 to ",
    "kernels.call('any', 'derive_keys', 1)": "TypeError: the kernel derive_keys takes 3 arguments (keys, indices, ",
    "kernels.scope(() => makePolicy('minimax', game).act(game.start, 1n))": "Error: a table of 2^20 entries is to stay, ",
}
CALLS = """
import { readFileSync } from "node:fs";
import { Game } from "./kernels/games.js";
import { loadKernels } from "./kernels/kernels.js";
import { makePolicy } from "./kernels/policies.js";

const kernels = await loadKernels(readFileSync("kernels.wasm"), JSON.parse(readFileSync("kernels.json", "utf8")));
const game = new Game(kernels, "tictactoe");
"""


def in_node(folder: Path, code: str):
    """What a script prints as JSON, with `kernels` and `game` at hand."""
    (folder / "calls.mjs").write_text(CALLS + code)
    return json.loads(node_prints(folder, "calls.mjs"))


def test_a_mistake_in_javascript_is_a_sentence(folder: Path):
    thunks = ", ".join(f"async () => {mistake}" for mistake in MISTAKES)
    say = "const say = async (work) => { try { await work(); } catch (error) { return `${error}`; } };"
    said = in_node(folder, f"{say}\nconsole.log(JSON.stringify(await Promise.all([{thunks}].map(say))));")
    assert [
        (mistake, why) for (mistake, wanted), why in zip(MISTAKES.items(), said, strict=True) if not why.startswith(wanted)
    ] == []


ASK_DESK = """
const { Desk } = await import("./alone/desk.js");
const read = (name) => JSON.parse(readFileSync(name, "utf8"));
const answers = {};
const hear = ({ id, ...answer }) => (answers[id] ??= []).push(answer);
const desk = new Desk(kernels, read("files/offers.json"), hear);
const isDone = (id) => answers[id]?.at(-1).error !== undefined || (answers[id] && !("left" in answers[id].at(-1)));
for (const message of read("messages.json")) {
  desk.hear(message);
  while (message.type !== "stop" && !message.isStopped && !isDone(message.id)) await new Promise((done) => setTimeout(done));
}
console.log(JSON.stringify(answers));
"""


def test_what_is_wrong_with_a_request_is_a_sentence_and_a_stopped_one_has_no_answer(folder: Path):
    line = {"game": "tictactoe", "moves": ["a1"]}
    over = {"game": "tictactoe", "moves": ["a1", "b1", "a2", "b2", "a3"]}
    messages = [
        {"type": "offer"},
        {"type": "show", **line, "policies": ["nobody"]},
        {"type": "show", "game": "chess"},
        {"type": "show", **line, "start": "nonsense"},
        {"type": "show", "game": "tictactoe", "moves": ["a1", "a1"]},
        {"type": "answer", **over, "policy": "random"},
        {"type": "opine", **over, "policy": "random"},
        {"type": "follow", "name": "cup.sqlite"},
        {"type": "answer", **line, "policy": "mcts:simulations=100000", "isStopped": True},
        {"type": "stop", "id": 8},
        {"type": "answer", **line, "policy": "mcts:simulations=50", "seed": 1},
    ]
    numbered = [{"id": number, **message} for number, message in enumerate(messages)]
    (folder / "messages.json").write_text(json.dumps(numbered))
    answers = in_node(folder, ASK_DESK)
    offered, *refused, stopped, _, answered = (answers.get(str(number), []) for number in range(len(messages)))
    assert offered == [json.loads(json.dumps(offers_alone()))]
    assert [list(answer) for (answer,) in refused] == [["error"]] * 7
    assert refused[4][0]["error"] == "the game is over, so there is no move to play"
    assert stopped == []
    assert answered == [answer_move("tictactoe", None, ["a1"], "mcts:simulations=50", 1)]


HALF_KNOWN = "O-OO-X---XO---XXOOOX-XO-X O"
"""A position of Quixo of which some moves are known to lose, and others are not known."""


def test_a_line_may_be_as_long_as_the_limit_of_its_game(folder: Path):
    game, random, moves = make_game("quixo:size=4"), np.random.default_rng(0), list[str]()
    state = game.start
    while len(moves) < game.max_plies:
        drawn = random.permutation(game.legal_actions(state)).tolist()
        action = next(each for each in drawn if game.outcome(game.play(state, each)) is None)
        moves, state = [*moves, game.move_name(action)], game.play(state, action)
    view = "(await import('./kernels/boards.js')).viewOf(new Game(kernels, 'quixo:size=4'), null, " + json.dumps(moves) + ")"
    wanted = json.loads(json.dumps(position_view(game.spec, None, moves)))
    assert in_node(folder, f"console.log(JSON.stringify({view}));") == wanted
    assert wanted["outcome"] == [0, 0]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ({"type": "opine", "game": "quixo", "policy": "perfect:nodes=50"}, opinion("quixo", None, [], "perfect:nodes=50")),
        ({"type": "judge", "game": "quixo", "start": HALF_KNOWN}, judge_all("quixo", HALF_KNOWN)),
    ],
    ids=["what perfect thinks", "of some moves alone"],
)
def test_where_the_oracle_does_not_know_all_it_answers_as_python_does(folder: Path, asked: dict[str, Any], answer: Any):
    (folder / "messages.json").write_text(json.dumps([{"id": 0, "moves": [], **asked}]))
    assert in_node(folder, ASK_DESK)["0"][-1] == answer


REACHED = """
const { makeOracle } = await import("./kernels/oracles.js");
const othello = new Game(kernels, "othello");
const [oracle, reached] = [await makeOracle(othello), []];
for (let state = othello.start; !othello.outcome(state); state = othello.play(state, othello.legal(state)[0])) {
  reached.push(oracle.reaches(state));
}
console.log(JSON.stringify(reached));
"""


def test_the_oracle_of_othello_reaches_as_far_as_in_python(folder: Path):
    game, states = make_game("othello"), [make_game("othello").start]
    while legal := game.legal_actions(states[-1]):
        states.append(game.play(states[-1], legal[0]))
    assert in_node(folder, REACHED) == make_oracle(game).reached(np.array(states[:-1])).tolist()


SEARCHED_AGAIN = """
const player = makePolicy("minimax:depth=4,table_bits=8", game);
const first = await player.search(game.start, 1n);
const table = kernels.kept("a table of 2^8 entries");
table.generation = table.generations - 1; // the next search has the number of the first one
console.log(JSON.stringify([first, await player.search(game.start, 1n)]));
"""


def test_a_search_takes_nothing_from_one_that_had_its_number_before(folder: Path):
    first, again = in_node(folder, SEARCHED_AGAIN)
    assert first == again


def test_each_policy_that_the_page_offers_can_be_made_with_each_of_its_settings(folder: Path):
    offered = [
        [variant, f"{policy['name']}:{setting['name']}={setting['default']}" if setting else policy["name"]]
        for game in offers_alone()["games"]
        for policy in game["policies"]
        for variant in policy.get("variants") or game["variants"]
        for setting in policy["settings"] or [None]
    ]
    assert len(offered) > 300
    (folder / "offered.json").write_text(json.dumps(offered))
    made = in_node(
        folder,
        """
        const offered = JSON.parse(readFileSync("offered.json", "utf8"));
        console.log(JSON.stringify(offered.map(([game, policy]) => typeof makePolicy(policy, new Game(kernels, game)).act)));
        """,
    )
    assert {*made} == {"function"}


GUIDED = "alphazero:simulations=9,considered=5", "alphazero:simulations=6,formula=puct,root_ahead=900,ahead=100"
ASK_NETWORKS = """
const own = await loadKernels(readFileSync("kernels.wasm"), kernels.document, async (name) => readFileSync(`files/${name}`));
const answers = [];
for (const [spec, policies, states, keys] of JSON.parse(readFileSync("guided.json", "utf8"))) {
  const game = new Game(await own.another(), spec);
  for (const policy of policies.map((each) => makePolicy(each, game))) {
    for (const [row, state] of states.map((words) => BigUint64Array.from(words, BigInt)).entries()) {
      const { priors, priorValue, probabilities, visits, line, ...thought } = await policy.analyse(state, BigInt(keys[row]));
      const lists = [priors, probabilities, visits, thought.values, line].map((numbers) => Array.from(numbers));
      const after = game.play(state, thought.action);
      const before = { states: game.outcome(after) ? [state] : [state, after, state] }; // it has left `after` before
      const again = await policy.act(state, BigInt(keys[row]), undefined, before);
      answers.push([thought.action, again, priorValue, ...lists]);
    }
  }
}
console.log(JSON.stringify(answers));
"""


def late_positions(game: Game) -> np.ndarray:
    """Three positions of a random game, from its middle to a ply before its end."""
    states = random_line(game, np.random.default_rng(0))
    return np.array([states[len(states) // 2], states[2 * len(states) // 3], states[-2]])


def test_networks_guide_a_search_as_they_do_in_python_with_the_same_weights(folder: Path):
    networks = [network for spec in variants_for_web() if (network := network_for_page(make_game(spec)))]
    assert len(networks) >= 5
    states = [late_positions(network.game) for network in networks]
    asked = [
        [network.game.spec, GUIDED, [[*map(str, words)] for words in late.tolist()], [*map(str, keys(3).tolist())]]
        for network, late in zip(networks, states, strict=True)
    ]
    (folder / "guided.json").write_text(json.dumps(asked))
    answers = iter(in_node(folder, ASK_NETWORKS))
    for network, late in zip(networks, states, strict=True):
        for spec in GUIDED:
            for state, key in zip(late, keys(3), strict=True):
                action, again, value, *lists = next(answers)
                policy = guided_by(network, spec)
                wanted = policy.analyse(state[None], key[None])
                assert (action, again) == (wanted.actions[0], act_again(policy, state, key)), (network.game, spec)
                assert value == pytest.approx(wanted.prior_values[0], abs=1e-9)
                each = wanted.priors, wanted.probabilities, wanted.visits, wanted.action_values
                line = wanted.lines[0][wanted.lines[0] >= 0]
                for numbers, column in zip(lists, (*(rows[0] for rows in each), line), strict=True):
                    known = [np.nan if number is None else number for number in numbers]
                    assert known == pytest.approx(column, abs=1e-9, nan_ok=True)


def guided_by(network: PageNetwork, spec: str) -> AlphaZeroPolicy:
    settings = settings_of(AlphaZeroPolicy, parse(spec).settings)
    return AlphaZeroPolicy(network.game, net=network, **settings)


def act_again(policy: AlphaZeroPolicy, state, key) -> int:
    """What it plays where it has left the position after its action before."""
    game, action = policy.game, policy.act(state[None], key[None])
    if game.outcome(game.play(state, int(action[0]))) is not None:
        return int(action[0])
    playing, row = policy.begin(1), np.zeros(1, np.int64)
    playing.note(state[None], action, row)
    return int((playing if game.max_plies else policy).act(state[None], key[None], *([row] if game.max_plies else []))[0])


PATTERNS = (
    *("minimax:evaluation=patterns,depth=3", "minimax:evaluation=patterns,depth=5,probcut=1.5"),
    *("minimax:mobility=3,depth=2", "minimax:book=true,depth=1"),
)
PLAY_BY_PATTERNS = """
const { policies, states, keys } = JSON.parse(readFileSync("patterns.json", "utf8"));
const own = await loadKernels(readFileSync("kernels.wasm"), kernels.document, async (name) => readFileSync(`files/${name}`));
const othello = new Game(own, "othello");
const answers = [];
for (const policy of policies.map((each) => makePolicy(each, othello))) {
  const actions = [];
  for (const [row, state] of states.entries()) {
    actions.push(await policy.act(BigUint64Array.from(state, BigInt), BigInt(keys[row])));
  }
  answers.push(actions);
}
console.log(JSON.stringify(answers));
"""


def test_patterns_and_the_book_play_as_they_do_in_python_with_the_same_numbers(folder: Path):
    game = make_game("othello")
    states = np.concatenate(
        [positions(game, 30), game.plays(np.repeat(game.start[None], 4, axis=0), game.legal_actions(game.start))]
    )
    given = keys(len(states))
    asked = {"policies": PATTERNS, "states": [[*map(str, words)] for words in states.tolist()], "keys": [*map(str, given.tolist())]}
    (folder / "patterns.json").write_text(json.dumps(asked))
    players = [make_policy(spec, game) for spec in PATTERNS]
    for player in players[:2]:
        vars(player)["searcher"] = replace(player.searcher, evaluation=patterns_for_page())
    assert in_node(folder, PLAY_BY_PATTERNS) == [player.act(states, given).tolist() for player in players]
