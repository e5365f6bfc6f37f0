//! Whether the data of a trial can be used, which is another question than whether its
//! timing passed: what the participant or a device did not deliver.
//!
//! [`Trouble`] has the words for each thing that can be wrong, so that they are the same on
//! the screen while the trial runs and in its summary afterwards.

use crate::crosstalk::{Crosstalk, crosstalk, heard_through, heard_tones};
pub use crate::observed::Revision;
use crate::observed::{Gone, InputRole, Observed, ObservedInput, ObservedStream, OnsetSource};
use chronotap_core::time::Nanos;
use serde::Serialize;
use std::fmt::{Display, Formatter};

/// Whether the data of a trial can be used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Usability {
    /// Whether nothing that the trial needs is missing.
    pub usable: bool,
    /// Why not, one sentence each; empty where they can be used.
    pub reasons: Vec<String>,
    /// What casts doubt on them without making them useless, one sentence each.
    pub doubts: Vec<String>,
    /// Which doubts were looked for.
    #[serde(skip_serializing_if = "Revision::is_first")]
    pub revision: Revision,
}

/// Something that is missing from the data of a trial. Times count from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble<'a> {
    /// The device of an input was lost and was not there at the end.
    InputClosed { input: &'a str, at: Nanos },
    /// The device of an input was lost; whether it comes back is not known yet.
    InputIsGone { input: &'a str, at: Nanos },
    /// It was lost, and is there again.
    InputWasGone {
        input: &'a str,
        /// When it was lost.
        from: Nanos,
        /// When it was there again.
        to: Nanos,
    },
    /// No tap that counts has come.
    NoTap { input: &'a str },
    /// A full buffer on the way from an input lost something.
    Overrun {
        input: &'a str,
        /// Bytes of a device, or the number of times that a queue ran over.
        count: u64,
    },
    /// The recorder's queue had no room for events.
    Dropped { count: u64 },
    /// The trial did not end as its file has it.
    CutShort {
        /// What ended it.
        by: &'a str,
    },
    /// Taps of one input are those of another; from revision 1.
    Crosstalk {
        /// The input that is the earlier one.
        from: &'a str,
        /// The one that feels it.
        at: &'a str,
        taps: usize,
        /// The median time between the two.
        lag: Nanos,
    },
    /// Taps of one input are weaker than those of another that came at the same time: its sensor hears the
    /// other's; only trials that kept sound have any.
    HeardThrough {
        /// The input that was tapped.
        from: &'a str,
        /// The one that hears it.
        at: &'a str,
        taps: usize,
        /// The median time between the two; negative where the weaker is earlier.
        lag: Nanos,
    },
    /// Taps come at one time after the beats of a stream: its tones are heard as taps; only trials that kept
    /// sound have any.
    HeardTones { input: &'a str, stream: &'a str, taps: usize, lag: Nanos },
    /// The output is looped to another channel of the card, and not every beat came back; only trials that
    /// say so of each beat have any.
    NotLooped { came_back: u64, beats: u64 },
    /// Tones last as long as their keys, and no key was released; from revision 1.
    NeverReleased { input: &'a str, taps: usize },
    /// Taps that were told while the trial ran are not in the sound that was kept; only trials that say
    /// so of each tap have any.
    Unconfirmed { input: &'a str, taps: u64 },
    /// Taps are in the sound that was kept, and were not told while the trial ran; the same.
    FoundAfterwards { input: &'a str, taps: u64 },
    /// A MIDI device that says that it is there went silent; from revision 1.
    SensingStopped {
        /// For so long in all.
        about: Nanos,
    },
}

/// The fewest taps of which it is told that none was released: the last key may be held to the end.
const FEWEST_HELD: usize = 3;

/// A receiver takes a MIDI device for gone when nothing came for 330 ms: it sends something at least every
/// 300 ms, once it has begun, and 10 % are left to its clock (MIDI 1.0 Detailed Specification 4.2, active
/// sensing). One such time may lie across the beginning of a trial.
pub const SENSING: Nanos = Nanos::from_millis(330);
const SENSING_MISSED: u64 = 2;

impl Trouble<'_> {
    /// From which revision on it is looked for.
    pub fn since(&self) -> Revision {
        match self {
            Trouble::Crosstalk { .. }
            | Trouble::HeardThrough { .. }
            | Trouble::HeardTones { .. }
            | Trouble::NotLooped { .. }
            | Trouble::Unconfirmed { .. }
            | Trouble::FoundAfterwards { .. }
            | Trouble::NeverReleased { .. }
            | Trouble::SensingStopped { .. } => Revision(1),
            Trouble::InputClosed { .. }
            | Trouble::InputIsGone { .. }
            | Trouble::InputWasGone { .. }
            | Trouble::NoTap { .. }
            | Trouble::Overrun { .. }
            | Trouble::Dropped { .. }
            | Trouble::CutShort { .. } => Revision::FIRST,
        }
    }
}

impl Display for Trouble<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Trouble::InputClosed { input, at } => {
                let at = at.as_secs_f64();
                write!(f, "input \"{input}\" closed at {at:.3} s and did not come back")
            }
            Trouble::InputIsGone { input, at } => {
                write!(f, "input \"{input}\" closed at {:.3} s", at.as_secs_f64())
            }
            Trouble::InputWasGone { input, from, to } => {
                let [from, to] = [from, to].map(|at| at.as_secs_f64());
                write!(f, "input \"{input}\" was gone from {from:.3} s to {to:.3} s")
            }
            Trouble::NoTap { input } => write!(f, "no tap came from input \"{input}\""),
            Trouble::Overrun { input, count } => write!(
                f,
                "messages from input \"{input}\" were lost: a buffer was full (overruns: {count})"
            ),
            Trouble::Dropped { count } => {
                write!(f, "events are missing: the recorder's queue was full (dropped: {count})")
            }
            Trouble::CutShort { by } => write!(f, "the trial was ended by {by}"),
            Trouble::Crosstalk { from, at, taps, lag } => write!(
                f,
                "{taps} taps of input \"{at}\" came {:.1} ms after one of input \"{from}\", each within 1 ms of that: its pad may feel what is played on the other",
                lag.as_secs_f64() * 1e3
            ),
            Trouble::HeardThrough { from, at, taps, lag } => write!(
                f,
                "{taps} taps of input \"{at}\" came {:.1} ms after one of input \"{from}\", each within 0.5 ms of that and at most half as strong: its sensor may hear what is tapped on the other",
                lag.as_secs_f64() * 1e3
            ),
            Trouble::HeardTones { input, stream, taps, lag } => write!(
                f,
                "{taps} taps of input \"{input}\" came {:.1} ms after a beat of \"{stream}\", each within 0.5 ms of that: its sensor may hear the tones",
                lag.as_secs_f64() * 1e3
            ),
            Trouble::NotLooped { came_back: 0, beats } => write!(
                f,
                "none of the {beats} beats came back on the channel to which the output is looped: the loop may be open, and asynchronies are not of one clock"
            ),
            Trouble::NotLooped { came_back, beats } => write!(
                f,
                "{} of {beats} beats did not come back on the channel to which the output is looped; their asynchronies are not of one clock",
                beats - came_back
            ),
            Trouble::NeverReleased { input, taps } => write!(
                f,
                "none of the {taps} keys pressed at input \"{input}\" was released, and tones last as long as their keys"
            ),
            Trouble::Unconfirmed { input, taps } => write!(
                f,
                "taps of input \"{input}\" that were answered while the trial ran are not found in its recorded sound (unconfirmed: {taps})"
            ),
            Trouble::FoundAfterwards { input, taps } => write!(
                f,
                "taps of input \"{input}\" are in its recorded sound, but were not heard while the trial ran; nothing answered them, and no statistic has them (afterwards: {taps})"
            ),
            Trouble::SensingStopped { about } => write!(
                f,
                "a MIDI device that says that it is there was silent for about {:.1} s: it was off, or its cable is loose",
                about.as_secs_f64()
            ),
        }
    }
}

/// Judges the data of a trial. They cannot be used where an input closed for good, where
/// messages or events were lost, or where no tap came from an input that something in the
/// trial depends on. Where something depends on the taps of any input, one that taps is
/// enough; where nothing does, a trial without taps (a loop, listening) is a doubt.
pub fn usability(observed: &Observed<'_>) -> Usability {
    let mut judged = Usability { revision: observed.revision, ..Usability::default() };
    let silent = observed.taps.iter().all(|input| input.accepted().is_empty());
    for input in &observed.taps {
        judged.judge_presence(input);
        if input.overruns > 0 {
            judged.fails(Trouble::Overrun { input: input.name, count: input.overruns });
        }
        if input.accepted().is_empty() {
            let needed = input.part == InputRole::Own || (silent && input.part == InputRole::Any);
            judged.note(needed, Trouble::NoTap { input: input.name });
        }
    }
    if observed.dropped > 0 {
        judged.fails(Trouble::Dropped { count: observed.dropped });
    }
    if !observed.complete {
        judged.note(false, Trouble::CutShort { by: observed.ending });
    }
    judged.doubt_inputs(observed);
    judged.usable = judged.reasons.is_empty();
    judged
}

impl Usability {
    fn judge_presence(&mut self, input: &ObservedInput<'_>) {
        let name = input.name;
        for Gone { from, to } in &input.gone {
            match to {
                Some(to) => {
                    let gone = Trouble::InputWasGone { input: name, from: *from, to: *to };
                    self.note(false, gone);
                }
                None => self.fails(Trouble::InputClosed { input: name, at: *from }),
            }
        }
    }

    /// What inputs do that no participant does.
    fn doubt_inputs(&mut self, observed: &Observed<'_>) {
        for (place, input) in observed.taps.iter().enumerate() {
            let pressed = input.taps.iter().filter(|tap| tap.note.is_some()).count();
            if input.sustains && input.releases == 0 && pressed >= FEWEST_HELD {
                self.note(false, Trouble::NeverReleased { input: input.name, taps: pressed });
            }
            self.doubt_onsets(input);
            self.doubt_tones(input, &observed.pacing);
            let others = observed.taps[place + 1..].iter();
            others.for_each(|other| self.doubt_pair(input, other));
        }
        let [came_back, beats] = observed.looped;
        if came_back < beats {
            self.note(false, Trouble::NotLooped { came_back, beats });
        }
        if observed.sensing_missed >= SENSING_MISSED {
            let about = Nanos(SENSING.0 * observed.sensing_missed as i64);
            self.note(false, Trouble::SensingStopped { about });
        }
    }

    /// Taps on which the trial and the sound that it kept do not agree.
    fn doubt_onsets(&mut self, input: &ObservedInput<'_>) {
        let unconfirmed =
            input.taps.iter().filter(|tap| tap.source == Some(OnsetSource::Unconfirmed));
        let (name, unconfirmed) = (input.name, unconfirmed.count() as u64);
        if unconfirmed > 0 {
            self.note(false, Trouble::Unconfirmed { input: name, taps: unconfirmed });
        }
        if input.afterwards > 0 {
            self.note(false, Trouble::FoundAfterwards { input: name, taps: input.afterwards });
        }
    }

    /// Tones that a sensor hears.
    fn doubt_tones(&mut self, input: &ObservedInput<'_>, pacing: &[ObservedStream<'_>]) {
        if input.taps.iter().all(|tap| tap.source.is_none()) {
            return;
        }
        for stream in pacing {
            let beats: Vec<Nanos> = stream.beats.iter().map(|beat| beat.at).collect();
            if let Some(Crosstalk { taps, lag }) = heard_tones(&beats, &input.accepted()) {
                let (input, stream) = (input.name, stream.name);
                self.note(false, Trouble::HeardTones { input, stream, taps, lag });
            }
        }
    }

    fn doubt_pair(&mut self, one: &ObservedInput<'_>, other: &ObservedInput<'_>) {
        if let Some(Crosstalk { taps, lag }) = crosstalk(&one.accepted(), &other.accepted()) {
            let (from, at) = if lag < Nanos::ZERO { (other, one) } else { (one, other) };
            let (from, at) = (from.name, at.name);
            self.note(false, Trouble::Crosstalk { from, at, taps, lag: lag.abs() });
            return;
        }
        self.doubt_weaker(one, other);
        self.doubt_weaker(other, one);
    }

    fn doubt_weaker(&mut self, from: &ObservedInput<'_>, at: &ObservedInput<'_>) {
        if let Some(Crosstalk { taps, lag }) = heard_through(&from.peaks(), &at.peaks()) {
            self.note(false, Trouble::HeardThrough { from: from.name, at: at.name, taps, lag });
        }
    }

    fn fails(&mut self, trouble: Trouble<'_>) {
        self.note(true, trouble);
    }

    fn note(&mut self, fails: bool, trouble: Trouble<'_>) {
        if trouble.since() > self.revision {
            return;
        }
        let list = if fails { &mut self.reasons } else { &mut self.doubts };
        list.push(trouble.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observed::Beat;
    use chronotap_core::midi::U7;

    fn pad(onsets: &[i64], part: InputRole) -> ObservedInput<'static> {
        let onsets = onsets.iter().copied().map(Nanos::from_millis);
        ObservedInput { part, ..ObservedInput::tapped("pad", onsets) }
    }

    fn judge(taps: Vec<ObservedInput<'_>>) -> Usability {
        usability(&Observed { taps, complete: true, ..Observed::default() })
    }

    #[test]
    fn no_tap_where_the_trial_needs_taps_makes_the_data_useless() {
        for part in [InputRole::Own, InputRole::Any] {
            let judged = judge(vec![pad(&[], part)]);
            assert!(!judged.usable);
            assert_eq!(judged.reasons, ["no tap came from input \"pad\""]);
        }
    }

    #[test]
    fn no_tap_where_nothing_depends_on_taps_is_a_doubt() {
        let judged = judge(vec![pad(&[], InputRole::None)]);
        assert!(judged.usable);
        assert_eq!(judged.doubts, ["no tap came from input \"pad\""]);
    }

    #[test]
    fn of_two_hands_one_is_enough_where_any_will_do() {
        let left = || ObservedInput { name: "left", ..pad(&[], InputRole::Any) };
        let judged = judge(vec![left(), pad(&[500], InputRole::Any)]);
        assert_eq!((judged.usable, judged.doubts.len()), (true, 1));
        let own = ObservedInput { part: InputRole::Own, ..left() };
        assert!(!judge(vec![own, pad(&[500], InputRole::Own)]).usable);
    }

    #[test]
    fn taps_that_were_debounced_are_none() {
        let mut input = pad(&[500], InputRole::Own);
        input.taps[0].debounced = true;
        assert!(!judge(vec![input]).usable);
    }

    #[test]
    fn a_pad_that_is_unplugged_for_good_makes_the_data_useless() {
        let gone = |to| vec![Gone { from: Nanos::from_millis(2_500), to }];
        let lost = judge(vec![ObservedInput { gone: gone(None), ..pad(&[500], InputRole::Own) }]);
        assert_eq!(lost.reasons, ["input \"pad\" closed at 2.500 s and did not come back"]);
        let back = gone(Some(Nanos::from_millis(3_250)));
        let back = judge(vec![ObservedInput { gone: back, ..pad(&[500], InputRole::Own) }]);
        assert!(back.usable);
        assert_eq!(back.doubts, ["input \"pad\" was gone from 2.500 s to 3.250 s"]);
    }

    #[test]
    fn while_the_trial_runs_nothing_is_said_of_how_it_ends() {
        let gone = Trouble::InputIsGone { input: "pad", at: Nanos::from_millis(2_500) };
        assert_eq!(gone.to_string(), "input \"pad\" closed at 2.500 s");
    }

    #[test]
    fn what_was_lost_on_the_way_makes_the_data_useless() {
        let overrun = ObservedInput { overruns: 3, ..pad(&[500], InputRole::Own) };
        assert!(!judge(vec![overrun]).usable);
        let taps = vec![pad(&[500], InputRole::Own)];
        let dropped = Observed { taps, dropped: 2, complete: true, ..Observed::default() };
        assert!(usability(&dropped).reasons[0].ends_with("(dropped: 2)"));
    }

    #[test]
    fn a_pad_that_feels_another_a_key_that_never_ends_and_a_silent_device_are_doubts() {
        let beats: Vec<i64> = (1..=20).map(|n| n * 500).collect();
        let late: Vec<i64> = beats.iter().map(|at| at + 4).collect();
        let snare = ObservedInput { name: "snare", ..pad(&late, InputRole::Own) };
        let judged = |taps| judge(taps).doubts.join("; ");
        let both = judged(vec![pad(&beats, InputRole::Own), snare.clone()]);
        assert!(
            both.starts_with("20 taps of input \"snare\" came 4.0 ms after one of input \"pad\"")
        );
        assert_eq!(both, judged(vec![snare, pad(&beats, InputRole::Own)]));
        let held = |n: usize, releases| {
            let mut input =
                ObservedInput { sustains: true, releases, ..pad(&beats[..n], InputRole::Own) };
            input.taps.iter_mut().for_each(|tap| tap.note = Some(U7::from_byte(60)));
            judged(vec![input])
        };
        assert!(held(3, 0).starts_with("none of the 3 keys pressed at input \"pad\" was released"));
        assert_eq!((held(2, 0), held(20, 1)), (String::new(), String::new()));
        let silent = |sensing_missed| {
            let taps = vec![pad(&[500], InputRole::Own)];
            let seen = Observed { taps, complete: true, sensing_missed, ..Observed::default() };
            usability(&seen).doubts.join("; ")
        };
        assert!(silent(3).contains("was silent for about 1.0 s"));
        assert_eq!(silent(1), "");
    }

    #[test]
    fn taps_on_which_trial_and_kept_sound_do_not_agree_are_doubts() {
        let mut heard =
            ObservedInput { afterwards: 3, ..pad(&[500, 1_000, 1_500], InputRole::Own) };
        assert_eq!(judge(vec![pad(&[500], InputRole::Own)]).doubts, Vec::<String>::new());
        let sources = [OnsetSource::Refined, OnsetSource::Unconfirmed, OnsetSource::Live];
        heard.taps.iter_mut().zip(sources).for_each(|(tap, source)| tap.source = Some(source));
        let judged = judge(vec![heard]);
        assert!(judged.usable && judged.doubts.len() == 2, "{judged:?}");
        assert!(judged.doubts[0].ends_with("(unconfirmed: 1)"), "{judged:?}");
        assert!(judged.doubts[1].ends_with("(afterwards: 3)"), "{judged:?}");
    }

    #[test]
    fn tones_that_the_sensor_hears_as_taps_are_a_doubt_where_sound_was_kept() {
        let at = |ms: i64| Beat { at: Nanos::from_millis(ms), ..Beat::default() };
        let beats = (1..=20).map(|n| at(n * 500)).collect();
        let pacing = vec![ObservedStream { name: "metronome", beats, ..ObservedStream::default() }];
        let late: Vec<i64> = (1..=20).map(|n| n * 500 + 3).collect();
        let mut heard = pad(&late, InputRole::Own);
        let judged = |input: &ObservedInput<'static>| {
            let (taps, pacing) = (vec![input.clone()], pacing.clone());
            usability(&Observed { taps, pacing, complete: true, ..Observed::default() }).doubts
        };
        assert_eq!(judged(&heard), Vec::<String>::new());
        heard.taps.iter_mut().for_each(|tap| tap.source = Some(OnsetSource::Refined));
        let said = "20 taps of input \"pad\" came 3.0 ms after a beat of \"metronome\"";
        assert!(judged(&heard).concat().starts_with(said), "{:?}", judged(&heard));
    }

    #[test]
    fn a_recording_is_doubted_by_the_revision_that_it_has() {
        let beats: Vec<i64> = (1..=20).map(|n| n * 500).collect();
        let taps = vec![pad(&beats, InputRole::Own), pad(&beats, InputRole::Own)];
        let now = Observed { taps, complete: true, ..Observed::default() };
        assert_eq!((usability(&now).doubts.len(), usability(&now).revision), (1, Revision::NOW));
        let before = Observed { revision: Revision::FIRST, ..now };
        assert_eq!(usability(&before).doubts.len(), 0);
        let written = serde_json::to_value(usability(&before)).unwrap();
        assert!(written.get("revision").is_none());
    }

    #[test]
    fn a_trial_that_was_interrupted_is_doubted() {
        let ending = "interruption";
        let judged = usability(&Observed { ending, ..Observed::default() });
        assert_eq!(judged.doubts, ["the trial was ended by interruption"]);
    }
}
