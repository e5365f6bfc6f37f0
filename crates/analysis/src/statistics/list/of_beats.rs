//! Counts of beats and of the taps that answer them.

use crate::estimate::Estimate;
use crate::joined::Scale;
use crate::proportion::proportion;
use crate::statistics::Answered;
use crate::statistics::{Better, Join, Needs, Range, ShownAs, Statistic};

/// Beats.
pub static BEATS: Statistic = Statistic {
    name: "beats",
    needs: Needs::Beats(|of| Some(of.beats as f64), None),
    about: "Beats that sounded.",
    ..Statistic::COUNT
};

/// Beats with a tap.
pub static MATCHED: Statistic = Statistic {
    name: "matched",
    better: Better::More,
    needs: Needs::Beats(|of| Some(of.matched as f64), None),
    about: "Beats with a tap.",
    ..Statistic::COUNT
};

/// Beats without one.
pub static MISSED: Statistic = Statistic {
    name: "missed",
    better: Better::Less,
    needs: Needs::Beats(|of| Some(of.missed() as f64), None),
    shown: ShownAs::Elsewhere,
    about: "Beats without a tap.",
    ..Statistic::COUNT
};

/// Beats that were listened to.
pub static LISTENED: Statistic = Statistic {
    name: "listened",
    needs: Needs::Beats(|of| Some(of.listened as f64), None),
    about: "Beats that were over before the first tap; they are not missed.",
    ..Statistic::COUNT
};

/// Taps without a beat.
pub static EXTRA: Statistic = Statistic {
    name: "extra",
    better: Better::Less,
    needs: Needs::Beats(|of| Some(of.extra as f64), None),
    shown: ShownAs::Elsewhere,
    about: "Taps without a beat while the stream was pacing.",
    ..Statistic::COUNT
};

/// Second taps.
pub static DOUBLED: Statistic = Statistic {
    name: "doubled",
    better: Better::Less,
    needs: Needs::Beats(|of| Some(of.doubled as f64), None),
    about: "Of these, taps in the window of a beat that an earlier tap answers.",
    ..Statistic::COUNT
};

/// Taps that are far from every beat.
pub static OUTSIDE_WINDOW: Statistic = Statistic {
    name: "outside window",
    better: Better::Less,
    needs: Needs::Beats(|of| Some((of.extra - of.doubled) as f64), None),
    about: "Of these, taps in the window of no beat, which are in no asynchrony.",
    ..Statistic::COUNT
};

/// Taps while nothing paced.
pub static UNPACED: Statistic = Statistic {
    name: "unpaced",
    in_stretch: false,
    needs: Needs::Beats(|of| of.unpaced.map(|unpaced| unpaced as f64), None),
    about: "Taps without a beat while the stream was not pacing; over the whole trial.",
    ..Statistic::COUNT
};

/// The share of the beats that have a tap. Not of those that were only listened to.
pub static HIT_RATE: Statistic = Statistic {
    name: "hit rate",
    range: Range::SHARE,
    better: Better::More,
    join: Join::Line(Scale::Share),
    needs: Needs::Beats(
        |of| (of.asked() > 0).then(|| of.matched as f64 / of.asked() as f64),
        Some(by_wilson),
    ),
    #[rustfmt::skip]
    coverage: &[(10, 0.961), (15, 0.927), (20, 0.942), (30, 0.935), (60, 0.933), (120, 0.942), (400, 0.946)],
    about: "Matched beats / (matched + missed).",
    ..Statistic::USUAL
};

/// The share of the taps that have a beat.
pub static MATCHED_SHARE: Statistic = Statistic {
    name: "matched share",
    range: Range::SHARE,
    better: Better::More,
    needs: Needs::Beats(matched_share, None),
    about: "Matched taps / (matched + extra): the share of the taps that the asynchronies are of.",
    ..Statistic::USUAL
};

/// Asynchronies that were left out.
pub static LEFT_OUT_ASYNCHRONIES: Statistic = Statistic {
    name: "left out asynchronies",
    needs: Needs::Beats(|of| Some(of.left_out_asynchronies as f64), None),
    about: "Asynchronies left out by a rule of the analysis.",
    ..Statistic::COUNT
};

fn matched_share(of: &Answered) -> Option<f64> {
    let tapped = of.matched + of.extra;
    (tapped > 0).then(|| of.matched as f64 / tapped as f64)
}

/// By Wilson's interval.
fn by_wilson(of: &Answered) -> Option<Estimate> {
    proportion(of.matched, of.asked()).ok().map(Estimate::from)
}
