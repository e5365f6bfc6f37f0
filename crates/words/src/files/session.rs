//! What is said of sessions, their datasets and journals.

use crate::files::cure;
use crate::{AGAIN, ANSWERS, OTHER_FOLDER, Says, Sentences, Surface, of, row, with};
use chronotap_core::files::Refusal;
use chronotap_data::record::PROGRAM;
use chronotap_design::Ends;
use chronotap_session::backup::BackupError;
use chronotap_session::correct::CorrectError;
use chronotap_session::merge::MergeError;
use chronotap_session::pack::{BadPack, PackDifference, PackError};
use chronotap_session::rehearse::RehearseError;
use chronotap_session::repair::RepairError;
use chronotap_session::verify::DatasetProblem;
use chronotap_session::withdraw::{Done, WithdrawError, WithdrawalStep};
use chronotap_session::{
    DatasetError, Ending, FrontendError, KeptError, OpenJournalError, StudyError,
};
use std::io;
use std::path::Path;

pub(super) const ROWS: &[Sentences] = &[
    row::<PackError>(),
    row::<BadPack>(),
    row::<PackDifference>(),
    row::<BackupError>(),
    row::<MergeError>(),
    row::<CorrectError>(),
    row::<RepairError>(),
    row::<DatasetError>(),
    row::<FrontendError>(),
    row::<OpenJournalError>(),
    row::<KeptError>(),
    row::<RehearseError>(),
    row::<DatasetProblem>(),
    row::<StudyError>(),
    row::<WithdrawError>(),
];

pub(super) const WRONG_SINCE: &str =
    "an earlier version wrote it so, and what was computed from it is wrong";
pub(crate) const FROM_A_BACKUP: &str = "restore it from a backup";
pub(crate) const NAMES_BACK: &str = "give folders and files back the names that they had";

/// What is said when a session is over for now.
pub fn ended(ending: Ending, surface: Surface) -> &'static str {
    match ending {
        Ending::Completed => "The session is complete.",
        Ending::Answered(Ends::Participation) => {
            "An answer ended the participation; no further session comes."
        }
        Ending::Answered(Ends::Session) => "An answer ended the session.",
        Ending::Stopped => surface.on_page(
            "The session is stopped; begun again, it goes on where it was.",
            "The session is stopped; the same command goes on with it.",
        ),
    }
}

const LOCKS: &str =
    "name a folder on a disk of this computer, or have the locks of its server turned on";
const REPAIR: &str = "`chronotap repair DATASET` makes the table again, and what is recorded stays";
const OTHER_GROUPS: &str = "restore the study (sourcedata/study-*), or name another folder";

impl Says for FrontendError {
    fn says(&self, surface: Surface) -> String {
        match self {
            FrontendError::Missing { name, expected, .. } => {
                let give = match surface {
                    Surface::Page => return with(self, format!("it takes {expected}")),
                    Surface::Terminal => format!("the answer with --answer {name}=…"),
                    Surface::Python => format!("answers={{\"{name}\": …}}"),
                };
                with(self, format!("give {give} ({expected})"))
            }
            FrontendError::Refused { .. } => format!("{}{self}", ANSWERS.on(surface)),
            FrontendError::NotAsked { known, near, .. } => {
                format!("{}{self}; {}", ANSWERS.on(surface), meant(known, near.as_deref()))
            }
            FrontendError::Interrupted => self.to_string(),
        }
    }
}

/// What was probably meant by an answer to nothing, or what is asked.
fn meant(known: &[String], near: Option<&str>) -> String {
    match near {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("it asks {}", known.join(", ")),
    }
}

