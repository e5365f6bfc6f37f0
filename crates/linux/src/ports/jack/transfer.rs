//! What happens to messages once a period, whatever the server's buffers look like:
//! [`take_in`] from a buffer to the trial, [`send_out`] from the trial to a buffer.
//!
//! Real-time contract: called in the server's thread; no allocation, lock, system call,
//! log or panic; bounded by the messages at hand. The queues are wait-free.

use super::shared::{Shared, Span};
use chronotap_core::midi::{MOST_SYSEX_BYTES, SYSEX_PART_BYTES};
use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use rtrb::{Consumer, Producer};
use std::sync::atomic::Ordering::Relaxed;

/// A message that came in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrived {
    /// Index of the trial's input.
    pub(super) input: u16,
    /// Time of its frame on the raw CLOCK_MONOTONIC.
    pub(super) at: Nanos,
    /// Its bytes, the first `len` of them; of a system exclusive message up to so many at a time.
    pub(super) bytes: [u8; SYSEX_PART_BYTES],
    pub(super) len: u8,
}

/// A message that is to go out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    /// The trial's action that it belongs to.
    pub(super) action: Action,
    /// The server's number of the frame it was placed at.
    pub(super) frame: u32,
    /// When that frame is expected, raw CLOCK_MONOTONIC.
    pub(super) at: Nanos,
}

/// A message that was not played at the time recorded for it, and when it was; `None` if never.
pub(super) type Misplaced = (Action, Option<Nanos>);

/// An input of the trial, and the stamp of the last message that it brought.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    /// Index of the trial's input.
    pub(super) input: u16,
    /// Raw CLOCK_MONOTONIC; before the first message the earliest time there is.
    pub(super) latest: Nanos,
}

impl Source {
    /// The input of that index, that brought nothing yet.
    pub(super) const fn new(input: u16) -> Source {
        Source { input, latest: Nanos::MIN }
    }
}

/// Hands the messages of a period's buffer (offset in frames, bytes) to the trial. The
/// server hands them over in order, but where it missed periods the beginnings of two
/// periods may contradict each other; so no stamp is before that of the last message.
pub(super) fn take_in<'a>(
    source: &mut Source,
    span: &Span,
    buffer: impl Iterator<Item = (u32, &'a [u8])>,
    arrived: &mut Producer<Arrived>,
    shared: &Shared,
) -> bool {
    let mut any = false;
    for (offset, message) in buffer {
        let taken = taken(message, arrived);
        shared.long_bytes.fetch_add((message.len() - taken.len()) as u64, Relaxed);
        source.latest = source.latest.max(span.time(offset));
        let Source { input, latest: at } = *source;
        for part in taken.chunks(SYSEX_PART_BYTES) {
            let mut bytes = [0; SYSEX_PART_BYTES];
            bytes[..part.len()].copy_from_slice(part);
            let lost = arrived.push(Arrived { input, at, bytes, len: part.len() as u8 }).is_err();
            shared.lost_in.fetch_add(u64::from(lost), Relaxed);
            any = true;
        }
    }
    any
}

/// Of a message of more than three bytes, which can only be a system exclusive one, what is
/// handed over: at most as much as is recorded, and nothing where less than half of the queue
/// would be left for taps.
fn taken<'a>(message: &'a [u8], arrived: &Producer<Arrived>) -> &'a [u8] {
    if message.len() <= 3 {
        return message;
    }
    let most = message.get(..MOST_SYSEX_BYTES as usize).unwrap_or(message);
    let half = arrived.buffer().capacity() / 2;
    let fits = arrived.slots() >= half + most.len().div_ceil(SYSEX_PART_BYTES);
    if fits { most } else { &[] }
}

