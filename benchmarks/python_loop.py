#!/usr/bin/env python3
"""Echo taps in Python, as an experiment script would.

python_loop.py PATH [--plain]

Reads MIDI bytes from PATH and writes each note back. Where mido is installed its
parser and messages stand in the loop; otherwise, or with --plain, the bytes are
passed on unread. python-rtmidi cannot open a pseudo-terminal or a raw device: it
needs the ALSA sequencer, so it has no place in this comparison. What is used is
said on standard error.
"""

import os
import select
import sys

try:
    import mido
except ImportError:
    mido = None


def echo_bytes(port: int) -> None:
    """Write back what arrives, unread."""
    while True:
        select.select([port], [], [])
        data = os.read(port, 64)
        if not data:
            return
        os.write(port, data)


def echo_messages(port: int) -> None:
    """Write back each note message, through mido's parser and messages."""
    parser = mido.Parser()
    while True:
        select.select([port], [], [])
        data = os.read(port, 64)
        if not data:
            return
        parser.feed(data)
        for message in parser:
            if message.type in ("note_on", "note_off"):
                os.write(port, bytes(message.bytes()))


def main() -> None:
    """Open the port and echo until interrupted."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    priority = int(os.environ.get("PRIORITY", "0"))
    if priority > 0:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
    port = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
    plain = mido is None or "--plain" in sys.argv
    print("python_loop: " + ("plain bytes" if plain else "mido"), file=sys.stderr)
    try:
        echo_bytes(port) if plain else echo_messages(port)
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
