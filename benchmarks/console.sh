#!/usr/bin/env bash
# What pages cost: lateness of output in a session without a console, in one with a console whose
# three pages are read but not drawn, and in one with three pages open in Chromium, turn about. Each
# session has one trial of 2,000 beats.
#   benchmarks/console.sh [ROUNDS=5]     needs real-time rights, Chromium, Node and npm
source "$(dirname "$0")/common.sh"
rounds=${1:-5}
place=$target/console/browser
[ -d "$place/node_modules" ] || { echo "run scripts/test-console.sh first: it installs playwright-core" >&2; exit 2; }
cp crates/console/browser/* "$place/"
BROWSER=$(command -v chromium || command -v google-chrome) || { echo "there is no Chromium" >&2; exit 2; }
export BROWSER CHRONOTAP=$PWD/$chronotap XDG_RUNTIME_DIR=$work

cp benchmarks/wakeups.toml "$work/"
cat >"$work/study.toml" <<'STUDY'
title = "One trial"
task = "lateness"
participants = 1

[[step]]
name = "beats"
trial = "wakeups.toml"
STUDY

lateness() { # NAME COMMAND...
    rm -rf "$work/data"
    local status=0
    "${@:2}" "$work/study.toml" --participant 1 --simulate tapper --data "$work/data" "${rights[@]}" \
        >"$work/said" 2>&1 || status=$?
    [ "$status" -le 1 ] || { cat "$work/said" >&2; exit 2; }
    column lateness_ns pacing "$(one_events_file "$work/data")" >>"$work/lateness.$1"
}

for _ in $(seq "$rounds"); do
    lateness alone "$chronotap" run
    READERS=1 lateness read node "$place/three_pages.js"
    lateness watched node "$place/three_pages.js"
done

machine
heading "lateness"
row "no console" "$work/lateness.alone"
row "a console, three pages read" "$work/lateness.read"
row "a console, three pages open" "$work/lateness.watched"
ratios "$work/lateness.read" "$work/lateness.alone"
ratios "$work/lateness.watched" "$work/lateness.alone"
