//! No circle of modules in any crate: where a module names something of the one beside it, that one
//! names nothing of it, on whatever way. So each crate can be read from its lowest module up, and a
//! part of it can be moved. Only a test of the house, nothing to be used.
//!
//! Compared are modules with the same parent, at each depth; a child may name what its parent
//! defines.

pub(crate) mod modules;
pub(crate) mod tokens;

use modules::{Crate, Place};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// From the module that names something to the one beside it that has it.
type Arrow = (String, String);

/// The lines at which each arrow stands.
type Arrows = BTreeMap<Arrow, BTreeSet<String>>;

/// The arrows between the modules of one parent, for each parent.
fn arrows(found: &Crate) -> BTreeMap<Place, Arrows> {
    let mut all: BTreeMap<Place, Arrows> = BTreeMap::new();
    for mention in &found.mentions {
        let home = found.home(&mention.path);
        let same = mention.by.iter().zip(&home).take_while(|(by, home)| by == home).count();
        if let (Some(from), Some(to)) = (mention.by.get(same), home.get(same)) {
            let between = all.entry(home[..same].to_owned()).or_default();
            between.entry((from.clone(), to.clone())).or_default().insert(mention.at.clone());
        }
    }
    all
}

/// The modules to which a way of arrows leads from one.
fn reached<'a>(arrows: &'a Arrows, from: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(next) = open.pop() {
        for (_, to) in arrows.keys().filter(|(by, _)| by == next) {
            if found.insert(to.as_str()) {
                open.push(to);
            }
        }
    }
    found
}

/// The arrows that lie in circles: from the module to which they point, a way leads back.
fn in_circles(arrows: &Arrows) -> Arrows {
    let ways: BTreeMap<&String, BTreeSet<&str>> =
        arrows.keys().map(|(from, _)| (from, reached(arrows, from))).collect();
    let leads_back = |from: &str, to: &String| ways.get(to).is_some_and(|way| way.contains(from));
    some(arrows, |(from, to)| leads_back(from, to))
}

fn some(arrows: &Arrows, is_one: impl Fn(&Arrow) -> bool) -> Arrows {
    let found = arrows.iter().filter(|(arrow, _)| is_one(arrow));
    found.map(|(arrow, at)| (arrow.clone(), at.clone())).collect()
}

/// Of the arrows in circles those without which there is none: where one was added to modules
/// without a circle, it is among them. All, where several were added that no single one undoes.
fn that_close(circles: &Arrows) -> Arrows {
    let closes = |arrow: &Arrow| in_circles(&some(circles, |other| other != arrow)).is_empty();
    let found = some(circles, closes);
    if found.is_empty() { circles.clone() } else { found }
}

/// How many places of an arrow are told.
const PLACES: usize = 4;

/// What is wrong in a crate, a line for each arrow that may have closed a circle: those that stand at
/// the fewest places first.
fn told(name: &str, found: &Crate) -> String {
    let mut told = String::new();
    for (parent, arrows) in arrows(found) {
        let parent = [&[name.to_owned()][..], &parent].concat().join("::");
        let mut closing: Vec<_> = that_close(&in_circles(&arrows)).into_iter().collect();
        closing.sort_by_key(|(_, at)| at.len());
        told.extend(closing.iter().map(|(arrow, at)| line(&parent, arrow, at)));
    }
    told
}

fn line(parent: &str, (from, to): &Arrow, at: &BTreeSet<String>) -> String {
    let places: Vec<&str> = at.iter().take(PLACES).map(String::as_str).collect();
    let more = at.len().saturating_sub(PLACES);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{parent}: {from} -> {to}, at {}{more}\n", places.join(" "))
}

const CURE: &str = "Modules form a circle, which one of these arrows closes. Move what both \
    modules need into the lower one, or into one below both; or let the upper one hand it down as \
    an argument.";

const HOUSE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The root of each crate: its name and its file.
fn crates() -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    for folder in fs::read_dir(Path::new(HOUSE).join("crates")).unwrap() {
        let folder = folder.unwrap();
        let name = folder.file_name().into_string().unwrap();
        let roots = ["lib.rs", "main.rs"].map(|root| folder.path().join("src").join(root));
        found.extend(roots.into_iter().filter(|root| root.exists()).map(|r| (name.clone(), r)));
    }
    found
}

#[test]
fn no_arrow_between_modules_closes_a_circle() {
    let house = Path::new(HOUSE);
    let all = crates().into_iter().map(|(name, root)| told(&name, &Crate::read(&root, house)));
    let told: String = all.collect();
    assert!(told.is_empty(), "\n{told}{CURE}");
}

mod tests {
    use super::*;

    /// A crate of three modules, with what each of them says.
    fn toy(low: &str, middle: &str, high: &str) -> String {
        let mut found = Crate::default();
        let root = "mod low; mod middle; mod high; pub use high::High; #[cfg(test)] mod tests;";
        let files = found.read_text(root, &Place::new(), "lib.rs");
        for (module, text) in files.iter().zip([low, middle, high]) {
            let inner = found.read_text(text, module, &format!("{}.rs", module.join("/")));
            assert!(inner.is_empty());
        }
        assert_eq!(files.len(), 3, "tests are left out");
        told("toy", &found)
    }

    const LOW: &str = "pub struct Low; mod deep { use super::Low; }";
    const MIDDLE: &str = "use crate::low::Low;\npub struct Middle(Low);";
    const HIGH: &str = "use super::{low, middle::{self, Middle}};\npub struct High;";

    #[test]
    fn arrows_that_all_point_down_are_no_circle() {
        assert_eq!(toy(LOW, MIDDLE, HIGH), "");
    }

    #[test]
    fn an_arrow_that_points_up_is_told_with_its_line_whichever_name_it_takes() {
        let (high, low) = ("toy: high -> low, at high.rs:1\n", "at low.rs:3\n");
        let alone = "pub struct High; use super::low;";
        for up in
            ["use crate::High;", "fn f() { crate::high::f() }", "use super::high::{High as H};"]
        {
            let text = format!("pub struct Low;\n\n{up}");
            assert_eq!(toy(&text, "", alone), format!("{high}toy: low -> high, {low}"), "{up}");
        }
    }

    #[test]
    fn of_two_circles_only_the_arrow_is_told_that_closes_both() {
        let low = "pub struct Low;\nuse crate::high;";
        assert_eq!(toy(low, MIDDLE, HIGH), "toy: low -> high, at low.rs:2\n");
    }

    #[test]
    fn a_circle_over_three_modules_is_told_with_each_of_its_arrows() {
        let low =
            "// crate::middle\n#[cfg(test)]\nmod tests { use crate::middle; }\nuse crate::high;";
        assert_eq!(
            toy(low, MIDDLE, "use crate::middle::Middle;"),
            "toy: high -> middle, at high.rs:1\n\
             toy: low -> high, at low.rs:4\n\
             toy: middle -> low, at middle.rs:1\n"
        );
    }

    #[test]
    fn children_may_name_what_their_parent_defines_but_not_each_other_in_a_circle() {
        let text = "mod a { use super::b::B; use super::P; }\nmod b {\nuse super::a;\n}\nstruct P;";
        assert_eq!(
            toy(text, "", ""),
            "toy::low: a -> b, at low.rs:1\ntoy::low: b -> a, at low.rs:3\n"
        );
    }
}
