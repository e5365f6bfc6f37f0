//! [`recover`]: the events files of a trial that did not come to its end, from the
//! journal it left.

use crate::callbacks::write_table;
use crate::felt_again::feel_again;
use crate::lock;
use crate::sealed::seal;
use chronotap_core::files::{Disk, DiskFile, System, nameless, open_to_sync};
use chronotap_core::time::Nanos;
use chronotap_data::record::journal::{Gap, Journal, JournalError, Room, Scratch, StoredJournal};
use chronotap_data::record::place::{Saved, TrialFiles, sync_directory, write_rows};
use chronotap_data::record::{
    Footer, Header, HeardAgain, MOST_JUDGED, RecordError, Recovered, hear_again, loop_beside,
    sound_of,
};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

/// What came of a journal.
#[derive(Clone, Debug)]
pub struct Recovery {
    /// The files that were made.
    pub saved: Saved,
    /// What is missing in them, in words; nothing where the trial is whole.
    pub missing: Vec<String>,
    /// Whether it is told what became of each tap: not where there are too many.
    pub judged: bool,
    /// The journal, where it is kept because more than a torn last line of it is unusable.
    pub kept: Option<PathBuf>,
}

/// Writes the events files beside a journal, and those of the callbacks where their log is
/// there too. Once they are on the disk, journal and log are removed, unless more than a torn
/// last line is unusable. Tones that were sounding are flagged `unfinished`, rows behind
/// damage `behind gap`; the footer says what is missing. Events files that are already there
/// are never overwritten.
///
/// # Errors
/// [`RecordError::Unreadable`] where not even the header can be read;
/// [`RecordError::Running`] where its trial is not over; [`RecordError::NotAJournal`],
/// [`RecordError::StrangeName`], [`RecordError::Exists`], [`RecordError::Events`].
pub fn recover(path: &Path) -> Result<Recovery, RecordError> {
    recover_on(&System, path)
}

/// The same on any disk.
///
/// # Errors
/// As [`recover`].
pub fn recover_on<D: Disk>(disk: &D, path: &Path) -> Result<Recovery, RecordError> {
    recover_within(disk, path, Room::USUAL)
}

/// The same with any room in memory. What has none is in files without a name beside the journal.
pub(crate) fn recover_within<D: Disk>(
    disk: &D,
    path: &Path,
    room: Room,
) -> Result<Recovery, RecordError> {
    let not_a_journal = || RecordError::NotAJournal { path: path.to_owned() };
    if path.extension().is_none_or(|end| end != "journal") {
        return Err(not_a_journal());
    }
    let strange = || RecordError::StrangeName { path: path.to_owned() };
    let name = path.file_stem().and_then(|name| name.to_str()).ok_or_else(strange)?;
    let dir = path.parent().unwrap_or(Path::new(""));
    let mut held = hold(disk, path)?;
    let mut journal = StoredJournal::read(&mut held, path, scratch(disk, dir, room))?;
    let mut footer = footer(&journal.about);
    let damaged = !journal.about.behind.gaps.is_empty();
    let files = TrialFiles::of(dir, name);
    let (mut saved, judged) = write_tables(disk, path, &files, &mut journal, &mut footer)?;
    seal_sounds(&journal.about.header, (dir, name));
    if disk.is_there(&files.callbacks_log) {
        saved.callbacks = Some(write_table(disk, &files.callbacks_log, &files)?);
        sync_directory(disk, dir)?;
    }
    saved.forces = files.forces(disk);
    if !damaged {
        // Left over, they only say again what is saved.
        let _ = disk.remove(&files.callbacks_log);
        let _ = disk.remove(path);
    }
    let missing = footer.recovered.map_or_else(Vec::new, |recovered| recovered.missing);
    Ok(Recovery { saved, missing, judged, kept: damaged.then(|| path.to_owned()) })
}

/// Files without a name in the journal's own folder.
fn scratch<D: Disk>(disk: &D, dir: &Path, room: Room) -> Scratch {
    let (disk, dir) = (disk.clone(), dir.to_owned());
    Scratch::new(room, move || Ok(Box::new(nameless(&disk, &dir)?)))
}

/// Writes the events files of a journal whose events stay in its file.
fn write_tables<D: Disk>(
    disk: &D,
    path: &Path,
    files: &TrialFiles,
    journal: &mut StoredJournal<&mut D::File>,
    footer: &mut Footer,
) -> Result<(Saved, bool), RecordError> {
    let header = journal.about.header.clone();
    let unreadable = |source| JournalError::File { path: path.to_owned(), source };
    let heard = heard_again(&header, path, journal, footer).map_err(unreadable)?;
    let rows = journal.rows_beside(&heard).map_err(unreadable)?;
    let judged = rows.are_judged();
    let recovered = footer.recovered.as_mut().filter(|_| !judged);
    recovered.into_iter().for_each(|recovered| recovered.missing.push(unjudged()));
    Ok((write_rows(disk, files, &header, &mut heard.beside(rows), footer, true)?, judged))
}

