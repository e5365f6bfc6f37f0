//! What changes in the pacing in the course of a trial, in the words of a methods section: what, when and by how much.

use crate::trial_files::reading::say as say_time;
use crate::trial_files::{TrialFile, say};
use chronotap_core::time::{Exact, Nanos};
use chronotap_engine::trial::{
    Change, Do, Interval, Number, Occasions, Over, Pacing, Ramp, SetPacing, Shift,
};

/// So many beats are told one by one.
const BEATS: usize = 8;

impl TrialFile {
    /// What changes in a pacing stream, by its place: its changes in the order of the file, then what rules do to it, as
    /// in `at beat 16 the interval went to 550 ms (10 % longer)`.
    pub fn changes_of(&self, stream: usize) -> Vec<String> {
        let Some(pacing) = self.trial.pacing.get(stream) else { return Vec::new() };
        let first = match pacing.interval {
            Interval::Exact(interval) if !follows_taps(pacing) => Some(interval),
            _ => None,
        };
        let acts = self.trial.rules.iter().flat_map(|rule| &rule.then);
        let by_rules = acts.filter(|act| sets_tempo(act, stream)).count();
        let by_changes = pacing.changes.iter().any(changes_tempo);
        // When a rule acts nobody knows beforehand: only where nothing else sets the tempo is the one before it known.
        let mut tempo = Tempo { before: first.filter(|_| by_rules == 0), settled: 0 };
        let alone = first.filter(|_| by_rules == 1 && !by_changes);
        let changes = pacing.changes.iter().filter_map(|change| changed(change, &mut tempo));
        let mut all: Vec<String> = changes.collect();
        for rule in &self.trial.rules {
            let acts = rule.then.iter().filter_map(|act| acted(act, stream, alone));
            let when = say::condition(&rule.when, &self.trial);
            all.extend(acts.map(|act| format!("with {when} {act}")));
        }
        all
    }
}

/// The interval before a change.
struct Tempo {
    /// `None` where it is not known.
    before: Option<Exact>,
    /// From this beat on it has been reached.
    settled: u32,
}

impl Tempo {
    /// The interval that a change at these beats follows, where it is known: it is one beat, and every change before it
    /// has come to its end.
    fn at(&mut self, at: &Occasions, over: u32) -> Option<Exact> {
        let (first, last, once) = match at {
            Occasions::Listed(beats) => (beats.first(), beats.last().copied(), beats.len() == 1),
            _ => (None, None, false),
        };
        let is_settled = first.is_some_and(|first| *first >= self.settled);
        self.settled = last.map_or(u32::MAX, |last| last.saturating_add(over));
        self.before.filter(|_| once && is_settled)
    }
}

/// Whether the stream's intervals are not those of its file alone.
fn follows_taps(pacing: &Pacing) -> bool {
    pacing.adapt.is_some() || pacing.own_tempo.is_some() || pacing.onsets.is_some()
}

fn changes_tempo(change: &Change) -> bool {
    change.interval.is_some() || change.interval_step != Shift::None
}

fn sets_tempo(act: &Do, stream: usize) -> bool {
    let of = match act {
        Do::Pacing(of, SetPacing::Interval(_)) => *of,
        Do::Ramp(ramp) => match ramp.of {
            Number::PacingInterval(of) | Number::PacingTempo(of) => of,
            _ => return false,
        },
        _ => return false,
    };
    usize::from(of) == stream
}

/// What a change does, and to which interval it leads; `None` where it does nothing.
fn changed(change: &Change, tempo: &mut Tempo) -> Option<String> {
    let over = if change.over > 1 { format!(" over {} beats", change.over) } else { String::new() };
    let mut said = Vec::new();
    if change.mute {
        said.push("there was no tone".to_owned());
    }
    if moves(change.phase_shift) {
        said.push(format!(
            "that beat and all later ones were shifted by {}",
            size(change.phase_shift)
        ));
    }
    if moves(change.onset_shift) {
        said.push(format!("only that beat was shifted, by {}", size(change.onset_shift)));
    }
    if let Some(to) = change.interval {
        let before = tempo.at(&change.at, change.over);
        tempo.before = Some(to);
        said.push(format!("the interval went to {}{over}", reached(to, before)));
    }
    if change.interval_step != Shift::None {
        tempo.before = None;
        said.push(format!("the interval changed by {}{over}", size(change.interval_step)));
    }
    (!said.is_empty()).then(|| format!("{} {}", when(&change.at), said.join(", and ")))
}

/// A shift by nothing, which one level of a factor may ask for, is no change.
fn moves(shift: Shift) -> bool {
    !matches!(shift, Shift::None | Shift::Fixed(Nanos::ZERO))
}

/// A size to a hundredth of a millisecond: a staircase draws it to the nanosecond, which nobody reads.
fn size(shift: Shift) -> String {
    match shift {
        Shift::Fixed(by) => say_time(Nanos::round_from_f64((by.as_secs_f64() * 1e5).round() * 1e4)),
        shift => say::size(shift),
    }
}

/// At which beats.
fn when(at: &Occasions) -> String {
    match at {
        Occasions::Listed(beats) if beats.len() > BEATS => format!("at {} beats", beats.len()),
        Occasions::Listed(beats) => {
            let word = if beats.len() == 1 { "beat" } else { "beats" };
            let each: Vec<String> = beats.iter().map(ToString::to_string).collect();
            format!("at {word} {}", each.join(", "))
        }
        Occasions::Every { from, to, .. } if from == to => format!("every {from} beats"),
        Occasions::Every { from, to, .. } => format!("every {from} to {to} beats"),
        Occasions::Chance { .. } => "at beats that were drawn".to_owned(),
    }
}

