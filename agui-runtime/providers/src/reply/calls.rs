//! Calls in a reply: matches pieces to calls, and decides which deltas go out.

use agui_runtime_core::model::{CallDelta, ModelError, ReplyDelta};
use agui_runtime_core::protocol::EncryptedValue;

use super::ReplyBuilder;
use crate::item::{ItemKind, ItemLocation, ReplyItem, joined_name, same_value};
use crate::items::WholeItemMatch;

/// The arguments for a tool without parameters.
const NONE: &str = "{}";

/// A call piece.
#[derive(Debug, Default)]
pub(crate) struct CallPiece<'p> {
    pub(crate) place: ItemLocation<'p>,
    pub(crate) name: Option<&'p str>,
    pub(crate) arguments: &'p str,
    pub(crate) encrypted: Option<EncryptedValue>,
}

impl ReplyBuilder {
    /// Begins a call with an explicit start event, and returns its index.
    pub(crate) fn begin_call(&mut self, place: ItemLocation<'_>, name: &str) -> usize {
        if let Some(known) = self.items.begun_call(&place) {
            return known;
        }
        let mut item = ReplyItem::new(ItemKind::Call, place, 0);
        item.name.push_str(name);
        let at = self.items.add(item);
        if !name.is_empty() {
            self.begin(at);
        }
        at
    }

