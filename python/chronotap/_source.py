"""A trial as it is given to a function: a path, the text itself, or a :class:`Trial`."""

from __future__ import annotations

import os
import reprlib
import secrets
from pathlib import Path
from typing import Any, Protocol, TypeAlias, Union

from chronotap import _native
from chronotap._values import whole
from chronotap.errors import Problem, TrialFileError
from chronotap.frames import json_of


class WrittenTrial(Protocol):
    """What is asked of a :class:`Trial` here, whose own file needs this one."""

    name: str

    @property
    def text(self) -> str:
        """The text of its trial file."""


TrialSource: TypeAlias = Union[str, "os.PathLike[str]", WrittenTrial]
"""A trial, the path of a trial file, or the text of one: a ``str`` with a line break is text."""


def bytes_and_name(trial: TrialSource) -> tuple[bytes, str]:
    """The bytes of a trial file and the name by which its problems are told."""
    if isinstance(trial, str) and "\n" in trial:
        return trial.encode(), "trial"
    if isinstance(trial, (str, os.PathLike)):
        return _bytes_of(trial), str(Path(trial))
    if not hasattr(trial, "text"):
        told = f"trial = {reprlib.repr(trial)}"
        raise TypeError(f"{told}: give a Trial, the path of a trial file, or its text")
    return trial.text.encode(), trial.name


def _bytes_of(path: str | os.PathLike[str]) -> bytes:
    try:
        return Path(path).read_bytes()
    except (FileNotFoundError, IsADirectoryError) as error:
        if isinstance(path, str):
            why = f"{error.strerror} (a text with a line break is taken for the trial file itself)"
            raise type(error)(error.errno, why, path) from None
        raise


def seed_of(seed: int | None, of_the_file: int | None) -> int:
    """The seed that is asked for, else that of the file, else one that is drawn."""
    if seed is not None:
        return whole("seed", seed)
    return secrets.randbits(32) if of_the_file is None else of_the_file


def who(participant: str | os.PathLike[str] | None) -> tuple[str | None, str | None]:
    """Who taps: a description, or the path of a table of key presses."""
    if participant is None or isinstance(participant, str):
        return participant, None
    if not isinstance(participant, os.PathLike):
        told = f"participant = {reprlib.repr(participant)}"
        raise TypeError(f"{told}: give a description, or the Path of a table of key presses")
    return None, os.fspath(participant)


def explained(contents: bytes, name: str) -> tuple[dict[str, Any], str]:
    """The explanation of a trial file, and its text for people.

    Raises
    ------
    TrialFileError
        Where the file has problems.
    """
    explanation, problems = _native.check(contents, name)
    if explanation is None:
        raise TrialFileError(tuple(Problem(*problem) for problem in problems))
    told, text = explanation
    return json_of(told), text
