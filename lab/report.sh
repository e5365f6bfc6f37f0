# Sourced by run.sh: what a scenario expects against what came back, and the table at
# the end. An expectation is one line: `FIGURE OP NUMBER`, or `FILE says PATTERN`, or
# `FILE lacks PATTERN`; with `rt:` or `stock:` before it, it holds on that kernel only.

# judge SCENARIO KERNEL OUT: writes OUT/verdict.txt and a line to verdicts.tsv.
judge() {
    local out=$3 line kernel failed=()
    touch "$out/figures.tsv"
    local verdict=passed
    if [ ! -f "$out/status" ]; then
        verdict=FAILED
        failed=("the guest did not finish (qemu ended with $(cat "$out/qemu-status"); see serial.log)")
        tail -n 60 "$out/serial.log" >"$out/last_words.txt"
        case $(cat "$out/qemu-status") in
        124 | 137) # from `timeout`
            verdict=LIMIT
            failed=("the guest had not finished after $(limit_of "$1") s: this host is too slow or too busy, or the guest hangs; see serial.log")
            last_words "$out" >"$out/last_words.txt"
            ;;
        esac
    else
        while read -r line; do
            case $line in
            '' | '#'*) continue ;;
            rt:* | stock:*)
                kernel=${line%%:*}
                [ "$kernel" = "$2" ] || continue
                line=${line#*:}
                ;;
            esac
            holds "$out" $line || failed+=("$line (got ${got:-nothing})")
        done < <(section "$1" expect)
    fi
    [ ${#failed[@]} -eq 0 ] || [ $verdict = LIMIT ] || verdict=FAILED
    printf '%s\n' "$verdict" "${failed[@]}" >"$out/verdict.txt"
    printf '%s\t%s\t%s\t%s\n' "$(basename "$1" .scenario)" "$2" "$verdict" "$(printf '%s; ' "${failed[@]}")" >>"$work/verdicts.tsv"
}

# pass_over NAME KERNEL WHY: a run that is not made. It has neither passed nor failed.
pass_over() {
    printf '%s\t%s\tover\t%s\n' "$1" "$2" "$3" >>"$work/verdicts.tsv"
}

# holds OUT FIGURE OP NUMBER | OUT FILE says|lacks PATTERN...
holds() {
    local out=$1 what=$2 op=$3
    shift 3
    case $op in
    says) got="another text"; grep -Eqs -- "$*" "$out/$what" ;;
    lacks) got="that text"; ! grep -Eqs -- "$*" "$out/$what" ;;
    *)
        got=$(awk -F '\t' -v name="$what" '$1 == name { print $2 }' "$out/figures.tsv" | tail -n 1)
        [ -n "$got" ] && awk -v a="$got" -v op="$op" -v b="$1" 'BEGIN {
            a += 0; b += 0
            exit !(op == "=" ? a == b : op == "<=" ? a <= b : op == ">=" ? a >= b : op == "<" ? a < b : op == ">" ? a > b : 0) }'
        ;;
    esac
}

# report: the table of all runs in the order of the plan, and whether all passed. A run
# without a verdict is one that the lab could not make.
report() {
    local mode name kernel verdict why counts
    while read -r mode name kernel; do
        grep -q "^$name"$'\t'"$kernel"$'\t' "$work/verdicts.tsv" ||
            printf '%s\t%s\tFAILED\tit was not run; see lab.log\n' "$name" "$kernel" >>"$work/verdicts.tsv"
    done <"$work/plan"
    sort -o "$work/verdicts.tsv" -t $'\t' -k 1,1 -k 2,2r "$work/verdicts.tsv"
    counts=$(awk -F '\t' '{ all++; failed += $3 != "passed" && $3 != "over"; limit += $3 == "LIMIT"; over += $3 == "over" }
        END { printf "%d runs, %d failed, %d of them at their time limit, %d passed over", all, failed, limit, over }' "$work/verdicts.tsv")
    {
        echo
        printf '%-28s %-6s %s\n' scenario kernel verdict
        while IFS=$'\t' read -r name kernel verdict why; do
            printf '%-28s %-6s %s\n' "$name" "$kernel" "$verdict"
            [ -z "${why%; }" ] || echo "    ${why%; }"
            figures "$results/$kernel/$name"
        done <"$work/verdicts.tsv"
        for name in "${names[@]}"; do
            case $name in load*) side_by_side "$name" ;; esac
        done
        echo
        failures
        echo "$counts, ${SECONDS} s; all figures in $results"
    } >"$work/report.txt"
    cat "$work/report.txt"
    ! cut -f 3 "$work/verdicts.tsv" | grep -qvxE 'passed|over'
}

# last_words OUT: of a guest that did not end, where the threads of this program, of the lab's devices and
# of USB waited in the kernel.
last_words() {
    awk '/task:/ { ours = /task:(chronotap|sound card|usb_card|vhci)/ }
        ours && /task:|\] +(\? )?[a-z_0-9.]+\+0x/ { sub(/^\[[^]]*\] */, ""); print }' "$1/serial.log" | tail -n 120
}

# failures: what did not pass once more, below the long table, with the last words of the kernel where the guest
# did not end by itself: a crash of the kernel is seldom there a second time.
failures() {
    local name kernel
    while IFS=$'\t' read -r name kernel _; do
        [ -f "$results/$kernel/$name/last_words.txt" ] || continue
        echo "where $name, $kernel, was:"
        cat "$results/$kernel/$name/last_words.txt"
    done <"$work/verdicts.tsv"
    awk -F '\t' '$3 != "passed" && $3 != "over" { sub(/; $/, "", $4); print $3 ": " $1 ", " $2 ": " $4 }' "$work/verdicts.tsv"
}

# side_by_side SCENARIO: what both kernels made of it.
side_by_side() {
    local stock=$results/stock/$1/figures.tsv rt=$results/rt/$1/figures.tsv
    [ -s "$stock" ] && [ -s "$rt" ] || return 0
    printf '\n%-28s %12s %12s\n' "$1, us" stock rt
    awk -F '\t' '
        NR == FNR { stock[$1] = $2; next }
        $1 ~ /^(tap_stamp|lateness|feedback_late)_(median|p95|p99|max)_us$/ { printf "  %-26s %12s %12s\n", $1, stock[$1], $2 }
    ' "$stock" "$rt"
}

# The figures that tell most, on two lines.
figures() {
    [ -f "$1/figures.tsv" ] || return 0
    awk -F '\t' '
        { value[$1] = $2 }
        function show(name, label) { if (name in value) line = line (line ? ", " : "    ") label " " value[name] }
        END {
            show("taps_messages", "played"); show("taps_lost", "lost"); show("taps_changed", "changed")
            show("sounded_messages", "sounded"); show("sounded_lost", "lost"); show("sounded_changed", "changed")
            if (line) print line; line = ""
            show("tap_stamp_max_us", "stamp after write, max us"); show("lateness_median_us", "lateness us: median")
            show("lateness_p99_us", "p99"); show("lateness_max_us", "max"); show("feedback_late_max_us", "feedback after tap, max us")
            if (line) print line
        }' "$1/figures.tsv"
}
