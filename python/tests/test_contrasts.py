"""The contrasts of a study in Python are those of the command, and a mixed model by another program has the
effects that are known."""

from __future__ import annotations

import sys
from pathlib import Path

import laboratories
import pandas as pd
import pytest

import chronotap as ct

CONTRASTS = """
[[contrast]]
name = "faster"
of = "mean asynchrony"
over = "tempo"
levels = ["1", "01"]

[outcome]
of = "mean asynchrony"
over = "delay"

[[step]]
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    command = Path(sys.executable).with_name("chronotap")
    if not command.exists():
        pytest.skip("there is no command chronotap beside the interpreter")
    place = tmp_path_factory.mktemp("contrasts") / "balanced"
    study = laboratories.STUDY.replace("[[step]]", CONTRASTS)
    laboratories.balanced(command, place, study)
    return place


def test_the_tests_of_a_study_are_those_of_its_table(place: Path) -> None:
    found = ct.contrasts(place / "study")
    table = pd.read_csv(
        place / "study/derivatives/chronotap/desc-contrasts_beh.tsv", sep="\t", na_values="n/a", dtype={"unit": "str"}
    )
    assert found["name"].tolist() == ["outcome", "faster"] and list(found) == list(table)
    for column in ("estimate", "low", "high", "df", "t", "p", "p_holm", "effect_size"):
        assert found[column].tolist() == pytest.approx(table[column].tolist(), rel=1e-12, nan_ok=True)
    # One contrast is planned: Holm's is its own.
    assert found["p_holm"][1] == found["p"][1]
    asked = ct.contrasts(place / "study", asked=["alpha: tempo 1 - 01"])
    assert asked["stated"].tolist() == ["outcome", "planned", "not planned"]
    assert asked["estimate"][:2].tolist() == found["estimate"].tolist()


def test_a_contrast_of_names_that_are_not_there_is_refused(place: Path) -> None:
    with pytest.raises(ValueError, match="there is no statistic \"alhpa\""):
        ct.contrasts(place / "study", asked=["alhpa: tempo 1 - 01"])
    with pytest.raises(ValueError, match="is no contrast"):
        ct.contrasts(place / "study", asked=["alpha"])
    with pytest.raises(TypeError, match="give a list"):
        ct.contrasts(place / "study", asked="alpha: tempo 1 - 01")


@pytest.mark.filterwarnings("default")  # statsmodels' own
def test_a_mixed_model_has_the_effects_that_are_known(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("statsmodels")
    from test_laboratories import recipe

    monkeypatch.chdir(place)
    names: dict[str, object] = {}
    for having in ("means.merge(people", "smf.mixedlm"):
        exec(compile(recipe("analysis.md", having), "docs/analysis.md", "exec"), names)
    effects: pd.Series[float] = names["model"].fe_params  # type: ignore[attr-defined]
    words = {"Intercept": "(Intercept)", "tempo[T.1]": "tempo1", "tempo[T.None]": "tempoNone", "delay[T.NA]": "delayNA"}
    lines = [f"{words[str(name)]}\t{ms!r}" for name, ms in effects.astype(float).items()]
    (place / "effects.tsv").write_text("\n".join(["effect\tms", *lines]) + "\n")
    laboratories.effects(place)
