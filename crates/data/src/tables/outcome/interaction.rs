//! How a difference over one factor differs between two levels of another: (level less level) at the last less the
//! same at the first. Each of both factors may be within people or between them.

use super::{Contrast, LevelMean, OutcomeRow, compared, grouped};

/// A person's value at the last and first level of the first factor, and of the second: `[first][second]`,
/// where 1 is the last.
type Cells = [[Option<f64>; 2]; 2];

/// What a person adds to the difference: a number, and the group of people who add such numbers.
struct Score {
    group: usize,
    weight: f64,
    value: f64,
}

type Scored = fn(&Cells) -> Option<Score>;

/// Who has all four, or both levels of one factor, or one: in this order the first kind that gives a contrast counts.
const KINDS: [(Scored, usize); 4] = [(all, 1), (both_of_first, 2), (both_of_second, 2), (one, 4)];

/// Of both factors the level that is taken off stands first.
pub(super) fn contrast(
    rows: &[OutcomeRow],
    [less, level]: [&LevelMean; 2],
    [less_by, level_by]: [&LevelMean; 2],
) -> Option<Contrast> {
    let names =
        [[less, level], [less_by, level_by]].map(|pair| pair.map(|level| level.name.as_deref()));
    let people = grouped(rows, |row| row.participant.as_deref());
    let cells: Vec<Cells> = people.iter().map(|(_, rows)| cells(rows, names)).collect();
    let found = KINDS.iter().find_map(|(score, groups)| estimate(&cells, *score, *groups))?;
    let by = Some((level_by.name.clone()?, less_by.name.clone()?));
    Some(Contrast { level: level.name.clone()?, less: less.name.clone()?, by, ..found })
}

fn cells(rows: &[&OutcomeRow], [first, second]: [[Option<&str>; 2]; 2]) -> Cells {
    let at = |level, by| {
        let here =
            |row: &&&OutcomeRow| row.level.as_deref() == level && row.second.as_deref() == by;
        rows.iter().find(here).map(|row| row.value)
    };
    first.map(|level| second.map(|by| at(level, by)))
}

fn estimate(people: &[Cells], score: Scored, count: usize) -> Option<Contrast> {
    let scores: Vec<Score> = people.iter().filter_map(score).collect();
    let values = |group: usize| scores.iter().filter(move |score| score.group == group);
    let groups: Vec<(f64, Vec<f64>)> = (0..count)
        .map(|group| {
            (
                values(group).map(|score| score.weight).next(),
                values(group).map(|score| score.value).collect(),
            )
        })
        .map(|(weight, values)| Some((weight?, values)))
        .collect::<Option<_>>()?;
    let weighed: Vec<(f64, &[f64])> =
        groups.iter().map(|(weight, values)| (*weight, &values[..])).collect();
    compared(&weighed)
}

/// The sign of what stands at this level.
fn sign(place: usize) -> f64 {
    if place == 1 { 1.0 } else { -1.0 }
}

fn all(cells: &Cells) -> Option<Score> {
    let [[a, b], [c, d]] = *cells;
    Some(Score { group: 0, weight: 1.0, value: (d? - b?) - (c? - a?) })
}

/// The first factor is within people, the second between them.
fn both_of_first(cells: &Cells) -> Option<Score> {
    let at = |by: usize| Some((by, cells[1][by]? - cells[0][by]?));
    let (by, value) = at(0).xor(at(1))?;
    Some(Score { group: by, weight: sign(by), value })
}

/// The other way round.
fn both_of_second(cells: &Cells) -> Option<Score> {
    let at = |level: usize| Some((level, cells[level][1]? - cells[level][0]?));
    let (level, value) = at(0).xor(at(1))?;
    Some(Score { group: level, weight: sign(level), value })
}

