//! [`effects_page`]: one effect as it was published, as a rehearsal has it, and as the data have it, in one
//! picture. Nothing is computed here.

use crate::html::{Table, document, element, escape};
use crate::plot::{Forest, Marked};
use chronotap_data::tables::Found;

/// An effect from one source.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// Where it is from, such as `these data`.
    pub name: String,
    pub value: f64,
    /// The ends of its interval, where it has one.
    pub interval: Option<(f64, f64)>,
}

impl Effect {
    /// What a study came to: the difference of its levels where it compares some, else the mean. `None` of
    /// too few people.
    pub fn of(name: &str, found: &Found) -> Option<Effect> {
        let mean = found.levels.first().and_then(|level| level.interval);
        let of = found.contrast.as_ref().map(|contrast| contrast.difference).or(mean)?;
        Some(Effect { name: name.to_owned(), value: of.value, interval: Some((of.low, of.high)) })
    }
}

const DECIMALS: usize = 2;

/// The page. `what` says of what the effects are, and `remark` how they came about.
pub fn effects_page(
    title: &str,
    what: &str,
    unit: &str,
    effects: &[Effect],
    remark: &str,
) -> String {
    let label = if unit.is_empty() { what.to_owned() } else { format!("{what} ({unit})") };
    let marked = |effect: &Effect| Marked {
        name: effect.name.clone(),
        value: effect.value,
        interval: effect.interval,
    };
    let said = |effect: &Effect| format!("{}: {:.DECIMALS$}", effect.name, effect.value);
    let description = effects.iter().map(said).collect::<Vec<_>>().join("; ");
    let forest = Forest {
        title: "The effect, with 95 % intervals".to_owned(),
        description,
        label: label.clone(),
        rows: effects.iter().map(marked).collect(),
    };
    let mut table = Table::new("The effect", &["from", &label, "low", "high"]);
    for Effect { name, value, interval } in effects {
        let end = |end: Option<f64>| {
            end.map_or_else(|| "-".to_owned(), |end| format!("{end:.DECIMALS$}"))
        };
        let [low, high] = [interval.map(|ends| ends.0), interval.map(|ends| ends.1)].map(end);
        table.row(vec![name.clone(), format!("{value:.DECIMALS$}"), low, high]);
    }
    let figure = format!("<div class=\"plots alone\">\n{}</div>\n", forest.html());
    let remark = format!("<p class=\"soft\">{}</p>\n", escape(remark));
    document(title, "", &(element("h1", title) + &remark + &figure + &table.html()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_effect_stands_in_picture_and_table_with_its_interval() {
        let effect =
            |name: &str, value: f64, interval| Effect { name: name.into(), value, interval };
        let effects = [
            effect("published: Aschersleben & Prinz 1997", -18.5, None),
            effect("rehearsal", -20.0, Some((-25.0, -15.0))),
            effect("these data", -12.25, Some((-19.0, -5.5))),
        ];
        let page = effects_page("Delay", "delay 70 ms less 0 ms", "ms", &effects, "n = 2");
        assert_eq!(page.matches("<circle").count(), 3);
        assert!(page.contains("published: Aschersleben &amp; Prinz 1997"), "{page}");
        assert!(page.contains("<td>-12.25</td><td>-19.00</td><td>-5.50</td>"), "{page}");
        assert!(page.contains("<td>-18.50</td><td>-</td><td>-</td>"), "{page}");
    }
}
