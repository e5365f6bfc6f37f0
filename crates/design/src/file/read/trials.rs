//! What a step with trials has.

use super::between::{Known, asked, go, names_of, rest, say, statistic_named, unknown_name};
use super::factors::{Found, level};
use super::fits::{asks_once, fits_together};
use super::names::fixed_names;
use super::{Context, measures, settings};
use crate::file::choices;
use crate::file::files::Shelf;
use crate::study::experiment::Experiment;
use crate::study::factor::Factor;
use crate::study::step::{
    Blocks, Constraint, Criterion, Go, Interleave, Keep, Order, Otherwise, Practice, Redo, Trials,
};
use crate::study::text::Text;
use chronotap_config::ftap::Readings;
use chronotap_config::trial_files::reading::{DAY, Field, Part, Value, brief, well_named};
use chronotap_core::time::Nanos;

pub(super) fn trials(part: &Part<'_>, context: &Context<'_>) -> Trials {
    let file = part.read("trial", |f| named(f, context.shelf, context.ftap));
    if !part.has("trial") && !context.names_trial {
        let message = format!("{} names no trial file", part.said());
        part.page.cured(
            part.at,
            message,
            "write trial = \"sync.toml\" here or at the top of the file",
        );
    }
    let conditions = runs_conditions(part, context);
    let why = (!conditions).then_some("the step runs its trial without conditions");
    let staircases =
        part.read("staircases", |f| names_of(f, "staircase", &context.staircases, None));
    let trials = Trials {
        file: file.or_else(|| context.trial.clone()).unwrap_or_default(),
        conditions,
        blocks: part.read("block", |f| blocks(&Part::of(f, "step.block")?, context)),
        repetitions: part.read("repetitions", Field::count).unwrap_or(1),
        order: order(part),
        order_given: part.has("shuffle") || part.has("order"),
        constraints: constraints(part, context),
        practice: practice(part),
        go: go(part).unwrap_or(Go::AtOnce),
        gap: part.read("gap", gap).unwrap_or((Nanos::from_secs(1), Nanos::from_secs(1))),
        rest: rest(part, true),
        ask: asked(part, context, None),
        tell: tell(part, context),
        redo: part.read("redo", |f| redo(&Part::of(f, "step.redo")?)),
        keep: keep(part),
        settings: settings::settings(part, context, why),
        interleave: interleave(part, staircases.as_ref().map_or(0, Vec::len)),
        staircases: staircases.unwrap_or_default(),
        same_seed: part.read("same_seed", Field::flag).unwrap_or(false),
    };
    fits_together(part, &trials);
    if !context.shelf.were_recorded() {
        asks_once(part, &trials); // a study that was begun goes on as it is
    }
    trials
}

/// `tell`: it knows the levels that a step's own text knows, but those that `only` leaves.
fn tell(part: &Part<'_>, context: &Context<'_>) -> Option<Text> {
    told(part, &Known::beside(fixed_names(context), &context.factors.within, false))
}

/// `tell`; the names in it must be known.
pub(super) fn told(part: &Part<'_>, known: &Known) -> Option<Text> {
    let field = part.field("tell")?;
    let text = Text { file: None, text: field.lines()? };
    text.names().into_iter().for_each(|name| unknown_name(&field, field.at, name, known));
    statistic_named(&field, field.at, &text.text);
    Some(text)
}

/// The file of a trial, which is there and no experiment file.
pub(super) fn named(field: &Field<'_>, shelf: &Shelf<'_>, readings: &Readings) -> Option<String> {
    let name = shelf.trial(field, readings)?;
    if shelf.read_text(&name).is_some_and(|text| Experiment::is_one(&text)) {
        let cure = "name the file of a trial, which has no [[step]]";
        let message = format!("names {}, which is an experiment file", shelf.said(&name));
        let _: Option<()> = field.problem(&message, cure);
    }
    Some(name)
}

/// A step with a trial of its own runs it once, unless a key speaks of conditions.
fn runs_conditions(part: &Part<'_>, context: &Context<'_>) -> bool {
    let limited = part.table.get("only").and_then(|entry| entry.node.table());
    let within = |name: &str| matches!(context.factors.find(name), Some((Found::Within(_), _)));
    let limits = limited.is_some_and(|table| table.entries.iter().any(|e| within(&e.key)));
    let speaks = ["shuffle", "order", "block", "repetitions"].iter().any(|key| part.has(key));
    speaks || limits || !(part.has("trial") || part.has("until") || part.has("staircases"))
}

