//! [`Feed`] and [`Pump`]: a recording of any length on its way to the sound card's thread.
//!
//! Background: the card's thread may not read a file, and an hour of sound is no matter of
//! memory. Solution: the first [`HEAD`] of a recording is held, and [`AHEAD`] of what comes next
//! waits in a ring that a thread of ordinary priority fills by its [`Pump`]. Why it works:
//! music is played in the order of its file, so that the ring always holds what is needed
//! next; where it begins again, the head bridges the time until the pump has turned back.
//! Example: at 48 kHz a recording takes 4.8 MB, whether it lasts a minute or a day.
//!
//! What has not come in time is silent and counted, and what comes after it is played at its
//! right time: frames have numbers, and a late one is passed over.
//!
//! Real-time contract of [`Feed`], but for [`feed()`] and [`Feed::offline`]: the card's thread;
//! no allocation, lock or system call. The ring is wait-free.

use chronotap_core::time::Nanos;
use rtrb::{Consumer, Producer, RingBuffer};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// What of each recording is always held, so that it can begin at any moment.
pub const HEAD: Nanos = Nanos::from_secs(2);
/// What waits in the ring: for so long the disk may stall.
pub const AHEAD: Nanos = Nanos::from_secs(10);
/// What has been played and is kept for a beat that comes late.
const BEHIND: Nanos = Nanos::from_millis(500);
/// Frames of a block.
const BLOCK: usize = 256;
/// Bits of the number of a frame in what is asked for; the rest says how often was asked.
const FRAME_BITS: u32 = 40;

/// Where the frames of a recording are read.
pub trait Frames: Send {
    /// Fills `into` with the frames from `first` on, all of which there are. Blocks.
    ///
    /// # Errors
    /// What the system says.
    fn read_at(&mut self, first: u64, into: &mut [[f32; 2]]) -> io::Result<()>;
}

/// Some frames of a recording.
struct Block {
    turn: u32,
    first: u64,
    frames: [[f32; 2]; BLOCK],
}

/// The end of the card's thread.
pub struct Feed {
    head: Box<[[f32; 2]]>,
    length: u64,
    blocks: Consumer<Block>,
    asked: Arc<AtomicU64>,
    turn: u32,         // how often the pump was told to turn elsewhere
    low: u64,          // the first frame of the ring
    behind: u64,       // frames
    lead: Option<u64>, // the voice that began last
    at: Option<u64>,   // where the recording is; in silence too
    heard: bool,       // whether the lead has played in this period
    missing: u64,
    pump: Option<Pump>, // where nobody else fills the ring
}

/// The end of the thread that reads.
pub struct Pump {
    source: Box<dyn Frames>,
    length: u64,
    blocks: Producer<Block>,
    asked: Arc<AtomicU64>,
    turn: u32,
    next: u64,
}

/// Both ends for a recording of so many frames; head and ring are full. What it takes of
/// memory does not depend on the length.
///
/// # Errors
/// What the source says.
pub fn feed(mut source: Box<dyn Frames>, length: u64, rate_hz: u32) -> io::Result<(Feed, Pump)> {
    let frames = |time: Nanos| (time.0 as u64) * u64::from(rate_hz) / 1_000_000_000;
    let low = frames(HEAD).min(length);
    let mut head = vec![[0.0; 2]; low as usize].into_boxed_slice();
    source.read_at(0, &mut head)?;
    let room = (frames(AHEAD) + frames(BEHIND)) as usize / BLOCK + 2;
    let (into, blocks) = RingBuffer::new(room);
    let asked = Arc::new(AtomicU64::new(0));
    let mut pump =
        Pump { source, length, blocks: into, asked: Arc::clone(&asked), turn: 0, next: low };
    pump.fill()?;
    let behind = frames(BEHIND);
    let (lead, at, heard, missing) = (None, None, false, 0);
    let feed = Feed {
        head,
        length,
        blocks,
        asked,
        turn: 0,
        low,
        behind,
        lead,
        at,
        heard,
        missing,
        pump: None,
    };
    Ok((feed, pump))
}

impl Pump {
    /// Fills the ring as far as there is room, or to the end of the recording. Blocks.
    ///
    /// # Errors
    /// What the source says; it may be tried again.
    pub fn fill(&mut self) -> io::Result<()> {
        loop {
            self.turn_where_asked();
            if self.next >= self.length || self.blocks.is_full() {
                return Ok(());
            }
            let mut block = Block { turn: self.turn, first: self.next, frames: [[0.0; 2]; BLOCK] };
            let frames = (self.length - self.next).min(BLOCK as u64) as usize;
            self.source.read_at(self.next, &mut block.frames[..frames])?;
            // There is room, and nobody else takes it.
            let _ = self.blocks.push(block);
            self.next += BLOCK as u64;
        }
    }

    /// Whether nobody will play from the ring any more.
    pub fn is_abandoned(&self) -> bool {
        self.blocks.is_abandoned()
    }

