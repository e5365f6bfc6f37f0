//! [`EXPECTED`]: what each ready-made study was published to find, whether simulated adults find it, and why: because a
//! parameter was made so that they do, because it follows from parameters that were made for something else, or not at all.
//! A test rehearses every study and looks.

use crate::study::experiment::Experiment;
use crate::study::paradigms::PARADIGMS;

/// A finding of a ready-made study.
#[derive(Clone, Copy, Debug)]
pub struct ExpectedFinding {
    /// The study, by its name.
    pub study: &'static str,
    /// What was found, in one sentence.
    pub effect: &'static str,
    /// Where that is from, and whether it was read.
    pub source: &'static str,
    /// What becomes of it in a rehearsal.
    pub rehearsed: InRehearsal,
}

/// What becomes of a finding in a rehearsal with the population `adults`.
#[derive(Clone, Copy, Debug)]
pub enum InRehearsal {
    /// It is found, because this parameter has it.
    PutIn(&'static str, &'static [Claim]),
    /// It is found, although no parameter was made for it.
    Emerges(&'static [Claim]),
    /// It is not found, for this reason.
    Cannot(&'static str),
}

/// What is to be seen in the numbers of a study.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The statistic: the study's outcome, or another.
    pub of: &'static str,
    /// The levels whose mean counts.
    pub at: &'static [&'static str],
    /// The levels whose mean is taken off; where there are none, the value itself counts.
    pub less: &'static [&'static str],
    /// Where the 95 % interval of the mean over people lies.
    pub is: IntervalLies,
    /// How large it was published to be, where that was read.
    pub size: Option<Size>,
}

/// A mean as it was published.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    pub value: f64,
    /// The ends of its 95 % interval, where the source gives enough to know them.
    pub interval: Option<(f64, f64)>,
}

/// What can be drawn of a claim as it was published.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PublishedClaim {
    Size(Size),
    /// Its side of 0 or of 1 alone.
    Above(f64),
    Below(f64),
    /// That it hardly differs from this.
    About(f64),
}

/// Where an interval lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum IntervalLies {
    Above(f64),
    Below(f64),
    /// The mean lies between these; no difference is to be found.
    Within(f64, f64),
}

impl Claim {
    /// What was published of it: its size, or on which side of nothing (0) or of all (1) it lies. Other bounds of
    /// [`IntervalLies`] are those of a test and of no source, so that nothing is drawn of them.
    pub fn published(&self) -> Option<PublishedClaim> {
        let is_of_source = |bound: f64| [0.0, 1.0].contains(&bound);
        match (self.size, self.is) {
            (Some(size), _) => Some(PublishedClaim::Size(size)),
            (None, IntervalLies::Above(bound)) if is_of_source(bound) => {
                Some(PublishedClaim::Above(bound))
            }
            (None, IntervalLies::Below(bound)) if is_of_source(bound) => {
                Some(PublishedClaim::Below(bound))
            }
            (None, IntervalLies::Within(least, most)) if least == -most => {
                Some(PublishedClaim::About(0.0))
            }
            (None, _) => None,
        }
    }

    /// The same with its published size.
    const fn of_size(self, value: f64, interval: Option<(f64, f64)>) -> Claim {
        Claim { size: Some(Size { value, interval }), ..self }
    }
}

use InRehearsal::{Cannot, Emerges, PutIn};
use IntervalLies::{Above, Below, Within};

/// The first levels less the second, or the value at the first.
const fn claim(
    of: &'static str,
    at: &'static [&'static str],
    less: &'static [&'static str],
    is: IntervalLies,
) -> Claim {
    Claim { of, at, less, is, size: None }
}

