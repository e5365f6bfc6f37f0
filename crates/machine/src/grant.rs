//! [`Grant`]: what a real-time thread asked of the system, and what it was granted.
//!
//! Nothing is replaced in silence: every item asked for stands here, with the reason of a
//! refusal and what would cure it, and the grant goes into the head of the data file.

use serde::{Deserialize, Serialize};

/// What is asked for with [`Grant::is_realtime`].
pub const REAL_TIME: &str = "real-time priority";

/// What was asked and what was granted, item by item.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// In the order in which they were asked.
    pub items: Vec<Item>,
}

impl Grant {
    /// Whether everything that was asked was granted.
    pub fn is_complete(&self) -> bool {
        self.refused().next().is_none()
    }

    /// What was not granted.
    pub fn refused(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| !item.granted)
    }

    /// Whether this was asked and granted.
    pub fn has(&self, what: &str) -> bool {
        self.items.iter().any(|item| item.what == what && item.granted)
    }

    /// Whether the thread runs with real-time priority.
    pub fn is_realtime(&self) -> bool {
        self.has(REAL_TIME)
    }

    /// One sentence for each item.
    pub fn sentences(&self) -> impl Iterator<Item = String> {
        self.items.iter().map(Item::sentence)
    }
}

/// One thing that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// What, in a few words.
    pub what: String,
    /// As it was asked.
    pub asked: String,
    /// Whether it was granted as asked.
    pub granted: bool,
    /// What the thread now has.
    pub got: String,
    /// Why it was not granted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
    /// What would cure that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cure: Option<String>,
}

impl Item {
    /// Granted as asked.
    pub fn granted(what: &str, asked: String, got: String) -> Item {
        Item { what: what.into(), asked, granted: true, got, why_not: None, cure: None }
    }

    /// Refused, with the cure unless it is empty.
    pub fn refused(what: &str, asked: String, got: &str, why: String, cure: &str) -> Item {
        let cure = (!cure.is_empty()).then(|| cure.to_owned());
        Item { what: what.into(), asked, granted: false, got: got.into(), why_not: Some(why), cure }
    }

    /// One sentence for people.
    pub fn sentence(&self) -> String {
        let Item { what, asked, got, .. } = self;
        if self.granted {
            return format!("{what}: {got}");
        }
        let why = self.why_not.as_deref().unwrap_or("no reason given");
        let cure = self.cure.as_deref().map(|cure| format!("; {cure}")).unwrap_or_default();
        format!("{what}: asked {asked}, got {got}: {why}{cure}")
    }
}
