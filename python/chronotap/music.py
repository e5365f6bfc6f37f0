"""Music performance: which played note is which note of the score, and what that says of tempo,
dynamics, errors and hands.

The alignment is that of parangonar (Peter 2023, https://github.com/sildater/parangonar), which is
imported only here; it gives matches, notes that are missing and notes that are too many. What
stands in place of a missing note of another pitch is told from that: a *substitution*, as
Palmer & van de Sande (1993) have it, is an added note that is closer in time to a missing one
than 0.4 of the interval to the next note of the score, the window of all matching here. Their
shifts (a note that is played for one some places away) are not told from a deletion and an
addition.

Assumes a performance that follows the score from its beginning to its end, whose errors are
few: where more than a third of the notes are errors, look at the alignment before you use it.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from chronotap._results import Result
from chronotap._tables import frame_with

__all__ = ["Errors", "align", "between_hands", "dynamics", "errors", "tempo"]

_WINDOW = 0.4
_ID = "U16"
_SCORE = [("onset_beat", "f4"), ("duration_beat", "f4"), ("pitch", "i4"), ("voice", "i4"), ("id", _ID)]
_PLAYED = [("onset_sec", "f4"), ("duration_sec", "f4"), ("pitch", "i4"), ("velocity", "i4"), ("id", _ID)]


@dataclass(frozen=True)
class Errors(Result):
    """Notes that were not played as they stand in the score."""

    notes: int
    """Notes of the score."""
    substitutions: int
    """Another pitch in place of a note."""
    deletions: int
    """Notes that are missing."""
    additions: int
    """Notes that are too many."""
    per_note: float
    """All three together for each note of the score."""


def align(score: pd.DataFrame, played: pd.DataFrame) -> pd.DataFrame:
    """Find the note of the score that each played note answers.

    Parameters
    ----------
    score
        One row for each note: ``onset_beats``, ``note`` (MIDI number), ``duration_beats`` (1
        where it is missing), and any other column, such as ``hand``.
    played
        One row for each note: ``onset_ns`` and ``note``; ``velocity`` and ``duration_ns`` where
        they are there. The rows of type ``tap`` of a trial's events are such notes.

    Returns
    -------
    One row for each note of either, in the order of time: ``fate`` (``match``, ``substitution``,
    ``deletion``, ``addition``), the columns of the score (missing in an addition), and
    ``played_ns``, ``played_note``, ``velocity`` and ``row``, the place in ``played`` (missing in
    a deletion). ``expected_ns`` is where the note would have come, from the matches around it.

    Raises
    ------
    TypeError
        For what are no frames.
    ValueError
        For a frame without the columns that are needed, or with a row in which one is missing.
    ImportError
        Where parangonar is not installed.
    """
    score = _notes(score, ("onset_beats", "note"), "a score, with a row for each note")
    played = _notes(played, ("onset_ns", "note"), "played notes, such as the taps of a trial's events")
    score = score.sort_values(["onset_beats", "note"], kind="stable").reset_index(drop=True)
    pairs = _matched(score, played)
    onsets = played["onset_ns"].to_numpy(dtype=np.int64)
    matched = np.full(len(score), -1, dtype=np.int64)
    for place, row in pairs:
        matched[place] = row
    expected = _expected(score["onset_beats"].to_numpy(dtype=float), matched, onsets)
    extra = sorted(set(range(len(played))) - set(matched[matched >= 0].tolist()))
    fates = np.where(matched >= 0, "match", "deletion").astype(object)
    _substitute(score, matched, fates, expected, extra, onsets)
    notes = score.assign(fate=fates, expected_ns=np.round(expected).astype(np.int64), row=matched)
    notes["row"] = notes["row"].astype("Int64").mask(notes["row"] < 0)
    added = pd.DataFrame({"fate": "addition", "row": pd.array(extra, dtype="Int64")})
    whole = pd.concat([notes, added], ignore_index=True) if extra else notes
    return _with_played(whole, played)


def errors(aligned: pd.DataFrame) -> Errors:
    """Count the errors of an alignment.

    Parameters
    ----------
    aligned
        What :func:`align` gave.

    Returns
    -------
    How many notes were right, wrong, left out and added.

    Raises
    ------
    TypeError
        For what is no frame.
    ValueError
        For a frame that :func:`align` did not give.
    """
    count = _aligned(aligned)["fate"].value_counts()
    kinds = ("substitution", "deletion", "addition")
    substitutions, deletions, additions = (int(count.get(kind, 0)) for kind in kinds)
    notes = len(aligned) - additions
    wrong = substitutions + deletions + additions
    return Errors(notes, substitutions, deletions, additions, wrong / notes if notes else 0.0)


def tempo(aligned: pd.DataFrame) -> pd.DataFrame:
    """The tempo curve: one row for each onset of the score but the last that was played.

    ``onset_beats``; ``beat_ms``, the time to the next onset of the score for each beat of it;
    ``bpm``, the same in beats per minute. An onset of several notes is the mean of those that
    were matched.

    Parameters
    ----------
    aligned
        What :func:`align` gave.

    Returns
    -------
    A row for each onset of the score that was played, with the tempo there.

    Raises
    ------
    TypeError
        For what is no frame.
    ValueError
        For a frame that :func:`align` did not give.
    """
    onsets = _matches(aligned).groupby("onset_beats")["played_ns"].mean()
    beats = onsets.index.to_numpy(dtype=float)
    beat_ms = np.diff(onsets.to_numpy(dtype=float)) / np.diff(beats) / 1e6
    return pd.DataFrame({"onset_beats": beats[:-1], "beat_ms": beat_ms, "bpm": 60_000 / beat_ms})


def dynamics(aligned: pd.DataFrame) -> pd.DataFrame:
    """The dynamics curve: mean and greatest ``velocity`` of the matched notes of each onset.

    Parameters
    ----------
    aligned
        What :func:`align` gave.

    Returns
    -------
    A row for each onset of the score that was played, with the velocity there.

    Raises
    ------
    TypeError
        For what is no frame.
    ValueError
        For a frame that :func:`align` did not give.
    """
    velocity = _matches(aligned).groupby("onset_beats")["velocity"]
    curve = velocity.agg(mean_velocity="mean", greatest_velocity="max", notes="size")
    return curve.reset_index()


def between_hands(aligned: pd.DataFrame, *, first: str = "left", second: str = "right") -> pd.DataFrame:
    """Asynchronies between hands, note by note.

    One row for each onset of the score at which both hands have a matched note: ``onset_beats``
    and ``asynchrony_ms``, the mean onset of the second hand less that of the first; negative
    where the second leads. The score needs a column ``hand``.

    Parameters
    ----------
    aligned
        What :func:`align` gave.
    first, second
        The hands, as the column calls them.

    Returns
    -------
    A row for each onset that both hands have, with the asynchrony between them.

    Raises
    ------
    ValueError
        Where the score has no column ``hand``.
    """
    if "hand" not in aligned:
        raise ValueError("the score has no column 'hand': say of each note which hand plays it")
    onsets = _matches(aligned).groupby(["onset_beats", "hand"])["played_ns"].mean().unstack("hand")
    both = onsets.reindex(columns=[first, second]).dropna()
    less = (both[second] - both[first]) / 1e6
    return less.rename("asynchrony_ms").reset_index()


def _aligned(aligned: pd.DataFrame) -> pd.DataFrame:
    return frame_with(aligned, ("fate", "onset_beats", "played_ns", "velocity"), "what align(…) gave")


def _matches(aligned: pd.DataFrame) -> pd.DataFrame:
    aligned = _aligned(aligned)
    return aligned[aligned["fate"] == "match"]


def _notes(given: pd.DataFrame, columns: tuple[str, str], what: str) -> pd.DataFrame:
    """Notes, each with its time and number."""
    notes = frame_with(given, columns, what).reset_index(drop=True)
    for name in columns:
        if notes[name].isna().any():
            row = int(notes[name].isna().to_numpy().argmax())
            raise ValueError(f"{name} is missing in row {row}: give {what}, or leave the row out")
    return notes


def _matched(score: pd.DataFrame, played: pd.DataFrame) -> list[tuple[int, int]]:
    """Places in score and performance of the notes that parangonar matches."""
    if score.empty or played.empty:
        return []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of its own dependencies
        import parangonar

        found = parangonar.AutomaticNoteMatcher()(_of_score(score), _of_played(played))
    same = [one for one in found if one["label"] == "match"]
    return [(int(str(one["score_id"])[1:]), int(str(one["performance_id"])[1:])) for one in same]


def _of_score(score: pd.DataFrame) -> NDArray[Any]:
    durations = score.get("duration_beats", pd.Series(1.0, index=score.index))
    rows = zip(score["onset_beats"], durations, score["note"], strict=True)
    named = [(onset, long, note, 1, f"s{place}") for place, (onset, long, note) in enumerate(rows)]
    return np.array(named, dtype=_SCORE)


def _of_played(played: pd.DataFrame) -> NDArray[Any]:
    """From the first onset on, so that 32 bits of a second hold every difference."""
    onsets = (played["onset_ns"] - played["onset_ns"].min()) / 1e9
    long = played.get("duration_ns", pd.Series(1e8, index=played.index)).fillna(1e8) / 1e9
    loud = played.get("velocity", pd.Series(64, index=played.index)).fillna(64)
    rows = zip(onsets, long, played["note"], loud, strict=True)
    named = [(*row, f"p{place}") for place, row in enumerate(rows)]
    return np.sort(np.array(named, dtype=_PLAYED), order="onset_sec")


def _expected(
    beats: NDArray[np.float64], matched: NDArray[np.int64], onsets: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Where each note would have come: between the matches around it, and on at their tempo."""
    there = matched >= 0
    if not there.any():
        return np.zeros(len(beats))
    known = pd.Series(onsets[matched[there]], index=beats[there]).groupby(level=0).mean()
    x, y = known.index.to_numpy(dtype=float), known.to_numpy(dtype=float)
    expected: NDArray[np.float64] = np.interp(beats, x, y)
    if len(x) > 1:
        pace = (y[-1] - y[0]) / (x[-1] - x[0])
        before, after = beats < x[0], beats > x[-1]
        expected[before] = y[0] - (x[0] - beats[before]) * pace
        expected[after] = y[-1] + (beats[after] - x[-1]) * pace
    return expected


