//! The tracks of staircases: which levels they went through, and where they ended.

use super::RecordedTrials;
use super::words::{counted, number, person};
use crate::html::element;
use crate::plot::{Axis, MOST_LINES, Plot, PlotLine};
use chronotap_data::tables::{Track, tracks};

/// So many people are drawn.
const DRAWN: usize = 24;
const DECIMALS: usize = 1;

/// The section; empty where there are no staircases.
pub(super) fn section(of: &RecordedTrials<'_>) -> String {
    let tracks = tracks(of.sources).unwrap_or_default();
    let mut people: Vec<Vec<&Track>> = Vec::new();
    for track in &tracks {
        match people.last_mut().filter(|last| is_of_one_picture(last[0], track)) {
            Some(last) => last.push(track),
            None => people.push(vec![track]),
        }
    }
    if people.is_empty() {
        return String::new();
    }
    let pictures: String = people.iter().take(DRAWN).map(|tracks| picture(tracks)).collect();
    let more = match people.len().saturating_sub(DRAWN) {
        0 => String::new(),
        more => element("p", &format!("{} more are not drawn.", counted(more, "track"))),
    };
    format!("<div class=\"plots\">\n{pictures}</div>\n{more}")
}

fn is_of_one_picture(one: &Track, other: &Track) -> bool {
    (&one.participant, &one.session, &one.step) == (&other.participant, &other.session, &other.step)
}

fn picture(tracks: &[&Track]) -> String {
    let first = tracks[0];
    let label = first.participant.as_deref().map(|id| id.trim_start_matches("sub-"));
    let place =
        [first.session.as_deref().map(|session| format!("session {session}")), first.step.clone()];
    let place: String = place.into_iter().flatten().map(|part| format!(", {part}")).collect();
    let levels = || tracks.iter().flat_map(|track| track.trials.iter().map(|trial| trial.level));
    let most = levels().fold(0.0, f64::max);
    let longest = tracks.iter().map(|track| track.trials.len()).max().unwrap_or(1);
    let unit = if first.unit.is_empty() { String::new() } else { format!(" ({})", first.unit) };
    Plot {
        title: format!("{}{place}: staircases", person(label)),
        description: format!(
            "{}.",
            tracks.iter().map(|track| end_of(track)).collect::<Vec<_>>().join("; ")
        ),
        x: Axis::linear("answer", 0.5, longest as f64 + 0.5),
        y: Axis::linear(&format!("level{unit}"), 0.0, if most > 0.0 { most * 1.05 } else { 1.0 }),
        lines: tracks.iter().take(MOST_LINES).map(|track| line(track)).collect(),
    }
    .html()
}

fn line(track: &Track) -> PlotLine {
    let places = track.trials.iter().enumerate();
    let places = places.map(|(place, trial)| (place as f64 + 1.0, trial.level));
    PlotLine::through(&track.staircase, places.collect())
}

/// Where a track ended, and on how much that rests.
fn end_of(track: &Track) -> String {
    let unit = if track.unit.is_empty() { String::new() } else { format!(" {}", track.unit) };
    let found = match track.threshold {
        Some(threshold) => format!("threshold {}{unit}", number(threshold, DECIMALS)),
        None => "no threshold".to_owned(),
    };
    let reversals = track.trials.iter().filter(|trial| trial.reversal).count();
    let right = track.trials.iter().filter(|trial| trial.correct == Some(true)).count();
    let answers = counted(track.trials.len(), "answer");
    let reversals = counted(reversals, "reversal");
    format!("{}: {found}; {answers}, {right} right, {reversals}", track.staircase)
}
