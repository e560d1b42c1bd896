use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Act, Emit, Fields};
use crate::manifest::EventSource;
use crate::protocol::CustomEvent as CustomProtocolEvent;

/// A typed CUSTOM event (AG-UI 1.0, section "Passthrough"): the agent's own signals to its user interface.
///
/// Written by `#[derive(CustomEvent)]`. The value on the wire is what serde makes of the type, and the generated
/// clients know its shape.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a custom event",
    label = "not a custom event",
    note = "write `#[derive(CustomEvent, Serialize, JsonSchema)]` on it"
)]
pub trait CustomEvent: EventData + Sized + Send + 'static {
    /// The `CUSTOM.name` on the wire. AG-UI keeps unprefixed names for itself, so the derive puts the package's name
    /// and a dot before the type's.
    const NAME: &'static str;

    /// What the event means, from its doc comment.
    const DESCRIPTION: &'static str;

    #[doc(hidden)]
    fn source() -> EventSource {
        EventSource {
            name: Self::NAME,
            description: Self::DESCRIPTION,
            value: crate::manifest::TypeSource::of::<Self>(),
        }
    }
}

/// What a custom event builds on: the derives of serde and schemars. Every type that has them is one.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a custom event",
    label = "has no JSON form, or no schema of it",
    note = "write `#[derive(CustomEvent, Serialize, JsonSchema)]` on it"
)]
pub trait EventData: Serialize + JsonSchema {}

impl<T: Serialize + JsonSchema> EventData for T {}

/// Says that agent `A` may send this event. Written by `#[agent(events = [..])]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an event of `{A}`",
    label = "not in the agent's list of events",
    note = "add it to `#[agent(events = [..])]`: the generated client only knows the events listed there"
)]
pub trait EventOf<A: ?Sized>: CustomEvent {}

/// The act of sending a custom event.
#[derive(Debug)]
pub struct SendCustom {
    name: &'static str,
    value: Result<Value, serde_json::Error>,
}

impl SendCustom {
    pub(super) fn new<E: CustomEvent>(event: &E) -> Self {
        Self { name: E::NAME, value: crate::json::to_value(event) }
    }
}

impl Act<'_> for SendCustom {
    type Output = Result<(), CustomEventError>;

    fn act(self, emit: &Emit, fields: Fields) -> Self::Output {
        let value = self.value.map_err(|source| CustomEventError { event: self.name, source })?;
        emit.say_event(CustomProtocolEvent::new(self.name, value), fields);
        Ok(())
    }
}

/// A custom event whose value has no JSON form; nothing was sent.
#[derive(Debug, thiserror::Error)]
#[error("the value of custom event `{event}` has no JSON form")]
#[non_exhaustive]
pub struct CustomEventError {
    /// The event's name.
    pub event: &'static str,
    /// What serde says.
    pub source: serde_json::Error,
}
