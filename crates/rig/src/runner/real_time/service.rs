//! [`Body`]: the thread that runs trials, from its own side: the loop of a trial, and what
//! is done between two.

use super::exchange::{exchange, exchange_idle};
use super::orders::{Answer, Done, Order, PortsNow};
use super::wait::{Waiter, Woke};
use super::{Assignment, Ready, RealTimeSettings, TrialOutcome};
use crate::recorder::Sender;
use crate::runner::replug::Replug;
use chronotap_core::time::{Clock, Nanos};
use chronotap_engine::action::TrialEnding;
use chronotap_linux::clocks::{Guard, MonotonicClock, thread_cpu_time};
use chronotap_linux::realtime::{Heartbeat, Interrupt, Rights, Usage, Wake, Watchdog, ask};
use chronotap_trial::{Ports, Round, TrialEnd};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::Duration;

/// The longest sleep: often enough to notice a full recorder, rare enough to cost nothing.
const LONGEST_SLEEP: Nanos = Nanos::from_millis(250);
/// What FTAP (Finney 2001) counts the times between services in.
const MILLISECOND: Nanos = Nanos::from_millis(1);
/// A tone that is due for longer is not sent. Only a stop of the whole program makes one so
/// late (SIGSTOP, a virtual machine that stands still): what was missed would come in a
/// burst, to nobody's use.
const OVERDUE: Nanos = Nanos::from_millis(500);
/// How often the ports are asked what they lost, in a running trial.
const LOOK_FOR_LOSSES: Nanos = Nanos::from_millis(100);
/// How often the inputs are emptied between two trials.
const IDLE_LOOK: Duration = Duration::from_millis(20);

/// The thread's own.
pub(super) struct Body {
    ports: Ports,
    replug: Option<Replug>,
    settings: RealTimeSettings,
    interrupt: Interrupt,
    wake: Wake,
    answer: SyncSender<Answer>,
}

/// What the thread was granted, and who watches it.
struct Watched {
    heart: Arc<Heartbeat>,
    watchdog: Watchdog,
    _rights: Rights,
    ready: Ready,
}

impl Watched {
    fn begin(settings: &RealTimeSettings) -> io::Result<Watched> {
        let heart = Heartbeat::new();
        let priority = settings.request.fifo_priority;
        let watchdog = Watchdog::watch_this_thread(Arc::clone(&heart), priority)?;
        let rights = ask(&settings.request);
        let guard = Guard::calibrate();
        let ready = Ready { grant: rights.grant().clone(), guard: guard.span() };
        Ok(Watched { heart, watchdog, _rights: rights, ready })
    }
}

impl Body {
    pub(super) fn new(
        ports: Ports,
        replug: Option<Replug>,
        settings: RealTimeSettings,
        (interrupt, wake): (Interrupt, Wake),
        answer: SyncSender<Answer>,
    ) -> Body {
        Body { ports, replug, settings, interrupt, wake, answer }
    }

    /// Takes orders until nobody gives any.
    pub(super) fn run(mut self, orders: &Receiver<Order>) {
        if let Err(refused) = self.take_orders(orders) {
            let _ = self.answer.send(Answer::Refused(refused)); // fails where the caller has gone
        }
    }

