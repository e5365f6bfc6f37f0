//! [`taken_over`]: Ctrl-C where there is no Linux. On Windows what is under way ends in order and keeps what there is;
//! pressed again, or where nothing is to be kept, it ends the program at once. Elsewhere it always does, and what lies
//! on the disk then is what a kill leaves.

use super::CtrlC;
use std::io;

/// Takes it over until what it gives is dropped.
///
/// # Errors
/// What the system refuses.
#[cfg(windows)]
pub(super) fn taken_over() -> io::Result<CtrlC> {
    use std::sync::OnceLock;
    static HEARD: OnceLock<bool> = OnceLock::new();
    if !HEARD.get_or_init(|| ctrlc::set_handler(of_windows::pressed).is_ok()) {
        return Err(io::Error::other("the console does not say when it is pressed"));
    }
    Ok(of_windows::taken())
}

/// The same, where nothing is taken over.
///
/// # Errors
/// None.
#[cfg(not(windows))]
pub(super) fn taken_over() -> io::Result<CtrlC> {
    Ok(CtrlC::asked_by(|| false))
}

#[cfg(windows)]
mod of_windows {
    use super::CtrlC;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Whether somebody asks for it, and whether it was pressed since.
    static ASKED: AtomicBool = AtomicBool::new(false);
    static PRESSED: AtomicBool = AtomicBool::new(false);

    /// In a thread that the console starts.
    pub(super) fn pressed() {
        if !ASKED.load(Ordering::SeqCst) || PRESSED.swap(true, Ordering::SeqCst) {
            std::process::exit(INTERRUPTED);
        }
    }

    /// As a program has it that was interrupted, on every system.
    const INTERRUPTED: i32 = 130;

    pub(super) fn taken() -> CtrlC {
        PRESSED.store(false, Ordering::SeqCst);
        ASKED.store(true, Ordering::SeqCst);
        let asked = Asked;
        CtrlC::asked_by(move || {
            let _until_dropped = &asked;
            PRESSED.load(Ordering::SeqCst)
        })
    }

    struct Asked;

    impl Drop for Asked {
        fn drop(&mut self) {
            ASKED.store(false, Ordering::SeqCst);
        }
    }
}
