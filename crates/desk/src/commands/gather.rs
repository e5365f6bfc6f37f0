//! `chronotap gather`: many datasets, and studies that are rehearsed, into partitioned Parquet.

mod study;

use crate::CommandVerdict;
use crate::args::Gather;
use crate::commands::{remove_unfinished, take_over_ctrl_c, tell_aside};
use crate::rules::how;
use crate::says::{Says, Terminal};
use crate::screen::{Progress, complain, say, wrapped};
use anyhow::Result;
use chronotap_core::text::counted;
use chronotap_data::exchange::{ExchangeError, Gathering, levels_of};
use chronotap_data::tables::Withdrawn;
use std::path::Path;
use std::sync::Mutex;

pub fn gather(args: &Gather) -> Result<CommandVerdict> {
    if cfg!(not(feature = "parquet")) {
        return Err(ExchangeError::NoParquet.into()); // before anything is read
    }
    let how = how(&args.rules)?;
    let (out, datasets) = (&args.out, &args.datasets);
    let studies = datasets.iter().filter(|path| is_study(path));
    let studies: Vec<_> =
        studies.map(|path| study::read(path, &args.rehearsed)).collect::<Result<_>>()?;
    let progress = Mutex::new(Progress::new(u32::MAX));
    let told = |name: &str, done: usize| {
        let turn = done.is_multiple_of(100) && !args.quiet;
        if let (true, Ok(mut progress)) = (turn, progress.lock()) {
            progress.show(&format!("{name}: {done} trials"));
        }
    };
    let interrupt = take_over_ctrl_c()?;
    let stop = || interrupt.requested();
    let recorded: Vec<_> = datasets.iter().filter(|path| !is_study(path)).collect();
    let mut levels = levels_of(&recorded)?;
    studies.iter().for_each(|study| levels.append(&study.levels()));
    remove_unfinished(out);
    remove_unfinished(&out.join("taps")); // where it is to fill a folder that was there
    let mut gathering = Gathering::begin(out, &how, &levels, &stop)?;
    recorded.iter().try_for_each(|dataset| gathering.dataset(dataset, &told))?;
    let mut cut = Vec::new();
    for study in &studies {
        cut.extend(study::rehearse(study, &how, &mut gathering, &told, &stop)?);
    }
    let found = gathering.end()?;
    if let Ok(mut progress) = progress.lock() {
        progress.end();
    }
    found.unread.iter().for_each(|why| complain(&why.says(Terminal)));
    let whole = tell_aside(&found.aside);
    cut.iter().for_each(|why| complain(why));
    if !args.quiet {
        let (datasets, trials) =
            (counted(found.datasets, "dataset"), counted(found.trials, "trial"));
        say(format!("{datasets}, {trials}, {}", counted(found.taps, "tap")));
        Withdrawn::sentence(found.withdrawn).into_iter().for_each(say);
        found.excluded.sentence().into_iter().for_each(|said| say(wrapped(&said, "")));
        say(out.display());
    }
    Ok(CommandVerdict::of(found.unread.is_empty() && cut.is_empty() && whole))
}

/// An experiment file; all else are recorded trials.
fn is_study(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "toml")
}
