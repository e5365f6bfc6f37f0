//! [`Share`]: some of the studies of a power analysis, rehearsed on one computer and kept in a file; and what all
//! shares come to together, which is what one computer would have found, to the last bit.
//!
//! Every k-th study belongs to a share, by its seed; so how the work is shared changes no number.

use super::{FoundByStudy, Looked, Power, Sought, Tested};
use crate::checksum::sha256;
use crate::study::Study;
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::no_estimate::NoEstimate;
use chronotap_data::record::PROGRAM;
use chronotap_data::shares::{Shard, ShareError, Whose, all_there};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::io::Read;
use std::path::{Path, PathBuf};

const FORMAT: &str = "chronotap-power-share";
const VERSION: u32 = 1;
/// The largest file that is read: a million studies with many contrasts are less.
const MOST_BYTES: u64 = 1 << 30;
/// Of what it is.
const OF: &str = "of a power analysis";

/// A share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    format: String,
    version: u32,
    /// The program that rehearsed, and its version.
    pub program: String,
    /// The SHA-256 of the texts of the study.
    pub study: String,
    /// Which share, from 1, of how many.
    pub share: (u32, u32),
    pub asked: PowerAsked,
    points: Vec<Point>,
}

/// What was asked: what all shares have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerAsked {
    /// How many studies there are in all shares.
    pub studies: u32,
    /// Numbers of participants, ascending.
    pub participants: Vec<u32>,
    /// The seed of the first study.
    pub seed: u64,
    /// Who taps.
    pub model: String,
    /// How parameters differ between conditions.
    pub differences: Vec<String>,
    /// What is looked for; each as it was asked or stated.
    pub contrasts: Vec<String>,
    /// The longest that a trial may last.
    pub longest_ns: i64,
}

/// The studies of one number of participants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Point {
    sought: Vec<SoughtKept>,
    found: Vec<FoundKept>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SoughtKept {
    called: String,
    is_effect: bool,
    /// Left out where it is 0, as in shares of before there were others.
    #[serde(default, skip_serializing_if = "Exact::is_zero")]
    against: Exact,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FoundKept {
    seed: u64,
    trials: usize,
    cut: usize,
    /// `null` where there is none.
    estimates: Vec<Option<TestedKept>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TestedKept {
    value: Exact,
    standard_error: Exact,
    low: Exact,
    high: Exact,
    finds: bool,
}

/// A number as the shortest text from which the same number comes again; JSON's own have no NaN.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Exact(f64);

impl Exact {
    #[allow(clippy::trivially_copy_pass_by_ref)] // serde gives a reference
    fn is_zero(&self) -> bool {
        self.0 == 0.0
    }
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.0.to_string())
    }
}

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Exact, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map(Exact).map_err(|_| D::Error::custom("an estimate is no number"))
    }
}

impl Share {
    /// What was found of a share, with a [`Looked`] for each number of participants.
    pub fn of(study: &Study, asked: PowerAsked, shard: Shard, points: &[Looked]) -> Share {
        Share {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: PROGRAM.to_owned(),
            study: checksum(study),
            share: shard.written(),
            asked,
            points: points.iter().map(Point::of).collect(),
        }
    }

    /// The bytes of its file.
    ///
    /// # Errors
    /// None that can be met: what is in memory is JSON.
    pub fn bytes(&self) -> std::io::Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// The share in a file.
    ///
    /// # Errors
    /// [`ShareError::Read`], [`ShareError::NoShare`], [`ShareError::Version`].
    pub fn read(path: &Path) -> Result<Share, ShareError> {
        let refused = |source| ShareError::Read { path: path.to_owned(), source };
        let file = chronotap_core::files::open(path).map_err(refused)?;
        let mut bytes = Vec::new();
        file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(refused)?;
        Share::parse(&bytes, path)
    }

    /// The share in the bytes of a file.
    ///
    /// # Errors
    /// [`ShareError::NoShare`], [`ShareError::Version`].
    pub fn parse(bytes: &[u8], path: &Path) -> Result<Share, ShareError> {
        let none = |why: String| ShareError::NoShare { path: path.to_owned(), of: OF, why };
        Whose::check(bytes, path, OF, (FORMAT, VERSION))?;
        let share: Share =
            serde_json::from_slice(bytes).map_err(|error| none(error.to_string()))?;
        share.check().map_or(Ok(share), |why| Err(none(why.to_owned())))
    }

