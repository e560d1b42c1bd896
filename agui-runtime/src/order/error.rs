//! Why an event is out of order.

use std::fmt;
use std::sync::Arc;

use super::{OpenSpan, OrderRule, Owner};
use crate::protocol::EventType;

/// An event that may not stand where it stands, or a stream that may not stop where it stops.
///
/// ```
/// use agui_runtime::order::{OrderRule, Verifier};
/// use agui_runtime::protocol::{Event, EventType, RunStartedEvent, TextMessageContentEvent};
///
/// let mut verifier = Verifier::new();
/// verifier.check(&RunStartedEvent::new("t", "r").into()).unwrap();
/// let error = verifier.check(&TextMessageContentEvent::new("m-1", "Hi").into()).unwrap_err();
///
/// assert_eq!(error.rule(), OrderRule::TextContentNotOpen);
/// assert_eq!(error.event_type(), Some(EventType::TextMessageContent));
/// assert_eq!((error.id(), error.index()), (Some("m-1"), 1));
/// assert_eq!(
///     error.to_string(),
///     "event 1, TEXT_MESSAGE_CONTENT of `m-1`: text before the start or after the end of its message",
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {}{}", Place(self), self.rule.sentence(), Because(&self.detail))]
pub struct OrderError {
    rule: OrderRule,
    index: usize,
    event_type: Option<EventType>,
    id: Option<Arc<str>>,
    detail: Detail,
}

impl OrderError {
    /// The rule that was broken.
    #[must_use]
    pub fn rule(&self) -> OrderRule {
        self.rule
    }

    /// The code of the rule: [`OrderRule::code`].
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.rule.code()
    }

    /// The place of the event in what the verifier was given, from 0. Where a stream stops it is how many events there were.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// The type of the event; `None` where the stream stops.
    #[must_use]
    pub fn event_type(&self) -> Option<EventType> {
        self.event_type
    }

    /// What the rule was broken about: the id of a message, call, span, run or subagent, the name of a step.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The owner it should have been, where the rule is about owners.
    #[must_use]
    pub fn owner(&self) -> Option<&Owner> {
        match &self.detail {
            Detail::Owner(owner) => Some(owner),
            _ => None,
        }
    }

    /// What is still open, where the rule says that nothing may be; in the order it was opened.
    #[must_use]
    pub fn still_open(&self) -> &[OpenSpan] {
        match &self.detail {
            Detail::Open(open) => open,
            _ => &[],
        }
    }
}

/// What a rule says is wrong, before it is known which event it was.
#[derive(Debug)]
pub(super) struct Refusal {
    rule: OrderRule,
    id: Option<Arc<str>>,
    detail: Detail,
}

/// What a layer of rules says of an event. Boxed, because nearly every event is in order.
pub(super) type Verdict = Result<(), Box<Refusal>>;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Detail {
    None,
    Owner(Owner),
    Open(Box<[OpenSpan]>),
    Expected(Box<str>),
}

impl Refusal {
    pub(super) fn new(rule: OrderRule) -> Box<Self> {
        Box::new(Self { rule, id: None, detail: Detail::None })
    }

    /// About something else than what the event is about.
    pub(super) fn about(mut self: Box<Self>, id: &str) -> Box<Self> {
        self.id = Some(Arc::from(id));
        self
    }

    pub(super) fn of(mut self: Box<Self>, owner: &Owner) -> Box<Self> {
        self.detail = Detail::Owner(owner.clone());
        self
    }

    pub(super) fn open(mut self: Box<Self>, open: Vec<OpenSpan>) -> Box<Self> {
        self.detail = Detail::Open(open.into());
        self
    }

    pub(super) fn expected(mut self: Box<Self>, what: impl Into<String>) -> Box<Self> {
        self.detail = Detail::Expected(what.into().into());
        self
    }

    /// `scope_id` is what the event is about.
    pub(super) fn at(
        self,
        index: usize,
        event_type: Option<EventType>,
        scope_id: Option<&str>,
    ) -> OrderError {
        let Self { rule, id, detail } = self;
        OrderError { rule, index, event_type, id: id.or_else(|| scope_id.map(Arc::from)), detail }
    }
}

struct Place<'a>(&'a OrderError);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(error) = self;
        match error.event_type {
            Some(event_type) => write!(f, "event {}, {event_type}", error.index)?,
            None => write!(f, "after {} events", error.index)?,
        }
        match &error.id {
            Some(id) => write!(f, " of `{id}`"),
            None => Ok(()),
        }
    }
}

struct Because<'a>(&'a Detail);

impl fmt::Display for Because<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Detail::None => Ok(()),
            Detail::Owner(owner) => write!(f, " (it is {owner}'s)"),
            Detail::Expected(what) => write!(f, " (expected {what})"),
            Detail::Open(open) => {
                for (index, span) in open.iter().enumerate() {
                    write!(f, "{} {span}", if index == 0 { ":" } else { "," })?;
                }
                Ok(())
            }
        }
    }
}
