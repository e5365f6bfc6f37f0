//! What inputs hear while a trial runs, on the disk: `sourcedata/…_sound.wav` (later `.flac`), and
//! beside it a table that says which sample is when.
//!
//! Background: voices may be in it, so that no more is kept than is needed, and apart from the data
//! that are handed on. Events must not wait for it, so that a thread of its own writes it.
//! Solution: the thread takes what the card's thread has handed over, a hundred times a second. Of each
//! tap the 25 ms before and after its onset are written; or all, or nothing, as the input was asked.
//! The head of the file is brought up to date with every write, so that a kill costs no more than what
//! was not yet taken. When the trial is over, it becomes a FLAC file ([`seal`]). What was lost, because
//! a card missed periods or a disk refused, is a new line of the table: each line begins a stretch
//! without a gap.

use crate::sealed::seal;
use chronotap_audio::wav::head_without_lengths;
use chronotap_core::files::{Disk, System};
use chronotap_core::time::Nanos;
use chronotap_data::record::{RecordError, loop_beside, sound_folder, sound_of};
use chronotap_engine::signal::{HeardPart, HeardSound, SoundKept};
use std::collections::VecDeque;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// What is kept before and after the onset of a tap.
const AROUND_MS: u64 = 25;
/// How long what was heard is remembered, since a tap is told after it began.
const REMEMBERED_MS: u64 = 500;
/// How often there is a look at what was heard.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// Bytes of a sample: a card has 16, 24 or 32 bits, of which 24 say something.
const BYTES: u64 = 3;
const FULL_SCALE: f32 = 8_388_607.0;
/// Of a long stretch there is a line each second: the clocks of card and trial run apart.
const LINE_EVERY_S: u64 = 1;
const HEADING: &str = "sample\tcard_frame\tonset\n";

/// An input whose sound is kept.
pub struct RecordedEar {
    /// The input, by name.
    pub input: String,
    pub sound: Box<dyn HeardSound>,
}

/// What is heard at inputs, each by its place.
type Heard = Vec<(u16, Box<dyn HeardSound>)>;

impl RecordedEar {
    /// Those of a rig: what its inputs hear, and what comes back by loops beside them.
    pub fn of_rig(
        (sounds, loops): (Heard, Heard),
        name: impl Fn(u16) -> Option<String>,
    ) -> Vec<RecordedEar> {
        let own = sounds.into_iter().map(|(input, sound)| (name(input), sound));
        let looped = |(input, sound)| (name(input).map(|name| loop_beside(&name)), sound);
        let all = own.chain(loops.into_iter().map(looped));
        all.filter_map(|(input, sound)| Some(RecordedEar { input: input?, sound })).collect()
    }
}

/// A thread that keeps what is heard in a trial.
pub struct SoundKeeper {
    thread: JoinHandle<Vec<SoundFile>>,
    stopping: Arc<AtomicBool>,
}

/// What was kept of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptSound {
    pub path: PathBuf,
    /// Why not all is there that should be.
    pub refused: Option<String>,
}

impl SoundKeeper {
    /// Begins to keep what these inputs hear, beside the trial of that name. Where that cannot begin,
    /// they stay with the caller.
    pub fn start(
        (dir, name): (&Path, &str),
        ears: &mut Vec<RecordedEar>,
    ) -> Result<SoundKeeper, RecordError> {
        let stopping = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&stopping);
        let (hand_over, handed) = sync_channel(1);
        let body = move || handed.recv().map_or_else(|_| Vec::new(), |files| run(files, &stop));
        let thread = thread::Builder::new().name("recorder-sound".into()).spawn(body);
        let thread = thread.map_err(|source| RecordError::Thread { source })?;
        let files = create_all((dir, name), ears)?;
        let begin = |(ear, (path, wav, table))| SoundFile::begin(ear, path, wav, table);
        let files = std::mem::take(ears).into_iter().zip(files).map(begin).collect();
        let _ = hand_over.send(files); // the thread waits for it
        Ok(SoundKeeper { thread, stopping })
    }

    /// The trial is over: completes the files. Gives the inputs back, and what was kept.
    pub fn stop(self) -> (Vec<RecordedEar>, Vec<KeptSound>) {
        self.end(true)
    }

    /// The same where the files are on the disk when the system likes, as those of trials in virtual time are,
    /// which can be made again.
    pub fn stop_without_sync(self) -> (Vec<RecordedEar>, Vec<KeptSound>) {
        self.end(false)
    }

    fn end(self, durable: bool) -> (Vec<RecordedEar>, Vec<KeptSound>) {
        self.stopping.store(true, Ordering::Release);
        self.thread.thread().unpark();
        let files = self.thread.join().unwrap_or_default();
        files.into_iter().map(|file| file.end(durable)).unzip()
    }

    /// The trial could not begin: nothing is kept.
    pub fn discard(self) -> Vec<RecordedEar> {
        let (ears, kept) = self.stop();
        kept.iter().for_each(|kept| remove(&kept.path));
        ears
    }
}

