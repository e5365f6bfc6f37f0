//! `console --open`: the experimenter's page in the usual browser of this computer. The address
//! lets somebody in, and every user sees what programs are called with; so the browser is given
//! a file that this user alone can read, which leads to the address. The address works once: when
//! the page is there the file leads nowhere, and the next console writes its own in its place.

use crate::screen::{complain, say};
use chronotap_console::server::leading_page;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What opens a file in the browser that the user has chosen.
const OPENER: &str = "xdg-open";

/// Opens the address, by a file in the folder where sessions and consoles meet, which is this user's
/// alone. Where that fails it is said, and the printed address still works.
pub(super) fn open(sockets: &Path, address: &str) {
    match written(sockets, address).and_then(|page| start(&page)) {
        Ok(()) => say("Your browser opens it now."),
        Err(error) => {
            complain(&format!("--open: {OPENER}: {error}; open the address above by hand"));
        }
    }
}

fn written(sockets: &Path, address: &str) -> io::Result<PathBuf> {
    let page = sockets.join("console.html");
    match std::fs::remove_file(&page) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => leading_page(&page, address),
    }
}

/// Nobody waits for the program: it may be the browser itself.
fn start(page: &Path) -> io::Result<()> {
    let mut program = Command::new(OPENER);
    program.arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    program.spawn().map(drop)
}
