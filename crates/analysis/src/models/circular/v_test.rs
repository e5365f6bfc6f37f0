//! The V test of directions against an even spread, where the direction to expect is known
//! beforehand: 0 for taps on the beat, π for taps against it (Greenwood & Durand 1955;
//! Batschelet 1981).
//!
//! V = n R cos(μ − μ₀), u = V √(2/n); p = P(Z > u) for a normal Z. Assumes independent taps
//! and a direction that was not chosen by looking at them. The normal distribution is
//! good from about 5 taps on.

use super::describe;
use crate::no_estimate::NoEstimate;
use crate::student::normal_above;
use serde::Serialize;

/// The V test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct VTest {
    /// V = n R cos(μ − μ₀).
    pub v: f64,
    /// u = V √(2/n).
    pub u: f64,
    /// Its probability under an even spread, one-sided.
    pub p: f64,
}

/// Fewest directions that are tested.
pub const FEWEST: usize = 5;

/// Tests angles against an expected direction, both in radians.
pub fn v_test(angles: &[f64], expected: f64) -> Result<VTest, NoEstimate> {
    NoEstimate::unless("taps", angles.len(), FEWEST)?;
    let found = describe(angles).ok_or(NoEstimate::NothingVaries("taps"))?;
    let n = found.n as f64;
    let along = found.direction_rad.map_or(0.0, |direction| libm::cos(direction - expected));
    let v = n * found.resultant * along;
    let u = v * (2.0 / n).sqrt();
    Ok(VTest { v, u, p: normal_above(u) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circular::angles;
    use crate::{near, vector_1};
    use chronotap_core::time::Nanos;

    #[test]
    fn the_worked_example_comes_out() {
        let angles = angles(&vector_1(), Nanos::from_millis(600));
        let found = v_test(&angles, 0.0).unwrap();
        near(found.v, 9.509574, 1e-6);
        near(found.p, 1.0555e-5, 1e-9);
        assert!(v_test(&angles, std::f64::consts::PI).unwrap().p > 0.9999);
        assert!(v_test(&angles[..4], 0.0).is_err());
    }
}
