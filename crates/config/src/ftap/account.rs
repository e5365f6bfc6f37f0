//! [`account`]: what was read how in many files, as one list. What holds of several files is one
//! line with their names, because a laboratory's files differ in little.

/// Something said of a file: the line, 0 where the whole file is meant, and the words.
pub type LineRead = (usize, String);

/// One line for each thing that is said, in the order in which it first comes, with where it holds:
/// `all 12 files`, or each file with its line.
pub fn account(files: &[(String, Vec<LineRead>)]) -> Vec<String> {
    let mut told: Vec<(&str, Vec<(&str, usize)>)> = Vec::new();
    for (file, said) in files {
        for (line, words) in said {
            let place = (file.as_str(), *line);
            match told.iter_mut().find(|(of, _)| of == words) {
                Some((_, places)) => places.push(place),
                None => told.push((words, vec![place])),
            }
        }
    }
    told.iter().map(|(words, places)| format!("{words} ({})", shown(places, files.len()))).collect()
}

fn shown(places: &[(&str, usize)], files: usize) -> String {
    let of_whole_files = places.iter().all(|(_, line)| *line == 0);
    if of_whole_files && files > 1 && places.len() == files {
        return format!("all {files} files");
    }
    let place = |(file, line): &(&str, usize)| match line {
        0 => (*file).to_owned(),
        line => format!("{file}:{line}"),
    };
    places.iter().map(place).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_of_several_files_is_one_line_with_their_places() {
        let of = |file: &str, said: &[(usize, &str)]| {
            (file.to_owned(), said.iter().map(|(at, words)| (*at, (*words).to_owned())).collect())
        };
        let files =
            [of("a", &[(0, "counts"), (3, "dropped")]), of("b", &[(0, "counts"), (0, "x")])];
        assert_eq!(account(&files), ["counts (all 2 files)", "dropped (a:3)", "x (b)"]);
        assert_eq!(account(&files[..1]), ["counts (a)", "dropped (a:3)"]);
    }
}
