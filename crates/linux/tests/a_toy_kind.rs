//! A kind of port that is none of this crate's, added by the steps that docs/adding.md gives:
//! what the table does for its own kinds it does for this one.

use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{Arrival, Port, PortError, Readiness, Stamp, Written};
use chronotap_linux::ports::{
    Listed, Misread, NameForm, OpenPortError, PortKind, PortKinds, PortName, SpecError, Uses,
};

// Step 1: the port.
struct BellPort {
    input: u16,
}

impl Port for BellPort {
    fn readiness(&self) -> Readiness<'_> {
        Readiness::At(Nanos::from_millis(i64::from(self.input)))
    }

    fn read(&mut self, _now: Nanos, _arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        Ok(())
    }

    fn write(&mut self, _action: &Action, _now: Nanos) -> Result<Written, PortError> {
        Err(PortError::Closed)
    }
}

// Step 2: the name.
#[derive(Debug, PartialEq)]
struct BellName {
    pitch: u32,
}

#[derive(Debug, thiserror::Error)]
enum BellError {
    #[error("`bell:{0}` has no pitch; write a number of Hz, as in bell:440")]
    NoPitch(String),
    #[error("bell:{0} is cracked; hang up another")]
    Cracked(u32),
}

fn parse(rest: &str) -> Result<Box<dyn PortName>, Misread> {
    if rest.is_empty() {
        return Err(Misread::NoSuchForm);
    }
    let pitch = rest.parse().map_err(|_| Misread::wrong(BellError::NoPitch(rest.into())))?;
    Ok(Box::new(BellName { pitch }))
}

impl PortName for BellName {
    fn full_name(&self) -> String {
        format!("bell:{}", self.pitch)
    }

    fn open(&self, uses: &Uses<'_>) -> Result<Box<dyn Port>, OpenPortError> {
        let input = uses.one_input_only(self)?;
        if self.pitch == 13 {
            return Err(OpenPortError::device(BellError::Cracked(self.pitch)));
        }
        Ok(Box::new(BellPort { input }))
    }

    fn reopens(&self) -> bool {
        true
    }
}

// Step 3: the row.
static KIND: PortKind = PortKind {
    prefix: "bell",
    forms: &[NameForm { name: "bell:HZ", words: "bell that rings at so many Hz" }],
    parse,
    list: || vec![listed()],
    none_listed: Some("no bell hangs here"),
    is_meant_by: |text| text.ends_with("Hz"),
    has_sockets: false,
    warning: Some("a bell is late by its clapper"),
};

fn listed() -> Listed {
    Listed {
        name: "bell:440".into(),
        description: "bell of the door".into(),
        input: true,
        output: false,
        stamp: Stamp::UserSpace,
        refused: None,
    }
}

// Step 4: the table.
fn kinds() -> PortKinds {
    PortKinds::standard().with(&KIND)
}

/// The name that is proposed, and the forms that are.
fn misread(name: &str) -> (String, Vec<&'static str>) {
    match kinds().parse(name).unwrap_err() {
        SpecError::Unknown { nearest, known, .. } => (nearest, known),
        wrong => panic!("{wrong:?}"),
    }
}

fn refusal(name: &str, inputs: &[(u16, &str)], outputs: &[(u16, &str)]) -> OpenPortError {
    kinds().parse(name).unwrap().open(inputs, outputs).err().unwrap()
}

#[test]
fn the_steps_on_the_page_are_those_followed_here() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/adding.md");
    let said = std::fs::read_to_string(path).unwrap();
    let (_, steps) = said.split_once("## To add a kind of port").unwrap();
    let (steps, _) = steps.split_once("\n## ").unwrap();
    let numbered = steps.lines().filter_map(|line| line.split_once(". **"));
    let numbered: Vec<String> = numbered
        .map(|(number, step)| format!("// Step {number}: {}", step.split("**").next().unwrap()))
        .collect();
    let here = include_str!("a_toy_kind.rs").lines().filter(|line| line.starts_with("// Step "));
    assert_eq!(numbered, here.collect::<Vec<_>>());
}

#[test]
fn its_names_are_read_and_written_by_the_table() {
    let spec = kinds().parse("bell:0440").unwrap();
    assert_eq!(spec.to_string(), "bell:440");
    assert_eq!(spec, kinds().parse("bell:440").unwrap());
    assert_eq!(spec.name(), Some(&BellName { pitch: 440 }));
    assert_eq!(spec.warning(), KIND.warning);
    assert!(kinds().parse("wire:loop").is_ok());
}

#[test]
fn it_stands_in_list_help_and_documentation() {
    assert!(kinds().list().iter().any(|port| port.name == listed().name));
    assert!(kinds().help().contains("  bell:HZ\n        bell that rings at so many Hz\n"));
    assert!(kinds().reference().contains("| `bell:HZ` | bell that rings at so many Hz |\n"));
}

#[test]
fn errors_name_it_propose_it_and_leave_it_its_own_words() {
    assert_eq!(misread("440").0, "bell:440", "a device that is there, by its name alone");
    assert!(misread("piano").1.contains(&"bell:HZ"));
    assert_eq!(misread("blel:440").0, "bell:440");
    assert_eq!(misread("bell").0, "bell:HZ");
    assert_eq!(misread("440Hz").0, "bell:440Hz");
    let Err(SpecError::Wrong(own)) = kinds().parse("bell:loud") else { panic!() };
    assert!(matches!(own.downcast_ref(), Some(BellError::NoPitch(text)) if text == "loud"));
}

#[test]
fn it_is_opened_as_the_others_are_and_refuses_as_they_do() {
    let port = kinds().parse("bell:440").unwrap().open(&[(7, "door")], &[]).unwrap();
    assert!(matches!(port.readiness(), Readiness::At(at) if at == Nanos::from_millis(7)));
    let mut again = kinds().parse("bell:440").unwrap().reopener(&[(7, "door")], &[]).unwrap();
    assert!(matches!(again().unwrap().readiness(), Readiness::At(at) if at.0 == 7_000_000));
    let (door, gate) = ((0, "door"), (1, "gate"));
    let OpenPortError::Device(own) = refusal("bell:13", &[door], &[]) else { panic!() };
    assert!(matches!(own.downcast_ref(), Some(BellError::Cracked(13))));
    let second = refusal("bell:440", &[door, gate], &[]);
    assert!(matches!(second, OpenPortError::SecondInput { input, .. } if input == "gate"));
    let both = refusal("bell:440", &[door], &[gate]);
    assert!(matches!(both, OpenPortError::InputOnly { port } if port == "bell:440"));
}

// Step 5: the manual.
#[test]
fn a_kind_that_the_manual_lacks_is_missed_there() {
    // `documented_kinds.rs` compares the manual with the standard table, and would fail here.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/devices.md");
    let manual = std::fs::read_to_string(path).unwrap();
    assert!(manual.contains(&PortKinds::standard().reference()));
    assert!(!manual.contains(&kinds().reference()));
}
