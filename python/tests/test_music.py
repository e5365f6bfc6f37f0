"""A performance against its score. The notes are made here, so that every answer is known."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from chronotap import music

pytest.importorskip("parangonar")
SCALE = [60, 62, 64, 65, 67, 69, 71, 72]


def score() -> pd.DataFrame:
    """Four scales in the right hand, a bass note on every second beat in the left."""
    right = pd.DataFrame({"onset_beats": np.arange(32.0), "note": SCALE * 4, "hand": "right"})
    left = pd.DataFrame({"onset_beats": np.arange(0.0, 32, 2), "note": 43, "hand": "left"})
    return pd.concat([right, left], ignore_index=True)


def played(beat_ms: float = 500, lead_ms: float = 0, seed: int = 1) -> pd.DataFrame:
    """The score with little noise; the right hand before the left by `lead_ms`."""
    notes = score()
    random = np.random.default_rng(seed)
    onsets = notes["onset_beats"] * beat_ms + random.normal(0, 5, len(notes))
    onsets -= np.where(notes["hand"] == "right", lead_ms, 0)
    velocity = np.where(notes["hand"] == "right", 80, 50)
    table = {"onset_ns": (1e9 + onsets * 1e6).astype(np.int64), "note": notes["note"], "velocity": velocity}
    return pd.DataFrame(table).sort_values("onset_ns").reset_index(drop=True)


def test_every_note_of_a_faultless_performance_is_matched() -> None:
    aligned = music.align(score(), played())
    assert set(aligned["fate"]) == {"match"} and len(aligned) == 48
    assert (aligned["note"] == aligned["played_note"]).all()
    assert music.errors(aligned).per_note == 0


def test_each_class_of_error_is_told() -> None:
    notes = played()
    at = {note: notes.index[notes["note"] == note].tolist() for note in (65, 69, 71)}
    notes.loc[at[65][1], "note"] = 66
    extra = pd.DataFrame({"onset_ns": [notes["onset_ns"][at[71][2]] + 250_000_000], "note": [90], "velocity": [60]})
    notes = pd.concat([notes.drop(index=at[69][2]), extra], ignore_index=True)
    aligned = music.align(score(), notes)
    found = music.errors(aligned)
    assert (found.notes, found.substitutions, found.deletions, found.additions) == (48, 1, 1, 1)
    assert found.per_note == pytest.approx(3 / 48)
    wrong = aligned[aligned["fate"] == "substitution"].iloc[0]
    assert (wrong["note"], wrong["played_note"]) == (65, 66)
    assert "substitutions" in str(found)


def test_tempo_dynamics_and_hands_come_back() -> None:
    aligned = music.align(score(), played(beat_ms=400, lead_ms=30))
    curve = music.tempo(aligned)
    assert len(curve) == 31 and curve["beat_ms"].mean() == pytest.approx(400, abs=2)
    assert curve["bpm"].median() == pytest.approx(150, abs=8)
    loud = music.dynamics(aligned)
    assert loud["greatest_velocity"].unique().tolist() == [80]
    assert loud["mean_velocity"].tolist()[:2] == [65, 80]
    hands = music.between_hands(aligned)
    assert len(hands) == 16 and hands["asynchrony_ms"].mean() == pytest.approx(-30, abs=6)


def test_nothing_played_is_all_deletions_and_no_hand_is_said() -> None:
    nothing = played().iloc[:0]
    found = music.errors(music.align(score(), nothing))
    assert (found.deletions, found.per_note) == (48, 1)
    with pytest.raises(ValueError, match="no column 'hand'"):
        music.between_hands(music.align(score().drop(columns="hand"), played()))
