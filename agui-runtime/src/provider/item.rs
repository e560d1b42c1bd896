//! One item of an answer: a text, reasoning, or a call, as far as it has come.

use serde_json::Value;

use super::json_end::JsonEnd;

/// The kinds of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    Text,
    Reasoning,
    /// The encrypted form of reasoning.
    Sealed,
    Call,
}

/// The numbers and ids by which a provider names an item. Servers leave out each of these, number anew, and give one id twice.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ItemPlace<'p> {
    pub(super) position: Option<u32>,
    /// The number of the part within its item.
    pub(super) part: u32,
    pub(super) item_id: Option<&'p str>,
    pub(super) call_id: Option<&'p str>,
}

/// An item, as far as it has come.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) kind: ItemKind,
    pub(super) position: Option<u32>,
    pub(super) part: u32,
    item_id: Option<String>,
    pub(super) call_id: Option<String>,
    content: String,
    /// The place in the arguments.
    end: JsonEnd,
    /// The name of the tool.
    pub(super) name: String,
    pub(super) encrypted: Option<String>,
    /// True if the call went out.
    pub(super) has_begun: bool,
    /// The list that has made it, and the last one that has named it.
    pub(super) made_by: u32,
    pub(super) listed_by: u32,
}

impl Item {
    pub(super) fn new(kind: ItemKind, place: ItemPlace<'_>, list: u32) -> Self {
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

    /// Returns true if the ids are the same. The id of a call says more than that of its item.
    pub(super) fn has_id(&self, place: &ItemPlace<'_>) -> bool {
        match (&self.call_id, place.call_id) {
            (Some(own), Some(id)) => own == id,
            _ => self.item_id.is_some() && self.item_id.as_deref() == place.item_id,
        }
    }

    /// Returns true if both have ids, which differ.
    pub(super) fn has_another_id(&self, place: &ItemPlace<'_>) -> bool {
        let differ = |own: &Option<String>, id: Option<&str>| {
            own.as_deref().zip(id).is_some_and(|(own, id)| own != id)
        };
        match (&self.call_id, place.call_id) {
            (Some(_), Some(_)) => differ(&self.call_id, place.call_id),
            _ => differ(&self.item_id, place.item_id),
        }
    }

    pub(super) fn is_at(&self, place: &ItemPlace<'_>) -> bool {
        place.position.is_some() && self.position == place.position
    }

    /// Adds the number and the ids that the item lacks.
    pub(super) fn learn(&mut self, place: &ItemPlace<'_>) {
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

    /// Forgets the arguments so far.
    pub(super) fn clear(&mut self) {
        self.content.clear();
        self.end = JsonEnd::default();
    }

    /// Returns true if the arguments are whole: nothing can follow but white space.
    pub(super) fn is_whole(&self) -> bool {
        self.end.is_reached()
    }
}

/// Returns true if two texts of arguments are the same value.
pub(super) fn same_value(one: &str, other: &str) -> bool {
    let read = |text: &str| serde_json::from_str::<Value>(if text.trim().is_empty() { "{}" } else { text });
    one == other || matches!((read(one), read(other)), (Ok(one), Ok(other)) if one == other)
}

/// Returns true if two texts differ in nothing but white space.
pub(super) fn same_text(one: &str, other: &str) -> bool {
    one == other || one.split_whitespace().eq(other.split_whitespace())
}

/// Returns the name of a tool to which a piece was added: names come whole, again and again, in pieces, or grow.
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
        let place = |item_id, call_id| ItemPlace { item_id, call_id, ..ItemPlace::default() };
        let item = Item::new(ItemKind::Call, place(Some("fc"), Some("a")), 0);
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
