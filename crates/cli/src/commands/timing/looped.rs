//! [`LoopProbe`]: the loop test as one of all tests, on the virtual wire and on the
//! ports that are named as looped. A device that nobody named is never sent anything,
//! because it might sound, or store, what it is sent; it is listed with the cure.

use crate::data;
use crate::says::in_full;
use anyhow::Result;
use chronotap_bench::timing::{
    CirculationReport, CirculationTest, Length, MeasuredLoop, Probe, TestFound, TestRefusal,
    TestRun, in_real_time, loop_series,
};
use chronotap_core::time::Nanos;
use chronotap_linux::ports::PortKinds;
use chronotap_linux::realtime::Request;
use chronotap_rig::laboratory::{Bindings, PortNames, Rig};
use chronotap_rig::runner::real_time::RealTimeSettings;

/// From one message to the next on a MIDI cable, about.
pub const MESSAGE: Nanos = Nanos::from_micros(960);

/// The loop test on pairs of ports.
pub struct LoopProbe {
    pairs: Vec<(String, String)>, // input, output
}

impl LoopProbe {
    /// On the virtual wire and on these ports: `PORT`, or `IN=OUT` where they are two.
    pub fn of(looped: &[String]) -> LoopProbe {
        let pair = |name: &String| match name.split_once('=') {
            Some((input, output)) => (input.to_owned(), output.to_owned()),
            None => (name.clone(), name.clone()),
        };
        let wire = [("wire:loop".to_owned(), "wire:loop".to_owned())];
        LoopProbe { pairs: wire.into_iter().chain(looped.iter().map(pair)).collect() }
    }

    fn measure(&self, at: usize, course: &mut TestRun<'_>) -> Result<MeasuredLoop> {
        let (input, output) = &self.pairs[at];
        let test = CirculationTest::Loop { inputs: messages(course.length) };
        let bindings = bindings(test, input, output)?;
        let settings =
            RealTimeSettings { request: Request::trial(), spin: true, serve_every: None };
        let mut rig = Rig::open(bindings, None, &settings, course.interrupt)?;
        let measured = in_real_time(test, &mut rig, |_, taps| {
            let share = f64::from(taps) * 2.0 / f64::from(test.messages());
            course.tell(input, (at as f64 + share.min(1.0)) / self.pairs.len() as f64);
        })?;
        Ok(measured)
    }

    /// Ports that could be tested if they were known to be looped.
    fn untested(&self) -> Option<String> {
        let kinds = PortKinds::standard();
        let real = kinds.rows().filter(|kind| kind.has_sockets).flat_map(|kind| (kind.list)());
        let both = real.filter(|port| port.input && port.output);
        let named = |name: &String| self.pairs.iter().any(|(i, o)| i == name || o == name);
        let names: Vec<String> = both.map(|port| port.name).filter(|name| !named(name)).collect();
        (!names.is_empty()).then(|| {
            format!(
                "not tested, since nothing says that they are looped: {}; connect output to \
                 input by a cable and add --looped '{}'",
                names.join(", "),
                names[0]
            )
        })
    }
}

impl Probe for LoopProbe {
    fn name(&self) -> &'static str {
        "loop"
    }

    fn available(&self) -> Result<(), TestRefusal> {
        Ok(()) // the virtual wire is always there
    }

    fn duration(&self, length: Length) -> Nanos {
        MESSAGE * i64::from(messages(length)) * self.pairs.len() as i64
    }

    fn run(&self, course: &mut TestRun<'_>) -> TestFound {
        let mut found = TestFound::of(self.name());
        for (at, (input, output)) in self.pairs.iter().enumerate() {
            if course.interrupted() {
                break;
            }
            let ports = named(input, output);
            match self.measure(at, course) {
                Ok(measured) => take(&mut found, &measured, &ports),
                Err(error) => {
                    found.notes.push(format!("{ports}: not measured: {}", in_full(&error)))
                }
            }
        }
        found.interrupted = course.interrupted();
        found.notes.extend(self.untested());
        found
    }
}

/// The ports of a test.
pub fn bindings(test: CirculationTest, input: &str, output: &str) -> Result<Bindings> {
    let trial = test.trial()?;
    let (ins, outs) = data::names(&trial);
    let names = PortNames { inputs: vec![input.into()], outputs: vec![output.into()] };
    Ok(Bindings::resolve(&names, &ins, &outs, None)?)
}

/// What a pair of ports is called.
pub fn named(input: &str, output: &str) -> String {
    if input == output { input.to_owned() } else { format!("{output} to {input}") }
}

/// How many messages come in; the full test has the 100 runs of 10,000 of Finney (2001).
pub fn messages(length: Length) -> u32 {
    length.pick(1_000, 10_000, 1_000_000)
}

/// Adds what a pair of ports showed.
pub fn take(found: &mut TestFound, measured: &MeasuredLoop, ports: &str) {
    found.series.extend(loop_series(measured, ports));
    let report = CirculationReport::of(measured, ports, ports);
    let bound = report.bound.map_or("nothing that this test can name", |bound| bound.describe());
    found.notes.push(format!("{ports}: the rate is bound by {bound}"));
    found.notes.extend(report.reasons.iter().map(|reason| format!("{ports}: {reason}")));
    found.grant.clone_from(&measured.run.grant);
}
