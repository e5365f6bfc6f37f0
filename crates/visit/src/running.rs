//! [`Session`]: one session of one participant, as far as one run of the program takes it. It
//! begins the session or goes on where the journal ends.

mod asking;
mod begin;
mod day;
mod equipment;
mod grouping;
mod keep;
mod measured;
mod recover;
mod results;
mod run;
mod tone;
mod trial;
mod waits;
mod wishes;

pub(crate) use begin::refuse_other_tapper;
pub use equipment::Equipment;

use chronotap_config::trial_files::reading::brief;
use chronotap_core::files::{Disk as AnyDisk, System, Way};
use chronotap_core::time::Nanos;
use chronotap_data::record::{ReadError, RecordError, RecordedError};
use chronotap_design::{AssignError, Plan};
use chronotap_recorder::Moved;
use chronotap_session::{
    attrition::Attrition,
    correct::{self, CorrectError},
    course::Course,
    dataset::{Dataset, DatasetError, Lock},
    frontend::{Frontend, FrontendError, WhyOutOfTurn},
    held::refuse_other_levels,
    journal::{OpenJournal, OpenJournalError, read_lines},
    line::{Began, Line, SessionPorts, beginning},
    results::KeptResult,
    status::Tally,
    study::{Study, StudyError},
    tables::Tables,
    visit::Visit,
    who::Who,
};
use chronotap_simulate::NotRun;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// A session that is under way.
pub struct Session<'a, D: AnyDisk = System> {
    study: &'a Study,
    dataset: &'a Dataset<D>,
    place: Visit,
    plan: Arc<Plan>,
    began: Began,
    journal: OpenJournal<D>,
    course: Course<'a>,
    tables: Tables,
    earlier: Vec<KeptResult>, // results of the participant's earlier sessions
    by: String,
    ports: SessionPorts, // on which it goes on
    resumed: bool,
    tone_is_settled: bool,
    resting: Option<((usize, u32), Nanos)>, // the rest that has begun, and when it ends
    plan_text: String,
    ways: [Way; 2],          // to its folders, as they were when it was opened
    lost: BTreeSet<PathBuf>, // files of trials that are gone
    _held: Lock<D>,
}

