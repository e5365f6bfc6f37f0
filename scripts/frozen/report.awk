# What scripts/frozen.sh says of the outputs that compare.awk judged: a line for each group, below it
# what fails, and the count. Exit status 1 where anything fails.

BEGIN {
    FS = "\t"
    most = 20 # names of a group, the others are counted
    said["differs"] = "differs"
    said["new"] = "is not in the record"
    said["missing"] = "is not there any more"
    said["reasoned"] = "is not taken up: --record"
    said["again"] = "has changed again"
    said["needless"] = "differs no more: --record"
}

{ split($2, part, "/"); group = part[1] }
!(group in count) { groups[++n] = group }
{ count[group]++; all++ }
$1 == "wanted" { wanted[group]++; all_wanted++ }
$1 in said { all_failed++ }
$1 in said && failed[group]++ < most { lines[group] = lines[group] "        " $2 " " said[$1] "\n" }

END {
    for (i = 1; i <= n; i++) {
        group = groups[i]
        printf "%s%s: %d outputs%s%s\n%s", failed[group] ? "FAILED  " : "ok      ", group, count[group],
            failed[group] ? ", " failed[group] " not as recorded" : "",
            wanted[group] ? ", " wanted[group] " with their reasons" : "", lines[group]
        if (failed[group] > most) print "        and " failed[group] - most " more"
    }
    printf "%d outputs, %d not as recorded, %d wanted differences\n", all, all_failed, all_wanted
    exit all_failed > 0 || all == 0
}
