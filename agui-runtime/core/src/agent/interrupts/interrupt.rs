//! Requirements for typed interrupts.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::bundle::bundle;
use crate::json;
use crate::manifest::{InterruptSource, TypeSource};
use crate::protocol::{Interrupt as Question, InterruptId, Metadata};

/// Typed form for an interrupt that stops a run; the JSON form is [`protocol::Interrupt`](crate::protocol::Interrupt).
///
/// The type is the payload, and [`Response`](Self::Response) is the user's response (AG-UI 1.0, section "Interrupt and
/// `ResumeEntry`"). Implemented by `#[derive(Interrupt)]`. Generated clients know both shapes. An agent interrupts with
/// [`Run::ask`](crate::Run::ask), or for a call with [`Call::ask`](crate::Call::ask), and reads the response in the next run with
/// [`Input::resumed`](crate::Input::resumed).
///
/// ```
/// use agui_runtime::prelude::*;
/// use schemars::JsonSchema;
/// use serde::Serialize;
///
/// /// Asks before a file is deleted.
/// #[derive(Interrupt, Serialize, JsonSchema)]
/// #[interrupt(reason = "confirm_delete", message = "Delete it?", response = bool)]
/// struct ConfirmDelete {
///     path: String,
/// }
/// assert_eq!(ConfirmDelete::REASON, "confirm_delete");
/// assert_eq!(ConfirmDelete::MESSAGE, Some("Delete it?"));
/// assert_eq!(ConfirmDelete::DESCRIPTION, "Asks before a file is deleted.");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an interrupt",
    label = "not an interrupt",
    note = "write `#[derive(Interrupt, Serialize, JsonSchema)]` and `#[interrupt(reason = \"…\", response = …)]` on it"
)]
pub trait Interrupt: InterruptData + Sized + Send + 'static {
    /// The `reason` on the wire, which identifies the interrupt. Must not contain `#`, which ends the reason in an id.
    const REASON: &'static str;

    /// Text for the user, if the user interface has no text for the interrupt.
    const MESSAGE: Option<&'static str>;

    /// The interrupt's meaning, from the doc comment.
    const DESCRIPTION: &'static str;

    /// The user's response.
    ///
    /// The agent parses the response only with serde: clients, which are not trusted, check ranges, lengths and patterns from
    /// `#[schemars(..)]`.
    type Response: ResponseData;

    #[doc(hidden)]
    fn source() -> InterruptSource {
        InterruptSource {
            reason: Self::REASON,
            message: Self::MESSAGE,
            description: Self::DESCRIPTION,
            payload: TypeSource::of::<Self>(),
            response: TypeSource::of_readable::<Self::Response>(),
        }
    }
}

/// Serde and schemars derives that an interrupt needs. Every type with these derives implements this trait.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an interrupt",
    label = "has no JSON form, or no schema of it",
    note = "write `#[derive(Interrupt, Serialize, JsonSchema)]` on it",
    note = "`JsonSchema` is the trait of schemars 1: with `schemars = \"0.8\"` in `Cargo.toml`, the derive implements another one"
)]
pub trait InterruptData: Serialize + JsonSchema {}

bundle!(InterruptData: Serialize + JsonSchema);

/// Derives that an interrupt's response needs. Every type with these derives implements this trait.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the response to an interrupt",
    label = "cannot be read from JSON, or has no schema",
    note = "write `#[derive(Deserialize, JsonSchema)]` on it",
    note = "`JsonSchema` is the trait of schemars 1: with `schemars = \"0.8\"` in `Cargo.toml`, the derive implements another one"
)]
pub trait ResponseData: DeserializeOwned + JsonSchema + Send + 'static {}

bundle!(ResponseData: DeserializeOwned + JsonSchema + Send + 'static);

/// Declares that agent `A` may send this interrupt. Implemented by `#[agent(interrupts = [..])]`; see
/// [`Run::ask`](crate::Run::ask).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an interrupt of `{A}`",
    label = "not in the agent's list of interrupts",
    note = "add it to `#[agent(interrupts = [..])]`: the generated client only knows the interrupts listed there"
)]
pub trait InterruptOf<A: ?Sized>: Interrupt {}

/// Key for the payload in an interrupt's metadata: the protocol has no member for payloads.
pub(crate) const PAYLOAD: &str = "agui-rust/payload";

/// Error for an interrupt whose payload has no JSON form; nothing was sent; see [`Run::typed_interrupt`](crate::Run::typed_interrupt).
#[derive(Debug, thiserror::Error)]
#[error("the payload of interrupt `{reason}` has no JSON form")]
#[non_exhaustive]
pub struct InterruptError {
    /// The interrupt's reason.
    pub reason: &'static str,
    /// The serde error.
    pub source: serde_json::Error,
}

/// Returns the interrupt in wire form.
pub(crate) fn untyped_interrupt<I: Interrupt>(
    payload: &I,
    id: InterruptId,
) -> Result<Question, InterruptError> {
    let payload = json::to_value(payload).map_err(|source| InterruptError { reason: I::REASON, source })?;
    let mut question = Question::new(id, I::REASON);
    question.message = I::MESSAGE.map(str::to_owned);
    question.response_schema = Some(I::source().response.root_schema().ensure_object().clone());
    question.metadata = Some(Metadata::from_iter([(PAYLOAD, payload)]));
    Ok(question)
}