    /// Whether it has its own studies, each once and in order, and in each all that was looked for.
    fn check(&self) -> Option<&'static str> {
        let PowerAsked { studies, participants, seed, contrasts, .. } = &self.asked;
        let (share, of) = self.share;
        if share == 0 || share > of || of > *studies {
            return Some("it is not one of its shares");
        }
        if self.points.len() != participants.len() || participants.is_empty() {
            return Some("it has not every number of participants");
        }
        let own = || (0..*studies).skip(share as usize - 1).step_by(of as usize);
        let has_own = |point: &Point| {
            let seeds = point.found.iter().map(|found| found.seed);
            seeds.eq(own().map(|k| seed.wrapping_add(k.into())))
        };
        let is_whole = |point: &Point| {
            let looked = point.found.iter().map(|found| found.estimates.len());
            point.sought.len() == contrasts.len()
                && looked.into_iter().all(|n| n == contrasts.len())
        };
        if !self.points.iter().all(has_own) {
            return Some("it has not the studies of its share");
        }
        (!self.points.iter().all(is_whole)).then_some("it has not everything that was looked for")
    }
}

/// The shares of one analysis together: what was asked, and what was found with each number of participants.
///
/// # Errors
/// [`ShareError`].
pub fn together(
    study: &Study,
    shares: &[(PathBuf, Share)],
) -> Result<(PowerAsked, Vec<Looked>), ShareError> {
    let Some((first, one)) = shares.first() else {
        return Err(ShareError::Lacks { missing: vec![1], of: 1 });
    };
    let of_study = checksum(study);
    for (path, share) in shares {
        if share.study != of_study {
            let study = study.experiment.name.clone();
            return Err(ShareError::Study { path: path.clone(), study });
        }
        if let Some(what) = share.differs(one) {
            return Err(ShareError::Differs { path: path.clone(), first: first.clone(), what });
        }
    }
    all_there(shares.iter().map(|(path, share)| (path.as_path(), share.share)))?;
    let counts = 0..one.asked.participants.len();
    let points = counts.map(|place| whole(one.asked.seed, shares, place));
    Ok((one.asked.clone(), points.collect()))
}

/// All studies of one number of participants, in the order of their seeds.
fn whole(seed: u64, shares: &[(PathBuf, Share)], place: usize) -> Looked {
    let points = || shares.iter().map(|(_, share)| &share.points[place]);
    let mut found: Vec<FoundByStudy> =
        points().flat_map(|point| point.found.iter().map(FoundByStudy::from)).collect();
    found.sort_by_key(|found| found.seed.wrapping_sub(seed));
    let contrasts = 0..points().map(|point| point.sought.len()).max().unwrap_or(0);
    // What a contrast is called, the last study says that could estimate it.
    let called = |contrast: usize| {
        let last = |point: &&Point| {
            let estimated = point.found.iter().rev().find(|of| of.estimates[contrast].is_some());
            estimated.map(|of| of.seed.wrapping_sub(seed))
        };
        points().max_by_key(last).map(|point| Sought::from(&point.sought[contrast]))
    };
    Looked { sought: contrasts.filter_map(called).collect(), found }
}

impl Share {
    /// What is not as in another share.
    fn differs(&self, other: &Share) -> Option<&'static str> {
        let (own, theirs) = (&self.asked, &other.asked);
        [
            ("--studies", own.studies != theirs.studies),
            ("--participants", own.participants != theirs.participants),
            ("--seed", own.seed != theirs.seed),
            ("--simulate", own.model != theirs.model),
            ("--difference", own.differences != theirs.differences),
            ("--contrast", own.contrasts != theirs.contrasts),
            ("--for", own.longest_ns != theirs.longest_ns),
        ]
        .into_iter()
        .find_map(|(what, differs)| differs.then_some(what))
    }
}

impl PowerAsked {
    /// What is rehearsed with each of these numbers of participants.
    pub fn of(power: &Power, participants: &[u32], contrasts: &[String]) -> PowerAsked {
        PowerAsked {
            studies: power.studies,
            participants: participants.to_vec(),
            seed: power.seed,
            model: power.model.clone(),
            differences: power.differences.iter().map(ToString::to_string).collect(),
            contrasts: contrasts.to_vec(),
            longest_ns: power.longest.0,
        }
    }
}

impl Point {
    fn of(looked: &Looked) -> Point {
        let sought = looked.sought.iter().map(|Sought { called, is_effect, against }| SoughtKept {
            called: called.clone(),
            is_effect: *is_effect,
            against: Exact(*against),
        });
        Point { sought: sought.collect(), found: looked.found.iter().map(FoundKept::of).collect() }
    }
}

impl From<&SoughtKept> for Sought {
    fn from(SoughtKept { called, is_effect, against }: &SoughtKept) -> Sought {
        Sought { called: called.clone(), is_effect: *is_effect, against: against.0 }
    }
}