/// Why a session cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The journal refuses.
    #[error(transparent)]
    Journal(#[from] OpenJournalError),
    /// The study does not give a plan or a trial.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// What runs the trials refuses. Its own error says why, and what to do.
    #[error(transparent)]
    Laboratory(NotRun),
    /// The files of a trial could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The files of a trial could not be written when it was over.
    #[error(transparent)]
    NotSaved(RecordError),
    /// The files of a trial are in a spare folder, outside of the dataset.
    #[error(
        "{}: {}; the trial's data are in {}, outside the dataset, and the trial will be run again",
        moved.refusal.condition(), moved.because, tsv.display()
    )]
    Elsewhere {
        /// Why they are there.
        moved: Moved,
        /// The events file there.
        tsv: PathBuf,
    },
    /// The files of a trial cannot be read again.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The files of a trial do not give its summary.
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    /// Nobody answered.
    #[error(transparent)]
    Frontend(#[from] FrontendError),
    /// Another session of the participant is under way. End it first.
    #[error("participant {label} has a session under way in another program")]
    Running { label: String },
    /// A new label that some disks, and people, do not tell from another. Take one that differs more.
    #[error(
        "participant {label}: participant {there} is in this dataset, and the two labels could be taken for one"
    )]
    Alike {
        label: String,
        /// The one that is there.
        there: String,
    },
    /// The journal is that of another session. Give folders and files back the names that they had.
    #[error("{}: by its first line this journal is {}", path.display(), due.display())]
    Renamed {
        path: PathBuf,
        /// Where it belongs, from the dataset's folder.
        due: PathBuf,
    },
    /// The participant withdrew. Take another label.
    #[error("participant {label} withdrew from this study")]
    Withdrawn { label: String },
    /// The participant takes no further part. Take another label.
    #[error("participant {label} takes no further part: {}", how.word())]
    Left { label: String, how: Attrition },
    /// The cell that was named is not the one that was assigned. Leave it out.
    #[error(
        "{factor}={named}: participant {label} has {factor}={assigned} since the first session"
    )]
    OtherCell {
        label: String,
        factor: String,
        /// What was named.
        named: String,
        /// What was assigned.
        assigned: String,
    },
    /// A level was named that follows from answers. Give these.
    #[error("{factor}={level}: {factor} follows from the answer to {}", fields.join(" and "))]
    Follows {
        factor: String,
        level: String,
        /// The fields of the participant whose answers decide.
        fields: Vec<String>,
    },
    /// The study has no such factor or level between participants.
    #[error(transparent)]
    Between(#[from] AssignError),
    /// A later session comes before the first.
    #[error("participant {label} has not begun session 1")]
    NoFirstSession { label: String },
    /// The study's files are not those that earlier sessions ran.
    #[error("{} changed since the study began", files.join(", "))]
    Changed { files: Vec<String> },
    /// The plan is not the one that the journal began with. Restore it.
    #[error("{path}: not the plan that the session began with")]
    OtherPlan { path: String },
    /// The study has other steps than the plan of a session that was begun. Restore them.
    #[error(
        "the session of participant {label} was begun when step {step} was in another place of the study or of another kind"
    )]
    OtherSteps {
        /// The first step that the study does not have there.
        step: String,
        /// The participant.
        label: String,
    },
    /// The study has other factors than the plan of a session that was begun. Restore them.
    #[error(
        "the session of participant {label} was begun with the factors {}, in this order, and the study has others now",
        factors.join(", ")
    )]
    OtherFactors {
        /// Those of the plan.
        factors: Vec<String>,
        /// The participant.
        label: String,
    },
    /// A session that was simulated is not gone on with by somebody who taps otherwise. Take another folder.
    #[error("participant {label} was simulated with other assumptions: {}", brief(tapped))]
    OtherTapper {
        /// The participant.
        label: String,
        /// Who tapped, as a description.
        tapped: String,
    },
    /// The study, or this participant's plan, has no such step. Name one that it has.
    #[error("{step}: there is no such step")]
    NoStep {
        /// What was named.
        step: String,
        /// The steps that there are.
        known: Vec<String>,
        /// The one that was probably meant.
        near: Option<String>,
    },
    /// A session that is under way begins with no other step. Take another label.
    #[error("{step}: the session of participant {label} is under way")]
    FromUnderWay {
        /// What was named.
        step: String,
        label: String,
    },
    /// Files of trials are gone, and nothing else holds the same. Restore them.
    #[error("{}: gone since they were written, and nothing else holds the same; everything else of the session is saved", .paths.join(", "))]
    Gone {
        /// The files.
        paths: Vec<String>,
    },
    /// A correction that was cut short cannot be finished.
    #[error("a correction that was cut short cannot be finished: {0}")]
    Correction(#[source] Box<CorrectError>),
    /// The experimenter decided against it.
    #[error("not begun, as you said")]
    NotBegun,
}