impl Says for StudyError {
    fn says(&self, surface: Surface) -> String {
        match self {
            StudyError::Problems(error) => of(error, surface),
            StudyError::Plan(error) => of(error, surface),
            StudyError::Trial(error) => of(error, surface),
            StudyError::Language { known, .. } => {
                let choose = surface.pick("name", "choose", "give language");
                with(self, format!("{choose} one of {}", known.join(", ")))
            }
            StudyError::OtherLanguage { .. } => {
                let choose =
                    surface.pick("leave out --language", "choose that", "leave out language");
                with(self, format!("{choose}: a session keeps its own"))
            }
            StudyError::Cell { .. } => with(self, "restore the table or the experiment file"),
        }
    }
}

/// Which folder to name where this is none of a dataset: it may be the study's, with the dataset below it.
fn where_a_dataset_is(path: &Path) -> String {
    const MARK: &str = "dataset_description.json";
    if path.is_file() {
        return format!("this is a file; name the folder that holds {MARK}");
    }
    let below = std::fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
    let below = below.filter(|folder| folder.join(MARK).is_file()).min();
    let meant = below.map(|folder| format!("; did you mean \"{}\"?", folder.display()));
    format!("name its folder, the one that holds {MARK}{}", meant.unwrap_or_default())
}

impl Says for DatasetError {
    fn says(&self, surface: Surface) -> String {
        match self {
            DatasetError::Disk { source, .. } => with(self, at_a_path(source)),
            DatasetError::NoLocks { .. } => with(self, LOCKS),
            DatasetError::OtherGroups { .. } => with(self, OTHER_GROUPS),
            DatasetError::NotADataset { .. }
            | DatasetError::OtherStudy { .. }
            | DatasetError::Simulated { .. }
            | DatasetError::NotEmpty { .. }
            | DatasetError::Imported { .. } => with(self, OTHER_FOLDER.on(surface)),
            DatasetError::Missing { path } => with(self, where_a_dataset_is(path)),
            DatasetError::Table { .. } => {
                with(self, format!("{FROM_A_BACKUP}, or remove it to have it made again"))
            }
            DatasetError::Levels { .. } if surface == Surface::Page => {
                let again = AGAIN.on(surface);
                with(self, format!("an earlier version wrote it so; {REPAIR}; {again}"))
            }
            DatasetError::Levels { .. } => with(self, format!("{WRONG_SINCE}; {REPAIR}")),
            DatasetError::NotMadeAgain { .. } => with(self, FROM_A_BACKUP),
            DatasetError::OtherFolder(error) => error.says(surface),
            DatasetError::Journal(error) => error.says(surface),
        }
    }
}

/// What to do about a file or folder of a dataset, which may be none.
fn at_a_path(refused: &io::Error) -> &'static str {
    match Refusal::of(refused) {
        Refusal::Gone => "check that the path is right, or put the folder back",
        Refusal::Broken => "check that the path is right, and that you may write there",
        other => cure(other),
    }
}

impl Says for OpenJournalError {
    fn says(&self, surface: Surface) -> String {
        match self {
            OpenJournalError::Disk { source, .. } | OpenJournalError::NotSynced { source, .. } => {
                with(self, format!("{}, {}", cure(Refusal::of(source)), AGAIN.on(surface)))
            }
            OpenJournalError::Newer { path, line, program } => format!(
                "{}:{line}: written by {program}, which is newer than this program ({PROGRAM}) \
                 reads; install that version; nothing was changed",
                path.display()
            ),
            OpenJournalError::Running { .. } => with(self, "end that one first"),
            OpenJournalError::Damaged { .. } => {
                let by = surface.on_page("", " (`chronotap backup` makes one)");
                with(self, format!("{FROM_A_BACKUP}{by}"))
            }
        }
    }
}

impl Says for KeptError {
    fn says(&self, surface: Surface) -> String {
        match self {
            KeptError::Dataset(error) => error.says(surface),
            KeptError::Journal(error) => error.says(surface),
            KeptError::Study { folder, source } => {
                format!("{}: {}", folder.display(), source.says(surface))
            }
            KeptError::NoStudy { .. } => with(self, "restore them from a backup"),
            KeptError::NoPlan { .. } => with(self, FROM_A_BACKUP),
            KeptError::Unfinished { .. } => {
                let also = surface.on_page("", ", and so does the same `chronotap correct`");
                with(self, format!("the next session finishes it{also}"))
            }
            KeptError::Renamed { .. } => with(self, NAMES_BACK),
        }
    }
}

