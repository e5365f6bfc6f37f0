//! [`Kiosk`]: the participant's page in a browser of its own that fills the screen. It has a
//! profile of its own too, so that it holds no cookie of the experimenter's and nobody who gets
//! out of the page finds theirs. Whoever has no such browser opens the page in a window.
//!
//! The address lets somebody in, and every user of a computer sees what programs are called with.
//! So the browser is given a file that this user alone can read, and which leads to the address.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::process::Command;

/// The programs that are tried, by name.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// A browser that fills the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kiosk {
    /// The program.
    pub program: PathBuf,
}

impl Kiosk {
    /// The first browser that is installed, in the folders of `path` (the form of $PATH).
    pub fn find(path: &std::ffi::OsStr) -> Option<Kiosk> {
        let all = std::env::split_paths(path);
        let mut all = all.flat_map(|folder| BROWSERS.map(|name| folder.join(name)));
        all.find(|program| program.is_file()).map(|program| Kiosk { program })
    }

    /// Opens a page. The browser belongs to nobody here: it may outlive the console.
    pub(super) async fn open(&self, sockets: &Path, address: &str) -> Result<(), String> {
        let failed = |error: io::Error| format!("{}: {error}", self.program.display());
        let profile = sockets.join("participant-browser");
        DirBuilder::new().recursive(true).mode(0o700).create(&profile).map_err(failed)?;
        let page = page(&profile, address).map_err(failed)?;
        let mut browser = Command::new("setsid");
        browser.arg("--fork").arg(&self.program).args(arguments(&profile, &page));
        browser.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let started = browser.status().await;
        let started = started.map_err(|error| format!("setsid: {error}; install util-linux"))?;
        match started.success() {
            true => Ok(()),
            false => Err(format!("{}: it could not be started", self.program.display())),
        }
    }
}

/// A page that leads to the address, in the folder of the profile, which is this user's alone.
fn page(profile: &Path, address: &str) -> io::Result<PathBuf> {
    let path = profile.join("open.html");
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
    writeln!(
        file,
        "<!doctype html><meta charset=\"utf-8\"><title>Experiment</title>\
         <meta http-equiv=\"refresh\" content=\"0; url={address}\">"
    )?;
    Ok(path)
}

fn arguments(profile: &Path, page: &Path) -> [String; 6] {
    [
        "--kiosk".into(),
        format!("--user-data-dir={}", profile.display()),
        "--no-first-run".into(),
        "--no-default-browser-check".into(),
        "--disable-features=Translate".into(), // its offer would cover the text
        format!("file://{}", page.display()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    #[test]
    fn the_first_browser_of_the_path_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let path = format!("/nowhere:{}", dir.path().display());
        assert_eq!(Kiosk::find(OsStr::new(&path)), None);
        std::fs::write(dir.path().join("google-chrome"), "").unwrap();
        let program = dir.path().join("google-chrome");
        assert_eq!(Kiosk::find(OsStr::new(&path)), Some(Kiosk { program }));
    }
}
