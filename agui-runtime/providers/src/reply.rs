//! One model reply while its response is read: readers add content, and deltas come out.

mod calls;

use agui_runtime_core::model::{EndReason, ModelError, ReplyDelta};

use super::item::{ItemKind, ItemLocation, ReplyItem, same_text};
use super::items::{ReplyItems, WholeItemMatch};
use super::server_seal::{SealType, ServerSeal};
use super::think_tags::{TextPassage, ThinkTags};
use super::unread::UnreadMembers;
use super::usage::TokenCounts;

pub(super) use self::calls::CallPiece;

/// The parts of the request that a reader needs.
#[derive(Debug, Default)]
pub(super) struct ReplyContext {
    /// The names of tools that the model may call.
    pub(super) tools: Vec<String>,
    pub(super) seal: ServerSeal,
    /// True if `<think>…</think>` at the text's beginning is reasoning.
    pub(super) think_tags: bool,
}

/// A partial reply.
#[derive(Debug)]
pub(super) struct ReplyBuilder {
    pub(super) tokens: TokenCounts,
    /// The last finish reason.
    pub(super) end: Option<EndReason>,
    pub(super) unread: UnreadMembers,
    pub(super) seal: ServerSeal,
    out: Vec<ReplyDelta>,
    items: ReplyItems,
    tools: Vec<String>,
    tags: Option<ThinkTags>,
    /// The number of whole-item lists so far.
    lists: u32,
    /// True once the reply has text or a call.
    has_content: bool,
    /// True once the model refused: a text says so.
    pub(super) is_refusal: bool,
}

impl ReplyBuilder {
    pub(super) fn new(context: ReplyContext) -> Self {
        let ReplyContext { tools, seal, think_tags } = context;
        Self {
            tokens: TokenCounts::default(),
            end: None,
            unread: UnreadMembers::default(),
            seal,
            out: Vec::new(),
            items: ReplyItems::default(),
            tools,
            tags: think_tags.then(ThinkTags::new),
            lists: 0,
            has_content: false,
            is_refusal: false,
        }
    }

    /// Returns the deltas that are ready.
    pub(super) fn take(&mut self) -> Vec<ReplyDelta> {
        std::mem::take(&mut self.out)
    }

    /// Begins a list with whole items, and returns its number.
    pub(super) fn new_list(&mut self) -> u32 {
        self.lists += 1;
        self.lists
    }

    /// Adds a text piece.
    pub(super) fn text(&mut self, place: ItemLocation<'_>, piece: &str) {
        if self.keep(ItemKind::Text, place, piece) {
            self.emit_text(piece);
        }
    }

    /// Adds a reasoning piece.
    pub(super) fn reasoning(&mut self, place: ItemLocation<'_>, piece: &str) {
        let is_first = self.items.continued_text(ItemKind::Reasoning, &place).is_none();
        if self.keep(ItemKind::Reasoning, place, piece) {
            let space = if is_first && place.part > 0 { "\n\n" } else { "" };
            self.out.push(ReplyDelta::Reasoning(format!("{space}{piece}")));
        }
    }

    fn keep(&mut self, kind: ItemKind, place: ItemLocation<'_>, piece: &str) -> bool {
        if piece.is_empty() {
            return false;
        }
        let known = self.items.continued_text(kind, &place);
        let at = known.unwrap_or_else(|| self.items.add(ReplyItem::new(kind, place, 0)));
        if let Some(item) = self.items.get_mut(at) {
            item.learn(&place);
            item.push(piece);
        }
        true
    }

    /// Adds a whole text, parts of which may have been streamed before.
    pub(super) fn whole_text(&mut self, kind: ItemKind, list: u32, place: ItemLocation<'_>, whole: &str) {
        if whole.is_empty() {
            return;
        }
        let at = match self.items.whole_text(kind, list, &place, whole) {
            WholeItemMatch::Seen => return,
            WholeItemMatch::Known(at) => at,
            WholeItemMatch::New => self.items.add(ReplyItem::new(kind, place, list)),
        };
        let Some(item) = self.items.get_mut(at) else { return };
        item.learn(&place);
        if item.content().contains(whole) || same_text(item.content(), whole) {
            return;
        }
        let Some(rest) = whole.strip_prefix(item.content()) else {
            return self.unread.note("a text of the final list that differs from the streamed one");
        };
        item.push(rest);
        let is_new = item.made_by == list && item.content().len() == rest.len();
        match kind {
            ItemKind::Text => self.emit_text(rest),
            _ => {
                let space = if is_new && place.part > 0 { "\n\n" } else { "" };
                self.out.push(ReplyDelta::Reasoning(format!("{space}{rest}")));
            }
        }
    }

    /// Adds encrypted reasoning from a whole item. The raw value is compared; the delta has the value marked with `kind`.
    pub(super) fn whole_sealed(&mut self, list: u32, place: ItemLocation<'_>, kind: SealType, value: &str) {
        if self.items.whole_sealed(list, &place, value) == WholeItemMatch::New {
            let mut item = ReplyItem::new(ItemKind::Sealed, place, list);
            item.push(value);
            self.items.add(item);
            self.sealed(kind, value);
        }
    }

    /// Emits a marked value for this server, after the reasoning to which the value belongs.
    pub(super) fn sealed(&mut self, kind: SealType, value: &str) {
        self.out.push(ReplyDelta::EncryptedReasoning(self.seal.close(kind, value)));
    }

    fn emit_text(&mut self, piece: &str) {
        match &mut self.tags {
            None => self.emit_passage(TextPassage::Text(piece.to_owned())),
            Some(tags) => {
                for passage in tags.push(piece) {
                    self.emit_passage(passage);
                }
            }
        }
    }

    /// Emits the text that the tag splitter buffered as a possible tag.
    fn emit_held_text(&mut self) {
        if let Some(passage) = self.tags.as_mut().and_then(ThinkTags::finish) {
            self.emit_passage(passage);
        }
    }

    fn emit_passage(&mut self, passage: TextPassage) {
        self.out.push(match passage {
            TextPassage::Reasoning(text) => ReplyDelta::Reasoning(text),
            TextPassage::Text(text) => {
                self.has_content |= !text.trim().is_empty();
                ReplyDelta::Text(text)
            }
        });
    }

    /// Ends a reply whose end was marked.
    pub(super) fn finish(&mut self) -> Result<(), ModelError> {
        self.emit_held_text();
        let Some(end) = self.end.take() else { return Err(ModelError::Truncated) };
        self.finish_calls()?;
        if end == EndReason::Stop && !self.has_content {
            return Err(ModelError::EmptyReply);
        }
        let end = if end == EndReason::Stop && self.is_refusal { EndReason::Refused } else { end };
        self.out.push(ReplyDelta::Usage(self.tokens.into()));
        self.out.push(ReplyDelta::End(end));
        Ok(())
    }
}
