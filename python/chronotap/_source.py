"""A trial as it is given to a function: a path, the text itself, or a :class:`Trial`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Union

from chronotap import _native
from chronotap.errors import Problem, TrialFileError

if TYPE_CHECKING:
    from chronotap.trial import Trial

TrialSource: TypeAlias = Union[str, "os.PathLike[str]", "Trial"]
"""A trial, the path of a trial file, or the text of one: a ``str`` with a line break is text."""


def bytes_and_name(trial: TrialSource) -> tuple[bytes, str]:
    """The bytes of a trial file and the name by which its problems are told."""
    if isinstance(trial, str) and "\n" in trial:
        return trial.encode(), "trial"
    if isinstance(trial, (str, os.PathLike)):
        path = Path(trial)
        return path.read_bytes(), str(path)
    return trial.text.encode(), trial.name


def explained(contents: bytes, name: str) -> str:
    """The explanation of a trial file as JSON.

    Raises
    ------
    TrialFileError
        Where the file has problems.
    """
    explanation, problems = _native.check(contents, name)
    if explanation is None:
        raise TrialFileError(tuple(Problem(*problem) for problem in problems))
    return explanation
