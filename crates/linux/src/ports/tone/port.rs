//! [`TonePort`]: an output whose notes sound on a sound card.
//!
//! Background: a card takes sound a period at a time, some time before it is heard. A
//! tone that were begun "now" would fall on the beginning of the next period, and be
//! early or late by up to one.
//! Solution: each note sounds a constant latency after its deadline: one period, which is
//! how long the next one may be away; half a millisecond, by which the trial's thread may
//! be late; and what the card takes from the beginning of a period to the converter.
//! Why it works: a message that is handed over at its deadline then always reaches the
//! period that holds its frame, wherever the deadline falls, and begins at that frame.
//! Example: 256 frames at 48 kHz on a card of two periods: 5.33 + 0.5 + 5.33 ms = 11.17 ms.
//!
//! Real-time contract: the trial's thread shares wait-free queues with the card's thread,
//! and makes no system call.

use super::error::ToneError;
use super::name::ToneName;
use super::player::{Counts, Misplaced, Placed, Player};
use super::pulses::Pulses;
use super::stage::{STAGED, Staged, ToneStage};
use super::track::{Track, begin};
use crate::cards::{Card, CardRequest, CardShape, CardWatch};
use crate::clocks::{MonotonicClock, sleep_until};
use crate::ports::changed::Told;
use chronotap_audio::Process;
use chronotap_audio::tone::{Cue, Feeds, Generator, Kit, Recordings};
use chronotap_config::sounds::{Sounds, cue, unheard};
use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{
    Arrival, AudioPeriod, Callbacks, CardSide, Description, Music, Played, Port, PortCounts,
    PortError, PortReport, Readiness, ServerSide, Stage, Written,
};
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Messages in each queue.
const QUEUE: usize = 1_024;
/// Messages of one deadline that surely have one frame.
const AT_ONCE: usize = 16;
/// By which the trial's thread may be late without being heard.
const MARGIN: Nanos = Nanos::from_micros(500);
/// How long the last sounds may take to fade.
const PATIENCE: Nanos = Nanos::from_millis(500);

/// An output that sounds.
pub struct TonePort {
    card: Card,
    kit: Kit,
    about: Description,
    staged: Consumer<Staged>,     // by whoever begins trials
    recordings: Arc<Recordings>,  // of the trial
    handed: Producer<Box<Feeds>>, // on to the player
    stage: Option<ToneStage>,
    placed: Producer<Placed>,
    told: Consumer<Misplaced>,
    player: Arc<Counts>,
    latency: Nanos,
    recent: Vec<(Action, u64)>, // the last messages and their frames, in a ring
    next: usize,                // place of the next one in the ring
    gave_up: bool,              // what the card that is gone had not played
    origin: Nanos,
    xruns: u64,    // told so far
    changed: Told, // of what changed at the card's server
    counts: PortCounts,
}

impl TonePort {
    /// Opens the card and lets it run, silent.
    ///
    /// # Errors
    /// [`ToneError`].
    pub fn open(name: &ToneName) -> Result<TonePort, ToneError> {
        TonePort::hearing(name, 0, |_, _| Box::new(()))
    }

    /// The same on a card that records too: what comes in at so many inputs is heard by a
    /// process that the card's thread calls after the player, and that is made once it is
    /// known how the card runs.
    ///
    /// # Errors
    /// [`ToneError`].
    pub fn hearing(
        name: &ToneName,
        inputs: usize,
        hearer: impl FnOnce(&CardShape, &Arc<CardWatch>) -> Box<dyn Process>,
    ) -> Result<TonePort, ToneError> {
        let (sounds, text) = sounds_of(name)?;
        let player = Arc::new(Counts::default());
        let (placed, waiting) = RingBuffer::new(QUEUE);
        let (telling, told) = RingBuffer::new(QUEUE);
        let (handed, feeds) = RingBuffer::new(STAGED);
        let (used, spent) = RingBuffer::new(2 * STAGED);
        let (staging, staged) = RingBuffer::new(STAGED);
        let (mut beginning, begun) = RingBuffer::new(1);
        let none: Arc<Recordings> = Arc::default();
        let counts = Arc::clone(&player);
        let card = open_card(name, inputs, &sounds, |shape, watch, generator| {
            let hearer = hearer(shape, watch);
            let watch = Arc::clone(watch);
            let (placed, told) = (waiting, telling);
            let pulses = name.codes.map(Pulses::new);
            let track = name.ltc.map(|channel| Track::new(channel, begun));
            let player =
                Player { feeds, used, placed, told, counts, watch, generator, pulses, track };
            Box::new((player, hearer))
        })?;
        let mut about = about(card.shape(), text, sounds.instruments());
        about.ltc = name.ltc.map(|channel| begin(&card, channel, &mut beginning)).transpose()?;
        let stage = ToneStage::new(card.shape().rate_hz, staging, spent, Arc::clone(&none));
        Ok(TonePort {
            card,
            staged,
            recordings: none,
            handed,
            stage: Some(stage),
            kit: sounds.kit,
            latency: about.latency,
            about,
            placed,
            told,
            player,
            recent: Vec::with_capacity(QUEUE),
            next: 0,
            gave_up: false,
            origin: Nanos::ZERO,
            xruns: 0,
            changed: Told::default(),
            counts: PortCounts::default(),
        })
    }

