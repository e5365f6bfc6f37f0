#!/usr/bin/env bash
# Taps on the firmware of the sensor of force (firmware/arduino), cycle by cycle, in simavr: forces of known form
# are laid on the pin of an ATmega328P, and what comes out of its serial line is held against them. Every tap must
# be told once, at most 0.25 ms from where its force crosses the level. What a run of 1,000 taps and more did is
# added to firmware/runs.tsv.
# Needs gcc-avr, avr-libc, libsimavr-dev and arduino-core-avr (Debian). The Teensy's is compiled where TEENSY names
# a folder with https://github.com/PaulStoffregen/cores and there is an arm-none-eabi-g++; it is not run.
#
# Usage: scripts/test-ears.sh [TAPS [SEED]]     10,000 taps, seed 1
#        scripts/test-ears.sh short             400 taps, for continuous integration: some 5 s
#        scripts/test-ears.sh keep              makes crates/core/tests/sensor/arduino.txt again: 24 taps
# exit 1: a tap is missed, doubled or late; 3: it cannot be tried here
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."

core=/usr/share/arduino/hardware/arduino/avr
place=${CARGO_TARGET_DIR:-target}/ears

main() {
    same_in_both
    drawn
    compile_teensy
    can_be_tried
    compile_arduino
    case ${1-} in
    short) tap 400 1 ;;
    keep) tap 24 5 crates/core/tests/sensor/arduino.txt ;;
    *)
        tap "${1:-10000}" "${2:-1}"
        [ "${1:-10000}" -lt 1000 ] || record "${2:-1}"
        ;;
    esac
}

# What is felt and told is the same text in both files.
same_in_both() {
    diff <(shared firmware/arduino/arduino.ino) <(shared firmware/teensy/teensy.ino) ||
        { echo "the two files differ in what must be the same"; exit 1; }
}

shared() {
    sed -n '/^\/\/ ---- what is felt/,/^\/\/ ---- the /p' "$1" | sed '$d'
}

drawn() {
    for drawing in force:force-sensor sound-card:sound-card-taps; do
        python3 firmware/wiring.py "${drawing%:*}" | cmp - "docs/pictures/${drawing#*:}.svg" ||
            { echo "docs/pictures/${drawing#*:}.svg is not what firmware/wiring.py draws"; exit 1; }
    done
}

can_be_tried() {
    local missing=""
    command -v avr-gcc >/dev/null || missing+=" gcc-avr avr-libc"
    [ -e /usr/include/simavr/sim_avr.h ] || missing+=" libsimavr-dev"
    [ -d "$core" ] || missing+=" arduino-core-avr"
    [ -z "$missing" ] || { echo "not installed:$missing"; exit 3; }
}

# As the Arduino IDE does it, without its boot loader.
compile_arduino() {
    local flags=(-mmcu=atmega328p -DF_CPU=16000000L -DARDUINO=10807 -DARDUINO_AVR_UNO -DARDUINO_ARCH_AVR -Os
        -ffunction-sections -fdata-sections -I"$core/cores/arduino" -I"$core/variants/standard")
    mkdir -p "$place"
    avr-gcc "${flags[@]}" -std=gnu11 -c "$core/cores/arduino/wiring.c" -o "$place/wiring.o"
    avr-gcc "${flags[@]}" -std=gnu11 -c "$core/cores/arduino/hooks.c" -o "$place/hooks.o"
    avr-g++ "${flags[@]}" -std=gnu++11 -c "$core/cores/arduino/main.cpp" -o "$place/main.o"
    avr-g++ "${flags[@]}" -std=gnu++11 -Wall -Wextra -Werror -x c++ -c firmware/arduino/arduino.ino -o "$place/sketch.o"
    avr-g++ -mmcu=atmega328p -Os -Wl,--gc-sections "$place"/{wiring,hooks,main,sketch}.o -o "$place/arduino.elf"
    cc -O2 -Wall -Wextra -Werror -o "$place/taps" firmware/test/taps.c -lsimavr -lm
}

compile_teensy() {
    if [ -z "${TEENSY-}" ] || ! command -v arm-none-eabi-g++ >/dev/null; then
        echo "Teensy: not compiled, not run"
        return
    fi
    local flags=(-Os -nostdlib -std=gnu++17 -fno-exceptions -fpermissive -fno-rtti -DTEENSYDUINO=159 -DARDUINO=10819
        -DUSB_SERIAL -DLAYOUT_US_ENGLISH -mthumb -x c++ -c firmware/teensy/teensy.ino)
    mkdir -p "$place"
    arm-none-eabi-g++ "${flags[@]}" -D__MK20DX256__ -DARDUINO_TEENSY32 -DF_CPU=72000000 -mcpu=cortex-m4 \
        -isystem "$TEENSY/teensy3" -Wall -o "$place/teensy3.o"
    arm-none-eabi-g++ "${flags[@]}" -D__IMXRT1062__ -DARDUINO_TEENSY40 -DF_CPU=600000000 -mcpu=cortex-m7 \
        -mfloat-abi=hard -mfpu=fpv5-d16 -isystem "$TEENSY/teensy4" -Wall -o "$place/teensy4.o"
    echo "Teensy 3.2 and 4.0: compiled, not run"
}

# tap TAPS SEED [FILE]
tap() {
    "$place/taps" "$place/arduino.elf" "$@" | tee "$place/result.txt"
}

record() {
    [ -e firmware/runs.tsv ] || printf 'day\tboard\tsha256_of_sketch\tseed\tresult\n' >firmware/runs.tsv
    printf '%s\tATmega328P in simavr\t%.12s\t%s\t%s\n' "$(date -u +%F)" \
        "$(sha256sum firmware/arduino/arduino.ino)" "$1" "$(tail -n 1 "$place/result.txt")" >>firmware/runs.tsv
}

main "$@"
