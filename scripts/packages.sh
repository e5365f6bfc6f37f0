# Installs packages of Debian and Ubuntu. To be sourced.
#
# shellcheck shell=bash

# Whether the lists of packages were fetched in this run.
lists_fetched=no

# apt_install PACKAGE...: says what it installs, and what apt-get says only where that fails.
apt_install() {
    command -v apt-get >/dev/null ||
        give_up "this is neither Debian nor Ubuntu; please install: $*"
    local sudo
    sudo=$(sudo_word) || give_up "as root, please type: apt-get install $*"
    echo "installing: $*"
    fetch_lists
    quietly $sudo env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq install --no-install-recommends --yes "$@" ||
        give_up "apt-get could not install: $*"
}

fetch_lists() {
    [ "$lists_fetched" = no ] || return 0
    quietly $(sudo_word) apt-get -qq update || give_up "apt-get update failed"
    lists_fetched=yes
}

# What stands before a command that needs root: nothing or sudo; fails where neither will do.
sudo_word() {
    [ "$(id -u)" -ne 0 ] || return 0
    command -v sudo >/dev/null && echo sudo
}

# quietly COMMAND...: shows what the command prints only where it fails.
quietly() {
    local log status=0
    log=$(mktemp)
    "$@" >"$log" 2>&1 </dev/null || status=$?
    [ "$status" -eq 0 ] || cat "$log" >&2
    rm -f "$log"
    return $status
}

give_up() {
    printf '%s\n' "$@" >&2
    exit 2
}
