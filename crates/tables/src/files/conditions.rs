//! The table of conditions: its rows, and the descriptions of its columns.

use super::columns::{about_part, about_which, described, put_part};
use crate::cells::{end, heading, number, text};
use crate::measures::NOT_AVERAGED;
use crate::tables::count;
use crate::{Analysis, MEASURES, Measure, Sources, factor_columns, participant_id};
use chronotap_analysis::joined::Scale;
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
            if measure.interval.is_some() {
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

/// The measures that have a mean.
fn joined() -> impl Iterator<Item = (usize, &'static Measure)> {
    MEASURES.iter().enumerate().filter(|(_, measure)| !NOT_AVERAGED.contains(&measure.name))
}

/// The columns of the mean direction's test.
const SECOND_ORDER: [(&str, &str); 3] = [
    (
        "second_order_resultant",
        "Length of the mean of the trials' mean vectors, whose direction is `direction_rad`.",
    ),
    (
        "second_order_f",
        "F of Hotelling's test of second order that the trials' mean vectors have no common direction; 2 and `direction_rad_n` - 2 degrees of freedom.",
    ),
    ("second_order_p", "p of the same."),
];

/// The headings of the table of conditions.
pub(super) fn headings(sources: &Sources) -> Vec<String> {
    let who = WHO.map(str::to_owned);
    let part = ["input", "against", "stretch", "trials"].map(str::to_owned);
    let measures = joined().flat_map(|(_, measure)| {
        let ends: &[&str] = match measure.interval {
            Some(_) => &["", "_sd", "_n", "_low", "_high"],
            None => &["", "_sd", "_n"],
        };
        ends.iter().map(|end| measure.name.to_owned() + end)
    });
    let which = who.into_iter().chain(factor_columns(&sources.factors)).chain(part);
    let last = SECOND_ORDER.iter().map(|(name, _)| (*name).to_owned());
    let last = pooled().into_iter().chain(["no_alpha".to_owned()]).chain(last);
    which.chain(measures).chain(last).collect()
}

/// The columns of phase correction.
fn pooled() -> [String; 3] {
    ["", "_low", "_high"].map(|end| format!("pooled_alpha{end}"))
}

/// The descriptions of its columns.
pub(super) fn about_conditions(sources: &Sources) -> Value {
    let mut about = about_which(sources);
    let factors = factor_columns(&sources.factors);
    about.retain(|name, _| factors.contains(name) || WHO.contains(&&**name));
    about.extend(about_part());
    about.insert("trials".into(), described("Trials that count and are used.", ""));
    for (_, measure) in joined() {
        let circular = measure.name == "direction_rad";
        let of = if circular { MEAN_DIRECTION } else { "Mean over trials, each counted once." };
        let what = format!("{of} {}", measure.about);
        about.insert(measure.name.into(), described(&what, measure.units));
        let what = format!("SD between trials of `{}`.", measure.name);
        about.insert(format!("{}_sd", measure.name), described(&what, measure.units));
        let what = format!("Trials that have `{}`.", measure.name);
        about.insert(format!("{}_n", measure.name), described(&what, ""));
        if measure.interval.is_some() {
            for (end, which) in [("low", "Lower"), ("high", "Upper")] {
                let what = format!(
                    "{which} end of the 95 % interval of the mean over trials, {}; n/a below ten trials.",
                    if circular { "by Fieller's theorem" } else { scale(measure.scale()) }
                );
                about.insert(format!("{}_{end}", measure.name), described(&what, measure.units));
            }
        }
    }
    let what = "Phase correction of all trials together, each with a mean and a drift of its own; 95 % interval.";
    about.extend(pooled().map(|name| (name, described(what, ""))));
    about.extend(SECOND_ORDER.map(|(name, what)| (name.to_owned(), described(what, ""))));
    about.insert("no_alpha".into(), described("Why there is no pooled alpha.", ""));
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
