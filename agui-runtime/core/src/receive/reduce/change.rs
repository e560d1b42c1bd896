//! The changes that an event made.

use super::ReduceWarning;

/// One event's changes, as indexes into [`Reducer::messages`](super::Reducer::messages) and the state. A user interface can redraw
/// just these.
///
/// ```
/// use agui_runtime::protocol::{RunStartedEvent, TextMessageContentEvent, TextMessageStartEvent};
/// use agui_runtime::receive::reduce::{ReducerChange, Reducer};
///
/// let mut reducer = Reducer::new();
/// reducer.apply(&RunStartedEvent::new("t", "r").into())?;
/// let started = reducer.apply(&TextMessageStartEvent::new("m").into())?;
/// assert_eq!(started.change, ReducerChange::Added { at: 0 });
/// let grown = reducer.apply(&TextMessageContentEvent::new("m", "Hi").into())?;
/// assert_eq!(grown.change, ReducerChange::Text { at: 0 });
/// # Ok::<(), agui_runtime::receive::reduce::NotExpanded>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ReducerUpdate {
    /// The change to messages or state.
    pub change: ReducerChange,
    /// The message or call that this event completed.
    pub complete: Option<CompletedSpan>,
    /// A warning about the event, never an error: the official client warns and continues.
    pub warning: Option<ReduceWarning>,
}

/// The change to messages or state by one event: a field in [`ReducerUpdate`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ReducerChange {
    /// Neither the messages nor the state changed.
    #[default]
    Nothing,
    /// There is a new message; later messages moved by one.
    Added {
        /// The message's index.
        at: usize,
    },
    /// The event's delta was appended to a message's text.
    Text {
        /// The message's index.
        at: usize,
    },
    /// A message has a new call.
    CallAdded {
        /// The message's index.
        at: usize,
        /// The call's index in the message.
        call: usize,
    },
    /// The event's delta was appended to a call's arguments.
    Arguments {
        /// The message's index.
        at: usize,
        /// The call's index in the message.
        call: usize,
    },
    /// A call changed in another way: metadata, name or encrypted value.
    Call {
        /// The message's index.
        at: usize,
        /// The call's index in the message.
        call: usize,
    },
    /// A message changed in another way.
    Message {
        /// The message's index.
        at: usize,
    },
    /// The whole message list changed.
    Messages,
    /// The whole state changed.
    State,
    /// The event's operations were applied to the state.
    StatePatched,
}

/// The message or call that an event completed (the official client's *new message* and *new tool call* hooks).
///
/// ```
/// use agui_runtime::protocol::{TextMessageEndEvent, TextMessageStartEvent};
/// use agui_runtime::receive::reduce::{CompletedSpan, Reducer};
///
/// let mut reducer = Reducer::new();
/// assert_eq!(reducer.apply(&TextMessageStartEvent::new("m").into())?.complete, None);
/// let applied = reducer.apply(&TextMessageEndEvent::new("m").into())?;
/// assert_eq!(applied.complete, Some(CompletedSpan::Message { at: 0 }));
/// # Ok::<(), agui_runtime::receive::reduce::NotExpanded>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompletedSpan {
    /// A message.
    Message {
        /// The message's index.
        at: usize,
    },
    /// A call.
    Call {
        /// The message's index.
        at: usize,
        /// The call's index in the message.
        call: usize,
    },
}

impl ReducerUpdate {
    pub(super) fn nothing() -> Self {
        Self::default()
    }

    pub(super) fn completing(mut self, complete: CompletedSpan) -> Self {
        self.complete = Some(complete);
        self
    }

    pub(super) fn warning(mut self, warning: ReduceWarning) -> Self {
        self.warning = Some(warning);
        self
    }

    /// Returns the change if `changed` is true.
    pub(super) fn when(changed: bool, change: ReducerChange) -> Self {
        if changed { change.into() } else { Self::nothing() }
    }
}

impl From<ReducerChange> for ReducerUpdate {
    fn from(change: ReducerChange) -> Self {
        Self { change, ..Self::default() }
    }
}

impl From<ReduceWarning> for ReducerUpdate {
    fn from(warning: ReduceWarning) -> Self {
        Self { warning: Some(warning), ..Self::default() }
    }
}
