//! Items in an OpenAI Responses API stream: item pieces, whole parts, and whole items.

use agui_runtime_core::__leaf::FIND_TOOLS;
use agui_runtime_core::model::ModelError;
use serde_json::Value;

use super::frame::ResponseFrame;
use super::item::{ItemKind, ItemLocation};
use super::reply::{CallPiece, ReplyBuilder};
use super::server_seal::SealType;

pub(super) const SEAL: SealType = SealType { name: "openai.encrypted_content", earlier_prefix: "openai" };

/// Item type: a search for tools.
const SEARCH_CALL: &str = "tool_search_call";

/// Offset for part indices in raw reasoning: summary parts come first.
const RAW_REASONING: u32 = 1 << 16;

/// First index for texts without one, beyond all server indices.
const UNNUMBERED: u32 = 1 << 20;

/// Reads items.
#[derive(Default)]
pub(super) struct ResponseItems {
    /// The number of finished texts without an index or id: an end event or a call finishes them.
    ended: u32,
    /// The list number for events with whole items.
    done: Option<u32>,
}

/// The indices and ids in an event.
struct EventLocation {
    position: Option<u32>,
    part: u32,
    item_id: Option<String>,
    call_id: Option<String>,
}

impl EventLocation {
    fn from_frame(frame: &mut ResponseFrame) -> Self {
        let part = frame.index("/content_index").or_else(|| frame.index("/summary_index")).unwrap_or(0);
        let (position, item_id) = (frame.index("/output_index"), frame.text("/item_id"));
        Self { position, part, item_id, call_id: frame.text("/call_id") }
    }

    fn location(&self) -> ItemLocation<'_> {
        let (item_id, call_id) = (self.item_id.as_deref(), self.call_id.as_deref());
        ItemLocation { position: self.position, part: self.part, item_id, call_id }
    }
}

/// A whole call.
struct WholeCall {
    position: Option<u32>,
    item_id: Option<String>,
    call_id: Option<String>,
    name: Option<String>,
    arguments: String,
}

impl WholeCall {
    /// Takes the item if it is a call.
    fn take(frame: &mut ResponseFrame, at: &str, position: Option<u32>) -> Option<Self> {
        let is_search = match frame.get(&format!("{at}/type")).and_then(Value::as_str) {
            Some("function_call") => false,
            // Without `client`, the provider has made the search itself.
            Some(SEARCH_CALL) => {
                frame.text(&format!("{at}/execution")).filter(|by| by == "client").map(|_| true)?
            }
            _ => return None,
        };
        let whole = format!("{at}/arguments");
        let arguments = match frame.get(&whole) {
            Some(Value::Object(_)) => frame.take(&whole).map(|whole| whole.to_string()),
            _ => frame.text(&whole),
        };
        Some(Self {
            position,
            item_id: frame.text(&format!("{at}/id")),
            call_id: frame.text(&format!("{at}/call_id")),
            name: if is_search { Some(FIND_TOOLS.to_owned()) } else { frame.text(&format!("{at}/name")) },
            arguments: arguments.unwrap_or_default(),
        })
    }

    fn piece(&self) -> CallPiece<'_> {
        let (item_id, call_id) = (self.item_id.as_deref(), self.call_id.as_deref());
        let place = ItemLocation { position: self.position, part: 0, item_id, call_id };
        CallPiece { place, name: self.name.as_deref(), arguments: &self.arguments, encrypted: None }
    }
}

