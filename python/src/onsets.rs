//! What is made of onsets: which tap answers which beat, the level of the metre, two people
//! together, reproduced rhythms, and what rules of cleaning leave out. Times are in ms.

use crate::groups::{Grouped, Missing::Ascending, Missing::Meant, by_code, times};
use crate::statistics::Rows;
use crate::table::{Field, of_groups, table_of};
use chronotap_analysis::beat_tracking::beat_tracking;
use chronotap_analysis::circular::Circular;
use chronotap_analysis::cleaning::{CleaningRule, Marks, clean};
use chronotap_analysis::correction::in_step::{at_one_rate, in_step};
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::matching::{self, Grid, Matching};
use chronotap_analysis::metre::{self, MetricalLevel, Mode};
use chronotap_analysis::observed::ObservedStream;
use chronotap_analysis::statistics::of_asynchronies::{
    MEAN_ABSOLUTE_ASYNCHRONY, MEAN_ASYNCHRONY, SD_ASYNCHRONY,
};
use chronotap_analysis::{pairs, rhythm};
use chronotap_core::time::Nanos;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Matches taps to beats, both ascending: pairs of places with their asynchronies.
#[pyfunction]
pub fn matching_by_group<'py>(
    py: Python<'py>,
    beats: Grouped<'py>,
    taps: Grouped<'py>,
    window: f64,
    optimal: bool,
) -> Rows<'py> {
    let fields = ["beat", "tap", "asynchrony_ms"].map(Field::Number);
    of_groups(py, [(&beats, Ascending), (&taps, Ascending)], &fields, |[beats, taps], row| {
        for pair in matched(beats, taps, window, optimal).pairs {
            row.count(pair.beat).count(pair.tap).number(pair.asynchrony.as_millis_f64());
        }
        Ok(())
    })
}

/// Taps matched to beats, both in ms: the first in each window, or as well as is possible for all of them.
fn matched(beats: &[f64], taps: &[f64], window: f64, optimal: bool) -> Matching {
    let grid = Grid::new(&ObservedStream::steady("beats", times(beats)), window);
    let taps = times(taps);
    if optimal {
        grid.matched_optimally(&taps)
    } else {
        grid.matched_by(matching::MatchingRule::FirstOnset, &taps)
    }
}

/// How many of the beats a tap answers, and what became of the other taps.
#[pyfunction]
pub fn hits_by_group<'py>(
    py: Python<'py>,
    beats: Grouped<'py>,
    taps: Grouped<'py>,
    window: f64,
    optimal: bool,
) -> Rows<'py> {
    let counts = ["beats", "taps", "matched", "missed", "listened", "extra", "unpaced", "doubled"];
    let names = [&counts[..], &["hit_rate"]].concat();
    let given = [(&beats, Ascending), (&taps, Ascending)];
    let fields: Vec<Field> = names.into_iter().map(Field::Number).collect();
    of_groups(py, given, &fields, |[beats, taps], row| {
        let found = matched(beats, taps, window, optimal);
        row.count(beats.len()).count(taps.len()).count(found.pairs.len());
        row.count(found.missed.len())
            .count(found.listened.len())
            .count(found.extra.len())
            .count(found.unpaced.len());
        row.count(found.doubled.len()).maybe(found.hit_rate());
        Ok(())
    })
}

/// Where taps lie among the beats: positions in beats from 0, and angles on the circle of the part of
/// a beat of which there are `taps_per_beat`.
#[pyfunction]
pub fn positions_by_group<'py>(
    py: Python<'py>,
    beats: Grouped<'py>,
    taps: Grouped<'py>,
    taps_per_beat: u32,
) -> Rows<'py> {
    let fields = ["position_beats", "angle_rad"].map(Field::Number);
    let level = MetricalLevel { taps: taps_per_beat, beats: 1 };
    of_groups(py, [(&beats, Ascending), (&taps, Ascending)], &fields, |[beats, taps], row| {
        let positions = metre::positions(&times(beats), &times(taps));
        for (position, angle) in positions.iter().zip(metre::angles(&positions, level)) {
            row.number(*position).number(angle);
        }
        Ok(())
    })
}

