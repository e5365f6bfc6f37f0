//! [`Frontend`]: where a session asks and shows. The session knows no screen: a plain terminal is
//! one frontend, a page in a browser may be another, and for simulated participants
//! [`crate::Drawn`] answers.

use crate::ending::Ending;
use chronotap_core::time::Nanos;
use chronotap_data::tables::ExcludeRule;
use chronotap_design::{Answer, Go};
use chronotap_trial::TrialEnd;

/// What asks and shows.
pub trait Frontend {
    /// Shows a text to the participant. [`Frontend::beckoned`] is asked then until what ends it came.
    ///
    /// # Errors
    /// [`FrontendError`].
    fn show_text(&mut self, text: &str) -> Result<(), FrontendError>;

    /// Told before a text is shown where the experimenter is blind: the text as it was written,
    /// with names in braces where the participant reads the levels of their condition.
    fn keep_levels(&mut self, _as_written: &str) {}

    /// Asks, and comes back with an answer that is accepted, and who gave it.
    ///
    /// # Errors
    /// [`FrontendError`].
    fn ask(&mut self, prompt: &Prompt<'_>) -> Result<Reply, FrontendError>;

    /// Waits for so long, and shows what for.
    ///
    /// # Errors
    /// [`FrontendError`].
    fn pause(&mut self, span: Nanos, why: Pause) -> Result<(), FrontendError>;

    /// Whether somebody is there to wait for. Where not, nothing ever waits for a key or the
    /// experimenter.
    fn is_attended(&self) -> bool;

    /// Whether somebody has asked to go on since the text was shown. It does not wait.
    fn beckoned(&mut self) -> bool;

    /// What the experimenter wants, since it was last asked. It does not wait.
    fn wish(&mut self) -> Option<Wish>;

    /// Whether the experimenter wants something that changes what comes next, so that what is
    /// waited for does not begin. [`Frontend::wish`] says what.
    fn has_wish(&mut self) -> bool {
        false
    }

    /// How the session goes on after a trial was ended by hand, or while the session waited or
    /// is paused. It is asked again after a note.
    ///
    /// # Errors
    /// [`FrontendError`].
    fn choose(&mut self) -> Result<Wish, FrontendError>;

    /// Whether the session goes on although this is so.
    ///
    /// # Errors
    /// [`FrontendError`].
    fn confirm(&mut self, doubt: &Doubt) -> Result<bool, FrontendError>;

    /// How the session goes on after practice that did not reach its criterion.
    ///
    /// # Errors
    /// [`FrontendError`].
    fn missed(&mut self, practice: &NotReached) -> Result<AfterPractice, FrontendError>;

    /// Shows what happened.
    fn tell(&mut self, told: &Announcement<'_>);

    /// A trial is under way for so long.
    fn trial_runs(&mut self, _now: Nanos) {}
}

/// Why nobody answered.
#[derive(Debug, thiserror::Error)]
pub enum FrontendError {
    /// Nobody is there who could answer, and no answer was given beforehand.
    #[error("nobody is there to answer \"{question}\"")]
    Missing {
        /// The name of the question or field.
        name: String,
        question: String,
        /// What may be answered.
        expected: String,
    },
    /// An answer that was given beforehand may not be given.
    #[error("{name}={given}: expected {expected}")]
    Refused {
        /// The name of the question or field.
        name: String,
        given: String,
        /// What may be answered.
        expected: String,
    },
    /// An answer was given beforehand to what the study does not ask.
    #[error("{name}=…: the study does not ask that")]
    NotAsked {
        /// What was answered.
        name: String,
        /// What it asks.
        known: Vec<String>,
        /// What was probably meant.
        near: Option<String>,
    },
    /// Ctrl-C while the session waited.
    #[error("interrupted")]
    Interrupted,
}

#[derive(Clone, Copy, Debug)]
pub struct Prompt<'a> {
    /// The name of the question or field.
    pub name: &'a str,
    pub text: &'a str,
    /// What may be answered.
    pub answer: &'a Answer,
    /// Who is asked.
    pub asks: Asks,
    /// What asks for it, in words that no other asking of the session has. Drawn answers
    /// depend on it, so that they are the same however often the session was begun.
    pub occasion: &'a str,
    /// Answers that may be given, and are not drawn.
    pub avoid: Avoid<'a>,
}

/// Answers that nobody gives who is simulated, as long as there is another: who is rehearsed takes part,
/// and is analysed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Avoid<'a> {
    /// They end the session.
    pub stops: &'a [String],
    /// They leave whoever gives them out of the analysis.
    pub excludes: &'a [ExcludeRule],
}

