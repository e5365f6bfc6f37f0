//! The table of conditions: its rows, and the descriptions of its columns.

use super::which::about_which;
use crate::tables::analyze::count;
use crate::tables::cells::{end, heading, number, text};
use crate::tables::columns::{
    Column, PART, POOLED, SECOND_ORDER, TRIALS, about_part, described, ends, joined, put_part,
};
use crate::tables::{Analysis, Sources, factor_columns, participant_id};
use chronotap_analysis::joined::Scale;
use chronotap_analysis::statistics::Join;
use serde_json::Value;

/// The table of conditions.
pub(super) fn conditions(sources: &Sources, analysis: &Analysis) -> Vec<u8> {
    let mut out = Vec::new();
    heading(&mut out, headings(sources));
    for row in &analysis.conditions {
        let [participant, before @ ..] = &row.who;
        text(&mut out, participant.as_deref().map(participant_id).as_deref());
        before.iter().chain(&row.levels).for_each(|cell| text(&mut out, cell.as_deref()));
        put_part(&mut out, &row.input, row.against.as_deref(), row.stretch.as_deref());
        count(&mut out, row.trials);
        for (place, measure) in joined() {
            let mean = &row.means[place];
            number(&mut out, mean.mean);
            number(&mut out, mean.sd);
            count(&mut out, mean.n);
            if measure.is_estimated() {
                number(&mut out, mean.interval.map(|found| found.low));
                number(&mut out, mean.interval.map(|found| found.high));
            }
        }
        let alpha = row.alpha.as_ref().ok();
        number(&mut out, alpha.map(|alpha| alpha.value));
        number(&mut out, alpha.map(|alpha| alpha.low));
        number(&mut out, alpha.map(|alpha| alpha.high));
        text(&mut out, row.alpha.as_ref().err().map(ToString::to_string).as_deref());
        let test = row.directions.and_then(|directions| directions.test);
        number(&mut out, row.directions.map(|directions| directions.resultant));
        number(&mut out, test.map(|test| test.f));
        number(&mut out, test.map(|test| test.p));
        end(&mut out);
    }
    out
}

/// The headings of the table of conditions.
pub(super) fn headings(sources: &Sources) -> Vec<String> {
    let who = WHO.map(str::to_owned);
    let part = PART.iter().chain([&TRIALS]).map(|column| column.name.to_owned());
    let measures = joined().flat_map(|(_, measure)| {
        let column = measure.column();
        ends(measure).iter().map(move |(end, _)| format!("{column}{end}"))
    });
    let which = who.into_iter().chain(factor_columns(&sources.factors)).chain(part);
    let last = POOLED.iter().chain(&SECOND_ORDER).map(|column| column.name.to_owned());
    which.chain(measures).chain(last).collect()
}

/// The descriptions of its columns.
pub(super) fn about_conditions(sources: &Sources) -> Value {
    let mut about = about_which(sources);
    let factors = factor_columns(&sources.factors);
    about.retain(|name, _| factors.contains(name) || WHO.contains(&&**name));
    about.extend(about_part());
    about.extend([TRIALS.described()]);
    for (_, measure) in joined() {
        let (circular, column) = (measure.join == Join::Circle, measure.column());
        let units = measure.unit.symbol();
        let of = if circular { MEAN_DIRECTION } else { "Mean over trials, each counted once." };
        let what = format!("{of} {}", measure.about);
        about.insert(column.clone(), described(&what, units));
        let what = format!("SD between trials of `{column}`.");
        about.insert(format!("{column}_sd"), described(&what, units));
        let what = format!("Trials that have `{column}`.");
        about.insert(format!("{column}_n"), described(&what, ""));
        if measure.is_estimated() {
            for (end, which) in [("low", "Lower"), ("high", "Upper")] {
                let what = format!(
                    "{which} end of the 95 % interval of the mean over trials, {}; n/a below ten trials and where all have the same.",
                    if circular { "by Fieller's theorem" } else { scale(measure.scale()) }
                );
                about.insert(format!("{column}_{end}"), described(&what, units));
            }
        }
    }
    let [pooled @ .., none] = &POOLED;
    about.extend(pooled.iter().chain(&SECOND_ORDER).chain([none]).map(Column::described));
    Value::Object(about)
}

/// What the column of directions holds.
const MEAN_DIRECTION: &str =
    "Direction of the mean of the trials' mean vectors (second order): trials count by their R.";

/// How an interval over trials is taken.
fn scale(scale: Scale) -> &'static str {
    match scale {
        Scale::Plain => "by Student's t",
        Scale::Positive => "by Student's t on the logarithm",
        Scale::Share => "by Student's t on the logit",
        Scale::Correlation => "by Student's t on Fisher's z",
    }
}

const WHO: [&str; 4] = ["participant_id", "session", "task", "step"];
