//! Where taps begin in the signal of a sensor: a contact or piezo, a force sensor, a
//! microphone in air, or the stimulus on a cable.
//!
//! Background: a level that is passed says that there is a tap, but a soft or slow tap
//! passes it later than a hard one, and noise and hum pass it, too. Solution, in four steps:
//!
//! 1. The *band* of the [`Sensor`] is kept: a highpass and a lowpass of second order
//!    (Butterworth; Bristow-Johnson, "Cookbook formulae for audio equalizer biquad filter
//!    coefficients", 1994).
//! 2. *Hum* of the mains is taken off by its own mean course over one period ([`Hum`]).
//! 3. A tap is *found* where the root of the mean square of the last `window_s` reaches the
//!    threshold. There is no other before the least gap is over and this level has been below
//!    a share of the threshold for 10 ms (hysteresis).
//! 4. Its *onset* is on the flank of its first half-wave that rises out of the noise: where a
//!    straight line through a fifth and three fifths of its peak meets zero, so
//!    `onset = 1.5 t(1/5) - 0.5 t(3/5)`, less the delay of the lowpass.
//!
//! Why it works: both shares lie at the same places of the flank however strong, and
//! whichever way up, the tap is. A flank that begins as a straight line or a sine has its
//! onset within a hundredth of its rise; one that begins as a parabola (a raised cosine) is
//! told late by a sixth of its rise. Passing a level, as others do, is late by the whole
//! time to the level.
//!
//! Latency: a tap is told `attack_s` after it was found, when its peak is known.
//!
//! [`Survey`] listens to a whole recording first and proposes threshold and hum; [`TestTaps`] to a
//! hand that shows soft taps and hard ones.
//! [`TapShape`] makes taps whose onset is known, for tests and rehearsals.

mod detector;
mod filter;
mod hum;
mod kinds;
mod said;
mod shape;
mod survey;
mod test_taps;

pub use detector::{Detector, FoundTap, Listening};
pub use hum::Hum;
pub use kinds::{Polarity, SENSORS, Sensor, sensor_named};
pub use said::{db_of, full_scale_of};
pub use shape::{TAP_SHAPES, TapShape};
pub use survey::{Survey, Surveyed};
pub use test_taps::{NoLevelBetween, TestPart, TestTap, TestTaps};
