#!/usr/bin/env bash
# What a frame of the DSP tests' network costs beside what Faust's own compiler makes of the
# study's plugin (fdnrev0_demo(N, 5, 3); Debian package faust), scalar and in vector form, both
# for every x86-64 processor and for this one. Theirs has in addition a tester at its input (pink
# noise, impulses), switched off but computed.
#   benchmarks/faust.sh
set -euo pipefail
cd "$(dirname "$0")/.."
for program in faust g++ cargo; do
    command -v "$program" >/dev/null || { echo "needs $program (Debian: faust, g++, cargo)" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
real_time=(chrt -f 10) # so that other programs are not measured
"${real_time[@]}" true 2>/dev/null || real_time=()

# theirs LINES FORM FLAGS
theirs() {
    echo "import(\"stdfaust.lib\"); process = dm.fdnrev0_demo($1, 5, 3);" >"$work/plugin.dsp"
    # shellcheck disable=SC2086 # both are lists of flags
    faust $2 -a benchmarks/faust.cpp "$work/plugin.dsp" -o "$work/plugin.cpp"
    # shellcheck disable=SC2086
    g++ $3 -o "$work/plugin" "$work/plugin.cpp"
    read -r least median < <("${real_time[@]}" "$work/plugin")
    row "faust $2, g++ $3" "$1" "$least" "$median"
}

row() {
    printf '%-46s %6d %12.1f %12.1f\n' "$@"
}

machine() {
    echo "$(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), Linux $(uname -r)"
}

machine
printf '%-46s %6s %12s %12s\n' "periods of 64 frames" lines "least ns" "median ns"
cargo bench --quiet --locked -p chronotap-benchmarks --bench network --no-run
"${real_time[@]}" cargo bench --quiet --locked -p chronotap-benchmarks --bench network >"$work/ours" 2>&1
for name in "light, 8" "heavy, 16" "designer-light, 8" "designer-heavy, 16"; do
    # Criterion's line: time: [low unit middle unit high unit], of 64 frames, in microseconds.
    read -r low middle < <(awk -v name="$name" 'index($0, "network/" name) { on = 1 }
        on && /time:/ { sub(/.*\[/, ""); print $1 / 64 * 1e3, $3 / 64 * 1e3; exit }' "$work/ours")
    row "chronotap ${name%%,*}" "${name##* }" "$low" "$middle"
done
for lines in 8 16; do
    for flags in "-O3" "-Ofast -march=native"; do
        theirs "$lines" "-scal" "$flags"
        theirs "$lines" "-vec -vs 64" "$flags"
    done
done
