//! [`TESTS`]: what each test does and what to look for, in a few sentences. What the words
//! in its tables mean stands in the notation.

use crate::Term;
use crate::notation::term_of;

/// What each test is, by its name; the page and the manual say it in these words.
pub const TESTS: &[Term] = &[
    term_of(
        "clock",
        "A program reads the clock as fast as it can, a million times, in several runs. A step that is much longer than the mean is a time in which it could not run (Finney 2001, Table 1). A trial sleeps and does not read on: this test shows what priority and load do, not how late a trial is.",
        "",
    ),
    term_of(
        "waits",
        "Every way in which a program can wait, for pauses of 50 us to 20 ms: how late it ends, and what it leaves of the processor to others. Ordinary threads sleep 50 us longer than they ask, the timer slack, except on timers that are read.",
        "",
    ),
    term_of(
        "wakeup",
        "One thread for each core sleeps until fixed deadlines, as a trial does. How late it wakes up bounds how late a tone is sent, so the verdict rests on this test. Look at the right end of the histogram: how far it reaches under load.",
        "",
    ),
    term_of(
        "periodic",
        "Interrupts at a rate f. The interval minus 1/f is what Varoquaux plotted in 2006: symmetric, because each late beat makes one interval longer and the next one shorter. The lateness stands beside it. With the cure on, the program sleeps until shortly before the beat and spins.",
        "",
    ),
    term_of(
        "dsp",
        "How many instances of a reverberator, or of another load, can be computed in every period without missing one, on one pinned real-time thread for each track (Vignati et al. 2022). The periods come from a timer; no sound card is needed and none's driver is measured.",
        "",
    ),
    term_of(
        "fragments",
        "A player computes for a share of each fragment's time and then writes the fragment (Senoner's latencytest). Each cycle should take as long as a fragment plays; one that takes longer than the whole buffer is heard as a drop-out. The device is an ALSA one, or a timer in its place.",
        "",
    ),
    term_of(
        "roundtrip",
        "Thirteen tones go from an output of the sound card to an input; their phases tell the delay to a thousandth of a frame. With two periods in the driver it is twice the period and what the converters take.",
        "",
    ),
    term_of(
        "tap-to-sound",
        "Each tap at a port is answered by a click on the sound card, as feedback is. What comes back by a cable tells when the click sounded, a microphone at the pad when the tap did: from one to the other are so many frames. The trial's own times divide that among pad, kernel, program, card and converter.",
        "",
    ),
    term_of(
        "loop",
        "Messages go round from an output to its input: one note-on and one note-off, again and again. A MIDI cable carries a message in 0.96 ms, so the interval cannot be less on one.",
        "",
    ),
];

/// What a test is.
pub fn about(test: &str) -> Option<&'static Term> {
    TESTS.iter().find(|term| term.name == test)
}