impl Avoid<'_> {
    /// Whether this answer to a question is one of them.
    pub fn has(&self, name: &str, answer: &str) -> bool {
        self.stops.iter().any(|stop| stop == answer)
            || self.excludes.iter().any(|rule| rule.begins_with(name, answer))
    }
}

/// Who is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// The participant, or a member of several.
    Participant,
    /// The experimenter: a result is missing.
    Experimenter,
}

/// What was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub answer: String,
    /// Who gave it.
    pub by: crate::line::AnsweredBy,
}

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// The next trial.
    Gap,
    /// The end of a rest.
    Rest,
}

/// What the experimenter may want between two trials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// To go on.
    GoOn,
    /// The last trial once more, for this reason.
    Repeat(String),
    /// The next trial left out, for this reason.
    Skip(String),
    /// To wait, until it is chosen how to go on ([`Frontend::choose`]).
    Pause,
    /// To stop, and go on another time.
    Stop,
    /// To write something down.
    Note {
        /// When it was said: in a trial it waits until that is over.
        at: String,
        text: String,
    },
    /// Nothing: the program itself writes something down, without being asked.
    Noticed {
        /// When it was noticed.
        at: String,
        text: String,
    },
}

impl Wish {
    /// Whether something is to be written down, and nothing else is wanted.
    pub fn is_note(&self) -> bool {
        matches!(self, Wish::Note { .. } | Wish::Noticed { .. })
    }
}

/// What is doubtful, so that the experimenter is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The session goes on after a pause longer than `ask_after`.
    LongPause {
        /// When something last happened in it.
        since: String,
    },
    /// Tones were played on these outputs: whether they are heard as they should be.
    Tone { outputs: Vec<String> },
    /// A participant whom the dataset does not know yet.
    NewParticipant {
        label: String,
        /// The levels between participants that are no draw.
        groups: Vec<(String, String)>,
    },
    /// A session that is not to begin yet, or no longer.
    OutOfTurn(WhyOutOfTurn),
}

impl Doubt {
    /// As a question, which every surface asks alike.
    pub fn question(&self) -> String {
        match self {
            Doubt::LongPause { since } => {
                format!("The session was left at {since}. Go on with it?")
            }
            Doubt::Tone { outputs } => {
                format!("Are the tones on {} as they should be?", outputs.join(", "))
            }
            Doubt::NewParticipant { label, groups } => new_participant(label, groups),
            Doubt::OutOfTurn(why) => format!("Out of turn: {}. Begin all the same?", why.said()),
        }
    }
}

/// Whether somebody new begins, as a question, with the groups that are no draw.
pub fn new_participant(label: &str, groups: &[(String, String)]) -> String {
    let each: Vec<String> = groups.iter().map(|(name, level)| format!("{name}: {level}")).collect();
    match each.is_empty() {
        true => format!("Participant {label} is new. Begin?"),
        false => format!("Participant {label} is new ({}). Begin?", each.join(", ")),
    }
}

/// Practice that did not reach its criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotReached {
    /// The name of the step.
    pub step: String,
    /// How far its last trial was from it, in words; `None` where the experimenter is blind.
    pub missed: Option<String>,
}

impl NotReached {
    /// In a sentence.
    pub fn said(&self) -> String {
        let missed = self.missed.as_ref().map_or(String::new(), |missed| format!(": {missed}"));
        format!("\"{}\" did not reach its criterion{missed}.", self.step)
    }
}

/// How a session goes on after such practice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterPractice {
    GoOn,
    /// With one more trial of practice.
    Again,
    Stop,
}

/// Why a session is out of its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyOutOfTurn {
    /// The one before has not come to its end.
    Unfinished { session: u32 },
    /// It is due later: at this moment, in UTC.
    Early { session: u32, due: String },
    /// It was due until this moment, in UTC.
    Late { session: u32, until: String },
}