fn run(mut files: Vec<SoundFile>, stop: &AtomicBool) -> Vec<SoundFile> {
    loop {
        let stopping = stop.load(Ordering::Acquire);
        files.iter_mut().for_each(SoundFile::keep);
        if stopping {
            return files;
        }
        thread::park_timeout(LOOK_EVERY);
    }
}

/// The files of an input: where the sound is, and both of them open.
type Created = (PathBuf, <System as Disk>::File, <System as Disk>::File);

fn create_all(
    (dir, name): (&Path, &str),
    ears: &[RecordedEar],
) -> Result<Vec<Created>, RecordError> {
    let folder = &sound_folder(dir);
    let refused = |path: &Path, source| RecordError::Create { path: path.to_owned(), source };
    std::fs::create_dir_all(folder).map_err(|source| refused(folder, source))?;
    let mut created: Vec<Created> = Vec::new();
    for ear in ears {
        let path = sound_of((dir, name), &ear.input);
        let files = System.create_new(&path).and_then(|wav| {
            let table = System.create_new(&path.with_extension("tsv"));
            table.inspect_err(|_| drop(System.remove(&path))).map(|table| (wav, table))
        });
        match files {
            Ok((wav, table)) => created.push((path, wav, table)),
            Err(source) => {
                created.iter().for_each(|(path, ..)| remove(path));
                return Err(refused(&path, source));
            }
        }
    }
    Ok(created)
}

/// Removes both files of an input.
fn remove(path: &Path) {
    let _ = System.remove(path); // what is gone already need not go
    let _ = System.remove(&path.with_extension("tsv"));
}

/// The files of one input.
struct SoundFile {
    ear: RecordedEar,
    path: PathBuf,
    out: Out,
    rate_hz: u64,
    last_origin: Option<Nanos>, // of the trial before
    origin: Option<Nanos>,
    recent: VecDeque<f32>,
    first: u64,                 // the card's number of the first of them
    period: (u64, Nanos),       // the last one's first frame, and when
    wanted: VecDeque<[u64; 2]>, // frames that are to be written, from and before
    behind: Option<u64>,        // the frame behind the last one written
    lost_before: u64,
    room: Vec<f32>,
}

impl SoundFile {
    fn begin(
        ear: RecordedEar,
        path: PathBuf,
        wav: <System as Disk>::File,
        table: <System as Disk>::File,
    ) -> SoundFile {
        let rate_hz = ear.sound.rate_hz();
        let last_origin = ear.sound.origin();
        let mut file = SoundFile {
            out: Out::new(wav, table, rate_hz),
            ear,
            path,
            rate_hz: rate_hz.into(),
            last_origin,
            origin: None,
            recent: VecDeque::new(),
            first: 0,
            period: (0, Nanos::ZERO),
            wanted: VecDeque::new(),
            behind: None,
            lost_before: 0,
            room: Vec::new(),
        };
        // What was heard since the last trial belongs to none.
        while file.ear.sound.next(&mut file.room).is_some() {
            file.room.clear();
        }
        file.lost_before = file.ear.sound.lost();
        file
    }

