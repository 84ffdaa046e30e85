"""How many positions a second a language model is asked about, compared with the bare client library at the same endpoint.

The endpoint answers at once (examples/endpoint.py, in a process of its own). Both ask the same questions with the same options in
turn, 64 at the same time; the bare library reads no move.

python -m benchmarks.speed.asking
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import numpy as np

import ludus
from ludus.text import prompt

from ..provenance import Part, Study, endpoint, match_sources, of_times

GAME, POLICY = "tictactoe", "random"
AT_ONCE, REQUESTS, PAIRS = 64, 512, 7


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """One part with all pairs."""
    return {"pairs": of_times(measured, partial(measured, 2), share)}


def share(pairs: list[dict[str, float]]) -> float:
    """How fast it is compared with the bare library, by the asking process's own time."""
    return median(pair["ludus, processor"] / pair["bare, processor"] for pair in pairs)


def measured(pairs: int = PAIRS) -> list[dict[str, float]]:
    """Requests a second of both, by the clock and by the asking process's own time, pair by pair after one that does not count."""
    from openai import AsyncOpenAI  # here, since pages are built without it

    game = ludus.make_game(GAME)
    states, keys = np.repeat(game.start[None], REQUESTS, axis=0), np.arange(REQUESTS, dtype=np.uint64)
    with endpoint(GAME, "--policy", POLICY) as url:
        policy = ludus.make_policy(f"llm:model=local,url={url},concurrency={AT_ONCE},seeded=true", game)
        question = prompt(game, game.start)
        client, loop = AsyncOpenAI(base_url=url, api_key="none", max_retries=0), asyncio.new_event_loop()
        ways: dict[str, Callable[[], Any]] = {
            "bare": lambda: loop.run_until_complete(bare(client, question)),
            "ludus": lambda: policy.act(states, keys),
        }
        for ask in ways.values():
            ask()
        found = [{name: one for way, ask in ways.items() for name, one in timed(way, ask).items()} for _ in range(pairs)]
        loop.run_until_complete(client.close())
        loop.close()
    return found


async def bare(client: Any, question: str) -> None:
    """Asks with the client library alone."""
    seeds = iter(range(REQUESTS))

    async def work() -> None:
        for seed in seeds:
            message = {"role": "user", "content": question}
            found = await client.chat.completions.create(model="local", messages=[message], temperature=0, seed=seed)
            assert found.choices[0].message.content

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))


def timed(name: str, ask: Callable[[], Any]) -> dict[str, float]:
    """Requests a second, by the clock and by processor time."""
    began, worked = time.perf_counter(), time.process_time()
    ask()
    return {name: REQUESTS / (time.perf_counter() - began), f"{name}, processor": REQUESTS / (time.process_time() - worked)}


def shown(found: dict[str, Any]) -> dict[str, str]:
    """The medians, and how fast it is compared with the bare library."""
    pairs = found.get("pairs")
    if not pairs:
        return {}
    figures = {name: f"{median(pair[name] for pair in pairs):,.0f}" for name in ("bare", "ludus")}
    return figures | {"share": f"{median(pair['ludus'] / pair['bare'] for pair in pairs):.0%}"}


SOURCES = (*match_sources(GAME, POLICY), "text", "examples/endpoint.py")
STUDY = Study(__file__, parts, shown, SOURCES, None, ("numpy", "openai"))

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
