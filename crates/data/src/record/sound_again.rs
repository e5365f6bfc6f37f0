//! [`hear_again`]: reads the sound that inputs kept in a trial once more, and what it says of their taps.
//!
//! The sound lies in `sourcedata`, and beside it a table says which sample was when
//! (docs/sound-card-taps.md has both). Each stretch without a gap is listened to from its beginning.
//! Between two lines of the table the time of a sample lies on the straight line through both, since
//! the clocks of card and trial run apart; behind the last line it goes by the rate that the file says.
//! One block of samples is in memory.

use crate::record::heard_again::{FoundInSound, OnsetInSound};
use crate::record::{Binding, EarUsed, Header, HeardAgain, LiveTaps};
use chronotap_audio::sensor::{Detector, Listening};
use chronotap_audio::{SampleError, SoundFile, SoundForm};
use chronotap_core::time::Nanos;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// The live onset of a tap, and the one that is found afterwards, are no farther apart: of a force that
/// rises for 8 ms at 20 dB they are at most 2.9 ms apart (docs/sound-card-taps.md).
const APART: Nanos = Nanos::from_millis(10);
/// Rates of cards.
const RATES_HZ: std::ops::RangeInclusive<u32> = 4_000..=384_000;

/// Why kept sound could not be read again.
#[derive(Debug, thiserror::Error)]
pub enum SoundAgainError {
    /// The file, or the table beside it, cannot be read.
    #[error("{}: cannot read it: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    /// The sound is not what was written.
    #[error("{}: {source}", path.display())]
    Sound { path: PathBuf, source: SampleError },
    /// It has several channels, or a rate that no card has.
    #[error("{}: {channels} channels at {rate_hz} Hz, not the one channel that was recorded", path.display())]
    Form { path: PathBuf, channels: u16, rate_hz: u32 },
    /// A line of the table beside it is none.
    #[error("{}:{line}: not a line of sample, card_frame and onset, or not in order", path.display())]
    Table { path: PathBuf, line: usize },
    /// How the input listened is not known to this version of the program.
    #[error("input \"{input}\" listened in a way that is not known here: {settings}")]
    Settings { input: String, settings: String },
}

impl Header {
    /// The inputs whose sound was kept, each with its place among those of the trial.
    pub fn kept_ears(&self) -> impl Iterator<Item = (u16, &str, &EarUsed)> {
        let named = (0u16..).zip(&self.names.inputs);
        named.filter_map(move |(place, name)| {
            let bound = |port: &&Binding| port.direction == "in" && port.name == *name;
            let ear = self.ports.iter().find(bound)?.audio.as_ref()?.ear.as_ref()?;
            (ear.record != "none").then_some((place, name.as_str(), ear))
        })
    }

    /// Whether the sound of an input was kept.
    pub fn keeps_sound(&self) -> bool {
        self.kept_ears().next().is_some()
    }
}

/// Reads the sound again that the inputs of the trial of that name kept. Where there is no file, nobody
/// tapped or the sound was removed: taps keep the onsets that they had while the trial ran.
///
/// # Errors
/// [`SoundAgainError`].
pub fn hear_again(
    header: &Header,
    (dir, name): (&Path, &str),
    live: &LiveTaps,
) -> Result<HeardAgain, SoundAgainError> {
    let mut heard = HeardAgain::default();
    for (place, input, ear) in header.kept_ears() {
        let unknown = || {
            let (input, settings) = (input.to_owned(), ear.settings.clone());
            SoundAgainError::Settings { input, settings }
        };
        let listening = Listening::said(&ear.settings).ok_or_else(unknown)?;
        let mut found = found_in(&kept_sound_of((dir, name), input), &listening)?;
        if ear.is_looped() {
            let path = kept_sound_of((dir, name), &loop_beside(input));
            let mut tones = found_in(&path, &Listening::to_loop())?;
            if let (Some(taps), Some(tones)) = (&mut found, &mut tones) {
                on_one_clock(taps, tones);
            }
            heard.add_loop(live, tones.as_ref());
        }
        heard.add_input((place, input), live, found.as_ref());
    }
    Ok(heard.in_order(live))
}

impl EarUsed {
    /// Whether the card's output is looped to another channel of it.
    fn is_looped(&self) -> bool {
        self.settings.split('&').any(|one| one.starts_with("loop="))
    }
}

