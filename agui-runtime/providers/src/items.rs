//! A reply's items. One rule for all dialects matches pieces and whole items: streamed content wins, and a whole item adds only
//! new content, compared by value where indices and ids disagree. In doubt, a call is not made twice.

use super::item::{ItemKind, ItemLocation, ReplyItem, same_text, same_value};

/// The items so far.
#[derive(Debug, Default)]
pub(super) struct ReplyItems {
    all: Vec<ReplyItem>,
}

/// The match between a whole item and the items so far.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum WholeItemMatch {
    /// No item matches.
    New,
    /// The item at this index matches.
    Known(usize),
    /// Other items already have all of the content.
    Seen,
}

impl ReplyItems {
    pub(super) fn get_mut(&mut self, at: usize) -> Option<&mut ReplyItem> {
        self.all.get_mut(at)
    }

    pub(super) fn add(&mut self, item: ReplyItem) -> usize {
        self.all.push(item);
        self.all.len() - 1
    }

    /// Returns the indices of calls.
    pub(super) fn calls(&self) -> impl Iterator<Item = usize> {
        self.of_kind(ItemKind::Call).map(|(at, _)| at)
    }

    fn of_kind(&self, kind: ItemKind) -> impl DoubleEndedIterator<Item = (usize, &ReplyItem)> {
        self.all.iter().enumerate().filter(move |(_, item)| item.kind == kind)
    }

    fn last(&self, kind: ItemKind, is_it: impl Fn(&ReplyItem) -> bool) -> Option<usize> {
        self.of_kind(kind).rev().find(|(_, item)| is_it(item)).map(|(at, _)| at)
    }

    /// Returns the item that a text piece continues.
    pub(super) fn continued_text(&self, kind: ItemKind, place: &ItemLocation<'_>) -> Option<usize> {
        let same = |item: &ReplyItem| item.part == place.part;
        if place.position.is_none() && place.item_id.is_none() {
            return self.last(kind, same);
        }
        self.last(kind, |item| {
            same(item) && item.has_id(place) && (item.is_at(place) || place.position.is_none())
        })
        .or_else(|| self.last(kind, |item| same(item) && item.is_at(place) && !item.has_another_id(place)))
        .or_else(|| self.last(kind, |item| same(item) && item.has_id(place)))
    }

    /// Returns the call already begun at this place, if its start event is repeated.
    pub(super) fn begun_call(&self, place: &ItemLocation<'_>) -> Option<usize> {
        let same_position =
            |item: &ReplyItem| item.is_at(place) || place.position.is_none() || item.position.is_none();
        self.last(ItemKind::Call, |item| item.has_id(place) && same_position(item))
    }

    /// Returns the call that a piece continues; `None` if the piece begins a call. Only a named piece can begin one.
    pub(super) fn continued_call(
        &self,
        place: &ItemLocation<'_>,
        (name, arguments): (Option<&str>, &str),
        is_known: &dyn Fn(&str) -> bool,
    ) -> Option<usize> {
        let exact = self.last(ItemKind::Call, |item| item.is_at(place) && item.has_id(place));
        let of_id = || self.last(ItemKind::Call, |item| item.has_id(place));
        if exact.is_some() {
            return exact;
        }
        let newest = match place.position {
            Some(_) => self.last(ItemKind::Call, |item| item.is_at(place)).or_else(|| {
                // A number that comes after the beginning.
                let is_unnumbered = |item: &ReplyItem| item.position.is_none() && !item.has_another_id(place);
                self.last(ItemKind::Call, is_unnumbered).filter(|_| name.is_none())
            }),
            None => of_id().or_else(|| self.last(ItemKind::Call, |_| true)),
        };
        let Some(newest) = newest else {
            // Some servers repeat the id alone, with another number.
            return if name.is_none() { of_id() } else { None };
        };
        let item = self.all.get(newest)?;
        match name {
            None if item.has_another_id(place) => of_id().or(Some(newest)),
            None => Some(newest),
            Some(name) => {
                let is_other_tool = item.name != name && is_known(&item.name) && is_known(name);
                // Without ids, the same call with the same arguments was told again.
                let is_again = || item.name == name && same_value(item.content(), arguments);
                let is_next = match item.name.is_empty() {
                    true => false,
                    false if item.is_whole() => item.has_another_id(place) || !is_again(),
                    false => is_other_tool && (item.has_begun || item.has_another_id(place)),
                };
                (!is_next).then_some(newest)
            }
        }
    }

