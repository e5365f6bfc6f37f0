//! One stream of server-sent events for the page of a job: how it stands, whenever that has
//! changed. The folder is looked at, for a shell that writes into it tells nobody.

use super::job_folder::{State, state};
use crate::server::answers::Answer;
use crate::server::relay::{GONE, SIGN_OF_LIFE, stream};
use hyper::body::Bytes;
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::mpsc::Sender;
use tokio::time::sleep;

const LOOK_AGAIN: Duration = Duration::from_millis(300);

/// The stream.
pub(in crate::server) fn events(sockets: PathBuf, number: u32) -> Answer {
    stream(move |to| async move {
        let _ = tell(&to, &sockets, number).await; // until the page is gone
    })
}

async fn tell(to: &Sender<Bytes>, sockets: &std::path::Path, number: u32) -> Option<()> {
    let mut last: Option<State> = None;
    loop {
        let place = sockets.to_owned();
        let now = tokio::task::spawn_blocking(move || state(&place, number)).await.ok()?;
        let event = match now {
            Some(now) if last.as_ref() != Some(&now) => {
                let event = format!("data: {}\n\n", serde_json::to_string(&now).ok()?);
                last = Some(now);
                event
            }
            Some(_) => SIGN_OF_LIFE.to_owned(),
            None => GONE.to_owned(),
        };
        to.send(event.into()).await.ok()?;
        sleep(LOOK_AGAIN).await;
    }
}
