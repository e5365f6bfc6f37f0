//! [`Node`]: a TOML document as a tree in which every key and value knows its
//! place in the text, in the order of the file. The `toml` crate parses; this
//! keeps what the checks need and drops its borrowed forms.

use std::fmt;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and the byte at which it begins.
#[derive(Clone, Debug)]
pub struct Node {
    /// The byte at which it begins.
    pub at: usize,
    pub value: Value,
}

/// A TOML value. Decimals keep their text, so that none is read through a float.
#[derive(Clone, Debug)]
pub enum Value {
    /// Text in quotes, without them.
    Text(String),
    /// A whole number.
    Integer(i128),
    /// A number with decimals, as it is written.
    Decimal(String),
    /// `true` or `false`.
    Flag(bool),
    /// A date or a time of day, as it is written.
    Moment(String),
    /// `[...]`
    List(Vec<Node>),
    /// `{ ... }`, or what stands under a heading.
    Table(TomlTable),
}

/// Keys and values in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct TomlTable {
    /// In the order of the file.
    pub entries: Vec<TomlEntry>,
}

/// A key, the byte at which it begins, and its value.
#[derive(Clone, Debug)]
pub struct TomlEntry {
    pub key: String,
    /// The byte at which the key begins.
    pub at: usize,
    pub node: Node,
}

impl TomlTable {
    /// A table without keys.
    pub const EMPTY: TomlTable = TomlTable { entries: Vec::new() };

    /// The entry of a key.
    pub fn get(&self, key: &str) -> Option<&TomlEntry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// Whether the key is there.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub(super) fn from_toml(table: &DeTable<'_>) -> TomlTable {
        let mut entries: Vec<TomlEntry> = table.iter().map(|(k, v)| entry(k, v)).collect();
        entries.sort_by_key(|entry| entry.at);
        TomlTable { entries }
    }
}

impl Node {
    /// The value of a piece of TOML written in this program, such as a default.
    pub fn parse(text: &str) -> Option<Node> {
        DeValue::parse(text).ok().map(|value| Node::from_toml(&value))
    }

    /// The table that it is, if it is one.
    pub fn table(&self) -> Option<&TomlTable> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The text that it is, if it is text.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    fn from_toml(value: &Spanned<DeValue<'_>>) -> Node {
        let at = value.span().start;
        let value = match value.get_ref() {
            DeValue::String(text) => Value::Text(text.to_string()),
            DeValue::Integer(n) => {
                Value::Integer(i128::from_str_radix(n.as_str(), n.radix()).unwrap_or(i128::MAX))
            }
            DeValue::Float(n) => Value::Decimal(n.as_str().to_owned()),
            DeValue::Boolean(flag) => Value::Flag(*flag),
            DeValue::Datetime(moment) => Value::Moment(moment.to_string()),
            DeValue::Array(list) => Value::List(list.iter().map(Node::from_toml).collect()),
            DeValue::Table(table) => Value::Table(TomlTable::from_toml(table)),
        };
        Node { at, value }
    }
}

fn entry(key: &Spanned<toml::de::DeString<'_>>, value: &Spanned<DeValue<'_>>) -> TomlEntry {
    let at = key.span().start;
    TomlEntry { key: key.get_ref().to_string(), at, node: Node::from_toml(value) }
}

/// As in the file, but strings without quotes: for tables of parameters.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Value::Text(text) | Value::Decimal(text) | Value::Moment(text) => f.write_str(text),
            Value::Integer(n) => n.fmt(f),
            Value::Flag(flag) => flag.fmt(f),
            Value::List(list) => {
                let items: Vec<String> = list.iter().map(Node::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Value::Table(table) => {
                let items = table.entries.iter().map(|e| format!("{} = {}", e.key, e.node));
                write!(f, "{{ {} }}", items.collect::<Vec<_>>().join(", "))
            }
        }
    }
}
