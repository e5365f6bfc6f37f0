//! [`Probe`]: what every timing test can do, and [`TestRun`]: the course of one run of
//! it, with its length, its load, its way out, and whom to tell how far it is.

use crate::timing::{Length, TestFound};
use chronotap_core::time::Nanos;
use chronotap_linux::realtime::Interrupt;
use std::error::Error;

/// Why a test cannot run here: an error of the test's own.
pub type TestRefusal = Box<dyn Error + Send + Sync>;

/// What whoever keeps the results says of an error; results are read by people, and no test
/// knows by which options it was started.
pub type ErrorWords = fn(&(dyn Error + 'static)) -> String;

/// A timing test.
pub trait Probe {
    /// Its name, as in `chronotap timing NAME`.
    fn name(&self) -> &'static str;

    /// Whether it can run on this machine. Opens what it must to know, and leaves everything
    /// as it was.
    ///
    /// # Errors
    /// The reason why not.
    fn available(&self) -> Result<(), TestRefusal>;

    /// About how long a run takes.
    fn duration(&self, length: Length) -> Nanos;

    /// How long it may take where the machine is disturbed; longer than [`Probe::duration`]
    /// where a test repeats what did not come out clean.
    fn longest(&self, length: Length) -> Nanos {
        self.duration(length)
    }

    /// Runs it. An interruption ends it early; what was measured until then is given.
    fn run(&self, course: &mut TestRun<'_>) -> TestFound;
}

/// How far a test is.
#[derive(Clone, Debug, PartialEq)]
pub struct TestProgress {
    /// What is being measured, in a few words.
    pub what: String,
    /// Share of the whole test that is done, 0 to 1.
    pub done: f64,
}

/// The course of one run.
pub struct TestRun<'a> {
    /// How long.
    pub length: Length,
    /// Whether to end early.
    pub interrupt: Interrupt,
    /// The load that the machine has meanwhile, by its name; `none` where it has none.
    pub load: &'static str,
    /// What is said of an error in the results; by default its condition alone.
    pub words: ErrorWords,
    progress: &'a mut dyn FnMut(&TestProgress),
}

impl<'a> TestRun<'a> {
    /// A course of this length.
    pub fn new(
        length: Length,
        interrupt: Interrupt,
        progress: &'a mut dyn FnMut(&TestProgress),
    ) -> TestRun<'a> {
        let words = |error: &(dyn Error + 'static)| error.to_string();
        TestRun { length, interrupt, load: "none", words, progress }
    }

    /// Tells how far the test is. Never called from a thread that measures.
    pub fn tell(&mut self, what: &str, done: f64) {
        (self.progress)(&TestProgress { what: what.to_owned(), done: done.clamp(0.0, 1.0) });
    }

    /// What the results say of an error.
    pub fn words_for(&self, error: &(dyn Error + 'static)) -> String {
        (self.words)(error)
    }

    /// Whether the test is asked to end.
    pub fn interrupted(&self) -> bool {
        self.interrupt.requested()
    }
}

/// A part of a whole test, for its progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    from: f64,
    of: f64,
}

impl Part {
    /// Each of several with its part, all equally long.
    pub(crate) fn of_each<T>(all: &[T]) -> impl Iterator<Item = (Part, &T)> {
        let of = 1.0 / all.len() as f64;
        let from = |n: usize| n as f64 / all.len() as f64;
        all.iter().enumerate().map(move |(n, one)| (Part { from: from(n), of }, one))
    }

    /// The share of the whole when this of the part is done.
    pub(crate) fn at(self, done: f64) -> f64 {
        self.from + self.of * done.clamp(0.0, 1.0)
    }
}

/// What was measured, with the load beside which it was: for a sentence of the results.
pub fn beside(what: &str, load: &str) -> String {
    match load {
        "none" => what.to_owned(),
        load => format!("{what}, beside {load}"),
    }
}
