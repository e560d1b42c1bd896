//! A reply item: a text, reasoning, or a call, possibly partial.

use agui_runtime_core::protocol::EncryptedValue;
use serde_json::Value;

use super::json_end::JsonEnd;

/// An item type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    Text,
    Reasoning,
    /// Encrypted reasoning.
    Sealed,
    Call,
}

/// The indices and ids by which a provider identifies an item. Servers omit any of them, renumber items, and reuse ids.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ItemLocation<'p> {
    pub(super) position: Option<u32>,
    /// The part's index within the item.
    pub(super) part: u32,
    pub(super) item_id: Option<&'p str>,
    pub(super) call_id: Option<&'p str>,
}

/// A partial or complete item.
#[derive(Debug)]
pub(super) struct ReplyItem {
    pub(super) kind: ItemKind,
    pub(super) position: Option<u32>,
    pub(super) part: u32,
    item_id: Option<String>,
    pub(super) call_id: Option<String>,
    content: String,
    /// The scanner state in the arguments.
    end: JsonEnd,
    /// The tool name.
    pub(super) name: String,
    pub(super) encrypted: Option<EncryptedValue>,
    /// True once the call's first delta went out.
    pub(super) has_begun: bool,
    /// The list that created the item; `listed_by` is the last list that matched the item.
    pub(super) made_by: u32,
    pub(super) listed_by: u32,
}

impl ReplyItem {
    pub(super) fn new(kind: ItemKind, place: ItemLocation<'_>, list: u32) -> Self {
        Self {
            kind,
            position: place.position,
            part: place.part,
            item_id: place.item_id.map(str::to_owned),
            call_id: place.call_id.map(str::to_owned),
            content: String::new(),
            end: JsonEnd::default(),
            name: String::new(),
            encrypted: None,
            has_begun: false,
            made_by: list,
            listed_by: list,
        }
    }

    /// True if the ids match. A call id takes precedence over an item id.
    pub(super) fn has_id(&self, place: &ItemLocation<'_>) -> bool {
        match (&self.call_id, place.call_id) {
            (Some(own), Some(id)) => own == id,
            _ => self.item_id.is_some() && self.item_id.as_deref() == place.item_id,
        }
    }

    /// True if both have ids that differ.
    pub(super) fn has_another_id(&self, place: &ItemLocation<'_>) -> bool {
        let differ = |own: &Option<String>, id: Option<&str>| {
            own.as_deref().zip(id).is_some_and(|(own, id)| own != id)
        };
        match (&self.call_id, place.call_id) {
            (Some(_), Some(_)) => differ(&self.call_id, place.call_id),
            _ => differ(&self.item_id, place.item_id),
        }
    }

    pub(super) fn is_at(&self, place: &ItemLocation<'_>) -> bool {
        place.position.is_some() && self.position == place.position
    }

    /// Adds the index and the ids that the item lacks.
    pub(super) fn learn(&mut self, place: &ItemLocation<'_>) {
        self.position = self.position.or(place.position);
        for (own, id) in [(&mut self.item_id, place.item_id), (&mut self.call_id, place.call_id)] {
            if own.is_none() {
                *own = id.map(str::to_owned);
            }
        }
    }

    /// Returns the text, or the arguments.
    pub(super) fn content(&self) -> &str {
        &self.content
    }

    pub(super) fn push(&mut self, piece: &str) {
        self.content.push_str(piece);
        if self.kind == ItemKind::Call {
            self.end.push(piece);
        }
    }

    /// Drops the arguments so far.
    pub(super) fn clear(&mut self) {
        self.content.clear();
        self.end = JsonEnd::default();
    }

    /// True if the arguments are complete: only white space can follow.
    pub(super) fn is_whole(&self) -> bool {
        self.end.is_reached()
    }
}

/// True if two argument texts are equal as JSON values.
pub(super) fn same_value(one: &str, other: &str) -> bool {
    let read = |text: &str| serde_json::from_str::<Value>(if text.trim().is_empty() { "{}" } else { text });
    one == other || matches!((read(one), read(other)), (Ok(one), Ok(other)) if one == other)
}

/// True if two texts differ only in white space.
pub(super) fn same_text(one: &str, other: &str) -> bool {
    one == other || one.split_whitespace().eq(other.split_whitespace())
}

/// Adds a piece to a tool name: names come whole, repeatedly, in pieces, or as growing prefixes.
pub(super) fn joined_name(name: &str, piece: &str, is_known: impl Fn(&str) -> bool) -> String {
    let joined = format!("{name}{piece}");
    if name.is_empty() || (is_known(name) && piece == name) {
        return piece.to_owned();
    }
    if is_known(&joined) {
        return joined;
    }
    let is_whole = piece == name || piece.starts_with(name) && is_known(piece);
    if is_whole { piece.to_owned() } else { joined }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_joined_as_the_tools_are_named() {
        let is_known = |name: &str| ["order", "order_all", "oo"].contains(&name);
        for (pieces, name) in [
            (&["order"][..], "order"),
            (&["or", "der"], "order"),
            (&["order", "order"], "order"),
            (&["order", "_all"], "order_all"),
            (&["or", "order"], "order"),
            (&["o", "o"], "oo"),
            (&["other", "other"], "other"),
            (&["oth", "er"], "other"),
        ] {
            let joined = pieces.iter().fold(String::new(), |name, piece| joined_name(&name, piece, is_known));
            assert_eq!(joined, name, "{pieces:?}");
        }
    }

    #[test]
    fn ids_of_calls_say_more_than_ids_of_items() {
        let place = |item_id, call_id| ItemLocation { item_id, call_id, ..ItemLocation::default() };
        let item = ReplyItem::new(ItemKind::Call, place(Some("fc"), Some("a")), 0);
        assert!(item.has_id(&place(Some("other"), Some("a"))) && item.has_id(&place(Some("fc"), None)));
        assert!(
            !item.has_id(&place(Some("fc"), Some("b"))) && item.has_another_id(&place(Some("fc"), Some("b")))
        );
        assert!(!item.has_id(&place(None, None)) && !item.has_another_id(&place(None, None)));
    }

    #[test]
    fn arguments_are_compared_as_values() {
        assert!(same_value("", "{}") && same_value(r#"{"a":1,"b":2}"#, r#"{ "b": 2, "a": 1 }"#));
        assert!(!same_value(r#"{"a":1}"#, r#"{"a":2}"#) && !same_value("{", "{}"));
        assert!(same_text("a\n b", "a b") && !same_text("ab", "a b"));
    }
}
