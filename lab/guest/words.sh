# The words that the guest part of a scenario is written in, besides those of a
# shell. Each is one step of what an experimenter or an accident would do.

# Where data go, and what stands before a figure's name; see `part`.
here=/results
part=

# figure NAME VALUE: a result, to be compared with what the scenario expects.
figure() { printf '%s\t%s\n' "$part$1" "$2" >>/results/figures.tsv; }

# part NAME: what follows is a part of its own, with its data in /results/NAME and
# NAME_ before its figures.
part() {
    here=/results/$1
    part=$1_
    mkdir -p "$here"
}

# virmidi: four raw MIDI devices, `VirMIDI 0-0` to `0-3` (the first number is that of
# their card), each a port of the sequencer.
virmidi() {
    modprobe -a snd-seq snd-virmidi
    until aconnect -l 2>/dev/null | grep -q 'VirMIDI [0-9]-3'; do sleep 0.1; done
}

# cable: joins the raw devices 0 and 1 of virmidi, both ways.
cable() {
    aconnect 'Virtual Raw MIDI 0-0:0' 'Virtual Raw MIDI 0-1:0'
    aconnect 'Virtual Raw MIDI 0-1:0' 'Virtual Raw MIDI 0-0:0'
}

# gadget NAME [NUMBER]: a class-compliant USB MIDI device called NAME, both ends of
# its cable in this machine. Its own end is $device_end, the computer's $host_end;
# where there are two, that of the last one plugged in.
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

# serial_gadget: a USB serial port, both ends of its cable in this machine: /dev/ttyACM0 is the
# computer's, /dev/ttyGS0 its own. While its own end is open the lines DCD and DSR of the other are high.
serial_gadget() {
    local dir=/sys/kernel/config/usb_gadget/serial
    modprobe -a libcomposite usb_f_acm cdc-acm
    modprobe dummy_hcd is_super_speed=0 num=2
    grep -q configfs /proc/mounts || mount -t configfs configfs /sys/kernel/config
    mkdir -p "$dir/strings/0x409" "$dir/configs/c.1" "$dir/functions/acm.usb0"
    echo 0x1d6b >"$dir/idVendor"
    echo 0x0104 >"$dir/idProduct"
    ln -s "$dir/functions/acm.usb0" "$dir/configs/c.1/"
    echo dummy_udc.0 >"$dir/UDC"
    until [ -e /dev/ttyACM0 ]; do sleep 0.1; done
    sleep 0.3
}

# lateness FILE: of all beats in this events file the number, and in microseconds the 99th percentile and the
# greatest lateness.
lateness() {
    awk -F '\t' '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["trial_type"] == "pacing" && $at["lateness_ns"] ~ /^[0-9]/ { print $at["lateness_ns"] }' "$1" | sort -n >/tmp/late
    awk -v part=$part '{ v[NR] = $1 / 1000 } END {
        printf "%soutputs\t%d\n", part, NR
        if (NR) printf "%sp99_us\t%.3f\n%smax_us\t%.3f\n", part, v[int((NR * 99 + 99) / 100)], part, v[NR] }' /tmp/late >>/results/figures.tsv
}

# more_late PART: how much later the 99th percentile is in that part than in the part `alone`.
more_late() {
    awk -v read="$1_p99_us" '/_p99_us/ { p99[$1] = $2 } END { print "p99_more_us\t" p99[read] - p99["alone_p99_us"] }' \
        /results/figures.tsv >/tmp/more
    cat /tmp/more >>/results/figures.tsv
}

# lines_of_codes WIDTH_S: of the codes in the last events file how many there are, and the 99th
# percentile of their lateness and of how far their width was from the one asked for, in microseconds.
lines_of_codes() {
    local column
    awk -F '\t' -v width="$1" -v OFS='\t' '
        NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; next }
        $place["trial_type"] == "code" {
            off = ($place["duration"] - width) * 1e6
            print $place["lateness_ns"] / 1e3, off < 0 ? -off : off
        }' "$here"/*_events.tsv >"$here/codes.tsv"
    figure codes "$(wc -l <"$here/codes.tsv")"
    for column in 1 2; do
        cut -f "$column" "$here/codes.tsv" | sort -n | awk '{ all[NR] = $1 } END { print all[int((NR - 1) * 0.99) + 1] }' >"$here/p99"
        case $column in
        1) figure lateness_p99_us "$(cat "$here/p99")" ;;
        2) figure width_off_p99_us "$(cat "$here/p99")" ;;
        esac
    done
}

