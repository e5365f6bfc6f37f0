//! A trial in virtual time.

use super::{FinishedTrial, KeepData, Rig, Time, TrialRun};
use crate::laboratory::{RigError, foot};
use chronotap_core::time::Nanos;
use chronotap_data::record::{Entry, Header, write_events};
use chronotap_simulate::{Computed, compute, wires_of_trial};
use chronotap_trial::Ports;

impl Rig {
    pub(super) fn compute(
        &mut self,
        run: &TrialRun<'_>,
        longest: Nanos,
    ) -> Result<FinishedTrial, RigError> {
        let rig = self.rig_of_wires(run)?;
        let watched = !run.sinks.is_empty() || run.keep != KeepData::Nothing;
        let header = if watched { self.header(run)? } else { Header::default() };
        let entries = self.take_entries();
        run.tell_beginning(&header);
        let computed =
            compute((run.file, run.seed, run.limit()), rig, longest, entries, &mut |entry| {
                run.sinks.iter().for_each(|sink| sink.happened(entry));
            });
        let Computed { summary, entries, circumstances, ended, .. } = computed;
        let saved = match run.keep {
            KeepData::Files(dir, name) => {
                let ran = foot::Rehearsed { ports: &ended.ports, lost_in_engine: ended.lost };
                let footer = foot::footer(&summary, &ran);
                write_events(dir, name, &header, &entries, &footer, false).map(Some)
            }
            KeepData::Nothing => Ok(None),
        };
        run.tell_end(&summary, &saved);
        Ok(FinishedTrial {
            seed: run.seed,
            summary,
            saved,
            problem: None,
            moved: None,
            dropped: 0,
            entries,
            circumstances,
            ports: ended.ports,
            lost: ended.lost,
            began_utc: None,
        })
    }

    /// The ports of a virtual trial: its wires.
    fn rig_of_wires(&self, run: &TrialRun<'_>) -> Result<Ports, RigError> {
        let arrangement = self.arrange(run.file)?;
        let mut rig = Ports::new(self.inputs.len(), self.outputs.len());
        let wires = wires_of_trial(&self.wires, (run.file, run.seed, run.tapper), &arrangement)?;
        for (place, (_, wire)) in self.wires.iter().zip(wires) {
            rig.add(wire, &place.inputs, &place.outputs)?;
        }
        rig.arrange(arrangement);
        Ok(rig)
    }

    fn take_entries(&mut self) -> Vec<Entry> {
        match &mut self.time {
            Time::Virtual(_, entries) => std::mem::take(entries),
            Time::Real(_) => Vec::new(),
        }
    }

    /// Gives the room of a finished trial's entries back, for the next one's.
    pub fn reuse(&mut self, finished: &mut FinishedTrial) {
        if let Time::Virtual(_, entries) = &mut self.time {
            *entries = std::mem::take(&mut finished.entries);
            entries.clear();
        }
    }
}
