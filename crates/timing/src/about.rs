//! [`STUDIES`]: what each test of this room does and what to look for, in a few
//! sentences; [`about`] finds those of one's own machine and ports as well. What the
//! words in the tables mean stands in the notation.

mod own;

pub use own::TESTS;

use crate::Term;

/// What each test of the literature is, by its name; the page and the manual say it in
/// these words.
pub const STUDIES: &[Term] = &[
    test(
        "clock",
        "A program reads the clock as fast as it can, a million times, in several runs. A step that is much longer than the mean is a time in which it could not run (Finney 2001, Table 1). A trial sleeps and does not read on: this test shows what priority and load do, not how late a trial is.",
    ),
    test(
        "waits",
        "Every way in which a program can wait, for pauses of 50 us to 20 ms: how late it ends, and what it leaves of the processor to others. Ordinary threads sleep 50 us longer than they ask, the timer slack, except on timers that are read.",
    ),
    test(
        "periodic",
        "Interrupts at a rate f. The interval minus 1/f is what Varoquaux plotted in 2006: symmetric, because each late beat makes one interval longer and the next one shorter. The lateness stands beside it. With the cure on, the program sleeps until shortly before the beat and spins.",
    ),
    test(
        "servo",
        "A servo loop: at each beat it wakes up, reads the clock, computes and acts (what Varoquaux expected of 2006's computers up to 1 kHz). Open, it asks to be woken at the beat; closed, it asks so much earlier as it finds itself late. Phase is the mean of how late it acts, jitter the standard deviation, both in degrees of the loop's period.",
    ),
    test(
        "dsp",
        "How many instances of a reverberator, or of another load, can be computed in every period without missing one, on one pinned real-time thread for each track (Vignati et al. 2022). The periods come from a timer, so that no sound card is needed and none's driver is measured; or from the card that is named, in whose callback they are then computed, with its driver and its server.",
    ),
    test(
        "fragments",
        "A player computes for a share of each fragment's time and then writes the fragment (Senoner's latencytest). Each cycle should take as long as a fragment plays; one that takes longer than the whole buffer is heard as a drop-out. The device is an ALSA one, or a timer in its place.",
    ),
];

/// What a test is.
pub fn about(test: &str) -> Option<&'static Term> {
    STUDIES.iter().chain(TESTS).find(|term| term.name == test)
}

const fn test(name: &'static str, meaning: &'static str) -> Term {
    Term { name, meaning, formula: "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_of_both_rooms_are_found_by_name() {
        for name in ["clock", "dsp", "wakeup", "loop"] {
            assert_eq!(about(name).map(|term| term.name), Some(name));
        }
        assert_eq!(about("clocks"), None);
    }
}
