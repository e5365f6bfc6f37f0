//! `chronotap timing player`: another program's clicks, at a card or in a recording.

use super::audio_tests::counted;
use super::recording;
use super::told::{TellingProbe, ToldOptions};
use crate::CommandVerdict;
use crate::args::PlayerArgs;
use crate::says::{Says, Terminal};
use crate::screen::{say, wrapped};
use anyhow::{Context, Result};
use chronotap_audio::onset::OnsetFinder;
use chronotap_bench::timing::player::clicks;
use chronotap_bench::timing::{PlayerTest, SampleStatistic};
use chronotap_core::time::Nanos;
use std::path::Path;

pub fn player(args: &PlayerArgs) -> Result<CommandVerdict> {
    let threshold = args.threshold.map(|db| 10f32.powf(db / 20.0));
    if let Some(wav) = &args.wav {
        return analyse(wav, threshold, args.interval);
    }
    let test = PlayerTest {
        card: args.card.clone(),
        join: args.join,
        channel: usize::from(args.channel) - 1,
        rate_hz: args.rate,
        period_frames: args.period,
        interval: args.interval,
        threshold,
        duration: args.duration,
    };
    let options = ToldOptions::default()
        .and_join(args.join)
        .and("channel", (args.channel != 1).then_some(args.channel))
        .and("threshold_db", args.threshold);
    counted("player", &args.suite, || TellingProbe { test: test.clone(), options: options.clone() })
}

/// `--wav FILE`. No figure is a failed check.
fn analyse(path: &Path, threshold: Option<f32>, interval: Option<Nanos>) -> Result<CommandVerdict> {
    let context = || format!("--wav {}", path.display());
    let (channels, rate_hz) = recording::read(path).with_context(context)?;
    let first = channels.first().map(Vec::as_slice).unwrap_or_default();
    let mut onsets = Vec::new();
    let mut hear = OnsetFinder::new(rate_hz, threshold);
    hear.hear(0, first, &mut |onset| onsets.push(onset.frame));
    let found = match clicks(&onsets, rate_hz, interval) {
        Ok(found) => found,
        Err(why) => {
            say(wrapped(&format!("no figure: {}", why.says(Terminal)), ""));
            return Ok(CommandVerdict::of(false));
        }
    };
    say(found.sentence());
    let all = found.series("recording").statistics;
    let shown =
        [SampleStatistic::Mean, SampleStatistic::Sd, SampleStatistic::Min, SampleStatistic::Max];
    let shown = shown.map(|which| format!("{} {}", which.name(), which.said(&all)));
    say(format!("distance minus interval: {}", shown.join(", ")));
    Ok(CommandVerdict::of(true))
}
