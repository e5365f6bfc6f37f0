//! [`Process`]: what makes sound, or listens to it, one period at a time; the one
//! interface between a sound card and everything that is played or measured on it.
//!
//! Whether the periods come from JACK, from ALSA, from a timer or from a file written
//! offline is not known here, and neither is the time of day: a period says which frame
//! it begins with, and whoever needs the time of a frame asks the card.

/// One period of sound: what came in, and what shall go out. All channels have the same
/// number of frames.
#[derive(Debug)]
pub struct Period<'a> {
    /// Number of its first frame since the card started; frames are missing where the
    /// card lost some.
    pub frame: u64,
    /// Frames a second.
    pub rate_hz: u32,
    /// What came in, in -1..=1, a slice for each channel.
    pub inputs: &'a [&'a [f32]],
    /// What shall go out, in -1..=1, a slice for each channel; silent as it is handed over.
    pub outputs: &'a mut [&'a mut [f32]],
}

impl Period<'_> {
    /// How many frames it has; 0 where there is no channel at all.
    pub fn frames(&self) -> usize {
        let outputs = self.outputs.first().map(|channel| channel.len());
        outputs.or(self.inputs.first().map(|channel| channel.len())).unwrap_or(0)
    }

    /// Makes what shall go out fit to be played: what is beyond full scale is cut off, and
    /// what is no number or infinite becomes silence. Says of how many frames.
    ///
    /// Real-time contract: no allocation, lock or system call; bounded by the period.
    pub fn make_fit(&mut self) -> Unfit {
        let mut unfit = Unfit::default();
        for channel in self.outputs.iter_mut() {
            let (mut clipped, mut silenced) = (0, 0);
            for sample in channel.iter_mut().filter(|sample| sample.is_nan() || sample.abs() > 1.0)
            {
                if sample.is_finite() {
                    clipped += 1;
                    *sample = sample.signum();
                } else {
                    silenced += 1;
                    *sample = 0.0;
                }
            }
            unfit.clipped = unfit.clipped.max(clipped);
            unfit.silenced = unfit.silenced.max(silenced);
        }
        unfit
    }
}

/// How many frames of a period were not fit to be played as they were; of the channel that
/// has most of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unfit {
    /// Louder than full scale, and cut off.
    pub clipped: u64,
    /// No number (NaN) or infinite, and silenced.
    pub silenced: u64,
}

/// What is called once a period.
///
/// Real-time contract of [`Process::process`]: called in the card's real-time thread;
/// never allocates, locks, blocks, logs or panics; returns well within the period.
pub trait Process: Send {
    /// Takes what came in and adds what shall go out.
    fn process(&mut self, period: &mut Period<'_>);
}

/// The parts of a rig sound one after the other, each adding to what the earlier ones put
/// out.
impl<A: Process, B: Process> Process for (A, B) {
    fn process(&mut self, period: &mut Period<'_>) {
        self.0.process(period);
        self.1.process(period);
    }
}

/// Nobody sounds or listens.
impl Process for () {
    fn process(&mut self, _: &mut Period<'_>) {}
}

impl<P: Process + ?Sized> Process for Box<P> {
    fn process(&mut self, period: &mut Period<'_>) {
        (**self).process(period);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds a constant to every output.
    struct Constant(f32);

    impl Process for Constant {
        fn process(&mut self, period: &mut Period<'_>) {
            let channels = period.outputs.iter_mut();
            channels.for_each(|channel| channel.iter_mut().for_each(|sample| *sample += self.0));
        }
    }

    #[test]
    fn two_processes_add_to_the_same_output() {
        let (mut left, mut right) = ([0.0; 4], [0.0; 4]);
        let outputs = &mut [&mut left[..], &mut right[..]];
        let mut period = Period { frame: 0, rate_hz: 48_000, inputs: &[], outputs };
        (Constant(0.25), Box::new(Constant(0.5))).process(&mut period);
        assert_eq!(period.frames(), 4);
        assert_eq!((left, right), ([0.75; 4], [0.75; 4]));
    }

    #[test]
    fn what_is_no_number_is_silenced_and_what_is_too_loud_is_cut_off() {
        let mut left = [0.5, f32::NAN, f32::INFINITY, -1.0];
        let mut right = [1.5, -1e30, f32::NEG_INFINITY, 1.0];
        let outputs = &mut [&mut left[..], &mut right[..]];
        let mut period = Period { frame: 0, rate_hz: 48_000, inputs: &[], outputs };
        assert_eq!(period.make_fit(), Unfit { clipped: 2, silenced: 2 });
        assert_eq!(period.make_fit(), Unfit::default());
        assert_eq!((left, right), ([0.5, 0.0, 0.0, -1.0], [1.0, -1.0, 0.0, 1.0]));
    }

    #[test]
    fn a_period_without_outputs_is_as_long_as_its_inputs() {
        let input = [0.0; 3];
        let period = Period { frame: 9, rate_hz: 48_000, inputs: &[&input], outputs: &mut [] };
        assert_eq!(period.frames(), 3);
    }
}
