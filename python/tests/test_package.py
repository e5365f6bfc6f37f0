"""The examples in the documentation of the functions run as they stand."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import chronotap


def test_examples_in_docstrings() -> None:
    for module in pkgutil.walk_packages(chronotap.__path__, "chronotap."):
        if module.name != "chronotap._native":
            found = doctest.testmod(importlib.import_module(module.name))
            assert found.failed == 0, module.name
