//! What a pack says of itself and nothing in it proves: the words and numbers of its manifest, and files that no pack
//! holds. Both come from whoever made the file. The first are worked out again, and told where they are others; the
//! second are named and not unpacked.

use super::dataset::{ABOUT, DERIVED, is_made_again};
use super::manifest::{DATASET, Manifest, OfDataset, PLANS, PackedDevice, REHEARSAL, STUDY};
use super::{Differences, PackDifference};
use chronotap_data::record::PROGRAM;
use chronotap_data::tables::names::SOURCE;
use std::fmt::Display;
use std::path::Path;

impl Differences {
    /// Adds what a manifest claims and does not follow. Words that belong to a version (what was published, how
    /// devices are described) are compared where the same version packed.
    pub(super) fn claims(&mut self, claimed: &Manifest, again: &Manifest) {
        self.claim("title", &claimed.title, &again.title);
        self.claim("task", &claimed.task, &again.task);
        self.claim("persons", claimed.persons, again.persons);
        if claimed.program == PROGRAM {
            let published = |of: &Manifest| of.published.join("; ");
            self.claim("published", published(claimed), published(again));
            let device = |one: &PackedDevice| {
                format!("{} {} {}", one.direction, one.name, one.ports.join(" "))
            };
            let devices =
                |of: &Manifest| of.devices.iter().map(device).collect::<Vec<_>>().join("; ");
            self.claim("devices", devices(claimed), devices(again));
        }
        let (Some(claimed), Some(again)) = (&claimed.dataset, &again.dataset) else { return };
        let OfDataset { participants, sessions, trials, timing_failed, unusable, simulated } =
            claimed;
        self.claim("participants", participants, again.participants);
        self.claim("sessions", sessions, again.sessions);
        self.claim("trials", trials, again.trials);
        self.claim("timing_failed", timing_failed, again.timing_failed);
        self.claim("unusable", unusable, again.unusable);
        self.claim("simulated", simulated, again.simulated);
    }

    fn claim(&mut self, what: &'static str, packed: impl Display, again: impl Display) {
        let (packed, again) = (packed.to_string(), again.to_string());
        if packed != again {
            self.add(PackDifference::Claim { what, packed, again });
        }
    }
}

/// Whether a pack may hold a file of this name.
pub(super) fn belongs(name: &str, manifest: &Manifest) -> bool {
    let path = Path::new(name);
    match manifest.dataset {
        None => [STUDY, PLANS, REHEARSAL].iter().any(|folder| path.starts_with(folder)),
        Some(_) => path.strip_prefix(DATASET).is_ok_and(is_of_dataset),
    }
}

fn is_of_dataset(path: &Path) -> bool {
    let mut parts = path.iter().map(|part| part.to_string_lossy());
    let (first, second) = (parts.next().unwrap_or_default(), parts.next());
    let of_somebody = |name: &str| name.starts_with("sub-");
    match second {
        None => {
            let participants = ["participants.tsv", "participants.json"].contains(&&*first);
            let task = first.starts_with("task-") && first.ends_with(".json");
            participants || task || ABOUT.contains(&&*first)
        }
        Some(second) if first == SOURCE => second.starts_with("study-") || of_somebody(&second),
        Some(_) => of_somebody(&first) || path.starts_with(DERIVED) && is_made_again(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_holds_what_it_was_made_of_and_nothing_else() {
        let study = Manifest::default();
        let data = Manifest { dataset: Some(OfDataset::default()), ..Manifest::default() };
        for (name, in_study, in_data) in [
            ("study/study.toml", true, false),
            ("plans/sub-01_task-t_plan.json", true, false),
            ("effect.html", false, false),
            ("figures/effect_taps.svg", false, false),
            ("dataset/participants.tsv", false, true),
            ("dataset/sub-01/beh/sub-01_task-t_beh.tsv", false, true),
            ("dataset/sourcedata/study-01/study.toml", false, true),
            ("dataset/derivatives/chronotap/report.html", false, false),
            ("dataset/derivatives/chronotap/analysis.json", false, true),
            ("dataset/notes.txt", false, false),
            ("dataset/sourcedata/withdrawals.tsv", false, false),
        ] {
            assert_eq!(
                (belongs(name, &study), belongs(name, &data)),
                (in_study, in_data),
                "{name}"
            );
        }
    }

    #[test]
    fn every_claim_that_does_not_follow_is_named() {
        let counts = OfDataset { participants: 2, trials: 8, ..OfDataset::default() };
        let true_one = Manifest { title: "t".into(), dataset: Some(counts), ..Manifest::default() };
        let forged = OfDataset { timing_failed: 3, simulated: true, participants: 20, ..counts };
        let claimed = Manifest { title: "other".into(), dataset: Some(forged), ..true_one.clone() };
        let mut found = Differences::default();
        found.claims(&true_one, &true_one);
        assert!(found.is_none());
        found.claims(&claimed, &true_one);
        let named = found.kept.iter().filter_map(|one| match one {
            PackDifference::Claim { what, .. } => Some(*what),
            _ => None,
        });
        let due = ["title", "participants", "timing_failed", "simulated"];
        assert_eq!(named.collect::<Vec<_>>(), due);
    }
}