/// What sound and force say of taps that the trial kept. What cannot be read is missing.
fn heard_again<F: Read + Seek>(
    header: &Header,
    path: &Path,
    journal: &mut StoredJournal<F>,
    footer: &mut Footer,
) -> io::Result<HeardAgain> {
    if !header.keeps_sound() && !header.keeps_force() {
        return Ok(HeardAgain::default());
    }
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    let dir = path.parent().unwrap_or(Path::new(""));
    let (place, live) = ((dir, name), journal.taps()?);
    let mut lacks = |missing: String| {
        footer.recovered.iter_mut().for_each(|recovered| recovered.missing.push(missing.clone()));
    };
    let mut known = hear_again(header, place, &live).unwrap_or_else(|unread| {
        lacks(format!("onsets by the sound that was kept: {unread}"));
        HeardAgain::default()
    });
    if let Err(unread) = feel_again(header, place, &live, &mut known) {
        lacks(format!("peak, rise and dwell by the force that was kept: {unread}"));
    }
    Ok(known)
}

/// The sound that was kept becomes what it would have become at the end. Where it cannot, it stays as it is.
fn seal_sounds(header: &Header, place: (&Path, &str)) {
    for (_, input, _) in header.kept_ears() {
        let wavs = [input, &loop_beside(input)].map(|input| sound_of(place, input));
        wavs.iter().filter(|wav| wav.is_file()).for_each(|wav| drop(seal(wav, true)));
    }
}

/// What is missing where the taps are too many for the memory that a recovery may take.
fn unjudged() -> String {
    format!(
        "what became of each tap (the columns `fate` to `asynchrony_ns`): it is told of trials \
         with up to {MOST_JUDGED} taps and beats"
    )
}

/// Opens a journal and locks it, so that nobody else writes it or makes files of it.
fn hold<D: Disk>(disk: &D, path: &Path) -> Result<D::File, RecordError> {
    let unreadable = |source| JournalError::File { path: path.to_owned(), source };
    let journal = open_to_sync(disk, path).map_err(unreadable)?;
    if !lock::lock(&journal) {
        return Err(RecordError::Running { path: path.to_owned() });
    }
    if !lock::is_at(disk, &journal, path) {
        let gone = "another program has made its files meanwhile";
        return Err(unreadable(io::Error::new(io::ErrorKind::NotFound, gone)).into());
    }
    // Else a power cut after this could leave files that say more than the journal then does.
    journal.sync().map_err(unreadable)?;
    Ok(journal)
}

/// The journal's own footer, with what is missing where anything is.
fn footer(journal: &Journal) -> Footer {
    let behind = &journal.behind;
    let own = journal.footer.as_ref().or(behind.footer.as_ref());
    if let (Some(own), 0) = (own, behind.unusable_bytes) {
        return own.clone();
    }
    let mut missing: Vec<String> = behind.gaps.iter().map(described).collect();
    let torn = behind.unusable_bytes - behind.gaps.iter().map(|gap| gap.bytes).sum::<u64>();
    if own.is_none() {
        missing.push(end_is_missing(behind.gaps.is_empty()).to_owned());
        missing.push("the timing summary".to_owned());
    }
    if torn > 0 {
        missing.push(format!("{torn} bytes after the last whole line, which could not be read"));
    }
    let (complete, unusable_bytes) = (own.is_some(), behind.unusable_bytes);
    let recovered = Some(Recovered { complete, unusable_bytes, missing });
    let usual = Footer { dropped: behind.dropped, ..Footer::default() };
    Footer { recovered, ..own.cloned().unwrap_or(usual) }
}

/// How much the end is, is known only where the journal is whole up to there.
fn end_is_missing(whole: bool) -> &'static str {
    if whole {
        "the end of the trial: the program was stopped before it could write it; of a killed \
         program at most the last 10 ms are missing, after a power cut at most the last 100 ms \
         and the time the disk took; more where the disk refused the journal at that time"
    } else {
        "the end of the trial: how much of it, a damaged journal does not tell"
    }
}

