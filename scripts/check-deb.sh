#!/usr/bin/env bash
# Does the Debian package do on a bare root what it promises?
# RELEASE is bookworm unless given. In a bare root (scripts/bare-root.sh) the file is installed
# as a user would, without what it recommends (a desktop), the demo runs, a user without rights
# rehearses a study, the package is installed over itself, and purged. Prints a line for each
# check. A package for arm64 is tried under qemu, which is too slow for the bound on the time.
# exit 0: all held; 1: something did not; 2: it could not be tried
#
# Usage: sudo scripts/check-deb.sh FILE.deb [RELEASE [MIRROR]]
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
repository=$PWD
package=$(realpath "${1:?usage: scripts/check-deb.sh FILE.deb [RELEASE [MIRROR]]}")
release=${2:-bookworm}
mirror=${3-}
architecture=$(dpkg-deb --field "$package" Architecture)
MOST_S=60 # from the installation to the end of a demo
. scripts/bare-root.sh

limits=/etc/security/limits.d/95-chronotap.conf

main() {
    begin_bare
    inside 'apt-get -qq update'
    cp "$package" "$bare/root/chronotap.deb"
    places >"$bare.before"
    local begun=$SECONDS took
    local demo="chronotap demo"
    # An emulator keeps no time: there the verdict on it may be that the demo failed.
    [ "$architecture" = "$(dpkg --print-architecture)" ] || demo+=" || [ \$? -eq 1 ]"
    holds "apt installs it, and the demo runs" \
        "DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends ./chronotap.deb >/dev/null && { $demo; }"
    took=$((SECONDS - begun))
    if [ "$architecture" = "$(dpkg --print-architecture)" ]; then
        holds "both within $MOST_S s ($took)" "[ $took -le $MOST_S ]"
    else
        echo "        (emulated: $took s)"
    fi
    holds "real-time rights were granted" "grep -q '^@audio - rtprio 95' $limits"
    holds "a manual page and completions are there" \
        'ls /usr/share/man/man1/chronotap-run.1.gz && bash -n /usr/share/bash-completion/completions/chronotap'
    holds "the console has its page Try, of this version" \
        'chronotap --version | grep -qF " $(cat /usr/share/chronotap/try/version.txt)"'
    holds "a user without rights rehearses a study" "useradd -m tapper && su tapper -c '$(study)'"
    inside "echo '# mine' >>$limits"
    holds "installed again, a changed file stays" \
        "DEBIAN_FRONTEND=noninteractive apt-get -qq install --reinstall ./chronotap.deb >/dev/null; tail -n 1 $limits | grep -qx '# mine'"
    inside 'userdel -r tapper 2>/dev/null; DEBIAN_FRONTEND=noninteractive apt-get -qq purge chronotap >/dev/null'
    inside 'DEBIAN_FRONTEND=noninteractive apt-get -qq autoremove --purge >/dev/null'
    places >"$bare.after"
    diff "$bare.before" "$bare.after" >"$bare.left" || true
    holds "nothing is left after purging" "! grep '^>' <<'END'
$(cat "$bare.left")
END"
    rm -f "$bare".{before,after,left}
    exit $failed
}

study() {
    echo 'set -e; cd; chronotap new synchronization; cd synchronization; chronotap check study.toml;' \
        'chronotap simulate study.toml --participants 2 --data pilot; chronotap verify pilot; chronotap analyze pilot'
}

# What stands in the root but for what apt and the trials of this script write.
places() {
    (cd "$bare" && find bin etc lib opt srv usr var -xdev 2>/dev/null) |
        grep -vE '^var/(lib/(apt|dpkg|ucf)|cache|log|mail)|^etc/(passwd|group|g?shadow|subuid|subgid)-?$' | sort
}

main
