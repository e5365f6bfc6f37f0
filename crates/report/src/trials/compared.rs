//! The conditions compared: of each measure the mean over participants with its interval, as a
//! table, and the most asked for as pictures. It takes no test: how many there are to be, and
//! which, belongs to the design.

use super::words::{capital, cell as condition, counted, estimate, number, pair};
use super::{RecordedTrials, factorial, models, study};
use crate::html::{HtmlTable, element};
use crate::plot::{Forest, ForestMark, Marked};
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::statistics::Statistic;
use chronotap_analysis::statistics::of_asynchronies::{MEAN_ASYNCHRONY, SD_ASYNCHRONY};
use chronotap_analysis::statistics::of_beats::HIT_RATE;
use chronotap_analysis::statistics::of_directions::RESULTANT;
use chronotap_analysis::statistics::of_intervals::{CV_INTERVAL, MEAN_INTERVAL};
use chronotap_analysis::statistics::of_responses::{
    MEAN_ABSOLUTE_REPRODUCTION_ERROR, MEAN_REPRODUCTION_ERROR, SD_REPRODUCTION_ERROR,
};
use chronotap_data::tables::{Compared, ConditionRow, Outcome, compared};

/// A column: its heading, its measure, decimals, and whether it is drawn too.
type Column = (&'static str, &'static Statistic, usize, bool);
static COLUMNS: [Column; 9] = [
    ("mean asynchrony (ms)", &MEAN_ASYNCHRONY, 1, true),
    ("SD of asynchronies (ms)", &SD_ASYNCHRONY, 1, true),
    ("mean interval (ms)", &MEAN_INTERVAL, 1, true),
    ("CV of intervals", &CV_INTERVAL, 4, true),
    ("R", &RESULTANT, 3, false),
    ("share of beats with a tap", &HIT_RATE, 3, false),
    ("constant error of reproduction (ms)", &MEAN_REPRODUCTION_ERROR, 1, true),
    ("variable error of reproduction (ms)", &SD_REPRODUCTION_ERROR, 1, true),
    ("absolute error of reproduction (ms)", &MEAN_ABSOLUTE_REPRODUCTION_ERROR, 1, false),
];
/// So many conditions are drawn.
const DRAWN: usize = 16;

/// What is compared, and what it is called.
struct Group<'a> {
    name: String,
    of: Compared<'a>,
}

/// The section; empty where there is only one trial.
pub(super) fn section(of: &RecordedTrials<'_>) -> String {
    if of.analysis.counts.used < 2 {
        return String::new();
    }
    let groups = groups(of);
    let people = groups.iter().map(|group| group.of.rows.len()).max().unwrap_or(0);
    let over = if people > 1 { "participants" } else { "trials" };
    let said = format!(
        "Means over {over}, each counted once, with intervals for 95 % by Student's t where there are ten or more."
    );
    let mut html = element("p", &said) + &table(of, &groups, people > 1);
    if people > 1 {
        html += &differences(&groups);
        let pictures: String =
            COLUMNS.iter().filter(|column| column.3).map(|c| drawn(of, c, &groups)).collect();
        html += &format!("<div class=\"plots\">\n{pictures}</div>\n");
    }
    html
}

/// In the order of the study; sessions, tasks and steps apart.
fn groups<'a>(of: &'a RecordedTrials<'_>) -> Vec<Group<'a>> {
    let all = compared(of.sources, of.analysis);
    let differ = |value: &dyn Fn(&ConditionRow) -> String| {
        all.iter().any(|group| value(group.rows[0]) != value(all[0].rows[0]))
    };
    let several = differ(&|row| pair(&row.input, row.against.as_deref()));
    let [sessions, tasks] = [1, 2].map(|part| differ(&|row| format!("{:?}", row.who[part])));
    let steps = differ(&|row| format!("{:?}", row.who[3]));
    let named = |group: Compared<'a>| {
        let row = group.rows[0];
        let shown = |part: usize, what: &str, shown: bool| {
            row.who[part].as_ref().filter(|_| shown).map(|label| format!("{what} {label}"))
        };
        let which = condition(of.sources, row.who[3].as_deref(), &row.levels);
        let step = row.who[3].clone().filter(|step| steps && !which.starts_with(&**step));
        let what = several.then(|| pair(&row.input, row.against.as_deref()));
        let stretch = row.stretch.as_ref().map(|stretch| format!("in {stretch}"));
        let parts = [shown(1, "session", sessions), shown(2, "task", tasks), step, Some(which)];
        let parts: Vec<String> = parts.into_iter().chain([what, stretch]).flatten().collect();
        Group { name: parts.join(", "), of: group }
    };
    all.into_iter().map(named).collect()
}

fn table(of: &RecordedTrials<'_>, groups: &[Group<'_>], over_people: bool) -> String {
    let who = if over_people { "participants" } else { "trials" };
    let columns = valued(groups);
    let head: Vec<&str> = columns.iter().map(|(heading, ..)| *heading).collect();
    let mut table = HtmlTable::new("Each condition", &[&["condition", who][..], &head].concat());
    for group in groups {
        let rows = &group.of.rows;
        let trials: usize = rows.iter().map(|row| row.trials).sum();
        let count = if over_people { rows.len() } else { trials };
        let mut cells = vec![group.name.clone(), count.to_string()];
        cells.extend(
            columns.iter().map(|(_, measure, decimals, _)| cell(of, group, measure, *decimals)),
        );
        table.row(cells);
    }
    table.html()
}

