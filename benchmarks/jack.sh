#!/usr/bin/env bash
# The round trip of single MIDI messages through a JACK server with its dummy driver,
# beside jack_midi_latency_test (Debian package jackd2), turn about on one server, at
# four periods. Both go out, through a client that passes messages on, and back in;
# chronotap besides without that client, and as two clients.
#   benchmarks/jack.sh [SAMPLES=512]
source "$(dirname "$0")/common.sh"
samples=${1:-512}
for program in jackd jack_midi_latency_test jack_connect; do
    command -v "$program" >/dev/null || { echo "needs $program (Debian: jackd2)" >&2; exit 2; }
done
cargo build --quiet --release --locked -p chronotap-linux --example jack_through
export JACK_DEFAULT_SERVER=chronotap-$$ # a server of our own, so that none is disturbed
export JACK_NO_START_SERVER=1

# serve FRAMES: the server, real-time where that is granted, and the client in between.
serve() {
    jackd -R -P 89 -n "$JACK_DEFAULT_SERVER" -d dummy -r 48000 -p "$1" >"$work/jackd" 2>&1 &
    server=$!
    sleep 1.5
    exec 3> >("$target/release/examples/jack_through")
    passing=$!
    sleep 0.5
}

# The clients leave first: a client whose server is killed does not end.
leave() {
    exec 3>&-
    wait "$passing" || true
    kill "$server"
    wait "$server" || true
}

theirs() {
    jack_midi_latency_test -s "$samples" through:in through:out >"$work/theirs" 2>&1 || true
    awk -v name="$1" -v period="$2" '
        /^Average latency/ { mean = $3; frames = $5 } /^Lowest latency/ { low = $3 }
        /^Highest latency/ { high = $3 } /^Xruns/ { xruns = $2 } /^Messages received/ { n = $3 }
        function plain(s) { gsub(/[()]/, "", s); return s }
        END { printf "%-7s %-26s %6s %10.1f %10.1f %10.1f %9.2f %6d\n", period, name, n,
              low * 1e3, mean * 1e3, high * 1e3, plain(frames), xruns }' "$work/theirs"
}

# ours NAME PERIOD PORTS...: chronotap's single messages.
ours() {
    "$chronotap" timing loop --single --samples "$samples" "${@:3}" "${rights[@]}" >"$work/ours" 2>"$work/said" &
    local test=$!
    if [ "$3 $4" = "--in jack" ]; then # the tones begin after a second
        until jack_connect chronotap:output through:in 2>/dev/null; do sleep 0.05; done
        jack_connect through:out chronotap:input
    fi
    wait "$test" || true
    awk -v name="$1" -v period="$2" '/^Round trips/ { on = 1; next } on && /^  n / { n = $2; mean = $4; low = $8; high = $14; on = 0 }
        / xruns [0-9]+ / { for (i = 1; i < NF; i++) if ($i == "xruns") xruns = $(i + 1) }
        END { printf "%-7s %-26s %6s %10.1f %10.1f %10.1f %9.2f %6s\n", period, name, n, low, mean, high, mean * 0.048, xruns }' "$work/ours"
}

machine
printf '%-7s %-26s %6s %10s %10s %10s %9s %6s\n' period "" n "min us" "mean us" "max us" frames xruns
for period in 64 128 256 512; do
    serve "$period"
    theirs "jack_midi_latency_test" "$period"
    ours "chronotap, through" "$period" --in jack --out jack
    ours "chronotap, to itself" "$period" --in jack:loop --out jack:loop
    ours "chronotap, two clients" "$period" --in jack:through:out --out jack:through:in
    leave
done
