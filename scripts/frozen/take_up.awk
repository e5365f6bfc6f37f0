# The list of wanted differences, with the SHA-256 of today:
#   awk -v because=REASON -f take_up.awk compared differences.tsv
# What was not run keeps its entry; what does not differ has none.

BEGIN { FS = OFS = "\t" }

NR == FNR { kind[$2] = $1; now[$2] = $3; next }
!($1 in kind) { print; next }
{ reason[$1] = $2 }

END {
    for (name in kind) {
        if (kind[name] == "same" || kind[name] == "needless") continue
        print name, reason_of(name), now[name]
    }
}

function reason_of(name) {
    if (kind[name] == "wanted" || kind[name] == "reasoned" || because == "") return reason[name]
    if (reason[name] == "" || reason[name] == because) return because
    return reason[name] "; " because
}
