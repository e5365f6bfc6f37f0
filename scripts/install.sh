#!/usr/bin/env bash
# Installs the Debian packages that building Chronotap needs and this machine
# lacks. Says nothing and asks for nothing where nothing is missing. It never
# installs Rust: how Rust comes to a machine is its owner's choice, so where it
# is missing or too old, the one line that cures it is printed instead.
#
# Usage: scripts/install.sh [--for-tests]      exit 2: something is still missing
set -euo pipefail
cd "$(dirname "$0")/.."

main() {
    install_packages
    # rustup puts cargo here, and a shell opened before that does not know yet.
    PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
    check_cargo
    [ "${1-}" != --for-tests ] || { check_components; install_browser; install_plugins; }
}

install_packages() {
    local packages=()
    command -v make >/dev/null || packages+=(make)
    can_link || packages+=(gcc libc6-dev)
    if command -v apt-get >/dev/null && [ ! -s /etc/ssl/certs/ca-certificates.crt ]; then
        packages+=(ca-certificates) # cargo fetches the libraries over https
    fi
    [ ${#packages[@]} -eq 0 ] || apt_install "${packages[@]}"
    can_link || give_up "no C linker works here although gcc and libc6-dev are installed; try: cc --version"
}

# Rust needs a C compiler driver to link with, and the C library's start files.
can_link() {
    local out
    command -v cc >/dev/null || return 1
    out=$(mktemp) || return 1
    echo 'int main(void) { return 0; }' | cc -x c - -o "$out" 2>/dev/null
    local status=$?
    rm -f "$out"
    return $status
}

apt_install() {
    command -v apt-get >/dev/null ||
        give_up "this is neither Debian nor Ubuntu; please install: $*"
    local sudo=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || give_up "as root, please type: apt-get install $*"
        sudo=(sudo)
    fi
    echo "installing: $*"
    local log
    log=$(mktemp)
    if ! { "${sudo[@]}" apt-get -qq update &&
        "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get -qq install --no-install-recommends --yes "$@"; } >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        give_up "apt-get could not install: $*"
    fi
    rm -f "$log"
}

check_cargo() {
    local least have
    least=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    if ! command -v cargo >/dev/null || ! have=$(cargo --version 2>/dev/null); then
        give_up "Rust $least or later is missing; this line installs it:" \
            "$(rustup_line)"
    fi
    have=$(echo "$have" | awk '{ print $2 }')
    at_least "$have" "$least" && return
    if command -v rustup >/dev/null; then
        give_up "Rust is $have here, $least or later is needed; this line updates it:" \
            "rustup update stable && rustup default stable"
    fi
    give_up "Rust is $have here, $least or later is needed; this line installs it:" \
        "$(rustup_line)"
}

rustup_line() {
    local before=""
    if ! command -v curl >/dev/null; then
        before="apt-get install -y curl && "
        [ "$(id -u)" -eq 0 ] || before="sudo $before"
    fi
    echo "${before}curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs |" \
        "sh -s -- -y --default-toolchain stable && . \"\$HOME/.cargo/env\""
}

# Versions like 1.95.0 and 1.90.0-nightly: is the first at least the second?
at_least() {
    [ "$(printf '%s\n%s\n' "$2" "${1%%-*}" | sort -V | head -n 1)" = "$2" ]
}

# The tests include the format and the lints; a minimal toolchain has neither.
check_components() {
    cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 && return
    if command -v rustup >/dev/null; then
        echo "installing: rustfmt clippy (rustup)"
        rustup --quiet component add rustfmt clippy && return
    elif [ -x /usr/bin/cargo ]; then
        apt_install rustfmt rust-clippy && return
    fi
    give_up "cargo fmt and cargo clippy are missing; the tests need both"
}

# A test looks at the page of results in a real browser. Where there is none and none
# can be had, it is passed over, so this never fails.
install_browser() {
    local name
    for name in chromium chromium-browser google-chrome chrome; do
        command -v "$name" >/dev/null && return
    done
    command -v apt-get >/dev/null && (apt_install chromium) && return
    echo "no Chromium: the test of the page's layout will be passed over"
}

# The tests of LV2 plugins link liblilv and load examples. Where they cannot be had,
# those tests are passed over, so this never fails.
install_plugins() {
    [ -d /usr/lib/lv2/eg-amp.lv2 ] && pkg-config --exists lilv-0 2>/dev/null && return
    command -v apt-get >/dev/null && (apt_install pkg-config liblilv-dev lv2-examples) && return
    echo "no liblilv: the tests of LV2 plugins will be passed over"
}

give_up() {
    printf '%s\n' "$@" >&2
    exit 2
}

main "$@"
