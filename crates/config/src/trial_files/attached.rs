//! [`with_files`]: the files that a trial names (a sound file, the beats in it) taken into its
//! text, so that whatever keeps the text keeps what the trial was: each as a `[file.NAME]` at the
//! end, where no line of the trial changes its number.
//!
//! A sound file itself is not taken in: where it lies, its checksum and its length are.
//! What is wrong with a file stands there too, and is told where the trial is checked.

use crate::trial_files::keys::DAY;
use crate::trial_files::reading::with_point;
use crate::trial_files::reading::{self, brief};
use chronotap_audio::wav::WavFile;
use chronotap_core::files::{Summing, real, table_text};
use std::fmt::Write;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use toml::{Table, Value};

/// Beats of one file.
pub(crate) const MOST_BEATS: usize = 20_000;
/// A list of beats is some kilobytes; beyond this it is something else.
const BYTES_MAX: u64 = 1 << 20;

/// Files that are set in a trial by something else than its text.
#[derive(Clone, Debug, Default)]
pub struct Further {
    /// Tables of beats.
    pub beats: Vec<String>,
    /// Sound files.
    pub sounds: Vec<String>,
}

/// The text with the files that it names and does not hold yet; they are looked for in `dir`.
pub fn with_files(text: &str, dir: &Path) -> String {
    with_further_files(text, dir, &Further::default())
}

/// The same with further files, which may be named in the place of its own.
pub fn with_further_files(text: &str, dir: &Path, further: &Further) -> String {
    let mut text = text.to_owned();
    let Ok(trial) = text.parse::<Table>() else { return text };
    let kept = |name: &str| trial.get("file").is_some_and(|files| files.get(name).is_some());
    let named = |key| named(&trial, key);
    let mut done: Vec<String> = Vec::new();
    let beats_of = named("beats_from").chain(further.beats.iter().cloned()).map(|n| (n, false));
    let sounds = named("audio").chain(further.sounds.iter().cloned()).map(|n| (n, true));
    for (name, sound) in beats_of.chain(sounds) {
        if kept(&name) || done.contains(&name) {
            continue;
        }
        if done.is_empty() && !trial.contains_key("file") {
            text.push_str("\n# The files named above, as they were when this trial was read.\n");
        }
        let path = dir.join(&name);
        let found = if sound { sound_file(&path) } else { beats(&path) };
        let lines = found.unwrap_or_else(|wrong| format!("problem = {}\n", quoted(&wrong)));
        // Writing into a string does not fail.
        let _ = write!(text, "[file.{}]\n{lines}", quoted(&name));
        done.push(name);
    }
    text
}

/// The names of all files that a trial names, whether its text holds them or not.
pub fn files_of(text: &str) -> Vec<String> {
    let Ok(trial) = text.parse::<Table>() else { return Vec::new() };
    named(&trial, "beats_from").chain(named(&trial, "audio")).collect()
}

/// The same, and where the sound files lie that its text holds.
pub fn places_of(text: &str) -> Vec<String> {
    let Ok(trial) = text.parse::<Table>() else { return Vec::new() };
    let kept = trial.get("file").and_then(Value::as_table).into_iter().flatten();
    let lie = kept.filter_map(|(_, file)| file.get("path")?.as_str().map(str::to_owned));
    files_of(text).into_iter().chain(lie).collect()
}

/// The names of all files that the text of a trial holds, or says what is wrong with.
pub fn files_in(text: &str) -> Vec<String> {
    let Ok(trial) = text.parse::<Table>() else { return Vec::new() };
    let files = trial.get("file").and_then(Value::as_table);
    files.into_iter().flat_map(|files| files.keys().cloned()).collect()
}

/// Of these the sound files, of which a text says where they lay.
pub fn sound_files_in(text: &str) -> Vec<String> {
    let Ok(trial) = text.parse::<Table>() else { return Vec::new() };
    let files = trial.get("file").and_then(Value::as_table).into_iter().flatten();
    files.filter(|(_, file)| file.get("path").is_some()).map(|(name, _)| name.clone()).collect()
}