    /// Takes what was heard, and writes what is wanted of it.
    fn keep(&mut self) {
        while let Some(part) = self.ear.sound.next(&mut self.room) {
            self.start();
            match part {
                HeardPart::Period { frame, at, .. } => self.take(frame, at),
                HeardPart::Tap { frame, at } => self.tap(frame, at),
            }
            self.write();
            self.forget();
        }
        self.out.flush();
    }

    /// Learns when the trial began.
    fn start(&mut self) {
        if self.origin.is_none() {
            let origin = self.ear.sound.origin();
            self.origin = origin.filter(|origin| Some(*origin) != self.last_origin);
        }
    }

    fn take(&mut self, frame: u64, at: Nanos) {
        if frame != self.first + self.recent.len() as u64 {
            self.recent.clear();
            self.first = frame;
        }
        self.recent.extend(self.room.drain(..));
        self.period = (frame, at);
        let all = self.ear.sound.kept() == SoundKept::All;
        if all && self.wanted.is_empty() && self.origin.is_some_and(|origin| at >= origin) {
            self.wanted.push_back([frame, u64::MAX]);
        }
    }

    fn tap(&mut self, frame: f64, at: Nanos) {
        let taps = self.ear.sound.kept() == SoundKept::Taps;
        if taps && self.origin.is_some_and(|origin| at >= origin) {
            let around = AROUND_MS * self.rate_hz / 1_000;
            let onset = frame.max(0.0) as u64;
            self.wanted.push_back([onset.saturating_sub(around), onset + around]);
        }
    }

    fn write(&mut self) {
        let end = self.first + self.recent.len() as u64;
        while let Some([from, to]) = self.wanted.front().copied() {
            let from = from.max(self.first).max(self.behind.unwrap_or(0));
            if from < to.min(end) {
                self.put(from, to.min(end));
            }
            if to > end {
                return;
            }
            self.wanted.pop_front();
        }
    }

    /// Writes these frames, which are there.
    fn put(&mut self, from: u64, to: u64) {
        let goes_on = self.behind == Some(from);
        if !goes_on || self.out.since_line >= LINE_EVERY_S * self.rate_hz {
            let onset = self.time_of(from) - self.origin.unwrap_or(Nanos::ZERO);
            self.out.line(from, onset);
        }
        let place = (from - self.first) as usize;
        let samples = self.recent.iter().skip(place).take((to - from) as usize);
        self.out.samples(samples.copied());
        self.behind = Some(to);
    }

    /// When a frame was at the converter, by the last period.
    fn time_of(&self, frame: u64) -> Nanos {
        let (first, at) = self.period;
        let ahead = frame as f64 - first as f64;
        at + Nanos::round_from_f64(ahead * 1e9 / self.rate_hz as f64)
    }

    fn forget(&mut self) {
        let most = (REMEMBERED_MS * self.rate_hz / 1_000) as usize;
        let old = self.recent.len().saturating_sub(most);
        self.recent.drain(..old);
        self.first += old as u64;
    }

    /// Nothing more comes. A file without sound goes again.
    fn end(mut self, durable: bool) -> (RecordedEar, KeptSound) {
        self.keep();
        if durable {
            self.out.sync();
        }
        let (heard, refused) = (self.out.written > 0, self.out.refused);
        drop([self.out.wav, self.out.table]); // Windows gives no other name to what is open
        let path = match &refused {
            Some(_) => self.path, // what the disk still took stays as it took it
            None if heard => seal(&self.path, durable).unwrap_or(self.path),
            None => {
                remove(&self.path);
                self.path
            }
        };
        let lost = self.ear.sound.lost() - self.lost_before;
        let untaken = (lost > 0).then(|| format!("{lost} frames of sound were not taken in time"));
        let refused = refused.map(|error| error.to_string()).or(untaken);
        (self.ear, KeptSound { path, refused })
    }
}

/// The sound and its table, as they are written.
struct Out {
    wav: <System as Disk>::File,
    table: <System as Disk>::File,
    pending: [Vec<u8>; 2], // of the sound and of the table
    head: u64,             // bytes before the first sample
    written: u64,          // samples, with those that are pending
    since_line: u64,       // samples
    refused: Option<io::Error>,
}

