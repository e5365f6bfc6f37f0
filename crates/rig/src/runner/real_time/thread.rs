//! [`TrialThread`]: the thread that runs trials, from the side of whoever has them run.

use super::orders::{Answer, Order, PortsNow};
use super::service::Body;
use super::{Assignment, Ready, RealTimeError, RealTimeSettings, TrialOutcome};
use crate::runner::replug::replug;
use chronotap_core::time::{Clock, Nanos};
use chronotap_linux::clocks::MonotonicClock;
use chronotap_linux::realtime::{Interrupt, Wake};
use chronotap_trial::Ports;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// Stack of the thread; locked and touched before the first trial.
const STACK_BYTES: usize = 1024 * 1024;
/// How often the caller is told of the progress of a trial.
const PROGRESS: Duration = Duration::from_millis(100);

/// A thread that runs trials in real time, one after another, on ports that stay open.
/// Between two trials it reads what comes in, and drops it. Dropped, it ends.
pub struct TrialThread {
    orders: Option<SyncSender<Order>>,
    answers: Receiver<Answer>,
    ready: Ready,
    wake: Wake,
    threads: Vec<JoinHandle<()>>,
}

impl TrialThread {
    /// Starts the thread on these ports. It measures its wake-ups for 10 ms and more;
    /// `meanwhile` is done in that time, by the calling thread.
    ///
    /// # Errors
    /// [`RealTimeError::Setup`].
    pub fn start<T>(
        mut ports: Ports,
        settings: &RealTimeSettings,
        interrupt: Interrupt,
        meanwhile: impl FnOnce() -> T,
    ) -> Result<(TrialThread, T), RealTimeError> {
        let (replug, supervisor) = replug(&mut ports).unzip();
        let (orders, take_order) = sync_channel(1);
        let (answer, answers) = sync_channel(2);
        let wake = Wake::new()?;
        let asked = (interrupt, wake.clone());
        let body = Body::new(ports, replug, settings.clone(), asked, answer);
        let mut threads = Vec::new();
        // It ends when the trials' thread has dropped its end of the queues.
        if let Some(supervisor) = supervisor {
            threads.push(Builder::new().name("replug".into()).spawn(|| supervisor.run())?);
        }
        let builder = Builder::new().name("trial".into()).stack_size(STACK_BYTES);
        threads.push(builder.spawn(move || body.run(&take_order))?);
        let done = meanwhile();
        let ready = match answers.recv() {
            Ok(Answer::Ready(ready)) => ready,
            Ok(Answer::Refused(error)) => return Err(error.into()),
            _ => return Err(RealTimeError::Died),
        };
        Ok((TrialThread { orders: Some(orders), answers, ready, wake, threads }, done))
    }

    /// What was asked and granted.
    pub fn ready(&self) -> &Ready {
        &self.ready
    }

    /// Runs a trial to its end. `progress` is called about ten times a second from the
    /// calling thread, with the time since the trial's start.
    ///
    /// # Errors
    /// [`RealTimeError::Died`].
    pub fn run(
        &mut self,
        assignment: Assignment,
        mut progress: impl FnMut(Nanos),
    ) -> Result<TrialOutcome, RealTimeError> {
        let wake = self.wake.clone();
        assignment.end.wakes(move || wake.wake());
        self.order(Order::Run(Box::new(assignment)))?;
        let clock = MonotonicClock::start();
        loop {
            match self.answers.recv_timeout(PROGRESS) {
                Ok(Answer::Done(done)) => {
                    progress(clock.now());
                    return Ok(done.outcome); // the engine is dropped here, not in real time
                }
                Ok(Answer::Ready(ready)) => self.ready = ready,
                Ok(Answer::Looked(_)) => {}
                Ok(Answer::Refused(error)) => return Err(error.into()),
                Err(RecvTimeoutError::Timeout) => progress(clock.now()),
                Err(RecvTimeoutError::Disconnected) => return Err(RealTimeError::Died),
            }
        }
    }

    /// What the inputs and outputs of the rig are by now, and which of their devices are gone, so
    /// that a trial on them is not begun.
    ///
    /// # Errors
    /// [`RealTimeError::Died`].
    pub fn look(&mut self) -> Result<PortsNow, RealTimeError> {
        self.order(Order::Look)?;
        loop {
            match self.answers.recv() {
                Ok(Answer::Looked(looked)) => return Ok(looked),
                Ok(Answer::Ready(ready)) => self.ready = ready,
                Ok(Answer::Refused(error)) => return Err(error.into()),
                Ok(Answer::Done(_)) => {}
                Err(_) => return Err(RealTimeError::Died),
            }
        }
    }

    fn order(&self, order: Order) -> Result<(), RealTimeError> {
        let orders = self.orders.as_ref().ok_or(RealTimeError::Died)?;
        orders.send(order).map_err(|_| RealTimeError::Died)
    }
}

impl Drop for TrialThread {
    fn drop(&mut self) {
        self.orders = None; // which ends the thread, and that the supervisor
        while let Some(thread) = self.threads.pop() {
            self.threads.iter().for_each(|other| other.thread().unpark());
            let _ = thread.join(); // that it died has been reported already
            self.threads.iter().for_each(|other| other.thread().unpark());
        }
    }
}
