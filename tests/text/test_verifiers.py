"""Episodes in verifiers are those in Python."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.oracles import make_oracle
from ludus.text.environments import Tasks

from ..helpers.scripted import Endpoint
from ..helpers.scripted import serving as answering


def evaluated(url: str, folder: Path, limit: int, **taskset: Any) -> list[Any]:
    """The traces of verifiers' own evaluation."""
    pytest.importorskip("verifiers")
    import asyncio

    from verifiers.v1.cli.eval.runner import run_eval  # pyright: ignore[reportMissingImports]
    from verifiers.v1.configs.cli.eval import EvalConfig  # pyright: ignore[reportMissingImports]

    made: Any = EvalConfig  # whose defaults type checkers do not see
    config = made(
        env={"taskset": {"id": "ludus", **taskset}},
        model="policy",
        client={"base_url": url, "api_key_var": "LUDUS_NO_KEY"},
        select={"limit": limit},
        push=False,
        rich=None,
        output_dir=folder,
    )
    episodes = asyncio.run(run_eval(config))
    assert [episode.errors for episode in episodes] == [[]] * limit
    return [trace for episode in episodes for trace in episode.traces]


@pytest.mark.apart(name="speaking")
@pytest.mark.filterwarnings("ignore")
def test_verifiers_evaluates_single_moves_by_exact_regret(tmp_path: Path) -> None:
    oracle = make_oracle("quixo:size=3")
    game = oracle.game
    with answering(Endpoint(game.spec, "random", shares={"malformed": 0.2})) as endpoint:
        traces = evaluated(endpoint.url, tmp_path, 20, game=game.spec, count=400, split="test")
    assert sum(trace.metrics["legal"] for trace in traces) == endpoint.counts["good"] < 20
    tasks = {task.position for task in Tasks(game.spec, count=400).test}
    for trace in traces:
        (score,) = trace.info["scores"]
        assert trace.info["position"] in tasks
        state = game.position(trace.info["position"])
        expected = 0.0
        if score["legal"]:
            before, after = oracle.value(state), oracle.after(state)[game.action(score["move"])].value
            assert before is not None
            assert after is not None
            expected = 1 - (before - after) / 2
            assert score["move"] in trace.assistant_messages[-1].content
        assert trace.rewards["reward"].score == expected
    assert len({trace.rewards["reward"].score for trace in traces}) > 1


@pytest.mark.apart(name="speaking")
@pytest.mark.filterwarnings("ignore")
def test_verifiers_plays_whole_games_for_the_result_or_for_regret(tmp_path: Path) -> None:
    with answering(Endpoint("tictactoe", "random")) as endpoint:
        at = endpoint.url
        for reward in ("result", "regret"):
            for trace in evaluated(at, tmp_path / reward, 6, game="tictactoe", opponent="random", count=50, reward=reward):
                result, scores = trace.info["result"], trace.info["scores"]
                assert trace.metrics["result"] == result
                assert trace.num_turns == len(scores) == trace.metrics["answers"]
                regret = np.mean([one["reward"] for one in scores])
                assert trace.rewards["reward"].score == ((1 + result) / 2 if reward == "result" else pytest.approx(regret))


def test_without_verifiers_its_names_say_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "verifiers", None)
    monkeypatch.setitem(sys.modules, "verifiers.v1", None)
    for name in ("plugin", "verifiers"):
        monkeypatch.delitem(sys.modules, f"ludus.text.environments.{name}", raising=False)
    made: Any = ludus.VerifiersTaskset
    with pytest.raises(ImportError, match=r"pip install '\.\[verifiers\]'"):
        made({})
