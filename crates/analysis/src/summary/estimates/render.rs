//! The estimates as plain text, at most 80 columns wide.

use super::{Estimated, Estimates, Group};
use crate::statistics::Unit;
use std::fmt::{Display, Formatter, Result};

/// Widest label before a number.
const LABEL: usize = 25;

impl Display for Estimates {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if self.groups.is_empty() {
            return Ok(());
        }
        writeln!(f, "Estimates, each with its interval for 95 %")?;
        for (place, group) in self.groups.iter().enumerate() {
            let before = place.checked_sub(1).map(|before| heading(&self.groups[before]));
            if before.as_ref() != Some(&heading(group)) {
                writeln!(f, "\n  {}", heading(group))?;
            }
            write_group(f, group)?;
        }
        let all = || self.groups.iter().flat_map(|group| group.found.iter().flatten());
        if all().any(|estimated| estimated.doubted().is_some()) {
            f.write_str(
                "held in: in this share of simulated runs of the same length, at least, such an\n\
                 interval contained the true value; shown below 93 % (docs/statistics.md)\n",
            )?;
        }
        Ok(())
    }
}

fn write_group(f: &mut Formatter<'_>, group: &Group) -> Result {
    if let Some(number) = group.interval {
        return write_interval(f, group, number);
    }
    let within = group.stretch.as_ref().map_or(String::new(), |stretch| format!("in {stretch}, "));
    match &group.found {
        Ok(found) => {
            writeln!(f, "  {within}from {} {}", group.n, group.of)?;
            found.iter().try_for_each(|estimated| write_estimated(f, estimated))
        }
        Err(why) => writeln!(f, "  {within}none: {why}"),
    }
}

/// Of an interval of a rhythm one line: the constant error, below that of all.
fn write_interval(f: &mut Formatter<'_>, group: &Group, number: usize) -> Result {
    let label = format!("  of interval {number}");
    match &group.found {
        Ok(found) => found.iter().take(1).try_for_each(|one| write_labelled(f, &label, one)),
        Err(why) => writeln!(f, "    {label:<LABEL$} none: {why}"),
    }
}

fn heading(group: &Group) -> String {
    let against = group.against.as_ref().map(|stream| format!(" against \"{stream}\""));
    format!("\"{}\"{}", group.input, against.unwrap_or_default())
}

fn write_estimated(f: &mut Formatter<'_>, estimated: &Estimated) -> Result {
    let known = estimated.known;
    let of = if known.unit == Unit::MillisecondsPerInterval { " per interval" } else { "" };
    write_labelled(f, &format!("{}{of}", known.name), estimated)
}

fn write_labelled(f: &mut Formatter<'_>, label: &str, estimated: &Estimated) -> Result {
    let Estimated { known, estimate, .. } = estimated;
    let unit = match known.unit {
        Unit::Milliseconds | Unit::MillisecondsPerInterval => "ms",
        Unit::SquareMilliseconds => "ms2",
        _ => "",
    };
    let bounds = format!("[{:.3}, {:.3}] {unit}", estimate.low, estimate.high);
    let value = format!("{:.3}", estimate.value);
    // A longer label has a line of its own, as in the summary.
    let own = label.chars().count() > LABEL;
    let label =
        if own { format!("{label}\n    {:LABEL$}", "") } else { format!("{label:<LABEL$}") };
    let line = format!("    {label} {value:>9}  {bounds:<23}");
    match estimated.doubted() {
        Some(share) => writeln!(f, "{line} held in {:.1} %", 100.0 * share),
        None => writeln!(f, "{}", line.trim_end()),
    }
}
