#!/usr/bin/env bash
# What pages cost: lateness of output in a session without a console, in one with a console whose
# three pages are read but not drawn, and in one with three pages open in Chromium, turn about. Each
# session has one trial of 2,000 beats. With a console the trial has a processor for itself: the
# program keeps off it, and the browser is started beside it, as docs/console.md shows.
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

# p99 NAME KIND: the 99th percentile of each round. A machine that stalls now and then spoils some
# rounds of every kind; over all beats of a kind together, one such round decides.
p99() {
    printf '%-28s' "$1"
    sort -n "$work/p99.$2" | awk '{ printf " %9.1f", $1 / 1e3 } END { print "" }'
}

for _ in $(seq "$rounds"); do
    lateness alone "$chronotap" run
    READERS=1 lateness read "${beside[@]}" node "$place/three_pages.js" --cpu "$apart"
    lateness watched "${beside[@]}" node "$place/three_pages.js" --cpu "$apart"
done

machine
heading "lateness"
row "no console" "$work/lateness.alone"
row "a console, three pages read" "$work/lateness.read"
row "a console, three pages open" "$work/lateness.watched"
echo "p99 of each round, us, in rising order"
p99 "no console" alone
p99 "a console, three pages read" read
p99 "a console, three pages open" watched
ratios "$work/lateness.read" "$work/lateness.alone"
ratios "$work/lateness.watched" "$work/lateness.alone"
