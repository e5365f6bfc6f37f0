"""Read the events of another recorder: EEG and MEG amplifiers, streams, any table of onsets and codes.

Recordings of BrainVision, BDF, EDF and FIF are read by mne, those of XDF by pyxdf; both are imported only where
they are needed. Tables, and the markers of BrainVision without the recording, need neither.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from chronotap import _native
from chronotap._tables import frame_with
from chronotap.frames import InNotebook, counts_of

Unit: TypeAlias = Literal["s", "ms", "us", "samples"]

_BY_MNE = (".vhdr", ".bdf", ".edf", ".fif", ".fif.gz")
_GAP = 2.5  # steps between two samples, above which some are missing between them
_DRIFT = 1e-3  # of the time: no amplifier's clock is as far from its rate
_LOW_16_BITS = 0xFFFF  # BioSemi has the state of the amplifier in the bits above


@dataclass(frozen=True, eq=False, repr=False)
class Recorder(InNotebook):
    """What another recorder has of a session: the events that it was told of, by its own clock."""

    events: pd.DataFrame
    """One row for each event, in the order of time. ``onset_s``, and exactly ``onset_ns``: from the first sample
    of the recording; in a table as it stands there. ``code``: the number that it was sent, missing where there is
    none."""
    step_s: float
    """The step in which its clock is read, such as a sample; 0 where none is known."""
    length_s: float | None
    """From the first sample to the end of the last; None where it is not known, as of a stream with a gap."""
    left_out: int
    """Events of the recorder that are no codes, such as the beginning of a segment."""
    source: str
    """Where the events are from."""

    _first_rows_of = "events"

    def __repr__(self) -> str:
        return f"<Recorder {self.source!r}: {counts_of(events=self.events)}, {self.left_out} left out>"


def read_recorder(
    recording: Any,
    *,
    channel: str | None = None,
    markers: str | None = None,
    signal: str | None = None,
    onset: str | None = None,
    code: str | None = None,
    unit: Unit | None = None,
    rate_hz: float | None = None,
    codes: bool = True,
) -> Recorder:
    """Read the events of another recorder.

    Parameters
    ----------
    recording
        The path of a recording of BrainVision (``.vhdr``), BDF, EDF, FIF or XDF; or a recording that mne has read
        (``mne.io.Raw``), of whatever format; or the path of a table with a line for each event (tabs, commas or
        semicolons between the columns, whose names are in the first line), or of markers of BrainVision
        (``.vmrk``).
    channel
        Of recordings that mne reads: the stim channel that has the codes, in its lowest 16 bits. By default codes
        are taken from the annotations, and where none ends in a number from the stim channels.
    markers
        Of XDF: the name of the stream that has the codes; by default the only one that has some.
    signal
        Of XDF: the name of the stream from whose first sample onsets count; by default the one of the type
        ``EEG``, or the only one with a rate. Where there is none, onsets are the stamps as they are.
    onset, code
        Of tables: the columns; by default found by their names, as ``chronotap align`` finds them.
    unit
        Of tables: the unit of the onsets, ``"s"``, ``"ms"``, ``"us"`` or ``"samples"``; by default by the name of
        the column.
    rate_hz
        Of tables: samples in a second, for onsets that are counted in samples; 0.001 to 1,000,000.
    codes
        Of tables: whether codes are read. Without them every line with an onset is an event.

    Returns
    -------
    The codes of the recording, and its clock.

    Raises
    ------
    FileNotFoundError, PermissionError, OSError
        Where the file cannot be read.
    ImportError
        Where mne or pyxdf is needed and not installed; it says how to install it.
    ValueError
        Where no event has a code, where it is not clear which stream is meant, and for a table that cannot be
        used, with file, line and column.
    TypeError
        For an argument that is for another kind of recording.
    """
    of_table = {"onset": onset, "code": code, "unit": unit, "rate_hz": rate_hz, "codes": codes}
    given = {**of_table, "codes": None if codes else False, "channel": channel, "markers": markers, "signal": signal}
    if hasattr(recording, "annotations"):
        _only(given, ("channel",))
        return _of_raw(recording, "a recording of mne", channel)
    path = Path(recording)
    if path.name.lower().endswith(_BY_MNE):
        _only(given, ("channel",))
        return _of_raw(_raw(path), str(path), channel)
    if path.suffix.lower() in (".xdf", ".xdfz"):
        _only(given, ("markers", "signal"))
        return _of_xdf(path, markers, signal)
    _only(given, tuple(of_table))
    return _of_table(path, of_table)


def recorder_of(given: Any) -> Recorder:
    """What :func:`chronotap.align` takes for a recorder: one that was read, a path, or a frame."""
    if isinstance(given, Recorder):
        return given
    if isinstance(given, (str, os.PathLike)) or hasattr(given, "annotations"):
        return read_recorder(given)
    what = "a recorder, the path of a recording, or a frame with the columns onset_s and code"
    frame = frame_with(given, ("onset_s",), what)
    times = np.asarray(frame["onset_s"], dtype=float)
    if not np.isfinite(times).all():
        raise ValueError(f"the frame has an onset_s that is no number: give {what}")
    codes = frame["code"] if "code" in frame else [None] * len(frame)
    onsets = np.round(times * 1e9).astype(np.int64)
    return _in_order(onsets, pd.array(list(codes), dtype="Int64"), 0.0, None, 0, "a frame")


def marks_of(recorder: Recorder) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Onsets in nanoseconds and codes, -1 for none, as the extension takes them."""
    onsets = recorder.events["onset_ns"].to_numpy(dtype=np.int64)
    return onsets, recorder.events["code"].to_numpy(dtype=np.int64, na_value=-1)


