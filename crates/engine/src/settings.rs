//! What rules set: single parameters, at once or as a ramp.

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
        let step = |number: &mut Varying| *number = glide(number.at(at));
        match ramp.of {
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
            Number::FeedbackDelay(i) => {
                let voice = &mut self.voices[usize::from(i)];
                let now =
                    if let Delay::Constant(ns) = voice.feedback.delay { Some(ns) } else { None };
                voice.set(SetFeedback::Delay(Delay::Constant(onward(now, at, glide))));
            }
            Number::FeedbackFraction(i) => {
                let voice = &mut self.voices[usize::from(i)];
                let now =
                    if let Delay::Fraction(by) = voice.feedback.delay { Some(by) } else { None };
                voice.set(SetFeedback::Delay(Delay::Fraction(onward(now, at, glide))));
            }
            Number::FeedbackVelocity(i) => {
                let voice = &mut self.voices[usize::from(i)];
                let now =
                    if let Velocity::Fixed(v) = voice.feedback.velocity { Some(v) } else { None };
                voice.set(SetFeedback::Velocity(Velocity::Fixed(onward(now, at, glide))));
            }
            Number::FeedbackScale(i) => {
                let voice = &mut self.voices[usize::from(i)];
                let now =
                    if let Velocity::Scale(by) = voice.feedback.velocity { Some(by) } else { None };
                voice.set(SetFeedback::Velocity(Velocity::Scale(onward(now, at, glide))));
            }
            Number::FeedbackTranspose(i) => {
                let voice = &mut self.voices[usize::from(i)];
                let now =
                    if let Pitch::Transpose(by) = voice.feedback.pitch { Some(by) } else { None };
                voice.set(SetFeedback::Pitch(Pitch::Transpose(onward(now, at, glide))));
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

/// From its value now. A parameter that has another form at the moment (the file is checked for
/// this) takes the form of the ramp and begins at its target.
fn onward(now: Option<Varying>, at: Nanos, glide: &impl Fn(f64) -> Varying) -> Varying {
    glide(now.map_or_else(|| glide(0.0).to, |number| number.at(at)))
}
