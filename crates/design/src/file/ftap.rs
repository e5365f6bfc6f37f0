//! What is told of a trial file that is a configuration file of FTAP: what was read how, and its mistakes.

use chronotap_config::ftap::{FtapMistakes, ImportedFile, LineRead, Mistake, WayOut};
use chronotap_config::trial_files::Problem;

/// What an import says, each with its line, 0 where the whole file is meant.
pub(crate) fn said(imported: &ImportedFile) -> Vec<LineRead> {
    let readings = imported.readings.iter().map(|reading| (0, reading.clone()));
    readings.chain(imported.notes.iter().map(|note| (note.line, note.remark.to_string()))).collect()
}

/// The mistakes of a file of FTAP that is called so, told with those of the study.
pub(crate) fn problems(mistakes: &FtapMistakes, file: &str) -> Vec<Problem> {
    let by_cause = mistakes.by_cause();
    by_cause.iter().map(|(mistake, lines)| problem(mistake, lines, file)).collect()
}

fn problem(mistake: &Mistake, lines: &[usize], file: &str) -> Problem {
    let Mistake { line, fault, way_out, .. } = mistake;
    let under = |key: &str, answer: &str, what: &str| {
        format!("write {key} = [\"{answer}\"] under [ftap] of the study to {what}")
    };
    let reading = fault.way().map(|way| under("reading", &way.reading, way.says));
    let left_out = way_out.map(|way| match way {
        WayOut::Reading(name, answer) => {
            under("reading", &format!("{name}={answer}"), "leave such lines out")
        }
        WayOut::Without(part) => under("without", part, "drop it"),
    });
    let cure = match (reading, left_out) {
        (Some(reading), Some(left_out)) => format!("{reading}; or {left_out}"),
        (Some(one), None) | (None, Some(one)) => format!("correct it, or {one}"),
        (None, None) => format!("correct it; `chronotap check {file}` says what to write"),
    };
    Problem {
        file: file.to_owned(),
        line: *line,
        column: usize::from(*line > 0),
        message: mistake.with_lines(lines),
        cure: Some(cure),
        nearest: None,
    }
}
