"""Trials as values: built in Python, or read from a file, and changed key by key."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, TypeAlias

from chronotap import _native
from chronotap._keys import file_text, frozen, plain, text_of
from chronotap.check import TrialPlan, check

Value: TypeAlias = "str | int | float | bool | Sequence[Value] | Mapping[str, Value]"
"""What a key may hold: times as text with their unit (``"500 ms"``), as in a trial file."""


class Trial:
    """A trial, by the keys of a trial file (docs/trial-reference.md).

    Parameters
    ----------
    sections
        The keys at the top of the file: ``title``, ``pacing``, ``feedback``, ``when`` and
        the others, each with a word, a number, a list or a dictionary.

    Raises
    ------
    ValueError, TypeError
        For what no file can hold, with the path of the key.
    TrialFileError
        By :meth:`check` and by everything that runs the trial; not when it is made.

    Examples
    --------
    >>> trial = Trial(
    ...     title="Twenty beats",
    ...     pacing={"metronome": {"interval": "500 ms", "beats": 20}},
    ...     when=[{"time": "11 s", "end": True}],
    ... )
    >>> trial.check().title
    'Twenty beats'
    >>> slower = trial.changed({"pacing.metronome.interval": "600 ms"})
    >>> slower.keys["pacing"]["metronome"]
    {'interval': '600 ms', 'beats': 20}
    """

    def __init__(self, **sections: Value) -> None:
        self._keys: dict[str, Any] = plain(sections)
        self._text: str = text_of(self._keys)
        self.name = "trial"
        """By which mistakes are told and data files are named: that of the file, if any."""

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Trial:
        """The trial of a file. Its text stays as it is, comments included.

        Returns
        -------
        The trial.

        Raises
        ------
        OSError
            Where the file cannot be read.
        ValueError
            Where it is no text.
        """
        return cls.of_text(file_text(os.fspath(path)), name=os.fspath(path))

    @classmethod
    def of_text(cls, text: str, *, name: str = "trial") -> Trial:
        """The trial that a text describes.

        Returns
        -------
        The trial.

        Raises
        ------
        ValueError
            Where the text is not TOML.
        """
        trial = cls.__new__(cls)
        trial._keys = json.loads(_native.json_of_toml(text))
        trial._text = text
        trial.name = name
        return trial

    @property
    def keys(self) -> dict[str, Any]:
        """A copy of its keys."""
        return deepcopy(self._keys)

    @property
    def text(self) -> str:
        """The trial file."""
        return self._text

    def changed(self, keys: Mapping[str, Value | None]) -> Trial:
        """The same trial with other values.

        Parameters
        ----------
        keys
            For each path, such as ``"feedback.tone.delay"``, the value; None takes the key
            away. A number in a path is a place in a list: ``"when.0.time"``.

        Returns
        -------
        Another trial; this one stays as it is.

        Raises
        ------
        KeyError
            For a path that leads nowhere, with the part that is wrong.
        """
        changed = self.keys
        for path, value in keys.items():
            if not isinstance(path, str) or not all(path.split(".")):
                raise KeyError(f"{path!r}: give a path such as 'feedback.tone.delay'")
            _set(changed, path.split("."), value, path)
        trial = Trial(**changed)
        trial.name = self.name
        return trial

    def check(self) -> TrialPlan:
        """What the trial will do; see :func:`chronotap.check`.

        Returns
        -------
        What the trial comes to.

        Raises
        ------
        TrialFileError
            All the problems of the file.
        """
        return check(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the trial file. One that is there is not overwritten.

        Returns
        -------
        Nothing; the file is written.

        Raises
        ------
        FileExistsError
            Where the file is there.
        OSError
            Where it cannot be written.
        """
        with Path(path).open("x", encoding="utf-8") as file:
            file.write(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trial) and self._keys == other._keys

    def __hash__(self) -> int:
        return hash(frozen(self._keys))

    def __repr__(self) -> str:
        return f"<Trial {self._keys.get('title', self.name)!r}>"


def _set(keys: Any, path: Sequence[str], value: Value | None, whole: str) -> None:
    head, *rest = path
    place: Any = head
    if isinstance(keys, list):
        if not head.isdigit() or int(head) >= len(keys):
            raise KeyError(f"{whole}: {head!r} is no place in a list of {len(keys)}")
        place = int(head)
    elif not isinstance(keys, dict):
        raise KeyError(f"{whole}: what stands before {head!r} is a value, not a table")
    if rest:
        if isinstance(keys, dict) and place not in keys:
            keys[place] = {}
        _set(keys[place], rest, value, whole)
    elif value is None:
        if isinstance(keys, dict) and place not in keys:
            raise KeyError(f"{whole}: there is no {head!r} to take away")
        del keys[place]
    else:
        keys[place] = deepcopy(value)
