//! The test of noise on this machine: that each core has its gaps and what was counted there. What
//! a gap is, is tested on a clock that was chosen, beside the loop itself.

use crate::common::found;
use chronotap_bench::timing::{NoiseTest, Quantity, Scheduling};
use chronotap_core::time::Nanos;

fn test() -> NoiseTest {
    let (busy_percent, duration) = (30, Some(Nanos::from_millis(1_200)));
    let scheduling = Scheduling::Ordinary;
    NoiseTest { busy_percent, duration, scheduling, ..NoiseTest::default() }
}

#[test]
fn each_core_tells_what_was_taken_from_it_and_how_that_was_asked() {
    let found = found(&test());
    assert_eq!(found.series.len(), test().cores.len(), "{:?}", found.notes);
    for series in &found.series {
        assert_eq!(series.quantity, Quantity::Gap);
        let told = ["scheduling", "gap_us", "busy_percent"].map(|name| series.condition(name));
        assert_eq!(told, [Some("ordinary"), Some("5"), Some("30")]);
        let (share, watched_ns) = (series.figures["noise_share"], series.figures["watched_ns"]);
        assert!((0.0..=1.0).contains(&share) && watched_ns > 0.0, "{series:?}");
        assert!(series.figures["clock_reads"] > 1_000.0, "{series:?}");
    }
    let counted = found.series.iter().all(|one| one.figures.contains_key("smi"));
    let said = found.notes.iter().any(|note| note.contains("(SMI) are not counted here"));
    assert!(counted || said, "{:?}", found.notes);
}

#[test]
fn a_gap_beyond_the_limit_ends_it_and_is_told() {
    // A read of the clock takes some 20 ns: with such limits the first turn has a gap.
    let test = NoiseTest { gap: Nanos(200), stop_above: Some(Nanos(200)), ..test() };
    let found = found(&test);
    let stopped = |note: &String| note.starts_with("stopped: a gap of ");
    assert!(found.notes.iter().any(stopped), "{:?}", found.notes);
}
