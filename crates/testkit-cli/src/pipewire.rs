//! [`PipeWire`]: a PipeWire server and its session manager without anybody's session, for tests
//! of what is its client through the JACK library. Each has a folder of its own, so that several
//! run side by side, and beside one that the machine has already.

use crate::program::pause;
use rustix::process::{Pid, Signal, kill_process_group};
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A server that ends with all that belongs to it when it is dropped.
pub struct PipeWire {
    session: Child,
    folder: PathBuf,
}

/// A card that plays to nobody, and lets hear what it plays at its monitor ports.
const CARD: &str = r#"context.objects = [ { factory = adapter args = {
    factory.name = support.null-audio-sink  node.name = "test-card"
    media.class = Audio/Sink  audio.position = [ FL FR ] } } ]
"#;
/// Everything that is needed besides pipewire itself.
const PROGRAMS: [&str; 5] = ["pipewire", "wireplumber", "dbus-run-session", "pw-jack", "pw-link"];

impl PipeWire {
    /// Starts a server whose period has so many frames at 48,000 Hz, its files in a new folder
    /// `pipewire` in this one, and waits until its card is there. The error is why the test must
    /// be passed over.
    pub fn start(within: &Path, frames: u32) -> Result<PipeWire, String> {
        if let Some(missing) = PROGRAMS.iter().find(|name| !is_installed(name)) {
            return Err(format!("{missing} is not installed"));
        }
        let folder = within.join("pipewire");
        let settings = folder.join("pipewire/pipewire.conf.d");
        fs::create_dir_all(&settings).unwrap();
        fs::set_permissions(&folder, Permissions::from_mode(0o700)).unwrap();
        let clock = format!(
            "context.properties = {{ default.clock.rate = 48000  default.clock.quantum = {frames}  default.clock.min-quantum = {frames}  default.clock.max-quantum = {frames} }}\n"
        );
        fs::write(settings.join("test.conf"), clock + CARD).unwrap();
        let session = in_session(&folder, "dbus-run-session")
            .args(["--", "sh", "-c", "pipewire & sleep 0.5; wireplumber & wait"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn();
        let server = PipeWire { session: session.map_err(|error| error.to_string())?, folder };
        for _ in 0..100 {
            pause(100);
            if server.has_its_card() {
                return Ok(server);
            }
        }
        Err("pipewire does not start".into())
    }

    /// The program, through PipeWire's own library of JACK.
    pub fn client(&self, program: &Command) -> Command {
        let mut command = in_session(&self.folder, "pw-jack");
        command.arg(program.get_program()).args(program.get_args());
        if let Some(dir) = program.get_current_dir() {
            command.current_dir(dir);
        }
        let set = program.get_envs().filter_map(|(name, value)| Some((name, value?)));
        command.envs(set);
        command
    }

    /// Gives all clients another period, as a desktop does when a program asks for one.
    ///
    /// # Errors
    /// Why the test must be passed over.
    pub fn force_period(&self, frames: u32) -> Result<(), String> {
        let period = frames.to_string();
        let mut force = in_session(&self.folder, "pw-metadata");
        force.args(["-n", "settings", "0", "clock.force-quantum", &period]).stdout(Stdio::null());
        let done = force.status().map_err(|error| format!("pw-metadata: {error}"))?;
        if done.success() { Ok(()) } else { Err("pw-metadata does not set a period".into()) }
    }

    /// With all of its ports: those that it plays and those of its monitor do not come at one moment.
    fn has_its_card(&self) -> bool {
        let ports = in_session(&self.folder, "pw-link").args(["-i", "-o"]).output();
        let said = ports.map(|said| String::from_utf8_lossy(&said.stdout).into_owned());
        let all = ["playback_FL", "playback_FR", "monitor_FL", "monitor_FR"];
        said.is_ok_and(|said| all.iter().all(|port| said.contains(&format!("test-card:{port}"))))
    }
}

impl Drop for PipeWire {
    fn drop(&mut self) {
        let _ = kill_process_group(Pid::from_child(&self.session), Signal::KILL);
        let _ = self.session.wait();
    }
}

fn in_session(folder: &Path, program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env("XDG_RUNTIME_DIR", folder).env("XDG_CONFIG_HOME", folder);
    command.env_remove("PIPEWIRE_REMOTE").env_remove("DBUS_SESSION_BUS_ADDRESS");
    command
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| dir.join(program).is_file())
}
