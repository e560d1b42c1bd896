//! Chunk expansion: chunks become starts, contents and ends (AG-UI 1.0, section "Chunk expansion").
//!
//! Each author, the parent agent or one invocation of a subagent, has a *lane* with at most one item that chunks are building. What else
//! the author says ends it; what is said aside does not:
//!
//! | event | ends before it |
//! |---|---|
//! | start, finish or failure of a run, a restated conversation | the items of all lanes, in the order they were opened |
//! | the end of a subagent | the item of that subagent |
//! | `RAW`, activities, encrypted values, the start of a subagent | nothing |
//! | everything else | the item of its author |
//!
//! Nothing is ended where a stream just stops.

mod error;
mod expanded;
mod lane;

use indexmap::IndexMap;

pub use error::ChunkError;
pub use expanded::Expanded;
use lane::{Kind, Pending};

use crate::protocol::{
    Effect, Event, ReasoningMessageChunkEvent, ReasoningMessageContentEvent, Scope, SubagentRunId,
    TextMessageChunkEvent, TextMessageContentEvent, TextMessageRole, ToolCallArgsEvent, ToolCallChunkEvent,
};

/// Whose lane it is; `None` is the parent agent's.
type Lane = Option<SubagentRunId>;

/// The stage that expands chunks.
///
/// An event that is no chunk passes by value, behind the ends it causes. An event that is refused changes nothing.
///
/// ```
/// use agui_runtime::protocol::{Event, EventType, RunFinishedEvent, TextMessageChunkEvent};
/// use agui_runtime::receive::chunks::Chunks;
///
/// let mut chunks = Chunks::new();
/// let mut types = |event: Event| -> Vec<EventType> {
///     chunks.expand(event).unwrap().map(|event| event.event_type()).collect()
/// };
/// let first = TextMessageChunkEvent::new().with_message_id("m").with_delta("Hel");
/// assert_eq!(types(first.into()), [EventType::TextMessageStart, EventType::TextMessageContent]);
/// let second = TextMessageChunkEvent::new().with_delta("lo");
/// assert_eq!(types(second.into()), [EventType::TextMessageContent]);
/// let end = RunFinishedEvent::new("t", "r");
/// assert_eq!(types(end.into()), [EventType::TextMessageEnd, EventType::RunFinished]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Chunks {
    lanes: IndexMap<Lane, Pending>,
}

impl Chunks {
    /// With nothing being built.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether chunks have begun something that nothing has ended.
    ///
    /// ```
    /// use agui_runtime::protocol::{RunFinishedEvent, TextMessageChunkEvent};
    /// use agui_runtime::receive::Chunks;
    ///
    /// let mut chunks = Chunks::new();
    /// chunks.expand(TextMessageChunkEvent::new().with_message_id("m").into())?;
    /// assert!(chunks.is_building());
    /// chunks.expand(RunFinishedEvent::new("t", "r").into())?;
    /// assert!(!chunks.is_building());
    /// # Ok::<(), agui_runtime::receive::ChunkError>(())
    /// ```
    #[must_use]
    pub fn is_building(&self) -> bool {
        !self.lanes.is_empty()
    }

    /// What becomes of the next event, in order.
    ///
    /// # Errors
    /// [`ChunkError`] for a chunk that begins nothing and goes on with nothing. Nothing of it is to be delivered, and nothing has
    /// changed.
    ///
    /// ```
    /// use agui_runtime::protocol::{StepStartedEvent, ToolCallChunkEvent};
    /// use agui_runtime::receive::Chunks;
    ///
    /// let mut chunks = Chunks::new();
    /// let call = ToolCallChunkEvent::new().with_tool_call_id("c").with_tool_call_name("price").with_delta("{}");
    /// assert_eq!(chunks.expand(call.into())?.len(), 2, "a start and arguments");
    /// assert_eq!(chunks.expand(StepStartedEvent::new("plan").into())?.len(), 2, "the end, and the step");
    /// # Ok::<(), agui_runtime::receive::ChunkError>(())
    /// ```
    pub fn expand(&mut self, event: Event) -> Result<Expanded, ChunkError> {
        match event {
            Event::TextMessageChunk(chunk) => self.text(chunk),
            Event::ToolCallChunk(chunk) => self.call(chunk),
            Event::ReasoningMessageChunk(chunk) => self.reasoning(chunk),
            event if self.lanes.is_empty() => Ok(event.into()),
            event => {
                let mut expanded = self.end_before(&event);
                expanded.push(event);
                Ok(expanded)
            }
        }
    }