impl ResponseItems {
    /// Reads an event about one item.
    pub(super) fn event(
        &mut self,
        kind: &str,
        frame: &mut ResponseFrame,
        reply: &mut ReplyBuilder,
    ) -> Result<(), ModelError> {
        let mut at = EventLocation::from_frame(frame);
        let (kind, is_whole) = match kind.strip_suffix(".delta") {
            Some(kind) => (kind, false),
            None => (kind.strip_suffix(".done").unwrap_or(kind), true),
        };
        let is_text = kind == "response.output_text" || kind == "response.refusal";
        if is_text && at.position.is_none() && at.item_id.is_none() {
            at.position = Some(UNNUMBERED.saturating_add(self.ended));
        }
        if kind.starts_with("response.function_call")
            || kind.starts_with("response.output_item")
            || is_text && is_whole
        {
            self.ended = self.ended.saturating_add(1);
        }
        let text =
            |frame: &mut ResponseFrame, whole: &str| frame.text(if is_whole { whole } else { "/delta" });
        match kind {
            "response.output_text" | "response.refusal" => {
                let whole = if kind == "response.refusal" { "/refusal" } else { "/text" };
                let text = text(frame, whole).unwrap_or_default();
                reply.is_refusal |= kind == "response.refusal" && !text.is_empty();
                add_text(ItemKind::Text, &at, is_whole, &text, reply);
            }
            "response.reasoning_summary_text" | "response.reasoning_text" | "response.reasoning" => {
                if kind != "response.reasoning_summary_text" {
                    at.part += RAW_REASONING;
                }
                let text = text(frame, "/text").unwrap_or_default();
                add_text(ItemKind::Reasoning, &at, is_whole, &text, reply);
            }
            "response.function_call_arguments" => {
                let arguments = text(frame, "/arguments").unwrap_or_default();
                let name = frame.text("/name");
                let piece = CallPiece {
                    place: at.location(),
                    name: name.as_deref(),
                    arguments: &arguments,
                    encrypted: None,
                };
                match is_whole {
                    true => {
                        let list = reply.new_list();
                        reply.listed_calls(list, vec![piece])?;
                    }
                    false => reply.call(CallPiece { name: None, ..piece })?,
                }
            }
            "response.content_part" | "response.reasoning_summary_part" => part(frame, &mut at, reply),
            "response.output_item.added" => self.added(frame, &at, reply),
            "response.output_item" => {
                let list = *self.done.get_or_insert_with(|| reply.new_list());
                self.whole(frame, "/item", (list, at.position), reply)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn added(&self, frame: &mut ResponseFrame, at: &EventLocation, reply: &mut ReplyBuilder) {
        match frame.text("/item/type").as_deref() {
            Some("function_call") => {
                let (item_id, call_id) = (frame.text("/item/id"), frame.text("/item/call_id"));
                let place = ItemLocation {
                    position: at.position,
                    part: 0,
                    item_id: item_id.as_deref().or(at.item_id.as_deref()),
                    call_id: call_id.as_deref(),
                };
                let name = frame.text("/item/name").unwrap_or_default();
                let call = reply.begin_call(place, &name);
                if let Some(arguments) = frame.text("/item/arguments")
                    && !reply.has_arguments(call)
                {
                    reply.call_arguments(call, &arguments);
                }
            }
            Some("message" | "reasoning") | None => {}
            // Its arguments come with the whole item.
            Some(SEARCH_CALL) => frame.clear("/item"),
            Some(other) => {
                reply.unread.note(format!("an item of type `{}`", agui_runtime_core::__leaf::quoted(other)));
                frame.clear("/item");
            }
        }
    }

    /// Reads a list with whole items, parts of which may have been streamed before.
    pub(super) fn list(
        &self,
        frame: &mut ResponseFrame,
        at: &str,
        reply: &mut ReplyBuilder,
    ) -> Result<(), ModelError> {
        let list = reply.new_list();
        let places: Vec<_> = (0..frame.length(at)).map(|place| format!("{at}/{place}")).collect();
        let mut calls = Vec::new();
        for (position, place) in (0..).zip(&places) {
            calls.push(WholeCall::take(frame, place, Some(position)));
        }
        // Before all others, as `listed_calls` has it; a list that was not streamed keeps its order.
        let mut others = Vec::new();
        for call in calls.iter().flatten() {
            others.push(reply.known_call(list, call.piece())?.is_some());
        }
        let mut others = others.into_iter();
        for ((position, place), call) in (0..).zip(&places).zip(&calls) {
            match call {
                None => self.other(frame, place, (list, Some(position)), reply),
                Some(call) if others.next() == Some(true) => reply.listed_call(list, call.piece())?,
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Reads a whole item, parts of which may have been streamed before.
    fn whole(
        &self,
        frame: &mut ResponseFrame,
        at: &str,
        (list, position): (u32, Option<u32>),
        reply: &mut ReplyBuilder,
    ) -> Result<(), ModelError> {
        match WholeCall::take(frame, at, position) {
            Some(call) => reply.listed_calls(list, vec![call.piece()]),
            None => {
                self.other(frame, at, (list, position), reply);
                Ok(())
            }
        }
    }

    /// Reads an item other than a call.
    fn other(
        &self,
        frame: &mut ResponseFrame,
        at: &str,
        (list, position): (u32, Option<u32>),
        reply: &mut ReplyBuilder,
    ) {
        let kind = frame.get(&format!("{at}/type")).and_then(Value::as_str).unwrap_or("message").to_owned();
        let item_id = frame.text(&format!("{at}/id"));
        let place = ItemLocation { position, item_id: item_id.as_deref(), ..ItemLocation::default() };
        match kind.as_str() {
            "reasoning" => {
                for (member, first) in [("summary", 0), ("content", RAW_REASONING)] {
                    let texts = (ItemKind::Reasoning, list, first);
                    self.texts(frame, &format!("{at}/{member}"), texts, place, reply);
                }
                if let Some(value) = frame.text(&format!("{at}/encrypted_content")) {
                    let value = format!("{}:{value}", item_id.as_deref().unwrap_or_default());
                    reply.whole_sealed(list, place, SEAL, &value);
                }
            }
            "message" => {
                self.texts(frame, &format!("{at}/content"), (ItemKind::Text, list, 0), place, reply);
            }
            other => {
                reply.unread.note(format!("an item of type `{}`", agui_runtime_core::__leaf::quoted(other)));
                frame.clear(at);
            }
        }
    }

    fn texts(
        &self,
        frame: &mut ResponseFrame,
        at: &str,
        (kind, list, first): (ItemKind, u32, u32),
        place: ItemLocation<'_>,
        reply: &mut ReplyBuilder,
    ) {
        if let Some(text) = frame.text(at) {
            reply.whole_text(kind, list, ItemLocation { part: first, ..place }, &text);
        }
        for part in 0..frame.length(at) {
            let number = first.saturating_add(u32::try_from(part).unwrap_or(u32::MAX));
            for member in ["text", "refusal"] {
                if let Some(text) = frame.text(&format!("{at}/{part}/{member}")) {
                    reply.is_refusal |= member == "refusal";
                    reply.whole_text(kind, list, ItemLocation { part: number, ..place }, &text);
                }
            }
        }
    }
}

fn add_text(kind: ItemKind, at: &EventLocation, is_whole: bool, text: &str, reply: &mut ReplyBuilder) {
    match (kind, is_whole) {
        (_, true) => {
            let list = reply.new_list();
            reply.whole_text(kind, list, at.location(), text);
        }
        (ItemKind::Text, false) => reply.text(at.location(), text),
        (_, false) => reply.reasoning(at.location(), text),
    }
}

/// Reads a whole item part.
fn part(frame: &mut ResponseFrame, at: &mut EventLocation, reply: &mut ReplyBuilder) {
    let kind = match frame.get("/part/type").and_then(Value::as_str) {
        Some("output_text" | "text" | "refusal") => ItemKind::Text,
        Some("summary_text") => ItemKind::Reasoning,
        Some("reasoning_text") => {
            at.part += RAW_REASONING;
            ItemKind::Reasoning
        }
        _ => return,
    };
    for member in ["/part/text", "/part/refusal"] {
        if let Some(text) = frame.text(member) {
            reply.is_refusal |= member == "/part/refusal";
            add_text(kind, at, true, &text, reply);
        }
    }
}
