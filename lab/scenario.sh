# Sourced by run.sh: one scenario in one guest. The scenario's sections become files
# of a small archive that the kernel unpacks over the image; what the guest leaves
# comes back as a tar file on a raw disk.

# run_scenario NAME KERNEL: everything of it is in its own directory, so that several
# can run at a time.
run_scenario() {
    local file=$lab/scenarios/$1.scenario out=$results/$2/$1 began=$SECONDS
    rm -rf "$out" && mkdir -p "$out"
    pack_scenario "$file" "$out"
    boot "$file" "$2" "$out"
    hear "$out"
    judge "$file" "$2" "$out"
    printf '%-28s %-6s %s (%d s)\n' "$1" "$2" "$(head -n 1 "$out/verdict.txt")" $((SECONDS - began))
}

# setting FILE NAME: a line `NAME = VALUE` of the scenario's head.
setting() { awk -F ' *= *' -v name="$2" '/^---/ { exit } $1 == name { print $2 }' "$1"; }

# section FILE NAME: the lines below `--- NAME`.
section() { awk -v name="$2" '/^--- / { on = ($2 == name); next } on' "$1"; }

pack_scenario() {
    local name dir=$2/scenario
    mkdir -p "$dir/scenario"
    for name in $(awk '/^--- / { print $2 }' "$1"); do
        [ "$name" = expect ] || section "$1" "$name" >"$dir/scenario/$name"
    done
    mv "$dir/scenario/guest" "$dir/scenario/guest.sh"
    (cd "$dir" && find . | cpio --quiet -o -H newc) >"$2/scenario.cpio"
    rm -r "$dir"
}

# boot SCENARIO KERNEL OUT: real time on two cores for function; virtual time on
# one, 8 ns an instruction (or as the head says), for timing.
# A kernel that checks at its start whether its timer ticks finds that it does not where
# the host stalls it for so long, and goes no further: hence `no_timer_check`. Its tests of its own ciphers, which nobody here
# uses, are a third of all that it does until then: hence `cryptomgr.notests`.
boot() {
    local out=$3 board=(-accel tcg,thread=multi -smp 2 -cpu "$processor")
    [ "$(setting "$1" mode)" = virtual ] &&
        board=(-accel tcg,thread=single -icount "shift=$(shift_of "$1")",sleep=off -smp 1 -cpu "$processor_in_virtual_time" -rtc "base=2026-01-01,clock=vm")
    board+=(-machine "$(setting "$1" board | grep . || echo "$usual_board")")
    [ "$(setting "$1" parallel)" = null ] && board+=(-parallel null)
    # A USB serial adapter of FTDI's, as qemu has it; what is sent on its line comes into a file of the host.
    [ "$(setting "$1" serial)" = ftdi ] && board+=(
        -device qemu-xhci -device usb-serial,chardev=line -chardev "file,id=line,path=$out/line.bin")
    # A USB sound card of qemu's, which writes what it plays into a file of the host.
    [ "$(setting "$1" sound)" = usb ] && board+=(
        -device qemu-xhci -device usb-audio,audiodev=heard
        -audiodev "wav,id=heard,path=$out/heard.wav,out.frequency=48000")
    cat "$work/$2.cpio" "$out/scenario.cpio" >"$out/initrd"
    mkfifo "$out/ask.in" "$out/ask.out"
    truncate -s 256M "$out/results.img"
    truncate -s 64M "$out/disk.img"
    /usr/sbin/mke2fs -q -F -t ext4 "$out/disk.img" >>"$log" 2>&1
    local limit
    limit=$(limit_of "$1")
    timeout --kill-after=5 "$limit" \
        "$emulator" "${board[@]}" -m $(($(setting "$1" memory) + further_memory + $(memory_for "$2"))) -nic none \
        -display none -chardev "pipe,id=ask,path=$out/ask" -mon chardev=ask -serial "file:$out/serial.log" -no-reboot \
        -kernel "$work/$2.kernel" -initrd "$out/initrd" \
        -append "console=$console quiet loglevel=4 panic=-1 net.ifnames=0 no_timer_check cryptomgr.notests sysrq_always_enabled" \
        -drive "file=$out/results.img,format=raw,if=virtio" \
        -drive "file=$out/disk.img,format=raw,if=virtio,cache=unsafe" \
        </dev/null >>"$log" 2>&1 &
    local guest=$! asker
    (sleep $((limit - 20)) && where_it_is "$out") >>"$log" 2>&1 &
    asker=$!
    trap 'kill "$guest" "$asker"; exit 2' INT TERM
    wait "$guest"
    echo "$?" >"$out/qemu-status"
    kill "$asker" 2>>"$log"
    tar -xf "$out/results.img" -C "$out" 2>>"$log"
    rm -f "$out"/{results.img,disk.img,initrd,scenario.cpio,ask.in,ask.out}
}

# limit_of SCENARIO: seconds of the host, which may have other work to do.
limit_of() {
    echo $(($(setting "$1" limit) * ${LAB_PATIENCE:-1}))
}

# shift_of SCENARIO: qemu takes the time of an instruction as a power of 2 in nanoseconds.
shift_of() {
    case $(setting "$1" instruction_ns) in
    2) echo 1 ;;
    4) echo 2 ;;
    *) echo 3 ;;
    esac
}

# where_it_is OUT: a guest that does not end writes into its log, shortly before its limit, where in
# the kernel each of its threads waits (Documentation/admin-guide/sysrq.rst).
where_it_is() {
    local key
    for key in 8 w t; do
        echo "sendkey alt-sysrq-$key"
        sleep 3
    done 1<>"$1/ask.in"
}

# hear OUT: figures of what qemu's own sound card played, as its file has it, and how often each byte came on the line
# of its serial adapter. Neither the guest's kernel nor Chronotap knows of these files.
hear() {
    [ ! -f "$1/line.bin" ] || od -An -v -t u1 -w1 "$1/line.bin" | awk '{ came[$1]++ } END { for (byte in came) printf "line_%d\t%d\n", byte, came[byte] }' >>"$1/figures.tsv"
    [ -f "$1/heard.wav" ] || return 0
    tail -c +45 "$1/heard.wav" | od -An -v -t d2 -w4 | awk -v part=heard_ -f "$lab/guest/onsets.awk" >>"$1/figures.tsv"
    rm "$1/heard.wav"
}

# memory_for KERNEL: MB beyond what a scenario asks for. While it begins, a guest holds all files twice, in a file system
# that gets half of its memory; those of the released program (60 MB) fit into what every scenario has.
memory_for() {
    local files=$(($(stat -c %s "$work/$1.cpio") >> 20))
    echo $((files > 60 ? 4 * (files - 60) : 0))
}
