//! [`gather`]: from successive readings of the meter to one figure, or to the reason why
//! there is none.

use chronotap_audio::meter::{Doubt, Meter, Reading};

/// A look at the meter.
pub type Looked = Result<Reading, Doubt>;

/// So many readings are the fewest that can agree.
const FEWEST: usize = 5;
/// Readings further apart than this, and than the noise explains, do not agree.
const AGREEMENT_FRAMES: f64 = 0.01;
/// Frames between two looks at a recording, at 48 kHz a tenth of a second.
const EVERY_FRAMES: usize = 4_800;

/// A round trip on whose figure the readings agree.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundTrip {
    /// The last reading, which has the longest window.
    pub reading: Reading,
    /// All that agree, in frames, oldest first.
    pub frames: Vec<f64>,
    /// Periods that the card missed meanwhile.
    pub xruns: u64,
}

/// Why there is no figure.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Disagreement {
    /// The meter has none. Its reason says what to do.
    #[error("no round trip: {0}")]
    Doubt(#[from] Doubt),
    /// Fewer readings agree than are needed. Measure longer.
    #[error("no round trip: only {0} readings agree, {FEWEST} are needed; measure longer")]
    Few(usize),
    /// Readings differ by more than their noise. Is there one clock, and one path?
    #[error(
        "no round trip: readings differ by {0:.3} frames; do input and output have one clock, and \
         does nothing else sound?"
    )]
    Apart(f64),
}

/// One figure of successive readings. The last must be one; those that follow the last
/// doubt must be enough and must agree.
///
/// # Errors
/// [`Disagreement`].
pub fn gather(looks: &[Looked]) -> Result<RoundTrip, Disagreement> {
    let reading = last(looks)?;
    let since = looks.iter().rposition(Result::is_err).map_or(0, |doubt| doubt + 1);
    let agreed: Vec<Reading> = looks[since..].iter().filter_map(|look| look.ok()).collect();
    if agreed.len() < FEWEST {
        return Err(Disagreement::Few(agreed.len()));
    }
    let frames: Vec<f64> = agreed.iter().map(|reading| reading.frames).collect();
    let (least, most) =
        frames.iter().fold((f64::MAX, f64::MIN), |(least, most), x| (least.min(*x), most.max(*x)));
    let noise = agreed.iter().map(|reading| reading.sd_frames).fold(0.0, f64::max);
    if most - least > AGREEMENT_FRAMES.max(8.0 * noise) {
        return Err(Disagreement::Apart(most - least));
    }
    Ok(RoundTrip { reading, frames, xruns: 0 })
}

/// How it stands in the end. A period that was missed at last does not hide what was
/// wrong before.
fn last(looks: &[Looked]) -> Looked {
    let last = looks.last().copied().unwrap_or(Err(Doubt::TooShort));
    if last != Err(Doubt::Missed) {
        return last;
    }
    let mut doubts = looks.iter().rev().map_while(|look| look.err());
    let tells = |doubt: &Doubt| !matches!(doubt, Doubt::Missed | Doubt::TooShort);
    Err(doubts.find(tells).unwrap_or(Doubt::Missed))
}

/// The round trip of a recording whose first frame was recorded when the first of the
/// tones was played.
///
/// # Errors
/// [`Disagreement`].
pub fn listen(recording: &[f32], rate_hz: f64) -> Result<RoundTrip, Disagreement> {
    let mut meter = Meter::new(rate_hz);
    let mut looks = Vec::new();
    for stretch in recording.chunks(EVERY_FRAMES) {
        meter.listen(stretch);
        looks.push(meter.read());
    }
    // Silence after the tones is no doubt about them.
    let last = looks.iter().rposition(Result::is_ok).map_or(looks.len(), |last| last + 1);
    let silent = |look: &Looked| matches!(look, Err(Doubt::Quiet(_) | Doubt::Unsteady(_)));
    if looks[last..].iter().all(silent) {
        looks.truncate(last);
    }
    gather(&looks)
}

impl RoundTrip {
    /// The standard deviation of the readings in frames (n - 1).
    pub fn sd_frames(&self) -> f64 {
        let n = self.frames.len() as f64;
        let mean = self.frames.iter().sum::<f64>() / n;
        let squares: f64 = self.frames.iter().map(|x| (x - mean).powi(2)).sum();
        (squares / (n - 1.0).max(1.0)).sqrt()
    }
}
