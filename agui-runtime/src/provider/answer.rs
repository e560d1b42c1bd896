//! One answer of a model while it is read: what the dialects' readers tell goes out as deltas.

use super::item::{Item, ItemKind, ItemPlace, joined_name, same_text, same_value};
use super::items::{Items, Whole};
use super::opaque::Seal;
use super::think_tags::{Passage, ThinkTags};
use super::unread::Unread;
use super::usage::Tokens;
use crate::model::{CallDelta, Delta, EndReason, ModelError};

/// The parts of the request that a reader needs.
#[derive(Debug, Default)]
pub(super) struct AnswerContext {
    /// The names of the tools that the model may call.
    pub(super) tools: Vec<String>,
    pub(super) seal: Seal,
    /// True if `<think>…</think>` at the beginning of the text is reasoning.
    pub(super) think_tags: bool,
}

/// An answer, as far as it has come.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) tokens: Tokens,
    /// The last reason to end that was read.
    pub(super) end: Option<EndReason>,
    pub(super) unread: Unread,
    pub(super) seal: Seal,
    out: Vec<Delta>,
    items: Items,
    tools: Vec<String>,
    tags: Option<ThinkTags>,
    /// The number of the last list.
    lists: u32,
    /// True if the user can read something, or a tool is called.
    has_answered: bool,
}

/// A piece of a call.
#[derive(Debug, Default)]
pub(super) struct CallPiece<'p> {
    pub(super) place: ItemPlace<'p>,
    pub(super) name: Option<&'p str>,
    pub(super) arguments: &'p str,
    pub(super) encrypted: Option<String>,
}

impl Answer {
    pub(super) fn new(context: AnswerContext) -> Self {
        let AnswerContext { tools, seal, think_tags } = context;
        Self {
            tokens: Tokens::default(),
            end: None,
            unread: Unread::default(),
            seal,
            out: Vec::new(),
            items: Items::default(),
            tools,
            tags: think_tags.then(ThinkTags::new),
            lists: 0,
            has_answered: false,
        }
    }

    /// Returns what can go out.
    pub(super) fn take(&mut self) -> Vec<Delta> {
        std::mem::take(&mut self.out)
    }

    /// Returns the number of a new list of whole items.
    pub(super) fn new_list(&mut self) -> u32 {
        self.lists += 1;
        self.lists
    }

    /// Adds a piece of the text.
    pub(super) fn text(&mut self, place: ItemPlace<'_>, piece: &str) {
        if self.keep(ItemKind::Text, place, piece) {
            self.say(piece);
        }
    }

    /// Adds a piece of the reasoning.
    pub(super) fn reasoning(&mut self, place: ItemPlace<'_>, piece: &str) {
        let is_first = self.items.spoken(ItemKind::Reasoning, &place).is_none();
        if self.keep(ItemKind::Reasoning, place, piece) {
            let space = if is_first && place.part > 0 { "\n\n" } else { "" };
            self.out.push(Delta::Reasoning(format!("{space}{piece}")));
        }
    }

    fn keep(&mut self, kind: ItemKind, place: ItemPlace<'_>, piece: &str) -> bool {
        if piece.is_empty() {
            return false;
        }
        let known = self.items.spoken(kind, &place);
        let at = known.unwrap_or_else(|| self.items.add(Item::new(kind, place, 0)));
        if let Some(item) = self.items.get_mut(at) {
            item.learn(&place);
            item.content.push_str(piece);
        }
        true
    }

    /// Takes a whole text, of which any part may have come before.
    pub(super) fn whole_text(&mut self, kind: ItemKind, list: u32, place: ItemPlace<'_>, whole: &str) {
        if whole.is_empty() {
            return;
        }
        let at = match self.items.whole_text(kind, list, &place, whole) {
            Whole::Seen => return,
            Whole::Known(at) => at,
            Whole::New => self.items.add(Item::new(kind, place, list)),
        };
        let Some(item) = self.items.get_mut(at) else { return };
        item.learn(&place);
        if item.content.contains(whole) || same_text(&item.content, whole) {
            return;
        }
        let Some(rest) = whole.strip_prefix(item.content.as_str()) else {
            return self.unread.note("a text of the final list that differs from the streamed one");
        };
        item.content.push_str(rest);
        let is_new = item.made_by == list && item.content.len() == rest.len();
        match kind {
            ItemKind::Text => self.say(rest),
            _ => {
                let space = if is_new && place.part > 0 { "\n\n" } else { "" };
                self.out.push(Delta::Reasoning(format!("{space}{rest}")));
            }
        }
    }

