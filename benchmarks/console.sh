#!/usr/bin/env bash
# What pages cost a running trial: pairs of a session without a console and one with three pages
# open in Chromium. Which of the two comes first alternates too, so that what drifts or warms up
# favours neither. Each session has one trial of 2,000 beats; of each is taken the 99th percentile of
# lateness, and of each pair the ratio. With a console the trial has a processor for itself: the
# program keeps off it, and the browser is started beside it, as docs/console.md shows.
#   benchmarks/console.sh [--read] [PAIRS=20]     needs real-time rights, Chromium, Node and npm
# With --read a third session follows each pair, whose pages are read but not drawn: what is the
# console's cost and what the browser's. The verdict is of the pairs alone.
# Exit status: 1 where the interval of the median ratio is all above 1.2; 2 where there is none.
source "$(dirname "$0")/common.sh"
read=
[ "${1-}" != --read ] || { read=yes; shift; }
pairs=${1:-20}
limit=1.2
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

# The processor with the fewest interrupts of devices, and all others, for the browser.
apart=$(awk 'NR == 1 { n = NF; next }
    $1 ~ /^[0-9]+:$/ { for (i = 0; i < n; i++) count[i] += $(i + 2) }
    END { for (i = 0; i < n; i++) if (count[i] + 0 <= count[best] + 0) best = i; print best + 0 }' /proc/interrupts)
others=$(seq 0 $(($(nproc) - 1)) | grep -vx "$apart" | paste -sd,)
beside=()
[ -z "$others" ] || beside=(taskset --cpu-list "$others")

lateness() { # NAME COMMAND...
    rm -rf "$work/data"
    local status=0
    "${@:2}" "$work/study.toml" --participant 1 --simulate tapper --data "$work/data" "${rights[@]}" \
        >"$work/said" 2>&1 || status=$?
    [ "$status" -le 1 ] || { cat "$work/said" >&2; exit 2; }
    column lateness_ns pacing "$(one_events_file "$work/data")" >"$work/round"
    cat "$work/round" >>"$work/lateness.$1"
    quantile 0.99 <"$work/round" >>"$work/p99.$1"
}

alone() { lateness alone "$chronotap" run; }
watched() { lateness watched "${beside[@]}" node "$place/three_pages.js" --cpu "$apart"; }
only_read() { READERS=1 lateness read "${beside[@]}" node "$place/three_pages.js" --cpu "$apart"; }

# against_alone KIND: the ratios of its 99th percentiles to those without a console, session by session.
against_alone() { paste "$work/p99.$1" "$work/p99.alone" | awk -v limit=$limit -f benchmarks/pairs.awk; }

for pair in $(seq "$pairs"); do
    if [ $((pair % 2)) -eq 1 ]; then alone && watched; else watched && alone; fi
    [ -z "$read" ] || only_read
done

machine
heading "lateness"
row "no console" "$work/lateness.alone"
row "a console, three pages open" "$work/lateness.watched"
[ -z "$read" ] || row "a console, three pages read" "$work/lateness.read"
heading "p99 of each session"
row "no console" "$work/p99.alone"
row "a console, three pages open" "$work/p99.watched"
[ -z "$read" ] || row "a console, three pages read" "$work/p99.read"
if [ -n "$read" ]; then
    echo "three pages read, to no console: no verdict of its own"
    against_alone read || true
fi
echo "three pages open, to no console"
against_alone watched
