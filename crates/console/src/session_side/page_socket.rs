//! [`PageSocket`]: the socket of a session. Each page has a connection of its own and a thread that
//! serves it, so that one that does not read delays nobody: what it has not read waits in the
//! history, which all share.

use super::page_state::PageState;
use crate::request::{ConsoleRequest, Role};
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::{MonotonicClock, sleep_until};
use serde_json::json;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::Builder;
use std::time::Duration;

/// Bytes of a request.
const LONGEST_REQUEST: u64 = 64 * 1024;
/// How long a request may take to come, and how long a page may take nothing of what it is told.
const PATIENCE: Duration = Duration::from_secs(5);
/// The least time between two tellings of one page, about that of a frame on a screen: a lively
/// trial wakes nobody more often. A single tap is told at once.
const FRAME: Nanos = Nanos::from_millis(16);
/// How often an empty line is sent, so that a page that has gone is noticed.
const SIGN_OF_LIFE: Duration = Duration::from_millis(500);
/// Stack of a thread that serves a connection, in bytes. Threads of a session are locked into
/// memory whole, so they are small.
const STACK: usize = 256 * 1024;

/// Why there is no socket.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}; the console's socket cannot be opened there", path.display())]
pub struct PageSocketError {
    path: PathBuf,
    source: io::Error,
}

/// The socket. Dropped, it is removed, once everybody who came was told all.
#[derive(Debug)]
pub struct PageSocket {
    path: PathBuf,
    page_state: Arc<PageState>,
}

impl PageSocket {
    /// Opens the socket for this user alone, and serves whoever connects.
    ///
    /// # Errors
    /// [`PageSocketError`] where something stands at the path, or the system refuses.
    pub fn open(path: &Path, page_state: &Arc<PageState>) -> Result<PageSocket, PageSocketError> {
        let refused = |source| PageSocketError { path: path.to_owned(), source };
        let listener = listen(path).map_err(refused)?;
        let page_socket = PageSocket { path: path.to_owned(), page_state: Arc::clone(page_state) };
        let page_state = Arc::clone(page_state);
        let thread = Builder::new().name("console".into()).stack_size(STACK);
        thread.spawn(move || accept(&listener, &page_state)).map_err(refused)?;
        Ok(page_socket)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Until everybody who has connected is being served. They are let in one after another, so
    /// that a connection of our own that was answered is behind them all.
    fn let_in_who_waits(&self) -> io::Result<()> {
        let mut last = UnixStream::connect(&self.path)?;
        last.shutdown(Shutdown::Write)?;
        last.read_to_end(&mut Vec::new())?;
        Ok(())
    }
}

impl Drop for PageSocket {
    /// The end of a session is known here alone, and nobody can ask for it later. So it is waited
    /// for that all were told, and not for a time: how long that takes depends on the computer.
    fn drop(&mut self) {
        self.page_state.close();
        let _ = self.let_in_who_waits(); // nobody waits where there is no socket any more
        let _ = std::fs::remove_file(&self.path); // who connects meanwhile finds it closed
        self.page_state.wait_until_all_are_told();
    }
}

/// A socket at this path at which somebody listens from the moment that it is there: it gets its
/// name last. A session that was killed leaves its socket, and the numbers of processes come round
/// again: one at which nobody listens makes room.
fn listen(path: &Path) -> io::Result<UnixListener> {
    if path.symlink_metadata().is_ok() && !is_left_over(path) {
        return Err(io::ErrorKind::AddrInUse.into());
    }
    let nameless = path.with_extension("opening");
    match std::fs::remove_file(&nameless) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(&nameless)?;
    std::fs::set_permissions(&nameless, std::fs::Permissions::from_mode(0o600))?;
    std::fs::rename(&nameless, path)?;
    Ok(listener)
}

fn is_left_over(path: &Path) -> bool {
    let is_socket = std::fs::symlink_metadata(path).is_ok_and(|file| file.file_type().is_socket());
    let refused = |error: io::Error| error.kind() == io::ErrorKind::ConnectionRefused;
    is_socket && UnixStream::connect(path).is_err_and(refused)
}

fn accept(listener: &UnixListener, page_state: &Arc<PageState>) {
    for stream in listener.incoming() {
        let Ok(stream) = stream else { continue };
        if !page_state.opens() {
            continue; // dropped, so closed
        }
        let of_thread = Arc::clone(page_state);
        let thread = Builder::new().name("console page".into()).stack_size(STACK);
        let begun = thread.spawn(move || {
            let _ = serve(stream, &of_thread); // who has gone is told nothing
            of_thread.closes();
        });
        if begun.is_err() {
            page_state.closes();
        }
    }
}

fn serve(stream: UnixStream, page_state: &PageState) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut line = String::new();
    BufReader::new((&stream).take(LONGEST_REQUEST)).read_line(&mut line)?;
    match ConsoleRequest::read(&line) {
        Ok(ConsoleRequest::Watch { since, role }) => {
            if !page_state.comes(role) {
                return Ok(()); // so it is closed
            }
            let told = tell(&stream, page_state, role, since);
            page_state.goes(role);
            told
        }
        Ok(ConsoleRequest::Look) => {
            writeln!(&stream, "{}", page_state.scene_line().unwrap_or_default())
        }
        Ok(ConsoleRequest::Do { role, command }) => {
            let reply = match page_state.obey(role, command) {
                Ok(()) => json!({ "ok": true }),
                Err(refusal) => json!({ "error": refusal.to_string() }),
            };
            writeln!(&stream, "{reply}")
        }
        Err(refusal) => writeln!(&stream, "{}", json!({ "error": refusal.to_string() })),
    }
}

