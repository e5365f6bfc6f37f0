//! `chronotap play`: a recorded trial sounds again as it was, on any output. Nothing is drawn
//! anew and nobody taps: its tones come at the times achieved in its events file.

use crate::args::{Play, PortOptions};
use crate::bound::names;
use crate::commands::take_over_ctrl_c;
use crate::says::{Says, Terminal};
use crate::screen::{LiveLine, complain, say, say_data, wrapped};
use crate::{CommandVerdict, data};
use anyhow::{Context, Result, anyhow, bail};
use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_data::playback::{Excerpt, Passage, Sounded, add_music, trial_of};
use chronotap_data::record::{Recording, TrialType, read_events};
use chronotap_desk::commands::render::OR_TONES;
use chronotap_linux::ports::tone_port;
use chronotap_rig::laboratory::{Bindings, Rig, RigError, TrialRun};
use chronotap_rig::recorder::{USUAL_ROOM, sink};
use chronotap_simulate::Tapper;

/// From the start of the playing to the first moment of the excerpt, so that a tone at its
/// very beginning is in time.
const LEAD: Nanos = Nanos::from_millis(500);

/// What is played again.
struct Again {
    tones: Vec<Sounded>,
    music: Vec<Passage>,
    songs: Option<TrialFile>, // the trial that played them
}

pub fn play(args: &Play) -> Result<CommandVerdict> {
    if let Some((option, what)) = args.excerpt.without_use() {
        bail!("{option}: {what} are not played; name them too, as in --only {what},pacing");
    }
    let recording = read_events(&args.file)?;
    let excerpt = args.excerpt.excerpt();
    let again = again(args, &recording, &excerpt)?;
    if again.tones.is_empty() && again.music.is_empty() {
        bail!("{}: {}", args.file.display(), nothing_to_play(&excerpt, &recording));
    }
    let limit = Nanos(recording.header.limit_ns);
    let outputs = &recording.header.names.outputs;
    let mut file = trial_of(&recording.header.title, &again.tones, outputs, LEAD, limit)?;
    if let Some(songs) = &again.songs {
        add_music(&mut file, &again.music, songs, LEAD);
    }
    let bindings = bindings(&args.ports, &file)?;
    refuse_music_off_the_card(&again.music, &bindings)?;
    if !args.show.quiet && !args.show.json {
        announce(&recording, &again);
    }
    run(args, &file, &bindings)
}

/// Tones, and music where there was any: a beat of it is no tone then.
fn again(args: &Play, recording: &Recording, excerpt: &Excerpt) -> Result<Again> {
    let mut tones = excerpt.tones(recording)?;
    // Most trials have none, and need not be read again.
    let plays = !args.excerpt.tones_for_music && recording.header.trial_file.text.contains("audio");
    let songs = if plays { Some(recording.trial_file()?) } else { None };
    let music = songs.as_ref().map(|file| excerpt.music(recording, file)).unwrap_or_default();
    if !music.is_empty() && excerpt.rate != 1.0 {
        bail!(
            "--rate: music has its own speed; leave out --rate, or leave out the music by --only, {OR_TONES}"
        );
    }
    tones.retain(|tone| !music.iter().any(|passage| passage.events.contains(&tone.event_id)));
    Ok(Again { tones, music, songs })
}

fn refuse_music_off_the_card(music: &[Passage], bindings: &Bindings) -> Result<()> {
    for passage in music {
        if let Some(port) =
            bindings.output_port(passage.output).filter(|port| !port.starts_with("tone:"))
        {
            bail!(
                "--out {port}: music sounds on a sound card; name one, as in --out tone:, {OR_TONES}"
            );
        }
    }
    Ok(())
}

fn announce(recording: &Recording, again: &Again) {
    let title = &recording.header.title;
    let many = match again.tones.len() {
        0 => "music as it was recorded".to_owned(),
        1 => "1 tone as it was recorded".to_owned(),
        n => format!("{n} tones as they were recorded"),
    };
    say(wrapped(&format!("{title}: {many}"), ""));
    let played = |song: &usize| again.music.iter().any(|passage| passage.song == *song);
    for song in again.songs.iter().flat_map(|file| (0..).zip(&file.recordings)) {
        if played(&song.0) {
            say(wrapped(&format!("music: {}", song.1.path.display()), "  "));
        }
    }
    if tones_are_not_all(recording) {
        say(wrapped("controllers, bend and pressure are not played again", "  "));
    }
}

/// The ports of the outputs; those not named sound on the sound card, where there is one.
fn bindings(ports: &PortOptions, file: &TrialFile) -> Result<Bindings> {
    let (inputs, outputs) = data::names(&file.trial);
    let fallback = tone_port().map(|name| name.to_string());
    let bound = Bindings::resolve(&names(ports), &inputs, &outputs, fallback.as_deref());
    bound.context("no sound card can be used either; name an output with --out")
}

fn run(args: &Play, file: &TrialFile, bindings: &Bindings) -> Result<CommandVerdict> {
    let interrupt = take_over_ctrl_c()?;
    let settings = args.realtime.settings();
    let mut rig = Rig::open(bindings.clone(), None, &settings, interrupt)?;
    let (seen, watch) = sink(USUAL_ROOM);
    let mut line = LiveLine::new(watch, !args.show.quiet);
    let limit = args.realtime.limit;
    let run = TrialRun { limit, sinks: &[seen], ..TrialRun::unkept(file, &Tapper::Nobody) };
    let finished = rig.run(&run, |now| line.show(now));
    line.end();
    let finished = finished.map_err(|error| match error {
        RigError::Recording(_) => anyhow!("{}; {OR_TONES}", error.says(Terminal)),
        other => other.into(),
    })?;
    if let Some(problem) = &finished.problem {
        complain(&problem.to_string());
    }
    let verdict = &finished.summary.verdict;
    if args.show.json {
        say_data(serde_json::json!({ "verdict": verdict, "lateness": finished.summary.lateness }));
    } else if !args.show.quiet {
        let word = if verdict.failed() { "FAILED" } else { "passed" };
        say(wrapped(&format!("timing {word} {}", verdict.reasons.join("; ")), ""));
    }
    Ok(CommandVerdict::of(!verdict.failed()))
}

fn nothing_to_play(excerpt: &Excerpt, recording: &Recording) -> &'static str {
    let heard = Excerpt { from: excerpt.from, rate: excerpt.rate, ..Excerpt::default() };
    // Nothing of it is a tap, which alone could be off the range.
    if heard.tones(recording).is_ok_and(|tones| tones.is_empty()) {
        "no tone sounded after that time; begin earlier with --from"
    } else {
        "nothing of this kind sounded; name others with --only"
    }
}

/// Whether the recording holds what is sent on and not played again.
fn tones_are_not_all(recording: &Recording) -> bool {
    let sent = |row: &chronotap_data::record::Row| {
        row.trial_type == TrialType::Control && row.deadline.is_some()
    };
    recording.rows.iter().any(sent)
}
