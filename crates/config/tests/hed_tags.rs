//! `[hed]`: tags of one's own, read and refused.

use chronotap_config::trial_files::TrialFile;

const TRIAL: &str = "[input.pad]\n[pacing.standard]\ninterval = \"500 ms\"\n[feedback.tone]\n\
     [[when]]\nname = \"over\"\ntime = \"2 s\"\nend = true\n[hed]\n"; // ten lines with the first of what follows

fn read(tags: &str) -> Result<TrialFile, String> {
    TrialFile::parse(&format!("{TRIAL}{tags}\n"), "t.toml").map_err(|e| e.to_string())
}

#[test]
fn tags_belong_to_a_kind_or_to_a_name_of_it_in_the_words_of_the_data() {
    let file = read(
        "tap = \"Agent-action, Press\"\npacing.standard = \"Label/Standard\"\nrule.over = \"Label/Over\"",
    )
    .unwrap();
    let tags: Vec<_> = file.hed.iter().map(|(key, tags)| (key.as_str(), tags.as_str())).collect();
    let expected = [
        ("pacing.standard", "Label/Standard"),
        ("tap", "Agent-action, Press"),
        ("trigger.over", "Label/Over"),
    ];
    assert_eq!(tags, expected);
    assert!(TrialFile::parse("[pacing.m]\ninterval = \"1 s\"\n", "t.toml").unwrap().hed.is_empty());
}

#[test]
fn what_is_malformed_is_refused_with_its_line_and_its_character() {
    for (tags, said) in [
        (
            "tap = \"(Agent-action, Press\"",
            "t.toml:10: hed.tap is no HED: the tags open a group at character 1 that is not closed; write ) at its end",
        ),
        ("end = \"\"", "t.toml:10: hed.end"),
        (
            "pacing.standard = \"Red,,Blue\"",
            "t.toml:10: hed.pacing.standard is no HED: the tags have no tag before , at character 5",
        ),
        ("pacing.standart = \"Red\"", "did you mean \"standard\"?"),
        ("pacng = \"Red\"", "did you mean \"pacing\"?"),
        ("tap = 3", "t.toml:10: hed.tap"),
        ("code.start = \"Red\"", "t.toml:10: hed.code"),
        ("tap = \"Red, {event_id}\"", "have '{' at character 6"),
    ] {
        let refused = read(tags).unwrap_err();
        assert!(refused.contains(said), "{refused}");
    }
}

#[test]
fn two_kinds_cannot_give_tags_to_one_name() {
    let text = TRIAL.replace("[feedback.tone]", "[feedback.standard]");
    let tags = "pacing.standard = \"Red\"\nfeedback.standard = \"Blue\"\n";
    let refused = TrialFile::parse(&format!("{text}{tags}"), "t.toml").unwrap_err().to_string();
    let said = "t.toml:11: hed.feedback.standard: tags are given to the name standard already, as pacing.standard";
    assert!(refused.contains(said), "{refused}");
}
