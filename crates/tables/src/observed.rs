//! From a recorded trial to what was observed in it: beats and taps, as the summary of the
//! trial took them.

use chronotap_analysis::observed::{Answers, Beat, Input, Observed, Stream, Tap};
use chronotap_engine::trial::Step;
use chronotap_experiment::TrialFile;
use chronotap_record::{Flag, Recording, TrialType};
use chronotap_time::Nanos;

/// What was observed. Of the timing nothing: its verdict stands in the recording.
pub(crate) fn observed<'a>(recording: &Recording, file: &'a TrialFile) -> Observed<'a> {
    let mut pacing: Vec<Stream<'a>> = file.trial.pacing.iter().map(stream).collect();
    let mut taps: Vec<Input<'a>> =
        file.trial.inputs.iter().map(|input| Input::tapped(&input.name, [])).collect();
    for row in &recording.rows {
        let Some(name) = row.name.as_deref() else { continue };
        match row.trial_type {
            TrialType::Pacing => {
                let stream = pacing.iter_mut().find(|stream| stream.name == name);
                let parts = stream.zip(row.number).zip(row.deadline.zip(row.achieved));
                let Some(((stream, number), (deadline, at))) = parts else { continue };
                // A chord is one beat.
                let last = stream.beats.last().map(|beat| (beat.number, beat.deadline));
                if last != Some((number, deadline)) {
                    stream.beats.push(Beat { id: row.event_id, number, deadline, at });
                }
            }
            TrialType::Tap => {
                let Some(input) = taps.iter_mut().find(|input| input.name == name) else {
                    continue;
                };
                let debounced = row.flag == Some(Flag::Debounced);
                let onset = row.achieved.unwrap_or(row.onset);
                input.taps.push(Tap { id: row.event_id, onset, debounced });
            }
            _ => {}
        }
    }
    taps.iter_mut().for_each(|input| input.taps.sort_by_key(|tap| tap.onset));
    let place = |(input, stream): &(u16, u16)| (usize::from(*input), usize::from(*stream));
    let pairs = Some(file.answers.pairs.iter().map(place).collect());
    Observed {
        length: recording.end().map_or(Nanos::ZERO, |end| end.engine),
        pacing,
        taps,
        answers: Answers { pairs, ..Answers::default() },
        ..Observed::default()
    }
}

fn stream(pacing: &chronotap_engine::trial::Pacing) -> Stream<'_> {
    Stream {
        name: &pacing.name,
        pattern: pacing.pattern.iter().map(|step| *step != Step::Rest).collect(),
        adaptive: pacing.adapt.is_some(),
        beats: Vec::new(),
    }
}

/// Marks taps that come too soon after the last one that counts.
pub(crate) fn debounce(observed: &mut Observed<'_>, minimum: Nanos) -> usize {
    let mut marked = 0;
    for input in &mut observed.taps {
        let mut last: Option<Nanos> = None;
        for tap in input.taps.iter_mut().filter(|tap| !tap.debounced) {
            if last.is_some_and(|last| tap.onset - last < minimum) {
                tap.debounced = true;
                marked += 1;
            } else {
                last = Some(tap.onset);
            }
        }
    }
    marked
}
