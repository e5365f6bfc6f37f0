//! [`History`]: the lines that a page which comes (back) is to be told. Its memory is bounded:
//! a scene takes the place of the one before it, and the events and the summary of a trial those
//! of the one before.

use crate::shown::{Shown, ShownLine};
use std::collections::VecDeque;
use std::sync::Arc;

/// Trials and remarks that are kept: more than any session has.
const LASTING_ROOM: usize = 20_000;
/// Events of the running trial that are kept, the latest: some minutes of a lively trial.
const LIVE_ROOM: usize = 8_192;

/// A line as it is sent, and its number.
pub(super) type Kept = (u64, Arc<str>);

/// The lines of a session.
#[derive(Debug, Default)]
pub(super) struct History {
    last: u64,
    scene: Option<Kept>,
    progress: Option<Kept>,
    summary: Option<Kept>,
    lasting: VecDeque<Kept>,
    live: VecDeque<Kept>,
}

impl History {
    /// Adds a line under the next number.
    pub(super) fn add(&mut self, shown: Shown) {
        let id = self.last + 1;
        let line = ShownLine { id, shown };
        let Ok(text) = serde_json::to_string(&line) else { return }; // every value has a JSON form
        self.last = id;
        let kept = (id, Arc::from(text));
        match line.shown {
            Shown::Scene(_) => self.scene = Some(kept),
            Shown::Progress { .. } => self.progress = Some(kept),
            Shown::Summary { .. } => self.summary = Some(kept),
            Shown::Trial(_) | Shown::Remark { .. } => {
                put(&mut self.lasting, kept, LASTING_ROOM);
            }
            Shown::Begins { .. } => {
                self.live.clear();
                self.progress = None;
                self.live.push_back(kept);
            }
            Shown::Beat { .. } | Shown::Tap { .. } | Shown::Asynchrony { .. } => {
                put(&mut self.live, kept, LIVE_ROOM);
            }
        }
    }

    /// The number of the last line.
    pub(super) fn last(&self) -> u64 {
        self.last
    }

    /// The latest scene, as it was told: found at once, however much else is kept.
    pub(super) fn scene(&self) -> Option<&Kept> {
        self.scene.as_ref()
    }

    /// Every line that is kept with a greater number than this, in order.
    pub(super) fn after(&self, id: u64) -> Vec<Kept> {
        let all = self.lasting.iter().rev().take_while(|(n, _)| *n > id);
        let all = all.chain(self.live.iter().rev().take_while(|(n, _)| *n > id));
        let latest = self.scene.iter().chain(&self.progress).chain(&self.summary);
        let all = all.chain(latest.filter(|(n, _)| *n > id));
        let mut all: Vec<Kept> = all.cloned().collect();
        all.sort_unstable_by_key(|(n, _)| *n);
        all
    }
}

fn put(lines: &mut VecDeque<Kept>, line: Kept, room: usize) {
    if lines.len() == room {
        lines.pop_front();
    }
    lines.push_back(line);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    fn remark(text: &str) -> Shown {
        Shown::Remark { at: String::new(), text: text.into() }
    }

    #[test]
    fn who_comes_back_is_told_what_came_since_and_only_the_latest_scene() {
        let mut history = History::default();
        history.add(remark("a"));
        history.add(Shown::Scene(Box::default()));
        history.add(remark("b"));
        history.add(Shown::Scene(Box::new(Scene { turn: 1, ..Scene::default() })));
        let ids = |since| history.after(since).iter().map(|(id, _)| *id).collect::<Vec<_>>();
        assert_eq!((ids(0), ids(3), ids(4)), (vec![1, 3, 4], vec![4], vec![]));
    }

    #[test]
    fn a_new_trial_takes_the_place_of_the_events_of_the_last() {
        let mut history = History::default();
        let begins = || Shown::Begins {
            inputs: vec![],
            streams: vec![],
            origin_utc_ms: 0.0,
            limit_us: 1_000.0,
        };
        history.add(begins());
        (0..10).for_each(|n| history.add(Shown::Beat { stream: 0, at_ms: f64::from(n) }));
        history.add(begins());
        assert_eq!(history.after(0).len(), 1);
    }

    #[test]
    fn only_the_summary_of_the_last_trial_is_kept() {
        let mut history = History::default();
        for text in ["first", "last"] {
            history.add(Shown::Summary { text: text.into() });
        }
        let kept = history.after(0);
        assert!(kept.len() == 1 && kept[0].1.contains("last"), "{kept:?}");
    }

    #[test]
    fn the_memory_of_a_long_trial_is_bounded() {
        let mut history = History::default();
        (0..LIVE_ROOM + 50).for_each(|_| history.add(Shown::Beat { stream: 0, at_ms: 0.0 }));
        assert_eq!(history.after(0).len(), LIVE_ROOM);
        assert_eq!(history.after(0)[0].0, 51);
    }
}
