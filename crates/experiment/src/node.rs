//! [`Node`]: a TOML document as a tree in which every key and value knows its
//! place in the text, in the order of the file. The `toml` crate parses; this
//! keeps what the checks need and drops its borrowed forms.

use std::fmt;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and the byte at which it begins.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub at: usize,
    pub value: Value,
}

/// A TOML value. Decimals keep their text, so that none is read through a float.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text(String),
    Integer(i128),
    Decimal(String),
    Flag(bool),
    Moment(String),
    List(Vec<Node>),
    Table(Table),
}

/// Keys and values in the order of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub entries: Vec<Entry>,
}

/// A key, the byte at which it begins, and its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub key: String,
    pub at: usize,
    pub node: Node,
}

impl Table {
    pub const EMPTY: Table = Table { entries: Vec::new() };

    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub fn from_toml(table: &DeTable<'_>) -> Table {
        let mut entries: Vec<Entry> = table.iter().map(|(k, v)| entry(k, v)).collect();
        entries.sort_by_key(|entry| entry.at);
        Table { entries }
    }
}

impl Node {
    /// The value of a piece of TOML written in this program, such as a default.
    pub fn parse(text: &str) -> Option<Node> {
        DeValue::parse(text).ok().map(|value| Node::from_toml(&value))
    }

    pub fn table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

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
            DeValue::Table(table) => Value::Table(Table::from_toml(table)),
        };
        Node { at, value }
    }
}

fn entry(key: &Spanned<toml::de::DeString<'_>>, value: &Spanned<DeValue<'_>>) -> Entry {
    let at = key.span().start;
    Entry { key: key.get_ref().to_string(), at, node: Node::from_toml(value) }
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
