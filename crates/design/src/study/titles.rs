//! [`TITLES`]: which of a ready-made study's outcome and contrasts answer its title, what was published of each, and
//! what the study cannot show. A test rehearses every study with as many people as a study has, and looks.

use crate::study::expected::IntervalLies::{self, Above, Below, Within};

/// What answers the title of a ready-made study.
#[derive(Clone, Copy, Debug)]
pub struct Title {
    /// The study, by its name.
    pub study: &'static str,
    /// Each by its name, [`OUTCOME`] or a contrast's, and where its 95 % interval lies as published. Where simulated
    /// people do not give it there is none: the page of the study says why.
    pub by: &'static [(&'static str, IntervalLies)],
    /// What it cannot show.
    pub cannot: &'static str,
}

/// The outcome, among contrasts.
pub const OUTCOME: &str = "outcome";

const fn title(
    study: &'static str,
    by: &'static [(&'static str, IntervalLies)],
    cannot: &'static str,
) -> Title {
    Title { study, by, cannot }
}

/// In the order of the studies.
#[rustfmt::skip] // one study, one paragraph
pub static TITLES: &[Title] = &[
    title("synchronization",
        &[(OUTCOME, Within(-55.0, -25.0)), ("more variable at slow tempi", Above(0.0))],
        "why taps come early: delays of hearing and of the finger add up with the asynchrony; and, with 24 people, that they come earlier at slow tempi"),
    title("music",
        &[(OUTCOME, Above(0.22))],
        "whether they would have found the beat without the metronome of the first 16 beats, which count too"),
    title("synchronization-continuation",
        &[(OUTCOME, Above(0.0)), ("hand", Within(0.0, 110.0)), ("clock, slower tempi", Above(0.0))],
        "the motor variance at slow tempi: the tempo drifts, which the model takes for clock, so that the motor variance comes out too small, and below 0 at 600 ms; at 400 ms 24 people are too few to tell it from 0"),
    title("spontaneous-tempo",
        &[(OUTCOME, Within(500.0, 800.0)), ("again", Within(-40.0, 40.0))],
        "why people differ: one session says nothing of another day"),
    title("delayed-feedback",
        &[(OUTCOME, Below(0.0)), ("in proportion", Below(0.0))],
        "whether people adapt to a delay: each trial has another"),
    title("small-latency",
        &[],
        "how late is too late between the four latencies; latencies of the device itself are in all of them"),
    title("isolated-perturbation",
        &[(OUTCOME, Within(-5.0, 10.0)), ("in proportion", Within(-0.1, 0.2))],
        "effects of a few ms with 24 people; and what tones that come early do: no tone can come before its tap"),
    title("phase-shift",
        &[(OUTCOME, Above(0.0)), ("a part alone", Below(1.0)), ("a single late tone, too", Above(0.0))],
        "whether small and large shifts are corrected alike: the response is one slope over all sizes"),
    title("tempo-step",
        &[(OUTCOME, Above(0.0)), ("slower more than faster", Above(0.0))],
        "phase and period correction apart: the first tap after a step shows both"),
    title("adaptive-tapping",
        &[(OUTCOME, Above(0.0)), ("all of the change", Below(1.0))],
        "whether they did not notice it, unless the answers to the question are taken, which are drawn in a rehearsal"),
    title("tempo-change",
        &[(OUTCOME, Above(1.0))],
        "how they predict: to go on with a trend and to know the course of the tempo by heart look the same"),
    title("virtual-partner",
        &[(OUTCOME, Within(0.0, 0.6)), ("a little", Below(0.0)), ("everything", Above(0.0))],
        "the best share more finely than a parabola through five shares tells it; another tempo or person may have another"),
    title("joint-tapping",
        &[(OUTCOME, Above(0.0)), ("less well than with both: self", Above(0.0)), 
          ("right follows left", Above(0.0)), ("left follows right", Above(0.0))],
        "adaptation apart from common drift: both correlations also grow where two tempi drift alike"),
    title("polyrhythm",
        &[(OUTCOME, Above(0.0))],
        "what the hands plan: only that they share in time what they share in sound"),
    title("anti-phase",
        &[(OUTCOME, Below(0.0)), ("gives way: 650 ms", Within(-0.05, 0.05)), ("gives way: 450 ms", Below(0.0))],
        "the limit of one person, and tempi between the five; each trial keeps its tempo, so nobody is seen to slip as it grows faster"),
    title("altered-feedback",
        &[("slower: delayed", Above(0.0)), ("more errors: key before", Above(0.0))],
        "whether pitch and delay add up: of both together there is one delay and one pitch"),
    title("altered-pitch",
        &[("more errors: key before", Above(0.0))],
        "whether it is the pitch or the surprise of it: which wrong pitch comes is known after some tones"),
    title("anisochrony-detection",
        &[(OUTCOME, Within(30.0, 90.0))],
        "the threshold at another tempo than that of 600 ms"),
    title("duration-discrimination",
        &[(OUTCOME, Within(60.0, 150.0))],
        "the threshold of another duration than that of 600 ms"),
    title("beat-alignment",
        &[],
        "which of the misalignments is hardest: d' takes them together"),
    title("beat-finding",
        &[(OUTCOME, Above(0.0))],
        "whether they felt a beat: somebody who counts taps it, too"),
    title("masked-feedback",
        &[(OUTCOME, Below(0.0)), ("earlier: masked", Below(0.0))],
        "the part of touch: the finger feels every tap in all conditions"),
];
