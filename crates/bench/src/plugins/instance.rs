//! [`Instance`]: a plugin that computes, with something at each of its ports.
//!
//! Every audio input is given the same sound, every other input rests: control voltages
//! at zero, no events, controls at the plugin's defaults. Each output has its own place,
//! which nobody reads.
//!
//! Real-time contract of [`Instance::process`]: a measuring thread; on our side no
//! allocation, lock or system call. What the plugin does is the plugin's.

use livi::error::RunError;
use livi::event::LV2AtomSequence;
use livi::{EmptyPortConnections, Features, Plugin};
use std::iter::repeat_n;

/// Room for the events of one port and one period.
const EVENT_BYTES: usize = 8_192;

/// One instance of a plugin.
pub struct Instance {
    instance: livi::Instance,
    audio_inputs: usize,
    cv_inputs: usize,
    silence: Vec<f32>, // a period of it
    audio_outputs: Vec<Vec<f32>>,
    cv_outputs: Vec<Vec<f32>>,
    event_inputs: Vec<LV2AtomSequence>,
    event_outputs: Vec<LV2AtomSequence>,
}

impl Instance {
    pub(crate) fn new(instance: livi::Instance, plugin: &Plugin, features: &Features) -> Instance {
        let ports = plugin.port_counts();
        let silence = vec![0.0; features.max_block_length()];
        let sounds = |n: usize| vec![silence.clone(); n];
        let event = |_| LV2AtomSequence::new(features, EVENT_BYTES);
        Instance {
            instance,
            audio_inputs: ports.audio_inputs,
            cv_inputs: ports.cv_inputs,
            audio_outputs: sounds(ports.audio_outputs),
            cv_outputs: sounds(ports.cv_outputs),
            event_inputs: (0..ports.atom_sequence_inputs).map(event).collect(),
            event_outputs: (0..ports.atom_sequence_outputs).map(event).collect(),
            silence,
        }
    }

    /// One period: as many frames as the plugin was looked up for. An instance has done
    /// so once before it is given out, and what could be wrong does not change after.
    pub fn process(&mut self, input: &[f32]) {
        let done = self.run(input);
        debug_assert!(done.is_ok(), "a period of another length: {done:?}");
    }

    pub(crate) fn run(&mut self, input: &[f32]) -> Result<(), RunError> {
        let ports = EmptyPortConnections::new()
            .with_audio_inputs(repeat_n(input, self.audio_inputs))
            .with_audio_outputs(self.audio_outputs.iter_mut().map(Vec::as_mut_slice))
            .with_cv_inputs(repeat_n(self.silence.as_slice(), self.cv_inputs))
            .with_cv_outputs(self.cv_outputs.iter_mut().map(Vec::as_mut_slice))
            .with_atom_sequence_inputs(self.event_inputs.iter())
            .with_atom_sequence_outputs(self.event_outputs.iter_mut());
        // SAFETY: the iterators are those of slices and repeated slices, whose lengths are
        // exact; inputs are shared and outputs exclusive borrows for the whole call, each at
        // least as long as the period, which `run` checks; sequences of events were made
        // with the features of this instance. `&mut self` lets nobody else run it.
        unsafe { self.instance.run(input.len(), ports) }
    }

    /// What it put out in the last period, one for each of its audio outputs.
    pub fn outputs(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.audio_outputs.iter().map(Vec::as_slice)
    }
}
