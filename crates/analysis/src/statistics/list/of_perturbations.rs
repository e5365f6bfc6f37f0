//! Statistics of what perturbations bring about: of the pacing, and of the feedback of single taps.

use crate::statistics::{Needs, Statistic, Unit};

const OF_A_TRIAL: Statistic = Statistic { in_stretch: false, ..Statistic::USUAL };

/// The phase correction response.
pub static CORRECTION_RESPONSE: Statistic = Statistic {
    name: "correction response",
    needs: Needs::Perturbations(|of| of.value, Some(|of| of.estimate)),
    coverage: &[(3, 0.948), (5, 0.939), (10, 0.951), (20, 0.947), (40, 0.948)],
    about: "Phase correction response: the shift of the tap after each perturbation of the pacing, as a share of the perturbation.",
    source: "Repp 2002",
    ..OF_A_TRIAL
};

/// How many responses that is of.
pub static CORRECTION_RESPONSES: Statistic = Statistic {
    name: "correction responses",
    in_stretch: false,
    needs: Needs::Perturbations(|of| Some(of.n as f64), None),
    about: "Perturbations of the pacing that a tap answered.",
    ..Statistic::COUNT
};

/// What an altered feedback tone does to the interval that begins with it.
pub static ALTERED_TONE_RESPONSE: Statistic = Statistic {
    name: "altered tone response",
    unit: Unit::Milliseconds,
    needs: Needs::Altered(
        |of| of.difference_ms.as_ref().ok().map(|found| found.value),
        Some(|of| of.difference_ms.as_ref().ok().copied()),
    ),
    coverage: &[(3, 0.979), (5, 0.964), (10, 0.956), (20, 0.949), (40, 0.949)],
    about: "The interval after a tap whose feedback was altered, less the mean of those without; positive is slower.",
    source: "Wing 1977; Furuya & Soechting 2010",
    ..OF_A_TRIAL
};

/// How many altered tones that is of.
pub static ALTERED_TONES: Statistic = Statistic {
    name: "altered tones",
    in_stretch: false,
    needs: Needs::Altered(|of| Some(of.matched as f64), None),
    about: "Taps with altered feedback and an interval behind them that counts.",
    ..Statistic::COUNT
};
