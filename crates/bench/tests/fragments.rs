//! The fragments test on a truth that was chosen: a player whose computing, wake-ups and
//! stalls are known, so that every share and count has one right value.

use crate::common::found;
use assert_no_alloc::assert_no_alloc;
use chronotap_bench::studies::fragments::{
    Buffer, FragmentsTest, PlayedCycles, Player, Work, calibrate,
};
use chronotap_bench::timing::{Quantity, RealTimer, Scheduling, Timer};
use chronotap_core::time::Nanos;
use chronotap_linux::cards::{Fragments, Playback, WrittenFrames};
use proptest::prelude::*;
use rustix::io::Errno;
use std::cell::Cell;

/// A clock that stands until a sleep or the work moves it; wake-ups are late by a
/// known time.
#[derive(Default)]
struct Still {
    now: Cell<i64>,
    late: i64,
}

impl Timer for &Still {
    fn now(&mut self) -> Nanos {
        Nanos(self.now.get())
    }

    fn sleep_until(&mut self, at: Nanos) {
        self.now.set(self.now.get().max(at.0) + self.late);
    }
}

/// Three fragments of 48 frames at 48 kHz: a fragment plays 1 ms, the buffer 3.
const FRAGMENTS: Fragments = Fragments { count: 3, frames: 48, rate_hz: 48_000 };

/// Plays with the computing of each cycle as told, in nanoseconds.
fn played(cycles: u64, late: i64, compute: impl Fn(u64) -> i64) -> PlayedCycles {
    let clock = Still { now: Cell::new(1_000_000), late };
    let mut played = PlayedCycles::new(cycles);
    let mut device = Buffer::new(FRAGMENTS, &clock);
    let mut player = Player { device: &mut device, fragments: FRAGMENTS, sound: &[], cycles };
    let turn = Cell::new(0);
    let work = || {
        clock.now.set(clock.now.get() + compute(turn.get()));
        turn.set(turn.get() + 1);
    };
    player.run(&mut &clock, &mut played, work, || true).unwrap();
    played
}

#[test]
fn an_undisturbed_player_writes_a_fragment_in_a_fragments_time() {
    let played = played(1_000, 0, |_| 800_000);
    assert_eq!((played.cycles.n(), played.overruns, played.dropouts), (1_000, 0, 0));
    assert_eq!((played.late, played.least_left), (0, Some(Nanos(2_200_000))));
    assert_eq!(played.cycles.min(), Some(Nanos(1_000_000)));
    assert_eq!(played.cycles.max(), Some(Nanos(1_000_000)));
    assert_eq!(played.loops.mean_ns(), Some(800_000.0));
}

#[test]
fn late_wake_ups_do_not_add_up() {
    let played = played(1_000, 50_000, |_| 800_000);
    assert_eq!(played.dropouts, 0);
    assert_eq!(played.cycles.mean_ns(), Some(1_000_000.0));
}

#[test]
fn a_stall_shorter_than_the_buffer_is_late_but_not_heard() {
    // The buffer holds three: computing 2.7 ms once leaves a third of one to play.
    let played = played(100, 0, |n| if n == 50 { 2_700_000 } else { 100_000 });
    assert_eq!((played.overruns, played.dropouts), (0, 0));
    assert_eq!(played.cycles.max(), Some(Nanos(2_700_000)));
    // What follows makes up for it, since a fragment is free at once: late as well.
    assert_eq!(played.cycles.min(), Some(Nanos(100_000)));
    assert_eq!((played.late, played.least_left), (2, Some(Nanos(300_000))));
}

#[test]
fn a_stall_longer_than_the_buffer_is_an_overrun_and_a_drop_out_once() {
    let played = played(100, 0, |n| if n == 50 { 3_200_000 } else { 100_000 });
    // Two writes fill the buffer again; they find fragments free.
    assert_eq!((played.overruns, played.late, played.dropouts), (1, 2, 1));
    assert_eq!(played.cycles.max(), Some(Nanos(3_200_000)));
}

#[test]
fn computing_that_takes_longer_than_a_fragment_drains_the_buffer() {
    let played = played(300, 0, |_| 1_500_000);
    // Each cycle takes half a fragment more than it gives, so that the fifth write is too
    // late; from then on there is never more than one fragment to play.
    assert_eq!(played.dropouts, 296);
    assert_eq!(played.overruns, 0);
}

#[test]
fn no_spike_is_lost_in_the_lines_of_the_picture() {
    let played = played(60_000, 0, |n| if n == 33_333 { 2_900_000 } else { 800_000 });
    assert_eq!(played.kept.points.len(), 500);
    let longest = played.kept.points.iter().map(|(_, cycle, _)| *cycle).max();
    let slowest = played.kept.points.iter().map(|(_, _, computed)| *computed).max();
    assert_eq!((longest, slowest), (Some(Nanos(2_900_000)), Some(Nanos(2_900_000))));
    assert!(played.kept.points.windows(2).all(|pair| pair[0].0 < pair[1].0));
}

proptest! {
    #[test]
    fn in_the_end_as_much_was_written_as_was_played(stalls in prop::collection::vec(0i64..2_900_000, 50..200)) {
        let n = stalls.len() as u64;
        let played = played(n, 0, |at| stalls[at as usize] / 3);
        // Without a drop-out the writes keep pace: after the buffer was filled the time
        // that passed is n fragments, less those that were still free.
        prop_assert_eq!(played.dropouts, 0);
        let passed = played.cycles.mean_ns().unwrap() * n as f64;
        prop_assert!((passed - n as f64 * 1e6).abs() <= 1e6, "{passed}");
    }
}