fn order(part: &Part<'_>) -> Order {
    if part.has("shuffle") && part.has("order") {
        part.gives_both("shuffle", "order");
    }
    let square = part.read("order", |f| match f.node.text() {
        Some("shuffle" | "each repetition" | "all" | "none") => f.problem(
            "is the row of a square",
            "write shuffle = \"each repetition\", \"all\" or \"none\" instead",
        ),
        Some("random" | "randomized" | "randomised" | "shuffled") => f.problem(
            "is the row of a square, and draws nothing",
            "write shuffle = \"each repetition\" or \"all\" instead",
        ),
        _ => f.choice(&choices::SQUARE),
    });
    let shuffle = part.read("shuffle", |f| match f.node.text() {
        Some("latin" | "williams") => f.problem("is no square", "write order = instead"),
        _ => f.choice(&choices::SHUFFLE),
    });
    square.or(shuffle).unwrap_or(Order::File)
}

fn blocks(part: &Part<'_>, context: &Context<'_>) -> Option<Blocks> {
    let by = part.must("by", |f| match context.factors.named(f)? {
        (Found::Within(index), _) => Some(&context.factors.within[index]),
        (_, factor) => {
            let message = format!(": {} does not vary within a session", factor.name);
            f.problem(&message, "name a factor of [factor]")
        }
    });
    let by = by?;
    let order = part.read("order", |f| block_order(f, by, context));
    if !part.has("order") && by.levels.len() > 1 {
        let message = format!("{} does not say in which order the blocks come", part.said());
        part.page.cured(
            part.at,
            message,
            "write order = \"latin\", \"williams\", \"shuffle\" or \"file\"",
        );
    }
    let session = context.factors.session.iter().map(|session| &session.factor);
    let known = context.factors.between.iter().chain(session).chain([by]);
    let known: Vec<String> = known.map(|factor| factor.name.clone()).collect();
    Some(Blocks {
        by: by.name.clone(),
        order: order.unwrap_or(Order::File),
        say: say(part, context.shelf, &Known::names(known)),
        ask: asked(part, context, None),
    })
}

fn block_order(field: &Field<'_>, by: &Factor, context: &Context<'_>) -> Option<Order> {
    match field.node.table() {
        None => field.choice(&choices::ORDER),
        Some(_) => order_by_levels(field, by, context),
    }
}

/// An order of the blocks for each level of a factor that does not vary within a session.
fn order_by_levels(field: &Field<'_>, by: &Factor, context: &Context<'_>) -> Option<Order> {
    let keys = field.keys()?;
    let Some((_, named)) = keys.iter().find(|(key, _)| *key == "by") else {
        return field.problem("lacks by", "write { by = \"hand\", left = [...], right = [...] }");
    };
    let (found, factor) = context.factors.named(named)?;
    if let Found::Within(_) = found {
        return named.problem(
            "varies within a session",
            "name a factor of [between], or that of [session]",
        );
    }
    let mut rows = Vec::new();
    for (key, row) in keys.iter().filter(|(key, _)| *key != "by") {
        if factor.place(key).is_some() {
            rows.push(((*key).to_owned(), places(row, by)?));
            continue;
        }
        let message = format!("{}: {} has no level \"{key}\"", row.path, factor.name);
        let levels: Vec<String> = factor.levels.iter().map(ToString::to_string).collect();
        row.page.unknown(row.at, message, key, levels.iter().map(String::as_str));
    }
    for level in factor.levels.iter().map(ToString::to_string) {
        if !rows.iter().any(|(of, _)| *of == level) {
            field.problem::<()>(
                &format!("has no order for {} = {level}", factor.name),
                format!("write {level} = [...]"),
            );
        }
    }
    Some(Order::By { factor: factor.name.clone(), rows })
}

/// The levels of the blocks in an order that must name each of them once.
fn places(row: &Field<'_>, by: &Factor) -> Option<Vec<usize>> {
    let places: Vec<usize> = row.list("levels")?.iter().filter_map(|f| level(f, by)).collect();
    let mut sorted = places.clone();
    sorted.sort_unstable();
    if sorted != (0..by.levels.len()).collect::<Vec<_>>() {
        row.problem::<()>(
            &format!("does not name every level of {} once", by.name),
            "name each level once",
        );
    }
    Some(places)
}

fn constraints(part: &Part<'_>, context: &Context<'_>) -> Vec<Constraint> {
    let mut found = Vec::new();
    for kind in ["at_most_in_a_row", "not_first", "apart"] {
        for (name, field) in part.read(kind, Field::keys).unwrap_or_default() {
            match context.factors.known(&field, field.at, name) {
                Some((Found::Within(_), factor)) => {
                    found.extend(constraint(kind, &field, factor));
                }
                Some(_) => {
                    let message = format!("{}: {name} does not vary within a session", field.path);
                    field.page.cured(field.at, message, "name a factor of [factor]");
                }
                None => {}
            }
        }
    }
    found
}

