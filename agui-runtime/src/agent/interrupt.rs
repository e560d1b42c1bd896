use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::json;
use crate::manifest::{InterruptSource, TypeSource};
use crate::protocol::{Interrupt as Question, InterruptId, Metadata};

/// A typed question that stops a run (AG-UI 1.0, section "Interrupt and `ResumeEntry`"): the type is what is asked, its
/// [`Response`](Self::Response) what a person answers.
///
/// Written by `#[derive(Interrupt)]`. The generated clients know both shapes. An agent asks with [`Run::ask`](crate::Run::ask),
/// or about a call with [`ToolCall::ask`](crate::ToolCall::ask), and reads the answer in its next run with
/// [`Input::resumed`](crate::Input::resumed).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an interrupt",
    label = "not an interrupt",
    note = "write `#[derive(Interrupt, Serialize, JsonSchema)]` and `#[interrupt(reason = \"…\", response = …)]` on it"
)]
pub trait Interrupt: InterruptData + Sized + Send + 'static {
    /// The `reason` on the wire: which of the agent's questions it is. It has no `#`, which ends it in an id.
    const REASON: &'static str;

    /// What a person is asked, where the user interface has no words of its own.
    const MESSAGE: Option<&'static str>;

    /// What the question means, from its doc comment.
    const DESCRIPTION: &'static str;

    /// What a person answers.
    ///
    /// The agent reads it with serde alone: ranges, lengths and patterns of `#[schemars(..)]` are checked by the clients, which may
    /// be anybody's.
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

/// What an interrupt builds on: the derives of serde and schemars. Every type that has them is one.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an interrupt",
    label = "has no JSON form, or no schema of it",
    note = "write `#[derive(Interrupt, Serialize, JsonSchema)]` on it"
)]
pub trait InterruptData: Serialize + JsonSchema {}

impl<T: Serialize + JsonSchema> InterruptData for T {}

/// What the answer to an interrupt builds on. Every type that has the derives is one.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the response to an interrupt",
    label = "cannot be read from JSON, or has no schema",
    note = "write `#[derive(Deserialize, JsonSchema)]` on it"
)]
pub trait ResponseData: DeserializeOwned + JsonSchema + Send + 'static {}

impl<T: DeserializeOwned + JsonSchema + Send + 'static> ResponseData for T {}

/// Says that agent `A` may ask this. Written by `#[agent(interrupts = [..])]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an interrupt of `{A}`",
    label = "not in the agent's list of interrupts",
    note = "add it to `#[agent(interrupts = [..])]`: the generated client only knows the interrupts listed there"
)]
pub trait InterruptOf<A: ?Sized>: Interrupt {}

/// The key of an interrupt's metadata that holds what is asked: the protocol has no member for it.
pub(crate) const PAYLOAD: &str = "agui-rust/payload";

/// A question whose payload has no JSON form; nothing was asked.
#[derive(Debug, thiserror::Error)]
#[error("the payload of interrupt `{reason}` has no JSON form")]
#[non_exhaustive]
pub struct InterruptError {
    /// The interrupt's reason.
    pub reason: &'static str,
    /// What serde says.
    pub source: serde_json::Error,
}

/// The question as it travels.
pub(crate) fn question<I: Interrupt>(payload: &I, id: InterruptId) -> Result<Question, InterruptError> {
    let payload = json::to_value(payload).map_err(|source| InterruptError { reason: I::REASON, source })?;
    let mut question = Question::new(id, I::REASON);
    question.message = I::MESSAGE.map(str::to_owned);
    question.response_schema = Some(I::source().response.root_schema().ensure_object().clone());
    question.metadata = Some(Metadata::from_iter([(PAYLOAD, payload)]));
    Ok(question)
}
