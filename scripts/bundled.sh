# What is in the program, as cargo's tree of dependencies has it: what is linked, not what only builds it
# (build scripts, macros, tests). To be sourced by scripts that run in the project's root.
#
# shellcheck shell=bash

# bundled ARGUMENT...: a line "DEPTH|NAME|VERSION|LICENCE|PURL" for each library, below the one that it is
# used by; those of ours have no PURL. Where one comes again, what it uses is not repeated. The arguments
# are cargo's, and name the package, its features and the target.
bundled() {
    local tree
    tree=$(cargo tree --locked --offline -e normal,no-proc-macro --prefix depth --format '|{p}|{l}' "$@") || exit 2
    awk -F '|' -v OFS='|' '{
        split($2, package, " ")
        version = substr(package[2], 2)
        sub(/ \(\*\)$/, "", $3)
        print $1, package[1], version, $3, $2 ~ /\(\// ? "" : "pkg:cargo/" package[1] "@" version
    }' <<<"$tree"
    beside_cargo "$tree"
}

# What cargo knows nothing of: Rust's own library, the letters of figures in PDF files, and the pages' one for
# curves.
beside_cargo() {
    local rust plots
    rust=$(rustc --version | cut -d ' ' -f 2)
    echo "1|std|$rust|MIT OR Apache-2.0|pkg:generic/rust-std@$rust"
    grep -q '|chronotap-report ' <<<"$1" && echo "1|Roboto|2.138|Apache-2.0|pkg:generic/roboto@2.138"
    grep -q '|chronotap-console ' <<<"$1" || return 0
    plots=$(sed -nE '1s/.*uPlot \(v([0-9.]+)\).*/\1/p' crates/console/pages/uPlot.iife.min.js)
    echo "1|uPlot|$plots|MIT|pkg:npm/uplot@$plots"
}
