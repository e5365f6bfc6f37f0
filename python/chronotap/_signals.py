"""Signals that end a program, while a trial runs.

Python leaves SIGTERM and SIGHUP to the system, which would end the program with its notes
sounding. While Python waits for a trial they end the trial first, as Ctrl-C does.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def asked_to_end() -> Iterator[None]:
    """Turns SIGTERM and SIGHUP into ``SystemExit`` where nobody else has taken them over.
    Only the main thread may do so; elsewhere they stay as they are."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    wanted = [getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP")]
    ours = [one for one in wanted if one is not None and signal.getsignal(one) == signal.SIG_DFL]
    for one in ours:
        signal.signal(one, _end)
    try:
        yield
    finally:
        for one in ours:
            signal.signal(one, signal.SIG_DFL)


def _end(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
