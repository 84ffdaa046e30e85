"""How well a language model plays beside perfect play: 0 is random legal play, 1 perfect play.

    python examples/measure_a_language_model.py                 # without a model: the endpoint of endpoint.py, which errs at times
    python examples/measure_a_language_model.py llm:model=qwen3:8b,url=http://localhost:11434/v1 --game nim --positions 300
    OPENAI_API_KEY=… python examples/measure_a_language_model.py llm:model=NAME,retries=0 --out first

The folder keeps every answer. If something stops the script, it goes on where it was. `ludus text bench` does the same from the
command line, and writes a page.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
from pathlib import Path

from endpoint import Endpoint  # the file beside this one

from ludus.text import prompt_variants
from ludus.text.bench.measures import measure
from ludus.text.bench.running import ask
from ludus.text.bench.sets import frozen_set
from ludus.text.bench.settings import BenchSettings
from ludus.text.bench.tables import report_tables

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("model", nargs="?", help="the model, as llm:model=NAME,url=ADDRESS")
parser.add_argument("--game", default="tictactoe")
parser.add_argument("--positions", type=int, default=30)
parser.add_argument("--variants", default="plain,legal", help="variants of the prompt")
parser.add_argument("--out", type=Path, help="a folder that keeps the answers")
chosen = parser.parse_args()

model = chosen.model
if model is None:
    local = Endpoint(chosen.game, "minimax:depth=1", shares={"malformed": 0.05, "illegal": 0.05, "cut_off": 0.02, "busy": 0.05})
    threading.Thread(target=local.serve_forever, daemon=True).start()
    model = f"llm:model=local,url={local.url}"

settings = BenchSettings(
    models=(model,),
    sets=(frozen_set(chosen.game),),
    count=chosen.positions,
    variants=prompt_variants(chosen.variants),
)
with tempfile.TemporaryDirectory() as temporary:
    run = ask(settings, chosen.out or Path(temporary))
for table in report_tables(measure(run.answers, controls=settings.controls)):
    print(table)
print(run.stopped or f"All {run.questions} questions are answered.")
