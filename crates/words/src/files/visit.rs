//! What is said of sessions under way.

use super::record::unsaved;
use super::session::{FROM_A_BACKUP, NAMES_BACK, unfinished_correction};
use crate::files::cure;
use crate::{AGAIN, BETWEEN, Says, Sentences, Surface, of, row, with};
use chronotap_session::Attrition;
use chronotap_visit::SessionError;

pub(super) const ROWS: &[Sentences] = &[row::<SessionError>()];

impl Says for SessionError {
    fn says(&self, surface: Surface) -> String {
        match self {
            SessionError::Dataset(error) => error.says(surface),
            SessionError::Journal(error) => error.says(surface),
            SessionError::Study(error) => error.says(surface),
            SessionError::Laboratory(error) => of(&**error, surface),
            SessionError::Record(error) => error.says(surface),
            SessionError::NotSaved(error) if surface == Surface::Page => {
                format!("{}, {}", unsaved(error), AGAIN.on(surface))
            }
            SessionError::NotSaved(error) => {
                format!("{}; {}", error.says(surface), AGAIN.on(surface))
            }
            SessionError::Elsewhere { moved, .. } => {
                let (cure, then) = (cure(moved.refusal), surface.on_page(",", ";"));
                with(self, format!("{cure}{then} {}", AGAIN.on(surface)))
            }
            SessionError::Read(error) => error.says(surface),
            SessionError::Recorded(error) => error.says(surface),
            SessionError::Frontend(error) => error.says(surface),
            SessionError::Running { .. } => {
                let found = surface.pick(
                    " (one with pages is found by `chronotap console`)",
                    " (one with pages is in the list of the console)",
                    "",
                );
                with(self, format!("end that one first{found}"))
            }
            SessionError::Alike { .. } => with(self, "take a label that differs in more"),
            SessionError::Correction(error) => unfinished_correction(error, surface),
            SessionError::Renamed { .. } => with(self, NAMES_BACK),
            SessionError::Withdrawn { .. } => with(self, another(surface)),
            SessionError::Left { how, .. } => with(self, returns(*how, surface)),
            SessionError::OtherCell { .. } => {
                let it = surface.in_terminal("the option", "it");
                format!("{}{self}; leave {it} out", BETWEEN.on(surface))
            }
            SessionError::Follows { fields, .. } => {
                let answers = || fields.iter().map(|name| format!("--answer {name}=…"));
                let answer = match surface {
                    Surface::Terminal => {
                        format!("give {}", answers().collect::<Vec<_>>().join(" "))
                    }
                    Surface::Page | Surface::Python => format!("answer {}", fields.join(" and ")),
                };
                format!("{}{self}; {answer} instead", BETWEEN.on(surface))
            }
            SessionError::Between(error) => of(error, surface),
            SessionError::NoFirstSession { .. } => with(self, "run it first"),
            SessionError::Changed { .. } => {
                let go_on = surface.pick(
                    "go on with --changed",
                    "tick that you go on with the files as they are now",
                    "go on with changed=True",
                );
                let restore = "restore what was there (sourcedata/study-*)";
                with(self, format!("{restore}, or {go_on}, which is recorded"))
            }
            SessionError::OtherPlan { .. } => with(self, FROM_A_BACKUP),
            SessionError::OtherSteps { .. } => {
                let what = surface.in_python("the study", "the steps");
                with(self, format!("restore {what} that it began with (sourcedata/study-*)"))
            }
            SessionError::OtherFactors { .. } => {
                let what = surface.in_python("the study that", "those that");
                with(self, format!("restore {what} it began with (sourcedata/study-*)"))
            }
            SessionError::OtherTapper { .. } => {
                let folder = surface.pick(
                    "give another folder with --data",
                    "choose another folder",
                    "give another folder as data=",
                );
                with(self, format!("{folder}, or go on with the same"))
            }
            // Python begins no session in its middle.
            SessionError::NoStep { .. } | SessionError::FromUnderWay { .. }
                if surface == Surface::Python =>
            {
                self.to_string()
            }
            SessionError::NoStep { step, known, near: None } => {
                let no_step = surface.on_page(format!("{self};"), format!("--from {step}:"));
                format!("{no_step} the steps are {}", known.join(", "))
            }
            SessionError::NoStep { near: Some(near), .. } => {
                format!("{}{self}; did you mean \"{near}\"?", surface.in_terminal("--from ", ""))
            }
            SessionError::FromUnderWay { .. } => {
                let from = surface.in_terminal("--from ", "");
                let leave = surface.in_terminal("leave the option out", "begin it where it was");
                format!("{from}{self}; {leave}, or take another label")
            }
            SessionError::Gone { .. } => {
                with(self, format!("restore them from a backup, {}", AGAIN.on(surface)))
            }
            SessionError::NotBegun => self.to_string(),
        }
    }
}

