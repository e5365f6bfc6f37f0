//! [`Tappers`]: several performers as one, in the order of time, for two hands or
//! two people on the inputs of one trial.
//!
//! All of them hear everything. Where two send at the same instant, the one named
//! first does so first.

use super::model::Model;
use super::participant::Participant;
use super::spec::SpecError;
use chronotap_signal::{Heard, Performer, Sent};
use chronotap_time::Nanos;

/// Performers side by side.
#[derive(Default)]
pub struct Tappers {
    performers: Vec<Box<dyn Performer>>,
}

impl Tappers {
    /// These performers, in this order.
    pub fn new(performers: Vec<Box<dyn Performer>>) -> Tappers {
        Tappers { performers }
    }

    /// Participants of these models, each with a generator of its own.
    pub fn of(models: &[Model], seed: u64) -> Tappers {
        let boxed = models.iter().enumerate().map(|(place, model)| {
            Box::new(Participant::at_place(model.clone(), seed, place)) as Box<dyn Performer>
        });
        Tappers::new(boxed.collect())
    }

    /// Participants by their descriptions, separated by semicolons, as in
    /// `tapper, input = left; musician, input = right`.
    ///
    /// # Errors
    /// [`SpecError`], which names the nearest valid word.
    pub fn from_spec(spec: &str, inputs: &[String], seed: u64) -> Result<Tappers, SpecError> {
        Ok(Tappers::of(&Model::several_from_spec(spec, inputs)?, seed))
    }
}

impl Performer for Tappers {
    fn hear(&mut self, heard: Heard) {
        for performer in &mut self.performers {
            performer.hear(heard);
        }
    }

    fn next(&self) -> Option<Nanos> {
        self.performers.iter().filter_map(|performer| performer.next()).min()
    }

    fn send(&mut self) -> Option<Sent> {
        let at = self.next()?;
        self.performers.iter_mut().find(|performer| performer.next() == Some(at))?.send()
    }
}