    /// One word says where and how often, so that no order with another is needed.
    fn turn_where_asked(&mut self) {
        let asked = self.asked.load(Relaxed);
        let turn = (asked >> FRAME_BITS) as u32;
        if turn != self.turn {
            self.turn = turn;
            self.next = asked & ((1 << FRAME_BITS) - 1);
        }
    }
}

impl Feed {
    /// The same where nothing is due in real time: the ring is filled as it is emptied.
    pub fn offline(self, pump: Pump) -> Feed {
        Feed { pump: Some(pump), ..self }
    }

    /// Bytes of memory that it takes.
    pub fn bytes(&self) -> usize {
        let ring = self.blocks.buffer().capacity() * size_of::<Block>();
        self.head.len() * size_of::<[f32; 2]>() + ring
    }

    /// The voice of that key will play from a frame on.
    pub(super) fn begin(&mut self, key: u64, from: u64) {
        (self.lead, self.at, self.heard) = (Some(key), Some(from), true);
        let wanted = from.max(self.head.len() as u64);
        let end = self.low + (self.blocks.buffer().capacity() * BLOCK) as u64;
        if !(self.low..end).contains(&wanted) && wanted < self.length {
            self.turn_to(wanted);
        }
    }

    fn turn_to(&mut self, frame: u64) {
        self.turn = (self.turn + 1) & ((1 << (u64::BITS - FRAME_BITS)) - 1);
        self.low = frame;
        self.asked.store((u64::from(self.turn) << FRAME_BITS) | frame, Relaxed);
        self.refill();
    }

    /// Frame `i`, for the voice of that key; silence where it has not come, nothing after the
    /// last.
    pub(super) fn frame(&mut self, i: u64, key: u64) -> Option<[f32; 2]> {
        if i >= self.length {
            return None;
        }
        let leads = self.lead == Some(key);
        if leads {
            (self.at, self.heard) = (Some(i + 1), true);
        }
        if let Some(frame) = self.head.get(i as usize) {
            return Some(*frame);
        }
        let found = self.waiting(i);
        self.missing += u64::from(leads && found.is_none());
        Some(found.unwrap_or_default())
    }

    /// A frame of the ring.
    fn waiting(&mut self, i: u64) -> Option<[f32; 2]> {
        let past = i.checked_sub(self.low)?;
        let place = (past / BLOCK as u64) as usize;
        let chunk = self.blocks.read_chunk(place + 1).ok()?;
        let (one, two) = chunk.as_slices();
        let block = one.get(place).or_else(|| two.get(place - one.len()))?;
        let is_it = block.turn == self.turn && block.first == i - past % BLOCK as u64;
        is_it.then(|| block.frames[past as usize % BLOCK])
    }

    /// A period of so many frames is over: what lies behind leaves the ring.
    pub(super) fn pass(&mut self, frames: usize) {
        if !std::mem::take(&mut self.heard)
            && let Some(at) = &mut self.at
        {
            *at = (*at + frames as u64).min(self.length); // the music goes on unheard
        }
        self.refill();
    }

    fn refill(&mut self) {
        self.drop_passed();
        if let Some(pump) = &mut self.pump {
            // A file that cannot be read is silent here, and counted.
            let _ = pump.fill();
        }
    }

    fn drop_passed(&mut self) {
        let needed = self.at.unwrap_or(0).saturating_sub(self.behind);
        while let Ok(block) = self.blocks.peek() {
            let stale = block.turn != self.turn;
            if !stale && self.low + BLOCK as u64 > needed {
                break;
            }
            self.low += if stale { 0 } else { BLOCK as u64 };
            let _ = self.blocks.pop();
        }
    }

    /// Frames that were due and had not come, since the last call.
    pub(super) fn take_missing(&mut self) -> u64 {
        std::mem::take(&mut self.missing)
    }
}

