#!/usr/bin/env bash
# Do the two commands suffice on a bare Debian root, with nothing but git?
# RELEASE is bookworm unless given, and may be one of Ubuntu; MIRROR that of this machine's
# apt sources, or for Ubuntu http://archive.ubuntu.com/ubuntu, say.
#
# Makes such a root (scripts/bare-root.sh), clones this repository into it as committed, and
# runs there what README.md says: first the demo by scripts/demo.sh, because a bare root has no
# `make`, then `make demo` and `make test`. Rust too comes from the distribution. Takes about
# 50 minutes on two processors, most of it for building the tests and running them.
#
# Usage: sudo scripts/check-bare.sh [RELEASE [MIRROR]]
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
repository=$PWD
release=${1:-bookworm}
mirror=${2-}
. scripts/bare-root.sh

main() {
    begin_bare
    inside 'git clone --quiet /repository chronotap && cd chronotap && git log -1 --oneline'
    report "scripts/demo.sh, no make yet" 'cd chronotap && scripts/demo.sh'
    report "make demo" 'cd chronotap && make demo'
    report "what the demo build lacks" 'cd chronotap && scripts/check-demo.sh'
    report "make test" 'cd chronotap && make test'
}

main
