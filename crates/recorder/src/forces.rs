//! The force that sensors feel while a trial runs, on the disk: `…_recording-INPUT_physio.tsv.gz` beside
//! the events, and its description, as BIDS has continuous recordings (version 1.10, "Physiological
//! recordings"): one value a row, no header, `n/a` where none came.
//!
//! Background: rows stand for equal steps of time, but the device's clock runs by itself and frames get
//! lost.
//! Solution: a row is a step of the device's own clock; frames that never came leave rows without a
//! value. What a step is on the trial's clock is measured from the first row to the last and stands in
//! the description as `SamplingFrequency`; `StartTime` is the first row, in seconds from the trial's
//! start.
//! While the trial runs, each piece that is written is packed by itself, and the file is one after any
//! of them (RFC 1952, 2.2: members of a gzip file follow one another): a kill costs no more than
//! half of a second. At the end all is packed as one, since not every reader goes on behind the first member.

use chronotap_core::files::{Disk, System, replace};
use chronotap_core::sensor::ForceStretch;
use chronotap_core::time::Nanos;
use chronotap_data::record::{RecordError, described_in, force_labels};
use chronotap_engine::signal::FeltForce;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde_json::json;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How often there is a look at what was felt.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// After how many of them it is written: each half of a second.
const LOOKS: u64 = 10;
/// From so many rows on their step is measured; before, it is what the device says.
const MEASURED: u64 = 1_000;
/// Rows by which the device's clock and the trial's may disagree on a gap; else the device began again.
const APART: u64 = 1_000;

/// An input whose force is kept.
pub struct RecordedForce {
    /// The input, by name.
    pub input: String,
    pub force: Box<dyn FeltForce>,
}

/// What was kept of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptForce {
    /// None where nothing was felt.
    pub path: Option<PathBuf>,
    /// Why not all is there that should be.
    pub refused: Option<String>,
}

/// A thread that keeps what is felt in a trial.
pub struct ForceKeeper {
    thread: JoinHandle<Vec<ForceFile>>,
    stopping: Arc<AtomicBool>,
}

impl ForceKeeper {
    /// Begins to keep what these inputs feel, beside the trial of that name. Where that cannot begin,
    /// they stay with the caller.
    ///
    /// # Errors
    /// [`RecordError`]: a file cannot be created, or no thread be started.
    pub fn start(
        (dir, name): (&Path, &str),
        forces: &mut Vec<RecordedForce>,
    ) -> Result<ForceKeeper, RecordError> {
        let stopping = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&stopping);
        let (hand_over, handed) = sync_channel(1);
        let body = move || handed.recv().map_or_else(|_| Vec::new(), |files| run(files, &stop));
        let thread = thread::Builder::new().name("recorder-force".into()).spawn(body);
        let thread = thread.map_err(|source| RecordError::Thread { source })?;
        let created = create_all(dir, name, forces)?;
        let begin = |(force, (path, file))| ForceFile::begin(force, path, file);
        let files = std::mem::take(forces).into_iter().zip(created).map(begin).collect();
        let _ = hand_over.send(files); // the thread waits for it
        Ok(ForceKeeper { thread, stopping })
    }

    /// The trial is over: completes the files. Gives the inputs back, and what was kept.
    pub fn stop(self) -> (Vec<RecordedForce>, Vec<KeptForce>) {
        self.ended().into_iter().map(ForceFile::end).unzip()
    }

    /// The trial could not begin: nothing is kept.
    pub fn discard(self) -> Vec<RecordedForce> {
        let discarded = |file: ForceFile| {
            file.remove();
            file.force
        };
        self.ended().into_iter().map(discarded).collect()
    }

    fn ended(self) -> Vec<ForceFile> {
        self.stopping.store(true, Ordering::Release);
        self.thread.thread().unpark();
        self.thread.join().unwrap_or_default()
    }
}

/// The file of each input, open.
fn create_all(
    dir: &Path,
    name: &str,
    forces: &[RecordedForce],
) -> Result<Vec<(PathBuf, File)>, RecordError> {
    let mut created: Vec<(PathBuf, File)> = Vec::new();
    for label in force_labels(forces.iter().map(|force| &*force.input)) {
        let path = dir.join(format!("{name}_recording-{label}_physio.tsv.gz"));
        match System.create_new(&path) {
            Ok(file) => created.push((path, file)),
            Err(source) => {
                created.iter().for_each(|(path, _)| drop(System.remove(path)));
                return Err(RecordError::Create { path, source });
            }
        }
    }
    Ok(created)
}