/// What the streams of a trial name by a key.
fn named<'t>(trial: &'t Table, key: &'static str) -> impl Iterator<Item = String> + 't {
    let streams = trial.get("pacing").and_then(Value::as_table).into_iter().flatten();
    streams.filter_map(move |(_, stream)| stream.get(key)?.as_str().map(str::to_owned))
}

/// A text as TOML has it on one line.
fn quoted(text: &str) -> String {
    Value::String(text.replace(char::is_control, " ")).to_string()
}

/// How what the system refuses begins; everything else lies in the file.
pub(crate) const CANNOT_BE_READ: &str = "cannot be read";

fn unreadable(error: io::Error) -> String {
    format!("{CANNOT_BE_READ}: {error}")
}

/// Beats from a table: the first column is seconds since the beginning of the sound file.
fn beats(path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let file = chronotap_core::files::open(path).map_err(unreadable)?;
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err("is larger than 1 MB, so it is no table of beats".to_owned());
    }
    table_of_beats(&bytes)
}

/// What a `[file.NAME]` says of a table of beats that holds these bytes: its checksum, and each
/// beat as the table writes it.
///
/// # Errors
/// What is wrong with the table, as it is told behind its name.
pub fn table_of_beats(bytes: &[u8]) -> Result<String, String> {
    let text = table_text(bytes.to_vec())
        .map_err(|error| format!("is no table: {error}; save it as tab-separated text (UTF-8)"))?;
    refuse_index(&text)?;
    let mut all = Vec::new();
    let mut before = None;
    for (line, row) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let first = row.split(['\t', ',', ' ']).find(|cell| !cell.is_empty()).unwrap_or("").trim();
        let first = first.trim_matches('"');
        let heading = all.is_empty() && first.starts_with(|c: char| c.is_alphabetic());
        if first.is_empty() || first.starts_with('#') || heading {
            continue;
        }
        let time = reading::time(&format!("{first} s")).ok().map(|time| time.round());
        let Some(time) = time.filter(|time| time.0 >= 0) else {
            return Err(format!("line {line}: \"{}\" is no time in seconds", brief(first)));
        };
        if time.0 > DAY {
            return Err(format!("line {line}: {first} s is more than a day; write seconds"));
        }
        if before.is_some_and(|before| before >= time) {
            let cure = match with_point(row.trim()) {
                Some(point) => format!("; a comma parts columns, decimals have a point: {point}"),
                None => String::new(),
            };
            return Err(format!("line {line}: {first} s is not later than the beat before{cure}"));
        }
        before = Some(time);
        all.push(format!("\"{first} s\""));
    }
    if all.is_empty() || all.len() > MOST_BEATS {
        return Err(format!("has {} beats, not 1 to {MOST_BEATS}", all.len()));
    }
    let sum = chronotap_core::files::sha256(bytes);
    Ok(format!("sha256 = \"{sum}\"\nbeats = [{}]\n", all.join(", ")))
}

/// An error where the first column counts the rows and the times stand behind it, as pandas and R write tables with
/// their index: its column has no name, or it counts 0, 1, 2 beside times that rise otherwise.
fn refuse_index(text: &str) -> Result<(), String> {
    let lines = text.trim_start_matches('\u{feff}').lines();
    let mut rows = lines.filter(|row| !row.trim().is_empty() && !row.starts_with('#')).peekable();
    let Some(head) = rows.peek() else { return Ok(()) };
    let separator = ['\t', ','].into_iter().find(|one| head.contains(*one)).unwrap_or(' ');
    let cells = |row: &str| -> Vec<String> {
        row.split(separator).map(|cell| cell.trim().trim_matches('"').to_owned()).collect()
    };
    let names = cells(head);
    let named = |name: &String| name.starts_with(char::is_alphabetic);
    let nameless = names[0].is_empty() && names.iter().any(named);
    if names.iter().any(named) {
        rows.next();
    }
    let numbers = |place: usize, row: &str| cells(row).get(place)?.parse::<f64>().ok();
    let pairs: Option<Vec<(f64, f64)>> =
        rows.map(|row| numbers(0, row).zip(numbers(1, row))).collect();
    let counts = pairs.is_some_and(|pairs| {
        let rising = pairs.windows(2).all(|two| two[1].0 == two[0].0 + 1.0 && two[1].1 > two[0].1);
        let from = pairs.first().is_some_and(|(first, _)| [0.0, 1.0].contains(first));
        pairs.len() > 2 && from && rising && pairs.iter().any(|(_, time)| time.fract() != 0.0)
    });
    match nameless || counts {
        true => Err("line 1: the first column counts the rows, and the times stand behind it; write the times \
                     alone (in pandas with index=False)"
            .to_owned()),
        false => Ok(()),
    }
}

