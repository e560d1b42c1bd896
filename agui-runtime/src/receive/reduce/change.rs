//! What an event did to what a reducer holds.

use super::ReduceWarning;

/// What one event changed, as places in [`Reducer::messages`](super::Reducer::messages) and the state, so that a user interface can
/// draw that and no more.
///
/// ```
/// use agui_runtime::protocol::{RunStartedEvent, TextMessageContentEvent, TextMessageStartEvent};
/// use agui_runtime::receive::reduce::{Change, Reducer};
///
/// let mut reducer = Reducer::new();
/// reducer.apply(&RunStartedEvent::new("t", "r").into())?;
/// let started = reducer.apply(&TextMessageStartEvent::new("m").into())?;
/// assert_eq!(started.change, Change::Added { at: 0 });
/// let grown = reducer.apply(&TextMessageContentEvent::new("m", "Hi").into())?;
/// assert_eq!(grown.change, Change::Text { at: 0 });
/// # Ok::<(), agui_runtime::receive::reduce::NotExpanded>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Applied {
    /// What is different now.
    pub change: Change,
    /// What is complete now.
    pub complete: Option<Complete>,
    /// What is odd about the event. It is never an error: the official client warns and goes on.
    pub warning: Option<ReduceWarning>,
}

/// What is different after an event.
///
/// ```
/// use agui_runtime::receive::reduce::Change;
///
/// /// Which message has to be drawn again; `None` for all of them, or for none.
/// fn row(change: Change) -> Option<usize> {
///     match change {
///         Change::Added { at } | Change::Text { at } | Change::Message { at } => Some(at),
///         Change::CallAdded { at, .. } | Change::Arguments { at, .. } | Change::Call { at, .. } => Some(at),
///         _ => None,
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Change {
    /// Neither the messages nor the state.
    #[default]
    Nothing,
    /// There is a new message; those behind it have moved by one.
    Added {
        /// Its place.
        at: usize,
    },
    /// The delta of the event was appended to the text of a message.
    Text {
        /// The message's place.
        at: usize,
    },
    /// A message has a new call.
    CallAdded {
        /// The message's place.
        at: usize,
        /// The call's place in it.
        call: usize,
    },
    /// The delta of the event was appended to the arguments of a call.
    Arguments {
        /// The message's place.
        at: usize,
        /// The call's place in it.
        call: usize,
    },
    /// A call is different otherwise: its metadata, name or encrypted value.
    Call {
        /// The message's place.
        at: usize,
        /// The call's place in it.
        call: usize,
    },
    /// A message is different otherwise.
    Message {
        /// Its place.
        at: usize,
    },
    /// The messages are other ones.
    Messages,
    /// The state is another one.
    State,
    /// The operations of the event were applied to the state.
    StatePatched,
}

/// What an event completed (the *new message* and *new tool call* hooks of the official client).
///
/// ```
/// use agui_runtime::protocol::{TextMessageEndEvent, TextMessageStartEvent};
/// use agui_runtime::receive::reduce::{Complete, Reducer};
///
/// let mut reducer = Reducer::new();
/// assert_eq!(reducer.apply(&TextMessageStartEvent::new("m").into())?.complete, None);
/// let applied = reducer.apply(&TextMessageEndEvent::new("m").into())?;
/// assert_eq!(applied.complete, Some(Complete::Message { at: 0 }));
/// # Ok::<(), agui_runtime::receive::reduce::NotExpanded>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Complete {
    /// A message.
    Message {
        /// Its place.
        at: usize,
    },
    /// A call.
    Call {
        /// The place of its message.
        at: usize,
        /// The call's place in it.
        call: usize,
    },
}

impl Applied {
    pub(super) fn nothing() -> Self {
        Self::default()
    }

    pub(super) fn completing(mut self, complete: Complete) -> Self {
        self.complete = Some(complete);
        self
    }

    pub(super) fn warning(mut self, warning: ReduceWarning) -> Self {
        self.warning = Some(warning);
        self
    }

    /// The change, if something did change.
    pub(super) fn when(changed: bool, change: Change) -> Self {
        if changed { change.into() } else { Self::nothing() }
    }
}

impl From<Change> for Applied {
    fn from(change: Change) -> Self {
        Self { change, ..Self::default() }
    }
}

impl From<ReduceWarning> for Applied {
    fn from(warning: ReduceWarning) -> Self {
        Self { warning: Some(warning), ..Self::default() }
    }
}
