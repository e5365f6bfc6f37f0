//! `chronotap render`: what a trial sounds like, as a WAV file.
//!
//! The trial runs in virtual time with a simulated participant, and its notes are played
//! offline by the same generator that plays them on a sound card. Of a recorded trial the
//! notes are those of its events file.

mod sensed;

use crate::args::{Render, TapperOptions};
use crate::longest;
use crate::says::of;
use crate::screen::{complain, say, say_data, wrapped};
use crate::surroundings::here;
use crate::who_taps::tapper;
use crate::{CommandVerdict, data, trial_file};
use anyhow::{Context, Result, anyhow, bail};
use chronotap_audio::offline;
use chronotap_audio::sensor::TAP_SHAPES;
use chronotap_audio::tone::{Cue, Feeds, Generator, Kit, Recordings, Score, VOICES};
use chronotap_config::sounds::{Songs, Sounds, cue, frame_of};
use chronotap_config::trial_files::TrialFile;
use chronotap_core::files::real;
use chronotap_data::record::{Entry, read_events};
use chronotap_engine::action::{ActionKind, TrialEnding};
use chronotap_simulate::{Tapper, VirtualRig, Wires};
use hound::{SampleFormat, WavSpec, WavWriter};
use sensed::{AROUND_S, Sensed};
use serde_json::json;
use std::fs::File;
use std::io::{BufWriter, Error, ErrorKind, Seek, Write};
use std::path::Path;

/// What else can be done where music cannot be played.
pub const OR_TONES: &str = "or hear each of its beats as a tone, with --tones-for-music";

pub fn render(args: &Render) -> Result<CommandVerdict> {
    refuse_own_input(args)?;
    refuse_other_form(&args.output)?;
    let sounds = match &args.sounds {
        Some(path) => Sounds::read(path).context("--sounds")?,
        None => Sounds::default(),
    };
    let (seed, trial, entries) = match is_recorded(&args.file) {
        true => recorded(args)?,
        false => rehearsed(args)?,
    };
    let ends_at_bound =
        |entry: &Entry| entry.action.kind == ActionKind::End(TrialEnding::TimeLimit);
    let cut = !is_recorded(&args.file) && entries.iter().any(ends_at_bound);
    let (recordings, feeds) = music(args, &trial)?;
    let cues = cues(&entries, args.rate_hz, &sounds.kit, &recordings);
    let mut generator = Generator::new(args.rate_hz, sounds.samples(args.rate_hz)?);
    generator.play_from(Box::new(feeds));
    let onsets = cues.iter().filter(|cue| cue.sound.is_some()).count();
    let mut score = Score::new(generator, cues);
    let shape = TAP_SHAPES.iter().find(|shape| args.taps_as.as_deref() == Some(shape.word));
    let mut sensed = shape.map(|shape| Sensed::of(&entries, shape, args.rate_hz));
    let frames = write(args, &mut score, sensed.as_mut())?;
    let taps = sensed.map(|sensed| sensed.count());
    let played = score.generator();
    let (clipped, silenced, lost) = (played.clipped(), played.silenced(), played.lost());
    let missing = played.missing();
    let rendered = Rendered { seed, onsets, taps, frames, clipped, silenced, missing, lost };
    report(args, &rendered, &sounds.instruments());
    if cut {
        complain(&longest::cut_off(1, 1, longest::bound(args.longest)));
    }
    Ok(CommandVerdict::of(lost == 0 && silenced == 0 && missing == 0 && !cut))
}

/// Which beat is which part of the music, and the music, read as it is needed.
fn music(args: &Render, trial: &TrialFile) -> Result<(Recordings, Feeds)> {
    if args.tones_for_music {
        return Ok((Recordings::default(), Feeds::default()));
    }
    let ready = Songs::new(args.rate_hz, here().free_bytes()).ready(&trial.recorded());
    let (recordings, ends) = ready.map_err(|error| anyhow!("{}; {OR_TONES}", of(&error)))?;
    let feeds: Vec<_> = ends.into_iter().map(|(feed, pump)| feed.offline(pump)).collect();
    Ok((recordings, feeds.into()))
}

/// The recording would be gone: whatever --force says, sound takes the place of no trial.
fn refuse_own_input(args: &Render) -> Result<()> {
    let same = |input: &Path| match (real(input), real(&args.output)) {
        (Ok(input), Ok(output)) => input == output,
        _ => false, // one of them is not there
    };
    let beside = args.file.with_extension("json");
    let sounds = args.sounds.as_deref();
    let read = [args.file.as_path(), beside.as_path()].into_iter().chain(sounds);
    match read.into_iter().find(|input| same(input)) {
        Some(_) => bail!(
            "--output {}: this is what the sound is made from; name another file",
            args.output.display()
        ),
        None => Ok(()),
    }
}

