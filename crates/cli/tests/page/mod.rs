//! [`Page`]: what a page of the experimenter is told by a program, and what it asks for, at the
//! program's own socket.

use chronotap_testkit_cli::program::{Workspace, wait_until};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Lines, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// A program that goes on says something twice a second.
const PATIENCE: Duration = Duration::from_secs(60);

/// A page; the lines that it is told.
pub struct Page {
    pub socket: PathBuf,
    lines: Lines<BufReader<UnixStream>>,
}

/// The program with these arguments, whose socket is in the place of the test.
pub fn paged(place: &Workspace, args: &str) -> Command {
    let sockets = place.path("run");
    std::fs::create_dir_all(&sockets).unwrap();
    std::fs::set_permissions(&sockets, std::fs::Permissions::from_mode(0o700)).unwrap();
    let mut command = place.chronotap(args.split_whitespace());
    command.env("XDG_RUNTIME_DIR", &sockets);
    command
}

impl Page {
    /// A page of the program with this number, from its beginning on.
    pub fn of(place: &Workspace, program: u32) -> Page {
        let socket = place.path(&format!("run/chronotap/session-{program}.socket"));
        wait_until("there is a socket", || socket.exists());
        let watch = json!({ "watch": { "since": 0, "role": "experimenter" } });
        let lines = asked(&socket, &watch);
        Page { socket, lines }
    }

    /// The first line, from the next one on, of which this holds. A scene that another takes the
    /// place of may be passed over, any other line never.
    pub fn told(&mut self, holds: impl Fn(&Value) -> bool) -> Value {
        self.find(holds).expect("it is told")
    }

    /// Asks for something, which is done or taken up.
    pub fn obeyed(&self, command: &Value) {
        let request = json!({ "do": { "role": "experimenter", "command": command } });
        let reply = asked(&self.socket, &request).next().unwrap().unwrap();
        assert_eq!(reply, r#"{"ok":true}"#, "{command}");
    }
}

impl Iterator for Page {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        let mut lines = self.lines.by_ref().map(|line| line.unwrap());
        let line = lines.find(|line| !line.is_empty())?;
        Some(serde_json::from_str(&line).unwrap())
    }
}

fn asked(socket: &PathBuf, request: &Value) -> Lines<BufReader<UnixStream>> {
    let mut stream = UnixStream::connect(socket).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    writeln!(stream, "{request}").unwrap();
    BufReader::new(stream).lines()
}
