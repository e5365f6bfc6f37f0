//! What rules set: single parameters, at once or as a ramp.

use crate::feedback::Voice;
use crate::instant::State;
use crate::pacing::Stream;
use crate::trial::{
    Delay, Glide, Interval, Number, Over, Pitch, Ramp, SetFeedback, SetPacing, Varying, Velocity,
};
use chronotap_core::time::Nanos;

/// Sets a parameter of a pacing stream.
pub fn set_pacing(stream: &mut Stream, value: SetPacing) {
    let p = &mut stream.pacing;
    match value {
        SetPacing::Audible(on) => p.audible = on,
        SetPacing::Interval(interval) => stream.set_interval(Interval::Exact(interval)),
        SetPacing::Beats(beats) => p.beats = beats,
        SetPacing::Channel(channel) => p.tone.channel = channel,
        SetPacing::Note(note) => p.tone.note = note,
        SetPacing::Velocity(velocity) => p.tone.velocity = velocity,
        SetPacing::Duration(duration) => p.tone.duration = duration,
        SetPacing::AccentVelocity(velocity) => p.accent_velocity = velocity,
        SetPacing::AccentNote(note) => p.accent_note = Some(note),
        SetPacing::Jitter(jitter) => p.jitter = jitter,
        SetPacing::Sinusoid(sinusoid) => p.sinusoid = sinusoid,
        SetPacing::AdaptPhase(phase) => p.adapt.iter_mut().for_each(|a| a.phase = phase),
        SetPacing::AdaptPeriod(period) => p.adapt.iter_mut().for_each(|a| a.period = period),
        SetPacing::AdaptAtMost(bound) => p.adapt.iter_mut().for_each(|a| a.at_most = bound),
    }
}

impl State {
    /// Begins a gradual change at instant `at`.
    pub(crate) fn ramp(&mut self, ramp: Ramp, at: Nanos) {
        let over = match (ramp.over, ramp.of) {
            (Over::Time(over), _) => over,
            (Over::Beats(beats), Number::PacingInterval(i) | Number::PacingTempo(i)) => {
                let stream = &mut self.streams[usize::from(i)];
                stream.ramp_interval(ramp.interval, beats, ramp.exponential, at);
                return;
            }
            (Over::Beats(_), _) => Nanos::ZERO, // refused when the file was read
        };
        let glide = |from: f64| Varying {
            from,
            to: ramp.to,
            begin: at,
            over,
            exponential: ramp.exponential,
        };
        self.ramp_in_time(&ramp, at, &glide);
    }

    fn ramp_in_time(&mut self, ramp: &Ramp, at: Nanos, glide: &impl Fn(f64) -> Varying) {
        let of = ramp.of;
        let step = |number: &mut Varying| *number = glide(number.at(at));
        match of {
            Number::PacingInterval(i) => {
                let stream = &mut self.streams[usize::from(i)];
                let glide = interval_glide(stream, ramp, at);
                stream.set_interval(Interval::Ramp(glide));
            }
            Number::PacingTempo(i) => {
                let stream = &mut self.streams[usize::from(i)];
                let glide = interval_glide(stream, ramp, at);
                stream.set_interval(Interval::TempoRamp(glide));
            }
            Number::PacingVelocity(i) => step(&mut self.pacing(i).tone.velocity),
            Number::AccentVelocity(i) => step(&mut self.pacing(i).accent_velocity),
            Number::AdaptPhase(i) => {
                self.pacing(i).adapt.iter_mut().for_each(|a| step(&mut a.phase));
            }
            Number::AdaptPeriod(i) => {
                self.pacing(i).adapt.iter_mut().for_each(|a| step(&mut a.period));
            }
            Number::MaskingRate(i) => step(&mut self.masks[usize::from(i)].masking.rate),
            Number::FeedbackDelay(i)
            | Number::FeedbackFraction(i)
            | Number::FeedbackVelocity(i)
            | Number::FeedbackScale(i)
            | Number::FeedbackTranspose(i) => {
                ramp_voice(&mut self.voices[usize::from(i)], of, at, glide);
            }
        }
    }

    fn pacing(&mut self, index: u16) -> &mut crate::trial::Pacing {
        &mut self.streams[usize::from(index)].pacing
    }
}

/// From the interval as it stands to that of the ramp.
fn interval_glide(stream: &mut Stream, ramp: &Ramp, begin: Nanos) -> Glide {
    let over = match ramp.over {
        Over::Time(over) => over,
        Over::Beats(_) => Nanos::ZERO, // goes another way
    };
    let (from, to) = (stream.ramp_from(begin), ramp.interval);
    Glide { from, to, begin, over, exponential: ramp.exponential }
}

/// A parameter that has another form at the moment (the file is checked for this)
/// takes the form of the ramp and begins at its target.
fn ramp_voice(voice: &mut Voice, of: Number, at: Nanos, glide: &impl Fn(f64) -> Varying) {
    let to = glide(0.0).to;
    let f = &voice.feedback;
    let now = |number: Varying| glide(number.at(at));
    let value = match (of, f.delay, f.velocity, f.pitch) {
        (Number::FeedbackDelay(_), Delay::Constant(ns), ..) => {
            SetFeedback::Delay(Delay::Constant(now(ns)))
        }
        (Number::FeedbackDelay(_), ..) => SetFeedback::Delay(Delay::Constant(glide(to))),
        (Number::FeedbackFraction(_), Delay::Fraction(share), ..) => {
            SetFeedback::Delay(Delay::Fraction(now(share)))
        }
        (Number::FeedbackFraction(_), ..) => SetFeedback::Delay(Delay::Fraction(glide(to))),
        (Number::FeedbackVelocity(_), _, Velocity::Fixed(level), _) => {
            SetFeedback::Velocity(Velocity::Fixed(now(level)))
        }
        (Number::FeedbackVelocity(_), ..) => SetFeedback::Velocity(Velocity::Fixed(glide(to))),
        (Number::FeedbackScale(_), _, Velocity::Scale(by), _) => {
            SetFeedback::Velocity(Velocity::Scale(now(by)))
        }
        (Number::FeedbackScale(_), ..) => SetFeedback::Velocity(Velocity::Scale(glide(to))),
        (_, _, _, Pitch::Transpose(by)) => SetFeedback::Pitch(Pitch::Transpose(now(by))),
        _ => SetFeedback::Pitch(Pitch::Transpose(glide(to))),
    };
    voice.set(value);
}