# far_end CODE: how often it came at the far end of a serial line, and how long after its deadline, in
# microseconds, by the far end's own time.
far_end() {
    local origin
    origin=$(sed -n 's/.*"origin_ns": *\([0-9]*\).*/\1/p' "$here"/*_events.json | head -n 1)
    awk -F '\t' -v code="$1" '$2 == code { print $1 }' "$here/far_end" >"$here/came"
    awk -F '\t' -v code="$1" '
        NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; next }
        $place["trial_type"] == "code" && $place["number"] == code {
            print $place["deadline_ns"] }' "$here"/*_events.tsv >"$here/due"
    figure far_end_codes "$(wc -l <"$here/came")"
    paste "$here/came" "$here/due" | awk -v origin="$origin" '{ print ($1 - origin - $2) / 1000 }' | sort -n |
        awk -v part=$part '{ v[NR] = $1 } END { if (NR) printf "%sfar_end_median_us\t%.1f\n%sfar_end_p99_us\t%.1f\n%sfar_end_max_us\t%.1f\n",
            part, v[int((NR + 1) / 2)], part, v[int((NR - 1) * 0.99) + 1], part, v[NR] }' >>/results/figures.tsv
}

# pulses_taken: of the taps how many there are, how many the kernel stamped, and how far, in microseconds, a stamp
# lies outside of the write that made its pulse, at most; writes stand in the file `pulses`.
pulses_taken() {
    local origin
    origin=$(sed -n 's/.*"origin_ns": *\([0-9]*\).*/\1/p' "$here"/*_events.json | head -n 1)
    awk -F '\t' '
        NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; next }
        $place["trial_type"] == "tap" { printf "%.0f\t%s\n", $place["onset"] * 1e9, $place["stamp"] }' "$here"/*_events.tsv >"$here/taps"
    figure taps "$(wc -l <"$here/taps")"
    figure kernel_stamped "$(grep -c 'kernel' "$here/taps")"
    paste "$here/taps" "$here/pulses" | awk -F '\t' -v origin="$origin" -v part=$part '
        { early = $3 - origin - $1; late = $1 + origin - $4; off = early > late ? early : late; if (NR == 1 || off > most) most = off }
        END { printf "%soutside_max_us\t%.1f\n", part, (most > 0 ? most : 0) / 1000 }' >>/results/figures.tsv
}

# heard_taps: of the taps that were heard how many there are, how many the kept sound does not have, and how far the live
# onset of one is from that in the sound at most; of the beats how many came back by the loop; by how many frames the
# asynchronies are off from 100, 110, 120, 130, 140 ms in turn, from the least to the greatest; and by how much the latest
# feedback came later after its tap than the earliest.
heard_taps() {
    awk -F '\t' -v part=$part '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { what = $at["trial_type"]; source = $at["onset_source"] }
        what == "pacing" && source == "refined" { looped++ }
        what == "tap" && source == "unconfirmed" { unconfirmed++ }
        what == "tap" {
            live = $at["refined_ns"] - $at["achieved_ns"]
            if (live < 0) live = -live
            if (live > most) most = live
            off = $at["asynchrony_ns"] - 1e8 - 1e7 * (taps++ % 5)
            if (taps == 1 || off < least) least = off
            if (taps == 1 || off > greatest) greatest = off
        }
        END {
            printf "%staps\t%d\n%sunconfirmed\t%d\n%slooped\t%d\n", part, taps, part, unconfirmed, part, looped
            if (taps) printf "%slive_from_refined_max_us\t%.1f\n%soff_by_frames\t%.3f\n%soff_mean_us\t%.1f\n",
                part, most / 1000, part, (greatest - least) * 48e-6, part, (greatest + least) / 2000
        }' "$here"/*_events.tsv >>/results/figures.tsv
    awk -F '\t' -v part=$part '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["trial_type"] == "feedback" {
            late = $at["lateness_ns"]
            if (!n++ || late < least) least = late
            if (n == 1 || late > greatest) greatest = late
        }
        END { if (n) printf "%sfeedback_apart_us\t%.1f\n", part, (greatest - least) / 1000 }' "$here"/*_events.tsv >>/results/figures.tsv
}

