//! [`events`]: what is pressed just now, on whichever port of this computer, so that somebody finds
//! their pad by pressing it. Each port is listened to by a program of its own, `chronotap monitor`,
//! as long as the page that asks is there; a device that a session holds is none of them.

use super::Settings;
use super::answers::Answer;
use super::relay::{SIGN_OF_LIFE, stream};
use hyper::body::Bytes;
use serde_json::{Value, json};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::mpsc::Sender;
use tokio::time::{sleep, timeout};

/// The ports of this computer, as `chronotap ports --json` has them; none where it cannot say.
pub(super) async fn ports(settings: &Settings) -> Vec<Value> {
    let mut program = Command::new(&settings.program);
    program.arg("ports").arg("--json").stdin(Stdio::null()).stderr(Stdio::null());
    program.kill_on_drop(true);
    let listed = timeout(PATIENCE, program.output()).await;
    let listed = listed.ok().and_then(Result::ok).map(|output| output.stdout);
    listed.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
}

const PATIENCE: Duration = Duration::from_secs(5);

/// Ports that are listened to at a time.
const MOST: usize = 32;

/// The stream: `{"port": NAME, "heard": WORDS}` for each press, and `{"port": NAME, "deaf": WHY}`
/// for a port that cannot be listened to.
pub(super) fn events(settings: Arc<Settings>) -> Answer {
    stream(move |to| async move {
        for name in ports(&settings).await.iter().filter_map(device).take(MOST) {
            if let Ok(monitor) = monitor(&settings, name) {
                tokio::spawn(listen(name.to_owned(), monitor, to.clone()));
            }
        }
        while to.send(SIGN_OF_LIFE.into()).await.is_ok() {
            sleep(ALIVE).await;
        }
    })
}

const ALIVE: Duration = Duration::from_secs(1);

/// The name of a port that something can be pressed on: neither a cable of our own nor a place that
/// other programs connect to.
fn device(port: &Value) -> Option<&str> {
    let name = port["name"].as_str()?;
    let is_own = ["wire", "keys:"].iter().any(|own| name.starts_with(own));
    let is_device = !is_own && name.contains(':');
    (is_device && port["in"] == true && port["refused"].is_null()).then_some(name)
}

fn monitor(settings: &Settings, name: &str) -> std::io::Result<Child> {
    let mut program = Command::new(&settings.program);
    program.arg("monitor").arg(super::job::joined("--in", name));
    program.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    program.kill_on_drop(true);
    program.spawn()
}

/// Until the page is gone, or the port.
async fn listen(name: String, mut monitor: Child, to: Sender<Bytes>) -> Option<()> {
    let mut lines = BufReader::new(monitor.stdout.take()?).lines();
    loop {
        tokio::select! {
            () = to.closed() => return None,
            line = lines.next_line() => match line {
                Ok(Some(line)) => {
                    if let Some((_, heard)) = line.split_once(" press ") {
                        tell(&to, json!({ "port": name, "heard": heard.trim() })).await?;
                    }
                }
                Ok(None) | Err(_) => break,
            },
        }
    }
    let ended = monitor.wait_with_output().await.ok()?;
    let why = String::from_utf8_lossy(&ended.stderr).trim().to_owned();
    tell(&to, json!({ "port": name, "deaf": why })).await
}

async fn tell(to: &Sender<Bytes>, what: Value) -> Option<()> {
    to.send(format!("data: {what}\n\n").into()).await.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_devices_that_can_be_pressed_are_listened_to() {
        let port =
            |name: &str, refused: Value| json!({ "name": name, "in": true, "refused": refused });
        for (name, is_one) in [
            ("alsa:hw:2,0,0", true),
            ("evdev:Booth", true),
            ("wire", false),
            ("wire:loop", false),
            ("seq", false),
            ("keys:", false),
        ] {
            assert_eq!(device(&port(name, Value::Null)).is_some(), is_one, "{name}");
            assert_eq!(device(&port(name, json!("no rights"))), None);
        }
        assert_eq!(device(&json!({ "name": "tone:", "in": false, "refused": null })), None);
    }
}
