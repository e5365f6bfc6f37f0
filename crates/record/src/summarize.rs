//! [`summarize`]: from recorded entries to the summary of a trial. The statistics
//! themselves are in `chronotap-analysis`.

use crate::{Entry, Load};
use chronotap_analysis::services::ServiceIntervals;
use chronotap_analysis::sound::SoundCard;
use chronotap_analysis::summary::{Observed, Onsets, Summary, System};
use chronotap_engine::action::{Ending, Kind};
use chronotap_engine::trial::Trial;
use chronotap_time::Nanos;

/// What the runner knows besides the entries.
#[derive(Clone, Debug, Default)]
pub struct Circumstances {
    /// Lateness of output that is allowed.
    pub limit: Nanos,
    /// Events that found the recorder's queue full.
    pub dropped: u64,
    /// Tones and inputs that found no room, and messages that no port took.
    pub lost: u64,
    /// The constant latency of each output, in the trial's order; none where shorter.
    pub latencies: Vec<Nanos>,
    /// What the sound cards' callbacks amount to.
    pub loads: Vec<Load>,
    /// Whether the watchdog acted.
    pub watchdog: bool,
    /// Time between services, in real time.
    pub services: Option<ServiceIntervals>,
    /// Faults and switches, in real time.
    pub system: Option<System>,
}

/// The summary of a trial.
pub fn summarize(title: &str, trial: &Trial, entries: &[Entry], seen: &Circumstances) -> Summary {
    let lateness = lateness(entries, &seen.latencies);
    let end = entries.iter().rev().find_map(|entry| match entry.action.kind {
        Kind::End(ending) => Some((ending, entry.action.instant)),
        _ => None,
    });
    let xruns = entries.iter().filter(|entry| entry.action.kind == Kind::Xrun).count() as u64;
    let (ending, length) = end.map_or(("cut short", Nanos::ZERO), |(e, at)| (ending_word(e), at));
    Summary::of(&Observed {
        title,
        ending,
        length,
        pacing: pacing(trial, entries),
        taps: taps(trial, entries),
        lateness: &lateness,
        latencies: latencies(trial, &seen.latencies),
        services: seen.services,
        system: seen.system,
        limit: seen.limit,
        dropped: seen.dropped,
        lost: seen.lost,
        xruns,
        sound_cards: seen.loads.iter().map(|load| sound_card(load, xruns)).collect(),
        watchdog: seen.watchdog,
    })
}

/// Of the xruns those that the events have: the card goes on for a while after the end.
fn sound_card(load: &Load, xruns: u64) -> SoundCard {
    SoundCard {
        outputs: load.outputs.clone(),
        callbacks: load.callbacks,
        lost: load.lost,
        period_us: load.period.as_micros_f64(),
        mean_load: load.mean_share(),
        worst_load: load.worst_share(),
        worst_at_s: load.longest_at.as_secs_f64(),
        latest_us: load.latest.as_micros_f64(),
        xruns,
    }
}

/// Why a trial ended, in words.
pub fn ending_word(ending: Ending) -> &'static str {
    match ending {
        Ending::Trigger => "its trigger",
        Ending::Interrupted => "interruption",
        Ending::InputClosed => "a closed input",
        Ending::Recorder => "the recorder (the disk refused)",
        Ending::TimeLimit => "the time limit",
    }
}

/// Achieved - deadline, less what the output is late by always.
fn lateness(entries: &[Entry], latencies: &[Nanos]) -> Vec<Nanos> {
    let constant = |output: u16| latencies.get(usize::from(output)).copied();
    let outputs = entries.iter().filter(|entry| entry.action.is_output());
    let late = |entry: &Entry| {
        let constant = constant(entry.action.port).unwrap_or(Nanos::ZERO);
        Some(entry.achieved? - entry.action.deadline - constant)
    };
    outputs.filter_map(late).collect()
}

/// The outputs that have a constant latency, by name.
fn latencies<'a>(trial: &'a Trial, latencies: &[Nanos]) -> Vec<(&'a str, Nanos)> {
    let all = trial.outputs.iter().map(String::as_str).zip(latencies.iter().copied());
    all.filter(|(_, latency)| *latency > Nanos::ZERO).collect()
}

