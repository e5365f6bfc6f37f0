# What has become of each output, from the record, the wanted differences and the outputs of now:
#   awk -v items=FILE -f compare.awk record.tsv differences.tsv now
# prints kind, output, SHA-256 of now, reason. Kinds: same; wanted, as its reason says; and, each a
# failure: differs, new, missing, reasoned (only its SHA-256 is not filled in), again (it has
# a reason, but is another than then), needless (a reason for what does not differ).
# With -v others=yes it prints only the lines of what was not tried.

BEGIN {
    FS = OFS = "\t"
    while ((getline item < items) > 0) tried[item]
}

/^#/ { next }
!is_tried($1) { if (others) print; next }
{ known[$1] }
FILENAME == ARGV[1] { recorded[$1] = $2 }
FILENAME == ARGV[2] { reason[$1] = $2; pinned[$1] = $3 }
FILENAME == ARGV[3] { now[$1] = $2 }

END {
    if (others) exit
    for (name in known) {
        if (!(name in now)) now[name] = "gone"
        if (!(name in recorded)) recorded[name] = "gone"
        print kind(name), name, now[name], reason[name]
    }
}

function kind(name) {
    if (name in reason) {
        if (now[name] == recorded[name]) return "needless"
        if (now[name] == pinned[name]) return "wanted"
        return pinned[name] == "-" ? "reasoned" : "again"
    }
    if (now[name] == recorded[name]) return "same"
    if (now[name] == "gone") return "missing"
    return recorded[name] == "gone" ? "new" : "differs"
}

# Whether the output belongs to an item that was run: studies/music/check to studies/music.
function is_tried(name,    part, item, n, i) {
    n = split(name, part, "/")
    for (i = 1; i < n; i++) {
        item = i == 1 ? part[1] : item "/" part[i]
        if (item in tried) return 1
    }
    return 0
}
