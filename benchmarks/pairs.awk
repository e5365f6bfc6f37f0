# The median of the ratios of pairs, with an interval that holds it 95 times in 100 whatever the
# ratios are distributed like: from one order statistic to the one as far from the other end, by the
# binomial distribution (of 20 pairs the 6th and the 15th value).
#   awk -v limit=1.2 -f pairs.awk FILE      each line a pair: OURS THEIRS
# Exit status: 1 where the whole interval is above the limit, 2 where there is no interval.

NF != 2 || $1 !~ /^[0-9.]+$/ || $2 !~ /^[0-9.]+$/ || $2 + 0 == 0 { wrong("not a pair with a ratio: " $0) }

{ place($1 / $2) }

END {
    if (failed) exit failed
    if (!NR) wrong("no pairs")
    printf "ratio of each pair, in rising order:"
    for (i = 1; i <= NR; i++) printf " %.2f", ratio[i]
    printf "\nmedian of %d ratios %.2f", NR, (ratio[int((NR + 1) / 2)] + ratio[int(NR / 2) + 1]) / 2
    rank = lower_rank(NR)
    if (!rank) wrong(", and no interval of 95 %: that takes 6 pairs")
    late = ratio[rank] > limit
    printf ", interval of 95 %% from %.2f to %.2f: %s\n", ratio[rank], ratio[NR + 1 - rank],
        late ? "FAILED, all of it above " limit : "passed, not all of it above " limit
    exit late
}

# place VALUE: where it belongs in rising order.
function place(value,    i) {
    for (i = NR; i > 1 && ratio[i - 1] > value; i--) ratio[i] = ratio[i - 1]
    ratio[i] = value
}

# lower_rank N: the greatest rank that at most 2.5 in 100 medians lie below; 0 where there is none.
function lower_rank(n,    rank, term, below) {
    term = 0.5 ^ n
    for (below = term; below <= 0.025; below += term) {
        rank++
        term *= (n - rank + 1) / rank
    }
    return rank + 0
}

function wrong(words) {
    print words
    failed = 2
    exit failed
}
