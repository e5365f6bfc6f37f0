# Sourced by run.sh: what a scenario expects against what came back, and the table at
# the end. An expectation is one line: `FIGURE OP NUMBER`, or `FILE says PATTERN`, or
# `FILE lacks PATTERN`; with `rt:` or `stock:` before it, it holds on that kernel only.

# judge SCENARIO KERNEL OUT: writes OUT/verdict.txt and a line to verdicts.tsv.
judge() {
    local out=$3 line kernel failed=()
    touch "$out/figures.tsv"
    [ -f "$out/status" ] || failed+=("the guest did not finish (qemu ended with $(cat "$out/qemu-status"); see serial.log)")
    if [ ${#failed[@]} -eq 0 ]; then
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
    local verdict=passed
    [ ${#failed[@]} -eq 0 ] || verdict=FAILED
    printf '%s\n' "$verdict" "${failed[@]}" >"$out/verdict.txt"
    printf '%s\t%s\t%s\t%s\n' "$(basename "$1" .scenario)" "$2" "$verdict" "$(printf '%s; ' "${failed[@]}")" >>"$work/verdicts.tsv"
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

report() {
    local name kernel verdict why failures=0
    {
        echo
        printf '%-28s %-6s %s\n' scenario kernel verdict
        while IFS=$'\t' read -r name kernel verdict why; do
            printf '%-28s %-6s %s\n' "$name" "$kernel" "$verdict"
            [ -z "${why%; }" ] || echo "    ${why%; }"
            figures "$results/$kernel/$name"
            [ "$verdict" = passed ] || failures=$((failures + 1))
        done <"$work/verdicts.tsv"
        echo
        echo "$(grep -c . "$work/verdicts.tsv") runs, $failures failed, ${SECONDS} s; all figures in $results"
    } >"$work/report.txt"
    cat "$work/report.txt"
    [ "$(awk -F '\t' '$3 != "passed"' "$work/verdicts.tsv" | wc -l)" -eq 0 ]
}

# The figures that tell most, on two lines.
figures() {
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
