//! At which beats or taps something happens: listed, every so many, or by chance.

use crate::trial_files::reading::{Field, Part, Value};
use chronotap_engine::trial::Occasions;

#[derive(Clone, Copy, PartialEq)]
enum Which {
    At,
    Every,
    Chance,
}

const WHICH: [(&str, Which); 3] =
    [("at", Which::At), ("every", Which::Every), ("chance", Which::Chance)];

/// Reads `at`, `every` or `chance`, and `after`.
pub(super) fn occasions(part: &Part<'_>) -> Option<Occasions> {
    let which = part.exactly_one(&WHICH)?;
    if which == Which::At && part.has("after") {
        part.page.cured(
            part.at("after"),
            format!("{} gives both at and after", part.said()),
            "after belongs to every and chance",
        );
    }
    let after = if which == Which::At { Some(0) } else { part.read("after", |f| f.count()) };
    match which {
        Which::At => part.read("at", listed).map(Occasions::Listed),
        Which::Every => {
            let (from, to) = part.read("every", every)?;
            Some(Occasions::Every { from, to, after: after? })
        }
        Which::Chance => {
            let probability = part.read("chance", |f| f.number())?;
            Some(Occasions::Chance { probability, after: after? })
        }
    }
}

/// The least distance from others; of what is listed there is none.
pub(super) fn apart(part: &Part<'_>) -> u32 {
    if part.has("at") && part.has("apart") {
        part.page.cured(
            part.at("apart"),
            format!("{} gives both at and apart", part.said()),
            "apart belongs to every and chance",
        );
    }
    part.read("apart", |f| f.count()).unwrap_or(0)
}

fn listed(field: &Field<'_>) -> Option<Vec<u32>> {
    let numbers: Option<Vec<u32>> = match field.node.value {
        Value::List(_) => field.list("numbers")?.iter().map(Field::count).collect(),
        _ => field.count().map(|n| vec![n]),
    };
    let mut numbers = numbers?;
    numbers.sort_unstable();
    if let Some(twice) = numbers.windows(2).find(|pair| pair[0] == pair[1]) {
        return field.problem(&format!("names {} twice", twice[0]), "name each number once");
    }
    Some(numbers)
}

fn every(field: &Field<'_>) -> Option<(u32, u32)> {
    if field.node.table().is_none() {
        return field.count().map(|n| (n, n));
    }
    let fields = Part::of(field, "every")?;
    let (from, to) = (fields.must("from", |f| f.count())?, fields.must("to", |f| f.count())?);
    if from > to {
        let cure = format!("write {{ from = {to}, to = {from} }}");
        return field.problem("puts the greater number first", cure);
    }
    Some((from, to))
}
