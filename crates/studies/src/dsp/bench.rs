//! [`Bench`]: one cell of the test, a period, a load and some tracks: its threads, and
//! the search among them.

use super::{
    Border, Cycles, Factory, Lasting, MOST, Order, Pace, Phase, Plugin, Relay, RunEnd, Track,
    border,
};
use chronotap_plugins::PluginError;
use chronotap_realtime::{Heartbeat, Interrupt};
use chronotap_time::Nanos;
use chronotap_timing::{Course, Placement, RealTimer, Scheduling, ThreadError, Timed, measure};
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering};

/// A cell of the test.
pub(crate) struct Bench {
    pub pace: Pace,
    pub plugin: Plugin,
    /// One for each track, the leading thread's first.
    pub cores: Vec<usize>,
    pub scheduling: Scheduling,
    pub lasting: Lasting,
}

/// What was found.
pub(crate) struct Run {
    pub border: Option<Border>,
    /// With no instance at all: the cost of handing work over and back.
    pub idle: Cycles,
    /// With as many as the border says.
    pub busy: Cycles,
    /// Why the plugin made no further instance, which ended the search.
    pub refused: Option<PluginError>,
    pub timed: Vec<Timed<()>>,
}

/// A cell could not be measured at all.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BenchError {
    /// Its plugin cannot be loaded.
    #[error(transparent)]
    Plugin(#[from] PluginError),
    /// Its threads cannot be started.
    #[error(transparent)]
    Thread(#[from] ThreadError),
}

/// What the threads of a cell share.
struct Shared<'a> {
    relay: &'a Relay,
    factory: &'a Factory,
    refused: OnceLock<PluginError>,
    computed: AtomicI64, // ns of clean runs
}

/// What the leading thread brings home.
#[derive(Default)]
struct Home {
    border: Option<Border>,
    idle: Cycles,
    /// Of clean runs that confirm, by number: a noisy border has several on trial.
    confirming: BTreeMap<u32, Cycles>,
}

impl Bench {
    /// In words.
    pub fn what(&self) -> String {
        let tracks = if self.cores.len() == 1 { "track" } else { "tracks" };
        format!("{} frames, {} on {} {tracks}", self.pace.frames, self.plugin, self.cores.len())
    }

