//! [`effects_page`]: each effect of a study as it was published, as a rehearsal has it, and as the data have it, in one
//! picture on one axis. Of an effect without a published size the side is drawn that was published. Nothing is
//! computed here.

use crate::figures::linked;
use crate::html::{HtmlTable, document, element, escape};
use crate::plot::{Forest, ForestMark, Marked};
use chronotap_analysis::estimate::Estimate;
use chronotap_design::{PublishedClaim, Size};

/// One effect from several sources.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComparedEffect {
    /// What it is: `mean asynchrony: delay 70 ms less 0 ms`.
    pub what: String,
    pub unit: String,
    pub published: Option<PublishedClaim>,
    /// What was published in words, with its source; `None` where nothing is known of that.
    pub said: Option<String>,
    /// Where else it is from, such as `these data`, and what it is there.
    pub found: Vec<(String, Estimate)>,
}

const PUBLISHED: &str = "published";

impl ComparedEffect {
    /// One sentence with all numbers.
    pub fn says(&self) -> String {
        format!("{}: {}", self.label(), self.numbers())
    }

    fn numbers(&self) -> String {
        let said = |Row { marked, number }: Row| format!("{} {number}", marked.name);
        let said: Vec<String> = self.rows().into_iter().map(said).collect();
        said.iter().map(|said| said.trim_end()).collect::<Vec<_>>().join("; ")
    }

    fn label(&self) -> String {
        let ComparedEffect { what, unit, .. } = self;
        if unit.is_empty() { what.clone() } else { format!("{what} ({unit})") }
    }

    /// What is drawn, and how its number is written.
    fn rows(&self) -> Vec<Row> {
        let published = match (self.published, &self.said) {
            (Some(published), _) => Some(self.published(published)),
            (None, Some(_)) => {
                Some(row(&format!("{PUBLISHED} in words alone"), ForestMark::Nothing, 0))
            }
            (None, None) => None,
        };
        let found = self.found.iter().map(|(name, of)| {
            let ends = of.ends().map(|[low, high]| (low, high));
            row(name, ForestMark::At(of.value, ends), self.decimals())
        });
        published.into_iter().chain(found).collect()
    }

    fn published(&self, published: PublishedClaim) -> Row {
        let (name, mark) = match published {
            PublishedClaim::Size(Size { value, interval }) => {
                let without = if interval.is_none() { ", without an interval" } else { "" };
                (format!("{PUBLISHED}{without}"), ForestMark::At(value, interval))
            }
            PublishedClaim::Above(bound) => side("above", bound, ForestMark::Above(bound)),
            PublishedClaim::Below(bound) => side("below", bound, ForestMark::Below(bound)),
            PublishedClaim::About(value) => side("about", value, ForestMark::About(value)),
        };
        row(&name, mark, self.decimals())
    }

    /// Of shares and ratios more of them count.
    fn decimals(&self) -> usize {
        let most = self.found.iter().map(|(_, of)| of.value.abs()).fold(0.0, f64::max);
        if most < 1.0 { 4 } else { 2 }
    }

    fn figure(&self) -> String {
        let forest = Forest {
            title: self.what.clone(),
            description: format!("{}, with 95 % intervals.", self.numbers()),
            label: self.label(),
            rows: self.rows().into_iter().map(|row| row.marked).collect(),
        };
        format!("<div class=\"plots alone\">\n{}</div>\n", forest.html())
    }

    fn table(&self) -> String {
        let label = self.label();
        let mut table = HtmlTable::new(&self.what, &["from", &label]);
        for Row { marked, number } in self.rows() {
            table.row(vec![marked.name, if number.is_empty() { "-".to_owned() } else { number }]);
        }
        table.html()
    }

    fn section(&self) -> String {
        let said = self.said.as_ref().map_or_else(String::new, |said| element("p", said));
        element("h2", &self.what) + &said + &self.figure() + &self.table()
    }
}

/// One source.
struct Row {
    marked: Marked,
    /// As it is written: with its interval, and empty where there is no number.
    number: String,
}

fn row(name: &str, mark: ForestMark, decimals: usize) -> Row {
    let number = match mark {
        ForestMark::At(value, Some((low, high))) => {
            format!("{value:.decimals$} [{low:.decimals$}, {high:.decimals$}]")
        }
        ForestMark::At(value, None) => format!("{value:.decimals$}"),
        _ => String::new(),
    };
    Row { marked: Marked { name: name.to_owned(), mark }, number }
}

