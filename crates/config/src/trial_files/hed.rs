//! [`well_formed`]: whether a text can be tags of HED (Hierarchical Event Descriptors). Which tags there are is in
//! the standard's schema, which is not here; how they are put together is.

/// The longest text of tags.
const MOST: usize = 4_096;

/// What is wrong with a text, after the words "the tags", and its cure.
type Wrong = (String, &'static str);

/// Refuses what no tool could take for tags: groups that are not closed, tags without a comma between them or
/// twice in a group, and characters that mean something else in the description of a column. Places are counted in
/// characters, from 1.
///
/// # Errors
/// What is wrong, and what to do.
pub(crate) fn well_formed(text: &str) -> Result<(), Wrong> {
    if text.len() > MOST {
        return Err((format!("have more than {MOST} characters"), "leave some out"));
    }
    let characters: Vec<char> = text.chars().collect();
    let mut open = vec![Group { opened: 0, tags: Vec::new() }]; // the whole, and the groups within
    let (mut at, mut is_complete) = (0, false); // whether an item stands before this place
    loop {
        let place = at + 1;
        match (characters.get(at), is_complete) {
            (Some(' '), _) => {}
            (Some('('), false) => open.push(Group { opened: place, tags: Vec::new() }),
            (Some(','), true) => is_complete = false,
            (Some(')'), true) if open.len() > 1 => drop(open.pop()),
            (None, true) if open.len() == 1 => return Ok(()),
            (Some(c), false) if !",)".contains(*c) => {
                let tag = tag(&characters[at..], place)?;
                at += tag.chars().count() - 1;
                if let Some(group) = open.last_mut() {
                    group.take(tag.trim_end().to_owned(), place)?;
                }
                is_complete = true;
            }
            (found, _) => return Err(misplaced(found.copied(), place, &open)),
        }
        at += 1;
    }
}

/// A group that is open.
struct Group {
    opened: usize,
    tags: Vec<String>,
}

impl Group {
    fn take(&mut self, tag: String, place: usize) -> Result<(), Wrong> {
        if self.tags.iter().any(|other| other.eq_ignore_ascii_case(&tag)) {
            return Err((
                format!("have {tag} twice, again at character {place}"),
                "leave it out once",
            ));
        }
        self.tags.push(tag);
        Ok(())
    }
}

/// The tag with which the characters begin, up to a comma or bracket.
fn tag(characters: &[char], place: usize) -> Result<String, Wrong> {
    let tag: String = characters.iter().take_while(|c| !"(),".contains(**c)).collect();
    let is_fit = |c: char| c.is_alphanumeric() || " -_./:+^%".contains(c);
    if let Some((bad, c)) = tag.chars().enumerate().find(|(_, c)| !is_fit(*c)) {
        let what = format!("have {c:?} at character {}", place + bad);
        return Err((what, "write tags with letters, digits, spaces and - _ . / : + ^ % only"));
    }
    let is_named = tag.starts_with(|c: char| c.is_ascii_alphabetic());
    if !is_named || tag.split('/').any(|part| part.trim().is_empty()) {
        let what = format!("have \"{}\" at character {place}", tag.trim_end());
        return Err((what, "write a tag as in Sensory-event or Label/Deviant"));
    }
    Ok(tag)
}

fn misplaced(found: Option<char>, place: usize, open: &[Group]) -> Wrong {
    match found {
        None if open.len() > 1 => {
            let opened = open.last().map_or(0, |group| group.opened);
            (format!("open a group at character {opened} that is not closed"), "write ) at its end")
        }
        Some(')') if open.len() == 1 => {
            (format!("have ) at character {place} where no group is open"), "take it out")
        }
        Some('(') => (format!("lack a comma before ( at character {place}"), "write it"),
        Some(c) if c != ',' && c != ')' => {
            (format!("lack a comma before {c} at character {place}"), "write it")
        }
        Some(c) => {
            (format!("have no tag before {c} at character {place}"), "write one, or take it out")
        }
        None => ("end without a tag".to_owned(), "write one, such as Label/Deviant"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_standard_writes_is_taken() {
        for text in [
            "Sensory-event",
            "Sensory-event, (Experimental-stimulus, (Auditory-presentation, Tone))",
            " (Item-count/3 , Label/Deviant),Red",
            "sc:Sleep-modulator/N1, (Temperature/-3.5e+2)",
            "(Press, Push-button), (Press, Mouse-button)",
        ] {
            assert_eq!(well_formed(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn what_no_tool_could_take_is_refused_at_its_character() {
        for (text, said) in [
            ("", "end without a tag"),
            ("Red, ", "end without a tag"),
            ("Red,,Blue", "have no tag before , at character 5"),
            ("()", "have no tag before ) at character 2"),
            ("(Red, (Blue)", "open a group at character 1 that is not closed"),
            ("Red)", "have ) at character 4 where no group is open"),
            ("Red (Blue)", "lack a comma before ( at character 5"),
            ("(Red) Blue", "lack a comma before B at character 7"),
            ("Red, {name}", "have '{' at character 6"),
            ("Label/#", "have '#' at character 7"),
            ("Red\nBlue", "have '\\n' at character 4"),
            ("/Red", "have \"/Red\" at character 1"),
            ("Label//x", "have \"Label//x\" at character 1"),
            ("Red, (Blue, red), Red", "have Red twice, again at character 19"),
        ] {
            assert_eq!(well_formed(text).unwrap_err().0, said, "{text}");
        }
        assert!(well_formed(&"a".repeat(5_000)).is_err());
    }

    #[test]
    fn deep_groups_take_no_stack() {
        let deep = format!("{}Red{}", "(".repeat(2_000), ")".repeat(2_000));
        assert_eq!(well_formed(&deep), Ok(()));
    }
}
