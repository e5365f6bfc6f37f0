#!/usr/bin/env bash
# Do the two commands suffice on a bare Debian root, with nothing but git and a
# Rust toolchain?   sudo scripts/check-bare.sh [RELEASE]      (default bookworm)
#
# Makes such a root with debootstrap in a temporary directory, clones this
# repository into it as committed, and runs there what README.md says: first the
# demo by scripts/demo.sh, because a bare root has no `make`, then `make demo` and
# `make test`. Of this machine it takes the mirror from the apt sources, the apt
# and cargo settings and the certificates that registries are reached with, and
# the Rust toolchain, mounted read-only; all else comes from Debian. Everything is
# unmounted and removed again, whatever happens. Takes about 20 minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
repository=$PWD
release=${1:-bookworm}

main() {
    [ "$(id -u)" -eq 0 ] || give_up "this needs root: sudo scripts/check-bare.sh"
    command -v debootstrap >/dev/null || give_up "please install: apt-get install debootstrap"
    bare=$(mktemp -d)
    chmod 755 "$bare"
    trap clean_up EXIT
    trap 'exit 2' INT TERM HUP
    make_root
    give_toolchain
    inside 'git clone --quiet /repository chronotap && cd chronotap && git log -1 --oneline'
    report "scripts/demo.sh, no make yet" 'cd chronotap && scripts/demo.sh || ran_late'
    report "make demo" 'cd chronotap && make demo || ran_late'
    report "make test" 'cd chronotap && make test'
}

make_root() {
    local mirror
    mirror=$(apt_mirror)
    [ -n "$mirror" ] || give_up "no Debian mirror found in this machine's apt sources"
    echo "making a bare $release"
    debootstrap --variant=minbase --include=git,ca-certificates "$release" "$bare" "$mirror" \
        >"$bare.log" 2>&1 || { tail -n 20 "$bare.log" >&2; give_up "debootstrap failed"; }
    # Other sources than the mirror are not needed; how it is reached is.
    cp -r /etc/apt/apt.conf.d/. "$bare/etc/apt/apt.conf.d/"
    cp /etc/resolv.conf /etc/hosts "$bare/etc/"
    mount -t proc proc "$bare/proc"
    mount --rbind --make-rslave /dev "$bare/dev"
    mkdir -p "$bare/repository"
    mount --bind -o ro "$repository" "$bare/repository"
}

# The first Debian mirror of this machine, in either form of sources.
apt_mirror() {
    { cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
        /etc/apt/sources.list.d/*.sources 2>/dev/null || true; } |
        awk '$1 == "URIs:" { uri = $2 }
            $1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /:\/\//) { uri = $i; break } }
            uri ~ /debian/ && !found { found = uri } END { print found }'
}

give_toolchain() {
    local sysroot
    sysroot=$(rustc --print sysroot)
    mkdir -p "$bare/opt/rust" "$bare/root/.cargo"
    mount --bind -o ro "$sysroot" "$bare/opt/rust"
    local settings=${CARGO_HOME:-$HOME/.cargo}/config.toml
    [ ! -f "$settings" ] || cp "$settings" "$bare/root/.cargo/"
    give_certificates
}

# Behind a proxy, the certificates of this machine are what registries are reached with.
give_certificates() {
    local bundle=${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}
    [ ! -s "$bundle" ] || cat "$bundle" >"$bare/etc/ssl/certs/ca-certificates.crt"
}

# A demo whose timing verdict failed did all that is asked for here; the verdict is
# about this machine at this moment. Run inside, where the data files are.
ran_late() {
    ls data/demo_run-*_events.json >/dev/null || return 1
    echo "(the trial ran; its verdict is for this machine to answer)"
}

inside() {
    env -i HOME=/root TERM=dumb PATH=/opt/rust/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
        chroot "$bare" bash -c "cd /root && git config --global --add safe.directory '*'
            $(declare -f ran_late); $1"
}

report() { # NAME COMMAND
    echo "--- $1"
    local begun=$SECONDS status=0
    inside "$2" || status=$?
    echo "--- $1: exit status $status after $((SECONDS - begun)) s"
    [ "$status" -eq 0 ] || exit 1
}

# Lazily, and never removing anything while a mount is still there.
clean_up() {
    local place
    for place in opt/rust repository dev proc; do
        ! mountpoint -q "$bare/$place" || umount --recursive --lazy "$bare/$place"
    done
    if grep -q " $bare/" /proc/self/mounts; then
        echo "still mounted, so not removed: $bare" >&2
        return
    fi
    rm -rf --one-file-system "$bare" "$bare.log"
}

give_up() {
    printf '%s\n' "$@" >&2
    exit 2
}

main