impl Says for RehearseError {
    fn says(&self, surface: Surface) -> String {
        match self {
            RehearseError::Study(error) => error.says(surface),
            RehearseError::Between(error) => of(error, surface),
            RehearseError::Wires(error) => error.says(surface),
            RehearseError::Frontend(error) => error.says(surface),
        }
    }
}

impl Says for PackError {
    fn says(&self, surface: Surface) -> String {
        match self {
            PackError::Dataset(error) => error.says(surface),
            PackError::Kept(error) => error.says(surface),
            PackError::Study(error) => error.says(surface),
            PackError::Rehearse(error) => error.says(surface),
            PackError::Tables(error) => error.says(surface),
            PackError::There { .. } => with(self, "name a place where nothing is"),
            PackError::Disk { source, .. } => with(self, at_a_path(source)),
            PackError::Within { .. } => with(self, "name a place elsewhere with --output"),
            PackError::Outside { .. } => {
                with(self, "put it into the folder, and name it from there")
            }
            PackError::Name { .. } => with(self, "rename the file"),
            PackError::Trace { .. } => with(self, "take out what concerns them"),
            PackError::NoData { .. } => with(self, "pack the study's experiment file instead"),
            PackError::Unread { trials, .. } => {
                let all = if *trials > 1 {
                    format!(" ({trials} trials cannot be read)")
                } else {
                    String::new()
                };
                with(&format!("{self}{all}"), FROM_A_BACKUP)
            }
            PackError::Differs { first, all } => {
                let more = if *all > 1 { format!(" ({all} things differ)") } else { String::new() };
                let cure = "; analyze again, or see what `chronotap verify` finds";
                format!("{}{more}{cure}", first.says(surface))
            }
            PackError::Bad { path, source } => {
                format!("{}: {}", path.display(), source.says(surface))
            }
            PackError::Interrupted => format!("{self}; nothing is left behind"),
        }
    }
}

/// Versions before the first that refuses to pack such a name made packs with it.
const OPEN_ELSEWHERE: &str =
    "an earlier version packed it: open it on Linux or macOS, rename the file and pack it again";

impl Says for BadPack {
    fn says(&self, _: Surface) -> String {
        match self {
            BadPack::Newer { .. } => with(self, "install that version"),
            BadPack::NoManifest => with(self, "name a file that `chronotap pack` made"),
            BadPack::Zip(_) | BadPack::Manifest(_) => {
                with(self, "ask for the file once more, and compare its checksum")
            }
            BadPack::Name { why, .. } if why.is_of_windows() => with(self, OPEN_ELSEWHERE),
            BadPack::Name { .. }
            | BadPack::Kind { .. }
            | BadPack::Method { .. }
            | BadPack::Unlisted { .. }
            | BadPack::Missing { .. }
            | BadPack::Longer { .. }
            | BadPack::Bomb { .. } => {
                with(self, "`chronotap pack` makes no such file: ask whoever sent it")
            }
        }
    }
}

impl Says for PackDifference {
    fn says(&self, surface: Surface) -> String {
        match self {
            PackDifference::Problem(problem) => problem.says(surface),
            PackDifference::File { .. }
            | PackDifference::Cell { .. }
            | PackDifference::Line { .. }
            | PackDifference::Rows { .. }
            | PackDifference::Claim { .. }
            | PackDifference::Besides { .. }
            | PackDifference::Only { .. }
            | PackDifference::Lacks { .. } => self.to_string(),
        }
    }
}

