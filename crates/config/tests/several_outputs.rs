//! A stream, a channel or a rule that names several outputs.

#![allow(clippy::unwrap_used)] // a test that cannot be set up has failed

use chronotap_config::trial_files::TrialFile;
use chronotap_engine::action::Kind;
use chronotap_engine::trial::{Copied, Do};

const HEAD: &str = "[output.ears]\n[output.drum]\n[output.eeg]\n";

fn problems(text: &str) -> String {
    TrialFile::parse(&format!("{HEAD}{text}"), "t.toml").unwrap_err().to_string()
}

#[test]
fn the_first_output_of_a_list_is_its_own_and_the_others_have_copies() {
    let text = format!(
        "{HEAD}[pacing.m]\ninterval = \"500 ms\"\noutput = [\"drum\", \"ears\"]\n\
         [feedback.f]\noutput = \"ears\"\n[masking.n]\noutput = [\"ears\", \"drum\"]\n\
         [[when]]\ntime = \"1 s\"\nplay = {{ note = 60, output = [\"ears\", \"drum\"] }}\n\
         [[when]]\ntime = \"2 s\"\nend = true\n"
    );
    let trial = TrialFile::parse(&text, "t.toml").unwrap().trial;
    assert_eq!(
        (trial.pacing[0].output, trial.feedback[0].output, trial.masking[0].output),
        (1, 0, 0)
    );
    let copied = |of, output| Copied { of, output };
    assert_eq!(trial.copies, [copied(Kind::Pacing(0), 0), copied(Kind::Masking(0), 1)]);
    let played: Vec<u16> = trial.rules[0]
        .then
        .iter()
        .map(|act| match act {
            Do::Play(output, _) => *output,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(played, [0, 1]);
}

#[test]
fn an_output_that_there_is_not_one_named_twice_and_no_output_are_refused_with_their_line() {
    let of = |outputs: &str| {
        problems(&format!("[pacing.m]\ninterval = \"500 ms\"\noutput = {outputs}\n"))
    };
    let unknown = of("[\"ears\", \"dram\"]");
    assert!(unknown.contains("t.toml:6") && unknown.contains("drum"), "{unknown}");
    let twice = of("[\"ears\", \"drum\", \"ears\"]");
    assert!(twice.contains("t.toml:6") && twice.contains("names ears twice"), "{twice}");
    assert!(of("[]").contains("is an empty list"));
    assert!(of("3").contains("t.toml:6"));
    let declared: String = (1..=17).map(|n| format!("[output.o{n}]\n")).collect();
    let list =
        |count: usize| (1..=count).map(|n| format!("\"o{n}\"")).collect::<Vec<_>>().join(", ");
    let stream =
        |count| format!("{declared}[pacing.m]\ninterval = \"1 s\"\noutput = [{}]\n", list(count));
    assert!(problems(&stream(17)).contains("name 16 at most"));
    assert!(!problems(&(stream(16) + "wrong = 1\n")).contains("too many"));
}

#[test]
fn no_copy_goes_where_codes_go() {
    let found = problems(
        "[codes]\noutput = \"eeg\"\npacing.m = 7\n[pacing.m]\ninterval = \"500 ms\"\n\
         output = [\"ears\", \"eeg\"]\n",
    );
    assert!(found.contains("t.toml:9") && found.contains("which carries codes"), "{found}");
}
