#!/usr/bin/env bash
# The outputs that scripts/frozen.sh holds fixed: what is run, and on which files.
#   scripts/frozen/outputs.sh --items                      names the items, the longest first
#   scripts/frozen/outputs.sh PROGRAM FOLDER PLACES ITEM   writes the outputs of one into FOLDER
# An item has a folder of its own below PLACES, with a HOME and a TMPDIR in it. An output is a text:
# the commands, what they printed, their exit statuses, and every file that they wrote.
# What differs from run to run (places, moments, the version) has a word in its place.
# Nothing is run in real time, and no device is opened.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
export LC_ALL=C

main() {
    [ "${1-}" != --items ] || { items; return; }
    [ $# -eq 4 ] || { echo "usage: outputs.sh --items | PROGRAM FOLDER PLACES ITEM" >&2; exit 2; }
    program=$1 out=$2 item=$4 place=$3/${4//\//-} name="" prefix=""
    work=$place/work
    mkdir -p "$work" "$place/home" "$place/tmp" "$place/bin"
    ln -s "$program" "$place/bin/chronotap" # its name is part of what it says
    cd "$work" || exit 2
    version=$(chronotap --version | awk 'NR == 1 { print $2 }')
    items | grep -xF "$item" >/dev/null || { echo "$item: no such item" >&2; exit 2; }
    "${item%%/*}" "${item#*/}"
    end_of_output
    rm -rf "$place"
}

items() {
    printf 'studies/%s\n' $(ls "$root/crates/design/paradigms") delay-study german-study
    (cd "$root/examples" && printf 'examples/%s\n' *.toml *.ftap) | sed 's/\.[a-z]*$//'
    printf 'damaged/%s\n' trials studies events sessions journals ftap performers sounds machines \
        beats conditions results
    printf '%s\n' help manual mistakes recorded timing
}

# Every command: its help, short and long; what a shell and `man` are given of it; the references.
help() {
    help_of ""
    output completions
    local shell
    for shell in bash elvish fish powershell zsh; do tell completions $shell; done
    output man
    tell man pages
    output references
    tell check --reference
    tell plan --reference
    tell new
}

# help_of WORDS: the help of these words, and of each command that it lists.
help_of() {
    local words=$1 command
    output "chronotap${words// /-}"
    tell $words -h
    tell $words --help
    for command in $(chronotap $words --help | awk '/^Commands:/ { on = 1; next } /^[^ ]/ { on = 0 }
        on && /^  [a-z]/ && $1 != "help" { print $1 }'); do
        help_of "$words $command"
    done
}

# An example: explained, rehearsed, and what is made of its recording.
examples() {
    local file=$1.toml who=(--seed 1)
    cp -r "$root/examples/." .
    rm -r expected
    [ -e "$file" ] || file=$1.ftap
    [ ! -e "performers/$1.tsv" ] || who+=(--performer "performers/$1.tsv")
    output check
    tell check "$file"
    tell check "$file" --seed 3
    output check.json
    tell check "$file" --json
    output simulate
    tell simulate "$file" "${who[@]}" --data d
    output simulate.json
    tell simulate "$file" --seed 2 --no-data --json --simulate "tapper, mean = -30 ms"
    output simulate-several
    tell simulate "$file" --seed 5 --repeat 3 --data several
    of_a_recording "d/$1_run-01_events.tsv"
    output summary-several
    tell summary several
    tell summary several --json
    tell summary several --tsv --stretches
    output analyze-several
    tell analyze several/*_events.tsv --to several-tables --debounce "60 ms" --slips \
        --first-taps 2 --interval-outliers 3 --asynchrony-outliers 3
    if [[ $file = *.ftap ]]; then
        output import
        tell import-ftap "$file"
    fi
}

# of_a_recording FILE: all that is made of a recorded trial.
of_a_recording() {
    output replay
    tell replay "$1"
    output summary
    tell summary "$1" --notation
    tell summary "$1" --json
    tell summary "$1" --tsv --stretches
    output analyze
    tell analyze "$1" --to tables
    output report
    tell report "$1" --to page.html
    output export
    tell export "$1" --to csv
    tell export "$1" --to midi --as midi
}

# A study: made, explained, rehearsed, and what is made of its dataset.
studies() {
    local study=$1/study.toml factor
    output new
    if [ -d "$root/examples/$1" ]; then cp -r "$root/examples/$1" .; else tell new "$1"; fi
    output check
    tell check "$study"
    tell check "$study" --json
    output plan
    tell plan "$study" --participant 1
    tell plan "$study" --participant 2 --tsv
    tell plan "$study" --participant 3 --json
    output simulate
    tell simulate "$study" --participants 2 --data d
    of_a_dataset d
    output power
    factor=$(contrast "$study")
    [ -z "$factor" ] || power_of "$study" "$factor"
}

# of_a_dataset FOLDER: all that is made of a dataset.
of_a_dataset() {
    output verify
    tell verify "$1"
    tell verify "$1" --json
    output status
    tell status "$1"
    tell status "$1" --json
    output analyze
    tell analyze "$1"
    output report
    tell report "$1"
    output summary
    tell summary "$1"/sub-*/beh --tsv
    output export
    tell export "$1" --to csv
    output parquet
    tell gather "$1" gathered
}

# contrast STUDY: the first two levels of its first factor, as `power` takes them.
contrast() {
    chronotap plan "$1" --participant 1 --tsv | awk -F '\t' '
        NR == 1 { if ($5 == "seed" || NF < 6) exit; name = $5; next }
        $5 != "n/a" && !($5 in seen) { seen[$5]; level[++n] = $5 }
        END { if (n > 1) print name " " level[1] " - " level[2] }'
}

power_of() {
    local statistic effects=()
    for statistic in "mean asynchrony" "sd interval"; do effects+=(--contrast "$statistic: $2"); done
    tell power "$1" --studies 1 --participants 2 "${effects[@]}"
    tell power "$1" --studies 1 --participants 2 "${effects[@]}" --json
}

# The trial and experiment files that the manual shows, whole or in part.
manual() {
    local page file
    cp -r "$root/examples/." .
    for page in "$root"/README.md "$root"/docs/*.md; do
        awk -v name="$(basename "$page" .md)" '/^```toml/ { n++; on = 1; next } /^```/ { on = 0 }
            on { print >(name "-" n ".toml") }' "$page"
    done
    for file in *-[0-9]*.toml; do
        output "${file%.toml}"
        tell check "$file"
    done
}

# What is wrong on the command line, and files that are not there or of another kind.
mistakes() {
    local number=0 line
    cp -r "$root/examples/." "$root/scripts/frozen/given/." .
    : >notes.txt
    while IFS= read -r line; do
        [[ $line = [a-z-]* ]] || continue
        number=$((number + 1))
        output "$(printf '%03d' $number)"
        eval "tell $line"
    done <"$root/scripts/frozen/mistakes.txt"
}

# Recordings that are kept: of trials, of this version and of earlier ones; a journal that came to no end;
# a session in real time.
recorded() {
    local file
    for file in "$root"/crates/data/tests/golden/*_events.tsv; do
        cp "${file%.tsv}".* .
        file=$(basename "$file")
        prefix=${file%_events.tsv}-
        of_a_recording "$file"
        rm -rf ./*
    done
    cp "$root"/fuzz/seeds/journal/* .
    prefix=journal-
    for file in *.journal; do
        output "${file%.journal}"
        tell recover "$file"
        tell summary "${file%.journal}_events.tsv"
        tell replay "${file%.journal}_events.tsv"
    done
    rm -rf ./*
    cp -r "$root/scripts/frozen/given/dataset" .
    prefix=dataset-
    of_a_dataset dataset
    output backup
    tell backup dataset copy
    output withdraw-keep
    tell withdraw dataset --participant 01 --keep --yes
    tell analyze dataset
    output withdraw
    tell withdraw copy --participant 01 --yes
    tell status copy
    prefix=""
}

# Results of timing tests that the manual keeps, and those of other programs.
timing() {
    cp "$root"/docs/stock-and-realtime/*.json.gz "$root"/crates/bench/tests/fixtures/* .
    local all=(stock-6.1_wakeup_run-0{1,2,3} PREEMPT-RT-6.1_wakeup_run-0{1,2,3}) file
    gunzip ./*.gz
    output compare
    tell timing compare $(printf '%s.json ' "${all[@]}") --output page.html
    output report
    for file in *all_run-01.json; do tell timing report "$file" --output "${file%.json}.html"; done
    output others
    for file in cyclictest* rtla*; do
        tell timing compare "a=$file" "b=stock-6.1_wakeup_run-01.json"
        tell timing report "$file" --output "$file.html"
    done
    output doctor
    for file in *all_run-01.json; do tell doctor --facts "$file"; done
}

# Files that are damaged, always in the same ways.
damaged() {
    cp -r "$root/examples/." .
    "damaged_$1"
}

damaged_trials() { damage 70 explained_and_tried ./*.toml "$root"/fuzz/seeds/trial_file/*.toml; }

explained_and_tried() {
    tell check "$1"
    tell simulate "$1" --seed 1 --no-data --quiet --for "40 s"
}

damaged_studies() {
    local study files=(delay-study/study.toml german-study/study.toml) seed
    for study in altered-feedback phase-shift anisochrony-detection joint-tapping music; do
        chronotap new "$study" >/dev/null
        files+=("$study/study.toml")
    done
    for seed in "$root"/fuzz/seeds/experiment_file/*.toml; do
        study=$(basename "$seed" .toml)
        cp -r delay-study "$study" && cp "$seed" "$study/study.toml"
        files+=("$study/study.toml")
    done
    damage 60 explained "${files[@]}"
}

explained() { tell check "$1"; }

damaged_ftap() { damage 20 of_ftap ./*.ftap "$root"/fuzz/seeds/ftap_file/*; }

of_ftap() {
    tell check "$1"
    tell import-ftap "$1"
}

damaged_performers() { damage 10 performed performers/*.tsv; }

performed() { tell simulate demo.toml --performer "$1" --no-data --seed 1; }

damaged_sounds() {
    cp -r "$root/scripts/frozen/given/." .
    cp "$root/fuzz/seeds/soundfont/tiny.sf2" "$root/fuzz/seeds/wav/integers_16.wav" .
    damage 10 sounded sounds.toml
}

sounded() {
    tell render demo.toml --seed 1 --for "2 s" --sounds "$1" --output sound.wav --force
}

damaged_machines() {
    cp -r "$root/scripts/frozen/given/." .
    damage 10 bound machine.toml
}

bound() { tell run two-ports.toml --machine "$1"; }

damaged_beats() { damage 10 of_beats beat_alignment.tsv; }

of_beats() { tell check beat_alignment.toml; }

damaged_conditions() {
    chronotap new small-latency >/dev/null
    damage 10 of_conditions small-latency/latencies.tsv
}

of_conditions() { tell check small-latency/study.toml; }

# Results of timing tests, of this program and of others.
damaged_results() {
    cp "$root"/fuzz/seeds/peer_results/* .
    gunzip -c "$root/docs/stock-and-realtime/stock-6.1_wakeup_run-01.json.gz" >wakeup.json
    damage 20 compared small* wakeup.json
}

compared() { tell timing compare "one=$1" two=small.json; }

# A recorded trial, whose table or description is damaged.
damaged_events() {
    cp "$root"/crates/data/tests/golden/*_events.* "$root"/scripts/frozen/given/dataset/sub-01/beh/*_events.* .
    damage 20 read_again ./*_events.tsv
    damage_from 20 20 read_again ./*_events.json
}

read_again() {
    local table=${1%.*}.tsv
    tell replay "$table"
    tell summary "$table" --json
    tell analyze "$table" --to tables
}

damaged_journals() {
    cp "$root"/fuzz/seeds/journal/* .
    damage 20 recovered ./*.journal
}

recovered() {
    rm -f "${1%.journal}"_events.* # of the damage before
    tell recover "$1"
    tell summary "${1%.journal}_events.tsv"
}

damaged_sessions() {
    cp -r "$root/scripts/frozen/given/dataset" .
    damage 20 looked_at $(find dataset -type f ! -name '*.md' | sort)
}

looked_at() {
    tell status dataset
    tell verify dataset
}

# Damage.

# damage COUNT COMMAND FILE...: the command on damaged files, each in the place of its original.
damage() { damage_from 0 "$@"; }

damage_from() {
    local first=$1 count=$2 command=$3 seed file
    shift 3
    for ((seed = first + 1; seed <= first + count; seed++)); do
        local files=("$@")
        file=${files[seed % $#]}
        [[ $file != /* ]] || { cp "$file" .; file=./$(basename "$file"); }
        cp "$file" "$place/whole"
        awk -v seed="$seed" -f "$root/scripts/frozen/damage.awk" "$place/whole" >"$file"
        file=${file#./}
        output "$(printf '%03d' "$seed")-${file//\//-}"
        "$command" "$file"
        cp "$place/whole" "$file"
    done
}

# Texts of outputs.

# output NAME: what is told from here on is this output's.
output() {
    end_of_output
    name=$item/$prefix$1
    files >"$place/before"
    : >"$place/told"
}

# tell ARGUMENT...: runs the program; what it printed and wrote goes to the output.
tell() {
    local status=0
    {
        echo "\$ chronotap $*"
        chronotap "$@" 2>"$place/err" || status=$?
        echo
        sed 's/^/! /' "$place/err"
        echo "exit status $status"
    } >>"$place/told"
    written >>"$place/told"
}

# The program under its own name, in a world of its own.
chronotap() {
    env -i PATH="$PATH" LC_ALL=C.UTF-8 TZ=UTC HOME="$place/home" TMPDIR="$place/tmp" RUST_BACKTRACE=0 \
        timeout --foreground "${MOST_S:-120}" "$place/bin/chronotap" "$@" </dev/null
}

# Every file that was written since the last look, or is gone.
written() {
    local file
    files >"$place/after"
    comm -13 "$place/before" "$place/after" | cut -f 1 | while IFS= read -r file; do
        echo "file $file"
        contents "$file"
    done
    comm -23 <(cut -f 1 "$place/before") <(cut -f 1 "$place/after") | sed 's/^/gone /'
    mv "$place/after" "$place/before"
}

# contents FILE: its lines, or the size and checksum of what is no text.
contents() {
    if [[ $1 == *-wide_beh.parquet ]]; then
        echo "| with the moments at which trials began"
    elif ! tr -d '\0' <"$1" | cmp -s - "$1"; then
        echo "| $(wc -c <"$1") bytes, $(sha256sum <"$1" | cut -c -64 | tr a-f A-F)"
    else
        without_machine "$1" | sed 's/^/| /'
    fi
}

# without_machine FILE: without what it says of this computer, and the links of a journal's lines,
# which follow from moments.
without_machine() {
    case $1 in
    *.jsonl) sed -E 's/\t[0-9a-f]{8}$/\tLINK/' "$1" ;;
    *.html) sed -E 's|(<th scope="row">on</th><td[^>]*>)Linux [^<]*|\1MACHINE|' "$1" ;;
    *.json)
        awk '/^ *"machine": \{$/ && !end { end = $0; sub(/".*/, "}", end); print; print "MACHINE" }
            index($0, end) == 1 && end { end = "" }
            !end' "$1" | sed -E -e 's|("OperatingSystem": ")[^"]*|\1MACHINE|' \
            -e '/-wide_beh\.(tsv|parquet)": \{/,/\}/s/: ("[0-9a-f]*"|[0-9]+)/: OF MOMENTS/'
        ;;
    *) cat "$1" ;;
    esac
}

files() { find . -type f -printf '%p\t%i %s %T@\n' | sort; }

end_of_output() {
    [ -n "$name" ] || return 0
    mkdir -p "$out/$(dirname "$name")"
    normal <"$place/told" >"$out/$name"
    name=""
}

# What differs from run to run, or from version to version, in words.
normal() {
    sed -E -e "s|${place//./\\.}|PLACE|g" \
        -e "s/20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z/MOMENT/g" \
        -e "s/20[0-9]{2}-[01][0-9]-[0-3][0-9]/DAY/g" \
        -e "s/(^|[^0-9a-f])[0-9a-f]{64}($|[^0-9a-f])/\1CHECKSUM\2/g" \
        -e "s/(Version\": \")${version//./\\.}/\1VERSION/" \
        -e "s/([Cc]hronotap )${version//./\\.}/\1VERSION/g"
}

main "$@"
