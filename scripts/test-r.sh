#!/usr/bin/env bash
# Runs examples/r/read_dataset.R on a simulated study and its analysis, and compares what it
# counts with the files; then what `export` wrote is read back, as CSV by base R and as Parquet by
# R's arrow, where it is installed. Last, the lines of docs/r.md read the data of two laboratories,
# and give the numbers that are known beforehand (python/tests/laboratories.py), and of every tap the
# columns that they ask for. R and its lme4 are installed where they are missing and that can be done.
#
# Usage: scripts/test-r.sh      exit 1: something differs; 3: there is no R here
# CHRONOTAP=FILE takes that program instead of building it.
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
. scripts/packages.sh
. scripts/find-rust.sh
need_rust
have_r() { command -v Rscript >/dev/null && Rscript -e 'stopifnot(requireNamespace("lme4", quietly = TRUE))' 2>/dev/null; }
have_r || (apt_install r-base-core r-cran-lme4) || { echo "there is no R with lme4 (Debian: r-base-core r-cran-lme4)"; exit 3; }

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
if [ -z "${CHRONOTAP-}" ]; then
    cargo build --quiet --locked -p chronotap-cli
    CHRONOTAP=${CARGO_TARGET_DIR:-target}/debug/chronotap
fi
chronotap() { "$CHRONOTAP" "$@"; }

main() {
    chronotap simulate examples/delay-study/study.toml --participants 2 --data "$place/study" --quiet || [ $? -eq 1 ]
    chronotap analyze "$place/study" >/dev/null
    Rscript examples/r/read_dataset.R "$place/study" | tee "$place/said"
    said "2 participants, $(cat "$place"/study/sub-*/beh/*_beh.tsv | cut -f 6 | grep -c true) trials that count"
    exported
    said "$(($(wc -l <"$place/study/derivatives/chronotap/desc-taps_beh.tsv") - 1)) taps in the tables of the analysis"
    recipes
}

# recipes: what docs/r.md shows, letter by letter, in a folder where each laboratory's dataset is `study`.
recipes() {
    local name by=python/tests/laboratories.py
    mkdir "$place/laboratories"
    python3 "$by" record "$(realpath "$CHRONOTAP")" "$place/laboratories"
    recipe 1 >"$place/tables.R"
    recipe 3 >"$place/taps.R"
    mixed_model
    for name in 01 1; do
        mkdir "$place/$name"
        cp -r "$place/laboratories/$name" "$place/$name/study"
        (cd "$place/$name" && R_DEFAULT_PACKAGES=stats,utils,methods Rscript -e '
            source(commandArgs(trailingOnly = TRUE)[1])
            write.table(means, "means.tsv", sep = "\t", quote = FALSE, row.names = FALSE)' "$place/tables.R")
        python3 "$by" compare "$place/laboratories" "$name" "$place/$name/means.tsv"
        (cd "$place/$name" && Rscript -e '
            source(commandArgs(trailingOnly = TRUE)[1])
            stopifnot(is.character(taps$delay))
            write.table(taps, "taps.tsv", sep = "\t", quote = FALSE, row.names = FALSE, na = "n/a")' "$place/taps.R")
        same_taps "$place/$name/study/derivatives/chronotap/desc-taps_beh.tsv" "$place/$name/taps.tsv"
    done
}

# mixed_model: on balanced data the effects are the differences of means, whatever is estimated besides.
mixed_model() {
    python3 python/tests/laboratories.py balanced "$(realpath "$CHRONOTAP")" "$place/balanced"
    { recipe 1; recipe 2; } >"$place/model.R"
    (cd "$place/balanced" && R_DEFAULT_PACKAGES=stats,utils,methods Rscript -e '
        source(commandArgs(trailingOnly = TRUE)[1])
        effects <- data.frame(effect = names(fixef(model)), ms = sprintf("%.12g", fixef(model)))
        write.table(effects, "effects.tsv", sep = "\t", quote = FALSE, row.names = FALSE)' "$place/model.R" >"$place/model")
    grep -q "delayNA" "$place/model" || { cat "$place/model"; exit 1; }
    python3 python/tests/laboratories.py effects "$place/balanced"
}

# recipe N: the Nth block of R in docs/r.md.
recipe() {
    awk -v wanted="$1" '/^```r$/ { n++; inside = n == wanted; next } /^```$/ { inside = 0 } inside' docs/r.md
}

# same_taps TABLE READ: cell by cell, what R read is what stands in the table, in ms too.
same_taps() {
    python3 - "$1" "$2" <<'END'
import csv, sys
from decimal import Decimal

whole, read = (list(csv.DictReader(open(path), delimiter="\t", quoting=csv.QUOTE_NONE)) for path in sys.argv[1:])
assert len(whole) == len(read) > 0, (len(whole), len(read))
for row, got in zip(whole, read):
    for name in ("participant_id", "delay"):
        assert row[name] == got[name], (row, got)
    ns, ms = row["asynchrony_ns"], got["asynchrony_ms"]
    assert (ns == ms == "n/a") or abs(Decimal(ns) / 10**6 - Decimal(ms)) < Decimal("1e-6"), (row, got)
print(f"{len(read)} taps are read as they stand in the table")
END
}

# exported: the table of taps comes back from CSV and Parquet with its rows and its numbers.
exported() {
    local table=derivatives/chronotap/desc-taps_beh
    chronotap export "$place/study" --to "$place/csv" --quiet
    chronotap export "$place/study" --as parquet --to "$place/parquet" --quiet
    Rscript -e '
        at <- commandArgs(trailingOnly = TRUE)
        taps <- read.delim(at[1], na.strings = "n/a", quote = "")
        same <- function(found) stopifnot(nrow(found) == nrow(taps),
            isTRUE(all.equal(as.numeric(found$asynchrony_ns), as.numeric(taps$asynchrony_ns))))
        same(read.csv(at[2], na.strings = ""))
        cat("exported CSV read\n")
        if (requireNamespace("arrow", quietly = TRUE)) {
            same(as.data.frame(arrow::read_parquet(at[3])))
            cat("exported Parquet read\n")
        } else cat("passed over: R has no arrow\n")
    ' "$place/study/$table.tsv" "$place/csv/$table.csv" "$place/parquet/$table.parquet" | tee -a "$place/said"
    said "exported CSV read"
}

# said TEXT: it is a line of what R printed.
said() {
    grep -qxF "$1" "$place/said" || { echo "not printed: $1"; exit 1; }
}

main
