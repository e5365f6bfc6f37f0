//! `power --shard` and `power --shares`: the studies shared among computers.

use crate::CommandVerdict;
use crate::args::PowerArgs as Arguments;
use crate::screen::{say, wrapped};
use anyhow::{Context, Result, bail};
use chronotap_core::files;
use chronotap_core::text::counted;
use chronotap_core::time::Nanos;
use chronotap_data::{shares::Shard, tables::Outcome};
use chronotap_session::Study;
use chronotap_session::power::{Looked, Power, PowerAsked, Share, together as all_together};
use chronotap_simulate::Wires;
use chronotap_words::commands as words;
use std::io::Write;
use std::path::PathBuf;

/// Refuses a share without studies, and a file that is there, before anything is rehearsed.
pub fn refuse(args: &Arguments) -> Result<()> {
    let (studies, of) = (args.studies, args.shard.unwrap_or(Shard::ALL).of);
    if of > studies as usize {
        bail!(
            "--shard: {studies} studies cannot be shared among {of} computers; make at most {studies} shares"
        );
    }
    if let Some(path) = args.output.as_ref().filter(|path| files::is_there(path)) {
        bail!(words::is_there_already("--output", path));
    }
    Ok(())
}

/// A share that was interrupted is none.
pub fn refuse_part(args: &Arguments) -> Result<()> {
    if args.shard.is_some() {
        bail!(words::NO_SHARE);
    }
    Ok(())
}

/// Writes what was found of a share.
pub fn write(
    args: &Arguments,
    study: &Study,
    (outcomes, shard): (&[Outcome], Shard),
    points: &[(Power, Looked)],
) -> Result<CommandVerdict> {
    let (Some(path), Some((power, _))) = (&args.output, points.first()) else {
        bail!("--shard: no share was rehearsed; name a file with --output");
    };
    let counts: Vec<u32> = points.iter().map(|(power, _)| power.participants).collect();
    let contrasts: Vec<String> = match power.contrasts.is_empty() {
        true => outcomes.iter().map(ToString::to_string).collect(),
        false => power.contrasts.iter().map(ToString::to_string).collect(),
    };
    let found: Vec<Looked> = points.iter().map(|(_, looked)| looked.clone()).collect();
    let asked = PowerAsked::of(power, &counts, &contrasts);
    let bytes = Share::of(study, asked, shard, &found).bytes()?;
    let written = files::place(path, false, |file| file.write_all(&bytes));
    written.with_context(|| words::cannot_write_to("--output", path))?;
    let (own, of) = (power.own().count(), power.studies);
    let share = format!("share {} of {}", shard.part + 1, shard.of);
    let written = path.display();
    say(wrapped(&format!("{share}: {} of {of}; written: {written}", counted(own, "study")), ""));
    Ok(CommandVerdict::Passed)
}

/// What all shares come to, with what was asked.
pub fn together(args: &Arguments, study: &Study) -> Result<Vec<(Power, Looked)>> {
    let read = |path: &PathBuf| Share::read(path).map(|share| (path.clone(), share));
    let shares = args.shares.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let (asked, found) = all_together(study, &shares)?;
    let (inputs, outputs) = study.inputs_and_outputs();
    let differences = asked.differences.iter().map(|text| text.parse());
    let power = Power {
        studies: asked.studies,
        participants: study.experiment.participants,
        seed: asked.seed,
        model: asked.model,
        differences: differences.collect::<Result<_, _>>()?,
        contrasts: Vec::new(),
        wires: Wires::unthrottled(&inputs, &outputs),
        longest: Nanos(asked.longest_ns),
        shard: Shard::ALL,
    };
    let of = |participants| Power { participants, ..power.clone() };
    Ok(asked.participants.into_iter().map(of).zip(found).collect())
}
