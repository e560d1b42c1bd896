//! Lists whose elements are identified by a key, by another name of it, or by their contents.

use std::collections::VecDeque;

use agui_runtime::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::sample::sample;
use super::{External, Internal, Untagged};

/// Lists.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Lists {
    pub bytes: Vec<u8>,
    pub texts: Vec<String>,
    pub rows: Vec<Row>,
    pub cards: Vec<Card>,
    #[state(key = "title")]
    pub by_title: Vec<Row>,
    #[state(key = "id")]
    pub queue: VecDeque<Row>,
    pub lists: Vec<Vec<u8>>,
    pub enums: Vec<External>,
    pub internals: Vec<Internal>,
    pub untagged: Vec<Untagged>,
    pub values: Vec<Value>,
    pub pairs: Vec<(u8, String)>,
}
sample!(struct Lists {
    bytes, texts, rows, cards, by_title, queue, lists, enums, internals, untagged, values, pairs
});

/// An element without a key of its own.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Row {
    pub id: u8,
    pub title: String,
    pub note: Option<String>,
    pub cells: Vec<u8>,
}
sample!(struct Row { id, title, note, cells });

/// An element with a key. Few ids: they occur again, and more than once in one list.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub struct Card {
    #[state(key)]
    pub card_id: u8,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    pub rows: Vec<Row>,
}
sample!(struct Card { card_id, title, note, rows });
