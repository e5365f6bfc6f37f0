//! [`Bench`]: one cell of the test, a period, a load and some tracks: its threads, and
//! the search among them.

use super::{
    Border, Cycles, Lasting, MOST, Order, Outcome, Pace, Phase, Plugin, Relay, Track, border,
};
use crate::{Course, Placement, RealTimer, Scheduling, ThreadError, Timed, measure};
use chronotap_realtime::{Heartbeat, Interrupt};
use chronotap_time::Nanos;
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
    pub timed: Vec<Timed<()>>,
}

/// What the leading thread brings home.
#[derive(Default)]
struct Home {
    border: Option<Border>,
    idle: Cycles,
    /// Of the number that was confirmed last.
    busy: (u32, Cycles),
}

impl Bench {
    /// In words.
    pub fn what(&self) -> String {
        let tracks = if self.cores.len() == 1 { "track" } else { "tracks" };
        format!("{} frames, {} on {} {tracks}", self.pace.frames, self.plugin, self.cores.len())
    }

    /// Measures; `part` is where in the whole test it begins and its share.
    pub fn run(&self, part: (f64, f64), course: &mut Course<'_>) -> Result<Run, ThreadError> {
        let relay = Relay::new(self.cores.len() - 1);
        let placement = |core: &usize| Placement {
            quick_wakeups: true,
            ..Placement::any(self.scheduling).on(*core)
        };
        let placements: Vec<Placement> = self.cores.iter().map(placement).collect();
        let (interrupt, computed) = (course.interrupt, AtomicI64::new(0));
        let expected = self.lasting.search * super::RUNS + self.lasting.confirm * 3;
        let tell = |course: &mut Course<'_>| {
            let done = computed.load(Ordering::Relaxed) as f64 / expected.0 as f64;
            course.tell(&self.what(), part.0 + part.1 * done.min(1.0));
        };
        let mut timed = measure(&placements, course, tell, |index, heart| match index {
            0 => Some(self.lead(&relay, heart, interrupt, &computed)),
            track => {
                self.follow(&relay, track, heart);
                None
            }
        })?;
        let home = timed.first_mut().and_then(|leader| leader.value.take()).unwrap_or_default();
        let border = home.border;
        let busy = match border {
            Some(border) if border.instances == home.busy.0 => home.busy.1,
            _ => Cycles::default(),
        };
        let timed = timed.into_iter().map(|one| one.with(()));
        Ok(Run { border, idle: home.idle, busy, timed: timed.collect() })
    }

    fn follow(&self, relay: &Relay, track: usize, heart: &Heartbeat) {
        let mut load = self.track();
        relay.follow(track - 1, |order| {
            heart.beat();
            match order {
                Order::Prepare(instances) => load.prepare(instances),
                Order::Cycle => load.cycle(),
                Order::End => {}
            }
        });
    }

    fn lead(
        &self,
        relay: &Relay,
        heart: &Heartbeat,
        interrupt: Interrupt,
        computed: &AtomicI64,
    ) -> Home {
        let (mut load, mut home) = (self.track(), Home::default());
        relay.lead();
        let asked_on = || {
            heart.beat();
            !interrupt.requested()
        };
        home.border = border(self.most(), |instances, phase| {
            relay.together(Order::Prepare(instances), || load.prepare(instances));
            let mut cycles = Cycles::default();
            let count = self.pace.periods_in(self.span(phase));
            let work = || relay.together(Order::Cycle, || load.cycle());
            let outcome = self.pace.run(&mut RealTimer, count, &mut cycles, work, asked_on);
            if outcome == Outcome::Clean {
                computed.fetch_add(self.span(phase).0, Ordering::Relaxed);
            }
            home.keep(instances, phase, outcome, &cycles);
            outcome
        });
        relay.together(Order::End, || {});
        home
    }

    fn track(&self) -> Track {
        Track::new(self.plugin, self.pace.frames, self.pace.rate_hz)
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

impl Home {
    /// The load at the border is that of its clean runs.
    fn keep(&mut self, instances: u32, phase: Phase, outcome: Outcome, cycles: &Cycles) {
        if instances == 0 {
            self.idle.add(cycles);
        }
        match phase {
            _ if outcome != Outcome::Clean => {}
            Phase::Confirm if self.busy.0 == instances => self.busy.1.add(cycles),
            Phase::Confirm => self.busy = (instances, cycles.clone()),
            Phase::Search => {}
        }
    }
}