fn run(mut files: Vec<ForceFile>, stop: &AtomicBool) -> Vec<ForceFile> {
    for look in 1_u64.. {
        let stopping = stop.load(Ordering::Acquire);
        files.iter_mut().for_each(ForceFile::take_all);
        if stopping || look % LOOKS == 0 {
            files.iter_mut().for_each(ForceFile::write);
        }
        if stopping {
            break;
        }
        thread::park_timeout(LOOK_EVERY);
    }
    files
}

/// A row, and when it was.
#[derive(Clone, Copy)]
struct Placed {
    row: u64,
    device_us: i64,
    at: Nanos, // raw CLOCK_MONOTONIC
}

/// The file of one input.
struct ForceFile {
    force: RecordedForce,
    path: PathBuf,
    file: File,
    last_origin: Option<Nanos>, // of the trial before
    origin: Option<Nanos>,
    first: Option<Placed>,
    last: Option<Placed>, // of the last stretch the first value
    rows: u64,
    pending: String,
    described: u64, // rows that there were when it was last described
    lost_before: u64,
    refused: Option<io::Error>,
}

impl ForceFile {
    fn begin(mut force: RecordedForce, path: PathBuf, file: File) -> ForceFile {
        let last_origin = force.force.origin();
        // What was felt since the last trial belongs to none.
        while force.force.next().is_some() {}
        ForceFile {
            lost_before: force.force.lost(),
            force,
            path,
            file,
            last_origin,
            origin: None,
            first: None,
            last: None,
            rows: 0,
            pending: String::new(),
            described: 0,
            refused: None,
        }
    }

    /// The time of a value by what the device says, in ns.
    fn step(&self) -> f64 {
        1e9 / f64::from(self.force.force.values_hz().max(1))
    }

    fn take_all(&mut self) {
        while let Some(stretch) = self.force.force.next() {
            if self.origin.is_none() {
                let origin = self.force.force.origin();
                self.origin = origin.filter(|origin| Some(*origin) != self.last_origin);
            }
            self.take(&stretch);
        }
    }

    /// Keeps a stretch, the first one that ends within the trial and all that follow.
    fn take(&mut self, stretch: &ForceStretch) {
        let values = stretch.values.as_slice();
        let end = stretch.first + Nanos::round_from_f64(values.len() as f64 * self.step());
        if self.origin.is_none_or(|origin| end < origin) {
            return;
        }
        let row = self.row_of(stretch);
        let placed = Placed { row, device_us: stretch.device_us, at: stretch.first };
        self.first.get_or_insert(placed);
        self.last = Some(placed);
        while self.rows < row {
            self.put("n/a");
        }
        let known = (self.rows - row) as usize; // a row that was written stays
        for value in values.iter().skip(known) {
            self.put(&value.to_string());
        }
    }

    fn put(&mut self, value: &str) {
        self.pending += value;
        self.pending.push('\n');
        self.rows += 1;
    }

    /// The row at which a stretch begins: by the device's clock, which steps from row to row; by the
    /// trial's, where the device began again.
    fn row_of(&self, stretch: &ForceStretch) -> u64 {
        let Some(last) = self.last else { return 0 };
        let rows = |ns: f64| (ns / self.step()).round().max(0.0) as u64;
        let by_device = rows((stretch.device_us - last.device_us) as f64 * 1e3);
        let by_trial = rows((stretch.first - last.at).0 as f64);
        let again = by_device.abs_diff(by_trial) > APART || stretch.device_us <= last.device_us;
        last.row + if again { by_trial } else { by_device }
    }

    /// Writes what is pending, as a piece that can be read by itself. Once the disk has refused, no more
    /// is written: what is there stays.
    fn write(&mut self) {
        let piece = std::mem::take(&mut self.pending);
        if piece.is_empty() || self.refused.is_some() {
            return;
        }
        let written = packed(piece.as_bytes()).and_then(|piece| self.file.write_all(&piece));
        // As the trial goes on, what a row is becomes known better: a killed program leaves that.
        let again = self.rows >= 2 * self.described;
        let described = if again { self.describe() } else { Ok(()) };
        self.described = if again { self.rows } else { self.described };
        self.refused = written.and(described).err();
    }

    /// The description beside it.
    fn describe(&self) -> io::Result<()> {
        let text = serde_json::to_string_pretty(&self.description())?;
        replace(&described_in(&self.path), |file| file.write_all((text + "\n").as_bytes()))
    }

