//! From recorded entries to the summary of a trial.

use chronotap_analysis::services::ServiceIntervals;
use chronotap_analysis::summary::{Observed, Onsets, Summary, System};
use chronotap_engine::action::{Ending, Kind};
use chronotap_engine::trial::Trial;
use chronotap_record::Entry;
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
    /// Whether the watchdog acted.
    pub watchdog: bool,
    /// Time between services, in real time.
    pub services: Option<ServiceIntervals>,
    /// Faults and switches, in real time.
    pub system: Option<System>,
}

/// The summary of a trial.
pub fn summarize(title: &str, trial: &Trial, entries: &[Entry], seen: &Circumstances) -> Summary {
    let lateness = lateness(entries);
    let end = entries.iter().rev().find_map(|entry| match entry.action.kind {
        Kind::End(ending) => Some((ending, entry.action.instant)),
        _ => None,
    });
    let (ending, length) = end.map_or(("cut short", Nanos::ZERO), |(e, at)| (ending_word(e), at));
    Summary::of(&Observed {
        title,
        ending,
        length,
        pacing: pacing(trial, entries),
        taps: taps(trial, entries),
        lateness: &lateness,
        services: seen.services,
        system: seen.system,
        limit: seen.limit,
        dropped: seen.dropped,
        lost: seen.lost,
        watchdog: seen.watchdog,
    })
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

fn lateness(entries: &[Entry]) -> Vec<Nanos> {
    let outputs = entries.iter().filter(|entry| entry.action.is_output());
    outputs.filter_map(|entry| Some(entry.achieved? - entry.action.deadline)).collect()
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
