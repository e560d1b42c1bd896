//! Chunk expansion: chunks become starts, contents and ends (AG-UI 1.0, section "Chunk expansion").
//!
//! Each author (the parent agent or one subagent invocation) has at most one open span, a message or a call that chunks build.
//! Another event by the author ends the span, with exceptions:
//!
//! | event | ends before it |
//! |---|---|
//! | a run's start, finish or failure, a restated conversation | all authors' spans, in the order they were opened |
//! | a subagent's end | that subagent's span |
//! | `RAW`, activities, encrypted values, a subagent's start | nothing |
//! | everything else | the author's span |
//!
//! A stream that stops early ends nothing.

mod error;
mod expanded;
mod head;
mod items;
mod piece;

use std::sync::Arc;

pub use error::ChunkError;
pub use expanded::ExpandedEvents;
use head::ChunkKind;
pub(crate) use head::ChunkedSpan;
use items::ChunkedSpans;
use piece::ChunkMembers;
pub(crate) use piece::is_chunk;

use crate::protocol::{ChunksForm, Event, SubagentRunId};

/// A span's author; `None` is the parent agent.
pub(crate) type SpanAuthor = Option<SubagentRunId>;

/// The stage that expands chunks.
///
/// An event that is not a chunk is returned unchanged, after the ends that it causes. A refused event changes nothing.
///
/// ```
/// use agui_runtime::protocol::{Event, EventType, RunFinishedEvent, TextMessageChunkEvent};
/// use agui_runtime::receive::chunks::ChunkExpander;
///
/// let mut chunks = ChunkExpander::new();
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
pub struct ChunkExpander {
    items: ChunkedSpans,
    forwarding: Option<ForwardingMode>,
}

/// How chunks of a forwarded stream are read. Their timestamps are kept.
#[derive(Debug, Clone)]
struct ForwardingMode {
    /// True if a chunk that a client would refuse is repaired: see [`ChunkExpander::forwarding`].
    repairs: bool,
    /// The number of ids made for chunks without one.
    made: u64,
}

/// The events that one event in a forwarded stream expands to.
#[derive(Debug)]
pub(crate) struct ForwardedEvents {
    pub events: ExpandedEvents,
    /// For a chunk: the author and the span.
    pub chunk: Option<(SpanAuthor, ChunkedSpan)>,
    /// For another event: the ended span, and its author.
    pub ended: Option<(SpanAuthor, ChunkedSpan)>,
}

/// The spans that end before an event that is not a chunk.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum EndedSpans<'e> {
    Nothing,
    /// This author's span.
    Of(Option<&'e SubagentRunId>),
    All,
}

impl<'e> EndedSpans<'e> {
    pub(crate) fn before(event: &'e Event) -> Self {
        match event.event_type().chunks() {
            ChunksForm::All => Self::All,
            ChunksForm::Nothing => Self::Nothing,
            // The end of a subagent carries the tag of that subagent.
            ChunksForm::Author => Self::Of(event.subagent_run_id()),
        }
    }
}

impl ChunkExpander {
    /// Creates [`ChunkExpander`] without open messages or calls.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns true if chunks have begun a message or call that was not ended.
    #[must_use]
    pub fn is_building(&self) -> bool {
        !self.items.is_empty()
    }

    /// Expands the next event and returns the resulting events, in order.
    ///
    /// # Errors
    /// [`ChunkError`] for a chunk that neither begins nor continues anything. The caller must deliver nothing for such a chunk,
    /// and the stage is unchanged.
    pub fn expand(&mut self, event: Event) -> Result<ExpandedEvents, ChunkError> {
        let piece = match ChunkMembers::from_event(event) {
            Ok(piece) => piece,
            Err(event) if self.items.is_empty() => return Ok(event.into()),
            Err(event) => {
                let mut expanded = ExpandedEvents::default();
                match EndedSpans::before(&event) {
                    EndedSpans::Nothing => {}
                    EndedSpans::Of(author) => self.end(&author.cloned(), &mut expanded),
                    EndedSpans::All => {
                        for (author, head) in self.items.take() {
                            expanded.push(tagged(head.end(), &author));
                        }
                    }
                }
                expanded.push(event);
                return Ok(expanded);
            }
        };
        self.expand_piece(piece).map(|(_, expanded)| expanded)
    }

    /// Creates a stage for a forwarded stream, which keeps timestamps. With `repairs` there are fewer errors: a chunk without an
    /// id begins a span with a made id, members that contradict the first chunk are ignored, an id overrules another tag, and a
    /// chunk without id and tag continues the newest span of its kind.
    pub(crate) fn forwarding(repairs: bool) -> Self {
        Self { items: ChunkedSpans::default(), forwarding: Some(ForwardingMode { repairs, made: 0 }) }
    }

