//! Forms of an event beside its order: the vocabulary for the event table's columns after `proto`.

use super::event::EventType;
use super::table::event_table;

/// The chunked spans that end before an event (AG-UI 1.0, section "Chunk expansion").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChunksForm {
    Nothing,
    /// The author's span ends.
    Author,
    /// All authors' spans end.
    All,
}

/// The form of an event for a client from before AG-UI 1.0.
///
/// ```
/// use agui_runtime::protocol::{EventType, LegacyForm};
///
/// assert_eq!(EventType::SubagentStarted.legacy(), LegacyForm::Dropped);
/// assert_eq!(EventType::StepStarted.legacy(), LegacyForm::Kept);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LegacyForm {
    /// The event, without the subagent.
    Kept,
    /// Nothing: only 1.0 has such events.
    Dropped,
    /// The event without the parts that only 1.0 has.
    Rewritten,
}

/// The event in the snake_case dialect.
#[cfg(feature = "dialect")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DialectForm {
    /// A record of its own kind, by code for the event.
    Written,
    /// The record that the event names, if it names one.
    Named,
    Lost,
    /// Start, content and end: the event itself is refused.
    Expanded,
}

/// The event of another stream in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ForwardedForm {
    Unchanged,
    /// Sent with this run's ids and spans, by code for the event.
    Translated,
    /// Start, content and end.
    Expanded,
    /// Sent unless the run's state is typed.
    State,
    /// Refused: only the run's agent starts and ends the run.
    OwnRun,
    /// Refused: only the run's agent restates the conversation.
    OwnConversation,
}

/// The event in a compacted stream.
#[cfg(feature = "receive")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CompactedForm {
    Kept,
    /// Collected with the span's other events, by code for the event.
    Merged,
    /// Folded into one snapshot.
    State,
    /// Kept, after the state before it.
    Boundary,
}

/// The part of an A2A task that shows the event.
#[cfg(all(feature = "a2a", feature = "server"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TaskForm {
    Nothing,
    /// The task's status, by code for the event.
    Status,
    /// The text's artifact, by code for the event.
    Text,
    /// The activity's artifact.
    Activity,
    /// The state's artifact.
    State,
    /// The artifacts of all texts.
    Texts,
}

/// Makes the columns' accessors.
macro_rules! define_treatments {
    ($(
        $WIRE:ident $Variant:ident($Struct:ident) since $since:ident order $order:tt ids $ids:tt proto $proto:tt
            chunks: $chunks:ident, legacy: $legacy:ident, dialect: $dialect:ident, forwarded: $forwarded:ident,
            compacted: $compacted:ident, task: $task:ident;
    )*) => {
        impl EventType {
            pub(crate) const fn chunks(self) -> ChunksForm {
                match self { $(Self::$Variant => ChunksForm::$chunks,)* }
            }

            /// Returns what a client from before AG-UI 1.0 gets; see [`Peer`](crate::Peer).
            #[must_use]
            pub const fn legacy(self) -> LegacyForm {
                match self { $(Self::$Variant => LegacyForm::$legacy,)* }
            }

            #[cfg(feature = "dialect")]
            pub(crate) const fn dialect(self) -> DialectForm {
                match self { $(Self::$Variant => DialectForm::$dialect,)* }
            }

            pub(crate) const fn forwarded(self) -> ForwardedForm {
                match self { $(Self::$Variant => ForwardedForm::$forwarded,)* }
            }

            /// True if the event changes the shared state.
            #[cfg(feature = "server")]
            pub(crate) const fn changes_state(self) -> bool {
                matches!(self.forwarded(), ForwardedForm::State)
            }

            #[cfg(feature = "receive")]
            pub(crate) const fn compacted(self) -> CompactedForm {
                match self { $(Self::$Variant => CompactedForm::$compacted,)* }
            }

            #[cfg(all(feature = "a2a", feature = "server"))]
            pub(crate) const fn task(self) -> TaskForm {
                match self { $(Self::$Variant => TaskForm::$task,)* }
            }
        }
    };
}

event_table!(define_treatments);

/// Reports that a consumer has no code for an event whose row asks for code. Tests send a sample of each event to each consumer.
pub(crate) fn missing_code(column: &str, event: EventType) {
    debug_assert!(false, "the column `{column}` of {event} asks for code, and there is none");
    tracing::error!(%event, column, "no code for an event");
}