impl Says for BackupError {
    fn says(&self, surface: Surface) -> String {
        match self {
            BackupError::Dataset(error) => error.says(surface),
            BackupError::There { .. } => with(self, "name a folder that is not"),
            BackupError::Within { .. } => with(self, "name a folder elsewhere"),
            BackupError::Disk { source, .. } => {
                with(self, format!("{}, or name another folder", cure(Refusal::of(source))))
            }
            BackupError::Differs { .. } => {
                with(self, "end sessions that are under way, and try another disk")
            }
        }
    }
}

impl Says for MergeError {
    fn says(&self, surface: Surface) -> String {
        match self {
            MergeError::Dataset(error) => error.says(surface),
            MergeError::There { .. } => with(self, "name a folder that is not"),
            MergeError::Within { .. } => with(self, "name a folder elsewhere"),
            MergeError::Twice { .. } => with(self, "name each share once"),
            MergeError::Lacks { .. } => with(self, "name all shares, each simulated to its end"),
            MergeError::Differs { .. } => with(
                self,
                "merge shares of one study with as many participants, made by one version",
            ),
            MergeError::Disk { source, .. } => {
                with(self, format!("{}, or name another folder", cure(Refusal::of(source))))
            }
            MergeError::Withdrew { .. } => with(self, "merge the shares again"),
            MergeError::Interrupted => self.to_string(),
        }
    }
}

/// Whatever comes next finishes a correction that was cut short, if it can.
pub(crate) fn unfinished_correction(error: &CorrectError, surface: Surface) -> String {
    format!("a correction that was cut short cannot be finished: {}", error.says(surface))
}

impl Says for WithdrawError {
    fn says(&self, surface: Surface) -> String {
        match self {
            WithdrawError::Dataset(error) => error.says(surface),
            WithdrawError::Unknown { .. } => with(
                self,
                surface.on_page(
                    "the list of its sessions says who is",
                    "`chronotap status` lists who is",
                ),
            ),
            WithdrawError::Gone { .. } => {
                let whole = surface.on_page("withdraw them with their data", "leave out --keep");
                with(self, format!("{whole} to look for what is left"))
            }
            WithdrawError::Correction(error) => unfinished_correction(error, surface),
            WithdrawError::Running { .. } => with(self, "end it first"),
        }
    }
}

impl Says for CorrectError {
    fn says(&self, surface: Surface) -> String {
        match self {
            CorrectError::Dataset(error) => error.says(surface),
            CorrectError::Kept(error) => error.says(surface),
            CorrectError::Journal(error) => error.says(surface),
            CorrectError::Study(error) => error.says(surface),
            CorrectError::Running { .. } => with(self, "end it first"),
            CorrectError::Done { .. } => {
                with(self, "let them take part under another label, and withdraw this one")
            }
            CorrectError::Withdrawn { .. } | CorrectError::Nothing { .. } => self.to_string(),
            // Elsewhere it is chosen from a list, or said by the field that is empty.
            CorrectError::Follows { .. } if surface != Surface::Terminal => {
                with(self, "correct that")
            }
            CorrectError::NoReason if surface != Surface::Terminal => with(self, "write why"),
            CorrectError::Nobody { .. }
            | CorrectError::Unknown { .. }
            | CorrectError::Refused { .. }
            | CorrectError::Drawn { .. }
                if surface != Surface::Terminal =>
            {
                self.to_string()
            }
            CorrectError::Nobody { .. } => with(self, "`chronotap status` lists who has"),
            CorrectError::Unknown { near: Some(near), .. } => {
                format!("--set {self}; did you mean \"{near}\"?")
            }
            CorrectError::Unknown { name, known, .. } if known.is_empty() => {
                format!(
                    "--set {name}: the study asks nothing about participants that can be corrected"
                )
            }
            CorrectError::Unknown { known, .. } => {
                format!("--set {self}; it has {}", known.join(", "))
            }
            CorrectError::Refused { .. } | CorrectError::Drawn { .. } => format!("--set {self}"),
            CorrectError::Follows { fields, .. } => {
                let cure: Vec<String> = fields.iter().map(|f| format!("--set {f}=…")).collect();
                format!("--set {self}; correct that: {}", cure.join(" "))
            }
            CorrectError::NoReason => with(self, "write it behind --reason"),
        }
    }
}

