#!/bin/sh
# Prepares a new Raspberry Pi (Raspberry Pi OS or Debian, 64 bits) for trials: what "A Raspberry Pi" in docs/doctor.md
# says, in one command. Run it by hand, or as the last command of the installer's own first-boot file.
#
# Usage: sudo sh first-boot.sh [--user NAME] [--undo] [PACKAGE.deb]
#   PACKAGE.deb  the package for arm64; not needed where it is installed
#   --user NAME  who runs trials (whoever called sudo)
#   --undo       takes back what was changed here, but for the package
# A second run changes nothing more. What is changed is printed, and needs a restart.
# exit 1: something could not be done; 2: it was not understood, or this is no such computer
# A test gives another system by ROOT=FOLDER.
set -eu
root=${ROOT-}
user=${SUDO_USER-}
package=""
undo=""
begin="# chronotap: begin"
end="# chronotap: end"

main() {
    read_arguments "$@"
    model=$(tr -d '\0' <"$root/proc/device-tree/model" 2>/dev/null) || model=""
    case $model in
    "Raspberry Pi"*) ;;
    *) refuse "this is not a Raspberry Pi${model:+, but a $model}; on other computers, see: chronotap doctor" ;;
    esac
    [ "$(id -u)" -eq 0 ] || refuse "this needs root: sudo sh $0"
    config=$root/boot/firmware/config.txt
    [ -e "$config" ] || config=$root/boot/config.txt
    [ -e "$config" ] || refuse "there is no config.txt in /boot/firmware or /boot"
    if [ -n "$undo" ]; then
        leave_config
    else
        install_package
        join_groups
        change_config
    fi
    echo "Restart, then look at: chronotap doctor"
}

read_arguments() {
    while [ $# -gt 0 ]; do
        case $1 in
        --user) [ $# -ge 2 ] || refuse "--user needs a name"; user=$2; shift ;;
        --undo) undo=yes ;;
        -h | --help) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 0 ;;
        -*) refuse "usage: sudo sh first-boot.sh [--user NAME] [--undo] [PACKAGE.deb]" ;;
        *) package=$1 ;;
        esac
        shift
    done
    [ -z "$package" ] || [ -e "$package" ] || refuse "there is no file $package"
}

# Its question about real-time rights is answered here: that is what the script is for.
install_package() {
    [ -n "$package" ] || command -v chronotap >/dev/null || refuse "name the package: sudo sh first-boot.sh chronotap_..._arm64.deb"
    [ -n "$package" ] || return 0
    echo "chronotap chronotap/realtime boolean true" | debconf-set-selections
    DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes "$(realpath "$package")" >/dev/null ||
        { echo "apt could not install $package" >&2; exit 1; }
    echo "installed: $package, with real-time rights for the group audio"
}

join_groups() {
    if [ -z "$user" ] || [ "$user" = root ]; then
        echo "nobody was put into the groups audio and dialout; give --user NAME"
        return
    fi
    id "$user" >/dev/null 2>&1 || refuse "there is no user $user"
    for group in audio dialout; do
        id -nG "$user" | tr ' ' '\n' | grep -qx "$group" && continue
        gpasswd --add "$user" "$group" >/dev/null
        echo "$user is now in the group $group"
    done
}

# The processor at its full speed whenever it is cool; nothing is overclocked.
change_config() {
    if grep -qx "$begin" "$config"; then return; fi
    printf '%s\n[all]\nforce_turbo=1\n%s\n' "$begin" "$end" >>"$config"
    echo "${config#"$root"} has a new part: force_turbo=1"
}

leave_config() {
    sed -i "/^$begin\$/,/^$end\$/d" "$config"
    echo "${config#"$root"} is as it was"
}

refuse() {
    echo "first-boot.sh: $*" >&2
    exit 2
}

main "$@"