# pulse SECONDS: the lines of /dev/ttyACM0 go high for so long.
pulse() {
    exec 9<>/dev/ttyGS0
    sleep "$1"
    exec 9>&-
}

# plug, pull [NUMBER]: the gadget's cable. Gadget 0 is on the first USB bus, 1 on the
# second, whichever is plugged in first.
plug() {
    local number=${1:-0} tries=0
    echo "dummy_udc.$number" >"/sys/kernel/config/usb_gadget/g$number/UDC"
    until card_at "usb$((number + 1))/" >/dev/null || [ $tries -ge 50 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    sleep 0.3
    host_end=/dev/snd/midiC$(card_at "usb$((number + 1))/")D0
    device_end=/dev/snd/midiC$(card_at "gadget.$number/")D0
}
# card_at PLACE: the number of the sound card whose place among the devices says so.
card_at() {
    local card
    for card in /sys/class/sound/card*; do
        case $(readlink -f "$card") in *"$1"*) echo "${card##*card}" && return ;; esac
    done
    return 1
}
pull() { echo "" >"/sys/kernel/config/usb_gadget/g${1:-0}/UDC"; }

# qemu_card: waits until the USB sound card of a scenario with `sound = usb` is there, as
# card 0, at most 10 s.
qemu_card() {
    modprobe -a xhci-pci snd-usb-audio
    local tries=0
    until [ -e /dev/snd/pcmC0D0p ] || [ $tries -ge 100 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
}

# load arithmetic|proc|disk, load runaway SECONDS [PRIORITY]: one more program that wants
# the processor; `calm` ends all of them.
load() {
    case $1 in
    arithmetic) while :; do :; done & ;;
    proc) while :; do cat /proc/[0-9]*/maps /proc/[0-9]*/smaps /proc/interrupts >/dev/null 2>&1; done & ;;
    disk)
        modprobe -a crc32c_generic ext4
        grep -q /disk /proc/mounts || { mkdir -p /disk && mount -t ext4 /dev/vdb /disk; }
        while :; do dd if=/dev/zero of=/disk/load bs=64k count=64 conv=fsync 2>/dev/null; done &
        ;;
    runaway) chrt -f "${3:-99}" sh /lab/runaway.sh "$2" & ;;
    esac
    loads="$loads $!"
}
calm() { kill $loads 2>/dev/null; loads=; }

# interrupts_first: lets the threads in which PREEMPT_RT serves interrupts and timers (the
# stock kernel has none), and those of vhci_hcd, run before every load of a lower priority
# than 99, as interrupts do on the stock kernel and a bus of metal does on both.
interrupts_first() {
    local thread
    for thread in $(ps -o pid,comm | awk '$2 ~ /^(irq\/|ktimers|ksoftirqd|vhci_[rt]x)/ { print $1 }'); do
        chrt -f -p 99 "$thread"
    done
}

# stall PRIORITY: a second after card 0 has begun to play, a program of that SCHED_FIFO
# priority takes the processor for one to two seconds. The kernel's guard against that (0.95 of each second for all
# programs of such priorities together: sched_rt_runtime_us) is off: by it a player that goes on after the stall may have
# used up the second's rest, and is kept off for up to 50 ms a second time.
stall() {
    echo -1 >/proc/sys/kernel/sched_rt_runtime_us
    (
        until grep -q RUNNING /proc/asound/card0/pcm0p/sub0/status; do sleep 0.1; done
        sleep 1
        load runaway 2 "$1"
        wait
    ) &
}

