//! [`measure`]: runs the trial on the port and the card, and gathers what each of them
//! knows: the trial its entries, the witnesses when the program was at work, the ear what
//! sounded.

use super::chain::{AnsweredTap, Latencies, TapChain};
use super::ear::{self, HeardOnsets, Hearing};
use super::pairing::{Pairing, TapCounts, pair_up};
use super::scripted::UNKNOWN;
use super::strikes::{PadMessage, PadReading, Struck, read_pad};
use super::trial::trial;
use super::witness::{Seen, Witness};
use super::{ScriptedPad, TapToSoundTest};
use crate::timing::{TestRefusal, TestRun};
use chronotap_config::trial_files::Problems;
use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;
use chronotap_data::record::{Entry, settled};
use chronotap_engine::Engine;
use chronotap_engine::action::{ActionKind, EventId};
use chronotap_engine::signal::{Port, Stamp};
use chronotap_linux::cards::CardShape;
use chronotap_linux::ports::{ToneError, TonePort};
use chronotap_linux::realtime::{Grant, Request};
use chronotap_rig::recorder::entries;
use chronotap_rig::runner::real_time::{self, RealTimeError, RealTimeSettings};
use chronotap_trial::{Ports, TooManyPorts};
use rtrb::Consumer;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;

/// Room for what comes in while this thread is away.
const ENTRIES: usize = 1 << 14;
/// A sound is waited for at least so long; later taps are not asked for theirs.
const PATIENCE: Nanos = Nanos::from_millis(500);

/// What a run left.
#[derive(Clone, Debug, Default)]
pub struct TapToSoundRun {
    /// How the card ran.
    pub shape: CardShape,
    /// The answered taps, oldest first.
    pub tapped: Vec<AnsweredTap>,
    /// Taps whose answer was lost.
    pub lost: usize,
    /// Every message that came in from the pad, answered or not.
    pub messages: Vec<PadMessage>,
    /// Those of each input beside it.
    pub beside: Vec<Vec<PadMessage>>,
    /// When the trial ended.
    pub ended: Nanos,
    /// What was heard.
    pub heard: HeardOnsets,
    /// The trial's start, raw CLOCK_MONOTONIC.
    pub origin: Nanos,
    /// When periods were missed, in the trial's time.
    pub xruns: Vec<Nanos>,
    /// The constant from a tap's stamp to its answer at the converter.
    pub latency: Nanos,
    /// Where the stamps were taken.
    pub stamped: Option<Stamp>,
    /// Rights asked for and granted.
    pub grant: Option<Grant>,
}

