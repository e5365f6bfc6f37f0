//! [`Bench`]: one cell of the test, a period, a load and some tracks: its threads, and
//! the searches among them, whose spread says how far the border is the machine's own.

use super::in_card::InCard;
use super::{
    Border, Cycles, DspTrack, Factory, Lasting, MOST, Pace, Plugin, Relay, RunEnd, SearchPhase,
    TrackLayout, WorkerOrder, border,
};
use crate::plugins::PluginError;
use crate::timing::{Part, Placement, RealTimer, Scheduling, TestRun, ThreadError, Timed, measure};
use chronotap_core::time::Nanos;
use chronotap_linux::cards::CardError;
use chronotap_linux::realtime::{Heartbeat, Interrupt, Policy};
use std::collections::BTreeMap;
use std::error::Error;
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
    /// How often the border is sought.
    pub searches: u32,
    pub arrangement: TrackLayout,
    /// In whose callback it is computed; on a timer where there is none.
    pub card: Option<InCard>,
}

pub(crate) struct Run {
    /// The border in the middle of those that the searches found, the lower one of two.
    pub border: Option<Border>,
    /// What each search found, in order.
    pub found: Vec<u32>,
    /// With no instance at all: the cost of handing work over and back.
    pub idle: Cycles,
    /// With as many as the border says.
    pub busy: Cycles,
    /// The runs that had an xrun.
    pub failed: Cycles,
    /// Why the plugin made no further instance, or the card did not open again, which
    /// ended the search.
    pub refused: Option<BenchError>,
    /// How the card's thread was scheduled, in a card.
    pub policy: Option<Policy>,
    /// Whether another track's thread could not be scheduled as that one, in a card.
    pub unequal: bool,
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
    /// Its card cannot be opened.
    #[error(transparent)]
    Card(#[from] CardError),
}

impl BenchError {
    /// The error of the library that refused.
    pub fn kind(&self) -> &(dyn Error + 'static) {
        match self {
            BenchError::Plugin(error) => error,
            BenchError::Thread(error) => error,
            BenchError::Card(error) => error,
        }
    }
}

/// What the threads of a cell share.
struct Shared<'a> {
    relay: &'a Relay,
    factory: &'a Factory,
    refused: OnceLock<PluginError>,
    computed: AtomicI64, // ns of clean runs
}

/// What the leading thread brings home of one search.
#[derive(Default)]
pub(super) struct Home {
    pub border: Option<Border>,
    idle: Cycles,
    failed: Cycles,
    /// Of clean runs that confirm, by number: a noisy border has several on trial.
    confirming: BTreeMap<u32, Cycles>,
}

impl Bench {
    pub fn what(&self) -> String {
        let tracks = if self.cores.len() == 1 { "track" } else { "tracks" };
        let series = if self.arrangement == TrackLayout::Series { " in series" } else { "" };
        let (frames, count) = (self.pace.frames, self.cores.len());
        match &self.card {
            Some(card) if count == 1 => {
                format!("{frames} frames, {}{series} in {}", self.plugin, card.name)
            }
            Some(card) => {
                format!(
                    "{frames} frames, {}{series} on {count} tracks in {}",
                    self.plugin, card.name
                )
            }
            None => format!("{frames} frames, {}{series} on {count} {tracks}", self.plugin),
        }
    }

    /// Measures; `part` is what it is of the whole test.
    pub fn run(&self, part: Part, course: &mut TestRun<'_>) -> Result<Run, BenchError> {
        match &self.card {
            Some(card) => self.run_in(card, part, course),
            None => self.run_on_threads(part, course),
        }
    }

    fn run_on_threads(&self, part: Part, course: &mut TestRun<'_>) -> Result<Run, BenchError> {
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
        let tell = |course: &mut TestRun<'_>| {
            let done = shared.computed.load(Ordering::Relaxed) as f64 / self.expected().0 as f64;
            course.tell(&self.what(), part.at(done));
        };
        let mut timed = measure(&placements, course, tell, |index, heart| match index {
            0 => Some(self.lead(&shared, heart, interrupt)),
            track => {
                self.follow(&shared, track, heart);
                None
            }
        })?;
        let homes = timed.first_mut().and_then(|leader| leader.value.take()).unwrap_or_default();
        let timed = timed.into_iter().map(|one| one.with(())).collect();
        let refused = shared.refused.into_inner().map(BenchError::Plugin);
        Ok(Run { refused, timed, ..Run::of(homes) })
    }

    /// How long the clean runs of all searches take, about.
    pub(super) fn expected(&self) -> Nanos {
        self.lasting.runs(super::RUNS) * i64::from(self.searches)
    }

    fn follow(&self, shared: &Shared<'_>, track: usize, heart: &Heartbeat) {
        let mut load = self.track(shared);
        shared.relay.follow(track - 1, |order| {
            heart.beat();
            match order {
                WorkerOrder::Prepare(instances) => shared.prepare(&mut load, instances),
                WorkerOrder::Cycle => load.cycle(),
                WorkerOrder::End => {}
            }
        });
    }

    fn lead(&self, shared: &Shared<'_>, heart: &Heartbeat, interrupt: Interrupt) -> Vec<Home> {
        let (mut load, mut homes, relay) = (self.track(shared), Vec::new(), shared.relay);
        relay.gather();
        for _ in 0..self.searches {
            homes.push(self.search(shared, &mut load, heart, interrupt));
            if interrupt.requested() || shared.refused.get().is_some() {
                break;
            }
        }
        relay.together(WorkerOrder::End, || {});
        homes
    }

    /// Seeks the border once.
    fn search(
        &self,
        shared: &Shared<'_>,
        load: &mut DspTrack,
        heart: &Heartbeat,
        interrupt: Interrupt,
    ) -> Home {
        let (mut home, relay) = (Home::default(), shared.relay);
        let asked_on = || {
            heart.beat();
            !interrupt.requested()
        };
        home.border = border(self.most(), |instances, phase| {
            relay.together(WorkerOrder::Prepare(instances), || shared.prepare(load, instances));
            if shared.refused.get().is_some() {
                return RunEnd::Interrupted;
            }
            let mut cycles = Cycles::default();
            let count = self.pace.periods_in(self.span(phase));
            let work = || relay.together(WorkerOrder::Cycle, || load.cycle());
            let end = self.pace.run(&mut RealTimer, count, &mut cycles, work, asked_on);
            if end == RunEnd::Clean {
                shared.computed.fetch_add(self.span(phase).0, Ordering::Relaxed);
            }
            home.keep(instances, phase, end, &cycles);
            end
        });
        home
    }

    fn track(&self, shared: &Shared<'_>) -> DspTrack {
        DspTrack::new(shared.factory.clone(), self.pace.frames, self.arrangement)
    }

    pub(super) fn span(&self, phase: SearchPhase) -> Nanos {
        match phase {
            SearchPhase::Search => self.lasting.search,
            SearchPhase::Confirm => self.lasting.confirm,
        }
    }

    /// What half of the free memory holds.
    pub(super) fn most(&self) -> u32 {
        let memory = rustix::system::sysinfo();
        let free = memory.freeram as u64 * u64::from(memory.mem_unit.max(1));
        let each = self.plugin.bytes() * self.cores.len() as u64;
        (free / 2 / each).clamp(1, u64::from(MOST)) as u32
    }
}

