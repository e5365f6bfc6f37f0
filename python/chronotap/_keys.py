"""Keys of trial and experiment files as they are built in Python: what a file cannot hold is refused,
with the path of the key and what to give instead."""

from __future__ import annotations

import json
import math
import reprlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from chronotap import _native

_DEEPEST = 60
"""Far beyond what any file needs; a dictionary that holds itself ends here."""


def text_of(keys: Mapping[str, Any]) -> str:
    """The text of a file with these keys."""
    return _native.toml_of_json(json.dumps(keys))


def plain(value: object, path: str = "", depth: int = 0) -> Any:
    """A copy of what a key holds, of what a file can hold.

    Raises
    ------
    ValueError, TypeError
        For what no file can hold.
    """
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (str, bool, int, float)):
        return _scalar(value, path)
    if depth > _DEEPEST:
        raise ValueError(f"{path[:60]}…: nested too deep; does a dictionary hold itself?")
    if isinstance(value, Mapping):
        return {_name(name, path): plain(one, _below(path, name), depth + 1) for name, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [plain(one, _below(path, place), depth + 1) for place, one in enumerate(value)]
    if value is None:
        raise ValueError(f"{path} = None: no file can hold that; leave the key out")
    told = f"{path} = {reprlib.repr(value)}: give a text (times with their unit), a number, a truth value"
    raise TypeError(f"{told}, a list or a dictionary")


def _scalar(value: str | bool | int | float, path: str) -> str | bool | int | float:
    if isinstance(value, str):
        if any(0xD800 <= ord(letter) < 0xE000 for letter in value):
            raise ValueError(f"{path} = {reprlib.repr(value)}: half of a character; no file can hold it")
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{path} = {value}: give a number that is finite")
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError(f"{path} = {value}: give a whole number of at most 2^63 - 1")
    return value


def _name(name: object, path: str) -> str:
    if not isinstance(name, str):
        of = f"{path}: " if path else ""
        raise TypeError(f"{of}the key {reprlib.repr(name)} is no text: give texts as keys")
    return name


def _below(path: str, name: object) -> str:
    return f"{path}.{name}" if path else str(name)


def frozen(value: Any) -> Any:
    """The same so that it can be hashed; alike where the values are equal."""
    if isinstance(value, dict):
        return frozenset((name, frozen(one)) for name, one in value.items())
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def file_text(path: str) -> str:
    """The text of a file.

    Raises
    ------
    ValueError
        Where it is no text.
    """
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: no text in UTF-8 ({error.reason}); save it as such") from None
