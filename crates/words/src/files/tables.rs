//! What is said of the tables of an analysis.

use super::session::WRONG_SINCE;
use crate::{Says, Sentences, Surface, row, with};
use chronotap_core::files::is_held;
use chronotap_data::tables::{Aside, TablesError, UnreadError, Why, Wrong};

pub(super) const ROWS: &[Sentences] = &[row::<TablesError>(), row::<UnreadError>(), row::<Wrong>()];

impl Says for TablesError {
    fn says(&self, surface: Surface) -> String {
        let cure = match self {
            TablesError::Read { .. } => "name a dataset, or events files (…_events.tsv)",
            TablesError::Nothing { .. } => "name the folder of the dataset, above sub-…",
            TablesError::AllWithdrew { .. } => "name other trials",
            TablesError::Above { .. } => "name one of them",
            TablesError::Within { .. } => {
                "name the whole dataset; `chronotap report` has --participant and --session"
            }
            TablesError::Astray { .. } => "give folders and files the names that they had",
            TablesError::Unfinished { .. } => {
                "the next session finishes it, and so does the same `chronotap correct`"
            }
            TablesError::AllExcluded { .. } => {
                "name other trials, or look at [exclude] in its experiment file"
            }
            TablesError::Mixed { .. } => "name one dataset, or only events files",
            TablesError::Table { .. } => "bring back the table that `chronotap run` wrote",
            TablesError::Exchanged { .. } => {
                let repair = surface.in_python("`chronotap repair`", "`chronotap repair DATASET`");
                return with(self, format!("{WRONG_SINCE}; {repair} makes the table again"));
            }
            TablesError::NoPlace => "say where, with --to DIR",
            TablesError::Exists { .. } => "choose another folder with --to DIR",
            TablesError::Contrast { source, .. } => return source.says(surface),
            TablesError::Write { source, .. } if is_held(source) => {
                "close it in the program that has it open, or name a writable folder with --to DIR"
            }
            TablesError::Write { .. } => "name a writable folder with --to DIR",
        };
        with(self, cure)
    }
}

impl Says for UnreadError {
    fn says(&self, surface: Surface) -> String {
        match self {
            UnreadError::File(error) => error.says(surface),
            UnreadError::Recorded { path, source } => {
                format!("{}: {}", path.display(), source.says(surface))
            }
        }
    }
}

impl Says for Wrong {
    fn says(&self, _: Surface) -> String {
        match self {
            Wrong::NotUtf8(found) if found.what.is_some() => {
                with(self, super::exchange::as_text(found))
            }
            Wrong::NotUtf8(_)
            | Wrong::Cells { .. }
            | Wrong::NoColumn(_)
            | Wrong::Outside(_)
            | Wrong::OfAnother(_)
            | Wrong::Twice(_) => self.to_string(),
        }
    }
}

/// What is said of something in a dataset that is left out.
pub fn said_aside(aside: &Aside) -> String {
    let cure = match aside.why {
        Why::Copy => "move it out of the dataset",
        Why::Elsewhere { .. } => "give it the name that it had, or move it out of the dataset",
        Why::Dataset => "keep it outside of this one, or name it by itself",
        Why::Same { .. } => "keep one of both in the dataset",
    };
    format!("{aside}; {cure}")
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    use chronotap_core::files::NotUtf8;
    use chronotap_data::tables::ContrastError;
    let path = || std::path::PathBuf::from("data/sub-01_beh.tsv");
    let source = || std::io::Error::from_raw_os_error(2);
    let table = |wrong| TablesError::Table { path: path(), line: 3, wrong };
    let all = [
        TablesError::Read { path: path(), source: source() },
        TablesError::Nothing { path: path() },
        TablesError::AllWithdrew { path: path() },
        TablesError::Above {
            path: path(),
            datasets: vec!["data/delay".into(), "data/tempo".into()],
        },
        TablesError::Unfinished { path: path() },
        TablesError::Within { path: path(), dataset: "data/delay".into() },
        TablesError::Astray {
            path: path(),
            aside: Aside {
                shown: "sub-04".into(),
                why: Why::Elsewhere {
                    file: "sub-03_task-two_beh.tsv".into(),
                    due: "sub-03/beh".into(),
                },
            },
        },
        TablesError::AllExcluded { path: path() },
        TablesError::Mixed { path: path() },
        table(Wrong::NotUtf8(NotUtf8 { line: 3, offset: 40, byte: 0xff, what: None })),
        table(Wrong::Cells { found: 3, needed: 4 }),
        table(Wrong::NoColumn("events".into())),
        table(Wrong::Outside("../a_events.tsv".into())),
        table(Wrong::OfAnother("sub-03/beh/sub-03_task-two_run-01_events.tsv".into())),
        table(Wrong::Twice("sub-01/beh/sub-01_task-two_run-01_events.tsv".into())),
        TablesError::Exchanged { path: path(), factors: vec!["drug".into(), "delay".into()] },
        TablesError::NoPlace,
        TablesError::Exists { path: path() },
        TablesError::Contrast {
            words: "taps: delay 0 ms - 0 ms".into(),
            source: ContrastError::Same("0 ms".into()),
        },
        TablesError::Write { path: path(), source: source() },
    ];
    let (path, source) = (path(), source());
    let unread = UnreadError::File(chronotap_data::record::ReadError::File { path, source });
    let all = all.into_iter().map(|error| Box::new(error) as _);
    all.chain([Box::new(unread) as _]).collect()
}
