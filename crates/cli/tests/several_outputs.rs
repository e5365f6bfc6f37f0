//! Trials whose tones sound at several outputs: what the data say, and that nothing else changes.

use chronotap_data::record::{Row, TrialType};
use chronotap_testkit_cli::program::Workspace;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

/// A synchronization trial of 20 beats; the metronome and the tones of taps go to these outputs, and
/// a rule plays a tone there.
fn trial(outputs: &str) -> String {
    format!(
        "[output.ears]\n[output.drum]\n[pacing.m]\ninterval = \"500 ms\"\noutput = {outputs}\n\
         [feedback.f]\ndelay = \"20 ms\"\noutput = {outputs}\n\
         [[when]]\nbeat = 5\nplay = {{ note = 40, output = {outputs} }}\n\
         [[when]]\nbeat = 21\nend = true\n"
    )
}

/// What a row says but for its own number and that of its cause, and the text of its rule.
fn said(row: &Row) -> String {
    format!("{:?}", Row { event_id: 0, cause: None, detail: None, ..row.clone() })
}

#[test]
fn further_outputs_have_rows_of_their_own_and_all_others_stay_as_they_were() {
    let place = Workspace::of(PROGRAM);
    place.file("one.toml", trial("\"ears\""));
    place.file("two.toml", trial("[\"ears\", \"drum\"]"));
    for name in ["one", "two"] {
        let told = place.run(&format!("simulate {name}.toml --seed 3"));
        assert_eq!(told.code, Some(0), "{told:?}");
        place.replays(name);
    }
    let (one, two) = (place.recording("one").rows, place.recording("two").rows);
    let further = |row: &&Row| row.port.as_deref() == Some("drum");
    let (copies, others): (Vec<&Row>, Vec<&Row>) = two.iter().partition(further);
    let (one, others): (Vec<_>, Vec<_>) =
        (one.iter().map(said).collect(), others.into_iter().map(said).collect());
    assert_eq!(one.len(), others.len());
    one.iter().zip(&others).for_each(|(one, other)| assert_eq!(one, other));
    let of = |kind: TrialType| two.iter().filter(move |row| row.trial_type == kind);
    let (beats, taps) = (of(TrialType::Pacing).count(), of(TrialType::Feedback).count());
    assert_eq!((beats, of(TrialType::Copy).count(), copies.len()), (20, 20 + taps, 20 + taps + 1));
    for copy in of(TrialType::Copy) {
        let first = two.iter().find(|row| Some(row.event_id) == copy.cause).unwrap();
        assert_eq!((copy.deadline, copy.duration), (first.deadline, first.duration));
        assert_eq!(
            (copy.note, copy.number, copy.name.as_deref()),
            (first.note, first.number, Some("drum"))
        );
    }
}