impl Out {
    fn new(wav: <System as Disk>::File, table: <System as Disk>::File, rate_hz: u32) -> Out {
        let head = head_without_lengths(rate_hz, 8 * BYTES as u16);
        Out {
            wav,
            table,
            head: head.len() as u64,
            pending: [head, HEADING.as_bytes().to_vec()],
            written: 0,
            since_line: 0,
            refused: None,
        }
    }

    /// A stretch begins with this frame of the card, so long after the trial's start.
    fn line(&mut self, frame: u64, onset: Nanos) {
        let onset_s = onset.0 as f64 / 1e9;
        let line = format!("{}\t{frame}\t{onset_s:.6}\n", self.written);
        self.pending[1].extend(line.into_bytes());
        self.since_line = 0;
    }

    fn samples(&mut self, samples: impl Iterator<Item = f32>) {
        for sample in samples {
            let sample = if sample.is_finite() { sample.clamp(-1.0, 1.0) } else { 0.0 };
            let [first, second, third, _] = ((sample * FULL_SCALE).round() as i32).to_le_bytes();
            self.pending[0].extend([first, second, third]);
            self.written += 1;
            self.since_line += 1;
        }
    }

    /// Writes what is pending. Once the disk has refused, no more is written: what is there stays.
    fn flush(&mut self) {
        let nothing = self.pending.iter().all(Vec::is_empty);
        if nothing || self.refused.is_some() {
            return self.pending.iter_mut().for_each(Vec::clear);
        }
        self.refused = self.try_flush().err();
    }

    fn try_flush(&mut self) -> io::Result<()> {
        let [sound, lines] = &mut self.pending;
        self.wav.write_all(sound)?;
        self.table.write_all(lines)?;
        sound.clear();
        lines.clear();
        let bytes = self.written * BYTES;
        put_length(&mut self.wav, 4, self.head - 8 + bytes)?;
        put_length(&mut self.wav, self.head - 4, bytes)?;
        self.wav.seek(SeekFrom::End(0)).map(drop)
    }

    fn sync(&mut self) {
        let synced = self.wav.sync_data().and_then(|()| self.table.sync_data());
        self.refused = self.refused.take().or(synced.err());
    }
}

