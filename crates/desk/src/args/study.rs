//! The arguments for whole studies, and for their datasets.

use clap::Args;
use std::path::PathBuf;

/// One session of one participant, where FILE is an experiment file.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "A session of a study (FILE is an experiment file)")]
pub struct SessionArgs {
    /// The participant's label: letters and digits, such as 07
    #[arg(long, value_name = "LABEL")]
    pub participant: Option<String>,
    /// The session, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub session: u32,
    /// The participant's level of a factor between participants, instead of assigning it; can
    /// be given several times
    #[arg(long, value_name = "FACTOR=LEVEL")]
    pub between: Vec<String>,
    /// Answer to a question or field, which is then not asked; can be given several times
    #[arg(long, value_name = "NAME=ANSWER")]
    pub answer: Vec<String>,
    /// As --answer, one a line on standard input, where no list of processes shows them
    #[arg(long, hide = true)]
    pub answers_on_stdin: bool,
    /// The experimenter's name or initials, for notes and decisions
    #[arg(long, value_name = "NAME", default_value = "experimenter")]
    pub by: String,
    /// The language of what the participant reads, where the study has several, such as de; a
    /// session that goes on, or a later one, keeps that of before
    #[arg(long, value_name = "LANGUAGE")]
    pub language: Option<String>,
    /// Try the study out: the data go into a separate folder, DATASET-pilot, and the
    /// participant takes no place in the groups or orders
    #[arg(long)]
    pub pilot: bool,
    /// Show texts and questions on pages in a browser, at the printed address; works for a
    /// single trial too. Keyboards used for tapping are kept from every other program
    /// meanwhile; see docs/console.md
    #[arg(long, conflicts_with = "dry")]
    pub console: bool,
    /// Open the participant's page in a browser of its own that fills this computer's screen
    /// (Chromium or Chrome)
    #[arg(long, requires = "console")]
    pub kiosk: bool,
    /// As --console, for a console that runs already: print nothing, open no other
    #[arg(long, hide = true, conflicts_with_all = ["console", "dry"])]
    pub paged: bool,
    /// As --paged does for the keys that are tapped on, for a trial that was begun from a page and has
    /// none of its own
    #[arg(long, hide = true, conflicts_with_all = ["console", "paged", "dry"])]
    pub keep_keys: bool,
    /// With --pilot: begin with this step
    #[arg(long, value_name = "STEP", requires = "pilot")]
    pub from: Option<String>,
    /// Check study, devices and dataset without running anything; in a terminal also show taps
    /// and play the tones. Of a single trial: check it and its devices
    #[arg(long)]
    pub dry: bool,
    /// Continue although files of the study have changed since it began; this is recorded
    #[arg(long)]
    pub changed: bool,
}

impl SessionArgs {
    /// Whether experimenter and participant look at pages.
    pub fn has_pages(&self) -> bool {
        self.console || self.paged
    }
}

/// Show the progress of a study.
///
/// Shows who did what, what is missing, which trials failed their timing or have unusable data,
/// and how the groups are balanced.
#[derive(Args, Debug)]
pub struct StatusArgs {
    /// The folder of the dataset
    #[arg(value_name = "DATASET")]
    pub dataset: PathBuf,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}

/// Check that a dataset is complete and unchanged.
///
/// Compares every checksum, replays every trial, makes every plan again, and compares the
/// tables with the journals they were made from. Changes nothing. The exit status is 1 if
/// anything is wrong.
#[derive(Args, Debug)]
pub struct Verify {
    /// The folder of the dataset
    #[arg(value_name = "DATASET")]
    pub dataset: PathBuf,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}

/// Copy a dataset, and check the copy.
///
/// Copies every file into a new folder, waits until they are on the disk, and compares each
/// with its original. To restore, copy the folder back, or name it in place of the dataset.
#[derive(Args, Debug)]
pub struct Backup {
    /// The folder of the dataset
    #[arg(value_name = "DATASET")]
    pub dataset: PathBuf,
    /// The folder to make
    #[arg(value_name = "TO")]
    pub to: PathBuf,
}

