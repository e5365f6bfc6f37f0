//! [`VirtualRig`]: trial after trial in virtual time, on virtual wires alone. Nothing is kept of a
//! trial but what [`Computed`] holds, and nobody watches.

use crate::Tapper;
use crate::virtual_time::{self, Ended};
use crate::wires::{WireEndpoint, Wires, WiresError, wires_of_trial};
use chronotap_analysis::summary::Summary;
use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_data::record::{Circumstances, Entry, answers, summarize};
use chronotap_trial::{Arrangement, Ports};

/// Virtual wires, and how trials are run on them.
#[derive(Debug)]
pub struct VirtualRig {
    names: (Vec<String>, Vec<String>), // of its inputs and outputs
    wires: Vec<WireEndpoint>,
    longest: Nanos,
    entries: Vec<Entry>, // room of an earlier trial's
}

/// A trial that was run in virtual time.
#[derive(Debug)]
pub struct Computed {
    pub seed: u64,
    /// The trial in numbers.
    pub summary: Summary,
    /// Every event.
    pub entries: Vec<Entry>,
    /// What was known besides the entries: with both every tap can be accounted for again.
    pub circumstances: Circumstances,
    /// What its runner counted.
    pub ended: Ended,
}

impl VirtualRig {
    /// A trial lasts at most `longest`.
    ///
    /// # Errors
    /// [`WiresError::UnheardLoop`].
    pub fn new(wires: &Wires, longest: Nanos) -> Result<VirtualRig, WiresError> {
        let names =
            |list: &[crate::wires::Wired]| list.iter().map(|one| one.name.clone()).collect();
        Ok(VirtualRig {
            names: (names(&wires.inputs), names(&wires.outputs)),
            wires: wires.endpoints()?,
            longest,
            entries: Vec::new(),
        })
    }

    /// Runs a trial to its end. The limit is the lateness above which the timing verdict fails; the
    /// trial file's where `None`.
    ///
    /// # Errors
    /// [`WiresError`].
    pub fn run(
        &mut self,
        (file, seed, tapper): (&TrialFile, u64, &Tapper),
        limit: Option<Nanos>,
    ) -> Result<Computed, WiresError> {
        self.run_told((file, seed, tapper), limit, &mut |_| {}, &mut |_, _| {})
    }

    /// The same, and each entry is told as it happens. Before the trial begins, its ports are shown with
    /// the names of their inputs.
    pub(crate) fn run_told(
        &mut self,
        (file, seed, tapper): (&TrialFile, u64, &Tapper),
        limit: Option<Nanos>,
        told: &mut dyn FnMut(Entry),
        begins: &mut dyn FnMut(&mut Ports, &[String]),
    ) -> Result<Computed, WiresError> {
        let mut ports = self.ports((file, seed, tapper))?;
        begins(&mut ports, &self.names.0);
        let entries = std::mem::take(&mut self.entries);
        let limit = limit.unwrap_or(file.limit);
        Ok(compute((file, seed, limit), ports, self.longest, entries, told))
    }

    /// Gives the room of a finished trial's entries back, for the next one's.
    pub fn reuse(&mut self, computed: Computed) {
        self.reuse_room(computed.entries);
    }

    /// The same of entries alone.
    pub(crate) fn reuse_room(&mut self, entries: Vec<Entry>) {
        self.entries = entries;
        self.entries.clear();
    }

    /// The ports of a trial: its wires.
    fn ports(&self, trial: (&TrialFile, u64, &Tapper)) -> Result<Ports, WiresError> {
        let (inputs, outputs) = (&self.names.0, &self.names.1);
        let wanted = &trial.0.trial;
        let of_inputs: Vec<&str> = wanted.inputs.iter().map(|i| i.name.as_str()).collect();
        let of_outputs: Vec<&str> = wanted.outputs.iter().map(String::as_str).collect();
        let arranged = Arrangement::by_name((inputs, outputs), (&of_inputs, &of_outputs));
        let arranged = arranged.map_err(|name| WiresError::Unknown { name: name.into() })?;
        let mut ports = Ports::new(inputs.len(), outputs.len());
        for (endpoint, (_, wire)) in
            self.wires.iter().zip(wires_of_trial(&self.wires, trial, &arranged)?)
        {
            ports.add(wire, &endpoint.inputs, &endpoint.outputs)?;
        }
        ports.arrange(arranged);
        Ok(ports)
    }
}

/// Runs a trial on these ports, which may last at most `longest`, and sums it up. `entries` is the
/// room for its entries; `told` hears each as it happens.
pub fn compute(
    (file, seed, limit): (&TrialFile, u64, Nanos),
    ports: Ports,
    longest: Nanos,
    mut entries: Vec<Entry>,
    told: &mut dyn FnMut(Entry),
) -> Computed {
    let ended = virtual_time::run(file.engine(seed), ports, longest, &mut |entry| {
        told(entry);
        entries.push(entry);
    });
    let circumstances = Circumstances {
        limit,
        lost: ended.lost + ended.ports.iter().map(|port| port.lost).sum::<u64>(),
        answers: answers(file),
        ..Circumstances::default()
    };
    let summary = summarize(&file.title, &file.trial, &entries, &circumstances);
    Computed { seed, summary, entries, circumstances, ended }
}
