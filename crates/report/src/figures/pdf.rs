//! A drawing of ours as a PDF file of one page. What figures are drawn with is little (paths, discs, lines of
//! letters, groups of one colour), so that no library that knows all of SVG is needed. Letters become outlines:
//! the file needs no font and looks the same everywhere. It holds no date: the same figure is the same bytes.

use chronotap_drawing::paint::{Colour, LETTERS, LINES, Paint, SOFT, STYLES, Style, TEXT};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, TextStr};
use roxmltree::{Document, Node};
use std::io::Write;
use ttf_parser::{Face, OutlineBuilder};

/// Points of a printer in a pixel of a page.
const POINTS: f32 = 0.75;
/// The letters, of Latin, Greek and Cyrillic scripts; any other is an empty box.
const FONT: &[u8] = include_bytes!("../../fonts/Roboto.ttf");

/// The file.
pub fn pdf(svg: &str) -> Vec<u8> {
    let document = Document::parse(svg).ok();
    let root = document.as_ref().map(Document::root_element);
    let size = root.map_or((480.0, 360.0), |root| (number(root, "width"), number(root, "height")));
    let mut drawing = Drawing { content: Content::new(), face: Face::parse(FONT, 0).ok() };
    // From above to below, as pages of a browser count.
    drawing.content.transform([POINTS, 0.0, 0.0, -POINTS, 0.0, size.1 * POINTS]);
    let title = root.and_then(|root| root.children().find(|node| node.has_tag_name("title")));
    root.into_iter().for_each(|root| drawing.group(root, TEXT));
    file(size, title.and_then(|title| title.text()).unwrap_or_default(), &drawing.content.finish())
}

fn file((width, height): (f32, f32), title: &str, content: &[u8]) -> Vec<u8> {
    let [catalog, pages, page, contents, info] = [1, 2, 3, 4, 5].map(Ref::new);
    let state = |at: usize| Ref::new(6 + at as i32);
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let mut of_page = pdf.page(page);
    of_page.media_box(Rect::new(0.0, 0.0, width * POINTS, height * POINTS));
    of_page.parent(pages).contents(contents);
    let mut resources = of_page.resources();
    let mut states = resources.ext_g_states();
    for (at, style) in STYLES.iter().enumerate() {
        states.pair(Name(style.class.as_bytes()), state(at));
    }
    states.finish();
    resources.finish();
    of_page.finish();
    for (at, style) in STYLES.iter().enumerate() {
        let mut of = pdf.ext_graphics(state(at));
        of.non_stroking_alpha(style.opacity.0).stroking_alpha(style.opacity.1);
    }
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    match packed.write_all(content).and_then(|()| packed.finish()) {
        Ok(packed) => drop(pdf.stream(contents, &packed).filter(Filter::FlateDecode)),
        Err(_) => drop(pdf.stream(contents, content)), // memory does not refuse
    }
    pdf.document_info(info).title(TextStr(title)).creator(TextStr(super::MARK));
    pdf.finish()
}

struct Drawing {
    content: Content,
    face: Option<Face<'static>>,
}

impl Drawing {
    /// What is in a group; `line` is the colour of the line that it belongs to.
    fn group(&mut self, group: Node<'_, '_>, line: Colour) {
        for node in group.children().filter(Node::is_element) {
            let line = own_colour(node).unwrap_or(line);
            match node.tag_name().name() {
                "g" => self.group(node, line),
                "path" => self.painted(node, line, |content| {
                    outline(content, node.attribute("d").unwrap_or_default());
                }),
                "circle" => self.painted(node, line, |content| disc(content, node)),
                "text" => self.text(node),
                _ => {}
            }
        }
    }