    /// Adds a piece to the call at its place, to the last call, or to a new call.
    pub(crate) fn call(&mut self, piece: CallPiece<'_>) -> Result<(), ModelError> {
        let CallPiece { place, name, arguments, encrypted } = piece;
        let tools = &self.tools;
        let is_known = |name: &str| tools.is_empty() || tools.iter().any(|tool| tool == name);
        let known = self.items.continued_call(&place, (name, arguments), &is_known);
        let at = known.unwrap_or_else(|| self.items.add(ReplyItem::new(ItemKind::Call, place, 0)));
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
            if same_value(item.content(), arguments) {
                // They came again.
                return Ok(());
            }
            if !item.has_begun && item.content().trim() == NONE {
                // Some servers send this first, and the arguments behind it.
                item.clear();
            }
        }
        item.push(arguments);
        // A name may still grow, up to the first argument.
        let is_ready = is_known(&item.name) && !item.name.is_empty();
        let has_arguments = !["", NONE].contains(&item.content().trim());
        if item.has_begun {
            self.grow(at, arguments);
        } else if is_ready && has_arguments {
            self.begin(at);
        }
        Ok(())
    }

    /// Adds an arguments piece to the call at an index.
    pub(crate) fn call_arguments(&mut self, at: usize, piece: &str) {
        if let Some(item) = self.items.get_mut(at) {
            item.push(piece);
            self.grow(at, piece);
        }
    }

    /// True if the call at an index has arguments.
    pub(crate) fn has_arguments(&mut self, at: usize) -> bool {
        self.items.get_mut(at).is_some_and(|item| !item.content().is_empty())
    }

    /// Adds a list with whole calls, parts of which may have been streamed before. Calls matched by id or arguments go first, so
    /// that no other call claims their match.
    pub(crate) fn listed_calls(&mut self, list: u32, pieces: Vec<CallPiece<'_>>) -> Result<(), ModelError> {
        let mut others = Vec::new();
        for piece in pieces {
            others.extend(self.known_call(list, piece)?);
        }
        others.into_iter().try_for_each(|piece| self.listed_call(list, piece))
    }

    /// Adds a whole call from a list if its id or arguments match a known call; otherwise returns the call.
    pub(crate) fn known_call<'p>(
        &mut self,
        list: u32,
        piece: CallPiece<'p>,
    ) -> Result<Option<CallPiece<'p>>, ModelError> {
        let (name, arguments) = (piece.name.unwrap_or_default(), piece.arguments);
        match self.items.listed_exactly(list, &piece.place, name, arguments) {
            Some(at) => self.complete(at, piece).map(|()| None),
            None => Ok(Some(piece)),
        }
    }

    /// Adds a whole call from a list that [`known_call`](Self::known_call) returned.
    pub(crate) fn listed_call(&mut self, list: u32, piece: CallPiece<'_>) -> Result<(), ModelError> {
        let (name, arguments) = (piece.name.unwrap_or_default(), piece.arguments);
        match self.items.listed_call(list, &piece.place, name, arguments) {
            WholeItemMatch::New => self.whole_call(list, piece),
            WholeItemMatch::Known(at) => self.complete(at, piece)?,
            WholeItemMatch::Seen => {
                self.unread.note(format!("a call of `{name}` in the final list that was made already"));
            }
        }
        Ok(())
    }

    /// Adds a whole call from a stream.
    pub(crate) fn streamed_call(&mut self, frame: u32, piece: CallPiece<'_>) {
        let (name, arguments) = (piece.name.unwrap_or_default(), piece.arguments);
        match self.items.streamed_call(frame, &piece.place, name, arguments) {
            WholeItemMatch::New => self.whole_call(frame, piece),
            _ => self.unread.note(format!("a call of `{name}` that came twice")),
        }
    }

    fn whole_call(&mut self, list: u32, piece: CallPiece<'_>) {
        let mut item = ReplyItem::new(ItemKind::Call, piece.place, list);
        item.name.push_str(piece.name.unwrap_or_default());
        item.push(piece.arguments);
        item.encrypted = piece.encrypted;
        let is_named = !item.name.is_empty();
        let at = self.items.add(item);
        if is_named {
            self.begin(at);
        }
    }

    /// Adds the members that a call lacks.
    fn complete(&mut self, at: usize, piece: CallPiece<'_>) -> Result<(), ModelError> {
        let CallPiece { place, name, arguments, encrypted } = piece;
        let Some(item) = self.items.get_mut(at) else { return Ok(()) };
        item.learn(&place);
        item.encrypted = encrypted.or_else(|| item.encrypted.take());
        if item.name.is_empty() {
            item.name.push_str(name.unwrap_or_default());
        }
        let tool = item.name.clone();
        let rest = match arguments.strip_prefix(item.content()) {
            Some(rest) => rest,
            // The streamed arguments win.
            None if item.is_whole() => {
                if !arguments.trim().is_empty() && !same_value(item.content(), arguments) {
                    self.unread.note(format!("other arguments of a call of `{tool}` in the final list"));
                }
                ""
            }
            None => {
                return Err(ModelError::Malformed(format!("the arguments of a call of `{tool}` changed")));
            }
        };
        item.push(rest);
        match (item.has_begun, tool.is_empty()) {
            (true, _) => self.grow(at, rest),
            (false, false) => self.begin(at),
            (false, true) => {}
        }
        Ok(())
    }

    /// Emits a call's first delta, with all known members.
    fn begin(&mut self, at: usize) {
        self.emit_held_text();
        let index = self.call_number(at);
        let Some(item) = self.items.get_mut(at) else { return };
        item.has_begun = true;
        let mut delta = CallDelta::new(index).with_tool(item.name.as_str()).with_arguments(item.content());
        delta.id.clone_from(&item.call_id);
        delta.encrypted = item.encrypted.take();
        self.has_content = true;
        self.out.push(ReplyDelta::Call(delta));
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
        self.out.push(ReplyDelta::Call(delta));
    }

    /// Numbers calls in arrival order: provider indices are not unique.
    fn call_number(&self, at: usize) -> u32 {
        u32::try_from(self.items.calls().take_while(|call| *call < at).count()).unwrap_or(u32::MAX)
    }

    /// Emits the calls that have not gone out yet.
    pub(super) fn finish_calls(&mut self) -> Result<(), ModelError> {
        let calls: Vec<usize> = self.items.calls().collect();
        for at in calls {
            let Some(item) = self.items.get_mut(at) else { continue };
            if item.name.is_empty() && item.content().trim().is_empty() {
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
        Ok(())
    }
}