    fn description(&self) -> serde_json::Value {
        let start =
            self.first.zip(self.origin).map_or(Nanos::ZERO, |(first, origin)| first.at - origin);
        let most = self.force.force.most();
        json!({
            "SamplingFrequency": (self.rows_a_second() * 1e6).round() / 1e6,
            "StartTime": start.0 as f64 / 1e9,
            "Columns": ["force"],
            "force": {
                "LongName": "Force on the sensor",
                "Description": format!(
                    "Voltage at the sensor's resistor, which rises with the force and is not proportional \
                     to it, from 0 to {most}; n/a where nothing came"
                ),
                "Units": "arbitrary",
            },
        })
    }

    /// Rows a second of the trial's clock.
    fn rows_a_second(&self) -> f64 {
        let said = f64::from(self.force.force.values_hz());
        let Some((first, last)) = self.first.zip(self.last) else { return said };
        let rows = last.row - first.row;
        let passed = (last.at - first.at).0 as f64;
        if rows < MEASURED { said } else { rows as f64 * 1e9 / passed }
    }

    /// Nothing more comes. A file without a row goes again.
    fn end(mut self) -> (RecordedForce, KeptForce) {
        let nothing = self.rows == 0 && self.refused.is_none();
        if nothing {
            self.remove();
        } else if self.refused.is_none() {
            self.refused = self.complete().err();
        }
        let lost = self.force.force.lost() - self.lost_before;
        let untaken = (lost > 0).then(|| format!("{lost} values of force were not taken in time"));
        let refused = self.refused.map(|error| error.to_string()).or(untaken);
        (self.force, KeptForce { path: (!nothing).then_some(self.path), refused })
    }

    /// Packs all pieces as one, and describes them as they were.
    fn complete(&mut self) -> io::Result<()> {
        self.describe()?;
        let mut pieces = MultiGzDecoder::new(File::open(&self.path)?);
        replace(&self.path, |file| {
            let mut whole = GzEncoder::new(file, Compression::default());
            io::copy(&mut pieces, &mut whole)?;
            whole.finish()?.sync_data()
        })
    }

    /// Takes the file away again, and its description.
    fn remove(&self) {
        let _ = System.remove(&self.path); // what is gone already need not go
        let _ = System.remove(&described_in(&self.path));
    }
}

