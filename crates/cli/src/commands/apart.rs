//! A trial that pages show has a processor for itself: what serves and draws them, and whatever else
//! this program does, keeps off it. So a page costs a trial nothing, also on two processors.

use crate::screen::{complain, wrapped};
use anyhow::{Result, bail};
use chronotap_linux::machine::{Root, quiet_processor};
use chronotap_linux::realtime::{Item, Request, ask, keep_off, usable_processors};

/// The processor of the trials: the one that was asked for, else the quietest. All threads and
/// programs that are started from here on keep off it. `None` where any will do: there is one alone.
pub fn set_apart(asked: Option<usize>) -> Result<Option<usize>> {
    if let Some(refused) = asked.and_then(refusal) {
        bail!("--cpu: {}", refused.sentence());
    }
    let usable = usable_processors();
    let Some(cpu) = asked.or_else(|| quiet_processor(&Root::system(), &usable)) else {
        return Ok(None);
    };
    // Whoever started this program may have kept it off already.
    if usable.contains(&cpu) {
        let kept_off = keep_off(cpu);
        if !kept_off.granted {
            complain(&wrapped(&kept_off.sentence(), ""));
        }
    }
    Ok(Some(cpu))
}

/// Why no thread may run on a processor, as one that tries is told.
fn refusal(cpu: usize) -> Option<Item> {
    let request = Request { cpu: Some(cpu), ..Request::nothing() };
    let tried = std::thread::spawn(move || ask(&request).grant().clone()).join();
    tried.ok()?.items.into_iter().find(|item| !item.granted)
}