    /// Takes the encrypted form of reasoning. The value is compared, and goes out marked as of this kind.
    pub(super) fn whole_sealed(&mut self, list: u32, place: ItemPlace<'_>, kind: &str, value: &str) {
        if self.items.whole_sealed(list, &place, value) == Whole::New {
            let mut item = Item::new(ItemKind::Sealed, place, list);
            item.content.push_str(value);
            self.items.add(item);
            self.sealed(kind, value);
        }
    }

    /// Sends a value that goes back to this server, behind the reasoning that it belongs to.
    pub(super) fn sealed(&mut self, kind: &str, value: &str) {
        self.out.push(Delta::EncryptedReasoning(self.seal.close(kind, value)));
    }

    fn say(&mut self, piece: &str) {
        match &mut self.tags {
            None => self.said(Passage::Text(piece.to_owned())),
            Some(tags) => {
                for passage in tags.push(piece) {
                    self.said(passage);
                }
            }
        }
    }

    fn said(&mut self, passage: Passage) {
        self.out.push(match passage {
            Passage::Reasoning(text) => Delta::Reasoning(text),
            Passage::Text(text) => {
                self.has_answered |= !text.trim().is_empty();
                Delta::Text(text)
            }
        });
    }

    /// Begins a call whose beginning the protocol marks, and returns its number.
    pub(super) fn begin_call(&mut self, place: ItemPlace<'_>, name: &str) -> usize {
        if let Some(known) = self.items.begun_call(&place) {
            return known;
        }
        let mut item = Item::new(ItemKind::Call, place, 0);
        item.name.push_str(name);
        let at = self.items.add(item);
        if !name.is_empty() {
            self.begin(at);
        }
        at
    }

    /// Adds a piece of a call that belongs to the one at its place, to the last one, or to a new one.
    pub(super) fn call(&mut self, piece: CallPiece<'_>) -> Result<(), ModelError> {
        let CallPiece { place, name, arguments, encrypted } = piece;
        let tools = &self.tools;
        let is_known = |name: &str| tools.is_empty() || tools.iter().any(|tool| tool == name);
        let known = self.items.continued_call(&place, (name, arguments), &is_known);
        let at = known.unwrap_or_else(|| self.items.add(Item::new(ItemKind::Call, place, 0)));
        let Some(item) = self.items.get_mut(at) else { return Ok(()) };
        item.learn(&place);
        item.encrypted = encrypted.or_else(|| item.encrypted.take());
        match name {
            Some(name) if !item.has_begun => item.name = joined_name(&item.name, name, is_known),
            Some(name) if name != item.name => {
                let known = &item.name;
                return Err(ModelError::Malformed(format!(
                    "a call of `{known}` continues as one of `{name}`"
                )));
            }
            _ => {}
        }
        if item.is_whole() && !arguments.trim().is_empty() {
            // Arguments that are whole cannot go on: they come again.
            if same_value(&item.content, arguments) {
                return Ok(());
            }
            let tool = &item.name;
            return Err(ModelError::Malformed(format!(
                "the arguments of a call of `{tool}` go on behind their end"
            )));
        }
        // A name may still grow, up to the first argument.
        let is_ready = is_known(&item.name) && !item.name.is_empty();
        item.content.push_str(arguments);
        if item.has_begun {
            self.grow(at, arguments);
        } else if is_ready && !item.content.is_empty() {
            self.begin(at);
        }
        Ok(())
    }

    /// Adds a piece of the arguments of the call of that number.
    pub(super) fn call_arguments(&mut self, at: usize, piece: &str) {
        if let Some(item) = self.items.get_mut(at) {
            item.content.push_str(piece);
            self.grow(at, piece);
        }
    }

    /// Returns true if the call of that number has arguments.
    pub(super) fn has_arguments(&mut self, at: usize) -> bool {
        self.items.get_mut(at).is_some_and(|item| !item.content.is_empty())
    }

    /// Takes a whole call of a list, of which any part may have come before.
    pub(super) fn listed_call(&mut self, list: u32, piece: CallPiece<'_>) -> Result<(), ModelError> {
        let CallPiece { place, name, arguments, encrypted } = piece;
        let name = name.unwrap_or_default();
        match self.items.listed_call(list, &place, name, arguments) {
            Whole::New => self.whole_call(list, place, name, arguments, encrypted),
            Whole::Seen => {
                self.unread.note(format!("a call of `{name}` in the final list that was made already"));
            }
            Whole::Known(at) => return self.complete(at, &place, name, arguments, encrypted),
        }
        Ok(())
    }

