//! The queue between the real-time thread and the writer thread: one sender, one
//! receiver, room for [`CAPACITY`] entries, all of it allocated and touched before
//! the trial starts.
//!
//! A full queue means that the writer thread has been kept from its work for
//! seconds, or that input floods in faster than it can write. The entry is then
//! dropped and counted; the count stands in the data and fails the verdict. What
//! must not be lost has room of its own ([`left_for_others`]), which no input takes.

use crate::shared::Shared;
use crate::sink::{Sink, TrialSinks, Utc};
use chronotap_core::time::Nanos;
use chronotap_data::record::{Entry, Header, What};
use chronotap_engine::action::{Action, ActionKind, TrialEnding};
use chronotap_engine::perturbation::Perturbation;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Entries the queue holds: eight seconds of a saturated MIDI wire, echoed.
pub(crate) const CAPACITY: usize = 1 << 15;

/// The real-time thread's end of the queue.
///
/// Real-time contract, for every method: called from the real-time thread; wait-free;
/// never allocates, locks, blocks, logs or panics.
pub struct Sender {
    entries: rtrb::Producer<Entry>,
    capacity: usize,
    /// So many slots are free for certain. The writer frees more, and to look how many costs
    /// the line of its cache that it writes; so that is done only where these are too few.
    free: usize,
    shared: Arc<Shared>,
}

impl Sender {
    /// The trial's clock counts from here, raw CLOCK_MONOTONIC.
    pub fn begin(&mut self, origin: Nanos) {
        self.shared.origin.store(origin.0, Ordering::Release);
    }