fn side(side: &str, of: f64, mark: ForestMark) -> (String, ForestMark) {
    (format!("{PUBLISHED} without a size: {side} {of}"), mark)
}

/// The page. `remark` says how all this came about.
pub fn effects_page(title: &str, effects: &[ComparedEffect], remark: &str) -> String {
    let sections: String = effects.iter().map(ComparedEffect::section).collect();
    let remark = format!("<p class=\"soft\">{}</p>\n", escape(remark));
    document(title, "", &(element("h1", title) + &remark + &linked("effect", &sections)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures;

    fn estimate(value: f64, low: f64, high: f64) -> Estimate {
        Estimate { value, standard_error: 1.0, low, high }
    }

    fn three(published: Option<PublishedClaim>) -> ComparedEffect {
        ComparedEffect {
            what: "mean asynchrony: delay 70 ms less 0 ms".into(),
            unit: "ms".into(),
            published,
            said: Some("Later tones, earlier taps (A & B 1997)".into()),
            found: vec![
                ("rehearsal".into(), estimate(-20.0, -25.0, -15.0)),
                ("these data".into(), estimate(-12.25, -19.0, -5.5)),
            ],
        }
    }

    const SIZE: PublishedClaim =
        PublishedClaim::Size(Size { value: -18.5, interval: Some((-21.0, -16.0)) });

    /// On an axis of 440 pixels from 16 on, which begins and ends 8 % of the 19.5 ms from -25 to -5.5 beyond them.
    fn pixel(ms: f64) -> String {
        let (from, to) = (-25.0 - 1.56, -5.5 + 1.56);
        format!("{:.1}", 16.0 + (ms - from) / (to - from) * 440.0)
    }

    #[test]
    fn published_rehearsed_and_found_stand_on_one_axis_each_with_its_interval() {
        let all = [three(Some(SIZE))];
        let page = effects_page("Delay", &all, "n = 2");
        let svg = figures(&page).remove(0).svg;
        for value in [-18.5, -20.0, -12.25] {
            assert!(svg.contains(&format!("cx='{}'", pixel(value))), "{value}: {svg}");
        }
        for (low, high) in [(-21.0, -16.0), (-25.0, -15.0), (-19.0, -5.5)] {
            let line = (pixel(low), pixel(high));
            assert!(svg.contains(&format!("d='M{} ", line.0)), "{low}: {svg}");
            assert!(svg.contains(&format!("H{}M", line.1)), "{high}: {svg}");
        }
        assert!(svg.contains("delay 70 ms less 0 ms (ms)</text>"), "{svg}");
        assert!(page.contains("<td>-18.50 [-21.00, -16.00]</td>"), "{page}");
        assert!(page.contains("Later tones, earlier taps (A &amp; B 1997)"), "{page}");
        assert_eq!(
            all[0].says(),
            "mean asynchrony: delay 70 ms less 0 ms (ms): published -18.50 [-21.00, -16.00]; rehearsal \
             -20.00 [-25.00, -15.00]; these data -12.25 [-19.00, -5.50]"
        );
    }

    #[test]
    fn where_no_size_was_published_its_side_is_drawn_and_no_number() {
        for (published, said, drawn) in [
            (Some(PublishedClaim::Below(0.0)), "published without a size: below 0", 1),
            (Some(PublishedClaim::Above(0.0)), "published without a size: above 0", 1),
            (Some(PublishedClaim::About(0.0)), "published without a size: about 0", 0),
            (None, "published in words alone", 0),
        ] {
            let one = three(published);
            assert!(one.says().contains(&format!(": {said}; rehearsal -20.00")), "{}", one.says());
            let page = effects_page("Delay", &[one], "n = 2");
            let svg = figures(&page).remove(0).svg;
            assert!(svg.contains(&format!(">{said}</text>")), "{svg}");
            assert_eq!(svg.matches("<circle").count(), 2, "{svg}");
            assert_eq!(svg.matches('L').count() / 2, drawn, "heads of arrows: {svg}");
        }
        let page = effects_page("Delay", &[ComparedEffect { said: None, ..three(None) }], "n = 2");
        assert!(!page.contains(PUBLISHED), "{page}");
    }
}
