//! The end of a run of tests: everything written, the verdicts in words, which file is
//! what, and what to do next.

use super::files::TestFiles;
use crate::CommandVerdict;
use crate::args::{PrintedAs, Suite};
use crate::says;
use crate::screen::{say, say_data, say_page, say_raw, wrapped};
use anyhow::{Context, Result};
use chronotap_bench::timing::{Fitness, Length, Results, judge, tells_of_a_stop};
use chronotap_report::{Spoken, methods, page, statistics_csv, summary, verdict_text};
use chronotap_words::commands as words;

/// What each file is for.
const FILES: [(&str, &str); 4] = [
    (".html", "a page with plots, for a browser"),
    (".json", "everything, for `timing compare` and `timing report`"),
    (".csv", "the statistics, in nanoseconds"),
    ("_histograms.csv", "the raw histograms, in nanoseconds"),
];

/// Writes and prints everything. The exit status is that of the first purpose.
pub fn end(args: &Suite, files: &TestFiles, results: &Results) -> Result<CommandVerdict> {
    let judged = |purpose| says::verdict(&judge(results, purpose));
    let verdicts: Vec<_> = args.purposes.purposes.iter().copied().map(judged).collect();
    files.finish(results, &verdicts)?;
    if !print(args.form, results, &verdicts)? {
        say_page(&summary(results));
        verdicts.iter().for_each(|verdict| say(format!("\n{}", verdict_text(verdict))));
        say(format!("\nIn {}:", files.dir().display()));
        for (end, what) in FILES {
            say(wrapped(&format!("{}{end}: {what}", files.name()), "  "));
        }
        say(wrapped(&next(results, &verdicts, files), ""));
    }
    let mut notes = results.tests.iter().flat_map(|found| &found.notes);
    let stopped = notes.any(|note| tells_of_a_stop(note));
    Ok(if stopped { CommandVerdict::of(false) } else { status(&verdicts) })
}

/// Prints the results in the form that was asked for; false where that is the summary.
pub fn print(form: PrintedAs, results: &Results, verdicts: &[Spoken]) -> Result<bool> {
    match form {
        PrintedAs { json: true, .. } => {
            say_data(serde_json::to_string(results).context(words::NO_JSON)?);
        }
        PrintedAs { csv: true, .. } => say_raw(&statistics_csv(results)),
        PrintedAs { methods: true, .. } => say_raw(&methods(std::slice::from_ref(results))),
        PrintedAs { html: true, .. } => {
            say_raw(&page(std::slice::from_ref(results), &[verdicts.to_vec()]));
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// That of the first verdict.
pub fn status(verdicts: &[Spoken]) -> CommandVerdict {
    CommandVerdict::of(verdicts.first().is_none_or(|verdict| verdict.fitness != Fitness::Unfit))
}

/// What to do next.
fn next(results: &Results, verdicts: &[Spoken], files: &TestFiles) -> String {
    let known = verdicts.first().is_some_and(|verdict| verdict.fitness != Fitness::Unknown);
    let fit = verdicts.iter().all(|verdict| verdict.fitness == Fitness::Fit);
    let file = files.path(".json");
    let file = file.display();
    if results.interrupted {
        if results.tests.iter().all(|found| found.test == "wakeup") {
            return format!(
                "Next: it was interrupted; what stands above was measured until then. Repeat the \
                 command with --resume {file} and it goes on."
            );
        }
        return "Next: it was interrupted; what stands above was measured until then. \
                Repeat it, or with --quick."
            .into();
    }
    match (known, fit) {
        (false, _) => "Next: `chronotap timing wakeup` measures what a verdict needs.".into(),
        (true, true) if results.length == Length::Quick => {
            "Next: repeat it with --normal or --full; rare events need a longer look.".into()
        }
        (true, true) => format!("Next: nothing needs changing. Keep {file} to compare with later."),
        (true, false) => format!(
            "Next: `chronotap doctor` says what to change and how to undo it; then repeat this \
             with --label tuned, and see `chronotap timing compare {file} TUNED.json`."
        ),
    }
}
