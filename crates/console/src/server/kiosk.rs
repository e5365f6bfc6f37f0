//! [`Kiosk`]: the participant's page in a browser of its own that fills the screen. It has a
//! profile of its own too, so that it holds no cookie of the experimenter's and nobody who gets
//! out of the page finds theirs. Whoever has no such browser opens the page in a window.
//!
//! The address lets somebody in, and every user of a computer sees what programs are called with.
//! So the browser is given a file that this user alone can read, and which leads to the address.

use super::apart::{apart, lacks_setsid};
use rustix::fs::{FlockOperation, flock};
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::time::sleep;

/// The programs that are tried, by name.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// A browser that fills the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kiosk {
    pub program: PathBuf,
}

impl Kiosk {
    /// The first browser that is installed, in the folders of `path` (the form of $PATH).
    pub fn find(path: &std::ffi::OsStr) -> Option<Kiosk> {
        let all = std::env::split_paths(path);
        let mut all = all.flat_map(|folder| BROWSERS.map(|name| folder.join(name)));
        all.find(|program| program.is_file()).map(|program| Kiosk { program })
    }

    /// Opens a page. The browser belongs to nobody here: it may outlive the console. Once it has
    /// ended its profile is removed; those that were left by a computer that was switched off are
    /// removed now.
    ///
    /// # Errors
    /// A sentence for whoever pressed, also where the browser ends at once: there is no screen.
    pub(super) async fn open(&self, sockets: &Path, address: &str) -> Result<(), String> {
        let failed = |error: io::Error| format!("{}: {error}", self.program.display());
        forget_left(sockets);
        let (profile, lock) = make_profile(sockets).map_err(failed)?;
        let page = leading_page(&profile.join("open.html"), address).map_err(failed)?;
        let mut browser = apart();
        browser.arg("sh").arg("-c").arg(SCRIPT).arg(&profile);
        browser.arg(&self.program).args(arguments(&profile, &page));
        browser.stdin(Stdio::from(lock)).stdout(Stdio::null()).stderr(Stdio::null());
        let started = browser.status().await;
        let started = started.map_err(lacks_setsid)?;
        if !started.success() {
            return Err(format!("{}: it could not be started", self.program.display()));
        }
        self.stays(&profile).await
    }

    /// A browser that has no screen ends within a moment.
    async fn stays(&self, profile: &Path) -> Result<(), String> {
        for _ in 0..MOMENTS {
            sleep(MOMENT).await;
            if !profile.exists() {
                let name = self.program.display();
                return Err(format!(
                    "{name} ended at once; start chronotap on the screen of this computer, or without --kiosk"
                ));
            }
        }
        Ok(())
    }
}

const MOMENT: Duration = Duration::from_millis(100);
const MOMENTS: u32 = 15;

/// `$0` is the profile, the rest the browser, which is waited for whoever wants this to end.
const SCRIPT: &str = r#"trap : HUP INT TERM
"$@"
cd / && rm -rf -- "$0""#;

const PREFIX: &str = "participant-browser-";

/// A new profile, for this user alone, and its lock, which the browser holds as long as it runs.
fn make_profile(sockets: &Path) -> io::Result<(PathBuf, File)> {
    for number in 1.. {
        let profile = sockets.join(format!("{PREFIX}{number}"));
        match DirBuilder::new().mode(0o700).create(&profile) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => {
                made?;
                let lock = File::create_new(profile.join("lock"))?;
                flock(&lock, FlockOperation::LockExclusive)?;
                return Ok((profile, lock));
            }
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Removes the profiles whose browser runs no more.
fn forget_left(sockets: &Path) {
    let Ok(entries) = std::fs::read_dir(sockets) else { return };
    let all = entries.filter_map(Result::ok);
    let profiles = all.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX));
    for profile in profiles.map(|entry| entry.path()) {
        // One that has no lock is being made at this moment.
        let Ok(lock) = File::open(profile.join("lock")) else { continue };
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok() {
            let _ = std::fs::remove_dir_all(profile); // the next time, then
        }
    }
}

/// Makes a page that leads to the address and that this user alone can read; gives its place.
///
/// # Errors
/// It is there already, or cannot be written.
pub fn leading_page(path: &Path, address: &str) -> io::Result<PathBuf> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    writeln!(
        file,
        "<!doctype html><meta charset=\"utf-8\"><title>Experiment</title>\
         <meta http-equiv=\"refresh\" content=\"0; url={address}\">"
    )?;
    Ok(path.to_owned())
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

    #[test]
    fn a_profile_is_kept_as_long_as_its_browser_runs() {
        let dir = tempfile::tempdir().unwrap();
        let (first, lock) = make_profile(dir.path()).unwrap();
        let (second, _running) = make_profile(dir.path()).unwrap();
        assert_ne!(first, second);
        drop(lock); // as where the computer was switched off
        forget_left(dir.path());
        assert_eq!((first.exists(), second.exists()), (false, true));
    }
}
