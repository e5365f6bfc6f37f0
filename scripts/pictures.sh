#!/usr/bin/env bash
# Makes the manual's pictures anew: by the commands of docs/first-study.md the figure of results and by that of
# docs/trial-files.md the timeline of a trial, both of which scripts/test-docs.sh compares
# (docs/first-study/figure.svg, docs/sound-card-taps/figure.svg, docs/trial-files/timeline.svg), likewise docs/trial-meaning/*.svg,
# docs/ftap/rhythm.svg, docs/summary/demo.svg, docs/recorders/codes.svg, docs/participants/shift.svg, docs/experiment-files/outcome.svg and docs/analysis/design.svg, the table of a laboratory (docs/pictures/set-up.svg), the ways of things (docs/pictures/ways), and the report as a browser shows it
# (docs/pictures/report.png). Pictures of the console are made by scripts/test-console.sh --pictures;
# docs/pictures/try.png is target/try/pictures/site-try.png of scripts/test-web.sh --site.
#
# Usage: scripts/pictures.sh      exit 3: there is no Chromium
# CHRONOTAP=FILE takes that program instead of building it.
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
. scripts/find-rust.sh
need_rust
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

main() {
    find_browser
    [ -n "${CHRONOTAP-}" ] || build
    timelines
    scripts/set-up.sh >docs/pictures/set-up.svg
    scripts/ways.sh --all docs/pictures/ways
    design
    cd "$work"
    "$CHRONOTAP" new delayed-feedback my-study
    sed -i 's/^delay = .*/delay = ["0 ms", "25 ms", "50 ms", "75 ms"]/' my-study/study.toml
    "$CHRONOTAP" simulate my-study/study.toml --data rehearsal --quiet
    "$CHRONOTAP" report rehearsal --figures figures --quiet
    install -m 644 figures/outcome_mean-asynchrony-by-delay.svg "$root/docs/first-study/figure.svg"
    "$CHRONOTAP" new synchronization soldered
    "$CHRONOTAP" simulate soldered/study.toml --participants 8 --data heard --in ear:virtual --out wire --quiet
    "$CHRONOTAP" report heard --figures heard-figures --quiet
    install -D -m 644 heard-figures/outcome_mean-asynchrony-by-tempo.svg "$root/docs/sound-card-taps/figure.svg"
    picture_of rehearsal/derivatives/chronotap/report.html "$root/docs/pictures/report.png" 1000,980
}

timelines() {
    local trial
    "$CHRONOTAP" check docs/trial-files/3-continuation.toml --picture docs/trial-files/timeline.svg --force >/dev/null
    "$CHRONOTAP" check examples/ftap_rhythm.ftap --picture docs/ftap/rhythm.svg --force >/dev/null
    "$CHRONOTAP" check examples/demo.toml --picture docs/summary/demo.svg --force >/dev/null
    "$CHRONOTAP" check examples/eeg_codes.toml --picture docs/recorders/codes.svg --force >/dev/null
    "$CHRONOTAP" check examples/phase_shift.toml --picture docs/participants/shift.svg --force >/dev/null
    for trial in docs/trial-meaning/*.toml; do
        "$CHRONOTAP" check "$trial" --picture "${trial%.toml}.svg" --force >/dev/null
    done
}

# A figure of one factor, and one of three.
design() {
    "$CHRONOTAP" simulate docs/experiment-files/4-outcome.toml --data "$work/three" --quiet
    "$CHRONOTAP" report "$work/three" --figures "$work/of-three" --quiet
    install -m 644 "$work/of-three/outcome_mean-asynchrony-by-delay.svg" docs/experiment-files/outcome.svg
    "$CHRONOTAP" simulate examples/delay-study/study.toml --participants 12 --data "$work/twelve" --quiet
    "$CHRONOTAP" report "$work/twelve" --figures "$work/drawn" --quiet
    install -m 644 "$work/drawn/conditions_mean-asynchrony-by-delay-tempo-and-hand.svg" docs/analysis/design.svg
}

find_browser() {
    local name
    for name in chromium chromium-browser google-chrome chrome; do
        browser=$(command -v "$name") && return
    done
    echo "there is no Chromium; scripts/install.sh --for-all installs it"
    exit 3
}

build() {
    cargo build --quiet --locked -p chronotap-cli
    CHRONOTAP=$root/${CARGO_TARGET_DIR:-target}/debug/chronotap
}

# picture_of PAGE PNG WIDTH,HEIGHT: the first screen of a page.
picture_of() {
    "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 \
        --user-data-dir="$work/browser" --window-size="$3" --screenshot="$2" "file://$PWD/$1" 2>/dev/null
}

main
