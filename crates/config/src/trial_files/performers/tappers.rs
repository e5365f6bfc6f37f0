//! [`Tappers`]: several performers as one, in the order of time, for two hands or
//! two people on the inputs of one trial.
//!
//! All of them hear everything, but for feedback on another output than that of the stream that they
//! follow: of two people with headphones each hears the own ones. Where two send at the same instant, the one named
//! first does so first.

use super::answer::KeyAnswer;
use super::model::Model;
use super::participant::SimulatedParticipant;
use super::spec::ParticipantSpecError;
use crate::trial_files::TrialFile;
use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;
use chronotap_engine::action::ActionKind;
use chronotap_engine::signal::{Heard, Performer, Sent};

/// Performers side by side.
#[derive(Default)]
pub struct Tappers {
    performers: Vec<Box<dyn Performer>>,
    /// Whether they are the hands of one person, of which each feels the other's taps.
    hands: bool,
}

impl Tappers {
    /// These performers, in this order.
    pub fn new(performers: Vec<Box<dyn Performer>>) -> Tappers {
        Tappers { performers, hands: false }
    }

    /// Participants of these models, each with a generator of its own.
    pub fn of(models: &[Model], seed: u64) -> Tappers {
        let boxed = models.iter().enumerate().map(|(place, model)| {
            Box::new(SimulatedParticipant::at_place(model.clone(), seed, place))
                as Box<dyn Performer>
        });
        Tappers::new(boxed.collect())
    }

    /// The same, each of whom knows what is to be done in the trial.
    fn knowing(models: &[Model], file: &TrialFile, seed: u64) -> Tappers {
        let boxed = models.iter().enumerate().map(|(place, model)| {
            let participant = SimulatedParticipant::at_place(model.clone(), seed, place);
            Box::new(participant.at_trial(file)) as Box<dyn Performer>
        });
        Tappers::new(boxed.collect())
    }

    /// Participants by their descriptions, separated by semicolons, as in
    /// `tapper, input = left; musician, input = right`.
    ///
    /// # Errors
    /// [`ParticipantSpecError`], which names the nearest valid word.
    pub fn from_spec(
        spec: &str,
        inputs: &[String],
        seed: u64,
    ) -> Result<Tappers, ParticipantSpecError> {
        Ok(Tappers::of(&Model::several_from_spec(spec, inputs)?, seed))
    }

    /// The same at the inputs of a trial. A preset alone says nothing of where it taps: it
    /// taps with each input, to the stream that this input answers.
    ///
    /// # Errors
    /// [`ParticipantSpecError`], which names the nearest valid word.
    pub fn at_trial(
        spec: &str,
        file: &TrialFile,
        seed: u64,
    ) -> Result<Tappers, ParticipantSpecError> {
        let inputs: Vec<String> = file.trial.inputs.iter().map(|i| i.name.clone()).collect();
        let mut models = Model::several_from_spec(spec, &inputs)?;
        models.iter_mut().for_each(|model| play_sequence(model, file));
        let of_everybody = models.iter_mut().zip(spec.split(';'));
        of_everybody.for_each(|(model, of)| follow_what_is_answered(model, of, file));
        Ok(match &models[..] {
            [one] if one.is_observer() && only_hears(file) => {
                Tappers::new(vec![Box::new(KeyAnswer::guess(one, &file.trial, seed))])
            }
            [one] if !says_where(one, spec) => {
                Tappers { hands: true, ..Tappers::knowing(&hands(one, file), file, seed) }
            }
            models => Tappers::knowing(models, file, seed),
        })
    }
}

/// Whether there is something to hear and nothing to tap to.
fn only_hears(file: &TrialFile) -> bool {
    file.answers.pairs.is_empty() && !file.trial.pacing.is_empty()
}

/// Whether a description says at which input it taps: every one with a parameter does, but of a member
/// of a population, who has all parameters.
fn says_where(model: &Model, spec: &str) -> bool {
    match model.is_of_a_population() {
        true => states(spec, "input") || states(spec, "stream"),
        false => spec.contains('='),
    }
}

fn states(spec: &str, key: &str) -> bool {
    spec.split(',').filter_map(|part| part.split_once('=')).any(|(stated, _)| stated.trim() == key)
}

/// A member of a population at an input follows the stream that it answers.
fn follow_what_is_answered(model: &mut Model, spec: &str, file: &TrialFile) {
    let pair = file.answers.pairs.iter().find(|(input, _)| *input == model.input);
    if let Some((_, stream)) = pair
        && model.is_of_a_population()
        && !states(spec, "stream")
    {
        model.stream = *stream;
    }
}

/// A participant's hand for each input that answers a stream; the first stream where it
/// answers several. Where none answers any, the one that the model has.
fn hands(model: &Model, file: &TrialFile) -> Vec<Model> {
    let inputs = 0..file.trial.inputs.len() as u16;
    let stream = |of: u16| file.answers.pairs.iter().find(|(input, _)| *input == of);
    let hand = |&(input, stream): &(u16, u16)| {
        let mut hand = Model { input, stream, ..model.clone() };
        play_sequence(&mut hand, file);
        hand
    };
    let hands: Vec<Model> = inputs.filter_map(stream).map(hand).collect();
    if hands.is_empty() { vec![model.clone()] } else { hands }
}

/// Who is told no keys plays the sequence of the input.
fn play_sequence(model: &mut Model, file: &TrialFile) {
    let sequence = file.answers.sequences.iter().find(|(input, _)| *input == model.input);
    if let Some((_, keys)) = sequence.filter(|_| model.note == Model::tapper().note) {
        model.note.clone_from(keys);
    }
}

/// The tap of a hand as the other one feels it.
fn felt(sent: &Sent) -> Heard {
    let Sent { input, at, message } = *sent;
    let (kind, message) = (ActionKind::Tap(input), Some(message));
    Heard { at, kind, number: 0, input: Some(input), output: 0, message }
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
        let sent = self.performers.iter_mut().find(|one| one.next() == Some(at))?.send()?;
        if self.hands && matches!(sent.message, Message::NoteOn { .. }) {
            self.hear(felt(&sent));
        }
        Some(sent)
    }
}
