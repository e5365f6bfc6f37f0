//! [`html`]: a text of a study, written in Markdown, as HTML that can do nothing: HTML in the
//! text is shown as it is written, links are plain words, and pictures come from the study's
//! folder alone.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html::push_html};

/// Makes HTML of it.
pub(super) fn html(markdown: &str) -> String {
    let events = Parser::new_ext(markdown, Options::ENABLE_TABLES).filter_map(harmless);
    let mut html = String::with_capacity(markdown.len() * 2);
    push_html(&mut html, events);
    html
}

fn harmless(event: Event<'_>) -> Option<Event<'_>> {
    Some(match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::HtmlBlock | Tag::Link { .. })
        | Event::End(TagEnd::HtmlBlock | TagEnd::Link) => {
            return None;
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            let dest_url = picture(&dest_url)?;
            Event::Start(Tag::Image { link_type, dest_url, title, id })
        }
        other => other,
    })
}

/// The address of a picture of the study. One of another kind leads nowhere.
fn picture(name: &str) -> Option<CowStr<'static>> {
    let plain = name.strip_prefix("./").unwrap_or(name);
    let ours = !plain.contains(':') && !plain.starts_with('/') && !plain.contains("..");
    Some(match ours {
        true => format!("picture/{plain}").into(),
        false => "picture/not-of-this-study".into(),
    })
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
            "[here](javascript:alert(1)) ![pad](./pad.png) ![x](http://evil.example/x.png) ![y](../../y.png)",
        );
        assert!(
            !shown.contains("javascript") && !shown.contains("evil") && !shown.contains(".."),
            "{shown}"
        );
        assert!(shown.contains("src=\"picture/pad.png\""), "{shown}");
    }
}
