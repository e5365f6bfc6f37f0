#!/usr/bin/env bash
# Prints the path of the BIDS validator, installing it first where it is missing: into
# target/bids-validator, an environment of Python of its own. The tests of datasets use it;
# where it cannot be had they are passed over, so this says why and exits with 1.
#
# Usage: scripts/bids-validator.sh
set -uo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.." || exit 2

mkdir -p "${CARGO_TARGET_DIR:-target}"
place=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)/bids-validator
program=$place/bin/bids-validator-deno
# Tests that run at once ask at once: the first installs it, and the others wait.
exec 9>"$place.lock"
flock 9
if [ ! -x "$program" ]; then
    { python3 -m venv "$place" && "$place/bin/pip" install --quiet bids-validator-deno==3.0.2; } >&2 ||
        { echo "no BIDS validator: it needs Python with venv, and a network the first time" >&2; exit 1; }
fi
echo "$program"
