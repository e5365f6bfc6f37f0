"""What only Linux has: the parts of the extension that run trials in real time."""

from __future__ import annotations

import sys
from typing import Any

from chronotap import _native


class NeedsLinux(RuntimeError):
    """Real time needs Linux. Everything that reads, simulates trials, analyses and draws works
    here; run trials on a computer with Linux."""


def native(name: str) -> Any:
    """A part of the extension that stands on Linux.

    Raises
    ------
    NeedsLinux
        On other systems.
    """
    found = getattr(_native, name, None)
    if found is None:
        raise NeedsLinux(
            f"{name}: this is {sys.platform}, and it needs Linux (ALSA or JACK for devices, "
            "SCHED_FIFO for timing); reading, simulating and analysing trials works here"
        )
    return found