    fn painted(&mut self, node: Node<'_, '_>, line: Colour, draw: impl Fn(&mut Content)) {
        let Some(style) = style(node) else { return };
        let content = &mut self.content;
        content.save_state().set_parameters(Name(style.class.as_bytes()));
        let [fill, stroke] = [style.fill, style.stroke].map(|paint| match paint {
            Paint::None => None,
            Paint::Line => Some(line),
            Paint::Colour(colour) => Some(colour),
        });
        if let Some([r, g, b]) = fill.map(shares) {
            content.set_fill_rgb(r, g, b);
        }
        if let Some([r, g, b]) = stroke.map(shares) {
            content.set_stroke_rgb(r, g, b).set_line_width(style.width);
        }
        if let Some(dashes) = node.attribute("stroke-dasharray") {
            content.set_dash_pattern(numbers(dashes), 0.0);
        }
        draw(content);
        match (fill, stroke) {
            (Some(_), Some(_)) => content.fill_nonzero_and_stroke(),
            (Some(_), None) => content.fill_nonzero(),
            (None, Some(_)) => content.stroke(),
            (None, None) => content.end_path(),
        };
        content.restore_state();
    }

    fn text(&mut self, node: Node<'_, '_>) {
        let (Some(face), Some(text)) = (&self.face, node.text()) else { return };
        let scale = LETTERS / f32::from(face.units_per_em());
        let glyphs: Vec<_> = text
            .chars()
            .map(|letter| face.glyph_index(letter).unwrap_or_default())
            .map(|glyph| (glyph, f32::from(face.glyph_hor_advance(glyph).unwrap_or(0)) * scale))
            .collect();
        let width: f32 = glyphs.iter().map(|(_, advance)| advance).sum();
        let mut x = match node.attribute("text-anchor") {
            Some("middle") => -width / 2.0,
            Some("end") => -width,
            _ => 0.0,
        };
        let colour = if node.attribute("class") == Some("label") { SOFT } else { TEXT };
        let [r, g, b] = shares(colour);
        let content = &mut self.content;
        content.save_state().set_fill_rgb(r, g, b).transform(place(node));
        for (glyph, advance) in glyphs {
            let mut letter = Letter { content, at: x, scale, last: (0.0, 0.0) };
            if face.outline_glyph(glyph, &mut letter).is_some() {
                content.fill_nonzero();
            }
            x += advance;
        }
        content.restore_state();
    }
}

/// Where a text begins and how it is turned: `x` and `y`, or `translate(x y) rotate(degrees)`.
fn place(node: Node<'_, '_>) -> [f32; 6] {
    let Some(transform) = node.attribute("transform") else {
        return [1.0, 0.0, 0.0, 1.0, number(node, "x"), number(node, "y")];
    };
    let all = numbers(transform);
    let [x, y, degrees] = [0, 1, 2].map(|at| all.get(at).copied().unwrap_or(0.0));
    let (sin, cos) = libm::sincosf(degrees.to_radians());
    [cos, sin, -sin, cos, x, y]
}

/// The style of the first class that has one.
fn style(node: Node<'_, '_>) -> Option<&'static Style> {
    let mut classes = node.attribute("class")?.split(' ').rev();
    classes.find_map(|class| STYLES.iter().find(|style| style.class == class))
}

/// The colour of the line that a node names among its classes.
fn own_colour(node: Node<'_, '_>) -> Option<Colour> {
    let colour = |class: &str| match class.strip_prefix('l').and_then(|at| at.parse().ok()) {
        Some(at) => LINES.get::<usize>(at).copied(),
        None => (class == "soft").then_some(SOFT),
    };
    node.attribute("class")?.split(' ').find_map(colour)
}

fn shares(colour: Colour) -> [f32; 3] {
    [16, 8, 0].map(|bits| ((colour >> bits) & 0xff) as f32 / 255.0)
}

fn number(node: Node<'_, '_>, name: &str) -> f32 {
    node.attribute(name).and_then(|text| text.parse().ok()).unwrap_or(0.0)
}

/// The numbers in a text, whatever stands between them.
fn numbers(text: &str) -> Vec<f32> {
    let apart = |letter: char| !(letter.is_ascii_digit() || matches!(letter, '.' | '-'));
    text.split(apart).filter_map(|part| part.parse().ok()).collect()
}

/// A circle of four curves, within a thousandth of its radius.
fn disc(content: &mut Content, node: Node<'_, '_>) {
    let [x, y, r] = ["cx", "cy", "r"].map(|name| number(node, name));
    let k = 0.552_285 * r;
    content.move_to(x + r, y);
    content.cubic_to(x + r, y + k, x + k, y + r, x, y + r);
    content.cubic_to(x - k, y + r, x - r, y + k, x - r, y);
    content.cubic_to(x - r, y - k, x - k, y - r, x, y - r);
    content.cubic_to(x + k, y - r, x + r, y - k, x + r, y);
    content.close_path();
}