def _only(given: dict[str, Any], usable: Sequence[str]) -> None:
    for name, value in given.items():
        if value is not None and name not in usable:
            raise TypeError(f"{name} = {value!r}: it is for other kinds of recordings; leave it out")


def _in_order(
    onsets: NDArray[np.int64], codes: Any, step_s: float, length_s: float | None, left_out: int, source: str
) -> Recorder:
    frame = pd.DataFrame({"onset_s": onsets / 1e9, "onset_ns": onsets, "code": codes})
    frame = frame.sort_values("onset_ns", kind="stable").reset_index(drop=True)
    return Recorder(frame, step_s, length_s, left_out, source)


def _of_table(path: Path, asked: dict[str, Any]) -> Recorder:
    rate = asked["rate_hz"]
    if rate is not None and not 0.001 <= rate <= 1e6:
        raise ValueError(f"rate_hz = {rate!r}: give samples in a second, from 0.001 to 1000000")
    if asked["unit"] not in (None, "s", "ms", "us", "samples"):
        raise ValueError(f"unit = {asked['unit']!r}: there are 's', 'ms', 'us', 'samples'")
    onsets, codes, step_s, left_out = _native.read_recorder_table(path, asked)  # type: ignore[arg-type]
    return _in_order(onsets, pd.arrays.IntegerArray(codes, codes < 0), step_s, None, left_out, str(path))


def _imported(name: str, path: object) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(f"{path}: reading it needs {name}; install it with: pip install {name}") from error


def _raw(path: Path) -> Any:
    mne = _imported("mne", path)
    if not path.exists():
        raise FileNotFoundError(f"{path}: there is no such recording")
    return mne.io.read_raw(path, preload=False, verbose="ERROR")


def _of_raw(raw: Any, source: str, channel: str | None) -> Recorder:
    rate_hz = float(raw.info["sfreq"])
    samples, codes, left_out = _in_raw(raw, channel)
    if not codes:
        where = f"the channel {channel!r} has" if channel else "neither annotations nor stim channels have"
        raise ValueError(f"{source}: {where} a code; name the stim channel that has them as channel")
    onsets = np.round((samples - raw.first_samp) * (1e9 / rate_hz)).astype(np.int64)
    length_s = raw.n_times / rate_hz
    return _in_order(onsets, pd.array(codes, dtype="Int64"), 1 / rate_hz, length_s, left_out, source)


def _in_raw(raw: Any, channel: str | None) -> tuple[NDArray[np.int64], list[int], int]:
    """The samples of the events, their codes, and how many events have none."""
    if channel is None:
        samples, codes, left_out = _in_annotations(raw)
        if codes:
            return samples, codes, left_out
    return _in_channels(raw, channel)


def _in_annotations(raw: Any) -> tuple[NDArray[np.int64], list[int], int]:
    mne = _imported("mne", "annotations")
    texts = [str(text) for text in raw.annotations.description]
    codes = _native.codes_of(texts)
    numbers = {text: code for text, code in zip(texts, codes) if code is not None}
    if not numbers:
        return np.empty(0, dtype=np.int64), [], len(texts)
    events, _ = mne.events_from_annotations(raw, event_id=numbers, regexp=None, verbose="ERROR")
    return events[:, 0].astype(np.int64), events[:, 2].tolist(), len(texts) - len(events)


