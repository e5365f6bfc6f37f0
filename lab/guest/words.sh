# The words that the guest part of a scenario is written in, besides those of a
# shell. Each is one step of what an experimenter or an accident would do.

# figure NAME VALUE: a result, to be compared with what the scenario expects.
figure() { printf '%s\t%s\n' "$1" "$2" >>/results/figures.tsv; }

# virmidi: four raw MIDI devices, `VirMIDI 0-0` to `0-3`, each a port of the sequencer.
virmidi() {
    modprobe -a snd-seq snd-virmidi
    until aconnect -l 2>/dev/null | grep -q 'VirMIDI 0-3'; do sleep 0.1; done
}

# cable: joins the raw devices 0 and 1 of virmidi, both ways.
cable() {
    aconnect 'Virtual Raw MIDI 0-0:0' 'Virtual Raw MIDI 0-1:0'
    aconnect 'Virtual Raw MIDI 0-1:0' 'Virtual Raw MIDI 0-0:0'
}

# gadget NAME [NUMBER]: a class-compliant USB MIDI device called NAME, both ends of
# its cable in this machine. Its own end is $device_end, the computer's $host_end.
gadget() {
    local dir=/sys/kernel/config/usb_gadget/g${2:-0}
    modprobe -a libcomposite usb_f_midi snd-usb-audio
    modprobe dummy_hcd is_super_speed=0 num=2
    grep -q configfs /proc/mounts || mount -t configfs configfs /sys/kernel/config
    mkdir -p "$dir/strings/0x409" "$dir/configs/c.1" "$dir/functions/midi.usb0"
    echo 0x1d6b >"$dir/idVendor"
    echo 0x0104 >"$dir/idProduct"
    echo "$1" >"$dir/strings/0x409/product"
    ln -s "$dir/functions/midi.usb0" "$dir/configs/c.1/"
    plug "${2:-0}"
}

# plug, pull [NUMBER]: the gadget's cable.
plug() {
    echo "dummy_udc.${1:-0}" >"/sys/kernel/config/usb_gadget/g${1:-0}/UDC"
    local tries=0
    until grep -q 'USB-Audio' /proc/asound/cards || [ $tries -ge 50 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    sleep 0.3
    host_end=/dev/snd/midiC$(awk '/USB-Audio/ { print $1; exit }' /proc/asound/cards)D0
    device_end=/dev/snd/midiC$(awk '/f_midi/ { print $1; exit }' /proc/asound/cards)D0
}
pull() { echo "" >"/sys/kernel/config/usb_gadget/g${1:-0}/UDC"; }

# load arithmetic|proc|disk, load runaway SECONDS: one more program that wants the
# processor; `calm` ends all of them.
load() {
    case $1 in
    arithmetic) while :; do :; done & ;;
    proc) while :; do cat /proc/[0-9]*/maps /proc/[0-9]*/smaps /proc/interrupts >/dev/null 2>&1; done & ;;
    disk)
        modprobe -a crc32c_generic ext4
        grep -q /disk /proc/mounts || { mkdir -p /disk && mount -t ext4 /dev/vdb /disk; }
        while :; do dd if=/dev/zero of=/disk/load bs=64k count=64 conv=fsync 2>/dev/null; done &
        ;;
    runaway) chrt -f 99 sh /lab/runaway.sh "$2" & ;;
    esac
    loads="$loads $!"
}
calm() { kill $loads 2>/dev/null; loads=; }

# trial NAME...: runs `chronotap run` with its data in /results; the exit status is
# the figure `exit`, what it printed is in run.txt.
trial() {
    chronotap run "$@" --data /results >/results/run.txt 2>&1
    figure exit $?
}

# versus RECORD: compares the trial's record with what the performer wrote down.
versus() { compare /results/*_events.tsv "$1" >>/results/figures.tsv; }

# taps N INTERVAL_S [HOLD_S]: a performer's script, one tap an interval, note by note
# up a scale, so that a lost or doubled one shows.
taps() {
    awk -v n="$1" -v interval="$2" -v hold="${3:-0.08}" 'BEGIN {
        print "onset\tduration\tnote\tvelocity"
        for (i = 0; i < n; i++)
            printf "%.6f\t%.6f\t%d\t%d\n", 0.02 + i * interval + (i * 7919 % 1000) / 1e6, hold, 40 + i % 48, 30 + i % 90
    }'
}

# devices_for_audio: the sound devices belong to the group audio, as udev would have it.
devices_for_audio() {
    chgrp -R audio /dev/snd
    chmod 660 /dev/snd/*
    chmod 1777 /tmp
    chmod -R a+rX /scenario
    mkdir -p /results && chmod 777 /results
}

# trace: from now on the kernel keeps what each processor did, in CLOCK_MONOTONIC, for
# `traced` to write into /results/trace.txt. It costs time of its own.
trace() {
    mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
    cd /sys/kernel/tracing || return
    echo mono >trace_clock
    echo 20000 >buffer_size_kb
    for event in sched/sched_switch sched/sched_waking irq timer/hrtimer_expire_entry timer/hrtimer_start workqueue/workqueue_execute_start; do
        echo 1 >"events/$event/enable"
    done
    cd /scenario
}
traced() {
    echo 0 >/sys/kernel/tracing/tracing_on
    cat /sys/kernel/tracing/trace >/results/trace.txt
}