    fn place(&mut self, action: &Action) -> Result<Written, PortError> {
        let watch = self.card.watch();
        if watch.is_gone() || watch.is_lone() {
            return Err(PortError::Closed); // nobody hears it
        }
        // Where it is not known which frame is when, no frame is guessed: it is lost.
        let wanted = action.deadline + self.origin + self.latency;
        let place = match self.frame_of_same(action.deadline) {
            Some(frame) => watch.place_of(frame),
            None => watch.place_at(wanted),
        };
        let mut place = place.ok_or(PortError::Full)?;
        // In order, as the queue is.
        let last = self.recent.get(self.next.wrapping_sub(1) % QUEUE);
        if let Some((_, last)) = last.filter(|(_, last)| place.frame < *last) {
            place = watch.place_of(*last).ok_or(PortError::Full)?;
        }
        let cue = cue(action, place.frame, &self.kit, &self.recordings);
        if cue.is_some() || action.code().is_some() {
            let placed = Placed { action: *action, frame: place.frame, cue, said: place.at };
            self.placed.push(placed).map_err(|_| PortError::Full)?;
            self.remember(action, place.frame);
        }
        Ok(Written::At(Played { at: place.at - self.origin, frame: Some(place.frame) }))
    }
}

impl TonePort {
    /// The frame of another message of this deadline, so that a code and its tone have the same one,
    /// though a new period may have begun between them.
    fn frame_of_same(&self, deadline: Nanos) -> Option<u64> {
        let before = |back: usize| self.recent.get(self.next.wrapping_sub(back) % QUEUE);
        let mut last = (1..=AT_ONCE).filter_map(before);
        last.find(|(action, _)| action.deadline == deadline).map(|(_, frame)| *frame)
    }

    fn remember(&mut self, action: &Action, frame: u64) {
        match self.recent.get_mut(self.next % QUEUE) {
            Some(oldest) => *oldest = (*action, frame),
            None => self.recent.push((*action, frame)), // within its capacity
        }
        self.next = self.next.wrapping_add(1);
    }

    /// What a card that is gone had not played is lost: each message is told.
    fn give_up(&mut self, tell: &mut dyn FnMut(PortReport)) {
        self.gave_up = true;
        // The card's thread has ended: the last period stays, and can be read.
        let last = self.card.watch().last_period();
        let frames = self.card.watch().period_frames();
        let played = last.map_or(0, |last| last.frame + frames);
        for (action, _) in self.recent.iter().filter(|(_, frame)| *frame >= played) {
            self.counts.lost += 1;
            self.counts.sent -= 1;
            tell(PortReport::Corrected(*action, None));
        }
    }
}

/// What its notes sound like, and the text of the file that says so.
fn sounds_of(name: &ToneName) -> Result<(Sounds, Option<String>), ToneError> {
    Ok(match &name.sounds {
        Some(path) => (Sounds::read(path)?, chronotap_core::files::read_to_string(path).ok()),
        None => (Sounds::default(), None),
    })
}