impl Run {
    /// Of all searches of a cell; nothing refused, and without its threads.
    pub(super) fn of(homes: Vec<Home>) -> Run {
        let found: Vec<u32> =
            homes.iter().filter_map(|home| Some(home.border?.instances)).collect();
        let (mut idle, mut failed) = (Cycles::default(), Cycles::default());
        for home in &homes {
            idle.add(&home.idle);
            failed.add(&home.failed);
        }
        let mut homes: Vec<Home> = homes.into_iter().filter(|home| home.border.is_some()).collect();
        homes.sort_by_key(|home| home.border.map(|border| border.instances));
        let middle = homes.len().saturating_sub(1) / 2;
        let (border, busy) = match homes.get_mut(middle) {
            Some(home) => (home.border, home.busy()),
            None => (None, Cycles::default()),
        };
        let (refused, policy, unequal, timed) = (None, None, false, Vec::new());
        Run { border, found, idle, busy, failed, refused, policy, unequal, timed }
    }
}

impl Shared<'_> {
    /// Between the runs, not in real time: makes what is missing.
    fn prepare(&self, load: &mut DspTrack, instances: u32) {
        if let Err(error) = load.prepare(instances) {
            self.refused.get_or_init(|| error);
        }
    }
}

impl Home {
    /// The load at the border is that of its clean runs.
    pub(super) fn keep(
        &mut self,
        instances: u32,
        phase: SearchPhase,
        end: RunEnd,
        cycles: &Cycles,
    ) {
        if instances == 0 {
            self.idle.add(cycles);
        }
        if end == RunEnd::Xruns {
            self.failed.add(cycles);
        }
        if (phase, end) == (SearchPhase::Confirm, RunEnd::Clean) {
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
    use crate::studies::dsp::CONFIRMATIONS;
    use crate::timing::Histogram;

    #[test]
    fn the_load_is_that_of_the_border_though_a_greater_number_was_nearly_confirmed() {
        let mut home = Home::default();
        let cycles = |ns| Cycles { busy: Histogram::of([Nanos(ns)]), ..Cycles::default() };
        for _ in 0..CONFIRMATIONS {
            home.keep(39, SearchPhase::Confirm, RunEnd::Clean, &cycles(390));
        }
        home.keep(40, SearchPhase::Confirm, RunEnd::Clean, &cycles(400));
        home.keep(40, SearchPhase::Confirm, RunEnd::Xruns, &cycles(500));
        let confirmed =
            Border { instances: 39, confirmed: true, at_limit: false, stray: 0, runs: 5 };
        home.border = Some(confirmed);
        let busy = home.busy().busy;
        assert_eq!((busy.n(), busy.max()), (u64::from(CONFIRMATIONS), Some(Nanos(390))));
    }

    #[test]
    fn of_several_searches_the_middle_border_counts_and_all_are_kept() {
        let home = |instances: u32| {
            let mut home = Home::default();
            let cycles =
                Cycles { busy: Histogram::of([Nanos(i64::from(instances))]), ..Cycles::default() };
            home.keep(instances, SearchPhase::Confirm, RunEnd::Clean, &cycles);
            home.keep(
                instances + 1,
                SearchPhase::Search,
                RunEnd::Xruns,
                &Cycles { xruns: 1, ..cycles },
            );
            home.border =
                Some(Border { instances, confirmed: true, at_limit: false, stray: 0, runs: 9 });
            home
        };
        let run = Run::of(vec![home(97), home(115), home(2)]);
        assert_eq!((run.border.unwrap().instances, run.found), (97, vec![97, 115, 2]));
        assert_eq!((run.busy.busy.max(), run.failed.xruns), (Some(Nanos(97)), 3));
        let even = Run::of(vec![home(10), home(12)]);
        assert_eq!(even.border.unwrap().instances, 10, "the lower one of two");
        assert_eq!(Run::of(vec![Home::default()]).border, None);
    }
}