fn packed(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut piece = GzEncoder::new(Vec::new(), Compression::fast());
    piece.write_all(text)?;
    piece.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_core::sensor::ForceValues;
    use std::collections::VecDeque;
    use std::io::Read;
    use std::sync::Mutex;

    const US: i64 = 1_000;
    /// The trial begins when the device's clock shows two seconds.
    const ORIGIN: Nanos = Nanos::from_secs(7);

    #[derive(Default)]
    struct Handed {
        stretches: VecDeque<ForceStretch>,
        origin: Option<Nanos>,
        lost: u64,
    }

    struct Pad(Arc<Mutex<Handed>>);

    impl FeltForce for Pad {
        fn values_hz(&self) -> u32 {
            1_000
        }
        fn most(&self) -> u32 {
            8_184
        }
        fn next(&mut self) -> Option<ForceStretch> {
            self.0.lock().unwrap().stretches.pop_front()
        }
        fn lost(&self) -> u64 {
            self.0.lock().unwrap().lost
        }
        fn origin(&self) -> Option<Nanos> {
            self.0.lock().unwrap().origin
        }
    }

    /// Seven values from the device's millisecond on, each the number of its millisecond; the
    /// computer's clock runs so many parts in a million faster.
    fn stretch(ms: i64, ppm: i64) -> ForceStretch {
        let ahead = (ms - 2_000) * US;
        let values: Vec<u16> = (ms..ms + 7).map(|ms| ms as u16).collect();
        ForceStretch {
            first: ORIGIN + Nanos(ahead * 1_000 + ahead * ppm / 1_000),
            device_us: ms * US,
            values: ForceValues::of(&values).unwrap(),
        }
    }

    struct Kept {
        rows: Vec<String>,
        description: serde_json::Value,
        refused: Option<String>,
        names: Vec<String>,
    }

    /// What becomes of these stretches, which come after 20 that belong to no trial.
    fn kept(stretches: impl Iterator<Item = ForceStretch>, lost: u64) -> Kept {
        let dir = tempfile::tempdir().unwrap();
        let handed = Arc::new(Mutex::new(Handed::default()));
        handed.lock().unwrap().stretches.extend((0..20).map(|n| stretch(n * 7, 0)));
        let force = Box::new(Pad(Arc::clone(&handed)));
        let mut forces = vec![RecordedForce { input: "my pad".into(), force }];
        let keeper = ForceKeeper::start((dir.path(), "sub-01_run-01"), &mut forces).unwrap();
        {
            let mut handed = handed.lock().unwrap();
            handed.origin = Some(ORIGIN);
            handed.stretches.clear();
            handed.stretches.extend(stretches);
            handed.lost = lost;
        }
        let (again, kept) = keeper.stop();
        assert_eq!(again[0].input, "my pad");
        let path = dir.path().join("sub-01_run-01_recording-mypad_physio.tsv.gz");
        assert_eq!(kept[0].path.is_some(), path.exists());
        let names = std::fs::read_dir(dir.path()).unwrap();
        let name = |entry: io::Result<std::fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<String> =
            names.map(|entry| name(entry).into_string().unwrap()).collect();
        names.sort();
        let mut text = String::new();
        if path.exists() {
            // One member alone, which every reader understands.
            let mut one =
                flate2::bufread::GzDecoder::new(io::BufReader::new(File::open(&path).unwrap()));
            one.read_to_string(&mut text).unwrap();
            assert_eq!(one.into_inner().bytes().count(), 0);
        }
        let description =
            std::fs::read(path.with_file_name("sub-01_run-01_recording-mypad_physio.json"));
        Kept {
            rows: text.lines().map(str::to_owned).collect(),
            description: description
                .map_or(serde_json::Value::Null, |text| serde_json::from_slice(&text).unwrap()),
            refused: kept[0].refused.clone(),
            names,
        }
    }

    #[test]
    fn a_row_is_a_millisecond_of_the_device_and_the_description_says_what_that_is() {
        // The fourth stretch begins before the trial, and ends in it.
        let found = kept((0..1_000).map(|n| stretch(1_976 + 7 * n, 100)), 0);
        let expected: Vec<String> = (1_997..1_976 + 7_000).map(|ms: i64| ms.to_string()).collect();
        assert_eq!(found.rows, expected);
        let number = |key: &str| found.description[key].as_f64().unwrap();
        assert!((number("SamplingFrequency") - 1_000.0 / 1.000_1).abs() < 1e-3);
        assert!((number("StartTime") + 0.003).abs() < 1e-6);
        assert_eq!(found.description["Columns"], json!(["force"]));
        assert_eq!(found.description["force"]["Units"], "arbitrary");
        assert_eq!(found.refused, None);
        assert_eq!(found.names.len(), 2, "{:?}", found.names);
    }

    #[test]
    fn frames_that_never_came_leave_rows_without_a_value() {
        let came = (0..300).filter(|n| !(100..110).contains(n));
        let found = kept(came.map(|n| stretch(2_000 + 7 * n, -100)), 70);
        assert_eq!(found.rows.len(), 2_100);
        for (row, value) in found.rows.iter().enumerate() {
            let there = !(700..770).contains(&row);
            assert_eq!(*value, if there { (2_000 + row).to_string() } else { "n/a".into() });
        }
        assert_eq!(found.refused.as_deref(), Some("70 values of force were not taken in time"));
    }

    #[test]
    fn a_device_that_began_again_goes_on_at_the_trial_s_time() {
        let again = |n: i64| ForceStretch { device_us: 7 * n * US, ..stretch(5_000 + 7 * n, 0) };
        let found = kept((0..100).map(|n| stretch(2_000 + 7 * n, 0)).chain((0..10).map(again)), 0);
        assert_eq!(found.rows.len(), 3_070);
        assert!(found.rows[700..3_000].iter().all(|value| value == "n/a"));
        assert_eq!(found.rows[3_000], "5000");
    }

    #[test]
    fn where_nothing_was_felt_there_is_no_file() {
        assert_eq!(kept(std::iter::empty(), 0).names, Vec::<String>::new());
    }

    /// As much as a killed program leaves.
    #[test]
    fn pieces_are_one_text_while_the_trial_runs() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x_physio.tsv.gz");
        let handed = Arc::new(Mutex::new(Handed::default()));
        let force =
            RecordedForce { input: "pad".into(), force: Box::new(Pad(Arc::clone(&handed))) };
        let mut file = ForceFile::begin(force, path.clone(), System.create_new(&path).unwrap());
        handed.lock().unwrap().origin = Some(ORIGIN);
        for n in 0..3 {
            handed.lock().unwrap().stretches.push_back(stretch(2_000 + 7 * n, 0));
            file.take_all();
            file.write();
        }
        let mut text = String::new();
        MultiGzDecoder::new(File::open(&path).unwrap()).read_to_string(&mut text).unwrap();
        assert_eq!(text.lines().count(), 21);
        assert!(described_in(&path).ends_with("x_physio.json") && described_in(&path).exists());
    }
}
