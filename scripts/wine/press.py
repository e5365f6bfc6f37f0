"""press.py SECONDS COMMAND...: runs a command in a terminal, presses Ctrl-C in it after that time, waits for its end, and
prints what it showed."""

import os
import pty
import select
import sys
import time

program, terminal = pty.fork()
if program == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
press_at, pressed = time.monotonic() + float(sys.argv[1]), False
while True:
    ready, _, _ = select.select([terminal], [], [], 0.1)
    try:
        shown = os.read(terminal, 65536) if ready else b""
    except OSError:  # the program has ended
        break
    sys.stdout.buffer.write(shown)
    if not pressed and time.monotonic() > press_at:
        os.write(terminal, b"\x03")
        pressed = True
os.waitpid(program, 0)
sys.exit(0 if pressed else "it ended before Ctrl-C was pressed")
