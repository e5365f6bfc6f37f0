//! One public type name, one meaning: whoever reads `Level` should not have to ask which. A name
//! that stands twice because only one of both is compiled, here or elsewhere, is in
//! `names/several.txt`, with its number of places. Only a test of the house, nothing to be used.

use crate::arrows::modules::without_tests;
use crate::arrows::tokens::tokens;
use crate::recipes::each;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const HOUSE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The words behind which the name of a type stands.
const TYPES: [&str; 4] = ["struct", "enum", "trait", "type"];

/// The public types that a file defines, each with its line.
fn public_types(code: &str) -> Vec<(String, usize)> {
    let tokens = without_tests(&tokens(code));
    let found =
        tokens.windows(3).filter(|some| some[0].text == "pub" && TYPES.contains(&some[1].text));
    found.map(|some| (some[2].text.to_owned(), some[2].line)).collect()
}

#[test]
fn no_public_type_has_the_name_of_another() {
    let house = Path::new(HOUSE);
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for folder in fs::read_dir(house.join("crates")).unwrap() {
        each(&folder.unwrap().path().join("src"), &mut |path| {
            let file = path.strip_prefix(house).unwrap().display();
            for (name, line) in public_types(&fs::read_to_string(path).unwrap()) {
                places.entry(name).or_default().push(format!("{file}:{line}"));
            }
        });
    }
    places.retain(|_, places| places.len() > 1);
    let twice: BTreeMap<&str, usize> = include_str!("names/several.txt")
        .lines()
        .map(|line| line.split_once(' ').unwrap())
        .map(|(name, count)| (name, count.parse().unwrap()))
        .collect();
    let known = |name: &str| twice.get(name).copied().unwrap_or(1);
    let new: Vec<String> = places
        .iter()
        .filter(|(name, places)| places.len() > known(name))
        .map(|(name, places)| format!("{name}: {}", places.join(", ")))
        .collect();
    assert!(new.is_empty(), "stand more often than before; name one otherwise:\n{new:#?}");
    let now: String = places.iter().map(|(name, at)| format!("{name} {}\n", at.len())).collect();
    assert_eq!(now, include_str!("names/several.txt"), "fewer than before: names/several.txt");
}

#[test]
fn a_type_is_public_where_everybody_may_name_it() {
    let code = "pub struct A; pub(crate) struct B; struct C;\npub enum D {}\n\
                #[cfg(test)] mod tests { pub struct E; }";
    assert_eq!(public_types(code), [("A".to_owned(), 1), ("D".to_owned(), 2)]);
}
