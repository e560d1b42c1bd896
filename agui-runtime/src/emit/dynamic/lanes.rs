//! Chunk expansion (AG-UI 1.0, section "Chunk expansion"): one stream of chunks per author, ended by what else it says.

use indexmap::IndexMap;

use super::super::EventFields;
use super::piece::{Head, Kind, Piece, is_chunk, take_apart};
use super::{ChunkError, Policy};
use crate::order::Owner;
use crate::protocol::{Event, SubagentRunId, TextMessageRole};

type Tag = Option<SubagentRunId>;

/// The items that chunks are building.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    open: IndexMap<Tag, Head>,
    /// Ids made for chunks that have none.
    made: u64,
}

/// What becomes of one event.
#[derive(Debug)]
pub(super) struct Expanded {
    pub events: Vec<Event>,
    /// The chunk it was made of, if it was one.
    pub chunk: Option<Chunk>,
    /// What it ended, if it was none.
    pub closed: Option<Closed>,
}

/// An item that chunks were building, and whose they were.
#[derive(Debug)]
pub(super) struct Closed {
    pub lane: Tag,
    pub head: Head,
}

/// A chunk, with what it goes on with.
#[derive(Debug)]
pub(super) struct Chunk {
    pub lane: Tag,
    pub head: Head,
    pub delta: Option<String>,
    pub fields: EventFields,
}

impl Lanes {
    pub(super) fn expand(&mut self, event: Event, policy: Policy) -> Result<Expanded, ChunkError> {
        if is_chunk(&event) {
            return match take_apart(event) {
                Some((kind, piece)) => self.expand_chunk(kind, piece, policy),
                None => Ok(Expanded { events: Vec::new(), chunk: None, closed: None }),
            };
        }
        let lane = closed_by(&event);
        let closed = lane.and_then(|lane| Some(Closed { head: self.open.get(&lane)?.clone(), lane }));
        let end = closed.as_ref().and_then(|closed| self.close(&closed.lane));
        Ok(Expanded { events: end.into_iter().chain([event]).collect(), chunk: None, closed })
    }

    fn expand_chunk(&mut self, kind: Kind, piece: Piece, policy: Policy) -> Result<Expanded, ChunkError> {
        let lane = self.lane_of(kind, &piece, policy)?;
        let goes_on = self
            .open
            .get(&lane)
            .filter(|head| head.kind() == kind && piece.id.as_deref().is_none_or(|id| id == head.id()));
        let mut events = Vec::new();
        let (head, starts) = match goes_on {
            Some(head) => {
                if let (Policy::Strict, Some(member)) = (policy, head.contradiction(&piece)) {
                    let id = head.id().to_owned();
                    return Err(ChunkError::Conflict { event_type: kind.event_type(), id, member });
                }
                (head.clone(), false)
            }
            None => {
                let head = self.head(kind, &piece, policy)?;
                events.extend(self.close(&lane));
                self.open.insert(lane.clone(), head.clone());
                (head, true)
            }
        };
        let Piece { delta, fields, .. } = piece;
        if starts {
            let mut start = head.start();
            start.metadata_mut().clone_from(&fields.metadata);
            *start.timestamp_mut() = fields.timestamp;
            events.push(start);
        }
        let says_more = delta.is_some() || fields.raw_event.is_some();
        if says_more || (!starts && fields.metadata.is_some()) {
            let mut content = head.content(delta.clone().unwrap_or_default());
            fields.clone().write(&mut content);
            events.push(content);
        }
        for event in &mut events {
            if let Some(tag) = event.subagent_run_id_mut() {
                tag.clone_from(&lane);
            }
        }
        Ok(Expanded { events, chunk: Some(Chunk { lane, head, delta, fields }), closed: None })
    }

    /// What was ended goes on: the START that says so.
    pub(super) fn reopen(&mut self, closed: Closed) -> Event {
        let Closed { lane, head } = closed;
        let mut start = head.start();
        if let Some(tag) = start.subagent_run_id_mut() {
            tag.clone_from(&lane);
        }
        self.open.insert(lane, head);
        start
    }

    fn lane_of(&self, kind: Kind, piece: &Piece, policy: Policy) -> Result<Tag, ChunkError> {
        let of_kind = || self.open.iter().filter(|(_, head)| head.kind() == kind);
        if let Some(id) = &piece.id {
            let Some((owner, _)) = of_kind().find(|(_, head)| head.id() == id) else {
                return Ok(piece.tag.clone());
            };
            if policy == Policy::Strict && piece.tag.is_some() && piece.tag != *owner {
                let owner = Owner::from(owner.as_ref());
                return Err(ChunkError::OtherOwner { event_type: kind.event_type(), id: id.clone(), owner });
            }
            return Ok(owner.clone());
        }
        if piece.tag.is_some() || of_kind().any(|(owner, _)| owner.is_none()) {
            return Ok(piece.tag.clone());
        }
        let mut others = of_kind();
        match (others.next(), others.next_back()) {
            (Some(_), Some(_)) if policy == Policy::Strict => {
                Err(ChunkError::Ambiguous { event_type: kind.event_type() })
            }
            // Of several the newest is the best guess.
            (first, last) => Ok(last.or(first).and_then(|(owner, _)| owner.clone())),
        }
    }

    fn head(&mut self, kind: Kind, piece: &Piece, policy: Policy) -> Result<Head, ChunkError> {
        let id = match (&piece.id, policy) {
            (Some(id), _) => id.clone(),
            (None, Policy::Strict) => return Err(ChunkError::NoId { event_type: kind.event_type() }),
            (None, Policy::Repair) => {
                self.made += 1;
                format!("chunks-{}", self.made)
            }
        };
        Ok(match kind {
            Kind::Text => Head::Text {
                id: id.into(),
                role: piece.role.unwrap_or(TextMessageRole::Assistant),
                name: piece.name.clone(),
            },
            Kind::Thought => Head::Thought { id: id.into() },
            Kind::Call => match &piece.tool {
                Some(tool) => Head::Call { id: id.into(), tool: tool.clone(), parent: piece.parent.clone() },
                None => return Err(ChunkError::NoToolName { id }),
            },
        })
    }

    fn close(&mut self, lane: &Tag) -> Option<Event> {
        let mut end = self.open.shift_remove(lane)?.end();
        if let Some(tag) = end.subagent_run_id_mut() {
            tag.clone_from(lane);
        }
        Some(end)
    }
}

/// The lane an event closes that is no chunk.
pub(super) fn closed_by(event: &Event) -> Option<Tag> {
    match event {
        Event::Raw(_)
        | Event::ActivitySnapshot(_)
        | Event::ActivityDelta(_)
        | Event::ReasoningEncryptedValue(_)
        | Event::SubagentStarted(_) => None,
        _ => Some(event.subagent_run_id().cloned()),
    }
}
