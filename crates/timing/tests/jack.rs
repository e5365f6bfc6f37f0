//! The loop test through a JACK server with its dummy driver. Passed over, with the
//! reason, where jackd is not installed or a server runs already.

use chronotap_ports::{JackName, JackPort, jack_period};
use chronotap_realtime::{Interrupt, Request};
use chronotap_rehearsal::Rig;
use chronotap_runner::real_time::Settings;
use chronotap_signal::AudioPeriod;
use chronotap_timing::{Report, Test, in_real_time};
use std::io::Write;
use std::process::{Child, Command, Stdio};

/// A server that ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn server() -> Result<(Server, AudioPeriod), &'static str> {
    if jack_period().is_some() {
        return Err("a JACK server runs already");
    }
    let mut jackd = Command::new("jackd");
    jackd.args(["-r", "-d", "dummy", "-r", "48000", "-p", "64"]);
    let jackd = jackd.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let server = Server(jackd.map_err(|_| "jackd is not installed")?);
    let pause = Some(&rustix::time::Timespec { tv_sec: 0, tv_nsec: 100_000_000 });
    for _ in 0..50 {
        let _ = rustix::event::poll(&mut [], pause);
        if let Some(period) = jack_period() {
            return Ok((server, period));
        }
    }
    Err("jackd does not start")
}

#[test]
fn every_message_comes_back_through_a_jack_server() {
    let (_server, period) = match server() {
        Ok(server) => server,
        Err(reason) => {
            let _ = writeln!(std::io::stderr(), "passed over: {reason}");
            return;
        }
    };
    assert_eq!(period, AudioPeriod { frames: 64, rate_hz: 48_000 });
    let port = JackPort::open(&JackName::Loop, &[(0, "input")], &[(0, "output")]);
    let mut rig = Rig::new(1, 1);
    rig.add(Box::new(port.expect("the server runs")), &[0], &[0]).expect("one port");
    let settings = Settings { request: Request::nothing(), spin: false };
    let interrupt = Interrupt::without_signals().expect("a descriptor");
    let test = Test::Loop { inputs: 200 };
    let measured = in_real_time(test, rig, &settings, interrupt, |_| {}).expect("it runs");
    let report = Report::of(&measured, "jack:loop", "jack:loop");
    assert!(report.complete, "{report}");
    assert_eq!(report.messages.faults(), 0, "{report}");
}
