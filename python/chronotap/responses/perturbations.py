"""What follows a perturbation of the pacing: responses, their curve, gain and relaxation."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from chronotap import _native
from chronotap._groups import Groups, coded, grouped, one_of, rows_of, table, ungrouped
from chronotap._results import Estimate, Result
from chronotap._tables import frame_with
from chronotap._values import finite, whole
from chronotap.responses._shared import FARTHEST, alone

Kind: TypeAlias = Literal["phase shift", "onset shift", "step"]
"""One interval changed, so that every later onset is shifted; one onset; every interval from
there on."""


@dataclass(frozen=True)
class Response(Result):
    """The response to one perturbation (Repp 2001, 2002), by lag: 0 is the first beat that was
    moved."""

    kind: Kind
    size_ms: float
    """By how much; positive is later or longer."""
    baseline_ms: float
    """Mean asynchrony of the taps before."""
    asynchronies_ms: tuple[float | None, ...]
    """Less the baseline; None where the tap is missing."""
    shifts_ms: tuple[float | None, ...]
    """How far each tap was shifted against where it would have come."""


@dataclass(frozen=True)
class Gain(Result):
    """How much of a perturbation the next tap takes up: slopes of the phase correction response
    on the size."""

    n: int
    overall: Estimate
    """With an intercept."""
    later: Estimate | None
    """Of perturbations to later, through the origin; None below three."""
    earlier: Estimate | None
    asymmetry: Estimate | None
    """Later less earlier."""


@dataclass(frozen=True)
class Relaxation(Result):
    """By what factor what is left of a perturbation becomes smaller with each tap."""

    factor: Estimate
    half_life_taps: float | None
    seed: int
    """What the interval was drawn with."""


Responses: TypeAlias = "Sequence[Response] | pd.DataFrame"
"""Responses one by one, or as the frame that :func:`responses` gives with ``groups``."""


@overload
def by_beat(taps: pd.DataFrame) -> NDArray[np.float64]: ...
@overload
def by_beat(taps: pd.DataFrame, groups: Groups) -> pd.Series[float]: ...
def by_beat(
    taps: pd.DataFrame, groups: Groups | None = None
) -> NDArray[np.float64] | pd.Series[float]:
    """The asynchrony of each beat of one trial, in ms, from its first beat on; NaN where no tap
    answers.

    Parameters
    ----------
    taps
        Of one trial, one input and one stream, as :func:`chronotap.read_taps` gives them.
    groups
        One label for each tap (``taps["trial"]``, say), or a frame of labels: then the taps are of one
        trial in each group, and the beats of all groups stand one after another in a column with
        their labels as its index, as :func:`responses` takes them.

    Returns
    -------
    The asynchrony of each beat; of groups a column with their labels as its index.

    Raises
    ------
    TypeError
        For what is no frame.
    ValueError
        For a frame without the columns that are needed, for labels that do not fit, and where several taps
        answer one beat.
    """
    taps = frame_with(taps, ("fate", "beat", "asynchrony_ms"), "taps, as read_taps gives them")
    codes, labels = coded(np.zeros(len(taps), dtype=np.int64) if groups is None else groups)
    if len(codes) != len(taps):
        raise ValueError(f"{len(taps)} taps and {len(codes)} groups: give one for each")
    matched = taps["fate"].isin(["matched"]).to_numpy()
    beats = taps["beat"].to_numpy(dtype=np.int64, na_value=0)[matched]
    of = codes[matched]
    lengths = np.zeros(len(labels), dtype=np.int64)
    np.maximum.at(lengths, of, beats)
    begins = np.concatenate([[0], np.cumsum(lengths)])
    places = begins[of] + beats - 1
    if len(np.unique(places)) != len(places):
        raise ValueError("several taps answer one beat: choose one trial, input and stream")
    found = np.full(begins[-1], np.nan)
    found[places] = taps["asynchrony_ms"].to_numpy(dtype=np.float64)[matched]
    if groups is None:
        return found
    return pd.Series(found, labels.repeat(lengths), name="asynchrony_ms")


@overload
def responses(
    asynchronies_ms: ArrayLike,
    perturbations: Mapping[int, float],
    *,
    kind: Kind = "phase shift",
    before: int = 4,
    after: int = 8,
) -> list[Response]: ...
@overload
def responses(
    asynchronies_ms: ArrayLike,
    perturbations: Mapping[int, float],
    *,
    kind: Kind = "phase shift",
    before: int = 4,
    after: int = 8,
    groups: Groups,
) -> pd.DataFrame: ...
def responses(
    asynchronies_ms: ArrayLike,
    perturbations: Mapping[int, float],
    *,
    kind: Kind = "phase shift",
    before: int = 4,
    after: int = 8,
    groups: Groups | None = None,
) -> list[Response] | pd.DataFrame:
    """The responses to perturbations of the pacing in one trial (Repp 2001, 2002).

    Parameters
    ----------
    asynchronies_ms
        By beat, in milliseconds, as :func:`by_beat` gives them.
    perturbations
        For the number of the first beat that each moved, from 1, by how many ms.
    kind
        What was changed.
    before
        Taps before, for the baseline; a perturbation with fewer than two has no response.
    after
        The last lag.
    groups
        One label for each beat (the index that :func:`by_beat` gives), or a frame of labels: then a row
        for each response of each group, with its label as the index: ``kind``, ``beat``,
        ``size_ms``, ``baseline_ms``, and for each lag ``asynchrony_ms_LAG`` and ``shift_ms_LAG``.
        :func:`curve`, :func:`gain` and :func:`relaxation` take it.

    Returns
    -------
    One response for each perturbation; of groups a frame with a row for each.

    Raises
    ------
    TypeError
        For perturbations that are no dictionary.
    ValueError
        For labels that do not fit.
    """
    course = whole("before", before, most=FARTHEST), whole("after", after, most=FARTHEST)
    if not isinstance(perturbations, Mapping):
        raise TypeError("perturbations: give a dictionary, such as {20: 50.0}, of beats and ms")
    places = [
        (whole("perturbations: beat", beat, 1) - 1, finite("perturbations: size", size))
        for beat, size in perturbations.items()
    ]
    if groups is None:
        given = ungrouped(asynchronies_ms)
        _, *columns, _ = _native.responses_by_group(given, places, kind, course)
        rows = np.column_stack([cells for _, cells, *_ in columns])
        return [_response(kind, row, course[1]) for row in rows.tolist()]
    given, labels = grouped(asynchronies_ms, groups)
    told = rows_of(_native.responses_by_group(given, places, kind, course), labels)
    one = pd.Categorical.from_codes(np.zeros(len(told), dtype=np.int8), pd.Index([kind]))
    kinds = pd.Series(one, told.index)
    told.insert(0, "kind", kinds)
    return told


def _response(kind: Kind, row: Sequence[float], after: int) -> Response:
    _, size, baseline, *cells = row
    known = [None if math.isnan(cell) else cell for cell in cells]
    return Response(kind, size, baseline, tuple(known[: after + 1]), tuple(known[after + 1 :]))


def curve(found: Responses, groups: Groups | None = None) -> pd.DataFrame:
    """The mean shift at each lag as a share of the perturbation, with Student's interval over the
    responses: 0 no response, 1 all of it.

    Parameters
    ----------
    found
        Responses of one kind, as :func:`responses` gives them, one by one or as a frame.
    groups
        One label for each response (the index of that frame, say), or a frame of labels: then the
        rows of each group.

    Returns
    -------
    A row for each lag: ``lag``, ``n``, ``share``, ``low``, ``high``.

    Raises
    ------
    TypeError
        For what are no responses.
    ValueError
        For responses of several kinds, and for labels that do not fit.
    """
    kind, given, labels = _given(found, groups)
    told = rows_of(_native.response_curve_by_group(kind, given), labels)
    return told.astype({"lag": np.int64, "n": np.int64}) if groups is not None else alone(told)


@overload
def gain(found: Responses) -> Gain: ...
@overload
def gain(found: Responses, groups: Groups) -> pd.DataFrame: ...
def gain(found: Responses, groups: Groups | None = None) -> Gain | pd.DataFrame:
    """The gain of the phase correction response (Repp 2002), from at least three responses of
    different sizes.

    Parameters
    ----------
    found
        Responses of one kind, as :func:`responses` gives them, one by one or as a frame.
    groups
        One label for each response (the index of that frame, say), or a frame of labels: then a row
        for each group.

    Returns
    -------
    A :class:`Gain` of all responses together; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For what are no responses.
    ValueError
        For responses of several kinds, for labels that do not fit, and where they give no estimate: why. Of
        groups ``why_not`` says it.
    """
    kind, given, labels = _given(found, groups)
    columns = _native.gain_by_group(kind, given)
    return Gain(**one_of(Gain, columns)) if groups is None else table(columns, labels, Gain)


@overload
def relaxation(found: Responses, *, seed: int = 1) -> Relaxation: ...
@overload
def relaxation(found: Responses, groups: Groups, *, seed: int = 1) -> pd.DataFrame: ...
def relaxation(
    found: Responses, groups: Groups | None = None, *, seed: int = 1
) -> Relaxation | pd.DataFrame:
    """The relaxation after at least ten perturbations of one kind; not after steps.

    Parameters
    ----------
    found
        Responses of one kind, as :func:`responses` gives them, one by one or as a frame.
    groups
        One label for each response (the index of that frame, say), or a frame of labels: then a row
        for each group.
    seed
        What the resamples behind the interval are drawn from.

    Returns
    -------
    A :class:`Relaxation` of all responses together; of groups a frame with a row for each, its label as the
    index.

    Raises
    ------
    TypeError
        For what are no responses.
    ValueError
        For responses of several kinds, for labels that do not fit, and where they give no estimate: why. Of
        groups ``why_not`` says it.
    """
    kind, given, labels = _given(found, groups)
    columns = _native.relaxation_by_group(kind, given, whole("seed", seed, most=2**53))
    if groups is not None:
        return table(columns, labels, Relaxation)
    return Relaxation(**one_of(Relaxation, columns))


def _given(
    found: Responses, groups: Groups | None
) -> tuple[str, _native._Responses, pd.Index[Any]]:
    """Responses as matrices, by lag, NaN where there is none."""
    if isinstance(found, pd.DataFrame):
        if not {"kind", "size_ms"} <= set(found.columns):
            raise ValueError("these are no responses: give what responses(…) gives")
        kinds, sizes = set(found["kind"]), found["size_ms"].to_numpy(dtype=np.float64)
        cells = [_lags(found, name) for name in ("asynchrony_ms_", "shift_ms_")]
    else:
        if not all(isinstance(response, Response) for response in found):
            raise TypeError(f"{reprlib.repr(found)}: give responses, as responses(…) gives them")
        kinds = {response.kind for response in found}
        sizes = np.array([response.size_ms for response in found], dtype=np.float64)
        cells = [_rows([r.asynchronies_ms for r in found]), _rows([r.shifts_ms for r in found])]
    if len(kinds) > 1:
        raise ValueError(f"responses to {' and '.join(sorted(kinds))}: give those of one kind")
    codes, labels = coded(np.zeros(len(sizes), dtype=np.int64) if groups is None else groups)
    if len(codes) != len(sizes):
        raise ValueError(f"{len(sizes)} responses and {len(codes)} groups: give one group for each")
    count = max(len(labels), 1) if groups is None else len(labels)
    given = (sizes, cells[0], cells[1], codes, count)
    return (kinds.pop() if kinds else "phase shift"), given, labels


def _lags(found: pd.DataFrame, name: str) -> NDArray[np.float64]:
    columns = [column for column in found.columns if str(column).startswith(name)]
    return np.ascontiguousarray(found[columns].to_numpy(dtype=np.float64))


def _rows(cells: Sequence[Sequence[float | None]]) -> NDArray[np.float64]:
    """None and what a shorter row lacks as NaN."""
    rows = np.full((len(cells), max(map(len, cells), default=0)), np.nan)
    for row, given in zip(rows, cells):
        row[: len(given)] = np.array(given, dtype=np.float64)
    return rows