def _in_channels(raw: Any, channel: str | None) -> tuple[NDArray[np.int64], list[int], int]:
    mne = _imported("mne", "a stim channel")
    if channel is not None and channel not in raw.ch_names:
        raise ValueError(f"channel = {channel!r}: the recording has {', '.join(raw.ch_names)}")
    if channel is None and "stim" not in raw.get_channel_types():
        return np.empty(0, dtype=np.int64), [], 0
    how = {"shortest_event": 1, "consecutive": True, "initial_event": True, "verbose": "ERROR"}
    events = mne.find_events(raw, channel, mask=_LOW_16_BITS, mask_type="and", uint_cast=True, **how)
    return events[:, 0].astype(np.int64), events[:, 2].tolist(), 0


def _of_xdf(path: Path, markers: str | None, signal: str | None) -> Recorder:
    pyxdf = _imported("pyxdf", path)
    if not path.exists():
        raise FileNotFoundError(f"{path}: there is no such recording")
    streams, _ = pyxdf.load_xdf(path, verbose=False)
    name, codes, stamps = _markers(path, streams, markers)
    zero_s, length_s = _span(_signals(path, streams, signal))
    coded = [place for place, code in enumerate(codes) if code is not None]
    onsets = np.round((np.asarray(stamps)[coded] - zero_s) * 1e9).astype(np.int64)
    numbers = pd.array([codes[place] for place in coded], dtype="Int64")
    return _in_order(onsets, numbers, 0.0, length_s, len(codes) - len(coded), f"{path}, {name}")


def _name(stream: Any) -> str:
    return str(stream["info"]["name"][0])


def _rate_hz(stream: Any) -> float:
    return float(stream["info"]["nominal_srate"][0])


def _codes(stream: Any) -> list[int | None]:
    """The codes of a stream of markers; none of one with a rate, whose values are samples."""
    if _rate_hz(stream) > 0:
        return []
    return _native.codes_of([str(sample[0]) for sample in stream["time_series"]])


def _markers(path: Path, streams: list[Any], named: str | None) -> tuple[str, list[int | None], Any]:
    """Name, codes and stamps of the stream that is named, or of the only one that has codes."""
    found = [(_name(stream), _codes(stream), stream["time_stamps"]) for stream in streams]
    found = [one for one in found if any(code is not None for code in one[1])]
    fitting = [one for one in found if named is None or one[0] == named]
    if len(fitting) == 1:
        return fitting[0]
    names = ", ".join(repr(one[0]) for one in found) or "none"
    raise ValueError(f"{path}: streams with codes: {names}; name one of them as markers")


def _signals(path: Path, streams: list[Any], named: str | None) -> list[Any]:
    """The stream from whose first sample onsets count, if there is one."""
    rated = [stream for stream in streams if _rate_hz(stream) > 0 and len(stream["time_stamps"])]
    if named is not None:
        fitting = [stream for stream in rated if _name(stream) == named]
    else:
        fitting = [stream for stream in rated if stream["info"]["type"][0] == "EEG"] or rated
    if len(fitting) == 1 or (named is None and not rated):
        return fitting
    names = ", ".join(repr(_name(stream)) for stream in rated) or "none"
    raise ValueError(f"{path}: streams with a rate: {names}; name one of them as signal")


def _span(signals: list[Any]) -> tuple[float, float | None]:
    """The first stamp, and how long the stream lasts; without one, stamps are as they are.

    How long it lasts is not known where samples are missing in it: a program that puts its samples one after the
    other has less, and everything behind the gap earlier than it was.
    """
    if not signals:
        return 0.0, None
    stamps, step_s = np.asarray(signals[0]["time_stamps"], dtype=float), 1 / _rate_hz(signals[0])
    steps = np.diff(stamps)
    gaps = np.flatnonzero((steps > _GAP * step_s) | (steps < 0))
    lasts_s = float(stamps[-1] - stamps[0])
    # pyxdf spreads a gap of less than a second over the whole stream.
    spread_s = abs(lasts_s - len(steps) * step_s)
    if len(gaps) or spread_s > max(_GAP * step_s, _DRIFT * lasts_s):
        first_s = stamps[gaps[0]] - stamps[0] if len(gaps) else None
        where = "nobody knows where" if first_s is None else f"the first {first_s:.3f} s after its beginning"
        warnings.warn(
            f"{_name(signals[0])}: samples are missing ({where}), so its length is not known; onsets behind a gap are "
            "right by the clock, not by the number of the sample",
            stacklevel=4,
        )
        return float(stamps[0]), None
    return float(stamps[0]), lasts_s + step_s