impl<'a, D: AnyDisk> Session<'a, D> {
    /// Begins a session, or takes it up where it ended.
    ///
    /// # Errors
    /// [`SessionError`]; nothing has been run then.
    pub fn open(
        study: &'a Study,
        dataset: &'a Dataset<D>,
        who: &Who,
        frontend: &mut dyn Frontend,
    ) -> Result<Session<'a, D>, SessionError> {
        let place = study.place(&who.label, who.session);
        begin::refuse_alike(dataset, who)?;
        correct::finish(dataset).map_err(|error| SessionError::Correction(Box::new(error)))?;
        let running = || SessionError::Running { label: who.label.clone() };
        let held = dataset.lock_participant(&place)?.ok_or_else(running)?;
        begin::refuse_withdrawn(dataset, who)?;
        begin::refuse_newer(dataset, &place)?;
        who.simulated
            .iter()
            .try_for_each(|taps| begin::refuse_other_tapper(dataset, &place, taps))?;
        begin::refuse_left(dataset, &place)?;
        let changed = begin::changed_files(study, dataset, who)?;
        dataset.make_folder(&place.source())?;
        let mut journal = OpenJournal::open(&dataset.root().join(place.journal()), &dataset.disk)?;
        let resumed = !journal.lines().is_empty();
        let (began, plan, plan_text) = match beginning(journal.lines()) {
            Some(began) => {
                begin::refuse_renamed(&place, study, &began)?;
                let again = begin::again(study, dataset, &place, began, who)?;
                refuse_other_levels(dataset, &place, &again.1)?;
                again
            }
            None => {
                let new = begin::new(study, dataset, &place, who, frontend)?;
                journal.add(&dataset.disk, Line::Began(Box::new(new.0.clone())))?;
                new
            }
        };
        let plan = Arc::new(plan);
        let shown = study.shown(&plan, &began.person())?;
        let course = Course::new(&study.experiment, Arc::new(shown));
        let tables = Tables::new(&place, Arc::clone(&plan), &study.about.columns);
        let earlier = results::earlier(study, dataset, who)?;
        let by = who.by.clone();
        let mut session = Session {
            study,
            dataset,
            place,
            plan,
            began,
            journal,
            course,
            tables,
            earlier,
            by,
            ports: who.ports.clone(),
            resumed,
            tone_is_settled: false,
            resting: None,
            plan_text,
            ways: <[Way; 2]>::default(),
            lost: BTreeSet::new(),
            _held: held,
        };
        session.take_up(changed, frontend)?;
        Ok(session)
    }

    /// Whether [`Session::open`] would begin the session or go on with it; nothing is written. A
    /// dataset that is not there yet would be made.
    ///
    /// # Errors
    /// As [`Session::open`], but for what only the experimenter can say.
    pub fn try_out(
        study: &Study,
        dataset: Option<&Dataset<D>>,
        who: &Who,
    ) -> Result<(), SessionError> {
        let place = study.place(&who.label, who.session);
        let Some(dataset) = dataset else { return begin::try_new::<D>(study, None, who) };
        let lock = dataset.has(&place.lock()).then(|| dataset.lock_participant(&place));
        if matches!(lock.transpose()?, Some(None)) {
            return Err(SessionError::Running { label: who.label.clone() });
        }
        begin::refuse_alike(dataset, who)?;
        begin::refuse_withdrawn(dataset, who)?;
        begin::refuse_left(dataset, &place)?;
        let journal = dataset.root().join(place.journal());
        let lines = match dataset.has(&place.journal()) {
            true => read_lines(&journal)?,
            false => Vec::new(),
        };
        begin::refuse_changed(study, dataset, who)?;
        results::earlier(study, dataset, who)?;
        match beginning(&lines) {
            Some(began) => {
                begin::refuse_renamed(&place, study, &began)?;
                let (_, plan, _) = begin::again(study, dataset, &place, began, who)?;
                Ok(refuse_other_levels(dataset, &place, &plan)?)
            }
            None => begin::try_new(study, Some(dataset), who),
        }
    }

    /// Why a session that has not begun would be out of its turn; `None` where it would not, and of simulated
    /// participants, who come when they are told.
    ///
    /// # Errors
    /// [`SessionError`] where the one before cannot be read.
    pub fn out_of_turn(
        study: &Study,
        dataset: &Dataset<D>,
        who: &Who,
    ) -> Result<Option<WhyOutOfTurn>, SessionError> {
        let journal = study.place(&who.label, who.session).journal();
        let has_begun =
            dataset.has(&journal) && !read_lines(&dataset.root().join(&journal))?.is_empty();
        if has_begun { Ok(None) } else { begin::out_of_turn(study, dataset, who) }
    }

    /// Whether the session went on, and did not begin.
    pub fn is_resumed(&self) -> bool {
        self.resumed
    }

    /// Whether nothing is left to do.
    pub fn is_completed(&self) -> bool {
        self.course.is_completed()
    }

    /// Whether no trial that counts failed its timing or brought unusable data.
    pub fn is_sound(&self) -> bool {
        self.tables.is_sound()
    }

    /// What became of the trials of the session so far, also of those before it was taken up again.
    pub fn tally(&self) -> Tally {
        Tally::of(self.journal.lines())
    }

    /// Trials that were begun in the session.
    pub fn trials(&self) -> usize {
        self.journal.lines().iter().filter(|line| matches!(line, Line::TrialBegan(_))).count()
    }

    /// Where the files of the session are.
    pub fn place(&self) -> &Visit {
        &self.place
    }

    /// Writes down what happened; it holds from then on. A line that is written counts, also where
    /// it is not sure to be on the disk.
    fn record(&mut self, line: Line) -> Result<(), SessionError> {
        self.keep_journal()?;
        let before = self.journal.lines().len();
        let added = self.journal.add(&self.dataset.disk, line);
        if self.journal.lines().len() > before {
            self.take_last();
        }
        Ok(added?)
    }

    fn take_last(&mut self) {
        if let Some(line) = self.journal.lines().last() {
            self.course.take(line);
            self.tables.take(line);
        }
    }
}

#[cfg(test)]
mod faults;