/// The name by which the sound of the channel is kept to which the output is looped, beside that of this
/// input.
pub fn loop_beside(input: &str) -> String {
    format!("{input} loop")
}

/// Both channels have the same frames. So the time between a tap and a tone is a number of them, whatever the
/// clocks of card and trial do: both are put on one straight line of the trial's time by frames.
fn on_one_clock(taps: &mut FoundInSound, tones: &mut FoundInSound) {
    let marks = taps.marks.iter().chain(&tones.marks);
    let first = marks.clone().min_by_key(|(frame, _)| *frame);
    let last = marks.max_by_key(|(frame, _)| *frame);
    let (Some((first, at)), Some((last, then))) = (first.copied(), last.copied()) else { return };
    let frames = (last - first) as f64;
    let long = frames * taps.frame_ns >= 1e9; // of a shorter one the rate by itself says more
    let frame_ns = if long { (then - at) / frames } else { taps.frame_ns };
    for onset in taps.onsets.iter_mut().chain(&mut tones.onsets) {
        onset.at = Nanos::round_from_f64(at + (onset.frame - first as f64) * frame_ns);
    }
}

/// Where the sound of an input goes while the trial of that name in this folder runs: of a dataset's
/// participant into the `sourcedata` of the dataset, in the same order of folders, else into `sourcedata`
/// beside the data. The table is beside it.
pub fn sound_of((dir, name): (&Path, &str), input: &str) -> PathBuf {
    sound_folder(dir).join(format!("{name}_input-{}_sound.wav", plain(input)))
}

/// Where it is when the trial is over: a FLAC file, or the WAV file that could not become one.
pub fn kept_sound_of(place: (&Path, &str), input: &str) -> PathBuf {
    let wav = sound_of(place, input);
    let flac = wav.with_extension("flac");
    if wav.is_file() { wav } else { flac }
}

/// The folder of it.
pub fn sound_folder(dir: &Path) -> PathBuf {
    let is_participant = |folder: &&Path| {
        folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with("sub-"))
    };
    let participant = dir.ancestors().filter(is_participant).last();
    let Some(root) = participant.and_then(Path::parent) else { return dir.join("sourcedata") };
    root.join("sourcedata").join(dir.strip_prefix(root).unwrap_or(dir))
}

/// A name of letters and digits.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect()
}

/// What is found in a file; `None` where there is none.
fn found_in(path: &Path, listening: &Listening) -> Result<Option<FoundInSound>, SoundAgainError> {
    let failed = |source| SoundAgainError::File { path: path.to_owned(), source };
    let file = match File::open(path) {
        Ok(file) => file,
        Err(gone) if gone.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(failed(source)),
    };
    let wrong = |source| SoundAgainError::Sound { path: path.to_owned(), source };
    let sound = SoundFile::open(BufReader::new(file)).map_err(wrong)?;
    let SoundForm { rate_hz, channels, frames } = sound.form();
    if channels != 1 || !RATES_HZ.contains(&rate_hz) {
        return Err(SoundAgainError::Form { path: path.to_owned(), channels, rate_hz });
    }
    let stretches = stretches(&path.with_extension("tsv"), rate_hz)?;
    let onsets = onsets(sound, &stretches, listening).map_err(wrong)?;
    let ends = stretches.iter().skip(1).map(|next| next.first()).chain([frames]);
    let whole = stretches.iter().zip(ends);
    let whole = whole.map(|(one, end)| [one.first(), end].map(|sample| one.time_of(sample as f64)));
    let seconds = |s: f64| Nanos::round_from_f64(s * 1e9);
    Ok(Some(FoundInSound {
        onsets,
        marks: stretches.iter().flat_map(Stretch::marks_by_frame).collect(),
        frame_ns: 1e9 / f64::from(rate_hz),
        stretches: whole.collect(),
        needed: listening.needs_s().map(seconds),
        apart: APART.min(seconds(listening.gap_s / 2.0)),
    }))
}

/// A stretch of sound without a gap.
#[derive(Clone, Debug, PartialEq)]
struct Stretch {
    /// Samples of the file, and when each was at the converter, in ns since the trial's start; at
    /// least one.
    marks: Vec<(u64, f64)>,
    /// The card's number of the first of them.
    card_frame: u64,
    frame_ns: f64,
}