/// A damaged place, in words.
fn described(gap: &Gap) -> String {
    let seconds = |at: Nanos| format!("{:.3} s", at.as_secs_f64());
    let from = gap.after.map_or("the beginning".to_owned(), seconds);
    let to = gap.before.map_or("the end".to_owned(), seconds);
    let (bytes, line) = (gap.bytes, gap.line);
    let said = format!(
        "events between {from} and {to}: {bytes} damaged bytes from line {line} of the journal"
    );
    match gap.places {
        0 | 1 => said,
        places => format!("{said} on, in {places} places"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_audio::SoundFile;
    use chronotap_audio::wav::head_without_lengths;
    use chronotap_data::record::journal::{Chain, put_dropped, put_entry, put_footer, put_header};
    use chronotap_data::record::{Audio, Binding, EarUsed, read_events};
    use chronotap_testkit_data::tiny::{footer, header, tiny};
    use std::fs;

    /// The lines of a journal of the tiny trial: its header, its events, that so many more were lost, and
    /// its end.
    fn lines(dropped: Option<u64>, ended: bool) -> Vec<Vec<u8>> {
        let (mut bytes, mut chain) = (Vec::new(), Chain::default());
        put_header(&mut bytes, &mut chain, &header()).unwrap();
        tiny().iter().for_each(|entry| put_entry(&mut bytes, &mut chain, entry));
        dropped.into_iter().for_each(|count| put_dropped(&mut bytes, &mut chain, count));
        if ended {
            put_footer(&mut bytes, &mut chain, &footer()).unwrap();
        }
        bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
    }

    /// What comes of these lines, and what the file that was made says of it.
    fn recovered(lines: &[Vec<u8>], room: Room) -> (Recovery, Footer) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tiny.journal");
        fs::write(&path, lines.concat()).unwrap();
        let recovery = recover_within(&System, &path, room).unwrap();
        let footer = read_events(&recovery.saved.tsv).unwrap().footer;
        (recovery, footer)
    }

    fn missing(lines: &[Vec<u8>]) -> Vec<String> {
        recovered(lines, Room::USUAL).0.missing
    }

    #[test]
    fn only_what_is_missing_is_said_to_be_missing() {
        assert_eq!(missing(&lines(None, true)), Vec::<String>::new());
        let mut cut = lines(None, false);
        assert_eq!(missing(&cut).len(), 2, "the end and the summary");
        let torn = cut.last_mut().unwrap();
        torn.truncate(7);
        let said = missing(&cut);
        assert!(said.len() == 3 && said[2].starts_with("7 bytes after the last"), "{said:?}");
    }

    #[test]
    fn damage_within_is_no_torn_last_line_and_is_counted_by_place() {
        let mut damaged = lines(None, true);
        damaged[4][2] ^= 1;
        let said = missing(&damaged);
        assert!(said.len() == 1 && !said[0].contains("places"), "{said:?}");
        let all_over = described(&Gap { places: 3, ..Gap::default() });
        assert!(all_over.ends_with("of the journal on, in 3 places"), "{all_over}");
    }

    #[test]
    fn events_that_were_lost_while_the_trial_ran_are_told_of_a_killed_one_too() {
        assert_eq!(recovered(&lines(Some(5), false), Room::USUAL).1.dropped, 5);
    }

    #[test]
    fn the_sound_of_a_killed_trial_becomes_what_it_would_have_become() {
        let dir = tempfile::tempdir().unwrap();
        let ear = EarUsed { record: "all".into(), settings: "loop=1".into(), ..EarUsed::default() };
        let audio = Some(Audio { ear: Some(ear), ..Audio::default() });
        let named = ("input".to_owned(), "in".to_owned());
        let input = Binding { name: named.0, direction: named.1, audio, ..Binding::default() };
        let header = Header { ports: vec![input], ..header() };
        let sounds = ["input", "input-loop"]
            .map(|input| dir.path().join(format!("sourcedata/tiny_input-{input}_sound.wav")));
        fs::create_dir(dir.path().join("sourcedata")).unwrap();
        for sound in &sounds {
            fs::write(sound, [head_without_lengths(48_000, 24), vec![1; 3_000]].concat()).unwrap();
            fs::write(sound.with_extension("tsv"), "sample\tcard_frame\tonset\n").unwrap();
        }
        let (mut bytes, mut chain) = (Vec::new(), Chain::default());
        put_header(&mut bytes, &mut chain, &header).unwrap();
        let path = dir.path().join("tiny.journal");
        fs::write(&path, bytes).unwrap();
        recover(&path).unwrap();
        for sound in sounds {
            let flac = fs::File::open(sound.with_extension("flac")).unwrap();
            assert_eq!(SoundFile::open(flac).unwrap().form().frames, 1_000);
            assert!(!sound.exists());
        }
    }

    #[test]
    fn taps_that_are_too_many_to_be_judged_are_said_not_to_be() {
        let (all, cut) = (Room::USUAL, lines(None, false));
        let few = Room { judged: 1, ..all };
        let (whole, (part, footer)) = (recovered(&cut, all).0, recovered(&cut, few));
        assert!(whole.judged && !part.judged);
        let more: Vec<&String> =
            part.missing.iter().filter(|said| !whole.missing.contains(said)).collect();
        assert!(more.len() == 1 && more[0].contains(&MOST_JUDGED.to_string()), "{more:?}");
        assert_eq!(footer.recovered.unwrap().missing, part.missing);
    }
}
