//! Latin and Williams squares: orders that balance places, and who follows whom.

/// The row of the cyclic square of `n`: 0, 1, 2, … begun `row` further on. Every item is at
/// every place equally often over n rows.
pub(crate) fn latin(n: usize, row: usize) -> Vec<usize> {
    (0..n).map(|place| (row + place) % n).collect()
}

/// How many rows a Williams square of `n` has: n where n is even, else 2n.
pub(crate) fn williams_rows(n: usize) -> usize {
    if n.is_multiple_of(2) || n == 1 { n } else { 2 * n }
}

/// A row of a square in which every item follows every other equally often, over all
/// [`williams_rows`] (Williams 1949, "Experimental designs balanced for the estimation of
/// residual effects of treatments"). The first row is 0, 1, n-1, 2, n-2, …, each further
/// one counts one on; for odd n the second half are the same rows backwards.
pub(crate) fn williams(n: usize, row: usize) -> Vec<usize> {
    let row = row % williams_rows(n).max(1);
    let first = |place: usize| if place % 2 == 1 { place.div_ceil(2) } else { n - place / 2 };
    let mut items: Vec<usize> = (0..n).map(|place| (first(place) + row) % n).collect();
    if row >= n {
        items.reverse();
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each item follows each other, over all rows.
    fn follows(n: usize) -> Vec<usize> {
        let mut counts = vec![0; n * n];
        for row in 0..williams_rows(n) {
            for pair in williams(n, row).windows(2) {
                counts[pair[0] * n + pair[1]] += 1;
            }
        }
        counts
    }

    #[test]
    fn in_a_williams_square_every_item_follows_every_other_equally_often() {
        for n in 2..=15 {
            let expected = if n % 2 == 0 { 1 } else { 2 };
            for (index, count) in follows(n).into_iter().enumerate() {
                let same = index / n == index % n;
                assert_eq!(count, if same { 0 } else { expected }, "n = {n}, pair {index}");
            }
        }
    }

    #[test]
    fn in_both_squares_every_item_is_at_every_place_equally_often() {
        for n in 1..=12 {
            let mut places = vec![0; n * n];
            for row in 0..williams_rows(n) {
                for (place, item) in williams(n, row).into_iter().enumerate() {
                    places[place * n + item] += 1;
                }
            }
            assert!(places.iter().all(|count| *count == williams_rows(n) / n), "n = {n}");
            let column = |place: usize| (0..n).map(move |row| latin(n, row)[place]);
            for place in 0..n {
                let mut items: Vec<usize> = column(place).collect();
                items.sort_unstable();
                assert_eq!(items, (0..n).collect::<Vec<_>>());
            }
        }
    }
}