    /// Whether the next event becomes itself and nothing else.
    pub(super) fn passes(&self, event: &Event) -> bool {
        let is_chunk = matches!(event.event_type().effect(), Effect::Chunk(_));
        !is_chunk && self.lanes.is_empty()
    }

    fn end_before(&mut self, event: &Event) -> Expanded {
        let mut ended = Expanded::default();
        match event.event_type().effect() {
            Effect::StartRun | Effect::FinishRun | Effect::FailRun | Effect::Restate => {
                for (lane, pending) in self.lanes.drain(..) {
                    ended.push(pending.end(lane));
                }
            }
            Effect::Open(Scope::Subagent) | Effect::Create(_) | Effect::After(_) | Effect::Attach => {}
            // Of the free events this one alone says nothing of its own.
            Effect::Free if matches!(event, Event::Raw(_)) => {}
            // The end of a subagent names its own lane.
            _ => self.end(&event.subagent_run_id().cloned(), &mut ended),
        }
        ended
    }

    fn end(&mut self, lane: &Lane, into: &mut Expanded) {
        if let Some((lane, pending)) = self.lanes.shift_remove_entry(lane) {
            into.push(pending.end(lane));
        }
    }

    fn begin(&mut self, lane: Lane, pending: Pending) -> Expanded {
        let mut expanded = Expanded::default();
        self.end(&lane, &mut expanded);
        self.lanes.insert(lane, pending);
        expanded
    }

    fn text(&mut self, chunk: TextMessageChunkEvent) -> Result<Expanded, ChunkError> {
        let TextMessageChunkEvent { message_id, role, delta, name, raw_event, metadata, .. } = chunk;
        let lane = self.lane_of(Kind::Text, message_id.as_ref().map(AsRef::as_ref), chunk.subagent_run_id)?;
        let mut expanded;
        let id = match (self.lanes.get(&lane), message_id) {
            (Some(Pending::Text { id, role: established, name: named }), wanted)
                if wanted.as_ref().is_none_or(|wanted| wanted == id) =>
            {
                agree(Kind::Text, id.as_str(), "role", role.as_ref(), Some(established))?;
                agree(Kind::Text, id.as_str(), "name", name.as_ref(), named.as_ref())?;
                expanded = Expanded::default();
                id.clone()
            }
            (_, None) => return Err(ChunkError::NoId { event_type: Kind::Text.event_type() }),
            (_, Some(id)) => {
                let pending =
                    Pending::Text { id: id.clone(), role: role.unwrap_or(TextMessageRole::Assistant), name };
                let start = pending.start(lane.clone(), metadata.clone());
                expanded = self.begin(lane.clone(), pending);
                expanded.push(start);
                id
            }
        };
        if delta.is_some() || raw_event.is_some() || (expanded.is_nothing() && metadata.is_some()) {
            let mut content = TextMessageContentEvent::new(id, delta.unwrap_or_default());
            (content.raw_event, content.metadata, content.subagent_run_id) = (raw_event, metadata, lane);
            expanded.push(content.into());
        }
        Ok(expanded)
    }

