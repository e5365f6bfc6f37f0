//! Times as tests state them: units, roundings, and lists of onsets compared.

use chronotap_core::time::Nanos;

/// Seconds without trailing zeros, exactly.
pub fn seconds(time: Nanos) -> String {
    let text = time.to_string();
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Whole nanoseconds nearest to `num / den`, halves later: what a beat at that
/// exact time is rounded to.
pub fn nearest(num: i128, den: i128) -> i64 {
    i64::try_from((2 * num + den).div_euclid(2 * den)).unwrap()
}

/// Compares long lists of onsets and shows the first that differs.
pub fn assert_onsets(found: &[i64], expected: &[i64]) {
    if let Some(i) = found.iter().zip(expected).position(|(a, b)| a != b) {
        panic!("beat {}: found {} ns, expected {} ns", i + 1, found[i], expected[i]);
    }
    assert_eq!(found.len(), expected.len(), "number of beats");
}

/// Milliseconds in nanoseconds.
pub const fn ms(ms: i64) -> i64 {
    ms * 1_000_000
}