/// Writes the messages that are due in a period to its buffer. One that comes too
/// late for its frame goes at the first that is left; the server wants them in order.
/// A message that is played more than a frame away from the recorded time goes into `told`,
/// so that its record is corrected.
pub(super) fn send_out(
    span: &Span,
    queue: &mut Consumer<Placed>,
    mut write: impl FnMut(u32, &[u8]) -> bool,
    told: &mut Producer<Misplaced>,
    shared: &Shared,
) {
    let mut last = 0;
    while let Ok(placed) = queue.peek().copied() {
        let ahead = placed.frame.wrapping_sub(span.first) as i32; // the count of frames wraps
        if ahead >= span.frames as i32 {
            break;
        }
        let _ = queue.pop();
        last = last.max(ahead.max(0) as u32);
        let Some(message) = placed.action.message else { continue };
        let (bytes, len) = message.encode();
        let played = write(last, &bytes[..len]).then(|| span.time(last));
        shared.lost_out.fetch_add(u64::from(played.is_none()), Relaxed);
        let frame = Nanos::round_from_f64(span.frame_ns);
        if played.is_none_or(|at| (at - placed.at).abs() > frame) {
            let full = told.push((placed.action, played)).is_err();
            shared.untold.fetch_add(u64::from(full), Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assert_no_alloc::assert_no_alloc;
    use chronotap_core::midi::{Channel, Message, U7};
    use chronotap_engine::action::ActionKind;
    use chronotap_engine::perturbation::Perturbation;
    use rtrb::RingBuffer;
    use rustix::event::{EventfdFlags, eventfd};

    /// The third period of 64 frames of 20 us, so that all is whole.
    const SPAN: Span =
        Span { began: Nanos::from_micros(2_560), first: 128, frames: 64, frame_ns: 20_000.0 };

    fn shared() -> Shared {
        Shared::new(eventfd(0, EventfdFlags::NONBLOCK).unwrap())
    }

    fn placed(id: u64, frame: u32) -> Placed {
        let (note, velocity) = (U7::from_byte(60), U7::from_byte(90));
        let message = Some(Message::NoteOn { channel: Channel::ONE, note, velocity });
        let (kind, deadline) = (ActionKind::Pacing(0), Nanos::ZERO);
        let action = Action {
            id,
            kind,
            number: 1,
            cause: 0,
            deadline,
            instant: deadline,
            port: 0,
            message,
            perturbation: Perturbation::NONE,
        };
        Placed { action, frame, at: Nanos::from_micros(20) * i64::from(frame) }
    }

    /// What was written to the buffer, and what was told, by id.
    fn sent(messages: &[Placed], takes: usize) -> (Vec<u32>, Vec<(u64, Option<Nanos>)>) {
        let (mut queue, mut waiting) = RingBuffer::new(8);
        let (mut tell, mut told) = RingBuffer::new(8);
        messages.iter().for_each(|one| queue.push(*one).unwrap());
        let mut written = Vec::with_capacity(8);
        let shared = shared();
        assert_no_alloc(|| {
            let mut write = |offset, _: &[u8]| {
                let room = written.len() < takes;
                written.extend(room.then_some(offset));
                room
            };
            send_out(&SPAN, &mut waiting, &mut write, &mut tell, &shared);
        });
        let told = std::iter::from_fn(|| told.pop().ok()).map(|(a, at)| (a.id, at)).collect();
        (written, told)
    }

    #[test]
    fn messages_are_played_at_their_frames_and_later_ones_wait() {
        let messages = [placed(1, 128), placed(2, 140), placed(3, 191), placed(4, 192)];
        assert_eq!(sent(&messages, 8), (vec![0, 12, 63], vec![]));
    }

    #[test]
    fn one_that_is_a_period_late_is_told_with_the_time_it_was_played() {
        let messages = [placed(1, 70), placed(2, 130)];
        assert_eq!(sent(&messages, 8), (vec![0, 2], vec![(1, Some(SPAN.began))]));
    }

    #[test]
    fn one_that_the_buffer_does_not_take_is_told_as_lost() {
        let messages = [placed(1, 128), placed(2, 129)];
        assert_eq!(sent(&messages, 1), (vec![0], vec![(2, None)]));
    }

    #[test]
    fn a_period_that_itself_is_late_is_told_too() {
        let mut early = placed(1, 130);
        early.at -= Nanos::from_millis(3); // said before the server stood still
        let (written, told) = sent(&[early], 8);
        assert_eq!((written, told), (vec![2], vec![(1, Some(SPAN.time(2)))]));
    }

    #[test]
    fn the_count_of_frames_may_wrap() {
        let span = Span { first: u32::MAX - 9, ..SPAN };
        let (mut queue, mut waiting) = RingBuffer::new(2);
        let (mut tell, _told) = RingBuffer::new(2);
        queue.push(Placed { frame: 5, ..placed(1, 0) }).unwrap();
        let mut at = Vec::new();
        let write = |offset, _: &[u8]| {
            at.push(offset);
            true
        };
        send_out(&span, &mut waiting, write, &mut tell, &shared());
        assert_eq!(at, [15]);
    }

    #[test]
    fn what_comes_in_is_stamped_by_its_frame_without_allocating() {
        let (mut arrived, mut came) = RingBuffer::new(2);
        let shared = shared();
        let note: &[u8] = &[0x90, 60, 90];
        let buffer = [(0, note), (10, &[0xf0, 1, 2, 3, 0xf7]), (63, note), (63, note)];
        assert_no_alloc(|| {
            assert!(take_in(&mut Source::new(3), &SPAN, buffer.into_iter(), &mut arrived, &shared));
        });
        let stamps: Vec<_> = std::iter::from_fn(|| came.pop().ok()).map(|h| h.at).collect();
        assert_eq!(stamps, [SPAN.began, SPAN.began + Nanos::from_micros(1_260)]);
        assert_eq!(shared.lost_in.load(Relaxed), 1);
        assert_eq!(shared.long_bytes.load(Relaxed), 5);
    }

    #[test]
    fn a_system_exclusive_message_comes_in_parts_and_leaves_half_of_the_queue() {
        let (mut arrived, mut came) = RingBuffer::new(600);
        let shared = shared();
        let mut short = [1; 20];
        (short[0], short[19]) = (0xf0, 0xf7);
        let take = |message: &[u8], arrived: &mut _| {
            take_in(&mut Source::new(3), &SPAN, [(7, message)].into_iter(), arrived, &shared)
        };
        assert!(assert_no_alloc(|| take(&short, &mut arrived)));
        let parts: Vec<Vec<u8>> = std::iter::from_fn(|| came.pop().ok())
            .map(|part| part.bytes[..usize::from(part.len)].to_vec())
            .collect();
        assert_eq!(parts, [short[..16].to_vec(), short[16..].to_vec()]);
        // Of a long one as much as is recorded; a second one would take the room of taps.
        let long = vec![1; 5_000];
        assert!(take(&long, &mut arrived) && !take(&long, &mut arrived));
        assert_eq!(std::iter::from_fn(|| came.pop().ok()).count(), 256);
        assert_eq!(shared.long_bytes.load(Relaxed), 904 + 5_000);
        assert_eq!(shared.lost_in.load(Relaxed), 0);
    }

    #[test]
    fn messages_keep_their_order_where_a_period_seems_to_begin_before_the_last() {
        let (mut arrived, mut came) = RingBuffer::new(3);
        let (mut source, shared) = (Source::new(0), shared());
        let earlier = Span { began: SPAN.began - Nanos::from_micros(700), ..SPAN };
        for (span, offset) in [(SPAN, 5), (earlier, 0), (earlier, 63)] {
            let note: &[u8] = &[0x90, 60, 90];
            take_in(&mut source, &span, [(offset, note)].into_iter(), &mut arrived, &shared);
        }
        let stamps: Vec<_> = std::iter::from_fn(|| came.pop().ok()).map(|h| h.at).collect();
        assert_eq!(stamps, [SPAN.time(5), SPAN.time(5), earlier.time(63)]);
    }
}
