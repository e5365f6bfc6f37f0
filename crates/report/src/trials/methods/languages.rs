//! Languages by their English names, as a methods section has them.

/// Languages by their codes in ISO 639-1. One that is not here is named by its code.
const NAMES: [(&str, &str); 57] = [
    ("af", "Afrikaans"),
    ("ar", "Arabic"),
    ("bg", "Bulgarian"),
    ("bn", "Bengali"),
    ("ca", "Catalan"),
    ("cs", "Czech"),
    ("cy", "Welsh"),
    ("da", "Danish"),
    ("de", "German"),
    ("el", "Greek"),
    ("en", "English"),
    ("eo", "Esperanto"),
    ("es", "Spanish"),
    ("et", "Estonian"),
    ("eu", "Basque"),
    ("fa", "Persian"),
    ("fi", "Finnish"),
    ("fr", "French"),
    ("ga", "Irish"),
    ("gl", "Galician"),
    ("he", "Hebrew"),
    ("hi", "Hindi"),
    ("hr", "Croatian"),
    ("hu", "Hungarian"),
    ("hy", "Armenian"),
    ("id", "Indonesian"),
    ("is", "Icelandic"),
    ("it", "Italian"),
    ("ja", "Japanese"),
    ("ka", "Georgian"),
    ("kk", "Kazakh"),
    ("ko", "Korean"),
    ("lt", "Lithuanian"),
    ("lv", "Latvian"),
    ("mk", "Macedonian"),
    ("ms", "Malay"),
    ("mt", "Maltese"),
    ("nb", "Norwegian Bokmål"),
    ("nl", "Dutch"),
    ("nn", "Norwegian Nynorsk"),
    ("no", "Norwegian"),
    ("pl", "Polish"),
    ("pt", "Portuguese"),
    ("ro", "Romanian"),
    ("ru", "Russian"),
    ("sk", "Slovak"),
    ("sl", "Slovenian"),
    ("sq", "Albanian"),
    ("sr", "Serbian"),
    ("sv", "Swedish"),
    ("sw", "Swahili"),
    ("th", "Thai"),
    ("tr", "Turkish"),
    ("uk", "Ukrainian"),
    ("ur", "Urdu"),
    ("vi", "Vietnamese"),
    ("zh", "Chinese"),
];

/// A language as it stands behind "in": `German`, `Portuguese (pt-BR)`, `the language tlh`.
pub(super) fn in_words(code: &str) -> String {
    let (first, rest) = code.split_once('-').unwrap_or((code, ""));
    let known = NAMES.iter().find(|(code, _)| code.eq_ignore_ascii_case(first));
    match known {
        Some((_, name)) if rest.is_empty() => (*name).to_owned(),
        Some((_, name)) => format!("{name} ({code})"),
        None => format!("the language {code}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_named_in_words_where_its_code_is_known() {
        for (code, name) in [
            ("en", "English"),
            ("DE", "German"),
            ("pt-BR", "Portuguese (pt-BR)"),
            ("zh-Hant-TW", "Chinese (zh-Hant-TW)"),
            ("tlh", "the language tlh"),
        ] {
            assert_eq!(in_words(code), name);
        }
    }

    #[test]
    fn the_codes_are_sorted_and_each_has_two_letters() {
        assert!(NAMES.is_sorted_by(|(one, _), (other, _)| one < other));
        assert!(NAMES.iter().all(|(code, _)| code.len() == 2));
    }
}