fn constraint(kind: &str, field: &Field<'_>, factor: &Factor) -> Option<Constraint> {
    let name = factor.name.clone();
    Some(match kind {
        "at_most_in_a_row" => Constraint::AtMostInARow { factor: name, n: counted(field, 1)? },
        "apart" => Constraint::Apart { factor: name, n: counted(field, 2)? },
        _ => {
            let levels = field.some("levels")?;
            let levels = levels.iter().filter_map(|f| level(f, factor)).collect();
            Constraint::NotFirst { factor: name, levels }
        }
    })
}

/// A whole number of at least `least`.
fn counted(field: &Field<'_>, least: u32) -> Option<u32> {
    field.whole(least.into(), 1_000_000).and_then(|n| u32::try_from(n).ok())
}

fn practice(part: &Part<'_>) -> Option<Practice> {
    if !part.has("until") {
        for key in ["at_most", "otherwise"].into_iter().filter(|key| part.has(key)) {
            let message = format!("{}: {key} belongs to until", part.said());
            part.page.cured(
                part.at(key),
                message,
                "write until = { ... } as well, or leave it out",
            );
        }
        return None;
    }
    let until = part.read("until", |f| criterion(&Part::of(&until_of(f)?, "step.until")?));
    let at_most = part.must("at_most", Field::count);
    let otherwise = part.read("otherwise", |f| f.choice(&choices::OTHERWISE));
    let otherwise = otherwise.unwrap_or(Otherwise::Ask);
    Some(Practice { until: until?, at_most: at_most?, otherwise })
}

/// A comparison that stands alone is refused with the list that it belongs into.
fn until_of<'p>(field: &Field<'p>) -> Option<Field<'p>> {
    match field.node.text().filter(|text| text.contains(['<', '>'])) {
        Some(test) => {
            let cure = format!("write until = {{ if_all = [\"{}\"] }}", brief(test));
            field.problem("must be a table", cure)
        }
        None => Some(field.clone()),
    }
}

fn criterion(part: &Part<'_>) -> Option<Criterion> {
    if part.exactly_one(&[("hits", false), ("if_all", true)])? {
        for key in ["of", "within"].into_iter().filter(|key| part.has(key)) {
            let message = format!("{}: {key} belongs to hits", part.said());
            part.page.cured(part.at(key), message, "leave it out");
        }
        let tests = |f: &Field<'_>| {
            f.list("comparisons")?.iter().map(|f| measures::test(f, false)).collect()
        };
        return part.read("if_all", tests).map(Criterion::All);
    }
    let hits = part.read("hits", Field::count);
    let of = part.must("of", |f| counted(f, 1));
    let within = part.must("within", Field::time);
    let (hits, of) = (hits?, of?);
    if hits > of {
        let message = format!("{} asks for {hits} hits of {of} beats", part.said());
        part.page.cured(part.at("of"), message, format!("write of = {hits} or more"));
    }
    Some(Criterion::Hits { hits, of, within: within? })
}

fn gap(field: &Field<'_>) -> Option<(Nanos, Nanos)> {
    let time = |f: &Field<'_>| f.time_within(Nanos(0), Nanos(DAY));
    if let Value::List(_) = field.node.value {
        let [least, greatest] = field.pair()?;
        let (least, greatest) = (time(&least)?, time(&greatest)?);
        if least > greatest {
            return field.problem("puts the greater time first", "write [\"1 s\", \"3 s\"]");
        }
        return Some((least, greatest));
    }
    time(field).map(|gap| (gap, gap))
}

fn redo(part: &Part<'_>) -> Option<Redo> {
    let tests =
        |f: &Field<'_>| f.list("comparisons")?.iter().map(|f| measures::test(f, true)).collect();
    let if_any = part.must("if_any", tests);
    let at_most = part.read("at_most", Field::count).unwrap_or(1);
    let place = part.must("place", |f| f.choice(&choices::REDO))?;
    Some(Redo { if_any: if_any?, at_most, place })
}

fn keep(part: &Part<'_>) -> Vec<Keep> {
    let mut kept = Vec::new();
    for (name, field) in part.read("keep", Field::keys).unwrap_or_default() {
        well_named(field.page, field.at, name);
        let measure = measures::measure(&field);
        kept.extend(measure.map(|measure| Keep { name: name.to_owned(), measure }));
    }
    kept
}

fn interleave(part: &Part<'_>, staircases: usize) -> Interleave {
    if staircases > 1 && !part.has("interleave") {
        let message = format!("{} does not say how its staircases take turns", part.said());
        part.page.cured(part.at, message, "write interleave = \"random\" or \"in turn\"");
    }
    part.read("interleave", |f| f.choice(&choices::INTERLEAVE)).unwrap_or(Interleave::InTurn)
}
