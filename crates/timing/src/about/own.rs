//! [`TESTS`]: what each test of this room does and what to look for, in a few sentences.
//! What the words in its tables mean stands in the notation.

use crate::Term;
use crate::notation::term_of;

/// What each test is, by its name; the page and the manual say it in these words.
pub const TESTS: &[Term] = &[
    term_of(
        "wakeup",
        "One thread for each core sleeps until fixed deadlines, as a trial does. How late it wakes up bounds how late a tone is sent, so the verdict rests on this test. Look at the right end of the histogram: how far it reaches under load.",
        "",
    ),
    term_of(
        "noise",
        "One thread on each core is busy and reads the clock: what takes time from it leaves a gap. Look at the greatest gap and at the share that was taken. Gaps on all cores at once come from the firmware or the host.",
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
        "player",
        "Another program plays clicks at one interval, and a card hears them. From one click to the next, minus that interval; a click that does not come is a skip that everybody hears (Phillips 2000 listened to players so).",
        "",
    ),
    term_of(
        "loop",
        "Messages go round from an output to its input: one note-on and one note-off, again and again. A MIDI cable carries a message in 0.96 ms, so the interval cannot be less on one.",
        "",
    ),
];
