//! A trial in virtual time.

use super::result::{Finished, Happened};
use super::{Keep, Run, Session, Time};
use crate::{SessionError, foot};
use chronotap_record::{Circumstances, Entry, Header, summarize, write_events};
use chronotap_recorder::Beginning;
use chronotap_rehearsal::{Rig, virtual_time};
use chronotap_time::Nanos;
use std::sync::Arc;

impl Session {
    pub(super) fn rehearse(
        &mut self,
        run: &Run<'_>,
        longest: Nanos,
    ) -> Result<Finished, SessionError> {
        let rig = self.rig_of_wires(run)?;
        let watched = !run.observers.is_empty() || run.keep != Keep::Nothing;
        let header = if watched { self.header(run)? } else { Header::default() };
        let mut entries = self.take_entries();
        tell_beginning(run, &header);
        let engine = run.file.engine(run.seed);
        let outcome = virtual_time::run(engine, rig, longest, &mut |entry| {
            run.observers.iter().for_each(|observer| observer.happened(entry));
            entries.push(entry);
        });
        let seen = Circumstances {
            limit: run.limit(),
            lost: outcome.lost + outcome.ports.iter().map(|port| port.lost).sum::<u64>(),
            answers: chronotap_record::answers(run.file),
            ..Circumstances::default()
        };
        let summary = summarize(&run.file.title, &run.file.trial, &entries, &seen);
        let saved = match run.keep {
            Keep::Files(dir, name) => {
                let ran = foot::Rehearsed { ports: &outcome.ports, lost_in_engine: outcome.lost };
                let footer = foot::footer(&summary, &ran);
                write_events(dir, name, &header, &entries, &footer, false).map(Some)
            }
            Keep::Nothing => Ok(None),
        };
        run.tell_end(&summary, &saved);
        let happened = Happened::VirtualTime(outcome);
        Ok(Finished {
            seed: run.seed,
            summary,
            saved,
            problem: None,
            moved: None,
            dropped: 0,
            entries,
            circumstances: seen,
            happened,
        })
    }

    /// The ports of a virtual trial: its wires.
    fn rig_of_wires(&self, run: &Run<'_>) -> Result<Rig, SessionError> {
        let arrangement = self.arrange(run.file)?;
        let mut rig = Rig::new(self.inputs.len(), self.outputs.len());
        for (place, (_, wire)) in self.wires.iter().zip(self.wires(run, &arrangement)?) {
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
    pub fn reuse(&mut self, finished: &mut Finished) {
        if let Time::Virtual(_, entries) = &mut self.time {
            *entries = std::mem::take(&mut finished.entries);
            entries.clear();
        }
    }
}

fn tell_beginning(run: &Run<'_>, header: &Header) {
    if run.observers.is_empty() {
        return;
    }
    let beginning = Arc::new(Beginning { header: header.clone(), ..Beginning::default() });
    run.observers.iter().for_each(|observer| observer.begins(Arc::clone(&beginning)));
}
