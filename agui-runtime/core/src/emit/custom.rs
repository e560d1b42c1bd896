//! Custom events, typed by the sending agent.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Emit, RunWrite};
use crate::bundle::bundle;
use crate::kernel::WriteFields;
use crate::manifest::EventSource;
use crate::protocol::CustomEvent as CustomProtocolEvent;

/// The typed form of a CUSTOM event, whose JSON form is [`protocol::CustomEvent`](crate::protocol::CustomEvent).
///
/// A custom event is the agent's own signal to its user interface (AG-UI 1.0, section "Passthrough"). Implemented by
/// `#[derive(CustomEvent)]`. The value on the wire is the type as serde writes it, and generated clients know its shape.
///
/// ```
/// use agui_runtime::prelude::*;
/// use schemars::JsonSchema;
/// use serde::Serialize;
///
/// /// Something is in the pan.
/// #[derive(CustomEvent, Serialize, JsonSchema)]
/// #[event(name = "kitchen.sizzle")]
/// struct Sizzle {
///     loud: bool,
/// }
/// assert_eq!(Sizzle::NAME, "kitchen.sizzle");
/// assert_eq!(Sizzle::DESCRIPTION, "Something is in the pan.");
///
/// /// Cooks with you.
/// #[agent(events = [Sizzle])]
/// async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
///     run.custom(Sizzle { loud: true }).await?; // CUSTOM
///     Ok(())
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a custom event",
    label = "not a custom event",
    note = "an event is a type of yours: write `#[derive(CustomEvent, Serialize, JsonSchema)]` on it"
)]
pub trait CustomEvent: EventData + Sized + Send + 'static {
    /// The `CUSTOM.name` on the wire. AG-UI reserves unprefixed names, so the derive puts the package name and a dot before the
    /// type name.
    const NAME: &'static str;

    /// The event's meaning, from the doc comment.
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

/// The serde and schemars traits that a custom event needs. Implemented for every type with both.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a custom event",
    label = "has no JSON form, or no schema of it",
    note = "write `#[derive(CustomEvent, Serialize, JsonSchema)]` on it",
    note = "`JsonSchema` is the trait of schemars 1: with `schemars = \"0.8\"` in `Cargo.toml`, the derive implements another one"
)]
pub trait EventData: Serialize + JsonSchema {}

bundle!(EventData: Serialize + JsonSchema);

/// Declares that agent `A` may send this event. Implemented by `#[agent(events = [..])]`.
///
/// ```
/// use agui_runtime::events::{CustomEventError, EventOf};
/// use agui_runtime::{Agent, Run};
///
/// /// Sends an event twice, for any agent that lists it.
/// async fn twice<A: Agent, E: EventOf<A> + Clone>(run: &Run<A>, event: E) -> Result<(), CustomEventError> {
///     run.custom(event.clone()).await?;
///     run.custom(event).await
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an event of `{A}`",
    label = "not in the agent's list of events",
    note = "an event is a type of yours with `#[derive(CustomEvent, Serialize, JsonSchema)]` that `#[agent(events = [..])]` lists: the \
            generated client only knows the events listed there"
)]
pub trait EventOf<A: ?Sized>: CustomEvent {}

/// The write behind [`Run::custom`](crate::Run::custom) and [`TypedEmit::custom`](crate::TypedEmit::custom).
#[derive(Debug)]
pub struct SendCustom {
    name: &'static str,
    value: Result<Value, serde_json::Error>,
}

impl SendCustom {
    pub(crate) fn new<E: CustomEvent>(event: &E) -> Self {
        Self { name: E::NAME, value: crate::json::to_value(event) }
    }
}

impl RunWrite<'_> for SendCustom {
    type Output = Result<(), CustomEventError>;

    fn act(self, emit: &Emit, fields: WriteFields) -> Self::Output {
        let value = self.value.map_err(|source| CustomEventError { event: self.name, source })?;
        emit.say_event(CustomProtocolEvent::new(self.name, value), fields);
        Ok(())
    }
}

/// A custom event whose value has no JSON form; nothing was sent. Returned by [`Run::custom`](crate::Run::custom).
#[derive(Debug, thiserror::Error)]
#[error("the value of custom event `{event}` has no JSON form")]
#[non_exhaustive]
pub struct CustomEventError {
    /// The event name.
    pub event: &'static str,
    /// The serde error.
    pub source: serde_json::Error,
}