/// Both are between people.
fn one(cells: &Cells) -> Option<Score> {
    let places = [(0, 0), (0, 1), (1, 0), (1, 1)];
    let mut has = places.into_iter().filter_map(|(level, by)| Some((level, by, cells[level][by]?)));
    let (level, by, value) = has.next()?;
    let score = Score { group: 2 * level + by, weight: sign(level) * sign(by), value };
    has.next().is_none().then_some(score)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot be set up has failed
mod tests {
    use super::*;

    fn level(name: &str) -> LevelMean {
        LevelMean { name: Some(name.to_owned()), values: Vec::new(), mean: 0.0, interval: None }
    }

    /// A person's values at both levels of `delay`, 0 ms and 200 ms, in these groups.
    fn rows(who: &str, values: &[(&str, &str, f64)]) -> Vec<OutcomeRow> {
        let row = |(delay, group, value): &(&str, &str, f64)| OutcomeRow {
            participant: Some(who.to_owned()),
            level: Some((*delay).to_owned()),
            second: Some((*group).to_owned()),
            value: *value,
            trials: 1,
        };
        values.iter().map(row).collect()
    }

    fn found(rows: &[OutcomeRow]) -> Contrast {
        contrast(rows, [&level("0 ms"), &level("200 ms")], [&level("young"), &level("old")])
            .unwrap()
    }

    /// Differences of -10, -20, -30 of the young (mean -20, variance 100) and -30, -50, -70 of the old (mean -50,
    /// variance 400): -30; the SD within both is the root of 250.
    #[test]
    fn a_difference_within_people_is_compared_between_groups() {
        let people = [
            ("a", "young", -10.0),
            ("b", "young", -20.0),
            ("c", "young", -30.0),
            ("d", "old", -30.0),
            ("e", "old", -50.0),
            ("f", "old", -70.0),
        ];
        let rows: Vec<OutcomeRow> = people
            .iter()
            .flat_map(|(who, group, by)| {
                rows(
                    who,
                    &[("0 ms", *group, 5.0), ("100 ms", *group, 0.0), ("200 ms", *group, 5.0 + by)],
                )
            })
            .collect();
        let found = found(&rows);
        assert!((found.difference.value + 30.0).abs() < 1e-12, "{found:?}");
        assert!((found.difference.standard_error - (500.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!((found.effect_size.unwrap() + 30.0 / 250.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!(
            (found.people, found.paired, found.by),
            (6, false, Some(("old".into(), "young".into())))
        );
    }

    /// (9 - 5) - (3 - 1) = 2, (8 - 5) - (4 - 1) = 0, (12 - 5) - (4 - 1) = 4: mean 2, SD 2.
    #[test]
    fn within_people_it_is_a_difference_of_each_persons_differences() {
        let of = |who: &str, values: [f64; 4]| {
            let places =
                [("0 ms", "young"), ("200 ms", "young"), ("0 ms", "old"), ("200 ms", "old")];
            let cells: Vec<(&str, &str, f64)> =
                places.iter().zip(values).map(|((a, b), value)| (*a, *b, value)).collect();
            rows(who, &cells)
        };
        let rows = [
            of("a", [1.0, 3.0, 5.0, 9.0]),
            of("b", [1.0, 4.0, 5.0, 8.0]),
            of("c", [1.0, 4.0, 5.0, 12.0]),
        ]
        .concat();
        let found = found(&rows);
        assert!((found.difference.value - 2.0).abs() < 1e-12 && found.paired, "{found:?}");
        assert!((found.effect_size.unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn both_may_be_between_people_and_the_order_of_the_factors_is_one() {
        let cell = |delay, group, values: [f64; 2]| {
            let one = |(place, value): (usize, f64)| {
                rows(&format!("{delay}{group}{place}"), &[(delay, group, value)])
            };
            values.into_iter().enumerate().flat_map(one).collect::<Vec<OutcomeRow>>()
        };
        let between = [
            cell("0 ms", "young", [1.0, 3.0]),
            cell("200 ms", "young", [4.0, 6.0]),
            cell("0 ms", "old", [0.0, 2.0]),
            cell("200 ms", "old", [8.0, 10.0]),
        ]
        .concat();
        let four = found(&between);
        assert!((four.difference.value - 5.0).abs() < 1e-12 && four.people == 8, "{four:?}");
        assert!((four.difference.standard_error - 2.0).abs() < 1e-12 && four.effect_size.is_none());
        // Each person at one delay, and in both groups.
        let within: Vec<OutcomeRow> =
            [("a", "0 ms", 1.0), ("b", "0 ms", 3.0), ("c", "200 ms", 9.0), ("d", "200 ms", 11.0)]
                .iter()
                .flat_map(|(who, delay, by)| {
                    rows(who, &[(*delay, "young", 2.0), (*delay, "old", 2.0 + by)])
                })
                .collect();
        assert!((found(&within).difference.value - 8.0).abs() < 1e-12);
    }
}
