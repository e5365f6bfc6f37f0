# Sourced by run.sh: one scenario in one guest. The scenario's sections become files
# of a small archive that the kernel unpacks over the image; what the guest leaves
# comes back as a tar file on a raw disk.

run_scenario() {
    local name=$1 kernel=$2 file=$lab/scenarios/$1.scenario
    [ -f "$file" ] || give_up "there is no scenario $name in $lab/scenarios"
    [[ " $(setting "$file" kernels) " == *" $kernel "* ]] || return 0
    local out=$results/$kernel/$name began=$SECONDS
    printf '%-28s %-6s ' "$name" "$kernel"
    rm -rf "$out" && mkdir -p "$out"
    pack_scenario "$file" "$out"
    boot "$file" "$kernel" "$out"
    judge "$file" "$kernel" "$out"
    printf '%s (%d s)\n' "$(tail -n 1 "$work/verdicts.tsv" | cut -f 3)" $((SECONDS - began))
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
# one, 8 ns an instruction, for timing.
# A kernel that checks at its start whether its timer ticks finds that it does not where
# the host stalls it for so long, and goes no further: hence `no_timer_check`.
boot() {
    local out=$3 machine=(-accel tcg,thread=multi -smp 2 -cpu max)
    [ "$(setting "$1" mode)" = virtual ] &&
        machine=(-accel tcg,thread=single -icount shift=3,sleep=off -smp 1 -rtc "base=2026-01-01,clock=vm")
    cat "$work/$2.cpio" "$out/scenario.cpio" >"$work/initrd"
    truncate -s 256M "$work/results.img"
    truncate -s 0 "$work/disk.img"
    truncate -s 64M "$work/disk.img"
    /usr/sbin/mke2fs -q -F -t ext4 "$work/disk.img" >>"$log" 2>&1
    timeout --kill-after=5 "$(setting "$1" limit)" \
        qemu-system-x86_64 "${machine[@]}" -m "$(setting "$1" memory)" -nic none \
        -display none -monitor none -serial "file:$out/serial.log" -no-reboot \
        -kernel "$work/$2.vmlinuz" -initrd "$work/initrd" \
        -append "console=ttyS0 quiet loglevel=4 panic=-1 net.ifnames=0 no_timer_check" \
        -drive "file=$work/results.img,format=raw,if=virtio" \
        -drive "file=$work/disk.img,format=raw,if=virtio,cache=unsafe" \
        </dev/null >>"$log" 2>&1 &
    guest=$!
    wait "$guest"
    echo "$?" >"$out/qemu-status"
    guest=
    tar -xf "$work/results.img" -C "$out" 2>>"$log"
    rm -f "$work/results.img" "$out/scenario.cpio"
}