/// A path of lines and curves: `M`, `L`, `H`, `V`, `C`, `Z`, small letters from where the pen is.
fn outline(content: &mut Content, path: &str) {
    let (mut pen, mut begin) = ((0.0, 0.0), (0.0, 0.0));
    let letter = |c: char| c.is_ascii_alphabetic();
    for (at, command) in path.match_indices(letter) {
        let rest = &path[at + 1..];
        let all = numbers(&spread(&rest[..rest.find(letter).unwrap_or(rest.len())]));
        let from =
            if command.starts_with(|c: char| c.is_ascii_lowercase()) { pen } else { (0.0, 0.0) };
        let end = |x: f32, y: f32| (from.0 + x, from.1 + y);
        match (&*command.to_ascii_uppercase(), &all[..]) {
            ("M", [x, y]) => {
                pen = end(*x, *y);
                begin = pen;
                content.move_to(pen.0, pen.1);
                continue;
            }
            ("L", [x, y]) => pen = end(*x, *y),
            ("H", [x]) => pen.0 = from.0 + x,
            ("V", [y]) => pen.1 = from.1 + y,
            ("C", [a, b, c, d, x, y]) => {
                let ((a, b), (c, d)) = (end(*a, *b), end(*c, *d));
                pen = end(*x, *y);
                content.cubic_to(a, b, c, d, pen.0, pen.1);
                continue;
            }
            ("Z", _) => {
                pen = begin;
                content.close_path();
                continue;
            }
            _ => continue,
        }
        content.line_to(pen.0, pen.1);
    }
}

/// With a space before each minus, which may end a number too.
fn spread(numbers: &str) -> String {
    numbers.replace('-', " -")
}

/// A letter that is drawn, from below to above.
struct Letter<'a> {
    content: &'a mut Content,
    /// Where it begins.
    at: f32,
    scale: f32,
    last: (f32, f32),
}

impl Letter<'_> {
    fn place(&mut self, x: f32, y: f32) -> (f32, f32) {
        self.last = (x, y);
        (self.at + x * self.scale, -y * self.scale)
    }
}

impl OutlineBuilder for Letter<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.content.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.content.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (x0, y0) = self.last;
        let third = |end: f32, middle: f32| end + 2.0 / 3.0 * (middle - end);
        self.curve_to(third(x0, x1), third(y0, y1), third(x, x1), third(y, y1), x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((a, b), (c, d)) = (self.place(x1, y1), self.place(x2, y2));
        let (x, y) = self.place(x, y);
        self.content.cubic_to(a, b, c, d, x, y);
    }

    fn close(&mut self) {
        self.content.close_path();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a path becomes, in the words of PDF.
    fn drawn(path: &str) -> String {
        let mut content = Content::new();
        outline(&mut content, path);
        String::from_utf8_lossy(&content.finish()).replace('\n', " ")
    }

    #[test]
    fn paths_are_drawn_where_they_are() {
        assert_eq!(drawn("M1.5 2L3-4H10V0Z").trim(), "1.5 2 m 3 -4 l 10 -4 l 10 0 l h");
        assert_eq!(drawn("M10 10h6v6h-6z").trim(), "10 10 m 16 10 l 16 16 l 10 16 l h");
        assert_eq!(drawn("M5 5l4 7h-8m0 -6l-6 6").trim(), "5 5 m 9 12 l 1 12 l 1 6 m -5 12 l");
        assert_eq!(drawn("M0 0C1 2 3 4 5 6").trim(), "0 0 m 1 2 3 4 5 6 c");
    }

    #[test]
    fn what_is_no_drawing_is_an_empty_page_and_strange_letters_are_no_fault() {
        assert!(pdf("nothing").starts_with(b"%PDF-"));
        let svg = "<svg width=\"9\" height=\"9\"><text x=\"1\" y=\"2\">\u{4e2d}\u{2212}\u{b5}\u{1f600}</text></svg>";
        assert_eq!(pdf(svg), pdf(svg));
        assert!(pdf(svg).len() > pdf("<svg width=\"9\" height=\"9\"/>").len());
    }
}
