//! [`page`]: results as one self-contained page. It needs no script and loads nothing.

use crate::html::{HtmlTable, document, element, escape, sentence};
use crate::panels::{label_of, labelled, plots};
use crate::spoken::Spoken;
use crate::words::{conditions, in_a_word};
use crate::{comparison, environment, fragments, history, pad};
use chronotap_timing::about;
use chronotap_timing::{
    Comparison, Fitness, Length, NOTATION, Results, SampleStatistic, TestFound, spoken,
};

/// So many rows stand open; longer tables open at a click.
const OPEN: usize = 24;
/// So many of the greatest samples are shown of a series.
const WORST: usize = 5;

/// The page of one or several results; the plots of several are overlaid.
pub fn page(all: &[Results], verdicts: &[Vec<Spoken>]) -> String {
    let labels: Vec<&str> = all.iter().map(|results| results.label.as_str()).collect();
    let title = format!("Timing of {}", labels.join(", "));
    let mut body = element("h1", &title);
    body += &all.iter().map(head).collect::<String>();
    for (results, verdicts) in all.iter().zip(verdicts) {
        let label = label_of(results, all);
        body += &verdicts.iter().map(|verdict| verdict_box(verdict, label)).collect::<String>();
    }
    body += &tests(all);
    document(&title, "", &(body + &foot(all)))
}

/// The page of a comparison: what differs, and the plots overlaid.
pub fn comparison_page(all: &[Results], found: &Comparison) -> String {
    let title = format!("Comparison: {}", found.labels.join(", "));
    let mut body = element("h1", &title);
    body += &all.iter().map(head).collect::<String>();
    body += &comparison::section(found);
    body += &environment::differing(all);
    // Runs of one thing are drawn as one line.
    body += &tests(all);
    document(&title, "", &(body + &foot(all)))
}

fn head(results: &Results) -> String {
    let length = match results.length {
        Length::Quick => "quick",
        Length::Normal => "normal",
        Length::Full => "full",
    };
    let cut = if results.interrupted { "; interrupted" } else { "" };
    let Results { label, program, began, .. } = results;
    let mut text = format!("{label}: {program}, {began}, {length} tests{cut}");
    if let Some(facts) = &results.machine {
        text += &format!("; {}", environment::in_a_line(facts));
    }
    let about: String =
        results.about.iter().map(|(name, said)| format!("; {name}: {said}")).collect();
    format!("<p class=\"soft\">{}</p>\n", escape(&(text + &about)))
}

fn verdict_box(verdict: &Spoken, label: &str) -> String {
    let class = match verdict.fitness {
        Fitness::Fit => "fit",
        Fitness::Reservations => "reservations",
        Fitness::Unfit => "unfit",
        Fitness::Unknown => "unknown",
    };
    let whose = whose(label);
    let said = format!("{whose}{} for {}", verdict.fitness, verdict.purpose);
    let list = items(&verdict.reservations);
    format!(
        "<section class=\"verdict {class}\"><p><strong>{}</strong></p>\n<p>{}.</p>{list}</section>\n",
        escape(&said),
        escape(&verdict.because)
    )
}

/// What stands before a sentence of one of several files.
fn whose(label: &str) -> String {
    if label.is_empty() { String::new() } else { format!("{label}: ") }
}

fn items(sentences: &[String]) -> String {
    if sentences.is_empty() {
        return String::new();
    }
    let items: String = sentences.iter().map(|said| sentence("li", said)).collect();
    format!("<ul>\n{items}</ul>\n")
}

/// A section for each test that any of the files has.
fn tests(all: &[Results]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for found in all.iter().flat_map(|results| &results.tests) {
        if !names.contains(&found.test.as_str()) {
            names.push(&found.test);
        }
    }
    names.into_iter().map(|name| test(name, all)).collect()
}