/// The level of the metre at which somebody taps, and whether on the beat.
#[pyfunction]
pub fn tapping_by_group<'py>(
    py: Python<'py>,
    beats: Grouped<'py>,
    taps: Grouped<'py>,
) -> Rows<'py> {
    const MODES: [&str; 3] = ["in phase", "anti-phase", "between"];
    let mut fields = ["taps", "beats", "ratio"].map(Field::Number).to_vec();
    fields.push(Field::Word("mode", &MODES));
    fields.extend(["resultant", "direction_rad"].map(Field::Number));
    of_groups(py, [(&beats, Ascending), (&taps, Ascending)], &fields, |[beats, taps], row| {
        let found = metre::tapping(&times(beats), &times(taps))?;
        row.number(found.level.taps.into()).number(found.level.beats.into()).number(found.ratio);
        row.place(match found.mode {
            Mode::InPhase => 0u8,
            Mode::AntiPhase => 1,
            Mode::Between => 2,
        });
        row.number(found.circular.resultant).maybe(found.circular.direction_rad);
        Ok(())
    })
}

/// How far apart the taps of two people are: of the second against the first.
#[pyfunction]
pub fn together_by_group<'py>(
    py: Python<'py>,
    first: Grouped<'py>,
    second: Grouped<'py>,
) -> Rows<'py> {
    let distances = ["n", "missed", "mean_ms", "sd_ms", "mean_absolute_ms"].map(Field::Number);
    let mut fields = distances.to_vec();
    fields.extend(["relative_distance", "resultant"].map(Field::Number));
    of_groups(py, [(&first, Ascending), (&second, Ascending)], &fields, |[first, second], row| {
        let found = pairs::together(&times(first), &times(second));
        row.count(found.matching.pairs.len()).count(found.matching.missed.len());
        for of in [&MEAN_ASYNCHRONY, &SD_ASYNCHRONY, &MEAN_ABSOLUTE_ASYNCHRONY] {
            row.maybe(found.asynchrony.as_ref().and_then(|found| found.of(of)));
        }
        row.maybe(found.relative_distance);
        row.maybe(found.circular.as_ref().map(|circular: &Circular| circular.resultant));
        Ok(())
    })
}

/// The taps of two whom nothing paces, one beside the other: of each run the places of the first tap
/// of either, among those of the group, and how many taps it has of each. None where they tap at
/// different rates.
#[pyfunction]
pub fn in_step_by_group<'py>(
    py: Python<'py>,
    first: Grouped<'py>,
    second: Grouped<'py>,
) -> Rows<'py> {
    let fields = ["first", "second", "count"].map(Field::Number);
    of_groups(py, [(&first, Ascending), (&second, Ascending)], &fields, |[first, second], row| {
        let (first, second) = (times(first), times(second));
        if at_one_rate(&first, &second) {
            let pairs = pairs::together(&first, &second).matching.pairs;
            in_step(&first, &second, &pairs).into_iter().for_each(|(of, to)| {
                row.count(of.start).count(to.start).count(of.len());
            });
        }
        Ok(())
    })
}

/// How well taps track beats, onsets in ms.
#[pyfunction]
pub fn beat_tracking_by_group<'py>(
    py: Python<'py>,
    beats: Grouped<'py>,
    taps: Grouped<'py>,
) -> Rows<'py> {
    let names = ["f", "precision", "recall", "p", "cml_c", "cml_t", "aml_c", "aml_t"];
    let given = [(&beats, Ascending), (&taps, Ascending)];
    of_groups(py, given, &names.map(Field::Number), |[beats, taps], row| {
        let found = beat_tracking(&times(beats), &times(taps))?;
        row.number(found.f).number(found.precision).number(found.recall).number(found.p);
        for (longest, all) in [found.cml, found.aml] {
            row.number(longest).number(all);
        }
        Ok(())
    })
}