/// Opens the card with a process around the generator of these sounds. Their samples are made at
/// the card's rate; where that fails, the card is closed again.
fn open_card(
    name: &ToneName,
    inputs: usize,
    sounds: &Sounds,
    process: impl FnOnce(&CardShape, &Arc<CardWatch>, Generator) -> Box<dyn Process>,
) -> Result<Card, ToneError> {
    let wanted = CardRequest {
        rate_hz: name.rate_hz,
        period_frames: name.period_frames,
        periods: name.periods,
        inputs,
        outputs: name.channels(),
        ..CardRequest::default()
    };
    let mut refused = None;
    let card = Card::open(&name.card, &wanted, |shape, watch| {
        let samples = sounds.samples(shape.rate_hz).unwrap_or_else(|error| {
            refused = Some(error);
            Vec::new()
        });
        process(shape, watch, Generator::new(shape.rate_hz, samples))
    });
    match refused {
        Some(error) => Err(error.into()),
        None => Ok(card?),
    }
}

/// What the port is; its latency is the time from a deadline to the converter.
fn about(shape: &CardShape, sounds: Option<String>, instruments: Vec<String>) -> Description {
    let (frames, rate_hz) = (shape.period_frames, shape.rate_hz);
    Description {
        period: Some(AudioPeriod { frames, rate_hz }),
        latency: latency(shape),
        card: Some(shape.card.clone()),
        sounds,
        instruments,
        ..Description::default()
    }
}

/// From a deadline to the converter.
fn latency(shape: &CardShape) -> Nanos {
    shape.period() + MARGIN + shape.playback_latency()
}

impl Port for TonePort {
    fn start(&mut self, origin: Nanos) {
        self.origin = origin;
        // Deadlines count from the new origin: those of the last trial mean other frames.
        self.recent.clear();
        self.next = 0;
        while let Ok((recordings, feeds)) = self.staged.pop() {
            let _ = self.handed.push(feeds); // as long as the queue before it
            self.recordings = recordings; // the one before is kept by the stage
        }
        self.xruns = self.card.watch().xruns();
        self.changed.start(self.card.watch().changes());
        self.card.watch().set_origin(origin);
    }

    fn readiness(&self) -> Readiness<'_> {
        Readiness::Never
    }

    fn read(&mut self, _: Nanos, _: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        Ok(())
    }

    fn write(&mut self, action: &Action, _now: Nanos) -> Result<Written, PortError> {
        let result = self.place(action);
        self.counts.note_sent(&result.map(|_| ()));
        result
    }

    fn describe(&self) -> Description {
        self.about.clone()
    }

    fn finish(&mut self) {
        let end = MonotonicClock::raw() + PATIENCE;
        let waits = |port: &TonePort| port.placed.slots() < QUEUE;
        let sounds = |port: &TonePort| waits(port) || port.player.sounds.load(Relaxed);
        while sounds(self) && !self.card.watch().is_gone() && MonotonicClock::raw() < end {
            sleep_until(MonotonicClock::raw() + self.card.shape().period());
        }
        // What was computed last is still on its way to the converter.
        sleep_until(MonotonicClock::raw() + self.card.shape().playback_latency());
    }

    fn counts(&self) -> PortCounts {
        let mut counts = self.counts;
        counts.lost += self.player.lost.load(Relaxed);
        counts.clipped = self.player.clipped.load(Relaxed);
        counts.missing = self.player.missing.load(Relaxed);
        counts.silenced = self.player.silenced.load(Relaxed) + self.card.watch().silenced();
        counts.overruns += self.player.untold.load(Relaxed);
        counts.xruns = self.card.watch().xruns_since_origin();
        counts
    }

    fn music(&mut self) -> Option<&mut dyn Music> {
        Some(self)
    }

    fn card(&mut self) -> Option<&mut dyn CardSide> {
        Some(self)
    }

    fn server(&mut self) -> Option<&mut dyn ServerSide> {
        Some(self)
    }
}

impl Music for TonePort {
    fn pass(&mut self, beat: &Action) {
        let wanted = beat.deadline + self.origin + self.latency;
        let Some(cue) = unheard(beat, &self.recordings) else { return };
        let Some(place) = self.card.watch().place_at(wanted) else { return };
        // In order, as the queue is; where there is no room, the ring turns a little later.
        let last = self.recent.get(self.next.wrapping_sub(1) % QUEUE);
        let frame = last.map_or(place.frame, |(_, last)| place.frame.max(*last));
        let cue = Cue { frame, ..cue };
        let placed = Placed { action: *beat, frame, cue: Some(cue), said: place.at };
        let _ = self.placed.push(placed);
    }
}

