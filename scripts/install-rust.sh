#!/usr/bin/env bash
# Installs Rust where it is missing or too old, from what the distribution has. Says
# nothing where nothing is missing. It never runs a script from the network: where the
# distribution has nothing fitting, it prints the one line that installs Rust.
#
# On a terminal it shows the line that it would run, and asks. Without one (continuous
# integration) it shows the line and runs it, but only where that adds: a Rust that is
# there is replaced or updated only after a yes.
#
# Usage: scripts/install-rust.sh [--for-tests]     exit 2: Rust is still missing
# With --for-tests, rustfmt and clippy too; that these cannot be had is no failure.
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
. scripts/packages.sh
. scripts/find-rust.sh

# The line that would install Rust, as the shell reads it; how much it downloads, and what
# it replaces, each empty where that is not known or nothing.
line=""
download=""
replaces=""

main() {
    find_rust || install_rust
    [ "${1-}" != --for-tests ] || install_components
}

install_rust() {
    local need asked="" path=$PATH
    need="Rust $(least_rust) or later is needed; $(what_is_here)"
    choose_line || { can_fetch_lists && fetch_lists && choose_line; } ||
        give_up "$need" "This line installs it:" "  $(rustup_line)"
    if ! may_run; then
        give_up "$need" "This line installs it:" "  $line" ${replaces:+"It replaces: $replaces"} \
            "Or this one, for this user alone:" "  $(rustup_line)"
    fi
    [ -n "$asked" ] || printf '%s\n' "$need"
    echo "running: $line${download:+ (downloads $download)}"
    quietly bash -c "$line" || give_up "this failed: $line"
    find_rust || give_up "after this, Rust $(least_rust) is still not found: $line"
    [ "$PATH" = "$path" ] || echo "To type cargo yourself, put this first on your PATH: ${PATH%%:*}"
}

what_is_here() {
    local have
    if have=$(rust_version); then echo "$have is here."; else echo "none is here."; fi
}

# Whoever has rustup keeps it: Debian's compilers and rustup exclude each other. Else what
# the distribution calls Rust; else its newer one for browsers (Debian 12 and 13); else the
# newest of several (Ubuntu); else rustup as a package.
choose_line() {
    local found
    download="" replaces=""
    if command -v rustup >/dev/null; then
        line="rustup update stable && rustup default stable"
        [ -z "$(rustup toolchain list 2>/dev/null | grep -v '^no ')" ] ||
            replaces="the default toolchain of rustup"
    elif found=$(compilers); then
        apt_line $found
    elif [ -n "$(candidate rustup)" ]; then
        apt_line rustup
        line+=" && rustup toolchain install stable --profile minimal && rustup default stable"
    else
        return 1
    fi
}

# The packages of compiler and cargo to install; fails where none is new enough.
compilers() {
    local least kind
    least=$(least_rust)
    for kind in "" -web $(versioned); do
        if fits "rustc$kind" && fits "cargo$kind"; then
            echo "rustc$kind cargo$kind"
            return 0
        fi
    done
    return 1
}

versioned() {
    apt-cache pkgnames rustc-1. 2>/dev/null | sed -n 's/^rustc\(-1\.[0-9]*\)$/\1/p' | sort -rVu
}

# fits PACKAGE: can be installed, and is new enough.
fits() {
    local version
    version=$(candidate "$1" | sed 's/^\([0-9.]*\).*/\1/')
    [ -n "$version" ] && at_least "$version" "$least"
}

# The version of a package that would be installed; nothing where there is none.
candidate() {
    LC_ALL=C apt-cache policy "$1" 2>/dev/null |
        awk '$1 == "Candidate:" && $2 != "(none)" { print $2 }'
}

can_fetch_lists() {
    command -v apt-get >/dev/null && sudo_word >/dev/null
}

# apt_line PACKAGE...: the line that installs them; fresh lists first, because old ones
# name files that the mirror no longer has.
apt_line() {
    local sudo="sudo "
    [ "$(id -u)" -ne 0 ] || sudo=""
    line="${sudo}apt-get -qq update &&"
    line+=" ${sudo}apt-get -qq install --no-install-recommends --yes $*"
    replaces=$(LC_ALL=C apt-get --simulate install --no-install-recommends "$@" 2>/dev/null |
        awk '$1 == "Remv" { printf "%s%s", sep, $2; sep = " " }') || true
    download=$(LC_ALL=C apt-get --print-uris --yes --no-install-recommends install "$@" 2>/dev/null |
        sed -n 's/^Need to get \(.*\) of archives.*/\1/p') || true
}

# Whether the line may be run: asked on a terminal, else granted where nothing is replaced.
may_run() {
    local answer
    case $line in *apt-get*) sudo_word >/dev/null || return 1 ;; esac
    if [ ! -t 0 ] || [ ! -t 2 ]; then
        [ -z "$replaces" ]
        return
    fi
    asked=yes
    printf '%s\n' "$need" "This line would install it:" "  $line" \
        ${download:+"It downloads: $download"} ${replaces:+"It replaces: $replaces"} >&2
    read -r -p "Run it? [Y/n] " answer || return 1
    case $answer in "" | [Yy]*) ;; *) return 1 ;; esac
}

# Where Rust comes from by itself, on any Linux, without root.
rustup_line() {
    local before=""
    if ! command -v curl >/dev/null; then
        before="apt-get install -y curl && "
        [ "$(id -u)" -eq 0 ] || before="sudo $before"
    fi
    echo "${before}curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs |" \
        "sh -s -- -y --default-toolchain stable && . \"\$HOME/.cargo/env\""
}

# The tests include the format and the lints; where their programs cannot be had, they
# are passed over, and counted so.
install_components() {
    local packages
    cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 && return
    if packages=$(component_packages); then
        (apt_install $packages) && return
    elif command -v rustup >/dev/null; then
        echo "installing: rustfmt clippy (rustup)"
        quietly rustup component add rustfmt clippy && return
    fi
    echo "no rustfmt or no clippy: the checks that need them will be passed over"
}

# Their names go with the package that cargo is from; fails where it is from none.
component_packages() {
    local cargo package
    cargo=$(readlink -f "$(command -v cargo)")
    package=$(dpkg-query --search "$cargo" 2>/dev/null) || return 1
    case ${package%%:*} in
    cargo-web) echo rustfmt-web rust-web-clippy ;;
    cargo-1.*) package=${package%%:*} && echo "rustfmt-${package#cargo-} rust-${package#cargo-}-clippy" ;;
    cargo) echo rustfmt rust-clippy ;;
    *) return 1 ;;
    esac
}

main "$@"
