# A bare Debian root in a temporary directory, to try in it what a user types. To be sourced by
# scripts that set `release`, `mirror` (or nothing) and `repository`; `begin_bare` makes it. Where they
# set `architecture` to another than this machine's, its programs run under qemu.
#
# Of this machine it takes the mirror, the apt and cargo settings and the certificates that
# registries are reached with; all else comes from the distribution. It has the updates and
# security updates that every installed system has among its sources. Everything is unmounted
# and removed again, whatever happens.
#
# shellcheck shell=bash

begin_bare() {
    [ "$(id -u)" -eq 0 ] || give_up "this needs root: sudo $0"
    command -v debootstrap >/dev/null || give_up "please install: apt-get install debootstrap"
    architecture=${architecture:-$(dpkg --print-architecture)}
    [ "$architecture" = "$(dpkg --print-architecture)" ] || emulate
    bare=$(mktemp -d)
    chmod 755 "$bare"
    trap clean_up EXIT
    trap 'exit 2' INT TERM HUP
    make_root
    give_cargo_settings
}

# Lets the kernel start programs of that architecture by qemu, where it does not do so already.
emulate() {
    local known=/proc/sys/fs/binfmt_misc form
    [ "$architecture" = arm64 ] || give_up "no bare root of $architecture can be made here"
    form=/usr/lib/binfmt.d/qemu-aarch64.conf
    [ -e "$form" ] || give_up "please install: apt-get install qemu-user-static"
    [ -e $known/register ] || mount -t binfmt_misc none $known || give_up "this kernel has no binfmt_misc"
    [ -e $known/qemu-aarch64 ] || cat "$form" >$known/register
}

make_root() {
    local script=/usr/share/debootstrap/scripts/$release
    mirror=${mirror:-$(apt_mirror '/debian/?$')}
    [ -n "$mirror" ] || give_up "no Debian mirror found in this machine's apt sources"
    # A release of Ubuntu that is younger than this debootstrap is made like the others.
    [ -e "$script" ] || [[ $mirror != *ubuntu* ]] || script=${script%/*}/gutsy
    echo "making a bare $release"
    debootstrap --arch="$architecture" --variant=minbase --include=git,ca-certificates "$release" "$bare" "$mirror" "$script" \
        >"$bare.log" 2>&1 || { tail -n 20 "$bare.log" >&2; give_up "debootstrap failed"; }
    sources >"$bare/etc/apt/sources.list"
    # Other sources are not needed; how these are reached is.
    cp -r /etc/apt/apt.conf.d/. "$bare/etc/apt/apt.conf.d/"
    cp /etc/resolv.conf /etc/hosts "$bare/etc/"
    mount -t proc proc "$bare/proc"
    mount --rbind --make-rslave /dev "$bare/dev"
    # Its own, or it would find the JACK servers of this machine there, and files of another release's library.
    mount -t tmpfs tmpfs "$bare/dev/shm"
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

# holds SENTENCE COMMAND: says whether it does, and what the command printed where it does not; then `failed` is 1.
failed=0
holds() {
    if said=$(inside "$2" 2>&1); then
        echo "ok      $1"
    else
        echo "FAILED  $1"
        echo "$said" | tail -n 20
        failed=1
    fi
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
