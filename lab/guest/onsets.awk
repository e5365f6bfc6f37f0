# Onsets in a recording, one line of samples a frame, by the first channel alone: an onset
# is the first sample after 0.1 s of silence at 48 kHz. Prints, with PART before their
# names, how many there are and how many frames they are apart at least and at most.
BEGIN { OFS = "\t"; silent = 4800 }
$1 > 30 || $1 < -30 {
    if (silent >= 4800) {
        if (n++) { apart = NR - last; if (!least || apart < least) least = apart; if (apart > most) most = apart }
        last = NR
    }
    silent = 0
    next
}
{ silent++ }
END { print part "onsets", n + 0; print part "apart_min_frames", least + 0; print part "apart_max_frames", most + 0 }
