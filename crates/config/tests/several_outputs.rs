//! A stream, a channel or a rule that names several outputs.

use chronotap_config::trial_files::TrialFile;
use chronotap_engine::action::ActionKind;
use chronotap_engine::trial::{CopiedTones, Do};

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
    let copied = |of, output| CopiedTones { of, output };
    assert_eq!(trial.copies, [copied(ActionKind::Pacing(0), 0), copied(ActionKind::Masking(0), 1)]);
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

/// What `check` doubts of a trial with these outputs.
fn doubts(top: &str) -> Vec<String> {
    let text =
        format!("{top}[pacing.m]\ninterval = \"500 ms\"\n[[when]]\ntime = \"2 s\"\nend = true\n");
    let file = TrialFile::parse(&text, "t.toml").unwrap();
    let about = |said: &String| said.contains("latency") || said.contains("align");
    file.warnings.iter().filter(|said| about(said)).cloned().collect()
}

#[test]
fn a_latency_that_nobody_states_or_that_changes_nothing_is_doubted_at_its_line() {
    let align = "align_outputs = true\n";
    let two = "[output.a]\n[output.b]\n";
    let said = "line 1: a and b give no latency: with a port that states none either, the trial is \
                refused when it is run";
    assert_eq!(doubts(&format!("{align}{two}")), [said]);
    assert_eq!(doubts(&format!("{align}[output.a]\n[output.b]\nlatency = \"0 ms\"\n")), [""; 0]);
    let only = "line 1: output is the only output: there is nothing to align";
    assert_eq!(doubts(align), [only]);
    let idle =
        "line 2: output.a.latency changes nothing without align_outputs = true or with_tones_of";
    assert_eq!(doubts("[output.a]\nlatency = \"3 ms\"\n[output.b]\n"), [idle]);
    let codes = "[codes]\noutput = \"b\"\nstart = 1\nwith_tones_of = \"a\"\n";
    assert_eq!(doubts(&format!("[output.a]\nlatency = \"3 ms\"\n[output.b]\n{codes}")), [""; 0]);
}

#[test]
fn a_latency_is_a_time_of_at_most_a_second() {
    let refused = |text: &str| TrialFile::parse(text, "t.toml").unwrap_err().to_string();
    let said = refused("[output.a]\nlatency = \"2 s\"\n");
    assert!(said.starts_with("t.toml:2: output.a.latency"), "{said}");
    let said = refused("align_output = true\n[output.a]\n");
    assert!(said.contains("did you mean \"align_outputs\"?"), "{said}");
}
