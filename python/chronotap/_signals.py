"""Signals that end a program, while a trial runs.

Python leaves SIGTERM and SIGHUP to the system, which would end the program with its notes
sounding. While Python waits for a trial or looks at its events they end the trial first, as Ctrl-C does.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_holding = 0
"""So many now want the signals, one within another or beside it."""
_ours: list[int] = []


@contextmanager
def asked_to_end() -> Iterator[None]:
    """Turns SIGTERM and SIGHUP into ``SystemExit`` where nobody else has taken them over.
    Only the main thread may do so; elsewhere they stay as they are."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _take()
    try:
        yield
    finally:
        _leave()


def _take() -> None:
    global _holding
    _holding += 1
    if _holding > 1:
        return
    wanted = [getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP")]
    _ours[:] = [one for one in wanted if one is not None and signal.getsignal(one) == signal.SIG_DFL]
    for one in _ours:
        signal.signal(one, _end)


def _leave() -> None:
    global _holding
    _holding -= 1
    if _holding or threading.current_thread() is not threading.main_thread():
        return  # an iterator that is thrown away may end in any thread
    for one in _ours:
        if signal.getsignal(one) == _end:
            signal.signal(one, signal.SIG_DFL)


def _end(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