/// Endings of the forms of sound that other programs write.
const OTHER_FORMS: [&str; 12] =
    ["mp3", "flac", "ogg", "oga", "opus", "m4a", "aac", "aif", "aiff", "wma", "mid", "midi"];

/// A WAV file under the name of another form opens in no program.
fn refuse_other_form(output: &Path) -> Result<()> {
    let ends = output.extension().map(|end| end.to_string_lossy().to_lowercase());
    let Some(form) = ends.filter(|end| OTHER_FORMS.contains(&end.as_str())) else { return Ok(()) };
    let (named, wav) = (output.display(), output.with_extension("wav"));
    let cure = match form.as_str() {
        "mid" | "midi" => "`chronotap export` writes recorded trials as MIDI".to_owned(),
        _ => format!("another program makes {form} of it, as in `sox {} {named}`", wav.display()),
    };
    bail!("--output {named}: render writes WAV alone; name {}; {cure}", wav.display())
}

/// What was written.
struct Rendered {
    seed: u64,
    onsets: usize,
    /// Taps on the right channel, where a sensor was asked for.
    taps: Option<usize>,
    frames: u64,
    clipped: u64,
    silenced: u64,
    missing: u64,
    lost: u64,
}

fn is_recorded(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with("_events.tsv"))
}

/// A recorded trial: its seed, and what happened.
fn recorded(args: &Render) -> Result<(u64, TrialFile, Vec<Entry>)> {
    let TapperOptions { simulate, performer } = &args.who;
    if args.seed.is_some() || simulate.is_some() || performer.is_some() {
        bail!(
            "{}: a recorded trial is rendered as it was; leave out --seed, --simulate and --performer",
            args.file.display()
        );
    }
    let recording = read_events(&args.file)?;
    let entries = recording.entries().map_err(|wrong| {
        anyhow!("{}: {wrong}; restore the file as it was written", args.file.display())
    })?;
    Ok((recording.header.seed, recording.trial_file()?, entries))
}

/// A trial in virtual time: its seed, and what happened.
fn rehearsed(args: &Render) -> Result<(u64, TrialFile, Vec<Entry>)> {
    let file = trial_file::read_told(&args.file, &args.ftap, args.show.quiet)?;
    let tapper = tapper(&args.who, &file, Some("tapper"))?;
    let seed = data::seed(args.seed, &file)?;
    let entries = rehearse(args, &file, &tapper, seed)?;
    Ok((seed, file, entries))
}

/// The notes that sounded, each at the frame nearest to its time.
fn cues(entries: &[Entry], rate_hz: u32, kit: &Kit, recordings: &Recordings) -> Vec<Cue> {
    let cue_of = |entry: &Entry| {
        let at = entry.achieved.filter(|_| entry.action.is_output())?;
        cue(&entry.action, frame_of(at, rate_hz), kit, recordings)
    };
    let mut cues: Vec<Cue> = entries.iter().filter_map(cue_of).collect();
    cues.sort_by_key(|cue| cue.frame); // the entries of a file stand tone by tone
    cues
}

fn rehearse(args: &Render, file: &TrialFile, tapper: &Tapper, seed: u64) -> Result<Vec<Entry>> {
    let (inputs, outputs) = data::names(&file.trial);
    let longest = longest::of_trial(file, &args.file.display().to_string(), args.longest)?;
    let mut rig = VirtualRig::new(&Wires::unthrottled(&inputs, &outputs), longest)?;
    Ok(rig.run((file, seed, tapper), None)?.entries)
}

/// Plays everything to its end; how many frames that took. The file has its name once it is
/// whole, and no other file loses its own.
fn write(args: &Render, score: &mut Score, sensed: Option<&mut Sensed>) -> Result<u64> {
    let path = args.output.display();
    let (mut frames, mut sensed) = (0, sensed);
    let wav = |file: &mut File| {
        let out = BufWriter::new(file);
        frames = match &mut sensed {
            None => play(args.rate_hz, score, out),
            Some(sensed) => record(args.rate_hz, score, sensed, out),
        }
        .map_err(Error::other)?;
        Ok(())
    };
    let written = match args.force {
        true => chronotap_core::files::replace(&args.output, wav),
        false => chronotap_core::files::place(&args.output, false, wav),
    };
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            anyhow!("--output {path}: already there, and nothing is overwritten; name another, or replace it with \
                     --force")
        }
        _ => anyhow!("--output {path}: cannot write it: {error}; name a file that you may"),
    })?;
    Ok(frames)
}

