"""Trials and studies built in Python are those of the files that say the same."""

from __future__ import annotations

import pickle
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chronotap as ct

words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=12)
names = st.from_regex(r"[a-z][a-z_]{0,7}", fullmatch=True)
cells = st.one_of(words, st.booleans(), st.integers(-(2**53), 2**53), st.floats(-1e9, 1e9))
tables = st.recursive(
    st.dictionaries(names, cells, max_size=4),
    lambda inner: st.dictionaries(
        names, st.one_of(cells, inner, st.lists(inner, min_size=1, max_size=3)), max_size=4
    ),
    max_leaves=12,
)


@settings(deadline=None, max_examples=30)
@given(tables)
def test_keys_come_back_from_their_text_in_their_order(keys: dict[str, object]) -> None:
    trial = ct.Trial(**keys)  # type: ignore[arg-type]
    again = ct.Trial.of_text(trial.text)
    assert again.keys == trial.keys == keys
    assert list(again.keys) == sorted(keys, key=lambda name: (_is_table(keys[name]),)) or again == trial


def _is_table(value: object) -> bool:
    return isinstance(value, (dict, list))


@pytest.mark.parametrize("name", ["demo", "polyrhythm", "random_perturbations", "delayed_feedback"])
def test_a_trial_rebuilt_from_its_keys_gives_the_same_events(examples: Path, name: str) -> None:
    path = examples / f"{name}.toml"
    read = ct.Trial.read(path)
    assert read.text == path.read_text()
    rebuilt = ct.Trial(**read.keys)
    expected = ct.simulate(path, n=2, seed=3).events
    pd.testing.assert_frame_equal(ct.simulate(rebuilt, n=2, seed=3).events, expected)


def test_one_key_is_changed_and_the_rest_stays(examples: Path) -> None:
    trial = ct.Trial.read(examples / "demo.toml")
    late = trial.changed({"feedback.tone.delay": "70 ms", "when.1.time": "12 s", "title": None})
    assert late.keys["feedback"]["tone"]["delay"] == "70 ms"
    assert "delay" not in trial.keys["feedback"]["tone"]
    assert late.check().end != trial.check().end
    with pytest.raises(KeyError, match="no place in a list of 2"):
        trial.changed({"when.7.time": "1 s"})
    with pytest.raises(KeyError, match="is a value"):
        trial.changed({"title.of": 1})


def test_mistakes_are_told_with_the_line_of_the_text() -> None:
    trial = ct.Trial(pacing={"metronome": {"intervall": "500 ms"}})
    with pytest.raises(ct.TrialFileError) as caught:
        trial.check()
    (problem,) = [one for one in caught.value.problems if one.nearest]
    assert trial.text.splitlines()[problem.line - 1].startswith("intervall")


def test_a_trial_is_saved_once(tmp_path: Path) -> None:
    trial = ct.Trial(pacing={"m": {"interval": "500 ms"}}, when=[{"time": "1 s", "end": True}])
    trial.save(tmp_path / "t.toml")
    assert ct.Trial.read(tmp_path / "t.toml") == trial
    with pytest.raises(FileExistsError):
        trial.save(tmp_path / "t.toml")


def test_a_study_of_files_is_told_and_planned(examples: Path) -> None:
    study = ct.Experiment.read(examples / "delay-study" / "study.toml")
    told = study.check()
    assert (told.participants, told.factors["delay"]) == (24, ["0 ms", "70 ms", "200 ms"])
    assert "Delayed feedback" in str(told)
    plan = study.plan(7)
    expected = examples / "expected" / "delay-study_sub-07_plan.tsv"
    wanted = pd.read_csv(expected, sep="\t", na_values="n/a", keep_default_na=False)
    assert plan.astype(wanted.dtypes.to_dict()).equals(wanted)
    assert plan["delay"].cat.categories.tolist() == told.factors["delay"]


def test_mistakes_in_a_study_name_their_file() -> None:
    study = ct.Experiment({"t.toml": "title = 1\n"}, task="a", trial="t.toml", step=[{"name": "x"}])
    with pytest.raises(ct.TrialFileError) as caught:
        study.check()
    assert any("t.toml" in problem.file for problem in caught.value.problems)


ANY: Any = ct


@pytest.mark.parametrize(
    ("keys", "error", "said"),
    [
        ({"title": None}, ValueError, "title = None: .* leave the key out"),
        ({"when": [{"time": None}]}, ValueError, "when.0.time = None"),
        ({"seed": 2**63}, ValueError, r"seed = 9223372036854775808: .* at most 2\^63 - 1"),
        ({"a": float("nan")}, ValueError, "a = nan: give a number that is finite"),
        ({"title": "\ud800"}, ValueError, "half of a character"),
        ({"pacing": {1: {}}}, TypeError, "pacing: the key 1 is no text"),
        ({"a": {"b": timedelta(seconds=1)}}, TypeError, r"a.b = .*give a text \(times with their unit\)"),
        ({"title": b"a"}, TypeError, "title = b'a': give a text"),
    ],
)
def test_what_no_file_can_hold_is_named_with_its_path(
    keys: dict[str, Any], error: type[Exception], said: str
) -> None:
    for make in (ANY.Trial, ANY.Experiment):
        with pytest.raises(error, match=said):
            make(**keys)


def test_a_dictionary_that_holds_itself_is_refused() -> None:
    keys: dict[str, Any] = {}
    keys["a"] = keys
    with pytest.raises(ValueError, match="nested too deep"):
        ct.Trial(**keys)


def test_numbers_and_arrays_of_numpy_are_taken() -> None:
    trial = ANY.Trial(seed=np.int64(3), limit=np.float64(0.5), list=np.arange(3), audible=np.bool_(True))
    assert trial.keys == {"seed": 3, "limit": 0.5, "list": [0, 1, 2], "audible": True}


def test_trials_that_are_equal_have_one_hash(examples: Path) -> None:
    read = ct.Trial.read(examples / "demo.toml")
    again = ct.Trial(**read.keys)
    assert read == again and read.text != again.text
    assert len({read, again, pickle.loads(pickle.dumps(read))}) == 1
    assert len({ct.Trial(seed=1), ct.Trial(seed=1.0), ct.Trial(seed=2)}) == 2


def test_a_path_that_leads_nowhere_is_named() -> None:
    trial = ct.Trial(title="a")
    with pytest.raises(KeyError, match="pacing: there is no 'pacing' to take away"):
        trial.changed({"pacing": None})
    with pytest.raises(KeyError, match="give a path such as"):
        trial.changed({"a..b": 1})


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "trial.toml").write_bytes(b"\xff\xfe")
    for read in (ct.Trial.read, ct.Experiment.read):
        with pytest.raises(ValueError, match="trial.toml: no text in UTF-8"):
            read(tmp_path / "trial.toml")


@pytest.mark.parametrize("trial", [None, 3, b"title = 'a'\n"])
def test_what_is_no_trial_is_a_type_error(trial: Any) -> None:
    for call in (ct.check, ct.simulate, ct.Ports.of):
        with pytest.raises(TypeError, match="trial = .*: give a Trial, the path"):
            call(trial)


def test_a_text_without_a_line_break_is_told_what_it_was_taken_for() -> None:
    with pytest.raises(FileNotFoundError, match="a text with a line break is taken for the trial file"):
        ct.check("pacing.metronome.interval = '500 ms'")


def test_a_plan_prints_as_the_command_says_it(examples: Path, command: Path) -> None:
    path = examples / "demo.toml"
    told = subprocess.run([command, "check", path], capture_output=True, text=True, check=True).stdout
    assert str(ct.check(path)).strip() == told.strip()
