//! `chronotap ear`: reads the sound that inputs kept in recorded trials once more, and says whether the
//! onsets that are found in it are those that the tables have.

use crate::CommandVerdict;
use crate::args::EarArgs;
use crate::commands::summary::files;
use crate::screen::{complain, say};
use anyhow::{Result, bail};
use chronotap_analysis::observed::OnsetSource;
use chronotap_core::time::Nanos;
use chronotap_data::record::{
    HeardAgain, LiveTaps, RecordedError, Recording, hear_again, kept_sound_of, read_events,
};
use std::collections::HashMap;
use std::path::{Path, absolute};

pub fn ear(args: &EarArgs) -> Result<CommandVerdict> {
    let (mut kept, mut passed) = (0, true);
    for file in &files(&args.files)? {
        let recording = read_events(file)?;
        if recording.header.keeps_sound() {
            kept += 1;
            passed &= tell(file, &recording)?;
        }
    }
    if kept == 0 {
        bail!("none of these trials kept the sound of an input (`record=taps` or `all` of `ear:`)");
    }
    Ok(CommandVerdict::of(passed))
}

/// Reads the sound of a trial, and says what is found; whether that is as recorded.
fn tell(file: &Path, recording: &Recording) -> Result<bool> {
    let (whole, shown) = (absolute(file)?, file.display());
    let named = whole.file_name().and_then(|name| name.to_str()?.strip_suffix("_events.tsv"));
    let (Some(dir), Some(name)) = (whole.parent(), named) else {
        bail!("{shown}: not an events file");
    };
    let live = LiveTaps::of(recording.entries().map_err(RecordedError::Row)?.iter());
    let gone = gone(recording, (dir, name), &live);
    gone.iter().for_each(|gone| complain(&format!("{shown}: {gone}")));
    let heard = hear_again(&recording.header, (dir, name), &live)?;
    say(format!("{shown}: {}", found(&heard, &live.times().collect())));
    came_back(&heard, &live).into_iter().for_each(say);
    if !gone.is_empty() {
        return Ok(false);
    }
    let recorded = HeardAgain::of_rows(&recording.rows);
    let heard = if recorded.has_peaks() { heard } else { heard.without_peaks() };
    let differs = difference(&recorded, &heard);
    match &differs {
        Some(differs) => complain(&format!("{shown}: {differs}")),
        None => say("  the same as recorded"),
    }
    Ok(differs.is_none())
}

/// The inputs at which somebody tapped, and whose sound is not there.
fn gone(recording: &Recording, place: (&Path, &str), live: &LiveTaps) -> Vec<String> {
    let tapped = recording.header.kept_ears().filter(|(input, ..)| live.has(*input));
    let gone = tapped.filter_map(|(_, input, _)| {
        let sound = kept_sound_of(place, input);
        (!sound.is_file()).then(|| format!("input \"{input}\": {} is not there", sound.display()))
    });
    gone.collect()
}

/// How many taps have their onset whence, and by how much onsets moved.
fn found(heard: &HeardAgain, times: &HashMap<u64, Nanos>) -> String {
    let of = |wanted| heard.taps().filter(|(_, source, _)| *source == wanted).count();
    let moved =
        heard.taps().filter_map(|(event, _, at)| Some((at? - *times.get(&event)?).as_millis_f64()));
    let [refined, live, unconfirmed] =
        [OnsetSource::Refined, OnsetSource::Live, OnsetSource::Unconfirmed].map(of);
    let count = refined + live + unconfirmed;
    format!(
        "{count} taps\n  refined {refined}{}\n  live {live}, unconfirmed {unconfirmed}, afterwards {}",
        moved_by(&moved.collect::<Vec<f64>>(), "from the live onsets"),
        heard.later().len()
    )
}

/// Where the output is looped: how many beats came back, and how much later than they were played.
fn came_back(heard: &HeardAgain, live: &LiveTaps) -> Option<String> {
    let beats: Vec<_> = heard.loops(live).collect();
    let later: Vec<f64> = beats
        .iter()
        .filter_map(|(played, back)| Some(((*back)? - *played).as_millis_f64()))
        .collect();
    let moved = moved_by(&later, "from when they were played");
    (!beats.is_empty())
        .then(|| format!("  by the loop {} of {} beats{moved}", later.len(), beats.len()))
}

/// How far the onsets that are found afterwards are from those that were told live.
fn moved_by(ms: &[f64], from: &str) -> String {
    if ms.is_empty() {
        return String::new();
    }
    let n = ms.len() as f64;
    let mean = ms.iter().sum::<f64>() / n;
    let squares: f64 = ms.iter().map(|one| (one - mean).powi(2)).sum();
    let sd = if ms.len() > 1 { (squares / (n - 1.0)).sqrt() } else { 0.0 };
    let most = ms.iter().fold(0.0, |most: f64, one| most.max(one.abs()));
    format!(": {mean:+.3} ms {from} on average (SD {sd:.3} ms, at most {most:.3} ms)")
}

/// Where the table has it otherwise.
fn difference(recorded: &HeardAgain, heard: &HeardAgain) -> Option<String> {
    // What was felt beside is no matter of sound.
    if recorded.taps().eq(heard.taps()) && recorded.later() == heard.later() {
        return None;
    }
    if recorded.is_unheard() {
        return Some("the table was written without reading the sound again".to_owned());
    }
    let other = |(event, source, at): &(u64, OnsetSource, Option<Nanos>)| {
        let [peak, again] = [recorded, heard].map(|one| one.peak_ppm(*event));
        recorded.tap(*event) != Some((*source, *at)) || peak != again
    };
    let event = heard.taps().find(other).map(|(event, ..)| format!("first of event {event}"));
    let where_ = event.unwrap_or_else(|| match recorded.later() == heard.later() {
        true => "of beats that came back by the loop".to_owned(),
        false => "of taps that were found afterwards".to_owned(),
    });
    Some(format!("the table says otherwise, {where_}"))
}
