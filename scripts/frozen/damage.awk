# Damages a file in one way, which `-v seed=N` draws: the same seed gives the same bytes with every awk
# and on every machine (LC_ALL=C). Lines that are empty or a comment are left alone where
# another can be taken: what damages them says little.
#
# The damages, seed modulo 10: a file cut off, a line missing, a line twice, two lines that changed
# places, another number, a word misspelt, another character, another value, characters
# missing, a line in another place.

{ line[NR] = $0 }

END {
    state = seed * 7919 + 17
    for (i = 0; i < 5; i++) draw(2)
    damage(seed % 10)
    for (i = 1; i <= NR; i++) if (!(i in gone)) printf "%s%s", line[i], (i == cut ? "" : "\n")
}

# A whole number from 0 to below n. Park and Miller's: no product is beyond what a double holds.
function draw(n) {
    state = (state * 16807) % 2147483647
    return int(state / 7) % n
}

function damage(kind,    at, other, kept) {
    if (kind == 4) at = any("[0-9]")
    else if (kind == 5) at = any("[a-z][a-z][a-z]")
    else if (kind == 7) at = any("[=:\t]")
    else at = any("")
    other = at < NR ? at + 1 : at - 1
    kept = line[at]
    if (kind == 0) { line[at] = substr(kept, 1, draw(length(kept))); cut_off(at) }
    else if (kind == 1) gone[at] = 1
    else if (kind == 2) line[at] = kept "\n" kept
    else if (kind == 3 && other > 0) { line[at] = line[other]; line[other] = kept }
    else if (kind == 4) line[at] = at_one(kept, "[0-9]+", one_of("0|-1|99999999999|1e9|0.5|nan||1000001|7 ms"))
    else if (kind == 5) line[at] = misspelt(kept)
    else if (kind == 6) line[at] = spliced(kept, 1, one_of("\"|[|=|\t|#|\\|\303\251|\200|{|'"))
    else if (kind == 7) line[at] = valued(kept)
    else if (kind == 8) line[at] = spliced(kept, 1 + draw(6), "")
    else { gone[at] = 1; other = 1 + draw(NR); line[other] = line[other] "\n" kept; delete gone[other] }
}

# The number of a line that has this; any line with something in it where none has.
function any(what,    i, n, found) {
    for (i = 1; i <= NR; i++) if (line[i] ~ /[^ \t]/ && line[i] !~ /^ *#/ && line[i] ~ what) found[++n] = i
    if (n == 0) for (i = 1; i <= NR; i++) found[++n] = i
    return found[1 + draw(n)]
}

function cut_off(at,    i) {
    for (i = at + 1; i <= NR; i++) gone[i] = 1
    cut = at
}

function one_of(list,    parts, n) {
    n = split(list, parts, "|")
    return parts[1 + draw(n)]
}

# The text with `put` in place of one of the places where it has this.
function at_one(text, what, put,    rest, from, n, start, size, which) {
    rest = text
    from = 0
    while (match(rest, what)) {
        start[++n] = from + RSTART
        size[n] = RLENGTH
        from += RSTART + RLENGTH - 1
        rest = substr(rest, RSTART + RLENGTH)
    }
    if (n == 0) return text put
    which = 1 + draw(n)
    return substr(text, 1, start[which] - 1) put substr(text, start[which] + size[which])
}

# Two letters of one word changed places.
function misspelt(text,    at) {
    for (at = 1 + draw(length(text)); at < length(text); at++)
        if (substr(text, at, 2) ~ /[a-z][a-z]/ && substr(text, at, 1) != substr(text, at + 1, 1))
            return substr(text, 1, at - 1) substr(text, at + 1, 1) substr(text, at, 1) substr(text, at + 2)
    return spliced(text, 1, "x")
}

function spliced(text, size, put,    at) {
    at = 1 + draw(length(text))
    return substr(text, 1, at - 1) put substr(text, at + size)
}

function valued(text,    put) {
    put = one_of("true|\"word\"|[]|{}|\"500 ms\"|7|\"\"|[1, 2]|-0.25")
    if (!match(text, /[=:\t] */)) return text put
    return substr(text, 1, RSTART + RLENGTH - 1) put
}
