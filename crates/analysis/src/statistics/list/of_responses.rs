//! Statistics of a rhythm that is listened to and reproduced.

use crate::joined::Scale;
use crate::statistics::{Better, Join, Needs, Range, ShownAs, Statistic, Unit};

const SOURCE: &str = "Schmidt & Lee 2005";
const OF_A_RESPONSE: Statistic = Statistic { in_stretch: false, ..Statistic::COUNT };

/// How often it was to be reproduced.
pub static RESPONSE_ROUNDS: Statistic = Statistic {
    name: "response rounds",
    needs: Needs::Response(|of| Some(of.rounds as f64), None),
    about: "How often the stream was to be reproduced.",
    ..OF_A_RESPONSE
};

/// Rounds in which it was.
pub static COMPLETE_RESPONSES: Statistic = Statistic {
    name: "complete responses",
    better: Better::More,
    needs: Needs::Response(|of| Some(of.complete as f64), None),
    about: "Rounds with as many taps as beats. The others reproduce nothing.",
    ..OF_A_RESPONSE
};

/// Taps that were wanting.
pub static MISSING_RESPONSE_TAPS: Statistic = Statistic {
    name: "missing response taps",
    better: Better::Less,
    needs: Needs::Response(|of| Some(of.missing as f64), None),
    about: "Taps that were wanting, over all rounds.",
    ..OF_A_RESPONSE
};

/// Taps beyond the last beat.
pub static EXTRA_RESPONSE_TAPS: Statistic = Statistic {
    name: "extra response taps",
    better: Better::Less,
    needs: Needs::Response(|of| Some(of.extra as f64), None),
    about: "Taps beyond the last beat, over all rounds.",
    ..OF_A_RESPONSE
};

/// Intervals.
pub static REPRODUCED_INTERVALS: Statistic = Statistic {
    name: "reproduced intervals",
    needs: Needs::Response(|of| Some(of.overall().intervals as f64), None),
    about: "Intervals that were reproduced, over all complete rounds.",
    ..OF_A_RESPONSE
};

/// The constant error.
pub static MEAN_REPRODUCTION_ERROR: Statistic = Statistic {
    name: "mean reproduction error",
    unit: Unit::Milliseconds,
    in_stretch: false,
    needs: Needs::Response(|of| of.overall().error_ms, Some(|of| Some(of.error_ms))),
    shown: ShownAs::Column("constant error (ms)", 1),
    #[rustfmt::skip]
    coverage: &[(2, 0.942), (3, 0.938), (5, 0.936), (8, 0.945), (12, 0.941), (20, 0.945), (40, 0.946)],
    about: "Mean of reproduced - heard over them: the constant error; positive is too long.",
    source: SOURCE,
    ..Statistic::USUAL
};

/// The variable error.
pub static SD_REPRODUCTION_ERROR: Statistic = Statistic {
    name: "sd reproduction error",
    unit: Unit::Milliseconds,
    range: Range::FROM_ZERO,
    better: Better::Less,
    join: Join::Line(Scale::Positive),
    in_stretch: false,
    needs: Needs::Response(|of| of.overall().sd_ms, Some(|of| of.sd_ms)),
    shown: ShownAs::Column("variable error (ms)", 1),
    #[rustfmt::skip]
    coverage: &[(2, 0.983), (3, 0.983), (5, 0.970), (8, 0.964), (12, 0.949), (20, 0.944), (40, 0.946)],
    about: "The variable error: SD of the errors about the mean of each interval of the rhythm, pooled.",
    source: SOURCE,
    ..Statistic::USUAL
};

/// The absolute error.
pub static MEAN_ABSOLUTE_REPRODUCTION_ERROR: Statistic = Statistic {
    name: "mean absolute reproduction error",
    unit: Unit::Milliseconds,
    range: Range::FROM_ZERO,
    better: Better::Less,
    join: Join::Line(Scale::Positive),
    in_stretch: false,
    needs: Needs::Response(|of| of.overall().absolute_error_ms, Some(|of| of.absolute_error_ms)),
    shown: ShownAs::Column("absolute error (ms)", 1),
    #[rustfmt::skip]
    coverage: &[(2, 0.946), (3, 0.934), (5, 0.930), (8, 0.939), (12, 0.928), (20, 0.935), (40, 0.940)],
    about: "Mean size of the errors.",
    source: SOURCE,
    ..Statistic::USUAL
};
