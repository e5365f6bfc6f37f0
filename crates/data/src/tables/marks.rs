//! [`Mark`]: what somebody did in a trial that casts doubt on a plain reading of its numbers. The
//! table of trials has it beside them, and the report says it of people.

use crate::tables::TrialRow;
use chronotap_analysis::statistics::Statistic;
use chronotap_analysis::statistics::of_beats::{BEATS, DOUBLED, EXTRA as EXTRA_TAPS, HIT_RATE};
use chronotap_analysis::statistics::of_directions::{
    DIRECTION, DIRECTIONS, PHASE_DRIFT, RESULTANT as LENGTH,
};
use chronotap_analysis::statistics::of_metre::METRICAL_LEVEL;
use std::f64::consts::{FRAC_PI_2, PI};

/// Something to look at before the numbers of a row are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Many beats have no tap.
    Missed,
    /// Many taps have no beat.
    Extra,
    /// Many taps come behind another at the same beat.
    Doubled,
    /// The taps point away from the beat.
    AgainstTheBeat,
    /// The taps point nowhere.
    DoesNotFollow,
    /// The taps move through half a cycle or more.
    HalfCycleDrift,
    /// The taps are those of another level of the metre.
    AnotherLevel,
    /// The taps fit the stream of another input better, and those of that input this one's.
    Swapped,
}

/// Above this share of missed beats they are many.
const MISSED: f64 = 0.2;
/// So many extra or doubled taps for each beat are many.
const EXTRA: f64 = 0.1;
/// Below this length of the mean vector taps say little of a beat.
const RESULTANT: f64 = 0.5;
/// Fewest taps of whose directions anything is said.
const TAPS: f64 = 10.0;

impl Mark {
    /// Every mark, in the order in which they are told.
    pub const ALL: [Mark; 8] = [
        Mark::Missed,
        Mark::Extra,
        Mark::Doubled,
        Mark::AgainstTheBeat,
        Mark::DoesNotFollow,
        Mark::HalfCycleDrift,
        Mark::AnotherLevel,
        Mark::Swapped,
    ];

    /// Its words in the table.
    pub fn word(self) -> &'static str {
        match self {
            Mark::Missed => "missed beats",
            Mark::Extra => "extra taps",
            Mark::Doubled => "doubled taps",
            Mark::AgainstTheBeat => "against the beat",
            Mark::DoesNotFollow => "does not follow the beat",
            Mark::HalfCycleDrift => "half-cycle drift",
            Mark::AnotherLevel => "another metrical level",
            Mark::Swapped => "swapped inputs",
        }
    }

    /// Its words and when it stands.
    pub fn about(self) -> String {
        let when = match self {
            Mark::Missed => "more than a fifth of matched and missed beats",
            Mark::Extra => "more than one for every tenth beat",
            Mark::Doubled => "as many, in the window of a beat that an earlier tap answers",
            Mark::AgainstTheBeat => "mean direction beyond a quarter of the circle, R from 0.5",
            Mark::DoesNotFollow => "R below 0.5",
            Mark::HalfCycleDrift => "directions that move through half a cycle or more",
            Mark::AnotherLevel => "faster or slower than every beat, R from 0.5 at that level",
            Mark::Swapped => "taps of two inputs that each fit the other's stream",
        };
        format!("{} ({when})", self.word())
    }

    /// Whether it stands at a row. None does where two people are held against each other.
    pub fn is_of(self, row: &TrialRow) -> bool {
        !row.of_partners && self.stands(row)
    }

    fn stands(self, row: &TrialRow) -> bool {
        let share =
            |of: &Statistic| row.of(of).zip(row.of(&BEATS)).map_or(0.0, |(n, beats)| n / beats);
        let many = row.of(&DIRECTIONS).is_some_and(|n| n >= TAPS);
        let has = |of: &Statistic, holds: &dyn Fn(f64) -> bool| row.of(of).is_some_and(holds);
        match self {
            Mark::Missed => has(&HIT_RATE, &|rate| 1.0 - rate > MISSED),
            Mark::Extra => share(&EXTRA_TAPS) > EXTRA,
            Mark::Doubled => share(&DOUBLED) > EXTRA,
            Mark::AgainstTheBeat => {
                many && has(&LENGTH, &|r| r >= RESULTANT)
                    && has(&DIRECTION, &|angle| angle.abs() > FRAC_PI_2)
            }
            Mark::DoesNotFollow => {
                let on_the_beat = has(&METRICAL_LEVEL, &|level| level == 1.0);
                many && has(&LENGTH, &|r| r < RESULTANT)
                    && (on_the_beat || row.of(&METRICAL_LEVEL).is_none())
            }
            Mark::HalfCycleDrift => many && has(&PHASE_DRIFT, &|drift| drift.abs() >= PI),
            Mark::AnotherLevel => many && has(&METRICAL_LEVEL, &|level| level != 1.0),
            Mark::Swapped => row.swapped,
        }
    }
}

impl TrialRow {
    /// The marks that stand at it: `missed beats; half-cycle drift`.
    pub fn marks(&self) -> Option<String> {
        let marks = Mark::ALL.iter().filter(|mark| mark.is_of(self));
        let marks: Vec<&str> = marks.map(|mark| mark.word()).collect();
        (!marks.is_empty()).then(|| marks.join("; "))
    }
}
