//! [`STANDARD`]: every statistic, in the order of tables. A new one has its line here.
//!
//! The summary and the tables of an analysis have nearly the same statistics in nearly the same
//! order. Where their orders differ, which is kept because people's scripts read them, a statistic
//! has a line for each.

pub mod npvi;
pub mod of_asynchronies;
pub mod of_beats;
pub mod of_correction;
pub mod of_directions;
pub mod of_following;
pub mod of_forces;
pub mod of_intervals;
pub mod of_lateness;
pub mod of_levels;
pub mod of_metre;
pub mod of_perturbations;
pub mod of_responses;
pub mod of_sequences;
pub mod of_taps;
pub mod of_tracking;

use super::Statistic;
use npvi::NPVI;
use of_asynchronies::*;
use of_beats::*;
use of_correction::*;
use of_directions::*;
use of_following::*;
use of_forces::*;
use of_intervals::*;
use of_lateness::*;
use of_levels::*;
use of_metre::*;
use of_perturbations::*;
use of_responses::*;
use of_sequences::*;
use of_taps::*;
use of_tracking::*;

/// A statistic, and where it stands at this place.
pub struct ListedStatistic {
    pub(super) statistic: &'static Statistic,
    pub(super) columns: bool,
    pub(super) rows: bool,
    pub(super) tables: bool,
    pub(super) recorded: bool,
}

/// Every statistic.
pub static STANDARD: &[ListedStatistic] = &[
    everywhere(&TAPS),
    in_tables(&LEFT_OUT_TAPS),
    everywhere(&DEBOUNCED_TAPS),
    everywhere(&INTERVALS),
    in_tables(&LEFT_OUT_INTERVALS),
    recorded(in_summaries(&MEDIAN_INTERVAL)),
    recorded(everywhere(&MEAN_INTERVAL)),
    in_tables(&MEDIAN_INTERVAL),
    recorded(everywhere(&SD_INTERVAL)),
    recorded(everywhere(&CV_INTERVAL)),
    in_tables(&RAW_CV_INTERVAL),
    in_tables(&CLEAN_CV_INTERVAL),
    recorded(everywhere(&RMSSD_INTERVAL)),
    recorded(everywhere(&DRIFT)),
    recorded(everywhere(&NPVI)),
    in_tables(&INTERVAL_LAG_ONE),
    everywhere(&CLOCK_VARIANCE),
    everywhere(&MOTOR_VARIANCE),
    everywhere(&DETRENDED_CLOCK_VARIANCE),
    everywhere(&DETRENDED_MOTOR_VARIANCE),
    in_summaries(&LAG_ONE),
    in_summaries(&EXCLUDED_INTERVALS),
    in_tables(&LEVELS_INADMISSIBLE),
    everywhere(&BEATS),
    everywhere(&MATCHED),
    everywhere(&MISSED),
    in_tables(&LISTENED),
    everywhere(&EXTRA),
    in_tables(&DOUBLED),
    in_tables(&OUTSIDE_WINDOW),
    in_columns(&UNPACED),
    everywhere(&HIT_RATE),
    in_rows(&UNPACED),
    in_tables(&MATCHED_SHARE),
    in_tables(&ASYNCHRONIES),
    in_tables(&LEFT_OUT_ASYNCHRONIES),
    recorded(everywhere(&MEAN_ASYNCHRONY)),
    everywhere(&MEDIAN_ASYNCHRONY),
    recorded(everywhere(&SD_ASYNCHRONY)),
    recorded(everywhere(&MEAN_ABSOLUTE_ASYNCHRONY)),
    recorded(everywhere(&RMS_ASYNCHRONY)),
    in_tables(&ASYNCHRONY_LAG_ONE),
    in_tables(&DIRECTIONS),
    in_tables(&RESULTANT),
    in_tables(&DIRECTION),
    in_tables(&RAYLEIGH_P),
    in_tables(&PHASE_DRIFT),
    in_tables(&ALPHA),
    in_tables(&TIMEKEEPER_SD),
    in_tables(&MOTOR_SD),
    in_tables(&CORRECTED_INTERVALS),
    in_tables(&METRICAL_LEVEL),
    in_tables(&METRICAL_PARITY),
    in_tables(&CORRECTION_RESPONSES),
    in_tables(&CORRECTION_RESPONSE),
    in_tables(&TRACKED_INTERVALS),
    in_tables(&PREDICTION_TRACKING_RATIO),
    in_tables(&PREDICTION_CORRELATION),
    in_tables(&TRACKING_CORRELATION),
    in_tables(&SHARED_INTERVALS),
    in_tables(&FOLLOWING),
    in_tables(&TOGETHER),
    in_tables(&LEADING),
    in_tables(&ALTERED_TONES),
    in_tables(&ALTERED_TONE_RESPONSE),
    in_tables(&NOTES),
    in_tables(&WRONG_NOTES),
    in_tables(&MISSING_NOTES),
    in_tables(&ADDED_NOTES),
    in_tables(&ERROR_RATE),
    in_tables(&FORCE_TAPS),
    in_tables(&MEAN_PEAK_FORCE),
    in_tables(&SD_PEAK_FORCE),
    in_tables(&MEAN_DWELL),
    in_tables(&SD_DWELL),
    in_tables(&UNPACED),
    everywhere(&RESPONSE_ROUNDS),
    everywhere(&COMPLETE_RESPONSES),
    everywhere(&MISSING_RESPONSE_TAPS),
    everywhere(&EXTRA_RESPONSE_TAPS),
    everywhere(&REPRODUCED_INTERVALS),
    everywhere(&MEAN_REPRODUCTION_ERROR),
    everywhere(&SD_REPRODUCTION_ERROR),
    everywhere(&MEAN_ABSOLUTE_REPRODUCTION_ERROR),
    in_summaries(&MEDIAN_LATENESS),
    in_summaries(&P99_LATENESS),
    in_summaries(&GREATEST_LATENESS),
];

/// In the summary, and in the tables of an analysis.
pub const fn everywhere(statistic: &'static Statistic) -> ListedStatistic {
    ListedStatistic { statistic, columns: true, rows: true, tables: true, recorded: false }
}

/// In the tables of an analysis alone.
pub const fn in_tables(statistic: &'static Statistic) -> ListedStatistic {
    ListedStatistic { statistic, columns: false, rows: false, tables: true, recorded: false }
}

/// In the summary alone.
pub const fn in_summaries(statistic: &'static Statistic) -> ListedStatistic {
    ListedStatistic { statistic, columns: true, rows: true, tables: false, recorded: false }
}

/// In the summary's columns.
const fn in_columns(statistic: &'static Statistic) -> ListedStatistic {
    ListedStatistic { statistic, columns: true, rows: false, tables: false, recorded: false }
}

/// In the summary, where it tells one statistic after the other.
const fn in_rows(statistic: &'static Statistic) -> ListedStatistic {
    ListedStatistic { statistic, columns: false, rows: true, tables: false, recorded: false }
}

/// In the summary of data files, too. What they say stays the same, so that it can be proved again:
/// a new statistic is never recorded.
const fn recorded(line: ListedStatistic) -> ListedStatistic {
    ListedStatistic { recorded: true, ..line }
}