/// Where a sound file lies, its checksum and its exact length.
fn sound_file(path: &Path) -> Result<String, String> {
    let mut file = chronotap_core::files::open(path).map_err(unreadable)?;
    let Head { frames, rate, channels } = head(&mut file)?;
    if !(1..=2).contains(&channels) {
        return Err(format!(
            "has {channels} channels, not 1 or 2; mix it down, as in `sox IN -c 2 OUT.flac`"
        ));
    }
    file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    let mut sum = Summing::of(io::sink());
    io::copy(&mut file, &mut sum).map_err(unreadable)?;
    let whole = real(path).map_err(unreadable)?;
    let path = quoted(&as_people_write_it(&whole.display().to_string()));
    Ok(format!("path = {path}\nsha256 = \"{}\"\nlength = \"{frames} s / {rate}\"\n", sum.sha256()))
}

/// A full path. Windows begins it with `\\?\`, which few other programs understand.
fn as_people_write_it(whole: &str) -> String {
    match (whole.strip_prefix(r"\\?\UNC\"), whole.strip_prefix(r"\\?\")) {
        (Some(on_a_share), _) => format!(r"\\{on_a_share}"),
        (None, Some(on_a_drive)) => on_a_drive.to_owned(),
        (None, None) => whole.to_owned(),
    }
}

/// What the head of a sound file says.
#[derive(Clone, Copy, Debug)]
struct Head {
    frames: u64,
    rate: u32,
    channels: u16,
}

/// The head of a WAV or FLAC file.
fn head(file: &mut File) -> Result<Head, String> {
    let none =
        || "is neither a WAV nor a FLAC file; convert it, as in `sox IN OUT.flac`".to_owned();
    let mut kind = [0; 12];
    file.read_exact(&mut kind).map_err(|_| none())?;
    let found = match (&kind[..4], &kind[8..]) {
        (b"RIFF" | b"RF64" | b"BW64", b"WAVE") => {
            file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
            Some(wav_head(file)?)
        }
        (b"fLaC", _) => flac_head(file),
        _ => None,
    };
    let found = found.filter(|head| head.rate > 0).ok_or_else(none)?;
    if found.frames == 0 {
        return Err("does not say how long it is, or is empty; write it again, as in \
                    `sox IN OUT.flac`"
            .to_owned());
    }
    Ok(found)
}

/// The head of a WAV file, as whoever plays it reads it.
fn wav_head(file: &mut File) -> Result<Head, String> {
    let wav = WavFile::open(BufReader::new(file))
        .map_err(|error| format!("cannot be played: {error}"))?;
    Ok(Head { frames: wav.frames(), rate: wav.rate_hz(), channels: wav.channels() })
}

/// The first block of a FLAC file, STREAMINFO (RFC 9639, 8.2): the rate in 20 bits, the channels
/// but one in 3, and in the last 36 of the eight bytes the number of frames.
fn flac_head(file: &mut File) -> Option<Head> {
    file.seek(SeekFrom::Start(8 + 10)).ok()?;
    let mut packed = [0; 8];
    file.read_exact(&mut packed).ok()?;
    let packed = u64::from_be_bytes(packed);
    let channels = (packed >> 41 & 7) as u16 + 1;
    Some(Head { frames: packed & 0xf_ffff_ffff, rate: (packed >> 44) as u32, channels })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_path_is_written_as_people_write_it() {
        for (given, written) in [
            ("/home/anna/a.wav", "/home/anna/a.wav"),
            (r"\\?\C:\music\a.wav", r"C:\music\a.wav"),
            (r"\\?\UNC\laboratory\data\a.wav", r"\\laboratory\data\a.wav"),
        ] {
            assert_eq!(as_people_write_it(given), written);
        }
    }

    fn in_a_folder(name: &str, bytes: &[u8], trial: &str) -> String {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(name), bytes).unwrap();
        with_files(trial, dir.path())
    }

    #[test]
    fn beats_are_taken_as_they_are_written_once() {
        let trial = "[pacing.song]\nbeats_from = \"b.tsv\"\n";
        let rows = b"onset\tlabel\n# by hand\n0.5\t1\n1.0221\t2\n\n1.5 3\n";
        let text = in_a_folder("b.tsv", rows, trial);
        assert!(text.starts_with(trial) && text.contains("[file.\"b.tsv\"]\n"), "{text}");
        assert!(text.contains("beats = [\"0.5 s\", \"1.0221 s\", \"1.5 s\"]"), "{text}");
        assert_eq!(with_files(&text, Path::new("nowhere")), text);
    }

    #[test]
    fn a_column_that_counts_the_rows_is_no_list_of_times() {
        for table in [
            ",onset\n0,0.5\n1,1.0\n",
            "\"\",\"onset\"\n\"1\",0.5\n\"2\",1.1\n",
            "\tonset\tlabel\n0\t0.5\tx\n",
            "onset\n1 0.5\n2 1.1\n3 1.6\n",
            "0,0.512\n1,1.01\n2,1.5\n",
            "n,time\n1,0.512\n2,1.01\n3,1.5\n",
        ] {
            let refused = table_of_beats(table.as_bytes()).unwrap_err();
            assert!(refused.contains("counts the rows"), "{table:?}: {refused}");
        }
        for table in
            ["onset,bar\n0,1\n1,2\n2,3\n", "\"onset\"\n0.5\n1.1\n", "0.5 1\n1.5 2\n2.5 3\n"]
        {
            assert!(table_of_beats(table.as_bytes()).is_ok(), "{table:?}");
        }
        let workbook = table_of_beats(b"PK\x03\x04\x14\0").unwrap_err();
        assert!(workbook.contains("workbook"), "{workbook}");
    }

    #[test]
    fn a_beat_beyond_a_day_is_refused_with_its_line() {
        let refused = table_of_beats(b"0.5\n86401\n").unwrap_err();
        assert_eq!(refused, "line 2: 86401 s is more than a day; write seconds");
        assert!(table_of_beats(b"0.5\n86400\n").is_ok());
    }

    #[test]
    fn further_files_come_behind_those_that_the_text_names() {
        let dir = tempfile::tempdir().unwrap();
        let one = "[pacing.song]\nbeats_from = \"a.tsv\"\n";
        for name in ["a.tsv", "b.tsv"] {
            std::fs::write(dir.path().join(name), "0.5\n").unwrap();
        }
        let text = with_files(one, dir.path());
        let beats = vec!["b.tsv".to_owned(), "a.tsv".to_owned()];
        let further = Further { beats, ..Further::default() };
        let both = with_further_files(&text, dir.path(), &further);
        assert!(both.starts_with(&text) && both.contains("[file.\"b.tsv\"]\n"), "{both}");
        assert_eq!((both.matches('#').count(), both.matches("a.tsv\"]").count()), (1, 1), "{both}");
    }

    #[test]
    fn what_is_wrong_with_a_file_is_kept_to_be_told() {
        let told = |rows: &[u8]| in_a_folder("b.tsv", rows, "[pacing.s]\nbeats_from = \"b.tsv\"\n");
        assert!(told(b"0.5\n0,7\n").contains("line 2"), "a comma parts columns");
        assert!(
            told(b"0.5\nx\n").contains("line 2: \\\"x\\\" is no time")
                || told(b"0.5\nx\n").contains("is no time")
        );
        assert!(told(b"0.5\n0.4\n").contains("not later than the beat before"));
        assert!(told(b"0,4\n0,9\n").contains("decimals have a point: 0.9"));
        assert!(told(b"\n").contains("has 0 beats"));
        let missing = with_files("[pacing.s]\naudio = \"s.wav\"\n", Path::new("/nowhere"));
        assert!(missing.contains("cannot be read"), "{missing}");
        let none = in_a_folder("s.wav", b"RIFF of old", "[pacing.s]\naudio = \"s.wav\"\n");
        assert!(none.contains("neither a WAV nor a FLAC"), "{none}");
    }

    #[test]
    fn the_length_of_a_sound_file_is_exact() {
        let mut wav = b"RIFF\0\0\0\0WAVELIST\x03\0\0\0abc\0fmt \x10\0\0\0\x01\0\x02\0".to_vec();
        wav.extend_from_slice(&44_100_u32.to_le_bytes());
        wav.extend_from_slice(&176_400_u32.to_le_bytes());
        wav.extend_from_slice(&[4, 0, 16, 0]);
        wav.extend_from_slice(b"data\x90\x01\0\0");
        wav.resize(wav.len() + 400, 0);
        let trial = "[pacing.s]\naudio = \"s.wav\"\n";
        let text = in_a_folder("s.wav", &wav, trial);
        assert!(text.contains("length = \"100 s / 44100\""), "{text}");
        let mut flac = b"fLaC\0\0\0\x22".to_vec();
        flac.extend_from_slice(&[0; 10]);
        flac.extend_from_slice(&((48_000_u64 << 44) | 4_800).to_be_bytes());
        let text = in_a_folder("s.wav", &flac, trial);
        assert!(text.contains("length = \"4800 s / 48000\""), "{text}");
        // A head that was never finished: what follows are the frames.
        for unsaid in [0, u32::MAX] {
            wav[4..8].copy_from_slice(&unsaid.to_le_bytes());
            wav[52..56].copy_from_slice(&unsaid.to_le_bytes());
            let text = in_a_folder("s.wav", &wav, trial);
            assert!(text.contains("length = \"100 s / 44100\""), "{text}");
        }
        wav[52..56].copy_from_slice(&400_u32.to_le_bytes());
        // Written by an encoder to a pipe, and cut off.
        let mut unsaid = flac[..18].to_vec();
        unsaid.extend_from_slice(&(48_000_u64 << 44).to_be_bytes());
        let text = in_a_folder("s.wav", &unsaid, trial);
        assert!(text.contains("does not say how long it is"), "{text}");
        let text = in_a_folder("s.wav", &wav[..wav.len() - 1], trial);
        assert!(text.contains("it ends after 99 of the 100 frames"), "{text}");
        wav[34] = 6; // channels
        wav[40..44].copy_from_slice(&529_200_u32.to_le_bytes());
        wav[44] = 12; // bytes of a frame
        wav[52] = 0x80; // of data: 384
        let text = in_a_folder("s.wav", &wav, trial);
        assert!(text.contains("has 6 channels, not 1 or 2"), "{text}");
        let long = "0.5\n".repeat(300_000);
        let text = in_a_folder("b.tsv", long.as_bytes(), "[pacing.s]\nbeats_from = \"b.tsv\"\n");
        assert!(text.contains("larger than 1 MB"), "{text}");
    }
    #[test]
    fn a_sound_file_of_more_than_4_gigabytes_has_its_whole_length() {
        let frames = 2_000_000_000_u64;
        let mut rf64 = b"RF64\xff\xff\xff\xffWAVEds64\x1c\0\0\0\0\0\0\0\0\0\0\0".to_vec();
        rf64.extend_from_slice(&(frames * 4).to_le_bytes());
        rf64.extend_from_slice(&[0; 12]);
        rf64.extend_from_slice(b"fmt \x10\0\0\0\x01\0\x02\0");
        rf64.extend_from_slice(&48_000_u32.to_le_bytes());
        rf64.extend_from_slice(&192_000_u32.to_le_bytes());
        rf64.extend_from_slice(b"\x04\0\x10\0data\xff\xff\xff\xff");
        let mut sparse = tempfile::tempfile().unwrap();
        io::Write::write_all(&mut sparse, &rf64).unwrap();
        sparse.set_len(rf64.len() as u64 + frames * 4).unwrap(); // nothing is written
        sparse.seek(SeekFrom::Start(0)).unwrap();
        let said = head(&mut sparse).unwrap();
        assert_eq!((said.frames, said.rate, said.channels), (frames, 48_000, 2));
    }
}
