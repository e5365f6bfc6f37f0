"""Every statistic that the program knows."""

from __future__ import annotations

import pandas as pd

from chronotap import _native


def catalogue(of: str | None = None) -> pd.DataFrame:
    """Every statistic of the tables of an analysis and of summaries, from its definition.

    Parameters
    ----------
    of
        Only those that are taken from this: ``"asynchronies"``, ``"intervals"``, and the others of the
        column ``of``.

    Returns
    -------
    A row for each, by its name: ``column`` (its heading in tables, with the unit), ``of`` (what it
    is taken from), ``has_interval``, ``least`` and ``most`` that it can be, ``about``, ``source``.

    Raises
    ------
    ValueError
        For what none is taken from; the message names all.

    Examples
    --------
    >>> catalogue(of="asynchronies").loc["sd asynchrony", "column"]
    'sd_asynchrony_ms'
    """
    names = ["name", "column", "of", "has_interval", "range", "about", "source"]
    found = pd.DataFrame(_native.statistics_known(), columns=names).set_index("name")
    ends = pd.DataFrame(found.pop("range").tolist(), found.index, ["least", "most"])
    found[["least", "most"]] = ends
    found = found[["column", "of", "has_interval", "least", "most", "about", "source"]]
    if of is None:
        return found
    known = list(dict.fromkeys(found["of"]))
    if of not in known:
        raise ValueError(f"of = {of!r}: there are {', '.join(map(repr, known))}")
    return found[found["of"] == of]
