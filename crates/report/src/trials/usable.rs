//! Whether the data can be used, in one sentence, and below it everything that is odd.

use super::odd::{self, Odd};
use super::words::{counted, grouped};
use super::{RecordedTrials, outlying};
use crate::html::escape;

/// How the data stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Fit,
    Reservations,
    Unfit,
}

/// The answer to the experimenter's first question.
pub(super) fn section(of: &RecordedTrials<'_>) -> String {
    let mut odd = odd::all(of);
    odd.extend(outlying::all(of));
    let standing = standing(of, &odd);
    let (class, said) = match standing {
        Standing::Fit => ("fit", "Usable, and nothing is odd."),
        Standing::Reservations => ("reservations", "Usable with reservations: see what is odd."),
        Standing::Unfit => ("unfit", "Not usable as they are."),
    };
    let list: String = odd.iter().map(item).collect();
    let list = if list.is_empty() { list } else { format!("<ul>\n{list}</ul>\n") };
    format!(
        "<div class=\"verdict {class}\"><p><strong>{}</strong></p>\n<p>{}</p>\n{list}</div>\n",
        escape(said),
        escape(&sentence(of))
    )
}

fn item(odd: &Odd) -> String {
    let more = match odd.section {
        Some(anchor) => format!(" <a href=\"#{anchor}\">Details</a>"),
        None => String::new(),
    };
    let class = if odd.grave { " class=\"grave\"" } else { "" };
    format!("<li{class}>{}{more}</li>\n", escape(&odd.said))
}

/// Trials that are the attempt which counts.
fn counting(of: &RecordedTrials<'_>) -> usize {
    of.sources.trials.iter().filter(|source| source.counts).count()
}

fn standing(of: &RecordedTrials<'_>, odd: &[Odd]) -> Standing {
    let (used, of_all) = (of.analysis.counts.used, counting(of));
    if used == 0 || 2 * used < of_all {
        Standing::Unfit
    } else if odd.is_empty() {
        Standing::Fit
    } else {
        Standing::Reservations
    }
}

fn sentence(of: &RecordedTrials<'_>) -> String {
    let counts = of.analysis.counts;
    let used = format!("{} of {}", grouped(counts.used), counted(counting(of), "trial"));
    let used = used + if counting(of) == 1 { " that counts" } else { " that count" };
    let passed = of.analysis.verdicts.iter().zip(&of.analysis.used);
    let of_used: Vec<Option<bool>> =
        passed.filter(|(_, used)| **used).map(|(verdicts, _)| (*verdicts)?.timing).collect();
    let passed = of_used.iter().filter(|timing| **timing == Some(true)).count();
    let unknown = of_used.iter().filter(|timing| timing.is_none()).count();
    let timing = match (counts.used, passed) {
        (0, _) => return format!("{used} can be used."),
        (all, _) if unknown == all => {
            "another program recorded them: the timing is not known".to_owned()
        }
        (1, 1) => "its timing passed".to_owned(),
        (1, _) => "its timing failed".to_owned(),
        (all, passed) if passed == all => "the timing of all of them passed".to_owned(),
        (_, passed) => format!("the timing of {} of them passed", grouped(passed)),
    };
    format!("{used} can be used; {timing}.")
}
