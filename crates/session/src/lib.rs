#![forbid(unsafe_code)]
//! An experiment under way: from a plan, trial after trial, to a dataset that is valid at any
//! moment between two trials.
//!
//! A [`Session`] is one session of one participant. What happens in it goes into a journal of
//! steps, each on the disk before the next begins. What comes next depends only on the plan and
//! the journal ([`Course`]), so a session that was killed continues where it was. The tables of
//! the [`Dataset`] are made from the journals. [`simulate`](simulate::simulate) does the same
//! for a whole study in virtual time, [`rehearse`](rehearse::rehearse) in memory alone.
//!
//! This crate knows no screen: what asks and shows is a [`Frontend`]. Orders, plans and criteria are
//! made in `chronotap-design`; trials are run by `chronotap-rig`.

mod asked;
mod assign;
mod attrition;
pub mod backup;
mod calm;
mod checksum;
mod columns;
pub mod correct;
mod course;
mod dataset;
pub mod described;
mod difference;
mod disk;
mod drawn;
pub mod dropout;
mod ending;
mod frontend;
mod held;
pub mod import;
mod journal;
mod kept;
mod level;
mod line;
pub mod merge;
mod models;
mod moment;
mod observing;
mod outcome;
pub mod pack;
mod pad;
mod person;
pub mod power;
pub mod rehearse;
pub mod repair;
mod results;
mod running;
pub mod simulate;
pub mod spare;
pub mod status;
mod study;
mod table;
mod tables;
mod taps;
pub mod verify;
mod visit;
mod waiting;
mod who;
pub mod withdraw;

pub use attrition::Attrition;
pub use columns::{Column, Columns};
pub use course::{Course, Next, Stopped, Task};
pub use dataset::{About, Dataset, DatasetError, Lock, People, Person, Withdrawn};
pub use disk::Disk;
pub use drawn::Drawn;
pub use ending::Ending;
pub use frontend::{
    AfterPractice, Announcement, Asks, Avoid, Doubt, Frontend, FrontendError, NextTrial,
    NotReached, Opened, OutOfTurn, Pause, Prompt, Reply, Standing, StepAhead, TrackPoint,
    TrialReport, Wish, new_participant,
};
pub use journal::{Journal, JournalError, lines_of, read_lines};
pub use kept::{KeptError, KeptSession, unfinished_correction};
pub use line::{
    Answered, AnsweredBy, Asked, Assigned, Began, Corrected, Line, SESSION_JOURNAL_VERSION,
    StaircaseAnswer, TrialBegan, TrialEnded,
};
pub use models::example as example_of_model;
pub use outcome::{is_cut_off, is_interrupted};
pub use pad::PadCheck;
pub use running::{Equipment, Session, SessionError, Trials};
pub use study::{Study, StudyError};
pub use table::{Row, Table};
pub use tables::Tables;
pub use visit::Visit;
pub use who::Who;
