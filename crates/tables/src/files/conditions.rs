//! The table of conditions: its rows, and the descriptions of its columns.

use super::columns::{about_part, about_which, described, put_part};
use crate::cells::{end, heading, number, text};
use crate::tables::count;
use crate::{Analysis, MEASURES, Sources, participant_id};
use serde_json::Value;

/// The table of conditions.
pub(super) fn conditions(sources: &Sources, analysis: &Analysis) -> Vec<u8> {
    let mut out = Vec::new();
    let who = WHO.map(str::to_owned);
    let part = ["input", "against", "stretch", "trials"].map(str::to_owned);
    let measures = MEASURES.iter().flat_map(|measure| {
        let ends: &[&str] = match measure.interval {
            Some(_) => &["", "_sd", "_n", "_low", "_high"],
            None => &["", "_sd", "_n"],
        };
        ends.iter().map(|end| measure.name.to_owned() + end)
    });
    let columns = who.iter().chain(&sources.factors).chain(&part).cloned();
    heading(&mut out, columns.chain(measures).chain(pooled()).chain(["no_alpha".to_owned()]));
    for row in &analysis.conditions {
        let [participant, before @ ..] = &row.who;
        text(&mut out, participant.as_deref().map(participant_id).as_deref());
        before.iter().chain(&row.levels).for_each(|cell| text(&mut out, cell.as_deref()));
        put_part(&mut out, &row.input, row.against.as_deref(), row.stretch.as_deref());
        count(&mut out, row.trials);
        for (measure, mean) in MEASURES.iter().zip(&row.means) {
            number(&mut out, mean.mean);
            number(&mut out, mean.sd);
            count(&mut out, mean.n);
            if measure.interval.is_some() {
                let found = mean.interval();
                number(&mut out, found.map(|found| found.low));
                number(&mut out, found.map(|found| found.high));
            }
        }
        let alpha = row.alpha.as_ref().ok();
        number(&mut out, alpha.map(|alpha| alpha.value));
        number(&mut out, alpha.map(|alpha| alpha.low));
        number(&mut out, alpha.map(|alpha| alpha.high));
        text(&mut out, row.alpha.as_ref().err().map(ToString::to_string).as_deref());
        end(&mut out);
    }
    out
}

/// The columns of phase correction.
fn pooled() -> [String; 3] {
    ["", "_low", "_high"].map(|end| format!("pooled_alpha{end}"))
}

/// The descriptions of its columns.
pub(super) fn about_conditions(sources: &Sources) -> Value {
    let mut about = about_which(sources);
    about.retain(|name, _| sources.factors.contains(name) || WHO.contains(&&**name));
    about.extend(about_part());
    about.insert("trials".into(), described("Trials that count and are used.", ""));
    for measure in MEASURES {
        let what = format!("Mean over trials. {}", measure.about);
        about.insert(measure.name.into(), described(&what, measure.units));
        let what = format!("SD between trials of `{}`.", measure.name);
        about.insert(format!("{}_sd", measure.name), described(&what, measure.units));
        let what = format!("Trials that have `{}`.", measure.name);
        about.insert(format!("{}_n", measure.name), described(&what, ""));
        if measure.interval.is_some() {
            for (end, which) in [("low", "Lower"), ("high", "Upper")] {
                let what = format!(
                    "{which} end of the 95 % interval of the mean over trials, by Student's t."
                );
                about.insert(format!("{}_{end}", measure.name), described(&what, measure.units));
            }
        }
    }
    let what = "Phase correction of all trials together, their means pooled; 95 % interval.";
    about.extend(pooled().map(|name| (name, described(what, ""))));
    about.insert("no_alpha".into(), described("Why there is no pooled alpha.", ""));
    Value::Object(about)
}

const WHO: [&str; 4] = ["participant_id", "session", "task", "step"];
