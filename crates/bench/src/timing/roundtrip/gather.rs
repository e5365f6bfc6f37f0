//! [`gather`]: from successive readings of the meter to one figure, or to the reason why
//! there is none.

use chronotap_audio::meter::{Meter, MeterDoubt, Reading};

/// A look at the meter.
pub type MeterLook = Result<Reading, MeterDoubt>;

/// So many readings are the fewest that can agree.
const FEWEST: usize = 5;
/// Readings further apart than this, and than the noise explains, do not agree.
const AGREEMENT_FRAMES: f64 = 0.01;
/// Frames between two looks at a recording, at 48 kHz a tenth of a second.
const EVERY_FRAMES: usize = 4_800;

/// A round trip on whose figure the readings agree.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundTrip {
    /// The last reading, which has the longest window where no period was missed.
    pub reading: Reading,
    /// All that agree, in frames, oldest first.
    pub frames: Vec<f64>,
    /// Periods that the card missed meanwhile.
    pub xruns: u64,
}

/// Why there is no figure.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Disagreement {
    /// The meter has none.
    #[error("no round trip: {0}")]
    Doubt(#[from] MeterDoubt),
    /// Fewer readings agree than are needed.
    #[error("no round trip: only {0} readings agree, {FEWEST} are needed")]
    Few(usize),
    /// Readings differ by more than their noise.
    #[error("no round trip: readings differ by {0:.3} frames")]
    Apart(f64),
}

/// One figure of successive readings: of those that follow the last doubt, which must be enough
/// and must agree. A period that the card missed is no doubt of that kind: it ends a stretch of
/// readings, and the next one goes on with them.
///
/// # Errors
/// [`Disagreement`].
pub fn gather(looks: &[MeterLook]) -> Result<RoundTrip, Disagreement> {
    let told = looks.iter().rposition(tells).ok_or_else(|| nothing_told(looks))?;
    let reading = looks[told]?;
    let since = looks.iter().rposition(|look| look.is_err() && tells(look));
    let agreed: Vec<Reading> =
        looks[since.map_or(0, |doubt| doubt + 1)..].iter().filter_map(|look| look.ok()).collect();
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

/// Whether a look says anything of the loop: one after a missed period, or of too little, does not.
fn tells(look: &MeterLook) -> bool {
    !matches!(look, Err(MeterDoubt::Missed | MeterDoubt::TooShort))
}

fn nothing_told(looks: &[MeterLook]) -> MeterDoubt {
    if looks.contains(&Err(MeterDoubt::Missed)) { MeterDoubt::Missed } else { MeterDoubt::TooShort }
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
    let silent =
        |look: &MeterLook| matches!(look, Err(MeterDoubt::Quiet(_) | MeterDoubt::Unsteady(_)));
    if looks[last..].iter().all(silent) {
        looks.truncate(last);
    }
    gather(&looks)
}

impl RoundTrip {
    /// The standard deviation of the readings in frames (n - 1).
    pub fn sd_frames(&self) -> f64 {
        crate::timing::sd(&self.frames)
    }
}
