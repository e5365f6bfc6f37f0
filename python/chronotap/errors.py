"""What is wrong with a trial or experiment file: each problem with its place and its cure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One mistake in a file."""

    file: str
    """The file as it was named."""
    line: int
    """Line, from 1; 0 where the whole file is meant."""
    column: int
    """Column in characters, from 1; 0 where the whole file is meant."""
    message: str
    """What is wrong, and what was expected."""
    cure: str | None
    """What to write instead."""
    nearest: str | None
    """The valid name nearest to the one that was written."""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        cure = f"; {self.cure}" if self.cure else ""
        nearest = f'; did you mean "{self.nearest}"?' if self.nearest else ""
        return f"{place}: {self.message}{cure}{nearest}"


class TrialFileError(ValueError):
    """A trial or experiment file cannot be used. ``problems`` has all its mistakes, in the order of the
    lines; mend them all, then check again."""

    problems: tuple[Problem, ...]

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems

    def __reduce__(self) -> tuple[type[TrialFileError], tuple[tuple[Problem, ...]]]:
        return (TrialFileError, (self.problems,))
