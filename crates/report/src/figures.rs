//! [`Figure`]: each figure of a page as a file of its own, SVG and PDF. The file is what the link below the
//! figure gives, byte for byte: the same drawing with light colours in it, so that it needs nothing else.

mod pdf;

use crate::html::escape;
use chronotap_drawing::{MARK, alone};
use std::fmt::Write;

/// A figure of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// What it shows, as the name of a file without its ending.
    pub name: String,
    /// The whole file.
    pub svg: String,
}

impl Figure {
    /// Whether the bytes of a file are those of a figure, so that another may replace it.
    pub fn is_one(bytes: &[u8]) -> bool {
        (bytes.starts_with(b"<svg") || bytes.starts_with(b"%PDF-"))
            && bytes.windows(MARK.len()).any(|part| part == MARK.as_bytes())
    }

    /// The same drawing as a PDF file of one page.
    pub fn pdf(&self) -> Vec<u8> {
        pdf::pdf(&self.svg)
    }
}

/// What stands between the name of a figure's file and its bytes.
const LINK: &str = "\" href=\"data:image/svg+xml;charset=utf-8,";
const NAMED: &str = "<a class=\"file\" download=\"";

/// The figures that a page has, in its order.
pub fn figures(page: &str) -> Vec<Figure> {
    let links = page.split(NAMED).skip(1);
    let figure = |link: &str| {
        let (name, rest) = link.split_once(LINK)?;
        let data = rest.split_once('"')?.0;
        Some(Figure { name: name.trim_end_matches(".svg").to_owned(), svg: decoded(data) })
    };
    links.filter_map(figure).collect()
}

/// The figures of a part of a page with a link below each, by which it can be kept as a file. The names of the
/// files begin with that of the part.
pub(crate) fn linked(part: &str, html: &str) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut parts = html.split("<figure");
    let mut linked = parts.next().unwrap_or_default().to_owned();
    for figure in parts {
        linked += "<figure";
        match drawing(figure).filter(|_| !figure.contains(NAMED)) {
            Some((svg, title)) => {
                let stem = format!("{part}_{}", plain(title));
                let name = unlike(&stem, &names);
                linked +=
                    &figure.replacen("</figcaption>", &(link(&name, svg) + "</figcaption>"), 1);
                names.push(name);
            }
            None => linked += figure,
        }
    }
    linked
}

/// A name that no other figure of the part has.
fn unlike(stem: &str, names: &[String]) -> String {
    let numbered = (2..).map(|number| format!("{stem}-{number}"));
    let mut all = std::iter::once(stem.to_owned()).chain(numbered);
    all.find(|name| !names.contains(name)).unwrap_or_else(|| stem.to_owned())
}

/// The drawing in a figure, and its title.
fn drawing(figure: &str) -> Option<(&str, &str)> {
    let from = figure.find("<svg")?;
    let to = figure.find("</svg>")? + "</svg>".len();
    let svg = &figure[from..to];
    let title = svg.split_once("<title>")?.1.split_once("</title>")?.0;
    Some((svg, title))
}

fn link(name: &str, svg: &str) -> String {
    let title = escape("Keep this figure as a file");
    format!(" {NAMED}{name}.svg{LINK}{}\" title=\"{title}\">SVG</a>", encoded(&alone(svg)))
}

/// A title in small letters, digits and hyphens, as names of files have them.
pub(crate) fn plain(title: &str) -> String {
    let title = title.replace("&#39;", "").replace("&quot;", "").replace("&amp;", " and ");
    let mut plain = String::new();
    for letter in title.to_lowercase().chars() {
        match letter {
            letter if letter.is_ascii_alphanumeric() => plain.push(letter),
            _ if plain.ends_with('-') || plain.is_empty() => {}
            _ => plain.push('-'),
        }
        if plain.len() >= NAME {
            break;
        }
    }
    plain.trim_end_matches('-').to_owned()
}

/// Most letters of a title in the name of a file.
const NAME: usize = 60;

/// As it may stand in an address within quotation marks.
fn encoded(text: &str) -> String {
    let mut all = String::with_capacity(text.len() + text.len() / 4);
    for byte in text.bytes() {
        match byte {
            b'%' | b'#' | b'"' | b'&' | b'<' | b'>' | b':' => put(&mut all, byte),
            b' '..=b'~' => all.push(char::from(byte)),
            _ => put(&mut all, byte),
        }
    }
    all
}

fn put(all: &mut String, byte: u8) {
    let _ = write!(all, "%{byte:02X}");
}

fn decoded(data: &str) -> String {
    let mut bytes = Vec::with_capacity(data.len());
    let mut parts = data.split('%');
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        let (code, rest) = part.split_at_checked(2).unwrap_or(("", part));
        bytes.extend(u8::from_str_radix(code, 16));
        bytes.extend(rest.bytes());
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWN: &str = "<figure><svg viewBox=\"0 0 480 100\" role=\"img\"><title>Taps &amp; 50 % of \u{2212}1 #2</title>\
        <desc>d</desc>\n<g class=\"l0\"><path class=\"line\" d=\"M1 2L3 4\"/></g></svg><figcaption>Taps.</figcaption></figure>\n";

    #[test]
    fn the_file_of_a_figure_is_what_its_link_gives() {
        let page = linked("outcome", &format!("<p>a</p>{DRAWN}{DRAWN}"));
        let all = figures(&page);
        let names: Vec<&str> = all.iter().map(|figure| &*figure.name).collect();
        assert_eq!(names, ["outcome_taps-and-50-of-1-2", "outcome_taps-and-50-of-1-2-2"]);
        let svg = &all[0].svg;
        assert!(svg.starts_with(
            "<svg xmlns='http://www.w3.org/2000/svg' width='480' height='100' viewBox"
        ));
        assert!(svg.contains("<title>Taps &amp; 50 % of \u{2212}1 #2</title>"), "{svg}");
        assert!(svg.contains(".l0{color:#1f4e9c}") && svg.ends_with("</svg>\n"), "{svg}");
        assert_eq!(linked("again", &page), page, "a figure has one link");
        assert!(!page.contains("http://"), "the page itself names no address");
    }
}