#[test]
fn nothing_is_allocated_while_it_plays() {
    let mut played = PlayedCycles::new(200);
    let work = calibrate(&mut RealTimer, Nanos::from_micros(20));
    let fragments = Fragments { frames: 4, ..FRAGMENTS };
    let mut device = Buffer::new(fragments, RealTimer);
    let mut player = Player { device: &mut device, fragments, sound: &[0; 16], cycles: 300 };
    let ended =
        assert_no_alloc(|| player.run(&mut RealTimer, &mut played, || work.perform(), || true));
    assert_eq!((ended, played.cycles.n()), (Ok(()), 300));
}

/// A device that answers each write as it is told to, and takes a millisecond for it.
struct ScriptedDevice<'a> {
    clock: &'a Still,
    answers: &'a [Result<Option<i64>, Errno>], // in order; what is left to play
    turn: usize,
}

impl Playback for ScriptedDevice<'_> {
    fn write(&mut self, fragment: &[u8]) -> Result<WrittenFrames, Errno> {
        assert_eq!(fragment, [7; 192]);
        self.clock.now.set(self.clock.now.get() + 1_000_000);
        let answer = self.answers[self.turn];
        self.turn += 1;
        answer.map(|left| WrittenFrames { left: left.map(Nanos) })
    }
}

#[test]
fn late_and_heard_are_told_apart_by_what_the_device_says_and_not_by_the_cycle() {
    let full = Ok(Some(2_900_000));
    let (border, late, heard) = (Ok(Some(2_000_001)), Ok(Some(1_900_000)), Ok(None));
    let gone = Err(Errno::NODEV);
    let answers = [full, full, full, full, full, border, late, heard, heard, full, gone, full];
    let clock = Still::default();
    let mut played = PlayedCycles::new(100);
    let mut device = ScriptedDevice { clock: &clock, answers: &answers, turn: 0 };
    let sound = [7; 192];
    let mut player =
        Player { device: &mut device, fragments: FRAGMENTS, sound: &sound, cycles: 100 };
    let ended = assert_no_alloc(|| player.run(&mut &clock, &mut played, || {}, || true));
    assert_eq!(ended, Err(Errno::NODEV), "a device that is gone ends the run");
    assert_eq!(played.cycles.n(), 6, "four writes fill it; what came before the end is kept");
    assert_eq!((played.overruns, played.late, played.dropouts), (0, 1, 2));
    assert_eq!(played.least_left, Some(Nanos(1_900_000)));
}

#[test]
fn calibrated_work_is_in_proportion_to_the_time_asked_for() {
    // A clock that gives a microsecond for each look: a trial takes one.
    struct Ticking(i64);
    impl Timer for Ticking {
        fn now(&mut self) -> Nanos {
            self.0 += 1_000;
            Nanos(self.0)
        }
        fn sleep_until(&mut self, _: Nanos) {}
    }
    let of = |us| calibrate(&mut Ticking(0), Nanos::from_micros(us));
    assert_eq!(format!("{:?}", of(10)), "Work { turns: 500000 }");
    assert_eq!(of(0), calibrate(&mut Ticking(7), Nanos::ZERO));
    let _: Work = of(1);
}

#[test]
fn a_run_leaves_both_lines_with_their_shares() {
    let test = FragmentsTest {
        scheduling: Scheduling::Ordinary,
        duration: Some(Nanos::from_millis(300)),
        cpu_percent: 20,
        ..FragmentsTest::default()
    };
    let found = found(&test);
    let quantities: Vec<_> = found.series.iter().map(|series| series.quantity).collect();
    assert_eq!(quantities, [Quantity::FragmentCycle, Quantity::FragmentLoop]);
    let [cycles, loops] = &found.series[..] else { panic!("two") };
    assert_eq!(cycles.statistics.n, 206, "300 ms of fragments");
    assert_eq!(loops.statistics.n, cycles.statistics.n);
    assert!(cycles.figures["within_1_ms_share"] <= cycles.figures["within_2_ms_share"]);
    assert!(!cycles.curve.is_empty() && cycles.curve.len() == loops.curve.len());
    assert!(found.notes.iter().any(|note| note.contains("nobody hears it")));
}

#[test]
fn a_sound_is_played_fragment_by_fragment_and_begins_again_at_its_end() {
    /// Keeps the first byte of each fragment; blocks as the timer does.
    struct Ear<T> {
        buffer: Buffer<T>,
        heard: Vec<u8>,
    }
    impl<T: Timer> Playback for Ear<T> {
        fn write(&mut self, sound: &[u8]) -> Result<WrittenFrames, Errno> {
            assert_eq!(sound.len(), 192, "48 frames of 4 bytes");
            self.heard.push(sound[0]);
            self.buffer.write(sound)
        }
    }
    let clock = Still { now: Cell::new(1_000_000), late: 0 };
    let mut ear = Ear { buffer: Buffer::new(FRAGMENTS, &clock), heard: Vec::new() };
    let sound: Vec<u8> = (0..5u8).flat_map(|n| [n; 192]).collect();
    let mut played = PlayedCycles::new(8);
    Player { device: &mut ear, fragments: FRAGMENTS, sound: &sound, cycles: 8 }
        .run(&mut &clock, &mut played, || (), || true)
        .unwrap();
    let expected: Vec<u8> = (0..5).cycle().take(ear.heard.len()).collect();
    assert!(ear.heard.len() > 8);
    assert_eq!(ear.heard, expected);
}
