"""What the page shows of the study: figures and tables in Markdown, from the findings that the repository keeps.

`python -m benchmarks.study` finds them anew from the rows of the cells when all of these are there, and writes all tables, those of
every policy too, as CSV to runs/strength/tables.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import Any

from ludus.cli.bench.study import Rows, Study
from ludus.core.files.writing import make_folder, write_whole

from .. import RESULTS
from ..common import table
from . import findings, oracles
from .agreement import MEASURES
from .design import GAMES, LADDERS
from .errors import DISTANCES, FREQUENCIES
from .measuring import COUNTS
from .places import FOLDER, rounded

TABLES = FOLDER / "tables"
"""Where all tables lie, as CSV."""
DRAWN = ("tictactoe", "quixo_4")
"""The games of the figure."""
SIZED_GAMES = tuple(game for game, studied in GAMES.items() if studied.sizes)
GRADED_GAMES = tuple(game for game, studied in GAMES.items() if studied.graded)
TAUS = ("tau_found", "tau_exact")
"""τ-b with the error of what a search for a best response finds, and of the exact exploitability."""
APART = tuple(game for game in GAMES if game not in findings.WHOLE)


def find_all() -> dict[str, Any]:
    """What is found, each from the rows of the cells."""
    every: dict[str, Any] = {
        "cells": findings.count_cells,
        "agreement": findings.find_agreement,
        **{f"ratings {game}": partial(shorten, findings.find_ratings, game) for game in findings.WHOLE},
        **{f"learning {game}": partial(findings.find_learning, game) for game in findings.WHOLE},
        **{f"sizes {game}": partial(findings.find_sizes, game) for game in SIZED_GAMES},
        **{f"mistakes {game}": partial(findings.find_mistakes, game) for game in GAMES},
        **{f"exploits {game}": partial(findings.find_exploits, game) for game in GRADED_GAMES},
        **{f"oracle {game}": partial(oracles.time_oracle, game) for game in GAMES},
    }
    return {name: lambda find=find: rounded(find()) for name, find in every.items()}


def shorten(find: Any, game: str) -> dict[str, Any]:
    """Ratings, with points for the games of the figure alone."""
    found = find(game)
    return found if game in DRAWN else {name: value for name, value in found.items() if name != "points"}


# ---- text


def two(value: float | None, digits: int = 2) -> str:
    """A number with so many digits after the point."""
    return "" if value is None else f"{value:.{digits}f}".replace("-", "−")


def mean_of_known(values: Sequence[float | None]) -> float | None:
    """The mean of the numbers that are known; None without any."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def within(mean: float | None, low: float | None, high: float | None, digits: int = 2) -> str:
    """A number with its interval."""
    return f"{two(mean, digits)} ({span(low, high, digits)})"


def span(low: float | None, high: float | None, digits: int = 2) -> str:
    """An interval alone."""
    return f"{two(low, digits)} to {two(high, digits)}"


def gain_text(gain: Mapping[str, Any]) -> str:
    """By how much τ is above that of Elo, with its interval."""
    return within(gain["tau"], gain["low"], gain["high"])


def percent(value: float | None, digits: int = 0) -> str:
    """A share in per cent."""
    return "" if value is None else f"{100 * value:.{digits}f} %"


