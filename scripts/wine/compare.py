"""compare.py LINUX WINDOWS: the names of files that are not the same in both folders.

Left out is what a file says of the machine, and of where music lies on it. Only for scripts/test-wine.sh."""

import io
import json
import pathlib
import re
import sys
import zipfile

OF_THE_MACHINE = ("machine", "OperatingSystem")


def main(linux: str, windows: str) -> None:
    one, other = files_in(linux), files_in(windows)
    for name in sorted({*one, *other}):
        if one.get(name) != other.get(name):
            print(name, "differs" if name in one and name in other else "is there once")


def files_in(root: str) -> dict:
    files = (path for path in sorted(pathlib.Path(root).rglob("*")) if path.is_file())
    return {path.relative_to(root).as_posix(): compared(path.name, path.read_bytes()) for path in files}


def compared(name: str, text: bytes) -> object:
    """What is compared of a file."""
    if name.endswith("_events.json"):
        return json.dumps(alike(json.loads(text)))
    if name.endswith("_journal.jsonl"):  # each line has its own checksum behind it
        return [alike(json.loads(line[: line.rindex(b"}") + 1])) for line in text.splitlines()]
    if name.endswith((".sha256", "manifest.json")):  # of files that name the machine
        return re.sub(rb'\b[0-9a-f]{64}\b|"bytes": \d+', b"", text)
    if name.endswith("report.html"):
        text = re.sub(rb'<tr><th scope="row">on</th>.*?</tr>|(?m:^path = .*$)', b"", text)
        return text.replace(b' class="words"', b"")  # what is short stands in a narrower column
    if zipfile.is_zipfile(io.BytesIO(text)):
        with zipfile.ZipFile(io.BytesIO(text)) as packed:
            return [(inside, compared(inside, packed.read(inside))) for inside in packed.namelist()]
    return text


def alike(said: object) -> object:
    if isinstance(said, dict):
        return {key: alike(value) for key, value in said.items() if key not in OF_THE_MACHINE}
    if isinstance(said, list):
        return [alike(value) for value in said]
    # Where music lies on this computer, and the checksum of a file that says on which machine it was made.
    return re.sub(r"(?m)^path = .*$|\b[0-9a-f]{64}\b", "", said) if isinstance(said, str) else said


main(*sys.argv[1:])