/// The columns of which there is any value.
fn valued(groups: &[Group<'_>]) -> Vec<&'static Column> {
    let has = |measure: &Statistic| groups.iter().any(|group| !group.of.values(measure).is_empty());
    COLUMNS.iter().filter(|(_, measure, ..)| has(measure)).collect()
}

fn cell(
    of: &RecordedTrials<'_>,
    group: &Group<'_>,
    measure: &Statistic,
    decimals: usize,
) -> String {
    match (group.of.mean(measure), &group.of.rows[..]) {
        // Of one participant the trials say how sure the mean is.
        (Some(_), [row]) => models::over_trials(of, row, measure, decimals),
        (Some((mean, found)), _) => mean_with_interval(mean, found, decimals),
        (None, _) => "-".into(),
    }
}

fn mean_with_interval(mean: f64, found: Option<Estimate>, decimals: usize) -> String {
    found.map_or_else(|| number(mean, decimals), |found| estimate(&found, decimals))
}

/// Each condition less the first one that the same people had: what a factor within people
/// does, without what people differ by altogether. Empty where no people had two.
fn differences(groups: &[Group<'_>]) -> String {
    let all: Vec<Compared<'_>> = groups.iter().map(|group| group.of.clone()).collect();
    let columns = valued(groups);
    let head: Vec<&str> = columns.iter().map(|(heading, ..)| *heading).collect();
    let title = "Differences within participants, from the first condition that they had";
    let mut table =
        HtmlTable::new(title, &[&["condition", "less", "participants"][..], &head].concat());
    for group in groups {
        let Some(first) = group.of.first_within(&all) else { continue };
        let named = |other: &&Group<'_>| std::ptr::eq(other.of.rows[0], first.rows[0]);
        let less = groups.iter().find(named).map_or("", |other| &*other.name);
        let found = |measure: &Statistic| group.of.less(first, measure);
        let people = columns.iter().filter_map(|c| Some(found(c.1)?.0)).max().unwrap_or(0);
        let mut cells = vec![group.name.clone(), less.to_owned(), people.to_string()];
        cells.extend(columns.iter().map(|(_, measure, decimals, _)| match found(measure) {
            Some((_, (mean, bounds))) => mean_with_interval(mean, bounds, *decimals),
            None => "-".to_owned(),
        }));
        table.row(cells);
    }
    if table.is_empty() { String::new() } else { table.html() }
}

/// The design as one figure where all conditions are of one step and one pair, else each condition in a row.
/// What the study is for has its figure already.
fn drawn(of: &RecordedTrials<'_>, column: &Column, groups: &[Group<'_>]) -> String {
    let name = column.1.name;
    let stated = of.study.as_ref().and_then(|study| study.outcome());
    if stated.is_some_and(|stated| stated.of == name || stated.also.iter().any(|of| of == name)) {
        return String::new();
    }
    design(of, name, groups).unwrap_or_else(|| picture(column, groups))
}

fn design(of: &RecordedTrials<'_>, name: &str, groups: &[Group<'_>]) -> Option<String> {
    let rows = groups.iter().map(|group| group.of.rows[0]);
    let practice = study::practice(of.study.as_ref());
    let practised =
        |row: &ConditionRow| row.who[3].as_ref().is_some_and(|step| practice.contains(step));
    let mut rows = rows.filter(|row| row.levels.iter().any(Option::is_some) && !practised(row));
    let first = rows.next()?;
    let key = |row: &ConditionRow| {
        (row.who[2..].to_vec(), row.input.clone(), row.against.clone(), row.stretch.clone())
    };
    let one = rows.all(|row| key(row) == key(first));
    let (step, stretch) = (first.who[3].clone(), first.stretch.clone());
    let outcome = Outcome { of: name.to_owned(), step, stretch, ..Outcome::default() };
    one.then(|| factorial::figure(of, &outcome))?
}

fn picture((heading, measure, decimals, _): &Column, groups: &[Group<'_>]) -> String {
    let with = |group: &Group<'_>| {
        let (value, interval) = group.of.mean(measure)?;
        Some((group.name.clone(), value, interval))
    };
    let found: Vec<_> = groups.iter().filter_map(with).collect();
    if found.len() < 2 {
        return String::new();
    }
    let said: Vec<String> = found
        .iter()
        .take(3)
        .map(|(name, value, _)| format!("{name} {}", number(*value, *decimals)))
        .collect();
    let more = match found.len() {
        n if n > DRAWN => format!("; {} of {} are drawn", DRAWN, counted(n, "condition")),
        n if n > 3 => " and so on".into(),
        _ => String::new(),
    };
    let marked = |(name, value, interval): (String, f64, Option<Estimate>)| Marked {
        name,
        mark: ForestMark::At(value, interval.and_then(|found| Some(found.ends()?.into()))),
    };
    Forest {
        title: capital(heading),
        description: format!("Means over participants: {}{more}.", said.join("; ")),
        label: (*heading).to_owned(),
        rows: found.into_iter().take(DRAWN).map(marked).collect(),
    }
    .html()
}