impl Stretch {
    fn first(&self) -> u64 {
        self.marks[0].0
    }

    /// The card's numbers of frames, and when each was at the converter.
    fn marks_by_frame(&self) -> impl Iterator<Item = (u64, f64)> {
        self.marks.iter().map(|(sample, at)| (self.card_frame + (sample - self.first()), *at))
    }

    /// What was found at this sample.
    fn onset(&self, sample: f64, peak: f64) -> OnsetInSound {
        let frame = self.card_frame as f64 + (sample - self.first() as f64);
        OnsetInSound { at: self.time_of(sample), frame, peak_ppm: (peak * 1e6).round() as u32 }
    }

    /// When a sample of it was at the converter.
    fn time_of(&self, sample: f64) -> Nanos {
        let behind = self.marks.partition_point(|(mark, _)| *mark as f64 <= sample).max(1);
        let (from, at) = self.marks[behind - 1];
        let slope = self.marks.get(behind).map(|(to, then)| (then - at) / (to - from) as f64);
        Nanos::round_from_f64(at + (sample - from as f64) * slope.unwrap_or(self.frame_ns))
    }
}

/// The stretches that a table tells of.
fn stretches(path: &Path, rate_hz: u32) -> Result<Vec<Stretch>, SoundAgainError> {
    let read = File::open(path).and_then(|mut file| {
        let mut text = String::new();
        file.read_to_string(&mut text).map(|_| text)
    });
    let text = read.map_err(|source| SoundAgainError::File { path: path.to_owned(), source })?;
    let (mut all, mut last): (Vec<Stretch>, Option<[u64; 2]>) = (Vec::new(), None);
    for (line, cells) in (1..).zip(text.lines()).skip(1) {
        let wrong = || SoundAgainError::Table { path: path.to_owned(), line };
        let (sample, frame, onset_ns) = mark(cells).ok_or_else(wrong)?;
        if last.is_some_and(|[before, _]| sample <= before) {
            return Err(wrong());
        }
        let goes_on = last.is_some_and(|[s, f]| frame.checked_sub(f) == Some(sample - s));
        match all.last_mut().filter(|_| goes_on) {
            Some(stretch) => stretch.marks.push((sample, onset_ns)),
            None => all.push(Stretch {
                marks: vec![(sample, onset_ns)],
                card_frame: frame,
                frame_ns: 1e9 / f64::from(rate_hz),
            }),
        }
        last = Some([sample, frame]);
    }
    Ok(all)
}

/// Sample, frame and onset in ns of a line.
fn mark(line: &str) -> Option<(u64, u64, f64)> {
    let mut cells = line.split('\t');
    let (sample, frame) = (cells.next()?.parse().ok()?, cells.next()?.parse().ok()?);
    let onset_s: f64 = cells.next()?.parse().ok()?;
    let fits = onset_s.abs() < 1e9; // also false of no number
    (fits && cells.next().is_none()).then_some((sample, frame, onset_s * 1e9))
}

/// What begins in the stretches of a file.
fn onsets(
    sound: SoundFile<impl Read>,
    stretches: &[Stretch],
    listening: &Listening,
) -> Result<Vec<OnsetInSound>, SampleError> {
    let (rate_hz, mut found, mut samples) = (sound.form().rate_hz, Vec::new(), Vec::new());
    let (mut ahead, mut hearing) = (stretches.iter().peekable(), None);
    let mut at = 0; // the sample that is next
    sound.each(&mut |frames| {
        samples.clear();
        samples.extend(frames.iter().map(|[sample, _]| *sample));
        let mut rest = &samples[..];
        while !rest.is_empty() {
            if let Some(stretch) = ahead.next_if(|stretch| stretch.first() <= at) {
                hearing = Some((Detector::again(listening, rate_hz), stretch));
            }
            let left = ahead.peek().map_or(u64::MAX, |next| next.first() - at);
            let (now, behind) =
                rest.split_at(rest.len().min(usize::try_from(left).unwrap_or(usize::MAX)));
            if let Some((detector, stretch)) = &mut hearing {
                let first = stretch.first() as f64;
                detector.hear(now, &mut |tap| {
                    found.push(stretch.onset(first + tap.frame, tap.peak));
                });
            }
            (at, rest) = (at + now.len() as u64, behind);
        }
        Ok(())
    })?;
    Ok(found)
}