/// What is said of a file or folder of somebody who withdrew.
pub fn done_to(step: &WithdrawalStep, surface: Surface) -> String {
    match &step.done {
        Done::ReportRemoved => {
            with(step, surface.on_page("make it again", "`chronotap report` makes it again"))
        }
        Done::GatheredRemoved(_) => {
            with(step, surface.on_page("gather them again", "`chronotap gather` makes them again"))
        }
        Done::RemovedWithRows => with(step, "make it again"),
        Done::Removed
        | Done::RemovedLink
        | Done::RemovedFromSpare
        | Done::RowsTakenOut
        | Done::Analyzed
        | Done::AnalysisRemoved { .. }
        | Done::TrialRuns(_) => step.to_string(),
    }
}

impl Says for DatasetProblem {
    fn says(&self, surface: Surface) -> String {
        match self {
            DatasetProblem::Kept(error) => error.says(surface),
            DatasetProblem::People(error) => format!("participants.tsv: {}", error.says(surface)),
            DatasetProblem::Read { path, source } => {
                format!("{}: {}", path.display(), source.says(surface))
            }
            DatasetProblem::Recorded { path, source } => {
                format!("{}: {}", path.display(), of(source, surface))
            }
            DatasetProblem::NoSession { .. } => with(self, "begin it, or take the row out"),
            DatasetProblem::Analysis { .. } => with(self, "analyze again"),
            DatasetProblem::Trace { label, kept, .. } => {
                let keep = if *kept { " --keep" } else { "" };
                let withdraw = format!("`chronotap withdraw --participant {label}{keep}`");
                with(self, format!("{withdraw} takes it out, or says what is left to do"))
            }
            DatasetProblem::Row { .. } => with(self, "withdraw them again"),
            DatasetProblem::Outside { .. } => with(self, "move it in"),
            DatasetProblem::Levels { .. } => {
                with(self, "`chronotap repair DATASET` makes the table again from the journal")
            }
            DatasetProblem::Wrong { .. } => self.to_string(),
        }
    }
}

