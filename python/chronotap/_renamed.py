"""Names that functions had in the release before: they work for one more, and warn."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any


def renamed(module: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """What ``module`` gives for a name that it does not have: the function that has taken its place, with
    intervals.

    Raises
    ------
    AttributeError
        For a name that it never had.
    """

    def found(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        told = f"{module}.{name} is chronotap.{names[name]} now, whose results have their intervals"
        warnings.warn(told, DeprecationWarning, stacklevel=2)
        where, function = names[name].split(".")
        return partial(getattr(importlib.import_module(f"chronotap.{where}"), function), intervals=True)

    return found
