//! The page of promises names tests: each must be there, and each promise has one, or says that it
//! has none. Only a test of the manual, nothing to be used.

use std::fs;
use std::path::Path;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// What stands between backticks and names a test: `CRATE/…/FILE.rs::NAME`.
fn tests_named(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split('`').skip(1).step_by(2).filter_map(|name| name.split_once(".rs::"))
}

/// Letters of a line; more are hard to read where the page is read as text.
const LONGEST_LINE: usize = 130;

#[test]
fn every_promise_has_tests_that_exist_or_says_that_it_has_none() {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/promises.md")).unwrap();
    let long = page.lines().find(|line| line.chars().count() > LONGEST_LINE);
    assert_eq!(long, None, "a line is too long to be read");
    let promises: Vec<&str> = page.split("\n- **").skip(1).collect();
    for promise in &promises {
        let (_, held) = promise.split_once("\n  - Held by:\n").expect(promise);
        let held = held.split("\n\n").next().unwrap();
        let tested = tests_named(held).next().is_some();
        assert!(tested || held.contains("**not tested**"), "nothing holds: {promise}");
    }
    assert!(promises.len() > 20);
    let mut named = 0;
    for (file, test) in tests_named(&page) {
        let path = Path::new(ROOT).join(format!("crates/{file}.rs"));
        let code = fs::read_to_string(&path).unwrap_or_default();
        assert!(code.contains(&format!("fn {test}(")), "{file}.rs has no test {test}");
        named += 1;
    }
    assert!(named > 40, "only {named} tests are named");
}
