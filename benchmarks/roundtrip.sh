#!/usr/bin/env bash
# The audio round trip through a JACK server with its dummy driver, output joined to input,
# beside jack_iodelay (Debian package jack-example-tools, or jackd2), turn about on one server,
# at four periods. A client joined to itself hears each frame one period later.
#   benchmarks/roundtrip.sh [SECONDS=5]
source "$(dirname "$0")/common.sh"
seconds=${1:-5}
for program in jackd jack_iodelay jack_connect; do
    command -v "$program" >/dev/null || { echo "needs $program (Debian: jackd2, jack-example-tools)" >&2; exit 2; }
done
export JACK_DEFAULT_SERVER=chronotap-$$ # a server of our own, so that none is disturbed
export JACK_NO_START_SERVER=1

serve() {
    jackd -R -P 89 -n "$JACK_DEFAULT_SERVER" -d dummy -r 48000 -p "$1" >"$work/jackd" 2>&1 &
    server=$!
    sleep 1.5
}

# The clients leave first: a client whose server is killed does not end.
leave() {
    kill "$server"
    wait "$server" || true
}

join() {
    until jack_connect "$1" "$2" 2>/dev/null; do sleep 0.05; done
}

# Its first and its last reading, and how many there were.
theirs() {
    timeout -s INT "$seconds" stdbuf -oL jack_iodelay >"$work/theirs" 2>&1 &
    local client=$!
    join jack_delay:out jack_delay:in
    wait "$client" || true
    awk -v period="$1" '/ frames / { n++; last = $1; if (n == 1) first = $1 }
        END { row = "%-8d %-14s %14s   first of %d: %s\n"
              printf row, period, "jack_iodelay", last, n, first }' "$work/theirs"
}

ours() {
    "$chronotap" timing roundtrip --card jack --join self --seconds "$seconds" --json \
        --output "$work/timing" >"$work/ours" 2>"$work/said" || true
    figure() { { grep -o "\"$1\":[-0-9.e]*" "$work/ours" || true; } | head -n 1 | cut -d: -f2; }
    local frames
    frames=$(figure round_trip_frames)
    if [ -z "$frames" ]; then
        why=$({ grep -o 'no round trip[^"]*' "$work/ours" || true; } | head -n 1)
        printf '%-8s %-14s %s\n' "$1" chronotap "${why:-$(tail -n 1 "$work/said")}"
        return
    fi
    LC_ALL=C printf '%-8s %-14s %14.6f   SD %.6f frames, %.0f xruns\n' "$1" chronotap "$frames" \
        "$(figure sd_frames)" "$(figure xruns)"
}

machine
printf '%-8s %-14s %14s\n' period "" frames
for period in 64 128 256 512; do
    serve "$period"
    theirs "$period"
    ours "$period"
    leave
done
