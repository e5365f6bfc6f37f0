#![forbid(unsafe_code)]
//! What is kept of an experiment, and what follows from it: a dataset that is valid at any moment
//! between two trials.
//!
//! What happens in a session goes into a journal of steps. What comes next depends only on the plan
//! and the journal ([`Course`]), and the tables of the [`Dataset`] are made from the journals.
//! [`rehearse`](rehearse::rehearse) runs a whole study in virtual time, in memory alone.
//!
//! No device is opened here and no system is known, but for the calls in `system`: sessions are run in
//! `chronotap-visit`. This crate knows no screen: what asks and shows is a [`Frontend`]. Orders,
//! plans and criteria are made in `chronotap-design`.

mod asked;
pub mod assign;
pub mod attrition;
pub mod backup;
pub mod checksum;
mod columns;
pub mod correct;
pub mod course;
pub mod dataset;
pub mod described;
mod difference;
pub mod disk;
pub mod drawn;
pub mod dropout;
pub mod ending;
pub mod frontend;
pub mod held;
pub mod import;
pub mod journal;
mod kept;
mod level;
pub mod line;
pub mod merge;
mod models;
pub mod moment;
pub mod observing;
pub mod outcome;
pub mod pack;
mod pad;
mod person;
pub mod power;
mod processors;
pub mod rehearse;
pub mod repair;
pub mod results;
pub mod spare;
pub mod status;
pub mod study;
mod system;
mod table;
pub mod tables;
mod taps;
pub mod verify;
pub mod visit;
mod waiting;
pub mod who;
pub mod withdraw;
mod zone;

pub use attrition::Attrition;
pub use columns::{Column, Columns};
pub use course::{Course, Next, Stopped, Task};
pub use dataset::{About, Dataset, DatasetError, Lock, People, Person, WhoWithdrew};
pub use disk::SessionDisk;
pub use drawn::Drawn;
pub use ending::Ending;
pub use frontend::{
    AfterPractice, Announcement, Asks, Avoid, Doubt, Frontend, FrontendError, NextTrial,
    NotReached, Opened, Pause, Prompt, Reply, Standing, StepAhead, TrackPoint, TrialReport,
    WhyOutOfTurn, Wish, new_participant,
};
pub use journal::{OpenJournal, OpenJournalError, lines_of, read_lines};
pub use kept::{KeptError, KeptSession, unfinished_correction};
pub use line::{
    AnsweredBy, Asked, Assigned, Began, Corrected, GivenAnswer, Line, SESSION_JOURNAL_VERSION,
    SessionPorts, StaircaseAnswer, TrialBegan, TrialEnded,
};
pub use models::example as example_of_model;
pub use outcome::{is_cut_off, is_interrupted};
pub use pad::PadCheck;
pub use study::{Study, StudyError, unshown};
pub use system::is_running;
pub use table::{TsvRow, TsvTable};
pub use tables::Tables;
pub use visit::Visit;
pub use who::Who;