impl CardSide for TonePort {
    fn take_calls(&mut self) -> Option<Box<dyn Callbacks>> {
        Some(Box::new(self.card.take_calls()?))
    }

    fn take_stage(&mut self) -> Option<Box<dyn Stage>> {
        Some(Box::new(self.stage.take()?))
    }
}

impl ServerSide for TonePort {
    fn reports(&mut self, tell: &mut dyn FnMut(PortReport)) {
        let watch = self.card.watch();
        let xrun = |at: Nanos| tell(PortReport::Xrun(at - self.origin));
        self.counts.overruns += watch.tell_xruns(&mut self.xruns, xrun);
        let about = (watch.changes(), watch.lone());
        self.changed.tell(about, std::iter::empty(), self.origin, tell);
        while let Ok((action, played)) = self.told.pop() {
            let since = |played: Played| Played { at: played.at - self.origin, ..played };
            tell(PortReport::Corrected(action, played.map(since)));
        }
        if self.card.watch().is_gone() && !self.gave_up {
            self.give_up(tell);
        }
    }

    fn ask_again(&mut self) -> Result<(), PortError> {
        let rate_hz = self.card.shape().rate_hz;
        self.card.ask_again().map_err(|_| PortError::Closed)?;
        let CardShape { period_frames: frames, .. } = *self.card.shape();
        self.about.period = Some(AudioPeriod { frames, rate_hz });
        self.about.latency = latency(self.card.shape());
        self.latency = self.about.latency;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clocks::utc;
    use assert_no_alloc::assert_no_alloc;
    use chronotap_audio::tone::{Frames, feed};
    use chronotap_config::sounds::SoundsError;
    use chronotap_core::midi::{Channel, Message, U7};
    use chronotap_engine::action::ActionKind;
    use chronotap_engine::perturbation::Perturbation;
    use chronotap_engine::signal::StagedSound;

    fn action(id: u64, deadline: Nanos, on: bool) -> Action {
        let (channel, note, velocity) = (Channel::ONE, U7::from_byte(60), U7::from_byte(90));
        let message = Some(match on {
            true => Message::NoteOn { channel, note, velocity },
            false => Message::NoteOff { channel, note, velocity },
        });
        let kind = if on { ActionKind::Pacing(0) } else { ActionKind::ToneOff };
        let number = id as u32;
        Action {
            id,
            kind,
            number,
            cause: 0,
            deadline,
            instant: deadline,
            port: 0,
            message,
            perturbation: Perturbation::NONE,
        }
    }

    #[test]
    fn each_tone_is_placed_a_constant_latency_after_its_deadline_without_allocation() {
        let mut port = TonePort::open(&"virtual?period=64".parse().unwrap()).unwrap();
        let origin = MonotonicClock::raw();
        port.start(origin);
        let latency = port.describe().latency;
        assert_eq!(latency, Nanos(1_333_333 + 500_000 + 1_333_333));
        let (mut late, mut frames, mut corrected) =
            (Vec::with_capacity(64), Vec::with_capacity(64), 0);
        let mut stood_still = 0; // how often this thread took longer than the port has room for
        for id in 1..=30_i64 {
            // Anywhere within a period, and the trial's thread late by what it likes.
            sleep_until(origin + Nanos::from_micros(id * 10_137));
            assert_no_alloc(|| {
                let now = MonotonicClock::raw() - origin;
                if let Ok(Written::At(at)) = port.write(&action(id as u64, now, true), now) {
                    late.push((at.at - now - latency).abs());
                    frames.extend(at.frame);
                }
                let _ = port.write(&action(id as u64, now, false), now);
                let took = MonotonicClock::raw() - origin - now;
                stood_still += usize::from(took > Nanos::from_micros(500));
                port.reports(&mut |told| {
                    corrected += i32::from(matches!(told, PortReport::Corrected(..)))
                });
            });
        }
        port.finish();
        port.reports(&mut |told| corrected += i32::from(matches!(told, PortReport::Corrected(..))));
        assert_eq!((late.len(), frames.len()), (30, 30));
        assert!(frames.windows(2).all(|two| two[0] <= two[1]));
        // Half a frame is as near as frames come. Where the machine stood still, the
        // port has told so.
        let exact = late.iter().filter(|late| **late <= Nanos(10_418)).count();
        let xruns = port.counts().xruns as usize;
        assert!(exact + 2 * xruns >= 30, "{exact} of 30, {xruns} xruns, {late:?}");
        let had_a_cause = xruns + stood_still > 0;
        assert!(corrected == 0 || had_a_cause, "{corrected} corrected, and nothing stood still");
        assert_eq!((port.counts().sent, port.counts().lost), (60, 0));
    }

    #[test]
    fn a_code_has_the_frame_of_its_tone_and_stands_for_its_width_without_allocation() {
        let mut port = TonePort::open(&"virtual?period=64&codes=3-10".parse().unwrap()).unwrap();
        let origin = MonotonicClock::raw();
        port.start(origin);
        let code = |id: u64, deadline, kind, number| Action {
            kind,
            number,
            message: None,
            ..action(id, deadline, true)
        };
        let mut frames = Vec::with_capacity(64);
        for id in 1..=20_u64 {
            sleep_until(origin + Nanos::from_micros(id as i64 * 10_137));
            let now = MonotonicClock::raw() - origin;
            let over = now + Nanos::from_millis(2);
            let mut put = |action: &Action| match port.write(action, now) {
                Ok(Written::At(Played { frame: Some(frame), .. })) => frame,
                other => panic!("{other:?}"),
            };
            assert_no_alloc(|| {
                let tone = put(&action(3 * id, now, true));
                let high = put(&code(3 * id + 1, now, ActionKind::Code(0), 200));
                let low = put(&code(3 * id + 1, over, ActionKind::CodeOff, 0));
                frames.push((tone, high, low));
            });
        }
        port.finish();
        assert!(frames.iter().all(|(tone, high, _)| tone == high), "{frames:?}");
        assert!(frames.iter().all(|(_, high, low)| (95..=97).contains(&(low - high))));
        assert_eq!((port.counts().sent, port.counts().lost), (60, 0));
    }

    #[test]
    fn time_code_begins_with_the_card_at_the_time_of_day_and_is_said_with_its_frame() {
        let port = TonePort::open(&"virtual?period=64&ltc=3&fps=30".parse().unwrap()).unwrap();
        let said = port.describe().ltc.unwrap();
        assert_eq!((said.channel, said.frames_per_second), (3, 30));
        let place = port.card.watch().place_of(said.first_frame).unwrap();
        let of_day = utc(place.at).0.rem_euclid(86_400 * 1_000_000_000);
        let parts = said.first.split(':').map(|part| part.parse::<i64>().unwrap());
        let parts: Vec<i64> = parts.collect();
        let seconds = (parts[0] * 60 + parts[1]) * 60 + parts[2];
        let begins = seconds * 1_000_000_000 + parts[3] * 1_000_000_000 / 30;
        // Half a frame of the card, and what the two clocks are read apart.
        assert!((of_day - begins).abs() < 1_000_000, "{said:?}, {of_day}");
    }

    #[test]
    fn a_tone_of_the_next_trial_is_not_placed_by_one_of_the_same_time_in_the_last() {
        let mut port = TonePort::open(&"virtual?period=64".parse().unwrap()).unwrap();
        let latency = port.describe().latency;
        for trial in 0..2 {
            let origin = MonotonicClock::raw();
            port.start(origin);
            let deadline = Nanos::from_millis(20); // the same in both
            sleep_until(origin + deadline);
            let Ok(Written::At(Played { at, .. })) =
                port.write(&action(1, deadline, true), deadline)
            else {
                panic!("not taken")
            };
            // Where this thread itself came late, the tone is as late, and waits for the next period.
            let late = MonotonicClock::raw() - origin - deadline;
            let period = Nanos(64 * 1_000_000_000 / 48_000);
            let most = if late < period { Nanos(10_418) } else { late + period };
            let off = at - deadline - latency;
            assert!((Nanos(-10_418)..=most).contains(&off), "trial {trial}: {off:?}, {late:?}");
            port.finish();
        }
    }

    #[test]
    fn a_sample_that_is_not_there_is_refused_at_opening() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.toml");
        std::fs::write(&path, "[channel.1]\nsound = \"none.wav\"\n").unwrap();
        let name = format!("virtual?sounds={}", path.display()).parse().unwrap();
        let Some(ToneError::Sounds(SoundsError::Unreadable { path, .. })) =
            TonePort::open(&name).err()
        else {
            panic!()
        };
        assert!(path.ends_with("none.wav"), "{}", path.display());
    }