/// What to do where a label cannot take part.
fn another(surface: Surface) -> &'static str {
    surface.in_python("give another participant", "take another label")
}

/// What to do where somebody left the study, and a session of theirs is to begin.
fn returns(how: Attrition, surface: Surface) -> &'static str {
    match how {
        Attrition::Declined | Attrition::Ended => another(surface),
        Attrition::DroppedOut if surface != Surface::Terminal => another(surface),
        Attrition::DroppedOut => {
            "take another label, or say that they are back with `chronotap dropout --undo`"
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    use chronotap_core::files::Refusal;
    use chronotap_data::record::{Left, RecordError};
    use chronotap_recorder::Moved;
    use chronotap_session::correct::CorrectError;
    let full = || std::io::Error::from_raw_os_error(28);
    let text = |text: &str| text.to_owned();
    let label = || text("01");
    let session = [
        SessionError::Running { label: label() },
        SessionError::Correction(Box::new(CorrectError::Running { label: label() })),
        SessionError::Alike { label: text("Anna"), there: text("anna") },
        SessionError::Renamed { path: "a_journal.jsonl".into(), due: "b_journal.jsonl".into() },
        SessionError::Withdrawn { label: label() },
        SessionError::Left { label: label(), how: Attrition::Declined },
        SessionError::Left { label: label(), how: Attrition::DroppedOut },
        SessionError::OtherCell {
            label: label(),
            factor: text("hand"),
            named: text("left"),
            assigned: text("right"),
        },
        SessionError::Follows {
            factor: text("group"),
            level: text("musician"),
            fields: vec![text("training")],
        },
        SessionError::NoFirstSession { label: label() },
        SessionError::Changed { files: vec![text("sync.toml"), text("study.toml")] },
        SessionError::OtherPlan { path: text("data/plan.tsv") },
        SessionError::OtherSteps { step: text("main"), label: label() },
        SessionError::OtherFactors { factors: vec![text("delay"), text("tempo")], label: label() },
        SessionError::OtherTapper { label: label(), tapped: text("tapper, mean = -30 ms") },
        SessionError::NoStep {
            step: text("mian"),
            known: vec![text("practice"), text("main")],
            near: Some(text("main")),
        },
        SessionError::NoStep { step: text("x"), known: vec![text("practice")], near: None },
        SessionError::FromUnderWay { step: text("main"), label: label() },
        SessionError::Gone { paths: vec![text("data/a_events.tsv"), text("data/b_events.tsv")] },
        SessionError::NotBegun,
        SessionError::NotSaved(RecordError::Unsaved {
            path: "data/a_events.tsv".into(),
            source: full(),
            left: Left::Journal("data/a.journal".into()),
        }),
        SessionError::Elsewhere {
            moved: Moved { because: text("data: full"), refusal: Refusal::Full, left: None },
            tsv: "/spare/a_events.tsv".into(),
        },
    ];
    session.into_iter().map(|error| Box::new(error) as _).collect()
}