def p_text(p: float) -> str:
    """A p-value."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def title(game: str) -> str:
    """A game as tables name it."""
    return GAMES[game].title


# ---- tables


def show(rows: Rows) -> dict[str, str]:
    """Figures and tables by name."""
    agreement = rows["agreement"]
    learning = {game: rows[f"learning {game}"] for game in findings.WHOLE}
    mistakes = {game: rows[f"mistakes {game}"] for game in GAMES}
    primary = findings.primary_outcomes(agreement, learning, {game: mistakes[game] for game in findings.WHOLE})
    return {
        **show_cells(rows["cells"]),
        **show_agreement(agreement),
        **show_ratings({game: rows[f"ratings {game}"] for game in findings.WHOLE}),
        **show_learning(learning),
        "sizes": table(
            ["what learns", *map(title, SIZED_GAMES)], size_lines({game: rows[f"sizes {game}"] for game in SIZED_GAMES}), align="lr"
        ),
        **show_mistakes(mistakes),
        **show_slopes({game: mistakes[game] for game in findings.WHOLE}),
        **show_exploits({game: rows[f"exploits {game}"] for game in GRADED_GAMES}),
        **show_oracles({game: rows[f"oracle {game}"] for game in GAMES}),
        **{f"primary.{number}": f"p {p_text(p)}" for number, p in enumerate(primary["p"], 1)},
        **{f"changes.{name}": str(count) for name, count in primary["changes"].items()},
        **{f"slopes.{name}": str(count) for name, count in primary["slopes"].items()},
    }


def show_cells(found: Mapping[str, Any]) -> dict[str, str]:
    """The table of what there is."""
    games = found["games"]
    lines = [
        [title(game), *(f"{row[name]:,}" for name in ("cells", "failed", "policies", "rated")), two(row["hours"], 1)]
        for game, row in games.items()
    ]
    totals = {name: sum(row[name] for row in games.values()) for name in ("cells", "failed", "policies", "rated", "hours")}
    heads = ["game", "cells", "failed", "policies", "games for ratings", "processor hours"]
    return {
        "cells": table(heads, lines),
        "hours": two(totals["hours"], 1),
        "policies": f"{totals['policies']:,}",
        "rated": f"{totals['rated']:,}",
        "failed": f"{totals['failed']:,}",
        "commits": ", ".join(f"`{commit or 'unknown'}` ({count:,} rows)" for commit, count in found["commits"].items()),
        "failures": "\n".join(f"- {sentence}" for sentence in found["failed"]) or "None failed.",
    }


def show_agreement(found: Mapping[str, Any]) -> dict[str, str]:
    """The tables of H1."""
    by_game, mean = found["games"], found["mean"]
    order = sorted(MEASURES, key=lambda name: -mean[name][0])
    whole = [
        [
            MEASURES[name],
            within(*mean[name][:3]),
            span(*mean[name][3:]),
            *(two(by_game[game][name]["tau"]) for game in findings.WHOLE),
        ]
        for name in order
    ]
    apart = [[MEASURES[name], *(two(by_game[game][name]["tau"]) for game in APART)] for name in order]
    gains = [
        [MEASURES[name], gain_text(gain), span(gain["low_alone"], gain["high_alone"]), p_text(gain["holm"])]
        for name, gain in sorted(found["gains"].items(), key=lambda item: order.index(item[0]))
    ]
    parts = [
        [
            MEASURES[name],
            *(
                two(mean_of_known([by_game[game][name][part] for game in findings.WHOLE]))
                for part in ("spearman", "reliability", "corrected", "within", "between")
            ),
            percent(mean_of_known([by_game[game][name]["discordant"] for game in findings.WHOLE]), 1),
            two(mean_of_known([values[name][0] for values in found["good"].values()])),
        ]
        for name in order
    ]
    cost = [[MEASURES[name], *(within(*found["cost"][str(games)]["tau"][name][:3]) for games in COUNTS)] for name in order]
    figures = {
        "agreement": table(["measure", "mean of six", "seeds alone", *map(title, findings.WHOLE)], whole),
        "apart": table(["measure", *map(title, APART)], apart),
        "gains": table(["measure", "τ above that of Elo", "seeds alone", "p, Holm"], gains),
        "parts": table(["measure", "Spearman", "reliability", "corrected", "within", "between", "wrong pairs", "good half"], parts),
        "cost": table(["measure", *(f"{games:,} games" for games in COUNTS)], cost),
        "best": MEASURES[order[0]],
        "compared": f"{sum(found['policies'].values()):,}",
        "left_out": f"{sum(found['left_out'].values()):,}",
        **{f"tau.{name}": within(*mean[name][:3]) for name in MEASURES},
        **{f"tau.{name}.alone": span(*mean[name][3:]) for name in MEASURES},
        **{f"gain.{name}": gain_text(gain) for name, gain in found["gains"].items()},
        **{f"calls.{games}": f"{found['cost'][str(games)]['calls']:,.0f}" for games in COUNTS},
        **{f"tau.{name}.{games}": two(found["cost"][str(games)]["tau"][name][0]) for name in MEASURES for games in COUNTS},
    }
    return figures | {f"{game}.{name}": two(by_game[game][name]["tau"]) for game in GAMES for name in MEASURES}


def show_ratings(found: Mapping[str, Any]) -> dict[str, str]:
    """Policies rated above perfect play."""
    lines = [
        [
            title(game),
            f"{row['trained']:,}",
            f"{row['perfect'][0]:.0f}",
            f"{row['error']:.0f}",
            f"{row['above']:,}",
            str(row["number_certain"]),
            str(row["certain_losing"]),
            two(row["above_lost"]) if row["above"] else "",
        ]
        for game, row in found.items()
    ]
    heads = ["game", "trained", "Elo of `perfect`", "error", "above it", "clearly", "of these losing", "most value lost"]
    return {
        "above": table(heads, lines),
        "above.all": str(sum(row["above"] for row in found.values())),
        "above.certain": str(sum(row["number_certain"] for row in found.values())),
        "above.losing": str(sum(row["certain_losing"] for row in found.values())),
        **{f"{game}.above": str(row["above"]) for game, row in found.items()},
        **{f"{game}.certain": str(row["number_certain"]) for game, row in found.items()},
        **{f"{game}.error": f"{row['error']:.0f}" for game, row in found.items()},
    }


def show_learning(found: Mapping[str, Any]) -> dict[str, str]:
    """What each kind of policy learns: the error at the first budget and the last, and by how much Elo rises."""
    kinds = list(dict.fromkeys(kind for kinds in found.values() for kind in kinds))
    lines = list[list[str]]()
    for kind in kinds:
        cells = list[str]()
        for kinds_of_game in found.values():
            row = kinds_of_game.get(kind)
            if row is None:
                cells.append("")
                continue
            first, last, elo = row["error"][0][0], row["error"][-1][0], row["change"]["elo"][0]
            mark = "" if row["learnt"] else "¹"
            cells.append(f"{two(row['untrained'])} → {two(first)} → {two(last)}{mark}; {elo:+.0f}".replace("-", "−"))
        lines.append([kind, *cells])
    laws = [kind["laws"][0][0] for kinds_of_game in found.values() for kind in kinds_of_game.values() if kind["learnt"]]
    learnt = [kind["learnt"] for kinds_of_game in found.values() for kind in kinds_of_game.values()]
    spans = {ladder.trainer: (ladder.budgets[0], ladder.budgets[-1], ladder.unit) for ladder in LADDERS}
    budgets = [[trainer, f"{first:,} to {last:,} {unit}"] for trainer, (first, last, unit) in spans.items()]
    return {
        "learning": table(["", *map(title, found)], lines, align="ll"),
        "budgets": table(["trainer", "budgets"], budgets, align="ll"),
        "learnt": f"{sum(learnt)} of {len(learnt)}",
        **{f"laws.{name.split()[0]}": str(laws.count(name)) for name in ("power law", "exponential", "floor and power law")},
    }


def size_lines(found: Mapping[str, Any]) -> list[list[str]]:
    """A line for each size: the error in each game."""
    names = list(dict.fromkeys(name for sizes in found.values() for name in sizes))
    return [[name, *(within(*sizes[name][1:]) if name in sizes else "" for sizes in found.values())] for name in names]


def show_mistakes(found: Mapping[str, Any]) -> dict[str, str]:
    """How often wins are lost by the plies that they take, and positions by how often they came up, pooled over games."""
    figures = dict[str, str]()
    heads = {"by_distance": spans_of(DISTANCES, "plies"), "by_frequency": spans_of(FREQUENCIES, "times")}
    for what, columns in heads.items():
        lines = list[list[str]]()
        for game, kinds in found.items():
            rows = [kind[what] for kind in kinds.values() if what in kind]
            if not rows:
                continue
            rates = zip(*(row["rates"] for row in rows), strict=True)
            means = [mean_of_known(column) for column in rates]
            slopes = [row["slope"] for row in rows if row["slope"]]
            up, down = sum(slope[1] > 0 for slope in slopes), sum(slope[2] < 0 for slope in slopes)
            lines.append([title(game), *(percent(mean, 1) for mean in means), f"{up} · {down} of {len(slopes)}"])
        figures[what.removeprefix("by_")] = table(["game", *columns, "slopes up · down"], lines)
    return figures


def show_slopes(found: Mapping[str, Any]) -> dict[str, str]:
    """By how much the share of wins that are lost rises from a group of plies to the next, and whether the sign is the same in all
    games; and the ply by which half of the value is lost to perfect play."""
    slopes, plies, same = list[list[str]](), list[list[str]](), list[bool]()
    for kind in dict.fromkeys(kind for kinds in found.values() for kind in kinds):
        rows = [kinds.get(kind, {}) for kinds in found.values()]
        known = [row.get("by_distance", {}).get("slope") for row in rows]
        signs = {(slope[0] > 0) - (slope[0] < 0) for slope in known if slope}
        several = len([slope for slope in known if slope]) > 1
        same += [len(signs) == 1] if several else []
        verdict = ("yes" if same[-1] else "no") if several else ""
        slopes.append([kind, *(within(*slope, digits=3) if slope else "" for slope in known), verdict])
        plies.append([kind, *("" if row.get("half_lost") is None else str(row["half_lost"]) for row in rows)])
    return {
        "slopes": table(["", *map(title, found), "same sign"], slopes),
        "slopes.same": f"{sum(same)} of {len(same)}",
        "plies": table(["", *map(title, found)], plies),
    }


def spans_of(least: Sequence[int], unit: str) -> list[str]:
    """The groups as tables name them."""
    ends = [*(following - 1 for following in least[1:]), None]
    return [
        f"{first} and more" if last is None else f"{first}" if first == last else f"{first} to {last}"
        for first, last in zip(least, ends, strict=True)
    ]


def show_exploits(found: Mapping[str, Any]) -> dict[str, str]:
    """What a search for a best response finds."""
    lines = [
        [
            title(game),
            str(row["policies"]),
            str(row["beatable"]),
            percent(row["share"]),
            str(row["at_least_four_fifths"]),
            str(row["exactly_one"]),
            *(within(*row[name][:3]) if name in row else "" for name in TAUS),
        ]
        for game, row in found.items()
    ]
    heads = [
        "game",
        "policies",
        "can be beaten",
        "found, median",
        "four fifths or more",
        "exploitability is 1",
        "τ, found",
        "τ, exact",
    ]
    return {
        "exploits": table(heads, lines),
        **{f"exploits.{name}": two(mean_of_known([row[name][0] for row in found.values() if name in row])) for name in TAUS},
        "exploits.policies": str(sum(row["policies"] for row in found.values())),
        "exploits.one": str(sum(row["exactly_one"] for row in found.values())),
    }


def show_oracles(found: Mapping[str, Any]) -> dict[str, str]:
    """What ten minutes of an oracle buy."""
    lines = list[list[str]]()
    for game, row in found.items():
        moves = row["moves"] * max(0.0, 60 * oracles.MINUTES - row["first"])
        lines.append(
            [title(game), f"{row['first']:.1f} s", f"{row['moves']:,.0f}", f"{moves:,.0f}", f"{moves / row['games']:,.0f}"]
        )
    heads = ["game", "until the first answer", "moves a second", f"moves in {oracles.MINUTES} minutes", "that is, games"]
    return {"oracles": table(heads, lines)}


# ---- files


def write_tables(rows: Rows) -> None:
    """Writes a row for each policy, and the tables of the page, as CSV."""
    make_folder(FOLDER / "tables")
    write_csv("policies", findings.policy_rows())
    agreement = rows["agreement"]["games"]
    write_csv(
        "agreement",
        [{"game": game, "measure": name, **row} for game, measures in agreement.items() for name, row in measures.items()],
    )
    write_csv(
        "learning",
        [
            {
                "game": game,
                "kind": kind,
                "budget": budget,
                **{
                    f"{what}_{part}": value
                    for what in ("error", "elo")
                    for part, value in zip(("iqm", "low", "high"), row[what][number], strict=True)
                },
            }
            for game in findings.WHOLE
            for kind, row in rows[f"learning {game}"].items()
            for number, budget in enumerate(row["budgets"])
        ],
    )


def write_csv(name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Writes a table."""
    text = io.StringIO()
    writer = csv.DictWriter(text, [*rows[0]])
    writer.writeheader()
    writer.writerows(rows)
    write_whole(TABLES / f"{name}.csv", text.getvalue().encode())


STUDY = Study(
    RESULTS / "study.json",
    find_all,
    show,
    findings.SEED,
    libraries=("numpy", "torch", "stable-baselines3", "neat-python"),
    script="python -m benchmarks.study",
)
STUDIES = (STUDY,)
