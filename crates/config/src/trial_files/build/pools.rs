//! [`Pools`]: the lists that a trial's parameters point into, while they are gathered.

use chronotap_core::midi::U7;
use chronotap_core::time::Nanos;
use chronotap_engine::trial::{Span, pool};
use std::cell::{Ref, RefCell};

/// Lists that parameters point into.
#[derive(Default)]
pub(crate) struct Pools {
    notes: RefCell<Vec<U7>>,
    times: RefCell<Vec<Nanos>>,
    tables: RefCell<Vec<[U7; 128]>>,
    markers: RefCell<Vec<String>>,
}

impl Pools {
    pub fn notes(&self, values: &[U7]) -> Span {
        pool(&mut self.notes.borrow_mut(), values)
    }

    pub fn times(&self, values: &[Nanos]) -> Span {
        pool(&mut self.times.borrow_mut(), values)
    }

    /// All times that were pooled so far.
    pub fn all_times(&self) -> Ref<'_, Vec<Nanos>> {
        self.times.borrow()
    }

    pub fn table(&self, table: [U7; 128]) -> u16 {
        self.tables.borrow_mut().push(table);
        (self.tables.borrow().len() - 1) as u16
    }

    pub fn marker(&self, text: &str) -> u16 {
        self.markers.borrow_mut().push(text.to_owned());
        (self.markers.borrow().len() - 1) as u16
    }

    /// Gives them to the trial.
    pub fn fill(self, trial: &mut chronotap_engine::trial::Trial) {
        trial.notes = self.notes.into_inner();
        trial.times = self.times.into_inner();
        trial.tables = self.tables.into_inner();
        trial.markers = self.markers.into_inner();
    }
}
