//! [`Outcome`]: what a study is for, as its experiment file states it: one number of each person, or of
//! each person at each level of a factor. [`outcomes`] finds these numbers in a dataset, and what they
//! come to: means over people, the last level less the first, and the slope over levels that are
//! numbers. The contrasts that a study plans, or that are asked of its data, are the same, and stand behind
//! it in one list.

mod answer;
mod effect;
mod interaction;
mod left_out;
mod missing;
mod plain;
mod read;
mod told;
mod values;
mod words;

use crate::tables::quantity::quantities;
use crate::tables::{Analysis, Sources, TablesError, natural};
use chronotap_analysis::detection::{Detection, SignalAnswers};
use chronotap_analysis::estimate::{Estimate, of_correlation, of_groups, of_mean};
pub use effect::{Effect, FOUND, check_asked, outcomes, outcomes_of};
pub use left_out::{LeftOut, named};
pub use missing::Missing;
pub use plain::Plain;
pub use read::{Outcome, OutcomeQuestion, Stands};
use std::collections::HashMap;
use std::fmt::{Display, Formatter};
use std::hash::Hash;
pub use values::statistics_of;
use values::{Value, values};

/// What a study came to.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeFound {
    pub outcome: Outcome,
    /// The unit of its values; empty where they have none.
    pub unit: String,
    /// A number for each person, or for each person and level.
    pub rows: Vec<OutcomeRow>,
    /// The levels in the order of the study; one without a name where there is no factor.
    pub levels: Vec<LevelMean>,
    /// The last level less the first, or those that are named; `None` where there are no two, or too few people.
    pub contrast: Option<Contrast>,
    /// The slope of each person over levels that are numbers, where there are three or more.
    pub slope: Option<Slope>,
    /// The mean against a value, the curve, or the place where it turns, where that is asked.
    pub answer: Option<Effect>,
    /// Of a signal that is to be told: what stands behind d'.
    pub detection: Option<Detected>,
    /// How well the last level is foretold by the first, where the levels are steps or sessions.
    pub retest: Option<Retest>,
    /// The same of each that the outcome has also.
    pub also: Vec<OutcomeFound>,
    /// Of a planned contrast, its probability after Holm; `None` where it could not be tested.
    pub p_holm: Option<f64>,
    /// Who has trials and is not in what it came to.
    pub left_out: Vec<LeftOut>,
    /// Why levels of two factors, or the first and the last that the study states, are not compared.
    lack: Option<Missing>,
}

/// The correlation over people between two steps or sessions (Pearson), with the interval of Fisher
/// (1921).
#[derive(Clone, Debug, PartialEq)]
pub struct Retest {
    pub r: Estimate,
    pub people: usize,
}

