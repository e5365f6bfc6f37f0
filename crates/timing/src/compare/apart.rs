//! [`apart`]: why two labels that have the same quantity share no row of it.

use super::Apart;
use super::key::Key;
use super::rows::Joined;

/// For each pair of labels and each quantity that both have without a common row, the
/// conditions in which their nearest series differ.
pub(super) fn apart(rows: &[Joined<'_>], labels: usize) -> Vec<Apart> {
    let mut all: Vec<Apart> = Vec::new();
    for other in 1..labels {
        for reference in 0..other {
            let found = quantities(rows).into_iter().filter_map(|key| {
                let conditions = between(rows, key, (reference, other))?;
                let (test, quantity) = (key.test.clone(), key.quantity);
                Some(Apart { test, quantity, reference, other, conditions })
            });
            all.extend(found);
        }
    }
    all
}

/// One key of each test and quantity.
fn quantities<'a>(rows: &'a [Joined<'_>]) -> Vec<&'a Key> {
    let mut all: Vec<&Key> = Vec::new();
    for group in rows.iter().flat_map(|row| row.iter().flatten()) {
        if !all.iter().any(|known| known.measures_what(&group.key)) {
            all.push(&group.key);
        }
    }
    all
}

type Between = Vec<(String, Option<String>, Option<String>)>;

/// `None` where they share a row, or where one has nothing of it.
fn between(rows: &[Joined<'_>], what: &Key, (reference, other): (usize, usize)) -> Option<Between> {
    let of = |column: usize| {
        let groups = rows.iter().filter_map(move |row| row[column].as_ref());
        groups.map(|group| &group.key).filter(|key| key.measures_what(what))
    };
    let share = |row: &Joined<'_>| {
        let is =
            |column: usize| row[column].as_ref().is_some_and(|one| one.key.measures_what(what));
        is(reference) && is(other)
    };
    if rows.iter().any(share) {
        return None;
    }
    let pairs = of(reference).flat_map(|one| of(other).map(move |two| (one, two)));
    let (one, two) = pairs.min_by_key(|(one, two)| one.differences(two).len())?;
    let value = |key: &Key, name: &String| {
        key.conditions.get(name).filter(|_| key.asked.contains_key(name)).cloned()
    };
    let names = one.differences(two).into_iter();
    Some(names.map(|name| (name.clone(), value(one, &name), value(two, &name))).collect())
}
