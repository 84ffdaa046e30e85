"""The frozen sets of positions as a task of Inspect, the UK AI Security Institute's library: what a model's moves lose, exactly.

`measure` is 1 for perfect play and 0 for random legal moves in the same positions; an answer without a legal move loses the game.
The errors count positions that share a symmetry as one.

Inspect brings much, and has an extra of its own: `pip install '.[inspect]'`.
inspect eval examples/neighbours/inspect_positions.py --model openai/NAME -T game=quixo:size=4 -T legal=true
python examples/neighbours/inspect_positions.py --policy random    # without a model: a policy that answers in prose
"""

import argparse
import tempfile

import numpy as np
from inspect_ai import Task, eval, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import SampleScore, Score, mean, metric, scorer, stderr

import ludus
from ludus.rewards import score
from ludus.text import prompt
from ludus.text.bench.sets import frozen_set


@metric
def measure():
    """1 less the value that answers lose, divided by what random legal moves lose in the same positions."""

    def over(scores: list[SampleScore]) -> float:
        lost, random_loses = (sum(each.score.value[name] for each in scores) for name in ("value_lost", "random_loses"))
        return 1 - lost / random_loses if scores else float("nan")  # Inspect asks before the first answer, too

    return over


@scorer(metrics=[measure(), {"*": [mean(), stderr(cluster="group")]}])
def regret(game: str):
    """The value that an answer loses; without a legal move it loses the game, which is 1 more than the value."""

    async def score_answer(state, target) -> Score:
        known, answer = state.metadata, score(game, state.metadata["position"], state.output.completion)
        lost = answer.value_lost if answer.legal else 1 + known["value"]
        values = {"legal": int(answer.legal), "value_lost": lost, "random_loses": known["random_loses"]}
        return Score(value=values, answer=state.output.completion, explanation=answer.reason)

    return score_answer


@task
def positions(game: str = "tictactoe", legal: bool = False) -> Task:
    """One move in each position of a game's frozen set; `legal` lists the legal moves in the prompt."""
    whole = frozen_set(game)
    samples = [
        Sample(
            prompt(whole.rules, state, legal=legal),
            target=[move.move for move in each.moves if move.value == each.value],
            id=number,
            metadata={"position": each.position, "asks": each.asks, "value": each.value, "group": each.group}
            | {"random_loses": each.random_loses},
        )
        for number, (each, state) in enumerate(zip(whole.positions, whole.states, strict=True))
    ]
    about = {"set": whole.name, "sha256": whole.checksum}
    return Task(MemoryDataset(samples, name=f"{whole.name} {game}"), scorer=regret(game), metadata=about)


def in_prose(spec: str, game: str) -> Model:
    """A policy that answers as a model does, for a try without one."""
    whole = frozen_set(game)
    actions = ludus.make_policy(spec, game).act(whole.states, np.arange(len(whole.states), dtype=np.uint64)).tolist()
    moves = {prompt(whole.rules, state): whole.rules.move_name(action) for state, action in zip(whole.states, actions, strict=True)}

    def answer(messages, tools, tool_choice, config) -> ModelOutput:
        return as_output(f"I'll play {moves[messages[-1].text]}.")

    return get_model("mockllm/model", memoize=False, custom_outputs=answer)


def as_output(words: str) -> ModelOutput:
    """An answer in words. Without a usage Inspect would count its tokens, and load a file for that."""
    output = ModelOutput.from_content("prose", words)
    output.usage = ModelUsage()
    return output


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--policy", default="random")
    arguments.add_argument("--game", default="tictactoe")
    arguments.add_argument("--limit", type=int)
    chosen = arguments.parse_args()
    model = in_prose(chosen.policy, chosen.game)
    (log,) = eval(positions(chosen.game), model, limit=chosen.limit, log_dir=tempfile.mkdtemp(), display="none")
    for result in log.results.scores:
        print(f"{result.name:<12}", *(f"{name} {found.value:.3f}" for name, found in result.metrics.items()), sep="  ")