impl std::fmt::Debug for Feed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Feed").field("length", &self.length).field("at", &self.at).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assert_no_alloc::assert_no_alloc;

    const RATE: u32 = 8_000;
    const HOUR: u64 = 3_600 * RATE as u64;
    const PERIOD: usize = 64;

    /// A recording whose frames say which they are.
    struct Numbers;

    fn number(i: u64) -> [f32; 2] {
        [(i % 65_536) as f32, (i / 65_536) as f32]
    }

    impl Frames for Numbers {
        fn read_at(&mut self, first: u64, into: &mut [[f32; 2]]) -> io::Result<()> {
            (first..).zip(into).for_each(|(i, frame)| *frame = number(i));
            Ok(())
        }
    }

    fn an_hour() -> (Feed, Pump) {
        feed(Box::new(Numbers), HOUR, RATE).unwrap()
    }

    /// What is heard of a voice in so many periods from a frame on; `after` each something
    /// else happens.
    fn heard(
        feed: &mut Feed,
        key: u64,
        frames: std::ops::Range<u64>,
        mut after: impl FnMut(),
    ) -> Vec<Option<[f32; 2]>> {
        let mut all = Vec::with_capacity((frames.end - frames.start) as usize);
        for first in frames.clone().step_by(PERIOD) {
            let end = (first + PERIOD as u64).min(frames.end);
            assert_no_alloc(|| {
                (first..end).for_each(|i| all.push(feed.frame(i, key)));
                feed.pass(PERIOD);
            });
            after();
        }
        all
    }

    fn as_in_the_file(heard: &[Option<[f32; 2]>], from: u64) -> bool {
        (from..).zip(heard).all(|(i, frame)| *frame == Some(number(i)))
    }

    #[test]
    fn an_hour_is_heard_whole_and_takes_no_more_memory_than_a_minute() {
        let (mut hour, mut pump) = an_hour();
        hour.begin(1, 0);
        let minute = RATE as u64 * 60;
        for from in (0..HOUR).step_by(minute as usize) {
            let all = heard(&mut hour, 1, from..from + minute, || pump.fill().unwrap());
            assert!(as_in_the_file(&all, from), "minute from frame {from}");
        }
        assert_eq!((hour.frame(HOUR, 1), hour.take_missing()), (None, 0));
        let (short, _pump) = feed(Box::new(Numbers), minute, RATE).unwrap();
        assert_eq!(short.bytes(), hour.bytes());
        // 12.5 s of eight bytes a frame, and at most three blocks.
        let room = RATE as usize * 25 / 2 * 8;
        assert!((room..room + 40 * 500).contains(&hour.bytes()), "{}", hour.bytes());
    }

    #[test]
    fn what_a_slow_reader_has_not_brought_is_silent_and_counted_and_the_rest_at_its_time() {
        let (mut feed, mut pump) = an_hour();
        feed.begin(1, 0);
        // The reader stalls for 20 s: head and ring are enough for about 12.5 s.
        let stalled = 20 * u64::from(RATE);
        let all = heard(&mut feed, 1, 0..stalled, || {});
        let missing = all.iter().filter(|frame| **frame == Some([0.0; 2])).count() as u64 - 1;
        let held = all.len() as u64 - missing;
        assert!((12 * u64::from(RATE)..13 * u64::from(RATE)).contains(&held), "{held}");
        assert!(as_in_the_file(&all[..held as usize], 0));
        assert_eq!(feed.take_missing(), missing);
        // It reads again, and catches up: what is late is passed over.
        let mut periods = 0;
        let all = heard(&mut feed, 1, stalled..2 * stalled, || {
            periods += 1;
            if periods > 10 {
                pump.fill().unwrap();
            }
        });
        let late = feed.take_missing();
        assert!((10 * 64..14 * 64).contains(&late), "{late}");
        assert!(as_in_the_file(&all[late as usize..], stalled + late), "at its right time");
    }

    #[test]
    fn music_that_begins_again_is_there_at_once_and_the_ring_turns_back() {
        let (mut feed, mut pump) = an_hour();
        feed.begin(1, 0);
        let far = 60 * u64::from(RATE);
        heard(&mut feed, 1, 0..far, || pump.fill().unwrap());
        feed.begin(2, 0);
        let mut periods = 0;
        let all = heard(&mut feed, 2, 0..far, || {
            periods += 1;
            if periods > 100 {
                pump.fill().unwrap(); // only after 0.8 s
            }
        });
        assert!(as_in_the_file(&all, 0));
        assert_eq!(feed.take_missing(), 0);
    }

    #[test]
    fn music_goes_on_unheard_and_is_there_where_it_is_heard_again() {
        let (mut feed, mut pump) = an_hour();
        feed.begin(1, 100);
        let end = 5 * 60 * u64::from(RATE);
        for _ in (100..end).step_by(PERIOD) {
            assert_no_alloc(|| feed.pass(PERIOD));
            pump.fill().unwrap();
        }
        feed.begin(2, end);
        let all = heard(&mut feed, 2, end..end + 1_000, || {});
        assert!(as_in_the_file(&all, end));
        assert_eq!(feed.take_missing(), 0);
    }

    #[test]
    fn the_end_of_one_part_and_the_beginning_of_the_next_sound_together() {
        let (mut feed, mut pump) = an_hour();
        feed.begin(1, 0);
        heard(&mut feed, 1, 0..100_000, || pump.fill().unwrap());
        // The next beat comes 0.4 s late, and begins where it is in the file.
        let (late, at) = (100_000, 100_000 - 3_200);
        feed.begin(2, at);
        assert_eq!(feed.frame(late, 1), Some(number(late)));
        assert_eq!(feed.frame(at, 2), Some(number(at)));
        assert_eq!(feed.take_missing(), 0);
    }

    #[test]
    fn offline_nothing_is_ever_missing_wherever_it_begins() {
        let (feed, pump) = an_hour();
        let mut feed = feed.offline(pump);
        for (key, from) in [(1, 0), (2, HOUR / 2), (3, 7), (4, HOUR - 100)] {
            feed.begin(key, from);
            for i in from..(from + 60_000).min(HOUR) {
                assert_eq!(feed.frame(i, key), Some(number(i)), "frame {i}");
                if i % 64 == 0 {
                    feed.pass(64);
                }
            }
        }
        assert_eq!(feed.take_missing(), 0);
    }
}
