#!/usr/bin/env bash
# Makes crates/analysis/tests/oracles/golden.json again: what numpy, scipy, statsmodels, astropy
# pingouin and pycircstat2 say of the statistics of this project; and crates/design/tests/oracles/quest.json:
# what SweetSpot says of Bayesian staircases. They are installed into
# target/oracles, an environment of Python of its own, and are linked nowhere. Needs Python
# 3.11 or later with venv, and a network the first time. Not part of `make test`, which
# compares with the file as it stands.
#
# Usage: scripts/oracles.sh
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."

place=${CARGO_TARGET_DIR:-target}/oracles
packages=(numpy==2.4.6 scipy==1.17.1 statsmodels==0.15.0 astropy==8.0.2 pingouin==0.7.0
    pycircstat2==0.1.15 sweetspot==1.15.1)
[ -x "$place/bin/python" ] || python3 -m venv "$place"
"$place/bin/pip" install --quiet "${packages[@]}"
"$place/bin/python" crates/analysis/tests/oracles/make.py
"$place/bin/python" crates/design/tests/oracles/quest.py
git diff --stat -- crates/*/tests/oracles/*.json
