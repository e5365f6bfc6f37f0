#!/usr/bin/env bash
# Do the two commands suffice on a bare Debian root, with nothing but git?
#   sudo scripts/check-bare.sh [RELEASE [MIRROR]]
# RELEASE is bookworm unless given, and may be one of Ubuntu; MIRROR that of this machine's
# apt sources, or for Ubuntu http://archive.ubuntu.com/ubuntu, say.
#
# Makes such a root with debootstrap in a temporary directory, with the updates and
# security updates that every installed system has among its sources, clones this
# repository into it as committed, and runs there what README.md says: first the
# demo by scripts/demo.sh, because a bare root has no `make`, then `make demo` and
# `make test`. Of this machine it takes the mirror, the apt and cargo settings and the
# certificates that registries are reached with; all else, Rust too, comes from the
# distribution. Everything is unmounted and removed again, whatever happens. Takes
# about 20 minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
repository=$PWD
release=${1:-bookworm}
mirror=${2-}

main() {
    [ "$(id -u)" -eq 0 ] || give_up "this needs root: sudo scripts/check-bare.sh"
    command -v debootstrap >/dev/null || give_up "please install: apt-get install debootstrap"
    bare=$(mktemp -d)
    chmod 755 "$bare"
    trap clean_up EXIT
    trap 'exit 2' INT TERM HUP
    make_root
    give_cargo_settings
    inside 'git clone --quiet /repository chronotap && cd chronotap && git log -1 --oneline'
    report "scripts/demo.sh, no make yet" 'cd chronotap && scripts/demo.sh'
    report "make demo" 'cd chronotap && make demo'
    report "make test" 'cd chronotap && make test'
}

make_root() {
    local script=/usr/share/debootstrap/scripts/$release
    mirror=${mirror:-$(apt_mirror '/debian/?$')}
    [ -n "$mirror" ] || give_up "no Debian mirror found in this machine's apt sources"
    # A release of Ubuntu that is younger than this debootstrap is made like the others.
    [ -e "$script" ] || [[ $mirror != *ubuntu* ]] || script=${script%/*}/gutsy
    echo "making a bare $release"
    debootstrap --variant=minbase --include=git,ca-certificates "$release" "$bare" "$mirror" "$script" \
        >"$bare.log" 2>&1 || { tail -n 20 "$bare.log" >&2; give_up "debootstrap failed"; }
    sources >"$bare/etc/apt/sources.list"
    # Other sources are not needed; how these are reached is.
    cp -r /etc/apt/apt.conf.d/. "$bare/etc/apt/apt.conf.d/"
    cp /etc/resolv.conf /etc/hosts "$bare/etc/"
    mount -t proc proc "$bare/proc"
    mount --rbind --make-rslave /dev "$bare/dev"
    mkdir -p "$bare/repository"
    mount --bind -o ro "$repository" "$bare/repository"
}

# What the installer of the distribution writes.
sources() {
    local components=main security
    security=$(apt_mirror '/debian-security/?$')
    [ -n "$security" ] || security=http://deb.debian.org/debian-security
    [[ $mirror != *ubuntu* ]] || components="main universe" security=$mirror
    echo "deb $mirror $release $components"
    echo "deb $mirror $release-updates $components"
    echo "deb $security $release-security $components"
}

# The first mirror of this machine whose address is like this, in either form of sources.
apt_mirror() {
    { cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
        /etc/apt/sources.list.d/*.sources 2>/dev/null || true; } |
        awk -v like="$1" '$1 == "URIs:" { uri = $2 }
            $1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /:\/\//) { uri = $i; break } }
            uri ~ like && !found { found = uri } END { print found }'
}

give_cargo_settings() {
    local settings=${CARGO_HOME:-$HOME/.cargo}/config.toml
    mkdir -p "$bare/root/.cargo"
    [ ! -f "$settings" ] || cp "$settings" "$bare/root/.cargo/"
    give_certificates
}

# Behind a proxy, the certificates of this machine are what registries are reached with.
give_certificates() {
    local bundle=${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}
    [ ! -s "$bundle" ] || cat "$bundle" >"$bare/etc/ssl/certs/ca-certificates.crt"
}

inside() {
    env -i HOME=/root TERM=dumb PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
        chroot "$bare" bash -c "cd /root && git config --global --add safe.directory '*'
            $1"
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
    for place in repository dev proc; do
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