/// Hits, false alarms and the criterion.
#[derive(Clone, Debug, PartialEq)]
pub struct Detected {
    /// Of each person, in the order of the rows.
    pub people: Vec<Detection>,
    /// The mean over people; `None` of one.
    pub criterion: Option<Estimate>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeRow {
    /// As in participants.tsv.
    pub participant: Option<String>,
    pub level: Option<String>,
    /// That of the second factor, where there is one.
    pub second: Option<String>,
    /// The mean over the cells of the design that are at these levels, each of which weighs the same however many of the
    /// `trials` it has (a marginal mean): of a cell it is the mean over its trials.
    pub value: f64,
    pub trials: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub struct LevelMean {
    pub name: Option<String>,
    /// Of each person.
    pub values: Vec<f64>,
    pub mean: f64,
    /// `None` of one person.
    pub interval: Option<Estimate>,
}

impl LevelMean {
    fn of(name: Option<String>, values: Vec<f64>) -> LevelMean {
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        LevelMean { name, interval: of_mean("values", &values).ok(), mean, values }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Contrast {
    pub level: String,
    pub less: String,
    /// The levels of the second factor between which it is compared, the last first.
    pub by: Option<(String, String)>,
    pub difference: Estimate,
    /// The degrees of freedom of its interval.
    pub freedom: f64,
    pub people: usize,
    /// Whether the same people had both.
    pub paired: bool,
    /// The difference in SDs: of the differences of people (d_z), or of people within the two groups
    /// (d_s) (Lakens 2013). `None` where nobody differs.
    pub effect_size: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Slope {
    /// In the unit of the values for each unit of the levels.
    pub mean: Estimate,
    /// The unit of the levels; empty of plain numbers.
    pub per: &'static str,
    pub people: usize,
    /// Its mean, less what it is held against, in SDs of people (d_z); `None` where nobody differs.
    pub effect_size: Option<f64>,
}

/// What an outcome comes to, without those that it has also; `None` where no trial has a value.
///
/// # Errors
/// [`TablesError`] where a table of the dataset cannot be read.
pub fn outcome_of(
    outcome: Outcome,
    sources: &Sources,
    analysis: &Analysis,
) -> Result<Option<OutcomeFound>, TablesError> {
    let (unit, values) = values(&outcome, sources, analysis)?;
    if outcome.signal.is_some() {
        return Ok(detected(outcome, &values, sources));
    }
    Ok((!values.is_empty()).then(|| found(outcome, unit, &values, sources)))
}

/// How well each person tells the signal; those who never had it, or always, are left out.
fn detected(outcome: Outcome, values: &[Value], sources: &Sources) -> Option<OutcomeFound> {
    let signal = outcome.signal.as_deref();
    let of_person = |(participant, values): (Option<&str>, Vec<&Value>)| {
        let mut answers = SignalAnswers::default();
        for value in &values {
            answers.add(value.level.as_deref() == signal, value.value == 1.0);
        }
        let found = answers.detection().ok()?;
        let (participant, trials) = (participant.map(str::to_owned), values.len());
        Some((
            OutcomeRow { participant, level: None, second: None, value: found.d_prime, trials },
            found,
        ))
    };
    let people = grouped(values, |value| value.participant.as_deref());
    let (rows, people): (Vec<OutcomeRow>, Vec<Detection>) =
        people.into_iter().filter_map(of_person).unzip();
    let all: Vec<f64> = rows.iter().map(|row| row.value).collect();
    let criteria: Vec<f64> = people.iter().map(|person| person.criterion).collect();
    let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
    let interval = of_mean("values", &all).ok();
    let levels = vec![LevelMean { name: None, values: all, mean, interval }];
    let detection = Detected { people, criterion: of_mean("values", &criteria).ok() };
    let detection = Some(detection);
    let left_out =
        left_out::without_value(sources, rows.iter().map(|row| row.participant.as_deref()));
    let found = OutcomeFound {
        detection,
        left_out,
        ..OutcomeFound::of(outcome, String::new(), rows, levels)
    };
    Some(found).filter(|found| !found.rows.is_empty())
}

fn found(outcome: Outcome, unit: String, values: &[Value], sources: &Sources) -> OutcomeFound {
    let rows = means(values);
    if outcome.by.is_some() {
        return by_another(outcome, unit, rows, sources);
    }
    let levels = levels(&outcome.over, &rows, |row| row.level.as_deref(), sources);
    let ends = ends(&levels, outcome.levels.as_ref());
    let compares = outcome.compares_levels();
    let asked = (&outcome.over, outcome.levels.as_ref());
    let lack = missing::ends_nobody_had(asked, &levels, sources).filter(|_| compares);
    let ends = ends.filter(|_| lack.is_none());
    let contrast = ends.filter(|_| compares).and_then(|ends| contrast(&rows, ends));
    let slope = slope(&rows, &levels, outcome.value.unwrap_or(0.0));
    let answer = answer::answer(&outcome, &unit, &rows, &levels);
    let again = matches!(outcome.over.as_deref(), Some("step" | "session"));
    let retest = ends.filter(|_| again && compares).and_then(|ends| retest(&rows, ends));
    let people = rows.iter().map(|row| row.participant.as_deref());
    let nobody = left_out::without_value(sources, people);
    let paired = contrast.as_ref().is_some_and(|contrast| contrast.paired);
    let too_few = match ends.filter(|_| paired) {
        Some(ends) => left_out::without_level(&rows, &ends),
        None => left_out::with_too_few(&rows, &levels, outcome.asks.points()),
    };
    let left_out = too_few.into_iter().chain(nobody).collect();
    let of = OutcomeFound::of(outcome, unit, rows, levels);
    OutcomeFound { contrast, slope, answer, retest, left_out, lack, ..of }
}

/// The same over two factors: a level is one of the first at one of the second.
fn by_another(
    outcome: Outcome,
    unit: String,
    rows: Vec<OutcomeRow>,
    sources: &Sources,
) -> OutcomeFound {
    let first = levels(&outcome.over, &rows, |row| row.level.as_deref(), sources);
    let second = levels(&outcome.by, &rows, |row| row.second.as_deref(), sources);
    let named = [outcome.levels.as_ref(), outcome.by_levels.as_ref()];
    let nobody = missing::ends_nobody_had((&outcome.over, named[0]), &first, sources)
        .or_else(|| missing::ends_nobody_had((&outcome.by, named[1]), &second, sources));
    let both = ends(&first, named[0]).zip(ends(&second, named[1])).filter(|_| nobody.is_none());
    let contrast = both.and_then(|(over, by)| interaction::contrast(&rows, over, by));
    let few = || missing::of_cells(&outcome, &rows, [&first, &second]);
    let lack = nobody.or_else(|| contrast.is_none().then(few));
    let by = outcome.by.clone().unwrap_or_default();
    let pairs = first.iter().flat_map(|level| second.iter().map(move |other| (level, other)));
    let cells = pairs.filter_map(|(level, other)| cell(&rows, (level, other), &by)).collect();
    OutcomeFound { contrast, lack, ..OutcomeFound::of(outcome, unit, rows, cells) }
}

/// The levels that are compared, the one that is taken off first: those that are named, or the first and the last.
fn ends<'a>(levels: &'a [LevelMean], named: Option<&[String; 2]>) -> Option<[&'a LevelMean; 2]> {
    let Some([level, less]) = named else {
        let [less, .., level] = levels else { return None };
        return Some([less, level]);
    };
    let at = |name: &String| levels.iter().find(|level| level.name.as_ref() == Some(name));
    Some([at(less)?, at(level)?])
}

/// People at a level of the first factor and one of the second; `None` where nobody was.
fn cell(
    rows: &[OutcomeRow],
    (level, other): (&LevelMean, &LevelMean),
    by: &str,
) -> Option<LevelMean> {
    let name = format!("{}, {by} {}", level.name.as_deref()?, other.name.as_deref()?);
    let here = rows.iter().filter(|row| row.level == level.name && row.second == other.name);
    let values: Vec<f64> = here.map(|row| row.value).collect();
    (!values.is_empty()).then(|| LevelMean::of(Some(name), values))
}

impl OutcomeFound {
    /// What it is, and which levels are compared: `mean asynchrony: delay 70 ms less 0 ms`.
    pub fn what(&self) -> String {
        match &self.compared()[..] {
            "" => self.outcome.to_string(),
            compared => format!("{}: {compared}", self.outcome),
        }
    }

    /// Which levels are compared: `delay 70 ms less 0 ms`, `slope over delay`, `kind phase shift against 0`; nothing
    /// where none are.
    pub fn compared(&self) -> String {
        let levels = self.levels_compared();
        let against = self.outcome.value.map(|value| format!("against {}", self.with_unit(value)));
        match against {
            Some(against) if levels.is_empty() => against,
            Some(against) => format!("{levels} {against}"),
            None => levels,
        }
    }

    fn levels_compared(&self) -> String {
        let what = &self.outcome;
        let named = |factor: &Option<String>| factor.clone().unwrap_or_default();
        match &self.contrast {
            Some(Contrast { level, less, by, .. }) => {
                let by = by.as_ref().map_or(String::new(), |(level, less)| {
                    format!(", {} {level} less {less}", named(&what.by))
                });
                format!("{} {level} less {less}{by}", named(&what.over))
            }
            None if what.asks.is_of_numbers() => {
                format!("{} over {}", what.asks.word(), named(&what.over))
            }
            None => what
                .level
                .as_ref()
                .map_or(String::new(), |level| format!("{} {level}", named(&what.over))),
        }
    }

    /// A value that a slope is held against has the unit of slopes.
    fn with_unit(&self, value: f64) -> String {
        let unit = match self.outcome.asks {
            OutcomeQuestion::Slope => self.unit_per(self.per()).trim_start().to_owned(),
            _ => self.unit.clone(),
        };
        if unit.is_empty() { value.to_string() } else { format!("{value} {unit}") }
    }

    /// The unit of the levels that a slope is over, also where it is not known yet.
    fn per(&self) -> &'static str {
        let names: Vec<&str> = names(&self.levels).collect();
        match &self.slope {
            Some(slope) => slope.per,
            None => numbers(&names).map_or("", |(per, _)| per),
        }
    }

    /// With nothing that these come to.
    fn of(
        outcome: Outcome,
        unit: String,
        rows: Vec<OutcomeRow>,
        levels: Vec<LevelMean>,
    ) -> OutcomeFound {
        OutcomeFound {
            outcome,
            unit,
            rows,
            levels,
            contrast: None,
            slope: None,
            answer: None,
            detection: None,
            retest: None,
            also: Vec::new(),
            p_holm: None,
            left_out: Vec::new(),
            lack: None,
        }
    }
}

fn retest(rows: &[OutcomeRow], [first, last]: [&LevelMean; 2]) -> Option<Retest> {
    let of = |rows: &[&OutcomeRow], level: &LevelMean| {
        rows.iter().find(|row| row.level == level.name).map(|row| row.value)
    };
    let people = grouped(rows, |row| row.participant.as_deref());
    let both = people.iter().filter_map(|(_, rows)| Some((of(rows, first)?, of(rows, last)?)));
    let (x, y): (Vec<f64>, Vec<f64>) = both.unzip();
    Some(Retest { r: of_correlation("people", &x, &y).ok()?, people: x.len() })
}

/// The mean of each person at each level, or pair of levels, in the order in which they first come. Each cell of the
/// design that a person has there weighs the same.
fn means(values: &[Value]) -> Vec<OutcomeRow> {
    let mut rows: Vec<(OutcomeRow, Vec<Cell<'_>>)> = Vec::new();
    let mut places = HashMap::new();
    for Value { participant, level, second, cell, value } in values {
        let place = *places.entry((participant, level, second)).or_insert_with(|| {
            let (participant, level, second) = (participant.clone(), level.clone(), second.clone());
            rows.push((
                OutcomeRow { participant, level, second, value: 0.0, trials: 0 },
                Vec::new(),
            ));
            rows.len() - 1
        });
        let (row, cells) = &mut rows[place];
        row.trials += 1;
        let place = cells.iter().position(|known| known.levels == cell).unwrap_or(cells.len());
        if place == cells.len() {
            cells.push(Cell { levels: cell, mean: 0.0, trials: 0 });
        }
        cells[place].take(*value);
    }
    let marginal = |cells: &[Cell<'_>]| {
        cells.iter().map(|cell| cell.mean).sum::<f64>() / cells.len().max(1) as f64
    };
    rows.into_iter().map(|(row, cells)| OutcomeRow { value: marginal(&cells), ..row }).collect()
}

/// The trials of a person with the same levels of all factors.
struct Cell<'a> {
    levels: &'a [Option<String>],
    mean: f64,
    trials: usize,
}

impl Cell<'_> {
    fn take(&mut self, value: f64) {
        self.trials += 1;
        self.mean += (value - self.mean) / self.trials as f64;
    }
}

/// Things under each key, keys in the order in which they first come.
fn grouped<'a, T, K: Eq + Hash + Copy>(
    of: &'a [T],
    key: impl Fn(&'a T) -> K,
) -> Vec<(K, Vec<&'a T>)> {
    let mut groups: Vec<(K, Vec<&T>)> = Vec::new();
    let mut places: HashMap<K, usize> = HashMap::new();
    for one in of {
        let place = *places.entry(key(one)).or_insert_with(|| {
            groups.push((key(one), Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(one);
    }
    groups
}

/// The levels of a factor, in the order of the study.
fn levels<'a>(
    over: &Option<String>,
    rows: &'a [OutcomeRow],
    of: impl Fn(&'a OutcomeRow) -> Option<&'a str>,
    sources: &Sources,
) -> Vec<LevelMean> {
    let mut groups = grouped(rows, of);
    let place =
        over.as_ref().and_then(|over| sources.factors.iter().position(|factor| factor == over));
    let stated = place.and_then(|place| sources.stated.get(place)).filter(|all| !all.is_empty());
    match (place, stated) {
        (_, Some(stated)) => groups.sort_by_key(|(level, _)| {
            stated.iter().position(|one| Some(&**one) == *level).unwrap_or(usize::MAX)
        }),
        (Some(_), None) => groups.sort_by(|(a, _), (b, _)| a.map(natural).cmp(&b.map(natural))),
        (None, None) => {}
    }
    let level = |(name, rows): (Option<&str>, Vec<&OutcomeRow>)| {
        LevelMean::of(name.map(str::to_owned), rows.iter().map(|row| row.value).collect())
    };
    groups.into_iter().map(level).collect()
}

fn contrast(rows: &[OutcomeRow], [less, level]: [&LevelMean; 2]) -> Option<Contrast> {
    let (name, less_name) = (level.name.clone()?, less.name.clone()?);
    let within = |(_, rows): (Option<&str>, Vec<&OutcomeRow>)| {
        let of = |level: &str| rows.iter().find(|row| row.level.as_deref() == Some(level));
        Some(of(&name)?.value - of(&less_name)?.value)
    };
    let people = grouped(rows, |row| row.participant.as_deref());
    let within: Vec<f64> = people.into_iter().filter_map(within).collect();
    let paired = !within.is_empty();
    let groups: &[(f64, &[f64])] = match paired {
        true => &[(1.0, &within)],
        false => &[(1.0, &level.values), (-1.0, &less.values)],
    };
    let of = compared(groups)?;
    Some(Contrast { level: name, less: less_name, paired, ..of })
}

/// The sum of the means of groups, each times its weight, and its size in SDs within them. Whoever asks knows what
/// the levels are called.
fn compared(groups: &[(f64, &[f64])]) -> Option<Contrast> {
    let (difference, freedom) = match groups {
        [(_, values)] => (of_mean("values", values).ok()?, values.len() as f64 - 1.0),
        _ => of_groups("values", groups).ok()?,
    };
    let sd = pooled_sd(groups).filter(|_| groups.len() < 4);
    Some(Contrast {
        level: String::new(),
        less: String::new(),
        by: None,
        difference,
        freedom,
        people: groups.iter().map(|(_, values)| values.len()).sum(),
        paired: groups.len() == 1,
        effect_size: sd.map(|sd| difference.value / sd),
    })
}

/// The SD within groups, taken together: that of one group is its own. `None` where it is 0.
fn pooled_sd(groups: &[(f64, &[f64])]) -> Option<f64> {
    let squares = |(_, group): &(f64, &[f64])| {
        let mean = group.iter().sum::<f64>() / group.len() as f64;
        group.iter().map(|value| (value - mean).powi(2)).sum::<f64>()
    };
    let freedom: usize = groups.iter().map(|(_, group)| group.len().saturating_sub(1)).sum();
    let variance = groups.iter().map(squares).sum::<f64>() / freedom as f64;
    Some(variance.sqrt()).filter(|sd| *sd > 0.0 && sd.is_finite())
}

/// Whether a slope can be taken over levels of these names: three or more, numbers of one unit or of none.
pub fn is_numeric<'a>(names: impl Iterator<Item = &'a str>) -> bool {
    numbers(&names.collect::<Vec<_>>()).is_some()
}

/// The unit of levels and the number in each, where they are three or more, and all of one unit or of none.
fn numbers(names: &[&str]) -> Option<(&'static str, impl Fn(&str) -> Option<f64>)> {
    let quantity = quantities(&["level".to_owned()], |_| names.iter().copied()).pop();
    let per = quantity.as_ref().map_or("", |quantity| quantity.unit());
    let number = move |level: &str| match &quantity {
        Some(quantity) => quantity.of(Some(level)),
        None => level.parse().ok().filter(|number: &f64| number.is_finite()),
    };
    let all = names.len() >= 3 && names.iter().all(|name| number(name).is_some());
    all.then_some((per, number))
}

fn names(levels: &[LevelMean]) -> impl Iterator<Item = &str> {
    levels.iter().filter_map(|level| level.name.as_deref())
}

fn slope(rows: &[OutcomeRow], levels: &[LevelMean], against: f64) -> Option<Slope> {
    let names: Vec<&str> = names(levels).collect();
    let (per, number) = numbers(&names)?;
    let of_person = |(_, rows): (Option<&str>, Vec<&OutcomeRow>)| {
        least_squares(
            rows.iter().filter_map(|row| Some((number(row.level.as_deref()?)?, row.value))),
        )
    };
    let people = grouped(rows, |row| row.participant.as_deref());
    let slopes: Vec<f64> = people.into_iter().filter_map(of_person).collect();
    let mean = of_mean("slopes", &slopes).ok()?;
    let effect_size = pooled_sd(&[(1.0, &slopes)]).map(|sd| (mean.value - against) / sd);
    Some(Slope { mean, per, people: slopes.len(), effect_size })
}

/// The slope of the line of least squares; `None` where all abscissas are the same.
fn least_squares(points: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let points: Vec<(f64, f64)> = points.collect();
    let n = points.len() as f64;
    let (mx, my) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let products: f64 = points.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let squares: f64 = points.iter().map(|(x, _)| (x - mx) * (x - mx)).sum();
    (squares > 0.0).then(|| products / squares)
}

/// One sentence of statistics: what a study came to, with its interval and how many people. The answer in plain words
/// is [`OutcomeFound::plain`].
impl Display for OutcomeFound {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        let what = self.what();
        match (&self.contrast, &self.levels[..]) {
            (Some(contrast), _) => {
                write!(f, "{what}: ")?;
                put(f, &contrast.difference, &unit)?;
                let (how, d) = if contrast.paired { ("paired", "d_z") } else { ("groups", "d_s") };
                write!(f, " ({} people, {how}", contrast.people)?;
                contrast.effect_size.iter().try_for_each(|size| write!(f, ", {d} {size:.2}"))?;
                self.close(f)?;
            }
            (None, _) if self.outcome.is_answered_apart() => self.answered(f)?,
            (None, _) if self.outcome.asks == OutcomeQuestion::Slope => match &self.slope {
                Some(slope) => {
                    write!(f, "{what}: ")?;
                    put(f, &slope.mean, &self.unit_per(slope.per))?;
                    self.put_side(f, &slope.mean)?;
                    write!(f, " ({}", people(slope.people))?;
                    slope.effect_size.iter().try_for_each(|size| write!(f, ", d_z {size:.2}"))?;
                    self.close(f)?;
                }
                None => {
                    write!(f, "{what}: ")?;
                    self.missing().iter().try_for_each(|missing| write!(f, "{missing}"))?;
                }
            },
            (None, [_, ..]) if self.missing().is_some() => {
                let over = self.outcome.over.as_deref().unwrap_or_default();
                write!(f, "{what} over {over}: ")?;
                self.missing().iter().try_for_each(|missing| write!(f, "{missing}"))?;
            }
            (None, [one, ..]) => {
                write!(f, "{what}: ")?;
                match &one.interval {
                    Some(mean) => put(f, mean, &unit)?,
                    None => write!(f, "{}{unit}", shown(one.mean, one.mean))?,
                }
                write!(f, " ({}", people(one.values.len()))?;
                self.close(f)?;
            }
            (None, []) => write!(f, "{what}: no value")?,
        }
        if let Some(slope) = self.slope.as_ref().filter(|_| self.tells_slope()) {
            write!(f, "; slope ")?;
            put(f, &slope.mean, &self.unit_per(slope.per))?;
        }
        if let Some(Retest { r, people: count }) = &self.retest {
            write!(f, "; correlation between them ")?;
            put(f, r, "")?;
            write!(f, " ({})", people(*count))?;
        }
        if let Some(detection) = &self.detection {
            write!(f, "; {detection}")?;
        }
        self.tested(f)?;
        write!(f, ".")
    }
}

impl OutcomeFound {
    /// Ends what stands in brackets: who is not among these people.
    fn close(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        if !self.left_out.is_empty() {
            write!(f, "; left out: {}", named(&self.left_out))?;
        }
        write!(f, ")")
    }

    /// What a value, a curve or a place came to.
    fn answered(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: ", self.what())?;
        let Some(Effect { estimate, unit, people: count, size, .. }) = &self.answer else {
            return self.missing().iter().try_for_each(|missing| write!(f, "{missing}"));
        };
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        put(f, estimate, &unit)?;
        self.put_side(f, estimate)?;
        if self.outcome.asks.is_a_place() && self.is_beyond(estimate.value) {
            write!(f, ", beyond all levels")?;
        }
        write!(f, " ({}", people(*count))?;
        size.iter().try_for_each(|(name, size)| write!(f, ", {name} {size:.2}"))?;
        if let Some(level) = self.best_level().filter(|_| self.outcome.asks.is_a_place()) {
            write!(f, "; of the levels {level} has the {} mean", self.outcome.asks.word())?;
        }
        self.close(f)
    }

    /// On which side of the value that it is held against the interval lies.
    fn put_side(&self, f: &mut Formatter<'_>, estimate: &Estimate) -> std::fmt::Result {
        let Some(value) = self.outcome.value else { return Ok(()) };
        let side = match estimate.holds(value) {
            true => "not told from",
            false if estimate.value > value => "above",
            false => "below",
        };
        write!(f, ", {side} {value}")
    }

    /// Of a contrast only what it asks is said.
    fn tells_slope(&self) -> bool {
        self.outcome.stands == Stands::Outcome && self.outcome.compares_levels()
    }

    /// ` ms per ms`; nothing is said of units that are not there.
    fn unit_per(&self, per: &str) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        let per = if per.is_empty() { "unit" } else { per };
        format!("{unit} per {per}")
    }
}

/// The shares are means over people.
impl Display for Detected {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let n = self.people.len().max(1) as f64;
        let mean = |of: fn(&Detection) -> f64| self.people.iter().map(of).sum::<f64>() / n;
        let (hits, alarms) = (mean(|of| of.hit_rate), mean(|of| of.false_alarm_rate));
        write!(f, "hits {hits:.3}, false alarms {alarms:.3}, criterion ")?;
        match &self.criterion {
            Some(criterion) => put(f, criterion, ""),
            None => write!(f, "{:.2}", mean(|of| of.criterion)),
        }
    }
}

fn people(count: usize) -> String {
    if count == 1 { "1 person".into() } else { format!("{count} people") }
}

/// An estimate with its interval, to three digits of the interval's width.
fn put(f: &mut Formatter<'_>, estimate: &Estimate, unit: &str) -> std::fmt::Result {
    let Some([low, high]) = estimate.ends() else {
        let value = shown(estimate.value, estimate.value);
        return write!(f, "{value}{unit}, without an interval because it is the same for all");
    };
    let [value, low, high] =
        [estimate.value, low, high].map(|number| shown(number, estimate.high - estimate.low));
    write!(f, "{value}{unit}, 95 % interval {low} to {high}")
}

/// With as many decimals as a number of this size needs for three digits. What rounds to 0 has no sign.
fn shown(number: f64, size: f64) -> String {
    let digits =
        if size != 0.0 { (2.0 - libm::log10(size.abs()).floor()).clamp(0.0, 6.0) } else { 1.0 };
    let said = format!("{number:.*}", digits as usize);
    match said.strip_prefix('-') {
        Some(zero) if zero.bytes().all(|digit| matches!(digit, b'0' | b'.')) => zero.to_owned(),
        _ => said,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(who: &str, level: &str, value: f64) -> Value {
        let (participant, level) = (Some(who.into()), Some(level.into()));
        Value { participant, level, value, ..Value::default() }
    }

    fn outcome() -> Outcome {
        Outcome { of: "mean asynchrony".into(), over: Some("delay".into()), ..Outcome::default() }
    }

    /// Differences of -10, -20, -30: mean -20, SD 10, t(2) = 4.302653, so +- 24.841380.
    #[test]
    fn the_last_level_less_the_first_is_paired_within_people() {
        let people = [("a", -10.0), ("b", -20.0), ("c", -30.0)];
        let values: Vec<Value> = people
            .iter()
            .flat_map(|(who, by)| {
                let both = [value(who, "0 ms", 4.0), value(who, "0 ms", 6.0)];
                both.into_iter()
                    .chain([value(who, "50 ms", 5.0 + by / 2.0), value(who, "100 ms", 5.0 + by)])
            })
            .collect();
        let found = found(outcome(), "ms".into(), &values, &Sources::default());
        let contrast = found.contrast.as_ref().unwrap();
        assert_eq!((&*contrast.level, &*contrast.less, contrast.people), ("100 ms", "0 ms", 3));
        assert!(contrast.paired && (contrast.difference.value + 20.0).abs() < 1e-12);
        assert!((contrast.difference.low + 44.841_380).abs() < 1e-4, "{contrast:?}");
        assert!((found.slope.as_ref().unwrap().mean.value + 0.2).abs() < 1e-12);
        assert_eq!(
            found.rows[0],
            OutcomeRow {
                participant: Some("a".into()),
                level: Some("0 ms".into()),
                second: None,
                value: 5.0,
                trials: 2,
            }
        );
        let said = "mean asynchrony: delay 100 ms less 0 ms: -20.0 ms, 95 % interval -44.8 to 4.8 (3 people, \
             paired, d_z -2.00); slope -0.200 ms per ms, 95 % interval -0.448 to 0.048.";
        assert_eq!(found.to_string(), said);
    }

    /// d' and c of 20 of 25 hits and 10 of 25 false alarms, and of 12 of 12 and 0 of 12, are worked out in
    /// [`chronotap_analysis::detection`].
    #[test]
    fn a_signal_is_told_by_d_prime_of_each_person() {
        let answers = |who: &str, level: &str, yes: usize, of: usize| {
            let one = |n| value(who, level, f64::from(u8::from(n < yes)));
            (0..of).map(one).collect::<Vec<Value>>()
        };
        let values = [
            answers("a", "with", 20, 25),
            answers("a", "early", 4, 10),
            answers("a", "late", 6, 15),
            answers("b", "with", 12, 12),
            answers("b", "early", 0, 12),
            answers("c", "with", 3, 3), // never without the signal
        ];
        let stated = Outcome {
            of: "fits".into(),
            is: Some("yes".into()),
            signal: Some("with".into()),
            over: Some("metronome".into()),
            ..Outcome::default()
        };
        let found = detected(stated, &values.concat(), &Sources::default()).unwrap();
        let numbers: Vec<f64> = found.rows.iter().map(|row| row.value).collect();
        assert!((numbers[0] - 1.044_498_707).abs() < 1e-9 && numbers.len() == 2, "{numbers:?}");
        assert!((numbers[1] - 3.537_650_077).abs() < 1e-9);
        let said = found.to_string();
        let begins = "d' of fits = yes, metronome with against the others: 2.3, 95 % interval";
        assert!(said.starts_with(begins), "{said}");
        assert!(
            said.contains("(2 people); hits 0.900, false alarms 0.200, criterion -0.1"),
            "{said}"
        );
    }

    /// Values 1, 2, 3, 4, 5 and 2, 1, 4, 3, 5: r = 0.8; z = 1.098612, its error 1/√2.
    #[test]
    fn two_sessions_have_a_correlation_with_fishers_interval() {
        let both = [("a", 1.0, 2.0), ("b", 2.0, 1.0), ("c", 3.0, 4.0), ("d", 4.0, 3.0)];
        let both = both.into_iter().chain([("e", 5.0, 5.0)]);
        let values: Vec<Value> =
            both.flat_map(|(who, x, y)| [value(who, "1", x), value(who, "2", y)]).collect();
        let sessions = Outcome { over: Some("session".into()), ..outcome() };
        let of = found(sessions, "ms".into(), &values, &Sources::default());
        let Retest { r, people } = of.retest.unwrap();
        assert!((r.value - 0.8).abs() < 1e-12 && people == 5, "{r:?}");
        assert!((r.low + 0.279_640).abs() < 1e-6 && (r.high - 0.986_196).abs() < 1e-6, "{r:?}");
        assert_eq!(found(outcome(), "ms".into(), &values, &Sources::default()).retest, None);
    }

    #[test]
    fn groups_are_compared_by_welch_and_one_value_for_each_person_has_a_mean() {
        let groups = [("a", "x", 1.0), ("b", "x", 3.0), ("c", "y", 7.0), ("d", "y", 9.0)];
        let values: Vec<Value> = groups.iter().map(|(who, l, v)| value(who, l, *v)).collect();
        let contrast =
            found(outcome(), String::new(), &values, &Sources::default()).contrast.unwrap();
        assert!(!contrast.paired && contrast.people == 4);
        assert!((contrast.difference.value - 6.0).abs() < 1e-12);
        // The SD within both groups is the root of 2.
        assert!((contrast.effect_size.unwrap() - 6.0 / f64::sqrt(2.0)).abs() < 1e-12);
        let alone: Vec<Value> = values.into_iter().map(|v| Value { level: None, ..v }).collect();
        let plain = Outcome { over: None, ..outcome() };
        let said = found(plain, "ms".into(), &alone, &Sources::default()).to_string();
        assert!(
            said.starts_with("mean asynchrony: 5.0 ms, 95 % interval -0.8 to 10.8 (4 people)"),
            "{said}"
        );
    }
}
