//! The sink of the pages: what it is told of the trials of a session, on their page state.

use super::nearest::{Nearest, Tap};
use super::page_state::PageState;
use crate::shown::Shown;
use chronotap_core::files::Refusal;
use chronotap_core::time::Nanos;
use chronotap_data::record::Entry;
use chronotap_data::record::stamp_word as stamp;
use chronotap_engine::action::ActionKind;
use chronotap_linux::clocks::MonotonicClock;
use chronotap_rig::laboratory::{Listener, Live};
use chronotap_rig::recorder::{Beginning, Notice};
use chronotap_words::cure;
use std::ops::ControlFlow;
use std::sync::Arc;

/// How often a page is told the numbers of a running trial.
const EVERY: Nanos = Nanos::from_millis(200);

/// The sink by which the pages of this page state are told of trials.
pub fn follow_trials(page_state: &Arc<PageState>) -> Box<dyn Listener> {
    Box::new(Trial::new(Arc::clone(page_state)))
}

/// The trial that runs.
struct Trial {
    page_state: Arc<PageState>,
    live: Live,
    nearest: Nearest,
    last_taps: Vec<Option<Nanos>>, // of each input
    last_tap: Nanos,
    origin: Nanos,
    running: bool,
    told: Nanos, // when the numbers were told last
}

impl Listener for Trial {
    fn name(&self) -> &'static str {
        "console trials"
    }

    fn hear(&mut self, notice: &Notice) -> ControlFlow<()> {
        self.live.take(notice);
        self.take(notice);
        ControlFlow::Continue(())
    }

    fn look(&mut self) {
        let now = MonotonicClock::raw();
        if self.running && now - self.told >= EVERY {
            self.told = now;
            self.tell_progress(now);
        }
    }
}

impl Trial {
    fn new(page_state: Arc<PageState>) -> Trial {
        Trial {
            page_state,
            live: Live::default(),
            nearest: Nearest::default(),
            last_taps: Vec::new(),
            last_tap: Nanos::ZERO,
            origin: Nanos::ZERO,
            running: false,
            told: Nanos::ZERO,
        }
    }

    fn take(&mut self, notice: &Notice) {
        match notice {
            Notice::Begins(beginning) => self.begin(beginning),
            Notice::Happened(entry) => self.happened(entry),
            Notice::Ends(_) => {
                self.tell_progress(MonotonicClock::raw());
                self.running = false;
            }
            Notice::Corrected(_) | Notice::Lost(_) | Notice::Missed(_) => {} // counted by `Live`
        }
    }

    fn begin(&mut self, beginning: &Beginning) {
        let names = &beginning.header.names;
        self.nearest = Nearest::default();
        self.last_taps = vec![None; names.inputs.len()];
        (self.last_tap, self.origin) = (Nanos::ZERO, beginning.origin);
        self.running = true;
        self.page_state.tell(Shown::Begins {
            inputs: names.inputs.clone(),
            streams: names.pacing.clone(),
            origin_utc_ms: beginning.origin_utc.as_millis_f64(),
            limit_us: Nanos(beginning.header.limit_ns).as_micros_f64(),
        });
    }

    fn happened(&mut self, entry: &Entry) {
        match entry.action.kind {
            ActionKind::Pacing(stream) if stream < STREAMS_SHOWN && entry.action.number > 0 => {
                self.beat(stream, entry);
            }
            ActionKind::Tap(input) if entry.action.number > 0 => self.tap(input, entry),
            _ => {}
        }
    }

    fn beat(&mut self, stream: u16, entry: &Entry) {
        let Some(at) = entry.achieved else { return };
        self.page_state.tell(Shown::Beat { stream, at_ms: at.as_millis_f64() });
        if stream == 0 {
            let found = self.nearest.beat(at);
            found.into_iter().for_each(|(tap, far)| self.asynchrony(tap, far));
        }
    }

    fn tap(&mut self, input: u16, entry: &Entry) {
        let (at, number) = (entry.action.deadline, entry.action.number);
        let last = self.last_taps.get_mut(usize::from(input)).and_then(|last| last.replace(at));
        self.last_tap = at;
        self.page_state.tell(Shown::Tap {
            input,
            number,
            at_ms: at.as_millis_f64(),
            interval_ms: last.map(|last| (at - last).as_millis_f64()),
            stamp: entry.stamp.map_or("", stamp).to_owned(),
        });
        let tap = Tap { input, number, at };
        if let Some(far) = self.nearest.tap(tap) {
            self.asynchrony(tap, far);
        }
    }

    fn asynchrony(&self, tap: Tap, far: Nanos) {
        if self.page_state.look(|scene| scene.blind) {
            return;
        }
        let Tap { input, number, at } = tap;
        let (at_ms, ms) = (at.as_millis_f64(), far.as_millis_f64());
        self.page_state.tell(Shown::Asynchrony { input, number, at_ms, ms });
    }

    fn tell_progress(&self, now: Nanos) {
        let at = now - self.origin;
        self.page_state.tell(Shown::Progress {
            at_s: at.as_secs_f64(),
            taps: self.live.taps.clone(),
            silent_s: (at - self.last_tap).as_secs_f64(),
            latest_us: self.live.latest.as_micros_f64(),
            lost: self.live.lost,
            closed: self.live.closed.clone(),
            overruns: self.live.overruns.clone(),
            silent_frames: self.live.silent_frames,
            dropped: self.live.dropped,
            disk: self.live.disk.map_or_else(String::new, of_the_disk),
            missed: self.live.missed,
        });
    }
}

/// For the experimenter, who may mend it while the trial runs.
fn of_the_disk(refusal: Refusal) -> String {
    let (condition, cure) = (refusal.condition(), cure(refusal));
    format!("{condition}: {cure}. Until then the trial is kept in memory")
}

/// Streams whose beats are shown: more would not be told apart in a plot.
const STREAMS_SHOWN: u16 = 2;