/// The witnesses' queues: of the port of the taps, and of that of the sounds.
type Witnessed = [Consumer<Seen>; 2];

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum TapToSoundError {
    /// So many taps, or so long a time, make no trial.
    #[error(transparent)]
    Trial(#[from] Problems),
    /// The port of the taps cannot be opened.
    #[error(transparent)]
    Port(TestRefusal),
    /// The card cannot be opened.
    #[error(transparent)]
    Card(#[from] ToneError),
    /// The card is there and hears nothing.
    #[error("the sound card has no inputs")]
    NoInputs,
    /// More ports than a trial has.
    #[error(transparent)]
    Ports(#[from] TooManyPorts),
    /// The thread of the trial could not run.
    #[error(transparent)]
    Thread(#[from] RealTimeError),
}

/// Runs it.
///
/// # Errors
/// [`TapToSoundError`].
pub fn measure(
    test: &TapToSoundTest,
    course: &mut TestRun<'_>,
) -> Result<TapToSoundRun, TapToSoundError> {
    let (taps, longest) = (test.taps(course.length), test.longest(course.length));
    let trial = trial(taps, longest, test.beside.len())?;
    let origin = Arc::new(AtomicI64::new(UNKNOWN));
    let (tone, shape, mut hearing) = listening(test, &origin)?;
    let (mut measured, mut taken) =
        (TapToSoundRun { shape, ..TapToSoundRun::default() }, Vec::new());
    measured.latency = tone.describe().latency;
    let beside = test.beside.iter().map(|beside| &beside.open);
    let inputs: Result<Vec<_>, TestRefusal> =
        std::iter::once(&test.open).chain(beside).map(|open| open()).collect();
    let inputs = inputs.map_err(TapToSoundError::Port)?;
    let (rig, mut witnessed) = rig(inputs, Box::new(tone), origin)?;
    let (sender, mut received) = entries(ENTRIES);
    let mut seen: Vec<Seen> = Vec::new();
    let settings = RealTimeSettings { request: Request::trial(), spin: true, serve_every: None };
    let interrupt = course.interrupt;
    let outcome = real_time::run(
        Engine::new(Arc::new(trial), 1), // nothing is drawn by lot
        rig,
        &settings,
        interrupt,
        |ready| {
            measured.grant = Some(ready.grant.clone());
            sender
        },
        |_| {
            taken.extend(received.take());
            witnessed.iter_mut().for_each(|queue| seen.extend(Witness::taken(queue)));
            hearing.listen();
            tell(course, crate::timing::circulation::taps(&taken), taps);
        },
    )?;
    taken.extend(received.take());
    measured.heard = hearing.listen().clone();
    measured.origin = outcome.origin;
    witnessed.iter_mut().for_each(|queue| seen.extend(Witness::taken(queue)));
    measured.gather(&settled(&taken), &seen, outcome.ended, taps);
    Ok(measured)
}

/// The card, with the ear that hears its inputs.
fn listening(
    test: &TapToSoundTest,
    origin: &Arc<AtomicI64>,
) -> Result<(TonePort, CardShape, Hearing), TapToSoundError> {
    let mut opened = None;
    let tone = TonePort::hearing(&test.card, test.channels.inputs(), |shape, watch| {
        let watch = Arc::clone(watch);
        let due = Box::new(move || watch.last_period().map_or(Nanos::ZERO, |period| period.at));
        let (ear, hearing) = ear::pair(test.channels, shape.rate_hz, test.threshold, due);
        opened = Some((shape.clone(), hearing));
        let capture = Latencies::of(shape).capture;
        let sound = |pad: &ScriptedPad| pad.sound(Arc::clone(origin), capture, shape.rate_hz);
        Box::new(ear.with(test.scripted.as_ref().map(sound)))
    });
    let tone = tone?;
    let (shape, hearing) = opened.ok_or(TapToSoundError::NoInputs)?;
    Ok((tone, shape, hearing))
}

/// Of the inputs the first is answered, and watched.
fn rig(
    inputs: Vec<Box<dyn Port>>,
    tone: Box<dyn Port>,
    origin: Arc<AtomicI64>,
) -> Result<(Ports, Witnessed), TooManyPorts> {
    let mut rig = Ports::new(inputs.len(), 1);
    let mut inputs = (0..).zip(inputs);
    let (tone, writes) = Witness::of(tone);
    let watched = inputs.next().map(|(_, input)| Witness::of(input));
    let (input, reads) = watched.ok_or(TooManyPorts)?;
    rig.add(Box::new(input.telling(origin)), &[0], &[])?;
    inputs.try_for_each(|(place, input)| rig.add(input, &[place], &[]))?;
    rig.add(Box::new(tone), &[], &[0])?;
    Ok((rig, [reads, writes]))
}

fn tell(course: &mut TestRun<'_>, done: u32, taps: u32) {
    let what = match done {
        0 => "wait a second, then tap".to_owned(),
        done => format!("{done} of {taps} taps"),
    };
    course.tell(&what, f64::from(done) / f64::from(taps));
}

/// What the program did, by stamp and by action.
#[derive(Default)]
struct Times {
    read: HashMap<Nanos, (Nanos, Stamp)>,
    handed: HashMap<EventId, Nanos>,
}

impl Times {
    fn of(all: &[Seen]) -> Times {
        let mut times = Times::default();
        for seen in all {
            match *seen {
                Seen::Read { stamp, by, at } => {
                    times.read.entry(stamp).or_insert((at, by));
                }
                Seen::Handed { id, at } => {
                    times.handed.insert(id, at);
                }
            }
        }
        times
    }

    /// What is known of a tap and its answer; nothing where the answer was lost.
    fn tapped(&self, stamp: Nanos, answer: &Entry) -> Option<AnsweredTap> {
        let (read, _) = *self.read.get(&stamp)?;
        let handed = *self.handed.get(&answer.action.id)?;
        Some(AnsweredTap { stamp, read, handed, frame: answer.frame?, said: answer.achieved? })
    }
}

/// A tap as a message of a pad.
fn message(tap: &Entry) -> Option<PadMessage> {
    let Some(Message::NoteOn { velocity, .. }) = tap.action.message else { return None };
    Some(PadMessage { stamp: tap.action.deadline, velocity: velocity.get() })
}

impl TapToSoundRun {
    /// Takes in the trial's entries and what the witnesses saw; the trial ended then, and so many taps were asked for.
    pub fn gather(&mut self, entries: &[Entry], seen: &[Seen], ended: Nanos, asked: u32) {
        let times = Times::of(seen);
        self.ended = ended;
        let of = |wanted: fn(&ActionKind) -> bool| {
            entries.iter().filter(move |entry| wanted(&entry.action.kind))
        };
        let xruns = of(|kind| matches!(kind, ActionKind::Xrun));
        self.xruns = xruns.map(|entry| entry.action.deadline).collect();
        let answers = of(|kind| matches!(kind, ActionKind::Feedback(_)));
        let answers: HashMap<EventId, &Entry> =
            answers.map(|entry| (entry.action.cause, entry)).collect();
        for tap in of(|kind| matches!(kind, ActionKind::Tap(1..))) {
            self.take_beside(tap);
        }
        for tap in of(|kind| matches!(kind, ActionKind::Tap(0))) {
            let stamp = tap.action.deadline;
            self.messages.extend(message(tap));
            self.stamped = self.stamped.or(times.read.get(&stamp).map(|(_, by)| *by));
            let answer = answers.get(&tap.action.id);
            match answer.and_then(|answer| times.tapped(stamp, answer)) {
                Some(tapped) => self.tapped.push(tapped),
                None => self.lost += 1,
            }
        }
        self.leave_out_the_last(ended, asked as usize);
    }

    /// The way of each tap, and what did not come out even.
    pub fn chains(&self, with_taps: bool, card: Latencies) -> (Vec<TapChain>, TapCounts) {
        let TapToSoundRun { heard, origin, xruns, .. } = self;
        let pairing = Pairing { heard, with_taps, origin: *origin, card, xruns };
        let (chains, mut counts) = pair_up(&self.tapped, &pairing);
        counts.lost = self.lost;
        counts.taps += self.lost;
        (chains, counts)
    }

    fn take_beside(&mut self, tap: &Entry) {
        let ActionKind::Tap(input) = tap.action.kind else { return };
        let place = usize::from(input).saturating_sub(1);
        if self.beside.len() <= place {
            self.beside.resize_with(place + 1, Vec::new);
        }
        self.beside[place].extend(message(tap));
    }

    /// What the pad made of each strike, as the microphone at it heard them.
    pub fn pad(&self, card: Latencies) -> PadReading {
        self.reading(&self.messages, card)
    }

    /// What the input in this place beside the pad made of the same strikes.
    pub fn beside(&self, place: usize, card: Latencies) -> PadReading {
        self.reading(self.beside.get(place).map_or(&[], Vec::as_slice), card)
    }

    fn reading(&self, messages: &[PadMessage], card: Latencies) -> PadReading {
        read_pad(&Struck {
            heard: &self.heard,
            messages,
            origin: self.origin,
            capture: card.capture,
            rate_hz: card.rate_hz,
            xruns: &self.xruns,
            ended: self.ended,
        })
    }

    /// Taps whose sound was on its way when the trial ended, by Ctrl-C or by being late, those that came
    /// after as many as were asked for, since a trial that is late ends late, and the sounds of both.
    fn leave_out_the_last(&mut self, ended: Nanos, asked: usize) {
        let late = self.tapped.iter().position(|tapped| tapped.said + PATIENCE > ended);
        let cut = late.into_iter().chain([asked]).min();
        let Some(first) = cut.and_then(|cut| self.tapped.get(cut)).map(|tapped| tapped.frame)
        else {
            return;
        };
        self.tapped.retain(|tapped| tapped.frame < first);
        self.heard.sounds.retain(|sound| sound.onset.frame < first as f64 - 0.5);
    }
}
