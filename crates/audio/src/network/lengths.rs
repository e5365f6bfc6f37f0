//! How long the delay lines are: primes, so that no two echoes ever fall together for
//! long, near lengths that stand in geometric proportion.

/// Speed of sound in m/s.
pub(super) const SOUND_M_S: f64 = 343.0;
/// The shortest and the longest way of the sound in metres.
pub(super) const WAY_M: (f64, f64) = (46.0, 63.0);

/// Frames of each line at this rate: distinct primes, ascending.
pub fn lengths<const N: usize>(rate_hz: f64) -> [usize; N] {
    let mut last = 1;
    std::array::from_fn(|n| {
        let share = n as f64 / (N - 1) as f64;
        let metres = WAY_M.0 * libm::pow(WAY_M.1 / WAY_M.0, share);
        let wish = (metres / SOUND_M_S * rate_hz) as usize;
        last = next_prime(wish.max(last + 1));
        last
    })
}

fn next_prime(from: usize) -> usize {
    (from..).find(|n| is_prime(*n)).unwrap_or(from) // there is always a larger prime
}

fn is_prime(n: usize) -> bool {
    n >= 2 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_distinct_primes_between_the_two_ways() {
        let found = lengths::<16>(48_000.0);
        assert!(found.windows(2).all(|two| two[0] < two[1]));
        assert!(found.iter().all(|n| is_prime(*n) && (6_400..8_900).contains(n)), "{found:?}");
    }
}