    /// Matches a whole text.
    pub(super) fn whole_text(
        &mut self,
        kind: ItemKind,
        list: u32,
        place: &ItemLocation<'_>,
        whole: &str,
    ) -> WholeItemMatch {
        let same_part = |item: &ReplyItem| item.part == place.part;
        let known = self
            .listed(kind, list, |item| same_part(item) && item.has_id(place))
            .or_else(|| self.listed(kind, list, |item| same_text(item.content(), whole)));
        if let Some(known) = known {
            return WholeItemMatch::Known(known);
        }
        // A text that a call has cut in two. The texts of one list are all its own.
        let others = self.of_kind(kind).filter(|(_, item)| item.made_by != list);
        let all: String = others.map(|(_, item)| item.content()).collect();
        if same_text(&all, whole) || all.ends_with(whole) {
            return WholeItemMatch::Seen;
        }
        let known = self.listed(kind, list, |item| begins(item.content(), whole)).or_else(|| {
            let is_it =
                |item: &ReplyItem| same_part(item) && item.is_at(place) && !item.has_another_id(place);
            self.listed(kind, list, is_it)
        });
        known.map_or(WholeItemMatch::New, WholeItemMatch::Known)
    }

    /// Matches a whole call from a list by id, or by arguments.
    pub(super) fn listed_exactly(
        &mut self,
        list: u32,
        place: &ItemLocation<'_>,
        name: &str,
        arguments: &str,
    ) -> Option<usize> {
        let kind = ItemKind::Call;
        self.listed(kind, list, |item| same_tool(item, name) && item.has_id(place)).or_else(|| {
            self.listed(kind, list, |item| same_tool(item, name) && same_value(item.content(), arguments))
        })
    }

    /// Matches a whole call from a list after [`listed_exactly`](Self::listed_exactly) found none.
    pub(super) fn listed_call(
        &mut self,
        list: u32,
        place: &ItemLocation<'_>,
        name: &str,
        arguments: &str,
    ) -> WholeItemMatch {
        let kind = ItemKind::Call;
        // Neither the id, nor the place, nor the arguments are the same.
        let is_other =
            |item: &ReplyItem| item.is_whole() && item.has_another_id(place) && !arguments.trim().is_empty();
        let known = self
            .listed(kind, list, |item| same_tool(item, name) && item.is_at(place))
            .or_else(|| {
                self.listed(kind, list, |item| same_tool(item, name) && arguments.starts_with(item.content()))
            })
            .or_else(|| self.listed(kind, list, |item| same_tool(item, name) && !is_other(item)));
        if let Some(known) = known {
            return WholeItemMatch::Known(known);
        }
        let is_again = |item: &ReplyItem| {
            same_tool(item, name)
                && same_value(item.content(), arguments)
                && (item.made_by != list || item.has_id(place) && item.call_id.is_some())
        };
        match self.last(kind, is_again) {
            Some(_) => WholeItemMatch::Seen,
            None => WholeItemMatch::New,
        }
    }

    /// Matches a whole call in a stream. Such a call comes once, unless its id repeats, or, without ids, a later frame repeats the
    /// call.
    pub(super) fn streamed_call(
        &self,
        frame: u32,
        place: &ItemLocation<'_>,
        name: &str,
        arguments: &str,
    ) -> WholeItemMatch {
        let is_again = |item: &ReplyItem| {
            item.name == name
                && same_value(item.content(), arguments)
                && (item.has_id(place)
                    || item.made_by != frame && (item.call_id.is_none() || place.call_id.is_none()))
        };
        match self.last(ItemKind::Call, is_again) {
            Some(_) => WholeItemMatch::Seen,
            None => WholeItemMatch::New,
        }
    }

    /// Matches encrypted reasoning.
    pub(super) fn whole_sealed(
        &mut self,
        list: u32,
        place: &ItemLocation<'_>,
        value: &str,
    ) -> WholeItemMatch {
        let kind = ItemKind::Sealed;
        let known = self
            .listed(kind, list, |item| item.has_id(place))
            .or_else(|| self.listed(kind, list, |item| item.content() == value))
            .or_else(|| self.listed(kind, list, |item| item.is_at(place)));
        known.map_or(WholeItemMatch::New, WholeItemMatch::Known)
    }

    /// Finds the first matching item that this list has not matched yet, and marks the item as matched.
    fn listed(&mut self, kind: ItemKind, list: u32, is_it: impl Fn(&ReplyItem) -> bool) -> Option<usize> {
        let (at, item) = self
            .all
            .iter_mut()
            .enumerate()
            .find(|(_, item)| item.kind == kind && item.listed_by != list && is_it(item))?;
        item.listed_by = list;
        Some(at)
    }
}

fn same_tool(item: &ReplyItem, name: &str) -> bool {
    name.is_empty() || item.name.is_empty() || item.name == name
}

/// True if a whole text extends the streamed text.
fn begins(content: &str, whole: &str) -> bool {
    !content.is_empty() && whole.starts_with(content)
}