/// Reproductions of one rhythm, all as intervals; for each reproduction the number of its group.
#[pyfunction]
pub fn reproduction_by_group<'py>(
    py: Python<'py>,
    asked: Vec<f64>,
    produced: Vec<Vec<f64>>,
    codes: Vec<i64>,
    groups: usize,
) -> Rows<'py> {
    let by_group = by_code("reproduction", produced.iter().map(|one| times(one)), &codes, groups)?;
    let fields = [
        Field::Number("complete"),
        Field::Number("incomplete"),
        Field::Estimate("tempo"),
        Field::Number("asked_ms"),
        Field::Number("asked_share"),
        Field::Spread("error_ms"),
        Field::Spread("share_error"),
        Field::Spread("drift"),
    ];
    let asked = times(&asked);
    table_of(py, groups, &fields, |group, row| {
        let found = rhythm::reproduction(&asked, &by_group[group])?;
        for of in &found.intervals {
            row.count(found.complete).count(found.incomplete);
            row.estimate(found.tempo.as_ref().ok(), None);
            row.number(of.asked_ms).number(of.asked_share);
            row.spread(of.error_ms.as_ref().ok()).spread(of.share_error.as_ref().ok());
            let drift: Option<&Estimate> = of.drift.as_ref().and_then(|drift| drift.as_ref().ok());
            row.spread(drift);
        }
        Ok(())
    })
}

/// Which taps of runs (onsets, and asynchronies with NaN where there is none), and which of their
/// intervals and asynchronies, rules leave out: a row for each tap, by group.
#[pyfunction]
pub fn cleaned_by_group<'py>(
    py: Python<'py>,
    onsets: Grouped<'py>,
    asynchronies: Grouped<'py>,
    rules: Vec<(String, f64)>,
) -> Rows<'py> {
    let rules: Vec<CleaningRule> = rules.iter().map(rule_of).collect::<PyResult<_>>()?;
    let texts: Vec<String> = rules.iter().map(CleaningRule::to_string).collect();
    let words: Vec<&str> = texts.iter().map(String::as_str).collect();
    let names = ["tap_left_out", "interval_left_out", "asynchrony_left_out"];
    let fields = names.map(|name| Field::Word(name, &words));
    let place = |rule: &Option<CleaningRule>| {
        let place = rule.and_then(|rule| rules.iter().position(|one| *one == rule));
        place.map(|place| place as f64)
    };
    let given = [(&onsets, Ascending), (&asynchronies, Meant)];
    of_groups(py, given, &fields, |[onsets, asynchronies], row| {
        let known = |ms: &f64| (!ms.is_nan()).then(|| Nanos::round_from_f64(*ms * 1e6));
        let asynchronies: Vec<Option<Nanos>> = asynchronies.iter().map(known).collect();
        let found = clean(&times(onsets), &asynchronies, &rules);
        found.marks.iter().for_each(|Marks { tap, interval, asynchrony }| {
            row.maybe(place(tap)).maybe(place(interval)).maybe(place(asynchrony));
        });
        Ok(())
    })
}

/// A rule of cleaning, by its name and number.
fn rule_of((name, number): &(String, f64)) -> PyResult<CleaningRule> {
    Ok(match name.as_str() {
        "debounce_ms" => CleaningRule::Debounce(Nanos::round_from_f64(number * 1e6)),
        "first_taps" => CleaningRule::FirstTaps(*number as usize),
        "interval_outliers" => CleaningRule::IntervalOutliers(*number),
        "asynchrony_outliers" => CleaningRule::AsynchronyOutliers(*number),
        "slips" => CleaningRule::Slips,
        other => return Err(PyValueError::new_err(format!("there is no rule {other:?}"))),
    })
}
