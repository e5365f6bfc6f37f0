#!/usr/bin/env bash
# Draws what stands on the table in a session: pad, computer, headphones, screens, and the cables between them, with
# what goes through each (docs/pictures/set-up.svg, which scripts/test-scripts.sh compares).
#
# Usage: scripts/set-up.sh >docs/pictures/set-up.svg
set -euo pipefail
. "$(dirname "$0")/usage.sh"

main() {
    head_of 960 280
    thing 16 70 230 94 "Pad" "MIDI, by USB" "its own sound switched off"
    thing 365 70 230 94 "Computer with Linux" "chronotap stamps each tap" "and sends each tone"
    thing 714 70 230 94 "Headphones" "at the computer’s sound card" "or at a synthesizer"
    thing 216 206 250 64 "Participant’s screen" "texts, questions, a cross"
    thing 494 206 250 64 "Experimenter’s screen" "what happens, what to do next"
    cable "M246 117H365" 305 106 "taps"
    cable "M595 117H714" 655 106 "tones"
    cable "M430 164L380 206" 0 0 ""
    cable "M530 164L580 206" 0 0 ""
    span 131 476 "finger to time stamp: measured by a passport"
    span 484 829 "program to ear: measured by the tests of sound"
    echo "</svg>"
}

# head_of WIDTH HEIGHT
head_of() {
    cat <<END
<svg xmlns="http://www.w3.org/2000/svg" width="$1" height="$2" viewBox="0 0 $1 $2" role="img">
<title>What stands on the table</title>
<desc>A pad is connected by USB to a computer with Linux, which stamps each tap and sends metronome and tones to headphones at its sound card. Participant and experimenter have a screen each. The way from the finger to the time stamp is to be measured.</desc>
<style>
text{fill:#1c1e21;font:13px Roboto,Arial,Helvetica,sans-serif;text-anchor:middle}
text.name{font-weight:bold;font-size:15px}
text.label{fill:#4d5358}
.page{fill:#ffffff}
.thing{fill:#f6f5f1;stroke:#1c1e21;stroke-width:1.2}
.cable{fill:none;stroke:#1f4e9c;stroke-width:2.4}
.span{fill:none;stroke:#a3410a;stroke-width:1.2}
</style>
<path class="page" d="M0 0H$1V$2H0Z"/>
END
}

# thing X Y WIDTH HEIGHT NAME LINE...
thing() {
    local x=$1 y=$2 width=$3 height=$4 name=$5 line below
    shift 5
    echo "<rect class=\"thing\" x=\"$x\" y=\"$y\" width=\"$width\" height=\"$height\" rx=\"8\"/>"
    below=$((y + 26))
    echo "<text class=\"name\" x=\"$((x + width / 2))\" y=\"$below\">$name</text>"
    for line; do
        below=$((below + 22))
        echo "<text class=\"label\" x=\"$((x + width / 2))\" y=\"$below\">$line</text>"
    done
}

# cable PATH X Y WORDS: what goes through it stands beside it.
cable() {
    echo "<path class=\"cable\" d=\"$1\"/>"
    [ -z "$4" ] || echo "<text x=\"$2\" y=\"$3\">$4</text>"
}

# span FROM TO WORDS: a stretch of the way whose delay is named, above the things.
span() {
    echo "<path class=\"span\" d=\"M$1 60V34H$2V60\"/>"
    echo "<text class=\"label\" x=\"$((($1 + $2) / 2))\" y=\"24\">$3</text>"
}

main