impl Says for RepairError {
    fn says(&self, surface: Surface) -> String {
        match self {
            RepairError::Dataset(error) => error.says(surface),
            RepairError::Kept(error) => error.says(surface),
            RepairError::Journal(error) => error.says(surface),
            RepairError::Running { .. } => with(self, "end it first"),
            RepairError::OtherPlan { .. } => with(self, FROM_A_BACKUP),
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    use chronotap_session::pack::BadName;
    use std::io::Error as Refused;
    let full = || Refused::from_raw_os_error(28);
    let forbidden = || Refused::from_raw_os_error(13);
    let text = |text: &str| text.to_owned();
    let path = || std::path::PathBuf::from("data/sub-01_journal.jsonl");
    let folder = || std::path::PathBuf::from("data");
    let label = || text("01");
    let mut all: Vec<Box<dyn std::error::Error>> = Vec::new();
    let journal = [
        OpenJournalError::Disk { path: path(), source: full() },
        OpenJournalError::NotSynced { path: path(), source: Refused::from_raw_os_error(5) },
        OpenJournalError::Newer { path: path(), line: 3, program: text("chronotap 9.0.0") },
        OpenJournalError::Running { path: path() },
        OpenJournalError::Damaged { path: path(), line: 7 },
    ];
    let other = chronotap_core::files::OtherFolder { path: folder() };
    let dataset = [
        DatasetError::Disk { path: path(), source: full() },
        DatasetError::Disk { path: path(), source: forbidden() },
        DatasetError::Disk { path: path(), source: Refused::from_raw_os_error(2) },
        DatasetError::NoLocks {
            path: folder().join("sourcedata/dataset.lock"),
            source: Refused::from_raw_os_error(37),
        },
        DatasetError::OtherGroups {
            path: folder(),
            study: text("other.toml"),
            there: vec![text("hand")],
            here: vec![text("arm")],
        },
        DatasetError::NotADataset { path: folder() },
        DatasetError::Missing { path: folder() },
        DatasetError::OtherStudy { path: folder(), there: text("Delay"), task: text("tapping") },
        DatasetError::Simulated { path: folder(), there: "people", here: "nobody" },
        DatasetError::NotEmpty { path: folder() },
        DatasetError::Imported { path: folder(), format: text("TeensyTap") },
        DatasetError::Table { path: folder().join("participants.tsv") },
        DatasetError::Levels {
            path: folder().join("sub-01_beh.tsv"),
            factors: vec![text("drug"), text("delay")],
            rows: 4,
        },
        DatasetError::NotMadeAgain { path: folder().join("assigned.tsv") },
        DatasetError::OtherFolder(other),
    ];
    let frontend = [
        FrontendError::Missing {
            name: text("hand"),
            question: text("Which hand?"),
            expected: text("left or right"),
        },
        FrontendError::Refused {
            name: text("hand"),
            given: text("both"),
            expected: text("left or right"),
        },
        FrontendError::NotAsked {
            name: text("efort"),
            known: vec![text("age"), text("effort")],
            near: Some(text("effort")),
        },
        FrontendError::NotAsked { name: text("x"), known: vec![text("age")], near: None },
        FrontendError::Interrupted,
    ];
    let renamed = KeptError::Renamed { path: path(), due: path() };
    let cut_short = KeptError::Unfinished { path: path() };
    let kept = [
        KeptError::NoStudy { path: path() },
        KeptError::NoPlan { path: path() },
        renamed,
        cut_short,
    ];
    let backup = [
        BackupError::There { path: folder() },
        BackupError::Within { path: folder() },
        BackupError::Disk { path: path(), source: full() },
        BackupError::Differs { path: path() },
    ];
    let other = || std::path::PathBuf::from("other");
    let merge = [
        MergeError::There { path: folder() },
        MergeError::Within { path: other(), part: folder() },
        MergeError::Twice { label: text("07"), first: folder(), second: other() },
        MergeError::Lacks { label: text("07"), all: 3 },
        MergeError::Differs { path: path(), first: folder(), second: other() },
        MergeError::Disk { path: path(), source: full() },
        MergeError::Withdrew { part: folder() },
        MergeError::Interrupted,
    ];
    let pack = [
        PackError::There { path: path() },
        PackError::Disk { path: path(), source: full() },
        PackError::Within { path: folder() },
        PackError::Outside { path: path() },
        PackError::Name { name: text("a:b.toml"), why: BadName::Character(':') },
        PackError::Trace { path: path(), label: label() },
        PackError::NoData { path: folder() },
        PackError::Unread { first: text("data/a_events.tsv: cannot read it"), trials: 2 },
        PackError::Differs { first: Box::new(PackDifference::Only { path: path() }), all: 2 },
        PackError::Bad { path: path(), source: BadPack::NoManifest },
        PackError::Interrupted,
    ];
    let name = || text("study/a");
    let bad_names = [
        BadName::NotText,
        BadName::Leads,
        BadName::Character('\u{1b}'),
        BadName::Long,
        BadName::Device,
        BadName::End,
        BadName::Twice,
        BadName::Clash,
    ];
    let mut bad = vec![
        BadPack::Zip(text("no end")),
        BadPack::NoManifest,
        BadPack::Manifest(text("no version")),
        BadPack::Newer { program: text("chronotap 9.0.0") },
        BadPack::Kind { name: name() },
        BadPack::Method { name: name() },
        BadPack::Unlisted { name: name() },
        BadPack::Missing { name: name() },
        BadPack::Longer { name: name(), stated: 7 },
        BadPack::Bomb { bytes: 1 << 40, most: 1 << 28 },
    ];
    bad.extend(bad_names.map(|why| BadPack::Name { name: name(), why }));
    let differences = [
        PackDifference::File { path: path() },
        PackDifference::Cell {
            path: path(),
            row: 3,
            column: text("taps"),
            packed: text("20"),
            again: text("21"),
        },
        PackDifference::Line { path: path(), line: 3, packed: text("a"), again: text("b") },
        PackDifference::Rows { path: path(), packed: 3, again: 4 },
        PackDifference::Only { path: path() },
        PackDifference::Claim { what: "trials", packed: text("9"), again: text("8") },
        PackDifference::Besides { path: path() },
        PackDifference::Lacks { path: path() },
    ];
    let withdraw = [
        WithdrawError::Unknown { label: label() },
        WithdrawError::Gone { label: label() },
        WithdrawError::Running { label: label() },
        WithdrawError::Correction(Box::new(CorrectError::Running { label: label() })),
    ];
    let (group, training) = (|| text("group"), || text("training"));
    let unknown = |name: &str, known: Vec<String>, near: Option<String>| CorrectError::Unknown {
        name: text(name),
        known,
        near,
    };
    let correct = [
        CorrectError::Nobody { label: label() },
        CorrectError::Withdrawn { label: label() },
        CorrectError::Running { label: label() },
        unknown("trainig", vec![training()], Some(training())),
        unknown("x", vec![training(), group()], None),
        unknown("x", Vec::new(), None),
        CorrectError::Refused { name: training(), given: text("old"), expected: text("a number") },
        CorrectError::Drawn { factor: text("hand") },
        CorrectError::Follows { factor: group(), fields: vec![training()] },
        CorrectError::Done {
            label: label(),
            trials: 2,
            levels: vec![(group(), text("musician"))],
            step: text("extra"),
        },
        CorrectError::Nothing { label: label() },
        CorrectError::NoReason,
    ];
    let repair = [RepairError::Running { label: label() }, RepairError::OtherPlan { path: path() }];
    let what = || text("changed since it was written");
    let problems = [
        DatasetProblem::NoSession { id: text("sub-01") },
        DatasetProblem::Analysis { path: path(), what: what() },
        DatasetProblem::Trace { path: path(), label: label(), kept: true },
        DatasetProblem::Trace { path: path(), label: label(), kept: false },
        DatasetProblem::Row { label: label() },
        DatasetProblem::Outside { path: text("../x") },
        DatasetProblem::Levels {
            path: path(),
            factors: vec![text("drug"), text("delay")],
            rows: 4,
        },
        DatasetProblem::Wrong { path: text("x"), what: what() },
    ];
    problems.into_iter().for_each(|error| all.push(Box::new(error)));
    journal.into_iter().for_each(|error| all.push(Box::new(error)));
    dataset.into_iter().for_each(|error| all.push(Box::new(error)));
    frontend.into_iter().for_each(|error| all.push(Box::new(error)));
    all.push(Box::new(StudyError::Cell { label: label() }));
    let (begun, wanted) = (text("de"), text("en"));
    all.push(Box::new(StudyError::OtherLanguage { begun, wanted }));
    let known = vec!["en".to_owned(), "de".to_owned()];
    all.push(Box::new(StudyError::Language { language: "fr".to_owned(), known }));
    kept.into_iter().for_each(|error| all.push(Box::new(error)));
    backup.into_iter().for_each(|error| all.push(Box::new(error)));
    merge.into_iter().for_each(|error| all.push(Box::new(error)));
    pack.into_iter().for_each(|error| all.push(Box::new(error)));
    bad.into_iter().for_each(|error| all.push(Box::new(error)));
    differences.into_iter().for_each(|error| all.push(Box::new(error)));
    withdraw.into_iter().for_each(|error| all.push(Box::new(error)));
    correct.into_iter().for_each(|error| all.push(Box::new(error)));
    repair.into_iter().for_each(|error| all.push(Box::new(error)));
    all
}
