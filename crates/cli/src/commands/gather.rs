//! `chronotap gather`: many datasets into partitioned Parquet.

use crate::Verdict;
use crate::args::Gather;
use crate::rules::how;
use crate::screen::{Progress, complain, say};
use anyhow::Result;
use chronotap_exchange::gather as gathered;
use std::sync::Mutex;

/// Runs the command.
pub fn gather(args: &Gather) -> Result<Verdict> {
    let how = how(&args.rules)?;
    let (out, datasets) = args.paths.split_last().expect("the arguments ask for two at least");
    let progress = Mutex::new(Progress::new(u32::MAX));
    let found = gathered(datasets, out, &how, &|name, done| {
        let turn = done % 100 == 0 && !args.quiet;
        if let (true, Ok(mut progress)) = (turn, progress.lock()) {
            progress.show(&format!("{name}: {done} trials"));
        }
    });
    if let Ok(mut progress) = progress.lock() {
        progress.end();
    }
    let found = found?;
    found.unread.iter().for_each(|why| complain(why));
    if !args.quiet {
        let (datasets, trials, taps) = (found.datasets, found.trials, found.taps);
        say(format!("{datasets} datasets, {trials} trials, {taps} taps"));
        say(out.display());
    }
    Ok(Verdict::of(found.unread.is_empty()))
}
