//! `chronotap lsl`: the events of running trials as streams of the Lab Streaming Layer.
//!
//! It is a process beside the trial, and knows of it what `--follow` says. So a trial has no network,
//! and whatever happens here costs it nothing: who follows too slowly loses lines, is told
//! how many, and says so at the end. What other computers can reach is a process of its own again,
//! which is started anew whatever ends it (`supervised.rs`).

mod feed;
mod labrecorder;
mod markers;
mod publisher;
mod streams;
mod supervised;

use crate::CommandVerdict;
use crate::args::Lsl;
use crate::commands::streamed::Streamed;
use crate::commands::take_over_ctrl_c;
use crate::screen::{complain, remark, say, wrapped};
use anyhow::{Context, Result};
use chronotap_core::text::counted;
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::{MonotonicClock, sleep_until};
use feed::{Fed, FollowedLines};
use labrecorder::LabRecorder;
use markers::{FollowedLine, Marker, Markers, Told};
pub use publisher::confine;
use std::collections::VecDeque;
use supervised::Supervised;

/// How long a recorder is given at the end to take what it was sent.
const PATIENCE: Nanos = Nanos::from_secs(2);
/// How long the end waits for what is not taken yet: for a new start, and for recorders to come back.
const TAKING: Nanos = Nanos::from_secs(15);
/// How often recorders are looked for then.
const LOOK: Nanos = Nanos::from_millis(10);
/// Events that are published at once, and the pause between so many at the end: a recorder has room for 36,000.
const AT_ONCE: usize = 1_000;
const PAUSE: Nanos = Nanos::from_millis(20);
/// Events that may wait for recorders: a long session of lively trials.
const MOST_WAITING: usize = 1_000_000;

pub fn lsl(args: &Lsl) -> Result<CommandVerdict> {
    if args.publisher {
        return publisher::publish(&args.name, args.codes, &of(args)?);
    }
    of(args)?; // what the child could not read
    let interrupt = take_over_ctrl_c()?;
    let streams = Supervised::open(&args.name, args.codes, args.about.as_deref())?;
    let mut feed = FollowedLines::open(&args.follow)?;
    announce(args, &streams);
    let mut bridge = Bridge::new(streams, args);
    while !(interrupt.requested() || feed.is_over(args.once) && bridge.is_done()) {
        let fed = feed.read(interrupt, &mut |line| bridge.take(line))?;
        if fed == Fed::Gone {
            bridge.gone(
                "the trial broke off, or did not tell of its end; its data may have more events",
            );
        }
        bridge.publish(MonotonicClock::raw());
    }
    drop(feed); // whoever follows from now on is told that nobody listens
    Ok(bridge.end())
}

/// What the streams are of.
fn of(args: &Lsl) -> Result<Streamed> {
    let read = |about: &str| serde_json::from_str(about).context("--about is no JSON of a run");
    args.about.as_deref().map_or_else(|| Ok(Streamed::default()), read)
}

fn announce(args: &Lsl, streams: &Supervised) {
    let publishing = format!("publishing {}", streams.names().join(" and "));
    if args.of_run {
        return say(publishing);
    }
    let of = format!("of trials that are run with --follow {}", args.follow.display());
    remark(wrapped(&format!("{publishing}, {of}; Ctrl-C ends it"), ""));
}

/// What comes of the trials, on its way to the streams.
struct Bridge {
    streams: Supervised,
    markers: Markers,
    waiting: VecDeque<Marker>, // until recorders are there
    wanted: usize,             // recorders, for each stream; 0 where none are waited for
    recorder: Option<LabRecorder>,
    says_less: bool, // a run says itself that it begins
    count: Count,
}

/// What became of it.
#[derive(Default)]
struct Count {
    trials: u64,
    events: u64,
    codes: u64,
    unheard: u64, // published while nobody read them
    lost: u64,
    faults: u64, // lines that cannot be read, trials that broke off, new starts
    restarts: u64,
}

impl Bridge {
    fn new(streams: Supervised, args: &Lsl) -> Bridge {
        let recorder = args.labrecorder.as_deref();
        Bridge {
            streams,
            markers: Markers::default(),
            waiting: VecDeque::new(),
            wanted: usize::from(args.wait_for_consumers.unwrap_or(0)),
            recorder: recorder.map(|at| LabRecorder::at(at, args.recording.as_deref())),
            says_less: args.of_run,
            count: Count::default(),
        }
    }

    /// Takes a line of `--follow`.
    fn take(&mut self, line: &str) {
        let taken = FollowedLine::read(line).and_then(|line| self.markers.take(line));
        match taken {
            Ok(Told::Event) => {}
            Ok(Told::Begins(title)) => {
                self.count.trials += 1;
                if !self.says_less {
                    remark(format!("a trial begins: {title}"));
                }
                self.record(&title);
            }
            Ok(Told::Lost(count)) => {
                self.count.lost += count;
                let lines = counted(count as usize, "line");
                complain(&format!(
                    "lost on the way here: {lines}, of events or of the ends of some"
                ));
            }
            Err(why) => {
                self.count.faults += 1;
                complain(&format!("a line that came is left out: {why}"));
            }
        }
    }

