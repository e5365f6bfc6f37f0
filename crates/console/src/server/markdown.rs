//! [`html`]: a text of a study, written in Markdown, as HTML that can do nothing: HTML in the
//! text is shown as it is written, links are plain words, and pictures and sounds come from the
//! study's folder alone.

use super::picture::is_sound;
use pulldown_cmark::{Alignment, CowStr, Event, Options, Parser, Tag, TagEnd, html::push_html};

/// Makes HTML of it.
pub(super) fn html(markdown: &str) -> String {
    let mut harmless = Harmless::default();
    let events = Parser::new_ext(markdown, Options::ENABLE_TABLES);
    let events = events.filter_map(|event| harmless.let_through(event));
    let mut html = String::with_capacity(markdown.len() * 2);
    push_html(&mut html, events);
    html
}

/// What is known of the text so far.
#[derive(Default)]
struct Harmless {
    pictures: Vec<Shown>, // those that are open
    alignments: Vec<Alignment>,
    column: usize,
    in_head: bool,
}

impl Harmless {
    fn let_through<'a>(&mut self, event: Event<'a>) -> Option<Event<'a>> {
        Some(match event {
            Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
            Event::Start(Tag::HtmlBlock | Tag::Link { .. })
            | Event::End(TagEnd::HtmlBlock | TagEnd::Link) => {
                return None;
            }
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let Some(address) = picture(&dest_url) else {
                    self.pictures.push(Shown::Words);
                    return None;
                };
                if is_sound(&address) {
                    self.pictures.push(Shown::Sound(address));
                    return Some(Event::Html("<span class=\"sound\">".into()));
                }
                self.pictures.push(Shown::Picture);
                Event::Start(Tag::Image { link_type, dest_url: address, title, id })
            }
            Event::End(TagEnd::Image) => match self.pictures.pop()? {
                Shown::Words => return None,
                Shown::Picture => event,
                Shown::Sound(address) => Event::Html(player(&address).into()),
            },
            other => self.of_table(other),
        })
    }

    /// A style within a page is none of its policy's, so the cells of a table have classes.
    fn of_table<'a>(&mut self, event: Event<'a>) -> Event<'a> {
        match &event {
            Event::Start(Tag::Table(alignments)) => self.alignments.clone_from(alignments),
            Event::Start(Tag::TableHead) => (self.column, self.in_head) = (0, true),
            Event::End(TagEnd::TableHead) => self.in_head = false,
            Event::Start(Tag::TableRow) => self.column = 0,
            Event::Start(Tag::TableCell) => {
                let class = class(self.alignments.get(self.column));
                self.column += 1;
                return Event::Html(format!("<{}{class}>", self.cell()).into());
            }
            Event::End(TagEnd::TableCell) => {
                return Event::Html(format!("</{}>", self.cell()).into());
            }
            _ => {}
        }
        event
    }

    fn cell(&self) -> &'static str {
        if self.in_head { "th" } else { "td" }
    }
}

fn class(alignment: Option<&Alignment>) -> &'static str {
    match alignment {
        Some(Alignment::Left) => " class=\"left\"",
        Some(Alignment::Center) => " class=\"center\"",
        Some(Alignment::Right) => " class=\"right\"",
        Some(Alignment::None) | None => "",
    }
}

/// What is made of a picture in the text.
enum Shown {
    /// It is from elsewhere: its words are left.
    Words,
    Picture,
    /// Its words, and a player for what has this address.
    Sound(CowStr<'static>),
}

/// The end of a sound: the browser's own player.
fn player(address: &str) -> String {
    let address = address.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    format!("<audio controls preload=\"auto\" src=\"{address}\"></audio></span>")
}

/// The address of a picture or a sound of the study; `None` for one from elsewhere.
fn picture(name: &str) -> Option<CowStr<'static>> {
    let plain = name.strip_prefix("./").unwrap_or(name);
    let leads_out = plain.contains("..") || plain.to_ascii_lowercase().contains("%2e");
    let ours = !leads_out && !plain.contains([':', '\\']) && !plain.starts_with('/');
    ours.then(|| format!("picture/{plain}").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_emphasis_and_lists_are_shown() {
        assert_eq!(html("# Hello\n\nTap *now*."), "<h1>Hello</h1>\n<p>Tap <em>now</em>.</p>\n");
    }

    #[test]
    fn html_is_shown_and_not_obeyed() {
        let shown = html("<script>alert(1)</script>\n\na <b onclick=\"x()\">b</b>");
        assert!(!shown.contains("<script") && !shown.contains("<b "), "{shown}");
        assert!(shown.contains("&lt;script&gt;"), "{shown}");
    }

    #[test]
    fn links_are_words_and_pictures_come_from_the_study() {
        let shown = html(
            "[here](javascript:alert(1)) ![pad](./pad.png) ![x *y*](http://evil.example/x.png) \
             ![y](../../y.png) ![a ![pad](pad.png) b](//evil.example) ![z](%2E%2e/events) ![w](\\\\evil\\x.png)",
        );
        assert!(
            !shown.contains("javascript") && !shown.contains("evil") && !shown.contains(".."),
            "{shown}"
        );
        assert_eq!(shown.matches("<img src=\"picture/pad.png\"").count(), 2, "{shown}");
        assert_eq!(shown.matches("<img").count(), 2, "of the others the words are left: {shown}");
        assert!(shown.contains("x <em>y</em>") && shown.contains(" a <img"), "{shown}");
    }

    #[test]
    fn a_sound_of_the_study_has_a_player_and_its_words() {
        let shown = html("![Listen *first*](a\"b.wav) ![x](https://evil.example/x.wav)");
        let player = "<audio controls preload=\"auto\" src=\"picture/a&quot;b.wav\"></audio>";
        let sound = format!("<span class=\"sound\">Listen <em>first</em>{player}</span>");
        assert_eq!(shown, format!("<p>{sound} x</p>\n"));
    }

    #[test]
    fn tables_are_aligned_without_a_style_of_their_own() {
        let shown = html("|tone|key|\n|:-:|--:|\n|`<b>`|2|\n");
        assert!(!shown.contains("style"), "{shown}");
        assert!(shown.contains("<th class=\"center\">tone</th>"), "{shown}");
        assert!(shown.contains("<td class=\"center\"><code>&lt;b&gt;</code></td>"), "{shown}");
        assert!(shown.contains("<td class=\"right\">2</td>"), "{shown}");
    }
}
