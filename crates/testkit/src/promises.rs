//! The page of promises names tests: each must be there, and each promise has one, or says that it
//! has none. Only a test of the manual, nothing to be used.

use std::fs;
use std::path::Path;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// What stands between backticks and names a test: `CRATE/…/FILE.rs::NAME`.
fn tests_named(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split('`').skip(1).step_by(2).filter_map(|name| name.split_once(".rs::"))
}

#[test]
fn every_promise_has_tests_that_exist_or_says_that_it_has_none() {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/promises.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| **"));
    for row in rows.clone() {
        let held = row.trim_end_matches('|').rsplit('|').next().unwrap();
        let tested = tests_named(held).next().is_some();
        assert!(tested || held.contains("**not tested**"), "nothing holds: {row}");
    }
    assert!(rows.count() > 20);
    let mut named = 0;
    for (file, test) in tests_named(&page) {
        let path = Path::new(ROOT).join(format!("crates/{file}.rs"));
        let code = fs::read_to_string(&path).unwrap_or_default();
        assert!(code.contains(&format!("fn {test}(")), "{file}.rs has no test {test}");
        named += 1;
    }
    assert!(named > 40, "only {named} tests are named");
}