/// When the beats of each stream sounded; a chord is one beat.
fn pacing<'a>(trial: &'a Trial, entries: &[Entry]) -> Vec<Onsets<'a>> {
    let mut streams: Vec<_> = trial.pacing.iter().map(|p| (Onsets::named(&p.name), 0)).collect();
    for entry in entries {
        if let (Kind::Pacing(i), Some(at)) = (entry.action.kind, entry.achieved) {
            let (stream, last) = &mut streams[usize::from(i)];
            if *last != entry.action.number || stream.onsets.is_empty() {
                stream.onsets.push(at);
            }
            *last = entry.action.number;
        }
    }
    streams.into_iter().map(|(stream, _)| stream).collect()
}

fn taps<'a>(trial: &'a Trial, entries: &[Entry]) -> Vec<Onsets<'a>> {
    let mut inputs: Vec<_> = trial.inputs.iter().map(|input| Onsets::named(&input.name)).collect();
    for entry in entries {
        if let (Kind::Tap(i), 1..) = (entry.action.kind, entry.action.number) {
            inputs[usize::from(i)].onsets.push(entry.action.deadline);
        }
    }
    inputs.iter_mut().for_each(|input| input.onsets.sort_unstable());
    inputs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settled;
    use chronotap_experiment::TrialFile;

    const PERIOD: Nanos = Nanos(5_333_333); // 256 frames at 48 kHz

    /// Ten beats, each played so long after its deadline as `late` says, on an output
    /// of one period's latency.
    fn played(late: impl Fn(u32) -> Nanos) -> (TrialFile, Vec<Entry>) {
        let text = "[pacing.beats]\ninterval = \"100 ms\"\nbeats = 10\n[[when]]\ntime = \"2 s\"\nend = true\n";
        let file = TrialFile::parse(text, "beats.toml").unwrap();
        let mut engine = chronotap_engine::Engine::new(std::sync::Arc::new(file.trial.clone()), 1);
        let mut entries = Vec::new();
        engine.advance(Nanos::from_secs(3), &mut |action| {
            let late = if action.is_output() { late(action.number) } else { Nanos::ZERO };
            let achieved = Some(action.deadline + late);
            entries.push(Entry { action: *action, achieved, stamp: None, frame: None });
        });
        (file, entries)
    }

    fn judged(file: &TrialFile, entries: &[Entry], latencies: Vec<Nanos>) -> Summary {
        let limit = Nanos::from_millis(1);
        let seen = Circumstances { limit, latencies, ..Circumstances::default() };
        summarize("beats", &file.trial, &settled(entries), &seen)
    }

    #[test]
    fn a_constant_period_is_stated_and_does_not_fail_a_trial() {
        let (file, entries) = played(|n| PERIOD + Nanos(i64::from(n)));
        let summary = judged(&file, &entries, vec![PERIOD]);
        assert!(summary.verdict.passed, "{summary}");
        assert!(summary.lateness.as_ref().unwrap().max_us < 1.0);
        assert!(summary.to_string().contains("after a constant 5333.3 us"), "{summary}");
        assert!(!judged(&file, &entries, vec![]).verdict.passed, "without the statement it fails");
    }

    #[test]
    fn beats_that_fall_a_period_late_fail_it() {
        let (file, entries) = played(|n| if n == 7 { PERIOD * 2 } else { PERIOD });
        let summary = judged(&file, &entries, vec![PERIOD]);
        assert!(!summary.verdict.passed);
        assert!(summary.verdict.reasons[0].contains("the greatest lateness 5333.3 us"), "{summary}");
    }

    #[test]
    fn the_last_word_on_a_beat_counts() {
        let (file, mut entries) = played(|_| PERIOD);
        let beat = entries.iter().find(|entry| entry.action.is_output()).unwrap().action;
        let late = beat.deadline + PERIOD * 2;
        entries.push(Entry::correction(beat, Some(late.into())));
        let summary = judged(&file, &entries, vec![PERIOD]);
        assert_eq!(summary.lateness.unwrap().over_limit, 1);
    }

    #[test]
    fn xruns_are_counted_and_doubted() {
        let (file, mut entries) = played(|_| PERIOD);
        let mut xrun = *entries.last().unwrap();
        xrun.action.kind = Kind::Xrun;
        entries.insert(0, xrun);
        let summary = judged(&file, &entries, vec![PERIOD]);
        assert!(summary.verdict.passed && summary.xruns == 1);
        assert_eq!(summary.verdict.doubts.len(), 1, "{summary}");
    }
}