fn test(name: &str, all: &[Results]) -> String {
    let mut section = element("h2", &format!("Test: {name}"));
    section += &about(name).map_or_else(String::new, |about| element("p", about.meaning));
    for results in all {
        let label = label_of(results, all);
        for found in results.tests.iter().filter(|found| found.test == name) {
            section += &remarks(found, label);
        }
    }
    section += &history::table_1(name, all);
    section += &history::others(name, all);
    section += &history::clocks(name, all);
    section += &pad::compared(name, all);
    section += &pad::by_force(name, all);
    section += &fragments::buffers(name, all);
    let plots: String = plots(name, all).iter().map(crate::plot::Plot::html).collect();
    if !plots.is_empty() {
        section += &format!("<div class=\"plots\">\n{plots}</div>\n");
    }
    section + &statistics(name, all) + &worst(name, all)
}

/// Why it could not run, its notes, the rights of the threads that measured.
fn remarks(found: &TestFound, label: &str) -> String {
    let mut said = Vec::new();
    said.extend(found.unavailable.as_ref().map(|why| format!("not available: {why}")));
    said.extend(found.interrupted.then(|| "interrupted: what was measured until then".to_owned()));
    said.extend(found.notes.iter().cloned());
    let whose = whose(label);
    said.iter_mut().for_each(|sentence| *sentence = format!("{whose}{sentence}"));
    let rights: Vec<String> = found.grant.iter().flat_map(|grant| grant.sentences()).collect();
    let rights = match rights.is_empty() {
        true => String::new(),
        false => {
            let rights = format!("{whose}rights: {}", rights.join("; "));
            format!("<p class=\"soft\">{}</p>\n", escape(&rights))
        }
    };
    items(&said) + &rights
}

fn statistics(name: &str, all: &[Results]) -> String {
    let names: Vec<&str> = SampleStatistic::ALL.iter().map(|which| which.name()).collect();
    let head = [&["series", "n"][..], &names, &["figures"]].concat();
    let mut table = HtmlTable::new(&format!("{name}: every series"), &head);
    let series = labelled(name, all);
    for one in &series {
        let core = one.series.condition("core").map(|core| format!(", core {core}"));
        let said = [in_a_word(one.series.quantity), ": ".into(), conditions(one.series)].concat();
        let value = |which: SampleStatistic| which.said(&one.series.statistics);
        let figure = |(name, value): (&String, &f64)| format!("{name} {}", short(*value));
        let figures: Vec<String> = one.series.figures.iter().map(figure).collect();
        let mut cells = vec![format!("{}{said}{}", whose(one.label), core.unwrap_or_default())];
        cells.push(one.series.statistics.n.to_string());
        cells.extend(SampleStatistic::ALL.map(value));
        cells.push(figures.join(", "));
        table.row(cells);
    }
    let open = if series.len() <= OPEN { " open" } else { "" };
    match series.len() {
        0 => String::new(),
        n => format!(
            "<details{open}><summary>All numbers ({n} series)</summary>\n{}</details>\n",
            table.html()
        ),
    }
}

/// A figure without digits that mean nothing.
fn short(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.4}") }
}

/// The greatest samples with what happened around them.
fn worst(name: &str, all: &[Results]) -> String {
    let mut table = HtmlTable::new(
        &format!("{name}: the greatest samples"),
        &["series", "sample", "after", "meanwhile"],
    );
    for one in labelled(name, all) {
        for worst in one.series.worst.iter().take(WORST) {
            let core = worst.core.map_or(String::new(), |core| format!(", core {core}"));
            table.row(vec![
                format!("{}{core}", conditions(one.series)),
                spoken(worst.value_ns as f64),
                spoken(worst.at_ns as f64),
                worst.around.join("; "),
            ]);
        }
    }
    if table.is_empty() {
        return String::new();
    }
    format!(
        "<details><summary>The greatest samples, and what happened around them</summary>\n{}</details>\n",
        table.html()
    )
}

/// The environment of each file, and what every number means.
fn foot(all: &[Results]) -> String {
    let mut text = element("h2", "The machine");
    text += &all.iter().map(environment::section).collect::<String>();
    text += &element("h2", "Notation");
    text += "<dl>\n";
    for term in NOTATION {
        text += &element("dt", term.name);
        let formula = match term.formula {
            "" => String::new(),
            formula => format!(" <code>{}</code>", escape(formula)),
        };
        text += &format!("<dd>{}{formula}</dd>\n", escape(term.meaning));
    }
    text + "</dl>\n"
}
