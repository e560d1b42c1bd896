//! `struct`s.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::Node;
use super::super::apply::{Edit, Fault, Target};
use super::super::engine::{Members, Out, Patch, Path, Token};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Section {
    // #[state(key)]
    pub(super) id: String,
    pub(super) heading: String,
    #[serde(rename = "word/count")]
    pub(super) word_count: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
    #[serde(skip)]
    pub(super) cached: usize,
}

// The members stand by themselves where something may flatten the struct: structs with named fields and no `transparent`.
impl Node for Section {
    // The braces, each member that is always there with its name, colon and comma, and its type's MIN.
    const MIN: usize = 2
        + ("\"id\":".len() + <String as Node>::MIN)
        + (",\"heading\":".len() + <String as Node>::MIN)
        + (",\"word/count\":".len() + <u32 as Node>::MIN);
    const KEYED: bool = true;

    #[inline]
    fn same(&self, now: &Self) -> bool {
        self.id.same(&now.id)
            && self.heading.same(&now.heading)
            && self.word_count.same(&now.word_count)
            && match (Option::is_none(&self.note), Option::is_none(&now.note)) {
                (false, false) => self.note.same(&now.note),
                (old, now) => old == now,
            }
    }

    fn write(&self, out: &mut Out) {
        // As long as no field before can be absent, the comma is part of the literal; after one that can, `member`.
        out.raw("{\"id\":");
        self.id.write(out);
        out.raw(",\"heading\":");
        self.heading.write(out);
        out.raw(",\"word/count\":");
        self.word_count.write(out);
        if !Option::is_none(&self.note) {
            out.raw(",\"note\":");
            self.note.write(out);
        }
        out.byte(b'}');
    }

    fn sync(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
        let mark = out.mark();
        Members::sync_members(self, now, at, out);
        out.settle(mark, at, now);
    }

    fn floor(&self) -> usize {
        Self::MIN + (self.id.floor() - <String as Node>::MIN) + (self.heading.floor() - <String as Node>::MIN)
    }

    fn token(&self, token: &mut Token) {
        self.id.token(token);
        self.heading.token(token);
        self.word_count.token(token);
        if Option::is_none(&self.note) { token.null() } else { self.note.token(token) }
    }

    fn key_same(&self, now: &Self) -> bool {
        self.id.same(&now.id)
    }

    fn key_token(&self, token: &mut Token) {
        self.id.token(token);
    }

    fn child(&mut self, segment: &str) -> Option<&mut dyn Target> {
        match segment {
            "id" => Some(&mut self.id),
            "heading" => Some(&mut self.heading),
            "word/count" => Some(&mut self.word_count),
            "note" if !Option::is_none(&self.note) => Some(&mut self.note),
            _ => None,
        }
    }
}

impl Members for Section {
    fn write_members(&self, out: &mut Out) {
        out.member("\"id\":");
        self.id.write(out);
        out.member("\"heading\":");
        self.heading.write(out);
        out.member("\"word/count\":");
        self.word_count.write(out);
        if !Option::is_none(&self.note) {
            out.member("\"note\":");
            self.note.write(out);
        }
    }

    fn sync_members(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
        self.id.sync(&now.id, &at.lit("/id"), out);
        self.heading.sync(&now.heading, &at.lit("/heading"), out);
        self.word_count.sync(&now.word_count, &at.lit("/word~1count"), out);
        match (Option::is_none(&self.note), Option::is_none(&now.note)) {
            (true, true) => {}
            (false, false) => self.note.sync(&now.note, &at.lit("/note"), out),
            (true, false) => out.gained(&mut self.note, &now.note, &at.lit("/note")),
            (false, true) => out.lost(&mut self.note, &now.note, &at.lit("/note")),
        }
    }
}

/// `#[serde(flatten)]`, and a list whose elements are told apart by a field of theirs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Page {
    #[serde(flatten)]
    pub(super) section: Section,
    #[serde(flatten)]
    pub(super) rest: std::collections::BTreeMap<String, u32>,
    // #[state(key = "id")]
    pub(super) items: Vec<Item>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Item {
    pub(super) id: u32,
    pub(super) text: String,
}

