//! [`escape`]: everything that comes from outside passes it, so that no label, note or port name
//! can become markup.

/// Text as it may stand between tags and in quoted attributes.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // HTML has no way to write other control characters.
            c if c.is_control() && c != '\n' && c != '\t' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nothing_escaped_can_open_a_tag_or_end_an_attribute(text in any::<String>()) {
            let escaped = escape(&text);
            let dangerous = escaped.contains(['<', '>', '"', '\'']);
            prop_assert!(!dangerous);
        }
    }
}