def _substitute(
    score: pd.DataFrame,
    matched: NDArray[np.int64],
    fates: NDArray[Any],
    expected: NDArray[np.float64],
    extra: list[int],
    onsets: NDArray[np.int64],
) -> None:
    """Makes a substitution of a deletion and an addition, the closest in time first."""
    steps = np.diff(np.unique(expected))
    width = _WINDOW * float(np.median(steps)) if len(steps) else 0.0
    gone = np.flatnonzero(fates == "deletion")
    close = [(abs(float(onsets[row]) - expected[place]), place, row) for place in gone for row in extra]
    for distance, place, row in sorted(close):
        if distance <= width and fates[place] == "deletion" and row in extra:
            fates[place], matched[place] = "substitution", row
            extra.remove(row)


def _with_played(whole: pd.DataFrame, played: pd.DataFrame) -> pd.DataFrame:
    there = whole["row"].notna()
    rows = whole.loc[there, "row"].astype(int).to_numpy()
    for name, of in (("played_ns", "onset_ns"), ("played_note", "note"), ("velocity", "velocity")):
        cells = pd.Series(pd.NA, index=whole.index, dtype="Int64")
        if of in played:
            cells[there] = played[of].to_numpy()[rows]
        whole[name] = cells
    at = whole["played_ns"].astype("Float64").fillna(whole["expected_ns"].astype("Float64"))
    order = at.to_numpy(dtype=float, na_value=np.nan).argsort(kind="stable")
    first = ["fate", "onset_beats", "note"]
    return whole.iloc[order][[*first, *(name for name in whole if name not in first)]].reset_index(drop=True)
