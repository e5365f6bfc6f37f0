//! The modules of a crate, and which of them names something of which other: read from its files,
//! beginning at `lib.rs` or `main.rs`. What only tests are built with is left out.
//!
//! It is no compiler. Names that a module has by `use super::*` are not seen, nor is what a macro
//! makes, nor a method that one module adds to the type of another.

use super::tokens::{Token, tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The place of a module or of an item: names from the crate's root on.
pub(super) type Place = Vec<String>;

/// Something that a module names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    /// The module that names it.
    pub by: Place,
    /// What it names.
    pub path: Place,
    /// `FILE:LINE`.
    pub at: String,
}

/// A crate as its files say it.
#[derive(Debug, Default)]
pub(super) struct Crate {
    pub modules: BTreeSet<Place>,
    pub mentions: Vec<Mention>,
    /// What a `use` calls by which name, in which module.
    aliases: BTreeMap<Place, Place>,
    /// Of which modules a module has all names.
    globs: BTreeMap<Place, Vec<Place>>,
    /// The items that modules define.
    items: BTreeSet<Place>,
}

impl Crate {
    /// Reads the crate whose root is this file; files are named as seen from `base`.
    pub fn read(root: &Path, base: &Path) -> Crate {
        let mut found = Crate::default();
        let folder = root.parent().unwrap_or(base);
        found.read_file(root, &Vec::new(), folder, base);
        found
    }

    fn read_file(&mut self, file: &Path, module: &Place, folder: &Path, base: &Path) {
        let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let name = file.strip_prefix(base).unwrap_or(file).display().to_string();
        for child in self.read_text(&text, module, &name) {
            let below = child[module.len()..].iter().fold(folder.to_owned(), |f, n| f.join(n));
            let (beside, inside) = (below.with_extension("rs"), below.join("mod.rs"));
            let file = if inside.exists() { inside } else { beside };
            self.read_file(&file, &child, &below, base);
        }
    }

    /// Reads the text of a module, and gives the modules that stand in files of their own.
    pub fn read_text(&mut self, text: &str, module: &Place, file: &str) -> Vec<Place> {
        let tokens = without_tests(&tokens(text));
        let mut reader = Reader { found: self, file, tokens: &tokens, at: 0, elsewhere: vec![] };
        reader.read(module);
        reader.elsewhere
    }

    /// The module in which something stands, whatever names `use` gives it on the way.
    pub fn home(&self, path: &[String]) -> Place {
        self.followed(path, 0)
    }

    fn followed(&self, path: &[String], steps: usize) -> Place {
        let mut module = Place::new();
        for (at, name) in path.iter().enumerate() {
            let next = joined(&module, std::slice::from_ref(name));
            if self.modules.contains(&next) {
                module = next;
            } else if let (Some(target), true) = (self.target(&module, &next), steps < 20) {
                return self.followed(&joined(&target, &path[at + 1..]), steps + 1);
            } else {
                break;
            }
        }
        module
    }

    /// What a name stands for in a module that does not define it.
    fn target(&self, module: &Place, name: &Place) -> Option<Place> {
        let of_globs = || {
            let item = |from: &Place| joined(from, &name[module.len()..]);
            let all = self.globs.get(module)?.iter().map(item);
            all.into_iter().find(|item| self.items.contains(item) || self.modules.contains(item))
        };
        self.aliases.get(name).filter(|target| *target != name).cloned().or_else(of_globs)
    }
}

fn joined(before: &[String], after: &[String]) -> Place {
    [before, after].concat()
}

/// The tokens without items that stand behind `#[cfg(test)]`, nor the attributes of others.
pub(crate) fn without_tests<'t>(tokens: &[Token<'t>]) -> Vec<Token<'t>> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is = |index: usize, text: &str| tokens.get(index).is_some_and(|t| t.text == text);
        if !is(at, "#") || !(is(at + 1, "[") || is(at + 2, "[")) {
            kept.push(tokens[at]);
            at += 1;
            continue;
        }
        let end = closed(tokens, at);
        let is_test = is_for_tests(&tokens[at..end]);
        at = if is_test { behind_item(tokens, end) } else { end };
    }
    kept
}

fn is_for_tests(attribute: &[Token]) -> bool {
    let has = |text: &str| attribute.iter().any(|token| token.text == text);
    has("cfg") && has("test") && !has("not")
}

/// Behind the bracket that closes the next one that opens.
fn closed(tokens: &[Token], from: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        depth += deeper(token);
        if depth == 0 && deeper(token) < 0 {
            return at + 1;
        }
    }
    tokens.len()
}

fn deeper(token: &Token) -> i32 {
    match token.text {
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        _ => 0,
    }
}

/// Behind the item that begins here: its `;`, or its closing brace.
fn behind_item(tokens: &[Token], from: usize) -> usize {
    let mut at = from;
    while let Some(token) = tokens.get(at) {
        match token.text {
            ";" => return at + 1,
            "{" => return closed(tokens, at),
            "}" => return at,
            "(" | "[" => at = closed(tokens, at),
            _ => at += 1,
        }
    }
    at
}