    fn call(&mut self, chunk: ToolCallChunkEvent) -> Result<Expanded, ChunkError> {
        let ToolCallChunkEvent {
            tool_call_id,
            tool_call_name,
            parent_message_id,
            delta,
            raw_event,
            metadata,
            ..
        } = chunk;
        let lane =
            self.lane_of(Kind::Call, tool_call_id.as_ref().map(AsRef::as_ref), chunk.subagent_run_id)?;
        let mut expanded;
        let id = match (self.lanes.get(&lane), tool_call_id) {
            (Some(Pending::Call { id, name, parent }), wanted)
                if wanted.as_ref().is_none_or(|wanted| wanted == id) =>
            {
                agree(Kind::Call, id.as_str(), "toolCallName", tool_call_name.as_ref(), Some(name))?;
                agree(
                    Kind::Call,
                    id.as_str(),
                    "parentMessageId",
                    parent_message_id.as_ref(),
                    parent.as_ref(),
                )?;
                expanded = Expanded::default();
                id.clone()
            }
            (_, None) => return Err(ChunkError::NoId { event_type: Kind::Call.event_type() }),
            (_, Some(id)) => {
                let Some(name) = tool_call_name else {
                    return Err(ChunkError::NoToolName { id });
                };
                let pending = Pending::Call { id: id.clone(), name, parent: parent_message_id };
                let start = pending.start(lane.clone(), metadata.clone());
                expanded = self.begin(lane.clone(), pending);
                expanded.push(start);
                id
            }
        };
        if delta.is_some() || raw_event.is_some() || (expanded.is_nothing() && metadata.is_some()) {
            let mut args = ToolCallArgsEvent::new(id, delta.unwrap_or_default());
            (args.raw_event, args.metadata, args.subagent_run_id) = (raw_event, metadata, lane);
            expanded.push(args.into());
        }
        Ok(expanded)
    }

    fn reasoning(&mut self, chunk: ReasoningMessageChunkEvent) -> Result<Expanded, ChunkError> {
        let ReasoningMessageChunkEvent { message_id, delta, raw_event, metadata, .. } = chunk;
        let wanted = message_id.as_ref().map(AsRef::as_ref);
        let lane = self.lane_of(Kind::Reasoning, wanted, chunk.subagent_run_id)?;
        let mut expanded;
        let id = match (self.lanes.get(&lane), message_id) {
            (Some(Pending::Reasoning { id }), wanted)
                if wanted.as_ref().is_none_or(|wanted| wanted == id) =>
            {
                expanded = Expanded::default();
                id.clone()
            }
            (_, None) => return Err(ChunkError::NoId { event_type: Kind::Reasoning.event_type() }),
            (_, Some(id)) => {
                let pending = Pending::Reasoning { id: id.clone() };
                let start = pending.start(lane.clone(), metadata.clone());
                expanded = self.begin(lane.clone(), pending);
                expanded.push(start);
                id
            }
        };
        if delta.is_some() || raw_event.is_some() || (expanded.is_nothing() && metadata.is_some()) {
            let mut content = ReasoningMessageContentEvent::new(id, delta.unwrap_or_default());
            (content.raw_event, content.metadata, content.subagent_run_id) = (raw_event, metadata, lane);
            expanded.push(content.into());
        }
        Ok(expanded)
    }

    /// The lane a chunk belongs to: an id is where it is being built, a tag says it, and without both it is the only one it can be.
    fn lane_of(&self, kind: Kind, id: Option<&str>, tag: Lane) -> Result<Lane, ChunkError> {
        let of_kind = || self.lanes.iter().filter(|(_, pending)| pending.kind() == kind);
        if let Some(id) = id {
            // Nearly always it is its author's, which needs no search.
            if self.lanes.get(&tag).is_some_and(|pending| pending.kind() == kind && pending.id() == id) {
                return Ok(tag);
            }
            return match of_kind().find(|(_, pending)| pending.id() == id) {
                None => Ok(tag),
                Some((holder, _)) if tag.is_none() => Ok(holder.clone()),
                Some((holder, _)) => Err(ChunkError::OtherOwner {
                    event_type: kind.event_type(),
                    id: id.to_owned(),
                    owner: holder.as_ref().into(),
                }),
            };
        }
        if tag.is_some() || self.lanes.get(&None).is_some_and(|pending| pending.kind() == kind) {
            return Ok(tag);
        }
        let mut holders = of_kind();
        match (holders.next(), holders.next()) {
            (Some(_), Some(_)) => Err(ChunkError::Ambiguous { event_type: kind.event_type() }),
            (Some((holder, _)), None) => Ok(holder.clone()),
            (None, _) => Ok(None),
        }
    }
}

/// What a chunk repeats of the first one is the same.
fn agree<T: PartialEq>(
    kind: Kind,
    id: &str,
    member: &'static str,
    said: Option<&T>,
    established: Option<&T>,
) -> Result<(), ChunkError> {
    if said.is_none() || said == established {
        return Ok(());
    }
    Err(ChunkError::Conflict { event_type: kind.event_type(), id: id.to_owned(), member })
}