/// An interval, and by how much it is longer or shorter than the one before, where that is known.
fn reached(to: Exact, before: Option<Exact>) -> String {
    let before = before.map(Exact::as_f64).filter(|before| *before > 0.0);
    let to_said = say::interval(to);
    let Some(before) = before else { return to_said };
    let percent = (to.as_f64() / before - 1.0) * 100.0;
    let size = (percent.abs() * 10.0).round() / 10.0;
    match percent {
        _ if size == 0.0 => format!("{to_said} (no change)"),
        0.0.. => format!("{to_said} ({size} % longer)"),
        _ => format!("{to_said} ({size} % shorter)"),
    }
}

/// What a rule does to this stream's beats; `None` of what else it does.
fn acted(act: &Do, stream: usize, before: Option<Exact>) -> Option<String> {
    let is_this = |of: u16| usize::from(of) == stream;
    match act {
        Do::Pacing(of, SetPacing::Audible(true)) if is_this(*of) => Some("it sounded".to_owned()),
        Do::Pacing(of, SetPacing::Audible(false)) if is_this(*of) => {
            Some("it fell silent".to_owned())
        }
        Do::Pacing(of, SetPacing::Interval(to)) if is_this(*of) => {
            Some(format!("the interval went to {}", reached(*to, before)))
        }
        Do::StartStream(of) if is_this(*of) => Some("it started".to_owned()),
        Do::StopStream(of) if is_this(*of) => Some("it stopped".to_owned()),
        Do::Ramp(ramp) => ramped(ramp, stream, before),
        _ => None,
    }
}

fn ramped(ramp: &Ramp, stream: usize, before: Option<Exact>) -> Option<String> {
    let of = match ramp.of {
        Number::PacingInterval(of) | Number::PacingTempo(of) => usize::from(of),
        _ => return None,
    };
    let over = match ramp.over {
        Over::Time(time) => say_time(time),
        Over::Beats(beats) => format!("{beats} beats"),
    };
    let to = || reached(ramp.interval, before);
    (of == stream).then(to).map(|to| format!("the interval went to {to} over {over}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot be set up has failed
mod tests {
    use super::*;

    fn said(rest: &str) -> Vec<String> {
        let text =
            format!("[pacing.m]\ninterval = \"500 ms\"\n{rest}[[when]]\nbeat = 60\nend = true\n");
        TrialFile::parse(&text, "t.toml").unwrap().changes_of(0)
    }

    #[test]
    fn a_step_of_tempo_is_told_with_its_beat_and_its_size() {
        let change = "[[pacing.m.change]]\nat = ";
        let there_and_back = format!(
            "{change}16\ninterval = \"540 ms\"\n{change}32\ninterval = \"500 ms\"\nover = 4\n"
        );
        assert_eq!(
            said(&there_and_back),
            [
                "at beat 16 the interval went to 540 ms (8 % longer)",
                "at beat 32 the interval went to 500 ms (7.4 % shorter) over 4 beats"
            ]
        );
        let shifts = format!("{change}[9, 20]\nphase_shift = \"50 ms\"\n{change}12\nmute = true\n");
        let told = said(&shifts);
        assert_eq!(told[0], "at beats 9, 20 that beat and all later ones were shifted by 50 ms");
        assert_eq!(told[1], "at beat 12 there was no tone");
        let drawn = format!(
            "{change}4\nonset_shift = \"10534979 ns\"\n{change}8\nonset_shift = \"0 ms\"\n"
        );
        assert_eq!(said(&drawn), ["at beat 4 only that beat was shifted, by 10.53 ms"]);
    }

    #[test]
    fn what_rules_do_to_a_stream_is_told_and_what_they_do_besides_is_not() {
        let rules = "[[when]]\nbeat = 21\nset.pacing.m.audible = false\nmark = \"gone\"\n\
                     [[when]]\nbeat = 30\nramp.pacing.m.interval = { to = \"400 ms\", over = \"5 s\" }\n";
        assert_eq!(
            said(rules),
            [
                "with beat 21 of m it fell silent",
                "with beat 30 of m the interval went to 400 ms (20 % shorter) over 5 s"
            ]
        );
        assert!(said("").is_empty());
    }

    #[test]
    fn by_how_much_is_told_only_where_the_interval_before_is_known() {
        let change = "[[pacing.m.change]]\nat = ";
        let still_changing = format!(
            "{change}16\ninterval = \"540 ms\"\nover = 8\n{change}20\ninterval = \"500 ms\"\n"
        );
        assert_eq!(said(&still_changing)[1], "at beat 20 the interval went to 500 ms");
        let several = format!("{change}[8, 16]\ninterval = \"540 ms\"\n");
        assert_eq!(said(&several), ["at beats 8, 16 the interval went to 540 ms"]);
        let rule = |at: u8, to: u32| {
            format!("[[when]]\ntime = \"{at} s\"\nset.pacing.m.interval = \"{to} ms\"\n")
        };
        let either = said(&format!("{}{}", rule(36, 550), rule(38, 450)));
        assert!(either[0].ends_with("the interval went to 550 ms"), "{either:?}");
        assert!(either[1].ends_with("the interval went to 450 ms"), "{either:?}");
        let both = said(&format!("{change}16\ninterval = \"540 ms\"\n{}", rule(36, 550)));
        assert!(both.iter().all(|told| told.ends_with(" ms")), "{both:?}");
    }
}
