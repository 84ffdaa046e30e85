"""Results of benchmarks: they record how they were made, and notice when their sources have changed."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ..helpers.benchmark import BENCHMARKS, SCRIPT, SOURCE, script
from ..helpers.system.processes import ROOT

outdated = script("outdated")
from benchmarks.provenance import Part, Study, stamp, study  # noqa: E402  found from the root
from benchmarks.provenance.fingerprint import fingerprint  # noqa: E402
from benchmarks.provenance.machine import versions  # noqa: E402
from benchmarks.provenance.stamping import agree  # noqa: E402
from ludus.cli.bench.machine import describe_machine, machine  # noqa: E402


class Measured:
    """A study of two parts in its own folder: one that can be compared, one of times only."""

    def __init__(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root, self.wins, self.calls = tmp_path, 7, list[str]()
        monkeypatch.setattr(study, "ROOT", tmp_path)
        monkeypatch.setattr(study, "RESULTS", tmp_path / "results")
        (tmp_path / "benchmarks").mkdir()
        (tmp_path / "benchmarks" / "toy.py").write_text(SCRIPT)
        (tmp_path / "rules.py").write_text(SOURCE)
        self.study = Study(
            str(tmp_path / "benchmarks" / "toy.py"), self.parts, lambda found: {"wins": str(found)}, ("rules.py",), 5
        )

    def parts(self, chosen: object) -> dict[str, Part]:
        return {
            "games": Part(lambda: self.found("games", {"wins": self.wins, "seconds": 0.5}), lambda kept: (kept["wins"], self.wins)),
            "times": Part(lambda: self.found("times", {"seconds": 0.5})),
        }

    def found(self, name: str, value: dict[str, float]) -> dict[str, float]:
        self.calls.append(name)
        return value

    def change(self) -> None:
        """Other sources."""
        (self.root / "rules.py").write_text(SOURCE.replace("LIMIT = 3", "LIMIT = 4"))


@pytest.fixture
def measured(tmp_path, monkeypatch) -> Measured:
    return Measured(tmp_path, monkeypatch)


def test_a_result_keeps_how_it_was_made(measured):
    measured.study.run([])
    kept = json.loads((measured.root / "results" / "toy.json").read_text())
    assert (kept["command"], kept["seed"], kept["sources"]) == ("python -m benchmarks.toy", 5, ["rules.py"])
    (session,) = kept["sessions"]
    assert session["machine"] == machine()
    assert describe_machine(machine(), session["mhz"]) in measured.study.made()
    assert session["load_average"] is None or session["load_average"] >= 0
    assert session["versions"] == versions(["numpy", "llvmlite"])
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", session["date"])
    assert kept["parts"]["games"]["found"] == {"wins": 7, "seconds": 0.5}
    assert "`python -m benchmarks.toy`, seed 5; " + session["date"] in measured.study.made()


def test_an_up_to_date_part_is_not_measured_again(measured):
    measured.study.run([])
    measured.study.run([])
    assert measured.calls == ["games", "times"]
    measured.change()
    assert measured.study.outdated() == ["games", "times"]
    measured.study.run(["times"])
    assert measured.calls == ["games", "times", "times"]
    assert measured.study.outdated() == ["games"]


def test_a_result_is_stamped_only_if_a_short_rerun_agrees(measured, capsys):
    measured.study.run([])
    measured.change()
    measured.wins = 8
    assert stamp([measured.study]) == 1
    assert "toy (1 of 2): games: different: 7 was found, now 8" in capsys.readouterr().out
    assert measured.study.outdated() == ["games", "times"]
    measured.wins = 7
    assert stamp([measured.study]) == 1
    assert measured.study.outdated() == ["times"]  # has no short rerun
    assert measured.calls == ["games", "times"]
    said = capsys.readouterr().out
    assert "1 part up to date again." in said
    assert re.search(r"No short rerun is possible here: measure again with\n    python -m benchmarks\.toy +# 1 part", said)


def test_a_short_rerun_that_fails_does_not_stop_the_others(measured, capsys):
    def failing(*_: object) -> None:
        raise SystemExit("the library is missing")

    parts = {"broken": Part(lambda: 1, failing), "games": Part(lambda: 2, lambda kept: (kept, 2))}
    study_of_two = replace(measured.study, parts=lambda _: parts)
    study_of_two.run([])
    measured.change()
    assert stamp([study_of_two]) == 1
    assert study_of_two.outdated() == ["broken"]
    assert "broken: failed: SystemExit: the library is missing" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("was", "now", "within", "agreeing"),
    [
        ({"a": [1, 2.0]}, {"a": [1, 2.0]}, 0.0, True),
        ({"a": 0.1 + 0.2}, {"a": 0.3}, 0.0, True),
        ({"a": 2.0}, {"a": 2.1}, 0.0, False),
        ({"a": float("nan")}, {"a": float("nan")}, 0.0, True),
        ({"a": 80.0}, {"a": 100.0}, 0.2, True),
        ({"a": 100.0}, {"a": 79.0}, 0.2, False),
        ({"a": 100}, {"a": 99}, 0.2, False),
        ([1.0], [1.0, 1.0], 0.2, False),
        ({"a": 1.0}, {"b": 1.0}, 0.2, False),
    ],
)
def test_only_floating_point_numbers_may_differ_by_a_share(was, now, within, agreeing):
    assert agree(was, now, within) == agreeing


def test_an_interruption_loses_at_most_one_part(measured, monkeypatch):
    def interrupted(name: str, value: dict[str, float]) -> dict[str, float]:
        if name == "times":
            raise KeyboardInterrupt
        return value

    monkeypatch.setattr(measured, "found", interrupted)
    with pytest.raises(KeyboardInterrupt):
        measured.study.run([])
    assert measured.study.missing() == ["times"]


def test_a_missing_part_is_named(measured, capsys):
    with pytest.raises(SystemExit):
        measured.study.run(["wins"])
    assert "no part is called wins; there are games, times" in capsys.readouterr().err


def test_every_result_has_its_script_and_every_script_its_result():
    assert {*(BENCHMARKS / "results").rglob("*.json")} == {one.place for one in outdated.studies()}


def test_every_kept_part_is_one_that_its_script_measures():
    for one in outdated.studies():
        kept = one.kept()
        assert list(kept["parts"]) == [name for name in one.parts(one.defaults) if name in kept["parts"]], one.name
        assert (kept["command"], kept["seed"]) == (one.command, one.seed), one.name


def test_no_part_is_out_of_date_when_pages_show_it_in_another_way(tmp_path):
    for one in outdated.studies():
        text, works = Path(one.script).read_text(encoding="utf-8"), [part.measure for part in one.parts(one.defaults).values()]
        if "def shown(" in text:
            before, after = tmp_path / "before.py", tmp_path / "after.py"
            before.write_text(text, encoding="utf-8")
            after.write_text(text.replace("def shown(", "@property\ndef shown("), encoding="utf-8")
            for work in {getattr(work, "func", work): work for work in works}.values():
                found = [fingerprint(tmp_path, [], place.name, work) for place in (before, after)]
                assert found[0] == found[1], one.name


def test_the_figures_are_made_with_the_core_alone():
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['torch', 'stable_baselines3', 'sb3_contrib', 'neat', 'deap', 'scipy', "
        "'ray', 'jax', 'pgx', 'mctx', 'shimmy', 'pyspiel', 'pandas', 'minari', 'torchrl', 'tianshou'])); "
        f"sys.path.insert(0, {str(ROOT / 'docs')!r}); import filling; assert filling.figures()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