    /// LabRecorder begins with the first trial, whose events wait for it, though not for long.
    fn record(&mut self, title: &str) {
        if self.recorder.as_mut().is_some_and(|recorder| recorder.start(title)) {
            self.streams.await_one(MonotonicClock::raw());
        }
    }

    /// Says what became of LabRecorder.
    fn hear_of(&mut self, recorder: Result<()>) {
        if let Err(why) = recorder {
            self.streams.await_nobody();
            self.count.faults += 1;
            complain(&format!("{why:#}; the events are published all the same"));
        }
    }

    /// Nothing more comes of the trial that runs, if one does.
    fn gone(&mut self, why: &str) {
        if self.markers.break_off() {
            self.count.faults += 1;
            complain(why);
        }
    }

    /// Publishes what is settled, once there are as many recorders as are wanted.
    fn publish(&mut self, now: Nanos) {
        self.waiting.extend(self.markers.settled(now));
        let readers = self.streams.readers();
        if readers >= self.wanted {
            self.no_longer_wait();
            let now = self.waiting.len().min(AT_ONCE);
            let sent: Vec<Marker> = self.waiting.drain(..now).collect();
            sent.iter().for_each(|marker| self.send(marker, readers));
        }
        self.tend();
        self.keep(MOST_WAITING);
    }

    /// Whatever ends the streams is told, and they come back.
    fn tend(&mut self) {
        if let Some(started) = self.recorder.as_mut().and_then(LabRecorder::started) {
            self.hear_of(started);
        }
        if let Some(why) = self.streams.tend(MonotonicClock::raw()) {
            self.count.faults += 1;
            complain(why);
        }
    }

    /// All who are wanted are there; one that leaves later is not waited for.
    fn no_longer_wait(&mut self) {
        if self.wanted > 0 {
            remark(format!("read by {}; publishing", counted(self.wanted, "program")));
        }
        self.wanted = 0;
    }

    /// Gives up the oldest of those that wait where there are more.
    fn keep(&mut self, most: usize) {
        let too_many = self.waiting.len().saturating_sub(most);
        let given_up = self.waiting.drain(..too_many);
        self.count.lost += given_up.filter(|marker| marker.is_event).count() as u64;
    }

    fn send(&mut self, marker: &Marker, readers: usize) {
        self.streams.send(marker);
        self.count.events += u64::from(marker.is_event);
        self.count.unheard += u64::from(marker.is_event && readers == 0);
        self.count.codes += u64::from(marker.code.is_some() && self.streams.has_codes());
    }

    fn is_done(&self) -> bool {
        self.waiting.is_empty() && self.markers.is_empty() && self.streams.untaken() == 0
    }

    /// Publishes the rest, gives recorders time to take it, and says what there was.
    fn end(mut self) -> CommandVerdict {
        self.gone("the trial still runs; what comes of it from now on is not published");
        self.publish(Nanos::MAX);
        while self.wanted == 0 && !self.waiting.is_empty() {
            sleep_until(MonotonicClock::raw() + PAUSE);
            self.publish(Nanos::MAX);
        }
        self.keep(0);
        self.tend_while(TAKING, |streams| streams.untaken() > 0);
        self.tend_while(PATIENCE, |streams| streams.readers() > 0);
        if let Some(stopped) = self.recorder.as_mut().map(LabRecorder::stop) {
            self.hear_of(stopped);
        }
        self.count.lost += self.streams.untaken() as u64;
        self.count.restarts = self.streams.restarts();
        let said = self.count.in_words();
        say(if self.says_less { said } else { wrapped(&said, "") });
        CommandVerdict::of(self.count.lost + self.count.faults == 0)
    }
}

impl Bridge {
    fn tend_while(&mut self, longest: Nanos, holds: impl Fn(&Supervised) -> bool) {
        let until = MonotonicClock::raw() + longest;
        while holds(&self.streams) && MonotonicClock::raw() < until {
            sleep_until(MonotonicClock::raw() + LOOK);
            self.tend();
        }
    }
}

impl Count {
    fn in_words(&self) -> String {
        let of = |count: u64, what| counted(count as usize, what);
        let (events, codes) = (of(self.events, "event"), of(self.codes, "code"));
        let unheard = match self.unheard {
            0 => String::new(),
            count => format!(", {count} of the events while nobody read them"),
        };
        let trials = of(self.trials, "trial");
        let restarts = match self.restarts {
            0 => String::new(),
            count => {
                let times = of(count, "time");
                format!("; started again {times}, around which recordings may lack some")
            }
        };
        let lost = self.lost;
        format!("{events} and {codes} of {trials} published{unheard}; {lost} lost{restarts}")
    }
}
