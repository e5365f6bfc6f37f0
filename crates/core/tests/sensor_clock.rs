//! The fit of a device's clock: a device of known rate, whose frames are handed over in batches.

use chronotap_core::sensor::DeviceClock;
use chronotap_core::time::Nanos;

/// A generator of pseudo-random numbers below 1 (xorshift64*).
struct Drawn(u64);

impl Drawn {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A device as the firmware makes it: a frame every 7 ms, and up to 1.9 ms later.
struct Device {
    drift_ppm: f64,
    batch_us: f64, // the driver hands over at multiples of this
    wake_us: f64,  // the reader is up to so much later
    drawn: Drawn,
}

impl Device {
    /// Errors of what is mapped, in microseconds, at each frame from the beginning on, and how far
    /// they may be off by the fit's own word.
    fn errors(&mut self, seconds: f64) -> Vec<(f64, f64)> {
        let (offset, rate) = (1e15 + 7e5 * self.drawn.next(), 1.0 + self.drift_ppm * 1e-6);
        let (mut clock, mut due, mut errors) = (DeviceClock::default(), 0.0, Vec::new());
        while due < seconds * 1e6 {
            due += 7_000.0;
            let sent = due + 125.0 * (16.0 * self.drawn.next()).floor();
            let truth = offset + rate * sent;
            let batch = if self.batch_us > 0.0 {
                (truth / self.batch_us).ceil() * self.batch_us
            } else {
                truth
            };
            let read = batch + self.wake_us * self.drawn.next().powi(4);
            clock.hear(sent as i64, Nanos((read * 1e3) as i64));
            // A tap of just before is mapped.
            let at = sent as i64 - 500;
            let fit = clock.fit().unwrap();
            let mapped = fit.at(at).0 as f64 / 1e3;
            let error = mapped - (offset + rate * at as f64);
            errors.push((error, fit.within.as_micros_f64()));
        }
        errors
    }
}

fn percentile(values: impl Iterator<Item = f64>, part: f64) -> f64 {
    let mut all: Vec<f64> = values.collect();
    all.sort_by(f64::total_cmp);
    all[((all.len() - 1) as f64 * part) as usize]
}

#[test]
fn a_crystal_100_ppm_off_and_batches_of_16_ms_leave_half_a_millisecond() {
    for drift_ppm in [-100.0, 0.0, 100.0, 3_000.0] {
        for seed in 1..=2 {
            let drawn = Drawn(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
            let mut device = Device { drift_ppm, batch_us: 16_000.0, wake_us: 300.0, drawn };
            let errors = device.errors(120.0);
            // From one second on: a trial does not begin sooner.
            let since = |from: usize| errors[from..].iter().map(|(error, _)| error.abs());
            let (settled, from_1_s) =
                (percentile(since(1_430), 0.99), percentile(since(143), 0.99));
            println!("{drift_ppm} ppm: p99 {settled:.0} us after 10 s, {from_1_s:.0} after 1 s");
            assert!(settled <= 500.0 && from_1_s <= 500.0, "{drift_ppm} ppm: {settled} {from_1_s}");
            let held = errors[143..].iter().filter(|(error, within)| error.abs() <= *within);
            let share = held.count() as f64 / (errors.len() - 143) as f64;
            println!("{share:.3} are as near as the fit says");
            assert!(share > 0.95, "{share}");
        }
    }
}

#[test]
fn the_rate_of_a_crystal_is_told() {
    for drift_ppm in [-100.0, 50.0] {
        let mut device = Device { drift_ppm, batch_us: 16_000.0, wake_us: 300.0, drawn: Drawn(5) };
        let mut clock = DeviceClock::default();
        for n in 0..8_000_i64 {
            let sent = n * 7_500;
            let truth = sent as f64 * (1.0 + drift_ppm * 1e-6);
            let read = truth + 2_000.0 * device.drawn.next();
            clock.hear(sent, Nanos((read * 1e3) as i64));
        }
        let told = clock.fit().unwrap().drift_ppm();
        assert!((told - drift_ppm).abs() < 5.0, "{told}");
    }
}
