//! [`Taken`]: a trial of a participant as the section on each participant shows it.

use super::RecordedTrials;
use super::words::kind;
use chronotap_data::tables::{PairCourse, TimeCourse};

/// A trial of a participant, as one input answered one stream.
pub(super) struct Taken<'a> {
    /// Its condition in words.
    pub condition: String,
    /// Its length in seconds.
    pub length_s: f64,
    /// What was tapped.
    pub pair: &'a PairCourse,
}

/// One of the pairs of the trial at a place.
pub(super) fn taken<'a>(
    of: &'a RecordedTrials<'_>,
    place: usize,
    course: &'a TimeCourse,
    pair: &'a PairCourse,
) -> Taken<'a> {
    let condition = kind(of.sources, &of.sources.trials[place]);
    Taken { condition, length_s: course.length_s, pair }
}