/// Take a participant out of a study.
///
/// Removes all their files and rows: in the dataset with its analyses, reports and exports, in
/// trial runs beside it (DATASET-pilot) and in spare folders. Analyses are made anew without them,
/// reports and gathered tables are removed. What cannot be reached is named. With --keep, leaves
/// the files and marks the participant as withdrawn; analyze, report, gather and export then leave
/// them out. Either way the dataset notes label, day and what was done, the label is not given
/// again, and the participant's place and cell are free. Asks before it does so. If it is cut
/// short, the same command continues. The exit status is 1 if something is left for you to remove.
#[derive(Args, Debug)]
pub struct Withdraw {
    /// The folder of the dataset
    #[arg(value_name = "DATASET")]
    pub dataset: PathBuf,
    /// The participant's label
    #[arg(long, value_name = "LABEL")]
    pub participant: String,
    /// Leave the data, and only mark the participant
    #[arg(long)]
    pub keep: bool,
    /// Do it without asking
    #[arg(long)]
    pub yes: bool,
    /// One more folder in which trials may be that the dataset's disk refused; those given to
    /// `run` on this computer are known
    #[arg(long, value_name = "DIR")]
    pub spare_data: Option<PathBuf>,
}

/// Mend tables of an earlier version that have levels under the wrong factor.
///
/// Versions up to 0.1 wrote tables of trials so, where the factor of the sessions stands before another
/// factor in [factor]. Plans and journals are right: each table that has other levels than its plan
/// is made again from the journal, with its checksum, and the journal notes it. Names each column
/// that changed, and what was computed before in the dataset and beside it: analyses, reports, gathered
/// tables and packs, which you make again. Other tables stay as they are. If it is cut short, the
/// same command continues. The exit status is 1 if something is left for you to make again.
#[derive(Args, Debug)]
pub struct Repair {
    /// The folder of the dataset
    #[arg(value_name = "DATASET")]
    pub dataset: PathBuf,
}

/// Put right what was entered about a participant.
///
/// Corrects answers about the person, and with them the groups that follow, and groups that the
/// experimenter chose. The label is kept. The journal of each session notes what it was, who
/// corrected it, and why. Where no trial was run, the sessions are planned anew; after that, a group
/// whose trials are others is refused. Analyses made before have the old group: make them again.
#[derive(Args, Debug)]
#[command(
    override_usage = "chronotap correct <DATASET> --participant <LABEL>\n                         --set <NAME=VALUE> --reason <TEXT>"
)]
pub struct Correct {
    /// The folder of the dataset
    #[arg(value_name = "DATASET")]
    pub dataset: PathBuf,
    /// The participant's label
    #[arg(long, value_name = "LABEL")]
    pub participant: String,
    /// What is right: a field of the participant, or a group that was chosen; can be given several
    /// times
    #[arg(long, value_name = "NAME=VALUE", required = true)]
    pub set: Vec<String>,
    /// Why it is corrected
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
    /// Who corrects it
    #[arg(long, value_name = "NAME", default_value = "experimenter")]
    pub by: String,
}

/// Note that a participant will not come back, and give the place to the next one.
///
/// The data stay, and are analysed as before; `chronotap withdraw` removes data. The participant no longer counts
/// as a member of their group, the place in the counterbalanced orders is given to the next participant of the
/// group, and no further session can begin. The journal notes it with the reason. The place of somebody who
/// declined, by an answer before the first trial, is given again without this command.
#[derive(Args, Debug)]
pub struct Dropout {
    /// The folder of the dataset
    #[arg(value_name = "DATASET")]
    pub dataset: PathBuf,
    /// The participant's label
    #[arg(long, value_name = "WHO")]
    pub participant: String,
    /// Why
    #[arg(long, value_name = "WHY")]
    pub reason: String,
    /// Who says so
    #[arg(long, value_name = "NAME", default_value = "experimenter")]
    pub by: String,
    /// The participant is back: what was said before does not hold, and the place is theirs again
    #[arg(long)]
    pub undo: bool,
}