    /// Hands an entry to the writer thread. Where the queue has no room for its kind, the
    /// entry is dropped and counted.
    pub fn push(&mut self, entry: Entry) {
        let left = left_for_others(&entry, self.capacity);
        if self.free <= left {
            self.free = self.entries.slots();
        }
        if self.free > left && self.entries.push(entry).is_ok() {
            self.free -= 1;
        } else {
            self.shared.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// An input has had so many overruns by now: sinks are told where they are more than before.
    pub fn overran(&self, input: u16, count: u64) {
        self.shared.counted.overran(input, count);
    }

    /// So many frames of music have been silent by now, because the disk did not give them in time.
    pub fn fell_silent(&self, frames: u64) {
        self.shared.counted.fell_silent(frames);
    }

    /// How many entries found the queue full.
    pub fn dropped(&self) -> u64 {
        self.shared.dropped.load(Ordering::Relaxed)
    }

    /// Whether the disk is refusing the journal at the moment. Entries are then
    /// kept in memory and tried again.
    pub fn trouble(&self) -> bool {
        self.shared.trouble()
    }

    /// Whether so much is kept that the trial must end: no input is kept any more.
    pub fn is_full(&self) -> bool {
        self.shared.full.load(Ordering::Relaxed)
    }
}

/// Slots of the queue that an entry of this kind leaves to others. System exclusive messages leave
/// half; other input, and controllers that are passed on, leave a quarter; tones that input brings
/// about, an eighth. What may be of a tap or of a beat (rules, codes, ends of tones, markers)
/// leaves a sixteenth, and that belongs to the beats alone, whatever floods in; these leave a few
/// for the end of the trial. No `_`: what is new must say here whose room it takes.
fn left_for_others(entry: &Entry, capacity: usize) -> usize {
    let few = FEW.min(capacity / 8);
    match entry.action.kind {
        ActionKind::End(_) => 0,
        ActionKind::Pacing(_) | ActionKind::SilentBeat(..) | ActionKind::Masking(_) => few,
        ActionKind::Rule(_)
        | ActionKind::Marker(_)
        | ActionKind::Code(_)
        | ActionKind::CodeOff
        | ActionKind::Overwritten
        | ActionKind::ToneOff
        | ActionKind::InputClosed(_)
        | ActionKind::InputReopened(_)
        | ActionKind::Xrun
        | ActionKind::Changed(_) => few + capacity / 16,
        ActionKind::Feedback(_)
        | ActionKind::Muted(_)
        | ActionKind::Cancelled(_)
        | ActionKind::Copy(_) => capacity / 8,
        ActionKind::Tap(_)
        | ActionKind::Release(_)
        | ActionKind::ControlIn(_)
        | ActionKind::ControlOut(_) => capacity / 4,
        ActionKind::Sysex(_) => capacity / 2,
    }
}

/// Slots for the end of the trial.
const FEW: usize = 4;

/// Whether somebody or something sent it, or it only hands that on.
pub(crate) fn is_input(entry: &Entry) -> bool {
    use ActionKind::{ControlIn, ControlOut, Release, Sysex, Tap};
    let kind = entry.action.kind;
    matches!(kind, Tap(_) | Release(_) | ControlIn(_) | ControlOut(_) | Sysex(_))
}

/// The other end of a queue that no journal is written from: for measurements,
/// whose entries are looked at and forgotten.
pub struct Receiver {
    received: rtrb::Consumer<Entry>,
    shared: Arc<Shared>,
    told: TrialSinks,
}

impl Receiver {
    /// The same queue, but sinks see each entry that is taken; `header` is what they are
    /// given at the beginning of the trial, `utc` as in [`crate::BesidesEntries`].
    #[must_use]
    pub fn told_to(self, sinks: Vec<Sink>, header: Header, utc: Option<Utc>) -> Receiver {
        Receiver { told: TrialSinks::new(sinks, header, utc), ..self }
    }

    /// Takes everything that is in the queue, oldest first.
    pub fn take(&mut self) -> impl Iterator<Item = Entry> {
        let Receiver { received, shared, told } = self;
        told.begin(shared.origin()); // before the losses, which nobody is told of before it
        told.lost(shared);
        std::iter::from_fn(move || {
            told.begin(shared.origin());
            let entry = received.pop().ok()?;
            told.happened(entry);
            Some(entry)
        })
    }

    /// How many entries found the queue full.
    pub fn dropped(&self) -> u64 {
        self.shared.dropped.load(Ordering::Relaxed)
    }
}

/// A queue for `capacity` entries without a recorder behind it.
pub fn entries(capacity: usize) -> (Sender, Receiver) {
    let (sender, received, shared) = queue(capacity);
    (sender, Receiver { received, shared, told: TrialSinks::default() })
}

/// The queue of a trial that is still to begin: its pages take a millisecond to touch, which
/// is better spent while something else is waited for.
pub struct QueueRoom {
    pub(crate) sender: Sender,
    pub(crate) received: rtrb::Consumer<Entry>,
    pub(crate) shared: Arc<Shared>,
}

impl Default for QueueRoom {
    fn default() -> QueueRoom {
        let (sender, received, shared) = queue(CAPACITY);
        QueueRoom { sender, received, shared }
    }
}

impl QueueRoom {
    /// Its ends where no journal is written.
    pub fn unrecorded(self) -> (Sender, Receiver) {
        let QueueRoom { sender, received, shared } = self;
        (sender, Receiver { received, shared, told: TrialSinks::default() })
    }
}

/// A queue with every page touched.
pub(crate) fn queue(capacity: usize) -> (Sender, rtrb::Consumer<Entry>, Arc<Shared>) {
    let (mut entries, received) = rtrb::RingBuffer::new(capacity);
    touch(&mut entries, capacity);
    let shared = Arc::new(Shared::default());
    let sender = Sender { entries, capacity, free: capacity, shared: Arc::clone(&shared) };
    (sender, received, shared)
}

/// Writes into every page of an empty queue, so that the real-time thread meets none for the
/// first time. Nothing is sent: the slots stay free.
fn touch(entries: &mut rtrb::Producer<Entry>, capacity: usize) {
    let Ok(mut slots) = entries.write_chunk_uninit(capacity) else { return };
    let (first, second) = slots.as_mut_slices();
    for slots in [first, second] {
        slots.iter_mut().step_by(SLOTS_IN_A_PAGE).for_each(|slot| _ = slot.write(BLANK));
        slots.last_mut().map(|slot| slot.write(BLANK));
    }
}

/// Whole entries in the smallest page that Linux has.
const SLOTS_IN_A_PAGE: usize = 4096 / size_of::<Entry>();

const BLANK: Entry = Entry {
    what: What::Happened,
    action: Action {
        id: 0,
        kind: ActionKind::End(TrialEnding::Recorder),
        number: 0,
        cause: 0,
        deadline: Nanos::ZERO,
        instant: Nanos::ZERO,
        port: 0,
        message: None,
        perturbation: Perturbation::NONE,
    },
    achieved: None,
    stamp: None,
    frame: None,
};

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_engine::action::Silence;
    use proptest::prelude::*;

    #[test]
    fn a_full_queue_drops_and_counts() {
        let (mut sender, mut received, _shared) = queue(3);
        (0..5).for_each(|_| sender.push(BLANK));
        assert_eq!(sender.dropped(), 2);
        assert_eq!(std::iter::from_fn(|| received.pop().ok()).count(), 3);
    }

    #[test]
    fn a_flood_of_input_displaces_no_tone_and_a_flood_of_tones_not_the_end() {
        let (mut sender, mut received, _shared) = queue(64);
        let kind = |kind| Entry { action: Action { kind, ..BLANK.action }, ..BLANK };
        let end = ActionKind::End(TrialEnding::Rule);
        let kinds = [
            ActionKind::Sysex(0),
            ActionKind::Tap(0),
            ActionKind::Feedback(0),
            ActionKind::Pacing(0),
            end,
        ];
        for of in kinds {
            (0..100).for_each(|_| sender.push(kind(of)));
        }
        let kept: Vec<Entry> = std::iter::from_fn(|| received.pop().ok()).collect();
        let count = |of| kept.iter().filter(|entry| entry.action.kind == of).count();
        assert_eq!(kinds.map(count), [32, 16, 8, 4, 4]);
        assert_eq!(sender.dropped(), 5 * 100 - 64);
    }

    /// Everything that input may bring about, in any number.
    const FLOOD: [ActionKind; 18] = [
        ActionKind::Tap(0),
        ActionKind::Release(0),
        ActionKind::ControlIn(0),
        ActionKind::ControlOut(0),
        ActionKind::Sysex(0),
        ActionKind::Feedback(0),
        ActionKind::Muted(0),
        ActionKind::Cancelled(0),
        ActionKind::Copy(0),
        ActionKind::ToneOff,
        ActionKind::Rule(0),
        ActionKind::Marker(0),
        ActionKind::Code(0),
        ActionKind::CodeOff,
        ActionKind::Overwritten,
        ActionKind::InputClosed(0),
        ActionKind::InputReopened(0),
        ActionKind::Xrun,
    ];

    /// A trial's queue, smaller: of its room a sixteenth is the beats'.
    const ROOM: usize = 1 << 10;
    const BEATS: usize = ROOM / 16;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// The writer takes what it likes in between, and need not take anything.
        #[test]
        fn prop_whatever_floods_in_every_beat_and_the_end_are_kept_and_what_is_lost_is_counted(
            floods in prop::collection::vec((0..FLOOD.len(), 0..2 * ROOM, 0..ROOM), 1..BEATS),
            beats in prop::collection::vec(0..3_usize, BEATS),
        ) {
            let (mut sender, mut received, _shared) = queue(ROOM);
            let kind = |kind| Entry { action: Action { kind, ..BLANK.action }, ..BLANK };
            let beat = [ActionKind::Pacing(0), ActionKind::Masking(0), ActionKind::SilentBeat(0, Silence::Muted)];
            let (mut pushed, mut kept) = (0, Vec::new());
            for (turn, of) in beats.iter().enumerate() {
                let (flood, times, taken) = floods[turn % floods.len()];
                (0..times).for_each(|_| sender.push(kind(FLOOD[flood])));
                sender.push(kind(beat[*of]));
                pushed += times + 1;
                let writer_is_stuck = turn >= BEATS / 2;
                let taken = if writer_is_stuck { 0 } else { taken };
                kept.extend((0..taken).map_while(|_| received.pop().ok()));
            }
            sender.push(kind(ActionKind::End(TrialEnding::Rule)));
            kept.extend(std::iter::from_fn(|| received.pop().ok()));
            let count = |of: &dyn Fn(ActionKind) -> bool| {
                kept.iter().filter(|entry| of(entry.action.kind)).count()
            };
            let is_beat = |kind: ActionKind| beat.contains(&kind);
            prop_assert_eq!(count(&is_beat), BEATS);
            prop_assert_eq!(count(&|kind| kind == ActionKind::End(TrialEnding::Rule)), 1);
            prop_assert_eq!(sender.dropped() as usize, pushed + 1 - kept.len());
        }
    }

