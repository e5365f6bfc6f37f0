#!/usr/bin/env bash
# Installs the Debian packages that building Chronotap needs and this machine
# lacks, and Rust (scripts/install-rust.sh, which asks first). Says nothing and asks
# for nothing where nothing is missing.
#
# Usage: scripts/install.sh [--for-tests|--for-all]      exit 2: something is still missing
# With --for-tests, what `make test` uses besides; with --for-all, what `make test-all` does.
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
. scripts/packages.sh

main() {
    case ${1-} in
    '' | --for-tests | --for-all) ;;
    *) echo "usage: scripts/install.sh [--for-tests|--for-all]" >&2; exit 2 ;;
    esac
    install_packages
    scripts/install-rust.sh ${1:+--for-tests}
    [ -z "${1-}" ] || { install_servers; install_decoder; install_validator; }
    [ "${1-}" != --for-all ] || { install_browser; install_node; install_plugins; install_simulator; install_wine; }
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

# Node runs the tests in that browser, and npm fetches what they and the pane "Try it" are made of. They need
# Node 20, which Debian 12 does not have. Where it cannot be had, those tests are passed over, so this never fails.
install_node() {
    command -v node >/dev/null && command -v npm >/dev/null && return
    has_node_20 && (apt_install npm) && return
    echo "no Node 20 with npm: the tests of the console and of \"Try it\" in a browser will be passed over"
}

has_node_20() {
    command -v apt-cache >/dev/null &&
        dpkg --compare-versions "$(apt-cache show --no-all-versions nodejs 2>/dev/null | sed -n 's/^Version: //p')" ge 20
}

# The tests of LV2 plugins link liblilv and load examples. Where they cannot be had,
# those tests are passed over, so this never fails.
install_plugins() {
    [ -d /usr/lib/lv2/eg-amp.lv2 ] && pkg-config --exists lilv-0 2>/dev/null && return
    command -v apt-get >/dev/null && (apt_install pkg-config liblilv-dev lv2-examples) && return
    echo "no liblilv: the tests of LV2 plugins will be passed over"
}

# Tests of sound are clients of servers that they start themselves: JACK's with its dummy
# driver, and PipeWire. Where they cannot be had, those tests are passed over, so this never fails.
install_servers() {
    local packages=()
    command -v jackd >/dev/null || packages+=(jackd2)
    command -v pw-jack >/dev/null || packages+=(pipewire-jack)
    command -v pw-link >/dev/null || packages+=(pipewire-bin)
    command -v wireplumber >/dev/null || packages+=(wireplumber)
    command -v dbus-run-session >/dev/null || packages+=(dbus)
    [ ${#packages[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null && (apt_install "${packages[@]}") && return
    echo "no JACK server or no PipeWire: the tests on them will be passed over"
}

# A test lets libltc decode time code. Where it cannot be had, it is passed over, so this never fails.
install_decoder() {
    [ -e /usr/include/ltc.h ] && return
    command -v apt-get >/dev/null && (apt_install libltc-dev) && return
    echo "no libltc: the test of time code by it will be passed over"
}

# The firmware of the sensor of force is compiled and runs in simavr, cycle by cycle. Where they cannot be had, that
# check is passed over, so this never fails.
install_simulator() {
    command -v avr-gcc >/dev/null && [ -e /usr/include/simavr/sim_avr.h ] && [ -d /usr/share/arduino/hardware/arduino/avr ] && return
    command -v apt-get >/dev/null && (apt_install gcc-avr avr-libc libsimavr-dev arduino-core-avr) && return
    echo "no compiler or simulator of an ATmega328P: the check of the sensor's firmware will be passed over"
}

# Two studies and a trial are tried by the program for Windows. Where wine or a linker cannot be had, they are passed over, so
# this never fails.
install_wine() {
    command -v wine >/dev/null && command -v x86_64-w64-mingw32-gcc >/dev/null && return
    command -v apt-get >/dev/null && (apt_install wine gcc-mingw-w64-x86-64-win32) && return
    echo "no wine, or no linker for Windows: the check of the program for Windows will be passed over"
}

# Tests ask the BIDS validator about datasets. Where it cannot be had, they are passed over,
# so this never fails.
install_validator() {
    scripts/bids-validator.sh >/dev/null 2>&1 ||
        echo "no BIDS validator: the tests of datasets by it will be passed over"
}

main "$@"