impl WhyOutOfTurn {
    /// In words, for whoever decides and for the journal.
    pub fn said(&self) -> String {
        match self {
            WhyOutOfTurn::Unfinished { session } => format!("session {session} is not complete"),
            WhyOutOfTurn::Early { session, due } => {
                format!("the study has the session after session {session} begin at {due} or later")
            }
            WhyOutOfTurn::Late { session, until } => {
                format!("the study has the session after session {session} begin by {until}")
            }
        }
    }
}

/// What is shown.
#[derive(Clone, Debug)]
pub enum Announcement<'a> {
    /// The session begins or goes on.
    Opened(&'a Opened),
    /// Where the session stands before it does the next thing, of whatever kind.
    Stands(&'a Standing),
    /// Which trial is next; the pause before it and what starts it come first.
    TrialNext(&'a NextTrial),
    /// The session waits for this: to begin a trial, to end a text or a rest.
    Waits(Go),
    /// A trial is about to begin.
    TrialBegins {
        /// The name of its step.
        step: &'a str,
        /// The planned trial, from 1.
        trial: u32,
        /// Ends this trial, and no other.
        end: &'a TrialEnd,
    },
    /// A trial is over.
    TrialEnded(&'a TrialReport),
    /// Something else that the experimenter should know.
    Remark(&'a str),
    /// The session is over for now.
    Ended(Ending),
}

/// What a session is when it begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opened {
    /// The title of the study.
    pub title: String,
    /// The participant's label.
    pub participant: String,
    pub session: u32,
    /// Levels between participants; empty where the experimenter is blind.
    pub cell: Vec<(String, String)>,
    /// Planned trials that are done.
    pub done: usize,
    /// Planned trials; steps of unknown length are not counted.
    pub planned: usize,
    /// The steps of the plan, in order.
    pub steps: Vec<StepAhead>,
    /// Whether it goes on.
    pub resumed: bool,
}

/// A step of the plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepAhead {
    pub name: String,
    /// Planned trials; `None` where their number is not known before, 0 where it has none.
    pub trials: Option<usize>,
}

/// Where a session stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The name of the step that is under way; empty before the first and after the last.
    pub step: String,
    /// Planned trials that are done.
    pub done: usize,
    /// Planned trials; steps of unknown length are not counted.
    pub planned: usize,
}

/// A trial that is next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NextTrial {
    /// The name of its step.
    pub step: String,
    /// The planned trial within its step, from 1.
    pub trial: u32,
    /// The attempt, from 1.
    pub attempt: u32,
    /// The level of each factor that has one; empty where the experimenter is blind.
    pub condition: Vec<(String, String)>,
    /// Planned trials that are done.
    pub done: usize,
    /// Planned trials; steps of unknown length are not counted.
    pub planned: usize,
    /// Whether something starts it after the pause: a tap, a key or the experimenter.
    pub waits: bool,
}

/// A trial that is over, in numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrialReport {
    /// The name of its step.
    pub step: String,
    /// Planned trials that are done, with this one.
    pub done: usize,
    /// Planned trials.
    pub planned: usize,
    /// Whether it belongs to a step of unknown length and is not among those planned.
    pub of_open_step: bool,
    /// The planned trial within its step.
    pub trial: u32,
    pub attempt: u32,
    /// Whether it was ended by hand, so that it is not done.
    pub interrupted: bool,
    /// Taps that count.
    pub taps: u64,
    /// Mean asynchrony in ms; of the first input against its first stream. `None` where there
    /// is none, or the experimenter is blind.
    pub mean_asynchrony_ms: Option<f64>,
    /// Its standard deviation in ms.
    pub sd_asynchrony_ms: Option<f64>,
    /// Whether the timing passed.
    pub timing_passed: bool,
    /// Why the timing failed, why the data cannot be used, and why it is run again.
    pub complaints: Vec<String>,
    /// The whole summary, in lines; empty where the experimenter is blind.
    pub summary: String,
    /// Seconds that the rest of the planned trials will take, where one can be foreseen.
    pub left_s: Option<f64>,
    /// Where a staircase set its level; `None` where the experimenter is blind.
    pub track: Option<TrackPoint>,
}

/// A trial of a staircase.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrackPoint {
    pub staircase: String,
    /// The level in its unit.
    pub level: f64,
    /// The unit; empty of plain numbers.
    pub unit: &'static str,
    /// Whether the answer was right; `None` without one.
    pub right: Option<bool>,
    pub reversal: bool,
}