/// Every finding, in the order of the studies.
#[rustfmt::skip] // one finding, one paragraph
pub static EXPECTED: &[ExpectedFinding] = &[
    ExpectedFinding { study: "synchronization",
        effect: "The slower the metronome, the earlier the taps.",
        source: "Bååth and Madison (2012), data read: -40 ms at 600 ms, -49 ms at 1,200 ms",
        rehearsed: PutIn("mean_grows", &[
            claim("mean asynchrony", &["750 ms"], &["450 ms"], Below(0.0)),
            // 30 people, SD 20.5 ms between them: 2.045 standard errors on either side.
            claim("mean asynchrony", &["600 ms"], &[], Within(-47.8, -32.4)).of_size(-40.1, Some((-47.8, -32.4))) ]) },
    ExpectedFinding { study: "synchronization",
        effect: "The SD of asynchronies grows with the interval.",
        source: "Bååth and Madison (2012), data read",
        rehearsed: PutIn("weber", &[claim("sd asynchrony", &["750 ms"], &["450 ms"], Above(0.0))]) },
    ExpectedFinding { study: "music",
        effect: "Taps stay with the beat of music after the metronome has faded out.",
        source: "Anglada-Tort, Harrison and Jacoby (2022), from memory, not re-read",
        rehearsed: Emerges(&[claim("resultant", &["slow", "medium", "fast"], &[], Above(0.8))]) },
    ExpectedFinding { study: "synchronization-continuation",
        effect: "The variance of the clock grows with the interval.",
        source: "Wing and Kristofferson (1973) and Wing (1980), from memory, not re-read",
        rehearsed: PutIn("weber", &[claim("clock variance", &["600 ms"], &["400 ms"], Above(0.0))]) },
    ExpectedFinding { study: "synchronization-continuation",
        effect: "The variance of the motor delays hardly grows; the tempo drifts, which hides more of it at the slower tempo unless the drift is taken off.",
        source: "Wing (1980), from memory, not re-read; Pazdera and Trainor (2025), data read: 50 and -44 ms² at 400 and 600 ms, the drift taken off 98 and 109",
        rehearsed: PutIn("wanders", &[claim("motor variance", &["600 ms"], &["400 ms"], Below(0.0))]) },
    ExpectedFinding { study: "spontaneous-tempo",
        effect: "People tap every 650 ms on average (SD 253 ms), and at about the same rate again.",
        source: "Hammerschmidt and Wöllner (2022), abstract read",
        rehearsed: PutIn("interval", &[
            claim("median interval", &["comfortable"], &[], Within(550.0, 750.0)).of_size(650.0, None),
            claim("median interval", &["comfortable_again"], &["comfortable"], Within(-20.0, 20.0)) ]) },
    ExpectedFinding { study: "spontaneous-tempo",
        effect: "People who are asked to can tap faster and slower than is comfortable.",
        source: "McAuley and others (2006), abstract read",
        rehearsed: Cannot("simulated people do not read instructions: they tap at one rate in all steps") },
    ExpectedFinding { study: "delayed-feedback",
        effect: "The later the tones of taps, the earlier the taps, in proportion.",
        source: "Aschersleben and Prinz (1997), from memory, not re-read",
        rehearsed: PutIn("paced_feedback", &[
            claim("mean asynchrony", &["70 ms"], &["0 ms"], Below(0.0)),
            claim("mean asynchrony", &["30 ms", "40 ms"], &["0 ms"], Below(0.0)) ]) },
    ExpectedFinding { study: "small-latency",
        effect: "Latencies of 20 ms, or of 10 ms with jitter, are judged worse than none; a constant 10 ms is not.",
        source: "Jack and others (2018), abstract read",
        rehearsed: Cannot("the answers of simulated people to questions are drawn, and depend on nothing they heard") },
    ExpectedFinding { study: "small-latency",
        effect: "The timing of players hardly differs between these latencies.",
        source: "Jack, Stockman and McPherson (2016), abstract read",
        rehearsed: Emerges(&[claim("sd asynchrony", &["20 ms"], &["none"], Within(-2.0, 2.0))]) },
    ExpectedFinding { study: "isolated-perturbation",
        effect: "The interval after a single late tone is longer.",
        source: "Wing (1977), from memory, not re-read",
        rehearsed: PutIn("feedback", &[claim("altered tone response", &["50 ms"], &["0 ms"], Above(0.0))]) },
    ExpectedFinding { study: "phase-shift",
        effect: "The next tap makes up for a part of a shift. This part is larger than the part of an asynchrony that people correct with a regular metronome.",
        source: "Repp, Keller and Jacoby (2012), abstract read",
        rehearsed: Emerges(&[
            claim("correction response", &["phase shift"], &[], Above(0.47)),
            claim("correction response", &["phase shift", "onset shift"], &[], Below(1.0)) ]) },
    ExpectedFinding { study: "tempo-step",
        effect: "Large steps (10 %) lead to an overcorrection of intervals that small ones (2 and 4 %) do not.",
        source: "Thaut, Miller and Schauer (1998) and Repp (2001), abstracts read",
        rehearsed: PutIn("notice", &[
            claim("correction response", &["450 ms", "550 ms"], &["480 ms", "490 ms", "510 ms", "520 ms"], Above(0.0)) ]) },
    ExpectedFinding { study: "tempo-step",
        effect: "The next tap follows a large step to a slower tempo more than one to a faster tempo.",
        source: "Silva and Laje (2024), data read: shares of 1.04 and 0.84, 1.06 and 0.90 of steps of 10 %",
        rehearsed: PutIn("follow_slower", &[claim("correction response", &["550 ms"], &["450 ms"], Above(0.0))]) },
    ExpectedFinding { study: "adaptive-tapping",
        effect: "People go on at the tempo to which the metronome changed, or nearly.",
        source: "Schwartze and others (2011), from memory, not re-read",
        rehearsed: Emerges(&[
            claim("mean interval", &["675 ms"], &["525 ms"], Above(75.0)),
            claim("mean interval", &["675 ms"], &["525 ms"], Below(150.0)) ]) },
    ExpectedFinding { study: "tempo-change",
        effect: "People predict the next interval more than they track the last: the ratio is above 1.",
        source: "Pecenka and Keller (2011), from memory, not re-read",
        rehearsed: PutIn("anticipate", &[claim("prediction tracking ratio", &["8", "16", "24"], &[], Above(1.0))]) },
    ExpectedFinding { study: "virtual-partner",
        effect: "A partner that adapts a little makes tapping steadier; one that takes up everything makes it worse.",
        source: "Fairhurst, Janata and Keller (2013), introduction read; Repp and Keller (2008), abstract read",
        rehearsed: Emerges(&[
            claim("sd asynchrony", &["0.25"], &["0.0"], Below(0.0)),
            claim("sd asynchrony", &["1.0"], &["0.25"], Above(0.0)) ]) },
    ExpectedFinding { study: "joint-tapping",
        effect: "Two people synchronize where each hears the other, and do not where nobody does.",
        source: "Schultz and Palmer (2019), abstract read",
        rehearsed: PutIn("partner", &[
            claim("sd asynchrony", &["both", "other"], &["self", "none"], Below(0.0)) ]) },
    ExpectedFinding { study: "polyrhythm",
        effect: "Two hands are steadier where their tones have one pitch than with two pitches far apart.",
        source: "Jagacinski and others (1988), abstract read",
        rehearsed: PutIn("hands", &[claim("sd asynchrony", &["one"], &["two"], Below(0.0))]) },
    ExpectedFinding { study: "anti-phase",
        effect: "Tapping between the tones is less steady, and gives way at fast tempi.",
        source: "Kelso, DelColle and Schöner (1990), from memory, not re-read; Volman and Geuze (2000), abstract read",
        rehearsed: PutIn("slips_below", &[
            claim("hit rate", &["midway between the tones"], &["with each tone"], Below(0.0)),
            claim("hit rate", &["midway between the tones"], &["with every other tone"], Below(0.0)) ]) },
    ExpectedFinding { study: "altered-feedback",
        effect: "Delayed tones slow a melody down; the pitches of other keys do not.",
        source: "Finney (1997), from memory, not re-read; Pfordresher and Dalla Bella (2011), abstract read",
        rehearsed: PutIn("feedback", &[
            claim("mean interval", &["delayed", "both"], &["normal"], Above(0.0)),
            claim("mean interval", &["key before"], &["normal"], Within(-3.0, 3.0)) ]) },
    ExpectedFinding { study: "altered-feedback",
        effect: "The pitch of the key before leads to wrong notes; a delay alone does not.",
        source: "Pfordresher (2003), from memory, not re-read; Pfordresher (2008), abstract read",
        rehearsed: PutIn("confuse", &[
            claim("error rate", &["key before", "both"], &["normal"], Above(0.0)),
            claim("error rate", &["delayed"], &["normal"], Within(-0.015, 0.015)) ]) },
    ExpectedFinding { study: "altered-pitch",
        effect: "The pitch of the key before leads to wrong notes.",
        source: "Pfordresher (2003), from memory, not re-read; Pfordresher (2008), abstract read",
        rehearsed: PutIn("confuse", &[claim("error rate", &["key before"], &["normal"], Above(0.0))]) },
    ExpectedFinding { study: "altered-pitch",
        effect: "Random pitches, one and the same pitch, and a reversed keyboard disturb less than that, or not at all.",
        source: "Finney (1997) and Pfordresher (2005), from memory, not re-read",
        rehearsed: Emerges(&[
            claim("error rate", &["random", "one pitch", "reversed keyboard"], &["key before"], Below(0.0)) ]) },
    ExpectedFinding { study: "anisochrony-detection",
        effect: "People hear an irregularity of about a tenth of the interval.",
        source: "Hyde and Peretz (2004), from memory, not re-read",
        rehearsed: PutIn("discern", &[claim("threshold", &[], &[], Within(30.0, 90.0))]) },
    ExpectedFinding { study: "duration-discrimination",
        effect: "A single interval is discriminated less well than one in a sequence.",
        source: "Drake and Botte (1993), from memory, not re-read",
        rehearsed: PutIn("discern", &[claim("threshold", &[], &[], Within(60.0, 150.0))]) },
    ExpectedFinding { study: "beat-alignment",
        effect: "Most people hear whether a metronome fits the music.",
        source: "Iversen and Patel (2008), from memory, not re-read",
        rehearsed: Cannot("the answers of simulated people to questions are drawn, and depend on nothing they heard") },
    ExpectedFinding { study: "beat-finding",
        effect: "Taps to the beat vary more where fewer tones fall on it.",
        source: "Povel and Essens (1985), from memory, not re-read",
        rehearsed: Emerges(&[claim("sd asynchrony", &["weak"], &["strong"], Above(0.0))]) },
    ExpectedFinding { study: "masked-feedback",
        effect: "The less is heard of the taps, the earlier they come.",
        source: "Aschersleben and Prinz (1995), from memory, not re-read: the abstract does not say",
        rehearsed: PutIn("heard", &[
            claim("mean asynchrony", &["none", "masked"], &["tone"], Below(0.0)) ]) },
];

/// What a study was published to find, where it is a ready-made one: it has still the title.
pub fn expected(experiment: &Experiment) -> impl Iterator<Item = &'static ExpectedFinding> {
    let title = format!("\ntitle = \"{}\"\n", experiment.title);
    let ready = PARADIGMS.iter().find(|paradigm| paradigm.files[0].1.contains(&title));
    EXPECTED.iter().filter(move |of| ready.is_some_and(|ready| ready.name == of.study))
}

impl InRehearsal {
    /// What is to be seen.
    pub fn claims(&self) -> &'static [Claim] {
        match self {
            PutIn(_, claims) | Emerges(claims) => claims,
            Cannot(_) => &[],
        }
    }
}

impl std::fmt::Display for InRehearsal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PutIn(parameter, _) => {
                write!(
                    f,
                    "Simulated adults show it because the parameter `{parameter}` makes it so."
                )
            }
            Emerges(_) => {
                write!(f, "Simulated adults show it, although no parameter was made for it.")
            }
            Cannot(why) => write!(f, "Simulated people do not show it: {why}."),
        }
    }
}
