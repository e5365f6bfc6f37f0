//! [`Item`]: one thing that was asked of the system, and what came of it.

use serde::{Deserialize, Serialize};

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
    pub(crate) fn granted(what: &str, asked: String, got: String) -> Item {
        Item { what: what.into(), asked, granted: true, got, why_not: None, cure: None }
    }

    pub(crate) fn refused(what: &str, asked: String, got: &str, why: String, cure: &str) -> Item {
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