impl FoundKept {
    fn of(found: &FoundByStudy) -> FoundKept {
        let kept = |Tested { estimate, finds }: &Tested| TestedKept {
            value: Exact(estimate.value),
            standard_error: Exact(estimate.standard_error),
            low: Exact(estimate.low),
            high: Exact(estimate.high),
            finds: *finds,
        };
        let estimates = found.estimates.iter().map(|one| one.as_ref().ok().map(kept)).collect();
        FoundKept { seed: found.seed, trials: found.trials, cut: found.cut, estimates }
    }
}

impl From<&FoundKept> for FoundByStudy {
    fn from(kept: &FoundKept) -> FoundByStudy {
        let tested = |of: &TestedKept| Tested {
            estimate: Estimate {
                value: of.value.0,
                standard_error: of.standard_error.0,
                low: of.low.0,
                high: of.high.0,
            },
            finds: of.finds,
        };
        // Why there is none, nobody is told.
        let none = NoEstimate::TooFew { what: "people", needed: 2, found: 0 };
        let estimates =
            kept.estimates.iter().map(|one| one.as_ref().map(tested).ok_or(none.clone()));
        let estimates = estimates.collect();
        FoundByStudy { seed: kept.seed, estimates, trials: kept.trials, cut: kept.cut }
    }
}

/// The SHA-256 of a study: of the names and texts of its files.
fn checksum(study: &Study) -> String {
    let files = study.about.files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    sha256(format!("{:?}", files.collect::<Vec<_>>()).as_bytes())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot be set up has failed
mod tests {
    use super::*;

    #[test]
    fn a_number_comes_back_to_the_last_bit() {
        for value in [0.1 + 0.2, -0.0, f64::MIN_POSITIVE / 3.0, 1e300 / 7.0, f64::INFINITY] {
            let text = serde_json::to_string(&Exact(value)).unwrap();
            let back: Exact = serde_json::from_str(&text).unwrap();
            assert_eq!(back.0.to_bits(), value.to_bits(), "{text}");
        }
        let none: Exact =
            serde_json::from_str(&serde_json::to_string(&Exact(f64::NAN)).unwrap()).unwrap();
        assert!(none.0.is_nan());
    }

    #[test]
    fn what_is_no_share_is_refused() {
        let why =
            |text: &str| Share::parse(text.as_bytes(), Path::new("s")).unwrap_err().to_string();
        assert!(why("").starts_with("s: no share of a power analysis: "));
        assert!(why("{}").contains("missing field `format`"));
        let other = r#"{"format": "x", "version": 1, "program": "chronotap 0"}"#;
        assert!(why(other).contains("its format is \"x\""));
        let older = other.replace("\"x\"", "\"chronotap-power-share\"");
        assert_eq!(why(&older), format!("s: made by chronotap 0, and this is {PROGRAM}"));
    }

    /// A share with the studies of these seeds.
    fn share(share: (u32, u32), studies: u32, seeds: &[u64]) -> Vec<u8> {
        let found =
            |seed: &u64| FoundKept { seed: *seed, trials: 1, cut: 0, estimates: vec![None] };
        let sought =
            vec![SoughtKept { called: "a".to_owned(), is_effect: true, against: Exact(0.0) }];
        let points = vec![Point { sought, found: seeds.iter().map(found).collect() }];
        let asked = PowerAsked {
            studies,
            participants: vec![4],
            seed: u64::MAX,
            contrasts: vec!["a".to_owned()],
            ..PowerAsked::default()
        };
        let (format, program) = (FORMAT.to_owned(), PROGRAM.to_owned());
        let study = String::new();
        Share { format, version: VERSION, program, study, share, asked, points }.bytes().unwrap()
    }

    #[test]
    fn a_share_has_every_study_of_its_own_and_no_other() {
        let is_one = |bytes: Vec<u8>| Share::parse(&bytes, Path::new("s")).is_ok();
        assert!(is_one(share((1, 2), 5, &[u64::MAX, 1, 3])));
        assert!(is_one(share((2, 2), 5, &[0, 2])));
        for seeds in [&[0, 2, 4][..], &[0], &[2, 0], &[1, 3], &[]] {
            assert!(!is_one(share((2, 2), 5, seeds)), "{seeds:?}");
        }
        assert!(!is_one(share((0, 2), 5, &[0, 2])) && !is_one(share((3, 2), 5, &[])));
        assert!(!is_one(share((1, 6), 5, &[u64::MAX])), "more shares than studies");
    }
}