    /// Expands the next event as [`expand`](Self::expand) does, and also returns the span.
    pub(crate) fn forward(&mut self, event: Event) -> Result<ForwardedEvents, ChunkError> {
        let piece = match ChunkMembers::from_event(event) {
            Ok(piece) => piece,
            Err(event) => {
                let author = match EndedSpans::before(&event) {
                    EndedSpans::Of(author) => Some(author.cloned()),
                    EndedSpans::Nothing | EndedSpans::All => None,
                };
                let ended =
                    author.and_then(|author| Some((author.clone(), self.items.get(&author)?.clone())));
                return Ok(ForwardedEvents { events: self.expand(event)?, chunk: None, ended });
            }
        };
        let (author, events) = self.expand_piece(piece)?;
        let head = self.items.get(&author).cloned();
        Ok(ForwardedEvents { events, chunk: head.map(|head| (author, head)), ended: None })
    }

    /// Continues an ended span, and returns the START.
    pub(crate) fn reopen(&mut self, author: SpanAuthor, head: ChunkedSpan) -> Event {
        let start = tagged(head.start(), &author);
        self.items.insert(author, head);
        start
    }

    /// Returns true if the next event is returned unchanged and causes no other event.
    pub(super) fn passes(&self, event: &Event) -> bool {
        !is_chunk(event) && self.items.is_empty()
    }

    fn repairs(&self) -> bool {
        self.forwarding.as_ref().is_some_and(|forwarding| forwarding.repairs)
    }

    fn end(&mut self, author: &SpanAuthor, into: &mut ExpandedEvents) {
        if let Some(head) = self.items.remove(author) {
            into.push(tagged(head.end(), author));
        }
    }

    fn expand_piece(&mut self, piece: ChunkMembers) -> Result<(SpanAuthor, ExpandedEvents), ChunkError> {
        let author = self.author_of(&piece)?;
        let mut expanded = ExpandedEvents::default();
        let goes_on = self
            .items
            .get(&author)
            .filter(|head| head.kind() == piece.kind && piece.id.as_deref().is_none_or(|id| id == head.id()));
        let starts = goes_on.is_none();
        if let Some(head) = goes_on {
            if let (false, Some(member)) = (self.repairs(), head.contradiction(&piece)) {
                let (event_type, id) = (piece.kind.event_type(), head.id().to_owned());
                return Err(ChunkError::Conflict { event_type, id, member });
            }
        } else {
            let head = ChunkedSpan::new(self.id_of(&piece)?, &piece)?;
            self.end(&author, &mut expanded);
            let mut start = tagged(head.start(), &author);
            start.metadata_mut().clone_from(&piece.metadata);
            if self.forwarding.is_some() {
                *start.timestamp_mut() = piece.timestamp;
            }
            expanded.push(start);
            self.items.insert(author.clone(), head);
        }
        let has_content =
            piece.delta.is_some() || piece.raw_event.is_some() || (!starts && piece.metadata.is_some());
        if let (true, Some(head)) = (has_content, self.items.get(&author)) {
            let mut content = tagged(head.content(piece.delta.unwrap_or_default()), &author);
            *content.raw_event_mut() = piece.raw_event;
            *content.metadata_mut() = piece.metadata;
            if self.forwarding.is_some() {
                *content.timestamp_mut() = piece.timestamp;
            }
            expanded.push(content);
        }
        Ok((author, expanded))
    }

    /// Returns the id for the span that a chunk begins.
    fn id_of(&mut self, piece: &ChunkMembers) -> Result<Arc<str>, ChunkError> {
        match (&piece.id, &mut self.forwarding) {
            (Some(id), _) => Ok(Arc::clone(id)),
            (None, Some(forwarding)) if forwarding.repairs => {
                forwarding.made += 1;
                Ok(format!("chunks-{}", forwarding.made).into())
            }
            (None, _) => Err(ChunkError::NoId { event_type: piece.kind.event_type() }),
        }
    }

    /// Returns the author whose span a chunk belongs to: by the chunk's id, or by its tag, or the only possible one.
    fn author_of(&self, piece: &ChunkMembers) -> Result<SpanAuthor, ChunkError> {
        let ChunkMembers { kind, id, tag, .. } = piece;
        if let Some(id) = id.as_deref() {
            // Nearly always it is the item of the chunk's own author, which needs no search.
            if self.items.get(tag).is_some_and(|head| head.kind() == *kind && head.id() == id) {
                return Ok(tag.clone());
            }
            return match self.items.holder(*kind, id) {
                None => Ok(tag.clone()),
                Some(holder) if tag.is_none() || self.repairs() => Ok(holder.clone()),
                Some(holder) => Err(ChunkError::OtherOwner {
                    event_type: kind.event_type(),
                    id: id.to_owned(),
                    owner: holder.as_ref().into(),
                }),
            };
        }
        if tag.is_some() || self.items.get(&None).is_some_and(|head| head.kind() == *kind) {
            return Ok(tag.clone());
        }
        match self.items.newest(*kind) {
            None => Ok(None),
            Some((_, false)) if !self.repairs() => {
                Err(ChunkError::Ambiguous { event_type: kind.event_type() })
            }
            // The newest of several is the best guess.
            Some((holder, _)) => Ok(holder.clone()),
        }
    }
}

fn tagged(mut event: Event, author: &SpanAuthor) -> Event {
    if let Some(tag) = event.subagent_run_id_mut() {
        tag.clone_from(author);
    }
    event
}