# server FRAMES: a JACK server with the dummy driver, at 48 kHz and that period, as
# $server; `served` waits until it answers, at most 20 s.
server() {
    mkdir -p /dev/shm
    grep -q /dev/shm /proc/mounts || mount -t tmpfs tmpfs /dev/shm
    jackd --realtime --realtime-priority 70 -d dummy -r 48000 -p "$1" >>"$here/jackd.txt" 2>&1 &
    server=$!
    served
}
served() {
    local tries=0
    until jack_lsp >/dev/null 2>&1 || [ $tries -ge 40 ]; do
        sleep 0.5
        tries=$((tries + 1))
    done
}

# trial FILE OPTIONS...: runs `chronotap run` with its data in $here; the exit status is
# the figure `exit`, what it printed is in run.txt.
trial() {
    chronotap run "$@" --data "$here" >"$here/run.txt" 2>&1
    figure exit $?
}

# versus RECORD OPTIONS...: compares the trial's record with what the performer wrote down.
versus() { compare "$here"/*_events.tsv "$@" | sed "s/^/$part/" >>/results/figures.tsv; }

# looped OPTIONS...: `chronotap timing loop` from port to port. Its report is in
# loop.json; the counts in it are figures, and of its times median and maximum.
looped() {
    chronotap timing loop "$@" --json >"$here/loop.json" 2>"$here/loop.txt"
    figure exit $?
    local name spread
    for name in sent received lost doubled changed out_of_order unknown refused overruns starts messages_per_s; do
        figure $name "$(reported "\"$name\":")"
    done
    for spread in intervals round_trips answers; do
        for name in median_us max_us; do
            figure ${spread}_$name "$(reported "\"$spread\":{[^[]*\"$name\":")"
        done
    done
}
reported() { sed -n "s/.*$1\([0-9.]*\).*/\1/p" "$here/loop.json"; }

# measured TEST OPTIONS...: `chronotap timing TEST`, labelled with the kernel's name, its
# files in $here/timing and what it printed in TEST.txt. The figure TEST_exit is its exit
# status: 0, or 1 where its verdict is that the machine is unfit.
measured() {
    case $(uname -v) in *PREEMPT_RT*) label=PREEMPT_RT ;; *) label=stock ;; esac
    chronotap timing "$@" --label "$label $(uname -r | cut -d. -f1,2)" \
        --output "$here/timing" >>"$here/$1.txt" 2>&1
    figure "$1_exit" $?
}

# onsets FILE: figures of the onsets in a WAV file of 16 bits, left and right.
onsets() { tail -c +45 "$1" | od -An -v -t d2 -w4 | awk -v part=$part -f /lab/onsets.awk >>/results/figures.tsv; }

# found FIGURE STATISTIC TEST QUANTITY [CONDITION=VALUE...]: the greatest value of a
# statistic in all series of that test and quantity under these conditions; of a time, in
# microseconds. There is no such figure where there is no such series.
found() {
    local figure=$part$1 statistic=$2 kind=$3,$4
    shift 4
    awk -F , -v figure="$figure" -v statistic="$statistic" -v kind=",$kind," -v wanted="$*" '
        BEGIN { n = split(wanted, condition, " ") }
        index($0, kind) && $(NF - 2) == statistic {
            gsub(/["\r]/, "")
            for (i = 1; i <= n; i++) if ($0 !~ condition[i] "[;, ]") next
            v = $NF == "ns" ? $(NF - 1) / 1000 : $(NF - 1)
            if (!series++ || v > greatest) greatest = v
        }
        END { if (series) printf "%s\t%.3f\n", figure, greatest }
    ' "$here"/timing/*[0-9].csv >>/results/figures.tsv
}

# taps N INTERVAL_S [HOLD_S]: a performer's script, one tap an interval, note by note
# up a scale, so that a lost or doubled one shows.
taps() {
    awk -v n="$1" -v interval="$2" -v hold="${3:-0.08}" 'BEGIN {
        print "onset\tduration\tnote\tvelocity"
        for (i = 0; i < n; i++)
            printf "%.6f\t%.6f\t%d\t%d\n", 0.02 + i * interval + (i * 7919 % 1000) / 1e6, hold, 40 + i % 48, 30 + i % 90
    }'
}

# client NAME: waits until the sequencer has a client of that name, at most 20 s.
client() {
    local tries=0
    until aconnect -l | grep -q "'$1'" || [ $tries -ge 200 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
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
