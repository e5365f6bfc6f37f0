//! Statistics of a sequence of keys that is to be played.

use super::of_beats::HIT_RATE;
use crate::estimate::Estimate;
use crate::joined::Scale;
use crate::proportion::proportion;
use crate::sequence::Performed;
use crate::statistics::{Better, Join, Needs, Range, Statistic};

const SOURCE: &str = "Palmer & van de Sande 1993";
const OF_A_TRIAL: Statistic =
    Statistic { in_stretch: false, better: Better::Less, ..Statistic::COUNT };

/// What is counted against.
pub static NOTES: Statistic = Statistic {
    name: "sequence notes",
    better: Better::Neither,
    needs: Needs::Sequence(|of| Some(of.notes as f64), None),
    about: "Notes of the sequence that were reached, those of every round.",
    ..OF_A_TRIAL
};

/// Another key in the place of a note.
pub static WRONG_NOTES: Statistic = Statistic {
    name: "wrong notes",
    needs: Needs::Sequence(|of| Some(of.wrong as f64), None),
    about: "Notes of the sequence in whose place another key was pressed.",
    ..OF_A_TRIAL
};

/// Notes that were left out.
pub static MISSING_NOTES: Statistic = Statistic {
    name: "missing notes",
    needs: Needs::Sequence(|of| Some(of.missing as f64), None),
    about: "Notes of the sequence that were left out.",
    ..OF_A_TRIAL
};

/// Notes that are none of the sequence.
pub static ADDED_NOTES: Statistic = Statistic {
    name: "added notes",
    needs: Needs::Sequence(|of| Some(of.added as f64), None),
    about: "Keys pressed between the notes of the sequence.",
    ..OF_A_TRIAL
};

/// The share of these among all.
pub static ERROR_RATE: Statistic = Statistic {
    name: "error rate",
    range: Range::SHARE,
    better: Better::Less,
    join: Join::Line(Scale::Share),
    in_stretch: false,
    needs: Needs::Sequence(
        |of| Some(of.errors() as f64 / of.places().max(1) as f64),
        Some(by_wilson),
    ),
    coverage: HIT_RATE.coverage,
    about: "Wrong, missing and added notes / (notes + added notes).",
    source: SOURCE,
    ..Statistic::USUAL
};

/// By Wilson's interval.
fn by_wilson(of: &Performed) -> Option<Estimate> {
    proportion(of.errors(), of.places()).ok().map(Estimate::from)
}
