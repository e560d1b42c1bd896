//! Errors for events out of order.

use std::fmt;
use std::sync::Arc;

use super::{OpenSpan, OrderRule, SpanOwner};
use crate::protocol::EventType;

/// An event that is not allowed at its position, or a stream that may not stop there.
///
/// ```
/// use agui_runtime::order::{OrderRule, OrderVerifier};
/// use agui_runtime::protocol::{Event, EventType, RunStartedEvent, TextMessageContentEvent};
///
/// let mut verifier = OrderVerifier::new();
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
#[error("{}: {}{}", OrderErrorPosition(self), self.rule.sentence(), OrderErrorReason(&self.detail))]
pub struct OrderError {
    rule: OrderRule,
    index: usize,
    event_type: Option<EventType>,
    id: Option<Arc<str>>,
    detail: OrderErrorDetail,
}

impl OrderError {
    /// Returns the broken rule.
    #[must_use]
    pub fn rule(&self) -> OrderRule {
        self.rule
    }

    /// Returns the rule's code: [`OrderRule::code`].
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.rule.code()
    }

    /// Returns the event's index among the events that the verifier received, from 0. For a stream that stops too early, the
    /// number of events.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns the event type; `None` for a stream that stops too early.
    #[must_use]
    pub fn event_type(&self) -> Option<EventType> {
        self.event_type
    }

    /// Returns the id that broke the rule: a message, call, span, run or subagent id, or a step name.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Returns the expected owner, if the rule is about owners.
    ///
    /// ```
    /// use agui_runtime::order::{SpanOwner, OrderVerifier};
    /// use agui_runtime::protocol::{
    ///     RunStartedEvent, SubagentStartedEvent, TextMessageContentEvent, TextMessageStartEvent,
    /// };
    ///
    /// let mut verifier = OrderVerifier::new();
    /// verifier.check(&RunStartedEvent::new("t", "r").into())?;
    /// verifier.check(&SubagentStartedEvent::new("s-1", "helper").into())?;
    /// verifier.check(&TextMessageStartEvent::new("m-1").into())?;
    /// let stolen = TextMessageContentEvent::new("m-1", "Hi").with_subagent_run_id("s-1");
    /// assert_eq!(verifier.check(&stolen.into()).unwrap_err().owner(), Some(&SpanOwner::Parent));
    /// # Ok::<(), agui_runtime::order::OrderError>(())
    /// ```
    #[must_use]
    pub fn owner(&self) -> Option<&SpanOwner> {
        match &self.detail {
            OrderErrorDetail::Owner(owner) => Some(owner),
            _ => None,
        }
    }

    /// Returns the spans that are still open, in opening order, if the rule requires that all are closed.
    #[must_use]
    pub fn still_open(&self) -> &[OpenSpan] {
        match &self.detail {
            OrderErrorDetail::Open(open) => open,
            _ => &[],
        }
    }
}

/// A broken rule, before the event's position is added.
#[derive(Debug)]
pub(super) struct OrderRefusal {
    rule: OrderRule,
    id: Option<Arc<str>>,
    detail: OrderErrorDetail,
}

/// Outcome of one rule layer for an event. Boxed, because nearly every event is legal.
pub(super) type OrderVerdict = Result<(), Box<OrderRefusal>>;

#[derive(Debug, Clone, PartialEq, Eq)]
enum OrderErrorDetail {
    None,
    Owner(SpanOwner),
    Open(Box<[OpenSpan]>),
    Expected(Box<str>),
}

impl OrderRefusal {
    pub(super) fn new(rule: OrderRule) -> Box<Self> {
        Box::new(Self { rule, id: None, detail: OrderErrorDetail::None })
    }

    /// Names an id other than the event's.
    pub(super) fn about(mut self: Box<Self>, id: &str) -> Box<Self> {
        self.id = Some(Arc::from(id));
        self
    }

    pub(super) fn expected_owner(mut self: Box<Self>, owner: &SpanOwner) -> Box<Self> {
        self.detail = OrderErrorDetail::Owner(owner.clone());
        self
    }

    pub(super) fn open(mut self: Box<Self>, open: Vec<OpenSpan>) -> Box<Self> {
        self.detail = OrderErrorDetail::Open(open.into());
        self
    }

    pub(super) fn expected(mut self: Box<Self>, what: impl Into<String>) -> Box<Self> {
        self.detail = OrderErrorDetail::Expected(what.into().into());
        self
    }

    /// Adds the event's position; `scope_id` is the event's id.
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

struct OrderErrorPosition<'a>(&'a OrderError);

impl fmt::Display for OrderErrorPosition<'_> {
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

struct OrderErrorReason<'a>(&'a OrderErrorDetail);

impl fmt::Display for OrderErrorReason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            OrderErrorDetail::None => Ok(()),
            OrderErrorDetail::Owner(owner) => write!(f, " (its owner is {owner})"),
            OrderErrorDetail::Expected(what) => write!(f, " (expected {what})"),
            OrderErrorDetail::Open(open) => {
                for (index, span) in open.iter().enumerate() {
                    write!(f, "{} {span}", if index == 0 { ":" } else { "," })?;
                }
                Ok(())
            }
        }
    }
}
