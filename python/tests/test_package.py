"""The examples in the documentation of the functions run as they stand, and every function says what it
returns and raises."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil

import chronotap
import chronotap as ct


def test_examples_in_docstrings() -> None:
    for module in pkgutil.walk_packages(chronotap.__path__, "chronotap."):
        if module.name != "chronotap._native":
            found = doctest.testmod(importlib.import_module(module.name))
            assert found.failed == 0, module.name


def public_functions() -> list[tuple[str, object]]:
    """Every function that the package offers, and the methods of what one builds or opens with it."""
    from chronotap import models, music, onsets, plot, responses, statistics

    found: dict[str, object] = {}
    for module in (ct, models, music, onsets, plot, responses, statistics):
        names = getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")])
        for name in names:
            one = getattr(module, name)
            if inspect.isfunction(one) and one.__module__.startswith("chronotap"):
                found[f"{module.__name__}.{name}"] = one
    for kind, methods in (
        (ct.Experiment, ("read", "save", "check", "plan", "simulate", "run")),
        (ct.Trial, ("read", "of_text", "changed", "check", "save")),
        (ct.Rig, ("start", "run")),
        (ct.Running, ("wait", "close")),
        (ct.Finished, ("value",)),
        (ct.Alignment, ("write_bids",)),
    ):
        found |= {f"{kind.__name__}.{name}": getattr(kind, name) for name in methods}
    return sorted(found.items())


def test_every_public_function_says_what_it_returns_and_what_it_raises() -> None:
    functions = public_functions()
    assert len(functions) > 70
    sections = {"Returns\n-------\n", "Raises\n------\n"}
    silent = [
        f"{name}: {section.split()[0]}"
        for name, function in functions
        for section in sorted(sections)
        if section not in (inspect.getdoc(function) or "")
    ]
    assert silent == []