    /// Takes a whole call of a stream.
    pub(super) fn streamed_call(&mut self, frame: u32, piece: CallPiece<'_>) {
        let CallPiece { place, name, arguments, encrypted } = piece;
        let name = name.unwrap_or_default();
        match self.items.streamed_call(frame, &place, name, arguments) {
            Whole::New => self.whole_call(frame, place, name, arguments, encrypted),
            _ => self.unread.note(format!("a call of `{name}` that came twice")),
        }
    }

    fn whole_call(
        &mut self,
        list: u32,
        place: ItemPlace<'_>,
        name: &str,
        arguments: &str,
        encrypted: Option<String>,
    ) {
        let mut item = Item::new(ItemKind::Call, place, list);
        (item.name, item.content, item.encrypted) = (name.to_owned(), arguments.to_owned(), encrypted);
        let at = self.items.add(item);
        if !name.is_empty() {
            self.begin(at);
        }
    }

    /// Adds what a call lacks.
    fn complete(
        &mut self,
        at: usize,
        place: &ItemPlace<'_>,
        name: &str,
        arguments: &str,
        encrypted: Option<String>,
    ) -> Result<(), ModelError> {
        let Some(item) = self.items.get_mut(at) else { return Ok(()) };
        item.learn(place);
        item.encrypted = encrypted.or_else(|| item.encrypted.take());
        if item.name.is_empty() {
            item.name.push_str(name);
        }
        let rest = match arguments.strip_prefix(item.content.as_str()) {
            Some(rest) => rest,
            None if item.is_whole() && arguments.trim().is_empty() => "",
            None if item.is_whole() => {
                if !same_value(&item.content, arguments) {
                    let tool = &item.name;
                    self.unread.note(format!("other arguments of a call of `{tool}` in the final list"));
                }
                return Ok(());
            }
            None => {
                return Err(ModelError::Malformed(format!(
                    "the arguments of a call of `{}` changed",
                    item.name
                )));
            }
        };
        item.content.push_str(rest);
        match (item.has_begun, item.name.is_empty()) {
            (true, _) => self.grow(at, rest),
            (false, false) => self.begin(at),
            (false, true) => {}
        }
        Ok(())
    }

    /// Sends the first delta of a call, with all that is known.
    fn begin(&mut self, at: usize) {
        let index = self.call_number(at);
        let Some(item) = self.items.get_mut(at) else { return };
        item.has_begun = true;
        let mut delta =
            CallDelta::new(index).with_tool(item.name.as_str()).with_arguments(item.content.as_str());
        delta.id.clone_from(&item.call_id);
        delta.encrypted = item.encrypted.take();
        self.has_answered = true;
        self.out.push(Delta::Call(delta));
    }

    fn grow(&mut self, at: usize, piece: &str) {
        let index = self.call_number(at);
        let Some(item) = self.items.get_mut(at) else { return };
        let encrypted = item.encrypted.take();
        if piece.is_empty() && encrypted.is_none() {
            return;
        }
        let mut delta = CallDelta::new(index).with_arguments(piece);
        delta.encrypted = encrypted;
        self.out.push(Delta::Call(delta));
    }

    /// Calls are numbered in the order in which they came: the numbers of providers are not unique.
    fn call_number(&self, at: usize) -> u32 {
        u32::try_from(self.items.calls().take_while(|call| *call < at).count()).unwrap_or(u32::MAX)
    }

    /// Ends an answer whose end was marked.
    pub(super) fn finish(&mut self) -> Result<(), ModelError> {
        if let Some(passage) = self.tags.as_mut().and_then(ThinkTags::finish) {
            self.said(passage);
        }
        let Some(end) = self.end.take() else { return Err(ModelError::Truncated) };
        let calls: Vec<usize> = self.items.calls().collect();
        for at in calls {
            let Some(item) = self.items.get_mut(at) else { continue };
            if item.name.is_empty() && item.content.trim().is_empty() {
                continue;
            }
            if item.name.is_empty() {
                return Err(ModelError::Malformed("a call has no name".to_owned()));
            }
            match item.has_begun {
                false => self.begin(at),
                true => self.grow(at, ""),
            }
        }
        if end == EndReason::Stop && !self.has_answered {
            return Err(ModelError::EmptyAnswer);
        }
        self.out.push(Delta::Usage(self.tokens.into()));
        self.out.push(Delta::End(end));
        Ok(())
    }
}