    /// A WAV file of so many frames of silence at 48 kHz, one channel of 16 bits.
    fn silent_wav(frames: u32) -> Vec<u8> {
        let bytes = 2 * frames;
        let mut wav = b"RIFF".to_vec();
        wav.extend_from_slice(&(36 + bytes).to_le_bytes());
        wav.extend_from_slice(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
        wav.extend_from_slice(&48_000_u32.to_le_bytes());
        wav.extend_from_slice(&96_000_u32.to_le_bytes());
        wav.extend_from_slice(b"\x02\0\x10\0data");
        wav.extend_from_slice(&bytes.to_le_bytes());
        wav.resize(wav.len() + bytes as usize, 0);
        wav
    }

    /// A song of a minute whose reader is scripted: it brings nothing unless it is told to.
    struct Slow;

    impl Frames for Slow {
        fn read_at(&mut self, _: u64, into: &mut [[f32; 2]]) -> std::io::Result<()> {
            into.fill([0.1; 2]);
            Ok(())
        }
    }

    #[test]
    fn music_that_the_reader_has_not_brought_is_silent_and_counted_and_sounds_once_it_is_there() {
        let mut port = TonePort::open(&"virtual?period=64".parse().unwrap()).unwrap();
        let mut stage = port.stage.take().unwrap();
        let (mut recordings, beats) = (Recordings::default(), [Nanos::from_secs(40)]);
        recordings.add(0, &beats, 48_000);
        let (feed, mut pump) = feed(Box::new(Slow), 60 * 48_000, 48_000).unwrap();
        stage.hand_over(recordings, vec![feed]).unwrap();
        port.start(MonotonicClock::raw());
        // The beat is 40 s on in the file, where nothing waits.
        let now = MonotonicClock::raw() - port.origin;
        assert!(assert_no_alloc(|| port.write(&action(1, now, true), now)).is_ok());
        let end = MonotonicClock::raw() + Nanos::from_secs(30);
        let silent = |port: &TonePort| port.counts().missing;
        while silent(&port) == 0 && MonotonicClock::raw() < end {
            sleep_until(MonotonicClock::raw() + Nanos::from_millis(1));
        }
        assert!(silent(&port) > 0, "counted");
        // Now it reads: after a while nothing is missing any more.
        let mut last = 0;
        while silent(&port) != last && MonotonicClock::raw() < end {
            last = silent(&port);
            pump.fill().unwrap();
            sleep_until(MonotonicClock::raw() + Nanos::from_millis(50));
        }
        assert_eq!(silent(&port), last, "it sounds again");
        assert!(!pump.is_abandoned());
        drop((port, stage));
        assert!(pump.is_abandoned(), "whoever reads is told that nobody plays any more");
    }

    #[test]
    fn a_recording_is_staged_before_a_trial_and_taken_up_without_allocation() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("song.wav");
        let wav = silent_wav(4_800);
        std::fs::write(&path, &wav).unwrap();
        let sum = chronotap_core::files::sha256(&wav);
        let beats = [Nanos::from_millis(20), Nanos::from_millis(60)];
        let song = StagedSound { stream: 0, path: &path, sha256: &sum, beats: &beats };
        let mut port = TonePort::open(&"virtual?period=64".parse().unwrap()).unwrap();
        let mut stage = port.take_stage().unwrap();
        assert!(port.take_stage().is_none());
        for trial in 0..3 {
            let of = if trial == 1 { &[][..] } else { &[song][..] };
            stage.set(of).unwrap();
            let origin = MonotonicClock::raw();
            assert_no_alloc(|| port.start(origin));
            let found = port.recordings.sound(0, 1, U7::from_byte(100));
            assert_eq!(found.is_some(), trial != 1, "trial {trial}");
            let written =
                assert_no_alloc(|| port.write(&action(1, Nanos::ZERO, true), Nanos::ZERO));
            assert!(matches!(written, Ok(Written::At(_))));
            port.finish();
        }
        let other = StagedSound { sha256: "0", ..song };
        let refused = stage.set(&[other]).unwrap_err();
        assert!(format!("{refused:?}").contains("Changed"), "{refused:?}");
    }
}