fn play(rate_hz: u32, score: &mut Score, out: impl Write + Seek) -> hound::Result<u64> {
    let mut wav = stereo(rate_hz, out)?;
    offline(score, rate_hz, |score, [left, right]| {
        for (left, right) in left.iter().zip(right) {
            put(&mut wav, [*left, *right])?;
        }
        Ok::<bool, hound::Error>(score.is_over())
    })?;
    finished(wav)
}

/// The same as a sound card records it, with a sensor on the right channel.
fn record(
    rate_hz: u32,
    score: &mut Score,
    sensed: &mut Sensed,
    out: impl Write + Seek,
) -> hound::Result<u64> {
    let mut wav = stereo(rate_hz, out)?;
    let before = sensed.before();
    for frame in 0..before {
        put(&mut wav, [0.0, sensed.sample(frame)])?;
    }
    let mut frame = before;
    offline(score, rate_hz, |score, [left, right]| {
        for (left, right) in left.iter().zip(right) {
            put(&mut wav, [(left + right) / 2.0, sensed.sample(frame)])?;
            frame += 1;
        }
        Ok::<bool, hound::Error>(score.is_over())
    })?;
    for frame in frame..sensed.end() {
        put(&mut wav, [0.0, sensed.sample(frame)])?;
    }
    finished(wav)
}

fn stereo<W: Write + Seek>(rate_hz: u32, out: W) -> hound::Result<WavWriter<W>> {
    let (channels, bits_per_sample, sample_format) = (2, 32, SampleFormat::Float);
    WavWriter::new(out, WavSpec { channels, sample_rate: rate_hz, bits_per_sample, sample_format })
}

fn put(wav: &mut WavWriter<impl Write + Seek>, frame: [f32; 2]) -> hound::Result<()> {
    frame.into_iter().try_for_each(|sample| wav.write_sample(sample))
}

/// The number of its frames.
fn finished(wav: WavWriter<impl Write + Seek>) -> hound::Result<u64> {
    let frames = wav.duration();
    wav.finalize()?;
    Ok(frames.into())
}

fn report(args: &Render, rendered: &Rendered, instruments: &[String]) {
    let Rendered { seed, onsets, taps, frames, clipped, silenced, missing, lost } = *rendered;
    let (path, rate) = (args.output.display(), args.rate_hz);
    let seconds = frames as f64 / f64::from(rate);
    if args.show.json {
        let mut told = json!({ "file": path.to_string(), "seed": seed, "onsets": onsets,
            "frames": frames, "rate_hz": rate, "clipped_frames": clipped,
            "silenced_frames": silenced, "missing_frames": missing, "lost": lost });
        taps.into_iter().for_each(|taps| told["taps"] = taps.into());
        return say_data(told);
    }
    if args.show.quiet {
        return;
    }
    say(wrapped(&format!("{path}: {onsets} sounds in {seconds:.1} s (seed {seed})"), ""));
    match taps {
        None => {
            say(format!("  {rate} Hz, left and right, 32-bit float; frame 0 is the trial's start"))
        }
        Some(taps) => {
            let said = format!(
                "{rate} Hz, 32-bit float; left what was played, right a sensor with {taps} taps; the trial starts \
                 after {AROUND_S} s"
            );
            say(wrapped(&said, "  "));
        }
    }
    instruments.iter().for_each(|one| say(wrapped(one, "  ")));
    if lost > 0 {
        say(format!("  LOST: {lost} sounds, for more than {VOICES} overlapped"));
    }
    if missing > 0 {
        let failure = format!("MISSING: {missing} frames of the music could not be read again");
        say(wrapped(&failure, "  "));
    }
    if silenced > 0 {
        let failure = format!(
            "SILENCED: {silenced} frames were no numbers; one of the sounds is damaged, try them \
             one by one"
        );
        say(wrapped(&failure, "  "));
    }
    if clipped > 0 {
        let warning = format!(
            "warning: {clipped} frames were beyond full scale and are cut off, as a sound card \
             does; lower `level` in a file of sounds (--sounds)"
        );
        say(wrapped(&warning, "  "));
    }
}