/// Goes through a file once.
struct Reader<'r, 't> {
    found: &'r mut Crate,
    file: &'r str,
    tokens: &'r [Token<'t>],
    at: usize,
    elsewhere: Vec<Place>,
}

/// The words behind which the name of an item stands.
const ITEMS: [&str; 9] =
    ["struct", "enum", "union", "trait", "fn", "type", "const", "static", "macro_rules"];

impl Reader<'_, '_> {
    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    /// Reads a module up to the brace that closes it.
    fn read(&mut self, module: &Place) {
        self.found.modules.insert(module.clone());
        let mut depth = 0;
        while self.at < self.tokens.len() && depth >= 0 {
            match self.text(self.at) {
                "mod" => self.module(module),
                "use" => self.used(module),
                "{" => depth += 1,
                "}" => depth -= 1,
                word if depth == 0 && ITEMS.contains(&word) => self.item(module),
                _ => self.path(module),
            }
            self.at += 1;
        }
        self.at -= usize::from(depth < 0);
    }

    fn module(&mut self, module: &Place) {
        let child = joined(module, &[self.text(self.at + 1).to_owned()]);
        self.at += 2;
        if self.text(self.at) == "{" {
            self.at += 1;
            self.read(&child);
        } else {
            self.found.modules.insert(child.clone());
            self.elsewhere.push(child);
        }
    }

    fn item(&mut self, module: &Place) {
        let name = self.text(self.at + 1).to_owned();
        self.found.items.insert(joined(module, &[name]));
    }

    fn used(&mut self, module: &Place) {
        self.at += 1;
        self.at += usize::from(self.text(self.at) == "::");
        self.tree(module, &Place::new());
    }

    /// A `use` from here on, behind the names before it.
    fn tree(&mut self, module: &Place, before: &Place) {
        let mut path = before.clone();
        loop {
            match self.text(self.at) {
                "{" => return self.trees(module, &path),
                "*" => {
                    self.at += 1;
                    return self.glob(module, &path);
                }
                name => path.push(name.to_owned()),
            }
            self.at += 1;
            if self.text(self.at) != "::" {
                break;
            }
            self.at += 1;
        }
        self.named(module, path);
    }

    fn trees(&mut self, module: &Place, path: &Place) {
        while !matches!(self.text(self.at), "}" | "") {
            self.at += 1;
            if self.text(self.at) != "}" {
                self.tree(module, path);
            }
        }
        self.at += 1;
    }

    fn glob(&mut self, module: &Place, path: &Place) {
        if let Some(from) = self.of_crate(module, path) {
            self.mention(module, from.clone(), self.at - 1);
            self.found.globs.entry(module.clone()).or_default().push(from);
        }
    }

    /// One name that a `use` brings.
    fn named(&mut self, module: &Place, mut path: Place) {
        if path.last().is_some_and(|name| name == "self") {
            path.pop();
        }
        let line_of = self.at - 1;
        let mut name = path.last().cloned().unwrap_or_default();
        if self.text(self.at) == "as" {
            name = self.text(self.at + 1).to_owned();
            self.at += 2;
        }
        if let Some(path) = self.of_crate(module, &path) {
            self.mention(module, path.clone(), line_of);
            self.found.aliases.insert(joined(module, &[name]), path);
        }
    }

    /// A path in code, such as `crate::plan::Plan`.
    fn path(&mut self, module: &Place) {
        let begins = !matches!(self.at.checked_sub(1).map(|at| self.text(at)), Some("::" | "."));
        if !begins || self.text(self.at + 1) != "::" {
            return;
        }
        let (from, mut path) = (self.at, vec![self.text(self.at).to_owned()]);
        while self.text(self.at + 1) == "::" && is_word(self.text(self.at + 2)) {
            self.at += 2;
            path.push(self.text(self.at).to_owned());
        }
        if let Some(path) = self.of_crate(module, &path) {
            self.mention(module, path, from);
        }
    }

    /// A path as seen from the root, where it stays in this crate. One that begins with no keyword
    /// begins in the module itself, with a child or with what a `use` named.
    fn of_crate(&self, module: &Place, path: &Place) -> Option<Place> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_owned()),
            "self" => Some(joined(module, rest)),
            "super" => {
                let up = path.iter().take_while(|name| *name == "super").count();
                Some(joined(&module[..module.len().checked_sub(up)?], &path[up..]))
            }
            _ => {
                let here = joined(module, std::slice::from_ref(first));
                let is_known = self.found.modules.contains(&here);
                (is_known || self.found.aliases.contains_key(&here)).then(|| joined(module, path))
            }
        }
    }

    fn mention(&mut self, module: &Place, path: Place, token: usize) {
        let at = format!("{}:{}", self.file, self.tokens[token].line);
        self.found.mentions.push(Mention { by: module.clone(), path, at });
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}
