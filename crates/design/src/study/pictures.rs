//! [`pictures_in`]: which pictures and sounds a text of a study shows. They are files of the study like its trial
//! files: of a question about a melody the melody is the stimulus. How a text is drawn is not known here.

/// The names of pictures and sounds in a text, `![words](name)` as in Markdown, from the folder of the experiment
/// file, each once. One from elsewhere, which pages do not show, is none.
pub fn pictures_in(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for name in named_in(text).filter(|name| is_ours(name)) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

/// What a text would show and no page does: pictures and sounds from elsewhere, and tags of HTML.
pub(crate) fn not_shown_in(text: &str) -> Vec<String> {
    let tags = text.match_indices("<img").take(1).map(|_| "<img>".to_owned());
    named_in(text).filter(|name| !name.is_empty() && !is_ours(name)).chain(tags).collect()
}

/// Every name in the place of a picture or sound.
fn named_in(text: &str) -> impl Iterator<Item = String> {
    text.split("![").skip(1).filter_map(|after| {
        let (_, address) = after.split_once("](")?;
        let address = address.trim_start();
        let name = match address.strip_prefix('<') {
            Some(quoted) => quoted.split('>').next(),
            None => address.split([')', ' ', '\n', '"']).next(),
        };
        let name = decoded(name.unwrap_or_default());
        Some(name.strip_prefix("./").unwrap_or(&name).to_owned())
    })
}

/// Whether a name stays in the folder and has an ending.
fn is_ours(name: &str) -> bool {
    let leads_out =
        name.starts_with('/') || name.contains("..") || name.contains([':', '\\', '\0']);
    !leads_out
        && name.rsplit_once('.').is_some_and(|(stem, end)| !stem.is_empty() && !end.is_empty())
}

/// A name in which `%20` is a space; what is no such number stays.
fn decoded(name: &str) -> String {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| first == b'%');
        let number =
            digits.and_then(|two| u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok());
        bytes.push(number.unwrap_or(first));
        rest = if number.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_and_sounds_of_the_folder_are_found_each_once() {
        let text = "![Two faces](faces.png) and ![again](./faces.png)\n![](a/the%20pad.png \"pad\")\n\
                    ![The melody](<the melody.wav>) [a link](other.png) ![half](";
        assert_eq!(pictures_in(text), ["faces.png", "a/the pad.png", "the melody.wav"]);
        assert_eq!(not_shown_in(text), [""; 0]);
        assert_eq!(not_shown_in("two <img src=a.png> <img src=b.png>"), ["<img>"]);
        for elsewhere in ["https://x.org/a.png", "/etc/a.png", "../a.png", "a", "%2e%2e/a.png"] {
            assert_eq!(pictures_in(&format!("![x]({elsewhere})")), [""; 0], "{elsewhere}");
            assert_eq!(not_shown_in(&format!("![x]({elsewhere})")).len(), 1, "{elsewhere}");
        }
    }
}
