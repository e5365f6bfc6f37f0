//! [`contained`]: work of a library that panics where a file contradicts itself, kept from
//! ending the program and from the screen.
//!
//! A panic's text names a line of somebody else's source; whoever gave the file cannot do
//! anything with it. What the panic means is said by an error of the caller's. Panics in
//! other threads, and of this thread's other work, are shown as ever.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Whether this thread is at work that may panic unseen.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// The hook is the program's, and put in front of the one that was there once for all.
static HOOK: Once = Once::new();

/// What the work gives; nothing where it panicked. What it was changing must not be used
/// then.
pub(super) fn contained<T>(work: impl FnOnce() -> T) -> Option<T> {
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                usual(panic);
            }
        }));
    });
    QUIET.set(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    QUIET.set(false);
    done.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_panics_gives_nothing_and_other_work_what_it_gives() {
        assert_eq!(contained(|| panic!("not to be seen")), None::<u8>);
        assert!(!QUIET.get());
        assert_eq!(contained(|| 7), Some(7));
    }
}
