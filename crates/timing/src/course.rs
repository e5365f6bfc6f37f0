//! [`Probe`]: what every timing test can do, and [`Course`]: the course of one run of
//! it, with its length, its load, its way out, and whom to tell how far it is.

use crate::Found;
use chronotap_realtime::Interrupt;
use chronotap_time::Nanos;
use serde::{Deserialize, Serialize};

/// A timing test.
pub trait Probe {
    /// Its name, as in `chronotap timing NAME`.
    fn name(&self) -> &'static str;

    /// Whether it can run on this machine; the error says why not and what would
    /// cure it. Opens what it must to know, and leaves everything as it was.
    ///
    /// # Errors
    /// A sentence for the user.
    fn available(&self) -> Result<(), String>;

    /// About how long a run takes.
    fn duration(&self, length: Length) -> Nanos;

    /// Runs it. An interruption ends it early; what was measured until then is given.
    fn run(&self, course: &mut Course<'_>) -> Found;
}

/// How long a test goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Length {
    /// Seconds: does it work, and about how well.
    Quick,
    /// A minute or two for each test.
    #[default]
    Normal,
    /// As long as in the study that it comes from, or until rare events show.
    Full,
}

impl Length {
    /// The one of three values that belongs to this length.
    pub fn pick<T>(self, quick: T, normal: T, full: T) -> T {
        match self {
            Length::Quick => quick,
            Length::Normal => normal,
            Length::Full => full,
        }
    }
}

/// How far a test is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// What is being measured, in a few words.
    pub what: String,
    /// Share of the whole test that is done, 0 to 1.
    pub done: f64,
}

/// The course of one run.
pub struct Course<'a> {
    /// How long.
    pub length: Length,
    /// Whether to end early.
    pub interrupt: Interrupt,
    /// The load that the machine has meanwhile, by its name; `none` where it has none.
    pub load: &'static str,
    progress: &'a mut dyn FnMut(&Progress),
}

impl<'a> Course<'a> {
    /// A course of this length.
    pub fn new(
        length: Length,
        interrupt: Interrupt,
        progress: &'a mut dyn FnMut(&Progress),
    ) -> Course<'a> {
        Course { length, interrupt, load: "none", progress }
    }

    /// Tells how far the test is. Never called from a thread that measures.
    pub fn tell(&mut self, what: &str, done: f64) {
        (self.progress)(&Progress { what: what.to_owned(), done: done.clamp(0.0, 1.0) });
    }

    /// Whether the test is asked to end.
    pub fn interrupted(&self) -> bool {
        self.interrupt.requested()
    }
}

/// What was measured, with the load beside which it was: for a sentence of the results.
pub fn beside(what: &str, load: &str) -> String {
    match load {
        "none" => what.to_owned(),
        load => format!("{what}, beside {load}"),
    }
}