    /// Measures; `part` is where in the whole test it begins and its share.
    pub fn run(&self, part: (f64, f64), course: &mut Course<'_>) -> Result<Run, BenchError> {
        let shared = Shared {
            relay: &Relay::new(self.cores.len() - 1),
            factory: &self.plugin.load(self.pace.frames, self.pace.rate_hz)?,
            refused: OnceLock::new(),
            computed: AtomicI64::new(0),
        };
        let placement = |core: &usize| Placement {
            quick_wakeups: true,
            ..Placement::any(self.scheduling).on(*core)
        };
        let placements: Vec<Placement> = self.cores.iter().map(placement).collect();
        let interrupt = course.interrupt;
        let expected = self.lasting.search * super::RUNS + self.lasting.confirm * 3;
        let tell = |course: &mut Course<'_>| {
            let done = shared.computed.load(Ordering::Relaxed) as f64 / expected.0 as f64;
            course.tell(&self.what(), part.0 + part.1 * done.min(1.0));
        };
        let mut timed = measure(&placements, course, tell, |index, heart| match index {
            0 => Some(self.lead(&shared, heart, interrupt)),
            track => {
                self.follow(&shared, track, heart);
                None
            }
        })?;
        let mut home = timed.first_mut().and_then(|leader| leader.value.take()).unwrap_or_default();
        let (border, busy) = (home.border, home.busy());
        let timed = timed.into_iter().map(|one| one.with(())).collect();
        Ok(Run { border, idle: home.idle, busy, refused: shared.refused.into_inner(), timed })
    }

    fn follow(&self, shared: &Shared<'_>, track: usize, heart: &Heartbeat) {
        let mut load = self.track(shared);
        shared.relay.follow(track - 1, |order| {
            heart.beat();
            match order {
                Order::Prepare(instances) => shared.prepare(&mut load, instances),
                Order::Cycle => load.cycle(),
                Order::End => {}
            }
        });
    }

    fn lead(&self, shared: &Shared<'_>, heart: &Heartbeat, interrupt: Interrupt) -> Home {
        let (mut load, mut home, relay) = (self.track(shared), Home::default(), shared.relay);
        relay.lead();
        let asked_on = || {
            heart.beat();
            !interrupt.requested()
        };
        home.border = border(self.most(), |instances, phase| {
            relay.together(Order::Prepare(instances), || shared.prepare(&mut load, instances));
            if shared.refused.get().is_some() {
                return RunEnd::Interrupted;
            }
            let mut cycles = Cycles::default();
            let count = self.pace.periods_in(self.span(phase));
            let work = || relay.together(Order::Cycle, || load.cycle());
            let end = self.pace.run(&mut RealTimer, count, &mut cycles, work, asked_on);
            if end == RunEnd::Clean {
                shared.computed.fetch_add(self.span(phase).0, Ordering::Relaxed);
            }
            home.keep(instances, phase, end, &cycles);
            end
        });
        relay.together(Order::End, || {});
        home
    }

    fn track(&self, shared: &Shared<'_>) -> Track {
        Track::new(shared.factory.clone(), self.pace.frames)
    }

    fn span(&self, phase: Phase) -> Nanos {
        match phase {
            Phase::Search => self.lasting.search,
            Phase::Confirm => self.lasting.confirm,
        }
    }

    /// What half of the free memory holds.
    fn most(&self) -> u32 {
        let memory = rustix::system::sysinfo();
        let free = memory.freeram as u64 * u64::from(memory.mem_unit.max(1));
        let each = self.plugin.bytes() * self.cores.len() as u64;
        (free / 2 / each).clamp(1, u64::from(MOST)) as u32
    }
}

impl Shared<'_> {
    /// Between the runs, not in real time: makes what is missing.
    fn prepare(&self, load: &mut Track, instances: u32) {
        if let Err(error) = load.prepare(instances) {
            self.refused.get_or_init(|| error);
        }
    }
}

impl Home {
    /// The load at the border is that of its clean runs.
    fn keep(&mut self, instances: u32, phase: Phase, end: RunEnd, cycles: &Cycles) {
        if instances == 0 {
            self.idle.add(cycles);
        }
        if (phase, end) == (Phase::Confirm, RunEnd::Clean) {
            self.confirming.entry(instances).or_default().add(cycles);
        }
    }

    /// Those of the border; none where it is not confirmed.
    fn busy(&mut self) -> Cycles {
        let instances = self.border.map(|border| border.instances);
        instances.and_then(|instances| self.confirming.remove(&instances)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dsp::CONFIRMATIONS;
    use chronotap_timing::Histogram;

    #[test]
    fn the_load_is_that_of_the_border_though_a_greater_number_was_nearly_confirmed() {
        let mut home = Home::default();
        let cycles = |ns| Cycles { busy: Histogram::of([Nanos(ns)]), ..Cycles::default() };
        for _ in 0..CONFIRMATIONS {
            home.keep(39, Phase::Confirm, RunEnd::Clean, &cycles(390));
        }
        home.keep(40, Phase::Confirm, RunEnd::Clean, &cycles(400));
        home.keep(40, Phase::Confirm, RunEnd::Xruns, &cycles(500));
        let confirmed =
            Border { instances: 39, confirmed: true, at_limit: false, stray: 0, runs: 5 };
        home.border = Some(confirmed);
        let busy = home.busy().busy;
        assert_eq!((busy.n(), busy.max()), (u64::from(CONFIRMATIONS), Some(Nanos(390))));
    }
}
