//! [`alone`]: a drawing as a file that needs nothing else.

use crate::paint::style_sheet;

/// By this a file of a figure is known again.
pub const MARK: &str = "chronotap report";

/// A drawing that needs nothing else: with its size, its colours and its letters in it.
pub fn alone(svg: &str) -> String {
    let size = svg.split_once("viewBox=\"0 0 ").and_then(|(_, rest)| rest.split_once('"'));
    let (width, height) = size.and_then(|(size, _)| size.split_once(' ')).unwrap_or(("480", "360"));
    let head =
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\"");
    let page = format!(
        "</desc>\n<metadata>{MARK}</metadata>\n<style>\n{}</style>\n\
         <path class=\"page\" d=\"M0 0H{width}V{height}H0Z\"/>",
        style_sheet()
    );
    let whole = svg.replacen("<svg", &head, 1).replacen("</desc>", &page, 1) + "\n";
    // Texts have neither mark as it is, so that a page that holds the file need not spell out each.
    whole.replace('"', "'")
}
