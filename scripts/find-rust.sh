# Finds a Rust that is new enough, and puts it first on PATH. To be sourced by scripts
# that run in the project's root. It installs nothing: scripts/install-rust.sh does.
#
# shellcheck shell=bash

# Where Ubuntu's versions of Rust are, each in rust-1.NN/bin. Tests set another place.
: "${RUST_VERSIONS:=/usr/lib}"

# find_rust: succeeds where there is one. It looks on PATH, then where rustup puts Rust
# (a shell opened before that does not know yet), then among Ubuntu's versions, newest first.
find_rust() {
    local least place
    least=$(least_rust)
    ! rust_at_least "$least" || return 0
    for place in "${CARGO_HOME:-$HOME/.cargo}/bin" \
        $(printf '%s\n' "$RUST_VERSIONS"/rust-1.*/bin | sort -rV); do
        [ -x "$place/cargo" ] || continue
        if (PATH="$place:$PATH" && rust_at_least "$least"); then
            PATH="$place:$PATH"
            return 0
        fi
    done
    return 1
}

# need_rust: for scripts that install nothing themselves.
need_rust() {
    find_rust && return
    echo "Rust $(least_rust) or later is needed; this installs it: scripts/install.sh" >&2
    exit 2
}

# find_lints: afterwards "${linted[@]}" before a command of cargo has it lint what it builds of this workspace. Clippy
# compiles as rustc does, so that the lints cost next to nothing there; as a check of its own they cost a second look
# at every library that is used. What is measured or given to people is built without: it is optimized a little less.
find_lints() {
    local driver
    linted=()
    driver=$(command -v clippy-driver) && clippy-driver --version >/dev/null 2>&1 || return 1
    linted=(env "RUSTC_WORKSPACE_WRAPPER=$driver")
}

# The oldest Rust that Chronotap is built with.
least_rust() {
    sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml
}

rust_at_least() {
    local have
    have=$(rust_version) && at_least "$have" "$1"
}

# The version of cargo and rustc, the lower where they differ; fails where one is missing.
rust_version() {
    local cargo rustc
    cargo=$(cargo --version 2>/dev/null) && rustc=$(rustc --version 2>/dev/null) || return 1
    printf '%s\n%s\n' "$cargo" "$rustc" | awk '{ print $2 }' | sort -V | head -n 1
}

# Versions like 1.95.0 and 1.90.0-nightly: is the first at least the second?
at_least() {
    [ "$(printf '%s\n%s\n' "$2" "${1%%-*}" | sort -V | head -n 1)" = "$2" ]
}
