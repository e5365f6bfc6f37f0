#!/usr/bin/env bash
# Draws for pages of the manual which way something takes: what stands on it, one after the other, and what leads from
# each to the next; and of what taps and beats consist in words (docs/pictures/ways, which scripts/test-scripts.sh
# compares). One page's picture goes to standard output; --all DIR writes all of them there.
#
# Usage: scripts/ways.sh NAME | --list | --all DIR      exit 2: there is no such picture
set -euo pipefail
. "$(dirname "$0")/usage.sh"

WIDTH=960 EDGE=16 TALL=94 BETWEEN=26
NAMES=(adding another-computer audio-tests datasets doctor following glossary inside installing keyboards lab looking-after
    other-data passport promises python r recorders releasing results-files rows scripts-and-clusters sound sound-card-taps
    spreadsheets statistics which-input)

main() {
    case ${1-} in
    --list) printf '%s\n' "${NAMES[@]}" ;;
    --all)
        for name in "${NAMES[@]}"; do
            draw "$name" >"$2/$name.svg"
        done
        ;;
    *) draw "${1-}" ;;
    esac
}

draw() {
    [[ " ${NAMES[*]} " == *" $1 "* ]] || { echo "there is no picture \"$1\"; --list names them" >&2; exit 2; }
    body="" top=16
    "of_$1"
    local shapes=$body tall=$((top - BETWEEN + 16))
    cat <<END
<svg xmlns="http://www.w3.org/2000/svg" width="$WIDTH" height="$tall" viewBox="0 0 $WIDTH $tall" role="img">
<title>$title</title>
<desc>$said</desc>
<style>
text{fill:#1c1e21;font:13px Roboto,Arial,Helvetica,sans-serif;text-anchor:middle}
text.name{font-weight:bold;font-size:15px}
text.label{fill:#4d5358}
.page{fill:#ffffff}
.thing{fill:#f6f5f1;stroke:#1c1e21;stroke-width:1.2}
.here{fill:#e8eef8;stroke:#1f4e9c;stroke-width:2.4}
.way{fill:none;stroke:#1f4e9c;stroke-width:2.4}
.tip{fill:#1f4e9c}
.span{fill:none;stroke:#a3410a;stroke-width:1.2}
</style>
<path class="page" d="M0 0H${WIDTH}V${tall}H0Z"/>
$shapes</svg>
END
}

of_adding() {
    called "What a new row does" "A row of a table, and a few lines that do its work. Help, errors, references and columns follow from the row; tests ask for the rest."
    row "A row of a table|name, words, function" "" "Made from it|help, errors, pages,|columns, schemas" "" \
        "Asked for by tests|a page, a sentence,|an example"
}

of_another-computer() {
    called "From one computer to another" \
        "The folders of study and data are copied. Before and after, commands say whether all is there."
    row "The old computer|status: who has done what?|verify: all as written?" "backup" \
        "A copy|the study’s folder,|the dataset’s folder" "copy" "The new computer|check: is the study whole?|verify: all as written?"
}

of_audio-tests() {
    called "Three questions about sound" \
        "Can the program compute the sound in time; does it write it in time; how late is it between output and input."
    row "Compute|dsp: how many|instances are in time?" - "Write|callbacks: is each|period written in time?" - \
        "Send round|roundtrip: from an|output to an input" - "Answer|tap-to-sound: from|a tap to its tone"
}

of_datasets() {
    called "What lies in a dataset" "Sessions write raw data. Commands make tables of them, beside them."
    row "A session|run, or the console" "writes" "Raw data|sub-07/beh: each trial|participants.tsv: each person" "analyze" \
        "derivatives/chronotap|tables: each trial, each person|the report"
}

of_doctor() {
    called "What doctor looks at" "Rights, kernel and clock, processors, devices; of each it says OK, or what is bad and the cure."
    row "Rights|real-time priority,|locked memory, devices" - "Kernel and clock|preemption,|clock source" - \
        "Processors|speed, idle states,|background noise" - "Devices|sound, MIDI, USB,|serial adapters, disks"
}

of_following() {
    called "A trial that is followed" "Each event goes as a line of JSON through a pipe or socket to another program. That cannot disturb the trial."
    row "The trial|beats, taps, tones" "--follow" "A pipe or a socket|one line of JSON|for each event" "reads" \
        "Your program|a display, markers,|a pilot session"
}

of_inside() {
    called "The way of an event" "A port stamps what arrives, the engine decides what follows, a port carries it out, the recorder writes both times."
    row "linux|a port stamps|what arrives" "arrival" "*engine|decides what|follows" "action" "linux|a port carries|it out" "entry" \
        "recorder|asked for and|achieved"
}

of_installing() {
    called "What runs where" "On Linux everything runs. On Windows and macOS all runs that needs no device. In a browser trials can be tried."
    row "Linux|everything: sessions,|devices, sound, timing tests" - \
        "Windows, macOS|write studies, rehearse,|analyse, report" - "A browser|try trials and studies,|without installing"
}

of_keyboards() {
    called "Where a key press is stamped" "Finger, keyboard, USB, kernel. The kernel stamps the press when it arrives; no stamp shows what went before."
    top=66
    row "Finger|presses the key" "" "Keyboard|looks at its keys|now and then" "USB" "*Kernel|stamps the press|when it arrives" "" \
        "chronotap|a tap at that time"
    span $EDGE 438 "1 to 10 ms or more, which no stamp shows"
}

of_lab() {
    called "The device lab" "A performer in an emulated computer plays the far end of a real driver; what it played is compared with what the program recorded."
    row "Performer|taps, and hears|what comes back" "plays" "*Linux, emulated|stock or PREEMPT_RT:|the real driver" "" \
        "chronotap|runs the trial,|records it" "" "Compared|note by note"
}

of_looking-after() {
    called "After each participant" "Look who has done what, whether all is as it was written, and copy it."
    row "Recorded|a session has ended" "status" "Complete?|who did what,|what is missing" "verify" \
        "As written?|checksums, replays" "backup" "A second copy|on another disk"
}

of_other-data() {
    called "Taps of another program" "Files of another program become a dataset, of which all commands make tables and reports."
    row "Another program’s files|tables, MIDI, FTAP,|sound recordings" "import-taps" "A dataset|as one of your|own studies" "analyze" \
        "Tables and report|as for every dataset"
}

of_passport() {
    called "How a pad is measured" "A strike goes two ways to the computer: by the pad as a message, and by a contact microphone as sound."
    row "A strike|stick or finger" "" "Pad|and its module" "USB" "Message|stamped when|it arrives" "" "*The passport|how late each message is,|missed, doubled"
    row "The same strike" "" "Contact microphone|a piezo on the pad" "" "Sound card|hears the strike,|to one frame" "" "*The same clock|both times beside|each other"
}

of_promises() {
    called "What stands behind a promise" "Each promise has limits and the tests that hold it; a test fails if one of these tests is gone."
    row "A promise|what you can rely on" "" "Its limits|and what is not tested" "" "Tests that hold it|file and name" "" \
        "One more test|each of them exists"
}

of_python() {
    called "Python and Chronotap" "Python builds trials and studies, runs or simulates them, and reads the data as data frames."
    row "Build|trials and studies|in Python" "" "Run or simulate|the same engine" "" "Read|data frames of|pandas or polars" "" \
        "Analyse and draw|statistics, figures"
}

of_r() {
    called "From a dataset to R" "analyze writes tables as text; R reads them with the right types."
    row "A dataset|what was recorded" "analyze" "Tables as text|desc-…_beh.tsv" "read_table" "Data frames|each column with|its type"
}

of_recorders() {
    called "Two recordings, one clock" "The program sends a code with each event to the trigger input of the other recorder, and notes when."
    row "chronotap|each beat and tap,|and when its code was sent" "a code" "Trigger input|of the other recorder" "" \
        "EEG, fMRI, cameras|each code stands|in the recording"
}

of_releasing() {
    called "From a commit to a release" "Version and checks first, then packages made twice and compared, tried on bare systems, and handed out."
    row "Number and checks|.ci/run, bare roots,|licences" "" "Packages|deb, wheel, zip: twice,|the same bytes" "" \
        "Tried|on bare systems|and under wine" "" "Handed out|with their checksums"
}

of_results-files() {
    called "What a timing test leaves" "One file has everything; a page, the statistics and the histograms are made from it."
    row "timing|a test of this computer" "writes" "*LABEL_TEST_run-01.json|everything: raw|histograms, machine, rights" "" \
        "Made from it|a page with plots, two|tables as CSV"
}

of_rows() {
    called "A figure of a paper, here" "Each figure or table has a command; its result stands beside the printed numbers, with what no machine here can show."
    row "A paper|table or figure, its place" "" "A command|the same test on|your machine" "" \
        "Side by side|printed numbers|and yours" "" "Marked|what needs a card|or another kernel"
}

of_scripts-and-clusters() {
    called "Work shared among computers" "Each computer does its share; one puts the shares together. The result is that of one computer."
    row "One study|a thousand people" "--shard 1/2" "One computer|its share" "merge" "*All of it|as one computer|would have made it"
    row "The same study" "--shard 2/2" "Another computer|its share" "merge" "*The same|to the byte"
}

of_sound() {
    called "From a note to the ear" "The trial says when a note sounds; the program computes the sound; the card plays it, a period later at most."
    row "Trial|a note and its time" "" "Synthesizer|in the program: the sound,|placed to one frame" "" \
        "Sound card|plays one period|after the other" "" "Headphones|at the participant’s|ears"
}

of_sound-card-taps() {
    called "Taps that a sound card hears" "Sensor and metronome come in on two channels of one card, so both are on one clock."
    row "Finger|on a piezo or a|force sensor" "channel 2" "*Sound card|both channels|on one clock" "WAV" "import-taps|hears when each|tap began" "" \
        "A dataset|taps, asynchronies"
    row "Metronome|the card’s output" "channel 1" "*The same card" "WAV" "import-taps|hears each tone" "" "The same dataset"
}

of_spreadsheets() {
    called "From a dataset to a table" "analyze makes the tables, export puts them into one workbook."
    row "A dataset|what was recorded" "analyze" "Tables|a row for a trial,|a person, a contrast" "export" "Workbook|Excel, LibreOffice,|JASP, jamovi"
}

of_which-input() {
    called "Where each kind of input takes the time of a tap" \
        "A pad and a keyboard send a message that is stamped when it arrives. A sensor on a sound card is heard, to one frame of the card. A microcontroller stamps by itself."
    row "Pad, keyboard|decides that it was a tap" "message" "*Computer|stamps its arrival"
    row "Sensor on a sound card|gives a signal" "sound" "*Sound card|the onset, to one frame"
    row "Sensor of force|measures all the time" "" "*Microcontroller|stamps the onset itself"
}

# Beats, taps and tones with the words for what lies between them.
of_glossary() {
    called "Words for times" "Beats of a metronome, taps and their tones on three lines. Asynchrony: from a beat to its tap, negative if the tap is early. Interval: from a tap to the next. Delay: from a tap to its tone."
    lane 60 "beats" && lane 130 "taps" && lane 200 "tones"
    local beat=220
    for tap in 190 408 592 836; do
        body+="<circle cx=\"$beat\" cy=\"60\" r=\"6\" fill=\"#1f4e9c\"/>"
        body+="<path d=\"M$tap 118V142\" stroke=\"#a3410a\" stroke-width=\"3\"/>"
        body+="<path d=\"M$((tap + 50)) 192H$((tap + 110))V208H$((tap + 50))Z\" fill=\"#1d6b3a\"/>"$'\n'
        beat=$((beat + 200))
    done
    between 220 420 34 "interval of beats" up
    between 190 220 96 "asynchrony: early, below zero" down
    between 820 836 96 "asynchrony: late, above zero" down
    between 408 592 166 "inter-tap interval" down
    between 836 886 236 "delay of the tone" down
    top=286
}

# A statistic is computed of differences of times.
of_statistics() {
    called "From times to a statistic" "Taps are matched with beats; their differences are asynchronies, those from tap to tap are intervals; statistics describe both."
    row "Taps and beats|times in ns" "matched" "Differences|asynchronies,|inter-tap intervals" "described" \
        "A statistic|mean, SD, correlation,|a model’s parameter" "" "How sure|a 95 % interval,|or why there is none"
}

# called TITLE DESCRIPTION
called() {
    title=$1 said=$2
}

# row THING WAY THING WAY ...: a thing is "NAME|line|line", with * before it where something is measured; an empty way
# has no words, and - is none.
row() {
    local count=$((($# + 1) / 2)) wide gap x=$EDGE
    case $count in 2) wide=330 ;; 3) wide=230 ;; *) wide=182 ;; esac
    gap=$(((WIDTH - 2 * EDGE - count * wide) / (count - 1)))
    while [ $# -gt 0 ]; do
        thing "$x" "$wide" "$1"
        [ $# -lt 2 ] || way $((x + wide)) $((x + wide + gap)) "$2"
        x=$((x + wide + gap))
        shift $(($# < 2 ? $# : 2))
    done
    top=$((top + TALL + BETWEEN))
}

thing() {
    local x=$1 wide=$2 class=thing name line below words
    IFS='|' read -r -a words <<<"$3"
    name=${words[0]}
    [ "$name" = "${name#\*}" ] || class=here
    body+="<rect class=\"$class\" x=\"$x\" y=\"$top\" width=\"$wide\" height=\"$TALL\" rx=\"8\"/>"$'\n'
    below=$((top + 28))
    body+="<text class=\"name\" x=\"$((x + wide / 2))\" y=\"$below\">${name#\*}</text>"$'\n'
    for line in "${words[@]:1}"; do
        below=$((below + 22))
        body+="<text class=\"label\" x=\"$((x + wide / 2))\" y=\"$below\">$line</text>"$'\n'
    done
}

way() {
    local from=$1 to=$2 y=$((top + TALL / 2))
    [ "$3" != - ] || return 0
    body+="<path class=\"way\" d=\"M$from ${y}H$((to - 8))\"/><path class=\"tip\" d=\"M$to ${y}l-10 -5v10z\"/>"$'\n'
    [ -z "$3" ] || body+="<text x=\"$(((from + to) / 2))\" y=\"$((y - 10))\">$3</text>"$'\n'
}

# span FROM TO WORDS: a stretch of the way, above the first row.
span() {
    body+="<path class=\"span\" d=\"M$1 60V40H$2V60\"/><text class=\"label\" x=\"$((($1 + $2) / 2))\" y=\"30\">$3</text>"$'\n'
}

lane() {
    body+="<path d=\"M120 $1H944\" stroke=\"#8a9197\"/><text x=\"60\" y=\"$(($1 + 5))\">$2</text>"$'\n'
}

# between FROM TO Y WORDS up|down: a bracket between two times.
between() {
    local legs=8 words=16
    [ "$5" = up ] && words=-6 || legs=-8
    body+="<path class=\"span\" d=\"M$1 $(($3 + legs))V$3H$2V$(($3 + legs))\"/>"
    body+="<text class=\"label\" x=\"$((($1 + $2) / 2))\" y=\"$(($3 + words))\">$4</text>"$'\n'
}

main "$@"
