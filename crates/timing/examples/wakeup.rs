//! The wake-up test alone: `wakeup INTERVAL_US PRIORITY SECONDS`, as JSON.
use chronotap_realtime::Interrupt;
use chronotap_time::Nanos;
use chronotap_timing::{Course, Length, Probe, Scheduling, WakeupTest, Wakeups};

#[expect(clippy::print_stdout, clippy::unwrap_used)]
fn main() {
    let of = |n: usize| std::env::args().nth(n).unwrap().parse::<i64>().unwrap();
    let test = WakeupTest {
        interval: Nanos::from_micros(of(1)),
        scheduling: if of(2) > 0 { Scheduling::Fifo(of(2) as i32) } else { Scheduling::Ordinary },
        duration: Some(Nanos::from_secs(of(3))),
        wakeups: Wakeups::Held,
        ..WakeupTest::default()
    };
    let mut tell = |_: &_| {};
    let found = test.run(&mut Course::new(Length::Quick, Interrupt::install().unwrap(), &mut tell));
    println!("{}", serde_json::to_string_pretty(&found).unwrap());
}