/// A length of the head; one that is too great for 32 bits stands for "to the end of the file".
fn put_length(wav: &mut (impl Write + Seek), place: u64, length: u64) -> io::Result<()> {
    wav.seek(SeekFrom::Start(place))?;
    wav.write_all(&u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    const RATE_HZ: u32 = 48_000;
    const FRAMES: u64 = 240;
    const MS: u64 = 48; // frames

    /// A card whose parts the test hands over. The sample of frame n is n / 1,000,000.
    #[derive(Default)]
    struct Handed {
        parts: VecDeque<HeardPart>,
        origin: Option<Nanos>,
    }

    struct Sound(Arc<Mutex<Handed>>, SoundKept);

    impl HeardSound for Sound {
        fn rate_hz(&self) -> u32 {
            RATE_HZ
        }
        fn kept(&self) -> SoundKept {
            self.1
        }
        fn next(&mut self, samples: &mut Vec<f32>) -> Option<HeardPart> {
            let part = self.0.lock().unwrap().parts.pop_front()?;
            if let HeardPart::Period { frame, frames, .. } = part {
                let sample = |n| (frame + u64::from(n)) as f32 / 1e6;
                samples.extend((0..frames).map(sample));
            }
            Some(part)
        }
        fn lost(&self) -> u64 {
            0
        }
        fn origin(&self) -> Option<Nanos> {
            self.0.lock().unwrap().origin
        }
    }

    /// Frame n is at the converter n / 48 ms after this.
    const CARD: Nanos = Nanos::from_secs(100);

    fn at(frame: u64) -> Nanos {
        CARD + Nanos((frame * 1_000_000_000 / u64::from(RATE_HZ)) as i64)
    }

    impl Handed {
        fn periods(&mut self, frames: std::ops::Range<u64>) {
            for frame in frames.step_by(FRAMES as usize) {
                let at = at(frame);
                self.parts.push_back(HeardPart::Period { frame, frames: FRAMES as u32, at });
            }
        }
        fn tap(&mut self, frame: u64) {
            self.parts.push_back(HeardPart::Tap { frame: frame as f64, at: at(frame) });
        }
    }

    /// What is kept of a trial that starts with frame 48,000, in which this happens.
    fn kept(how: SoundKept, happens: impl Fn(&mut Handed)) -> Option<(Vec<u64>, String)> {
        let dir = tempfile::tempdir().unwrap();
        let card = Arc::new(Mutex::new(Handed::default()));
        card.lock().unwrap().tap(100); // before the trial
        let sound = Box::new(Sound(Arc::clone(&card), how));
        let mut ears = vec![RecordedEar { input: "left hand".into(), sound }];
        let folder = dir.path().join("sub-07/beh");
        std::fs::create_dir_all(&folder).unwrap();
        let keeper = SoundKeeper::start((&folder, "t"), &mut ears).unwrap();
        {
            let mut card = card.lock().unwrap();
            card.origin = Some(at(48_000));
            happens(&mut card);
        }
        let (ears, files) = keeper.stop();
        assert_eq!((ears.len(), files[0].refused.as_deref()), (1, None));
        let wav = dir.path().join("sourcedata/sub-07/beh/t_input-left-hand_sound.wav");
        assert!(!wav.exists());
        let table = std::fs::read_to_string(wav.with_extension("tsv")).ok()?;
        let path = wav.with_extension("flac");
        assert_eq!(files[0].path, path);
        let mut flac = claxon::FlacReader::open(&path).unwrap();
        assert_eq!(flac.streaminfo().sample_rate, RATE_HZ);
        let frame = |sample: i32| (f64::from(sample) / f64::from(FULL_SCALE) * 1e6).round() as u64;
        let frames = flac.samples().map(|sample| frame(sample.unwrap())).collect();
        Some((frames, table))
    }

    #[test]
    fn of_a_tap_the_25_ms_before_and_after_its_onset_are_kept_and_nothing_else() {
        let (frames, table) = kept(SoundKept::Taps, |card| {
            card.periods(0..72_480);
            card.tap(72_000);
            card.periods(72_480..110_400);
        })
        .unwrap();
        let around = 72_000 - 25 * MS..72_000 + 25 * MS;
        assert_eq!(frames, Vec::from_iter(around));
        assert_eq!(table, "sample\tcard_frame\tonset\n0\t70800\t0.475000\n");
    }

    #[test]
    fn taps_that_are_near_share_what_lies_between_them() {
        let (frames, table) = kept(SoundKept::Taps, |card| {
            card.periods(0..60_000);
            card.tap(59_000);
            card.tap(60_500);
            card.periods(60_000..72_000);
            card.tap(70_000);
            card.periods(72_000..84_000);
        })
        .unwrap();
        let [first, second] = [57_800..61_700, 68_800..71_200];
        assert_eq!(frames, Vec::from_iter(first.chain(second)));
        assert_eq!(table.lines().skip(1).count(), 2, "{table}");
        assert!(table.contains("\n3900\t68800\t"), "{table}");
    }

    #[test]
    fn all_is_kept_from_the_beginning_on_with_a_line_each_second_and_after_each_gap() {
        let (frames, table) = kept(SoundKept::All, |card| {
            card.periods(0..120_000);
            card.periods(240_000..242_400);
        })
        .unwrap();
        assert_eq!(frames, Vec::from_iter((48_000..120_000).chain(240_000..242_400)));
        let lines: Vec<&str> = table.lines().skip(1).collect();
        assert_eq!(
            lines,
            ["0\t48000\t0.000000", "48000\t96000\t1.000000", "72000\t240000\t4.000000"]
        );
    }

    #[test]
    fn where_nobody_taps_or_nothing_is_asked_for_no_file_is_left() {
        assert_eq!(kept(SoundKept::Taps, |card| card.periods(0..96_000)), None);
        let nothing = kept(SoundKept::Nothing, |card| {
            card.periods(0..96_000);
            card.tap(72_000);
        });
        assert_eq!(nothing, None);
    }
}
