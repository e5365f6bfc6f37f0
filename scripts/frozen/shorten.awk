# What `diff -U 1` prints, for reading: of lines as long as a table's only what stands around the first
# character that differs, and of each output only so many lines.

BEGIN { most = 40; width = 150 }

/^(---|\+\+\+|@@) / { flush(); say($0); next }
/^-/ { minus[++m] = $0; next }
/^\+/ { plus[++p] = $0; next }
{ flush(); say(substr($0, 1, width)) }

END {
    flush()
    if (said > most) print "and " said - most " lines more"
}

function flush(    i, at) {
    for (i = 1; i <= m || i <= p; i++) {
        at[i] = i <= m && i <= p ? first_difference(minus[i], plus[i]) : 2
    }
    for (i = 1; i <= m; i++) say(clipped(minus[i], at[i]))
    for (i = 1; i <= p; i++) say(clipped(plus[i], at[i]))
    m = p = 0
}

function first_difference(one, other,    i, end) {
    end = length(one)
    for (i = 2; i <= end && substr(one, i, 1) == substr(other, i, 1); i++);
    return i
}

function clipped(line, at,    from) {
    if (length(line) <= width) return line
    from = at > 60 ? at - 50 : 2
    return substr(line, 1, 1) (from > 2 ? "... " : "") substr(line, from, width - 20) " ..."
}

function say(line) { if (++said <= most) print line }
