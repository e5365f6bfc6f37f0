//! How what is drawn in figures is painted in files: one table for the style sheet of an SVG file and for PDF.
//! The colours are those of the page in light (`style.css`).

/// Red, green and blue.
pub type Colour = u32;

/// With what something is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    None,
    /// The colour of the line that it belongs to.
    Line,
    Colour(Colour),
}

/// How everything of a class is painted.
pub struct Style {
    pub class: &'static str,
    pub fill: Paint,
    pub stroke: Paint,
    pub width: f32,
    /// How much of the fill, and of the stroke, covers what lies below.
    pub opacity: (f32, f32),
}

const fn style(class: &'static str, fill: Paint, stroke: Paint, width: f32) -> Style {
    Style { class, fill, stroke, width, opacity: (1.0, 1.0) }
}

const fn sheer(style: Style, fill: f32, stroke: f32) -> Style {
    Style { opacity: (fill, stroke), ..style }
}

pub const PAGE: Colour = 0xff_ffff;
pub const TEXT: Colour = 0x1c_1e21;
pub const SOFT: Colour = 0x4d_5358;
pub const RULE: Colour = 0xc3_c8cd;
/// Of `l0` to `l5`.
pub const LINES: [Colour; 6] = [0x1f_4e9c, 0xa3_410a, 0x1d_6b3a, 0x7b_2d8b, 0x5c_5300, 0x33_3333];
/// The size of letters.
pub const LETTERS: f32 = 13.0;

use Paint::{Colour as Of, Line, None};
pub static STYLES: [Style; 15] = [
    style("page", Of(PAGE), None, 0.0),
    style("frame", None, Of(TEXT), 1.0),
    style("circle", None, Of(RULE), 0.6),
    style("tick", None, Of(RULE), 0.6),
    style("line", None, Line, 1.7),
    style("cross", None, Line, 1.7),
    style("mark", Line, None, 0.0),
    sheer(style("dot", Line, None, 0.0), 0.55, 1.0),
    style("stroke", None, Line, 1.2),
    sheer(style("band", Line, None, 0.0), 0.16, 1.0),
    sheer(style("petal", Line, Line, 0.6), 0.45, 1.0),
    style("arrow", None, Line, 2.4),
    sheer(style("thread", None, Line, 0.7), 1.0, 0.28),
    sheer(style("faint", Line, None, 0.0), 0.42, 1.0),
    style("label", Of(SOFT), None, 0.0),
];

/// The style sheet of a file.
pub fn style_sheet() -> String {
    let lines = LINES.iter().enumerate().map(|(at, of)| format!(".l{at}{{color:{}}}\n", hex(*of)));
    let letters = format!(
        "text{{fill:{};font:{LETTERS}px Roboto,Arial,Helvetica,sans-serif}}\n.soft{{color:{}}}\n",
        hex(TEXT),
        hex(SOFT)
    );
    letters + &lines.chain(STYLES.iter().map(rule)).collect::<String>()
}

fn rule(style: &Style) -> String {
    let class = style.class;
    let prefix = if class == "label" { "text" } else { "" };
    let mut rule = format!("{prefix}.{class}{{fill:{}", said(style.fill));
    if style.opacity.0 < 1.0 {
        rule += &format!(";fill-opacity:{}", style.opacity.0);
    }
    if style.stroke != None {
        rule += &format!(";stroke:{};stroke-width:{}", said(style.stroke), style.width);
    }
    if style.opacity.1 < 1.0 {
        rule += &format!(";stroke-opacity:{}", style.opacity.1);
    }
    rule + "}\n"
}

fn said(paint: Paint) -> String {
    match paint {
        None => "none".to_owned(),
        Line => "currentColor".to_owned(),
        Of(colour) => hex(colour),
    }
}

fn hex(colour: Colour) -> String {
    format!("#{colour:06x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page in light and the files of its figures look the same.
    #[test]
    fn the_colours_are_those_of_the_page() {
        let page = include_str!("../../report/src/style.css");
        let light = page.split("@media").next().unwrap_or_default();
        for (at, colour) in LINES.iter().enumerate() {
            assert!(light.contains(&format!("--l{at}: {};", hex(*colour))), "l{at}");
        }
        for (name, colour) in [("page", PAGE), ("text", TEXT), ("soft", SOFT), ("rule", RULE)] {
            assert!(light.contains(&format!("--{name}: {};", hex(colour))), "{name}");
        }
        for style in STYLES.iter().filter(|style| style.class != "page") {
            let width = format!("{}", style.width);
            let width = width.trim_start_matches('0');
            assert!(page.contains(&format!(".{}", style.class)), "{}", style.class);
            assert!(
                style.width == 0.0 || page.contains(&format!("stroke-width: {width}")),
                "{}",
                style.class
            );
        }
    }
}
