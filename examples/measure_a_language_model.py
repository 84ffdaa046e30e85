"""How well a language model plays: how often it answers with a legal move, and what its moves lose against perfect play.

    python examples/measure_a_language_model.py                 # without a model: the endpoint of endpoint.py, which errs at times
    python examples/measure_a_language_model.py llm:model=qwen3:8b,url=http://localhost:11434/v1 --game nim --report nim.html
    OPENAI_API_KEY=… python examples/measure_a_language_model.py llm:model=NAME,legal=true,requests=2000 --store games.sqlite

The page and the store have every question and every answer. If a budget stops it, `ludus arena --resume games.sqlite --trust`
goes on.
"""

from __future__ import annotations

import argparse
import threading
from collections import Counter

from endpoint import Endpoint  # the file beside this one

from ludus.arena import tournament

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("policy", nargs="?", help="the model, as llm:model=NAME,url=ADDRESS")
parser.add_argument("--game", default="tictactoe")
parser.add_argument("--games", type=int, default=40)
parser.add_argument("--against", default="random")
parser.add_argument("--store", help="a new file that keeps the games")
parser.add_argument("--report", help="a page with the results and all that was said")
chosen = parser.parse_args()

policy = chosen.policy
if policy is None:
    local = Endpoint(chosen.game, "minimax:depth=1", shares={"malformed": 0.05, "illegal": 0.05, "cut_off": 0.02, "busy": 0.05})
    threading.Thread(target=local.serve_forever, daemon=True).start()
    policy = f"llm:model=local,url={local.url}"

contest = tournament(chosen.game, [policy], chosen.games, against=[chosen.against], store=chosen.store)
print(contest)

models, attempts = Counter[str](), 0
for _, spoken in contest.store.spoken():
    models[f"{spoken.transcript.model}, asked with the prompt {spoken.transcript.prompt}"] += 1
    attempts += len(spoken.transcript.attempts)
rates = contest.answers[contest.games[0]][policy]
print(f"What answered: {'; '.join(f'{name} ({count:,} moves)' for name, count in models.items())}")
print(f"{rates.moves:,} moves took {attempts:,} answers, and {rates.forfeited:,} of them never came.")
if rates.value_lost is not None:
    print(f"A legal move lost {rates.value_lost:.3f} of the position's value on average; won positions are worth 1, lost ones -1.")
if chosen.report:
    contest.report(chosen.report)
    print(f"All that was said: {chosen.report}")