impl Node for Page {
    // Flattened parts count without their braces.
    const MIN: usize = 2
        + (<Section as Node>::MIN - 2)
        + (<std::collections::BTreeMap<String, u32> as Node>::MIN - 2)
        + (",\"items\":".len() + <Vec<Item> as Node>::MIN);

    #[inline]
    fn same(&self, now: &Self) -> bool {
        self.section.same(&now.section) && self.rest.same(&now.rest) && self.items.same(&now.items)
    }

    fn write(&self, out: &mut Out) {
        out.byte(b'{');
        Members::write_members(&self.section, out);
        Members::write_members(&self.rest, out);
        out.member("\"items\":");
        self.items.write(out);
        out.byte(b'}');
    }

    fn sync(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
        let mark = out.mark();
        Members::sync_members(self, now, at, out);
        out.settle(mark, at, now);
    }

    fn token(&self, token: &mut Token) {
        self.section.token(token);
        self.rest.token(token);
        self.items.token(token);
    }

    fn child(&mut self, segment: &str) -> Option<&mut dyn Target> {
        // The own members first, then the flattened parts in turn.
        match segment {
            "items" => Some(&mut self.items),
            _ => {
                if let Some(child) = Node::child(&mut self.section, segment) {
                    return Some(child);
                }
                Node::child(&mut self.rest, segment)
            }
        }
    }
}

impl Members for Page {
    fn write_members(&self, out: &mut Out) {
        Members::write_members(&self.section, out);
        Members::write_members(&self.rest, out);
        out.member("\"items\":");
        self.items.write(out);
    }

    fn sync_members(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
        Members::sync_members(&mut self.section, &now.section, at, out);
        Members::sync_members(&mut self.rest, &now.rest, at, out);
        // Instead of `sync`, for `#[state(key = "id")]`: a field by its Rust name, so that the compiler checks it.
        super::super::engine::keyed::<Vec<Item>>(
            &mut self.items,
            &now.items,
            &|old, now| old.id.same(&now.id),
            &|item, token| item.id.token(token),
            &at.lit("/items"),
            out,
        );
    }
}

impl Node for Item {
    const MIN: usize = 2 + "\"id\":".len() + 1 + ",\"text\":".len() + 2;

    #[inline]
    fn same(&self, now: &Self) -> bool {
        self.id.same(&now.id) && self.text.same(&now.text)
    }

    fn write(&self, out: &mut Out) {
        out.raw("{\"id\":");
        self.id.write(out);
        out.raw(",\"text\":");
        self.text.write(out);
        out.byte(b'}');
    }

    fn sync(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
        let mark = out.mark();
        self.id.sync(&now.id, &at.lit("/id"), out);
        self.text.sync(&now.text, &at.lit("/text"), out);
        out.settle(mark, at, now);
    }

    fn token(&self, token: &mut Token) {
        self.id.token(token);
        self.text.token(token);
    }

    fn child(&mut self, segment: &str) -> Option<&mut dyn Target> {
        match segment {
            "id" => Some(&mut self.id),
            "text" => Some(&mut self.text),
            _ => None,
        }
    }
}

/// A newtype (or `transparent`): the inner value, at the same place. A tuple struct of several fields is written like
/// the tuple (`impls/tuple.rs`): `out.comma()` before each, `at.index(0)`, mark and settle. A unit struct is like `()`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Euro(pub(super) u64);

impl Node for Euro {
    const MIN: usize = <u64 as Node>::MIN;
    const KEYED: bool = <u64 as Node>::KEYED;

    #[inline]
    fn same(&self, now: &Self) -> bool {
        self.0.same(&now.0)
    }

    fn write(&self, out: &mut Out) {
        self.0.write(out);
    }

    fn sync(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
        self.0.sync(&now.0, at, out);
    }

    fn is_null(&self) -> bool {
        self.0.is_null()
    }

    fn floor(&self) -> usize {
        self.0.floor()
    }

    fn token(&self, token: &mut Token) {
        self.0.token(token);
    }

    fn key_same(&self, now: &Self) -> bool {
        self.0.key_same(&now.0)
    }

    fn key_token(&self, token: &mut Token) {
        self.0.key_token(token);
    }

    fn child(&mut self, segment: &str) -> Option<&mut dyn Target> {
        self.0.child(segment)
    }

    fn edit(&mut self, edit: Edit<'_>) -> Option<Result<(), Fault>> {
        self.0.edit(edit)
    }
}
