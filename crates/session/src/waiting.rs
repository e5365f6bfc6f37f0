//! Trials that a session runs for itself, and of which nothing is kept: one that hears taps, and
//! one that sounds a few tones to set the level by.

use chronotap_config::trial_files::TrialFile;
use chronotap_engine::trial::{Pacing, Tone};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A trial that hears these inputs until somebody ends it, or for a day: a file in which
/// nothing would ever happen is no trial. `None` where there are none. It has these outputs, for a
/// trial that names none has one of its own, which no session has a port for.
pub(crate) fn for_all_taps(inputs: &[&str], outputs: &[&str]) -> Option<TrialFile> {
    let mut text = String::from("title = \"looking at taps\"\n");
    for input in inputs {
        let _ = writeln!(text, "[input.{input}]");
    }
    for output in outputs {
        let _ = writeln!(text, "[output.{output}]");
    }
    text += "[[when]]\ntime = \"86400 s\"\nend = true\n";
    TrialFile::parse(&text, "taps.toml").ok().filter(|_| !inputs.is_empty())
}

/// Three tones on each output to which a stream of these trials goes, each as the first such
/// stream sounds, and the names of the outputs; `None` where no trial has a stream. It has these
/// inputs, for a trial that names none has one of its own, which no session has a port for.
pub(crate) fn tones(trials: &[TrialFile], inputs: &[&str]) -> Option<(TrialFile, Vec<String>)> {
    let mut found: BTreeMap<String, Tone> = BTreeMap::new();
    for file in trials {
        for Pacing { output, tone, audible, .. } in &file.trial.pacing {
            let output = file.trial.outputs.get(usize::from(*output)).filter(|_| *audible);
            if let Some(output) = output {
                found.entry(output.clone()).or_insert(*tone);
            }
        }
    }
    let mut text = String::from("title = \"tones to set the level by\"\n");
    for input in inputs {
        let _ = writeln!(text, "[input.{input}]");
    }
    for (output, tone) in &found {
        let Tone { channel, note, velocity, duration } = tone;
        let (velocity, ns) = (velocity.from.round(), duration.0);
        let _ = writeln!(
            text,
            "[output.{output}]\n[pacing.to_{output}]\noutput = \"{output}\"\ninterval = \"500 ms\"\n\
             start = \"200 ms\"\nbeats = 3\n\
             tone = {{ channel = {channel}, note = {note}, velocity = {velocity}, duration = \"{ns} ns\" }}"
        );
    }
    let _ = writeln!(text, "[[when]]\ntime = \"1800 ms\"\nend = true");
    let outputs: Vec<String> = found.into_keys().collect();
    let file = TrialFile::parse(&text, "tones.toml").ok().filter(|_| !outputs.is_empty())?;
    Some((file, outputs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tones_are_those_of_the_first_stream_of_each_output() {
        let text = "[output.left]\n[output.right]\n\
                    [pacing.a]\ninterval = \"1 s\"\noutput = \"right\"\nbeats = 2\n\
                    tone = { channel = 3, note = \"C6\", velocity = 90, duration = \"40 ms\" }\n\
                    [pacing.b]\ninterval = \"1 s\"\nbeats = 2\naudible = false\n";
        let file = TrialFile::parse(text, "trial.toml").unwrap();
        let (tones, outputs) = tones(&[file], &["pad"]).unwrap();
        assert_eq!(outputs, ["right"]);
        let inputs: Vec<&str> = tones.trial.inputs.iter().map(|of| of.name.as_str()).collect();
        assert_eq!(inputs, ["pad"]);
        let stream = &tones.trial.pacing[0];
        assert_eq!((stream.tone.channel.number(), stream.tone.note.get()), (3, 84));
        assert_eq!(stream.beats, Some(3));
    }

    #[test]
    fn taps_are_heard_on_every_input_of_the_study_and_no_output_but_its_own() {
        let trial = for_all_taps(&["left", "right"], &["booth"]).expect("it is a trial").trial;
        let inputs: Vec<&str> = trial.inputs.iter().map(|of| of.name.as_str()).collect();
        assert_eq!(inputs, ["left", "right"]);
        assert_eq!(trial.outputs, ["booth"]);
        assert!(trial.pacing.is_empty());
        assert!(for_all_taps(&[], &["booth"]).is_none());
    }

    #[test]
    fn a_study_without_streams_has_no_tones() {
        let file = TrialFile::parse("[[when]]\ntap = 1\nend = true\n", "trial.toml").unwrap();
        assert!(tones(&[file], &[]).is_none());
    }
}