/// Until nothing more comes, or nobody reads any more.
fn tell(
    mut stream: &UnixStream,
    page_state: &PageState,
    role: Role,
    mut last: u64,
) -> io::Result<()> {
    while let Some(lines) = page_state.lines(role, last, SIGN_OF_LIFE) {
        let mut text = String::new();
        for (id, line) in &lines {
            text += line;
            text.push('\n');
            last = *id;
        }
        if lines.is_empty() {
            text.push('\n');
        }
        stream.write_all(text.as_bytes())?;
        page_state.look_for_life(MonotonicClock::raw());
        sleep_until(MonotonicClock::raw() + FRAME);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shown::Shown;
    use std::thread;

    #[test]
    fn the_socket_of_a_killed_session_makes_room_and_that_of_a_live_one_does_not() {
        let dir = tempfile::tempdir().unwrap();
        let (path, page_state) = (dir.path().join("session-1.socket"), PageState::new());
        drop(UnixListener::bind(&path).unwrap()); // as a killed one leaves it
        let _door = PageSocket::open(&path, &page_state).unwrap();
        assert!(PageSocket::open(&path, &page_state).is_err());
        let file = dir.path().join("session-2.socket");
        std::fs::write(&file, "no socket").unwrap();
        assert!(PageSocket::open(&file, &page_state).is_err() && file.exists());
    }

    /// A sleep is never shorter than it was asked for, so that this holds on any machine.
    #[test]
    fn however_much_is_told_a_page_hears_of_it_once_a_frame_at_most_and_of_all() {
        const LINES: usize = 2_000;
        let remark = |text: String| Shown::Remark { at: String::new(), text };
        let page_state = PageState::new();
        let (mut page, session) = UnixStream::pair().unwrap();
        let (told, telling) = (Arc::clone(&page_state), Arc::clone(&page_state));
        let begun = MonotonicClock::raw();
        let served = thread::spawn(move || tell(&session, &told, Role::Experimenter, 0));
        let teller = thread::spawn(move || {
            for n in 0..LINES {
                telling.tell(remark(format!("line-{n}")));
                sleep_until(MonotonicClock::raw() + Nanos::from_micros(50));
            }
        });
        let (mut lines, mut times) = (0, 0);
        let mut bytes = vec![0; 1 << 20];
        while lines < LINES {
            let read = page.read(&mut bytes).unwrap();
            times += 1;
            lines += String::from_utf8_lossy(&bytes[..read]).matches("line-").count();
        }
        teller.join().unwrap();
        let frames = (MonotonicClock::raw() - begun).0 / FRAME.0 + 2;
        assert!(times <= frames, "{times} times in {frames} frames");
        drop(page);
        page_state.tell(remark("to nobody".into()));
        assert!(served.join().unwrap().is_err(), "who has gone is noticed");
    }

    /// Some of them are still in the queue of the socket then, and none has read a line.
    #[test]
    fn everybody_who_came_is_told_the_end_before_the_door_is_closed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("session-1.socket");
        let page_state = PageState::new();
        let page_socket = PageSocket::open(&path, &page_state).unwrap();
        let text = "x".repeat(1 << 20); // more than a socket holds
        page_state.tell(Shown::Remark { at: String::new(), text });
        let pages: Vec<_> = (0..20).map(|_| watch(&path, Role::Experimenter)).collect();
        page_state.tell(Shown::Remark { at: String::new(), text: "the end".into() });
        let closed = thread::spawn(move || drop(page_socket));
        for mut page in pages {
            let mut told = String::new();
            page.read_to_string(&mut told).unwrap();
            assert!(told.trim_end().ends_with(r#""text":"the end"}"#), "{} bytes", told.len());
        }
        closed.join().unwrap();
        assert!(UnixStream::connect(&path).is_err());
    }

    #[test]
    fn a_look_is_one_line_whatever_was_told_before_and_however_many_pages_there_are() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("session-1.socket");
        let page_state = PageState::new();
        let _door = PageSocket::open(&path, &page_state).unwrap();
        let remark = || Shown::Remark { at: String::new(), text: "noise".into() };
        (0..1_000).for_each(|_| page_state.tell(remark()));
        let page = || watch(&path, Role::Experimenter);
        let _pages: Vec<_> = (0..super::super::page_state::MOST_PAGES).map(|_| page()).collect();
        for _ in 0..100 {
            let mut looking = UnixStream::connect(&path).unwrap();
            writeln!(looking, "{}", serde_json::to_string(&ConsoleRequest::Look).unwrap()).unwrap();
            let mut told = String::new();
            looking.read_to_string(&mut told).unwrap();
            assert_eq!(told.lines().count(), 1, "{told}");
            assert!(told.contains("scene") && !told.contains("noise"), "{told}");
        }
    }

    /// As many lines as a session keeps, and the participant's page of it is one line.
    #[test]
    fn a_participants_page_is_told_how_it_stands_and_nothing_of_what_was() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("session-1.socket");
        let page_state = PageState::new();
        let page_socket = PageSocket::open(&path, &page_state).unwrap();
        let remark = || Shown::Remark { at: String::new(), text: "noise".into() };
        (0..30_000).for_each(|_| page_state.tell(remark()));
        let mut page = BufReader::new(watch(&path, Role::Participant));
        let mut told = String::new();
        page.read_line(&mut told).unwrap();
        page_state.tell(remark());
        page_state.set(|scene| scene.title = "next".into());
        drop(page_socket);
        page.read_to_string(&mut told).unwrap();
        let lines: Vec<&str> = told.lines().filter(|line| !line.is_empty()).collect();
        assert!(lines.iter().all(|line| line.contains(r#""line":"scene""#)), "{told}");
        assert!(lines.last().unwrap().contains(r#""title":"next""#), "{told}");
    }

    /// A page that has asked for everything.
    fn watch(path: &Path, role: Role) -> UnixStream {
        let mut page = UnixStream::connect(path).unwrap();
        let request = ConsoleRequest::Watch { since: 0, role };
        writeln!(page, "{}", serde_json::to_string(&request).unwrap()).unwrap();
        page
    }
}
