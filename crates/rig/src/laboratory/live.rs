//! [`Live`]: a running trial in a few numbers, for the one line that a screen shows. They are
//! counted from the notices to a sink.

use crate::recorder::{Beginning, Losses, Notice};
use chronotap_core::files::Refusal;
use chronotap_core::time::Nanos;
use chronotap_data::record::Entry;
use chronotap_engine::action::ActionKind;

/// A running trial, as far as the notices of a sink say.
#[derive(Clone, Debug, Default)]
pub struct Live {
    /// Accepted taps of each input, in the trial's order, with the input's name.
    pub taps: Vec<(String, u32)>,
    /// The last beat of each pacing stream that sounded, in the trial's order.
    pub beats: Vec<(String, u32)>,
    /// Feedback tones begun.
    pub feedback: u32,
    /// Tones that a port would not take, or that were never played.
    pub lost: u32,
    /// The greatest lateness of an output, beyond its constant latency.
    pub latest: Nanos,
    /// Inputs that are closed at the moment.
    pub closed: Vec<String>,
    /// Overruns of each input that had any: a full buffer lost messages.
    pub overruns: Vec<(String, u64)>,
    /// Frames of music that were silent, because the disk did not give them in time.
    pub silent_frames: u64,
    /// Events that the recorder's queue had no room for.
    pub dropped: u64,
    /// Why the disk does not take the data at the moment; they are kept in memory.
    pub disk: Option<Refusal>,
    /// Notices that were missed: the numbers are of what was seen.
    pub missed: u64,
    latencies: Vec<Nanos>, // the constant one of each output
}

impl Live {
    /// Takes a notice in.
    pub fn take(&mut self, notice: &Notice) {
        match notice {
            Notice::Begins(beginning) => *self = Live::of(beginning),
            Notice::Happened(entry) => self.happened(entry),
            Notice::Corrected(entry) => self.output(entry),
            Notice::Lost(losses) => self.lost_by_ports(losses),
            Notice::Missed(count) => self.missed += count,
            Notice::Ends(_) => {}
        }
    }

    /// A trial that has begun.
    fn of(beginning: &Beginning) -> Live {
        let none = |names: &[String]| names.iter().map(|name| (name.clone(), 0)).collect();
        let names = &beginning.header.names;
        let output = |name: &String| {
            let ports = &beginning.header.ports;
            let port = ports.iter().find(|port| port.direction == "out" && port.name == *name);
            let audio = port.and_then(|port| port.audio.as_ref());
            Nanos(audio.map_or(0, |audio| audio.latency_ns))
        };
        Live {
            taps: none(&names.inputs),
            beats: none(&names.pacing),
            latencies: names.outputs.iter().map(output).collect(),
            ..Live::default()
        }
    }

    fn happened(&mut self, entry: &Entry) {
        let (number, kind) = (entry.action.number, entry.action.kind);
        match kind {
            ActionKind::Tap(input) if number > 0 => set(&mut self.taps, input, number),
            ActionKind::Pacing(stream) if number > 0 => set(&mut self.beats, stream, number),
            ActionKind::Feedback(_) => self.feedback += 1,
            ActionKind::InputClosed(input) => {
                let name = self.taps.get(usize::from(input)).map(|(name, _)| name.clone());
                self.closed.extend(name);
            }
            ActionKind::InputReopened(input) => {
                let name = self.taps.get(usize::from(input)).map(|(name, _)| name.clone());
                self.closed.retain(|closed| Some(closed) != name.as_ref());
            }
            _ => {}
        }
        if entry.action.is_output() {
            self.output(entry);
        }
    }

    /// What left no entry behind.
    fn lost_by_ports(&mut self, losses: &Losses) {
        let named = self.taps.iter().map(|(name, _)| name.clone()).zip(losses.overruns.clone());
        self.overruns = named.filter(|(_, count)| *count > 0).collect();
        self.silent_frames = losses.silent_frames;
        (self.dropped, self.disk) = (losses.dropped, losses.disk);
    }

    /// What became of an output, the first time or once more.
    fn output(&mut self, entry: &Entry) {
        let latency = self.latencies.get(usize::from(entry.action.port)).copied();
        match entry.achieved {
            Some(at) => {
                let late = at - entry.action.deadline - latency.unwrap_or(Nanos::ZERO);
                self.latest = self.latest.max(late);
            }
            None => self.lost += 1,
        }
    }
}

fn set(numbers: &mut [(String, u32)], index: u16, number: u32) {
    if let Some((_, last)) = numbers.get_mut(usize::from(index)) {
        *last = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_data::record::{Header, Names, What};
    use chronotap_engine::action::Action;
    use chronotap_engine::perturbation::Perturbation;
    use std::sync::Arc;

    fn entry(kind: ActionKind, number: u32) -> Notice {
        let action = Action {
            id: 1,
            kind,
            number,
            cause: 0,
            deadline: Nanos::ZERO,
            instant: Nanos::ZERO,
            port: 0,
            message: None,
            perturbation: Perturbation::NONE,
        };
        let (achieved, what) = (None, What::Happened);
        Notice::Happened(Entry { what, action, achieved, stamp: None, frame: None })
    }

    #[test]
    fn each_input_has_its_own_count() {
        let names = Names { inputs: vec!["left".into(), "right".into()], ..Names::default() };
        let header = Header { names, ..Header::default() };
        let beginning = Arc::new(Beginning { header, ..Beginning::default() });
        let mut live = Live::default();
        live.take(&Notice::Begins(beginning));
        for notice in [
            entry(ActionKind::Tap(0), 7),
            entry(ActionKind::Tap(1), 3),
            entry(ActionKind::Tap(0), 0),
        ] {
            live.take(&notice);
        }
        assert_eq!(live.taps, [("left".to_owned(), 7), ("right".to_owned(), 3)]);
        live.take(&entry(ActionKind::InputClosed(1), 0));
        assert_eq!(live.closed, ["right"]);
        live.take(&entry(ActionKind::InputReopened(1), 0));
        assert!(live.closed.is_empty());
        let losses = Losses { overruns: vec![0, 3], silent_frames: 480, ..Losses::default() };
        live.take(&Notice::Lost(losses));
        assert_eq!((live.overruns, live.silent_frames), (vec![("right".to_owned(), 3)], 480));
    }
}
