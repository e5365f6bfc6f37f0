#!/usr/bin/env bash
# Does a wheel, or the source package, do on a bare root what it promises?
# RELEASE is bookworm unless given. In a bare root (scripts/bare-root.sh) a user without rights installs the
# file with pipx, and with uv, and gets the command `chronotap` each time: it names its commit, a study is
# rehearsed, and the demo runs in real time, whose verdict may fail without rights. Then it is taken away again. There
# is no Rust but for a source package, which brings the script that installs it. Prints a line for each check. A
# wheel for arm64 is tried under qemu.
# exit 0: all held; 1: something did not; 2: it could not be tried
#
# Usage: sudo scripts/check-wheel.sh FILE.whl|FILE.tar.gz [RELEASE [MIRROR]]
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
repository=$PWD
package=$(realpath "${1:?usage: scripts/check-wheel.sh FILE.whl|FILE.tar.gz [RELEASE [MIRROR]]}")
release=${2:-bookworm}
mirror=${3-}
case $package in *aarch64.whl) architecture=arm64 ;; *) architecture=$(dpkg --print-architecture) ;; esac
. scripts/bare-root.sh

file=$(basename "$package")
study='set -e; rm -rf synchronization; chronotap new synchronization; cd synchronization; chronotap check study.toml
    chronotap simulate study.toml --participants 2 --data pilot; chronotap verify pilot; chronotap analyze pilot'

main() {
    begin_bare
    inside "apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install pipx >/dev/null && useradd -m -s /bin/bash tapper"
    cp "$package" "$bare/home/tapper/"
    give_pip_settings
    [[ $file != *.tar.gz ]] || holds "the source package brings what installs Rust" \
        "cd /tmp && tar xf /home/tapper/$file && ${file%.tar.gz}/scripts/install.sh"
    tried pipx "pipx install ./$file" "pipx uninstall chronotap"
    as_user "pipx install uv" >/dev/null 2>&1 || give_up "pipx cannot install uv (no network?)"
    tried uv "uv tool install ./$file" "uv tool uninstall chronotap"
    exit $failed
}

# tried NAME INSTALL REMOVE: both lines as a user types them, and between them what the command does.
tried() {
    local begun=$SECONDS
    holds "$1 installs it" "$(user "$2")"
    echo "        ($((SECONDS - begun)) s)"
    holds "the command is there, and names its commit" "$(user 'chronotap --version | grep -E "commit [0-9a-f]{7,}"')"
    holds "a ready-made study is checked, rehearsed, verified and analysed" "$(user "$study")"
    holds "the demo runs in real time" "$(user 'rm -rf demo; mkdir demo; cd demo; chronotap demo || [ $? -eq 1 ]')"
    holds "$1 takes it away" "$(user "$3 && ! command -v chronotap")"
}

# user LINE: the words by which that user types it, at a new login.
user() {
    printf "su - tapper -c %q" "$1"
}

as_user() {
    inside "$(user "$1")"
}

# How registries are reached from this machine, for pip and uv.
give_pip_settings() {
    cat >"$bare/etc/pip.conf" <<<"[global]
cert = /etc/ssl/certs/ca-certificates.crt"
    cat >"$bare/etc/profile.d/certificates.sh" <<<"export SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
export PIP_DEFAULT_TIMEOUT=180 UV_HTTP_TIMEOUT=180 PATH=\$HOME/.local/bin:\$PATH"
}

main