    fn take_orders(&mut self, orders: &Receiver<Order>) -> io::Result<()> {
        let mut watched = Watched::begin(&self.settings)?;
        let guard = Guard::fixed(watched.ready.guard);
        let asked = (self.interrupt, self.wake.clone());
        let mut waiter = Waiter::new(&self.ports, asked, guard, self.settings.spin)?;
        let _ = self.answer.send(Answer::Ready(watched.ready.clone()));
        loop {
            match orders.recv_timeout(IDLE_LOOK) {
                Ok(Order::Run(trial)) => {
                    self.run_trial(*trial, &mut waiter, &watched);
                    if watched.heart.was_demoted() {
                        drop(watched);
                        watched = Watched::begin(&self.settings)?;
                        let _ = self.answer.send(Answer::Ready(watched.ready.clone()));
                    }
                }
                Ok(Order::Look) => {
                    self.look(&mut waiter);
                    self.ports.ask_again();
                    let (gone_inputs, gone_outputs) = self.ports.gone();
                    let (inputs, outputs) = self.ports.of_rig();
                    let looked = PortsNow { gone_inputs, gone_outputs, inputs, outputs };
                    let _ = self.answer.send(Answer::Looked(looked));
                }
                Err(RecvTimeoutError::Timeout) => self.look(&mut waiter),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    /// Between two trials: what came in is dropped, devices that were pulled are given up
    /// and taken back.
    fn look(&mut self, waiter: &mut Waiter) {
        if self.ports.discard() {
            waiter.forget_closed(&self.ports);
        }
        if let Some(replug) = &mut self.replug {
            exchange_idle(replug, &mut self.ports, waiter);
        }
    }

    fn run_trial(&mut self, trial: Assignment, waiter: &mut Waiter, watched: &Watched) {
        let Assignment { engine, mut sender, arrangement, wires, end, keeps_keys } = trial;
        self.look(waiter);
        let mut ports = std::mem::take(&mut self.ports);
        wires.into_iter().for_each(|(index, wire)| ports.replace(index, wire));
        ports.arrange(arrangement);
        ports.drop_overdue(OVERDUE);
        let (usage, cpu) = (Usage::of_this_thread(), thread_cpu_time());
        let (spun, refused) = (waiter.spins.spun(), waiter.spins.refused());
        let before = watched.watchdog.report();
        let mut round = Round { engine, ports, clock: MonotonicClock::start() };
        round.ports.start(round.clock.origin());
        round.ports.keep_keys(keeps_keys);
        sender.begin(round.clock.origin()); // sinks learn of it; taps count from now on
        let mut outcome = self.serve(&mut round, waiter, (&mut sender, &end), &watched.heart);
        end.close();
        round.ports.keep_keys(false);
        outcome.origin = round.clock.origin();
        round.ports.finish();
        hear(&mut round, &mut sender);
        outcome.usage = Usage::of_this_thread() - usage;
        outcome.cpu = thread_cpu_time() - cpu;
        outcome.lost = round.engine.lost();
        outcome.overdue = round.ports.overdue();
        outcome.ports = round.ports.counts();
        round.ports.rest();
        outcome.spun = waiter.spins.spun() - spun;
        outcome.spins_refused = waiter.spins.refused() - refused;
        outcome.watchdog = watched.watchdog.report().since(&before);
        self.ports = round.ports;
        let done = Done { outcome, _engine: round.engine, _sender: sender, _end: end };
        let _ = self.answer.send(Answer::Done(Box::new(done))); // fails where the caller has gone
    }

    /// The loop of the trial.
    ///
    /// Real-time contract: no allocation, lock, log or panic; the system calls are
    /// `ppoll` and the ports' reads and writes.
    fn serve(
        &mut self,
        round: &mut Round<MonotonicClock>,
        waiter: &mut Waiter,
        (sender, end): (&mut Sender, &TrialEnd),
        heart: &Heartbeat,
    ) -> TrialOutcome {
        let longest_sleep = self.settings.serve_every.unwrap_or(LONGEST_SLEEP).min(LONGEST_SLEEP);
        let over_1_ms = (longest_sleep <= MILLISECOND).then_some(0);
        let mut outcome = TrialOutcome { over_1_ms, ..TrialOutcome::default() };
        let (mut before, mut full) = (Nanos::ZERO, false);
        let mut looked = Nanos::ZERO;
        let mut woke = Woke { ready: 0, at: round.clock.now() };
        loop {
            let Woke { ready, at: now } = woke;
            let mut log = |entry| sender.push(entry);
            if let Some(why) = self.must_stop(end, full) {
                round.stop(now, why, &mut log);
            } else {
                round.service(ready, now, &mut log);
            }
            outcome.services += 1;
            outcome.longest_between_services = outcome.longest_between_services.max(now - before);
            if let Some(over) = outcome.over_1_ms.as_mut().filter(|_| now - before > MILLISECOND) {
                *over += 1;
            }
            before = now;
            // After the output: other threads write what these look at, and fetching it takes time.
            hear(round, sender);
            full = sender.is_full();
            if now - looked >= LOOK_FOR_LOSSES {
                looked = now;
                tell_losses(round, sender);
            }
            heart.beat();
            if round.engine.has_ended() {
                outcome.ended = now;
                return outcome;
            }
            if let Some(replug) = &mut self.replug {
                exchange(replug, round, waiter);
            }
            if ready != 0 {
                waiter.forget_closed(&round.ports);
                if round.ports.asks_to_end() {
                    end.request(); // which wakes this thread
                }
            }
            let deadline = round.next().unwrap_or(Nanos::MAX).min(now + longest_sleep);
            woke = waiter.wait(round, deadline);
        }
    }

    /// A disk that refuses ends no trial: its events are kept in memory. What does is a memory
    /// that may hold no more of them.
    fn must_stop(&self, end: &TrialEnd, full: bool) -> Option<TrialEnding> {
        if self.interrupt.requested() || end.is_requested() {
            return Some(TrialEnding::Interrupted);
        }
        full.then_some(TrialEnding::Recorder)
    }
}

/// Records what the ports learned. Real-time contract: as the loop that calls it.
fn hear(round: &mut Round<MonotonicClock>, sender: &mut Sender) {
    round.take_reports(&mut |entry| sender.push(entry));
}

/// Copies what the ports lost to where sinks learn of it. Real-time contract: as the loop
/// that calls it.
fn tell_losses(round: &Round<MonotonicClock>, sender: &Sender) {
    let silent_frames = round.ports.losses(&mut |input, count| sender.overran(input, count));
    sender.fell_silent(silent_frames);
}
