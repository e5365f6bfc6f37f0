//! [`Words`]: a column in which few words stand many times, as codes into a list of words.

use std::collections::HashMap;

/// The code of a cell that holds nothing.
const MISSING: i32 = -1;

/// A column of words.
#[derive(Default)]
pub struct Words {
    /// For each row the place of its word, or −1.
    pub codes: Vec<i32>,
    /// The words, each once, in the order in which they came.
    pub words: Vec<String>,
    places: HashMap<String, i32>,
}

impl Words {
    /// Appends a cell.
    pub fn push(&mut self, word: Option<&str>) {
        let code = word.map_or(MISSING, |word| self.place(word));
        self.codes.push(code);
    }

    /// Appends all the cells of another column.
    pub fn append(&mut self, other: &Words) {
        let places: Vec<i32> = other.words.iter().map(|word| self.place(word)).collect();
        let place = |code: &i32| usize::try_from(*code).map_or(MISSING, |code| places[code]);
        self.codes.extend(other.codes.iter().map(place));
    }

    fn place(&mut self, word: &str) -> i32 {
        if let Some(place) = self.places.get(word) {
            return *place;
        }
        let place = i32::try_from(self.words.len()).expect("fewer words than rows in memory");
        self.words.push(word.to_owned());
        self.places.insert(word.to_owned(), place);
        place
    }
}