    #[test]
    fn a_queue_whose_writer_is_gone_still_takes_and_counts() {
        let (mut sender, received, _shared) = queue(3);
        drop(received);
        (0..5).for_each(|_| sender.push(BLANK));
        assert_eq!(sender.dropped(), 2);
    }

    #[test]
    fn what_a_port_lost_is_told_to_sinks_once_while_the_trial_runs() {
        use crate::losses::Losses;
        use crate::sink::{Notice, sink};
        let (mut sender, received) = entries(8);
        let (sink, watch) = sink(8);
        let mut received = received.told_to(vec![sink], Header::default(), None);
        let mut told = || {
            received.take().for_each(drop);
            let all = std::iter::from_fn(|| watch.next(std::time::Duration::ZERO));
            let lost = all.filter_map(|notice| match notice {
                Notice::Lost(losses) => Some(losses),
                _ => None,
            });
            lost.collect::<Vec<_>>()
        };
        sender.begin(Nanos::ZERO);
        assert_eq!(told(), []);
        sender.overran(1, 3);
        let overrun = Losses { overruns: vec![0, 3], ..Losses::default() };
        assert_eq!(told(), std::slice::from_ref(&overrun));
        assert_eq!(told(), [], "what is known is not told again");
        sender.fell_silent(480);
        assert_eq!(told(), [Losses { silent_frames: 480, ..overrun }]);
    }
}
