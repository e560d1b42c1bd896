//! The conversion of a tool's return value to the content of the result, or to a failure.

use std::any::{Any, TypeId};
use std::error::Error;
use std::fmt::Display;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Serializer;

use super::PublicError;
use super::content::{failure_content, unquoted};
use super::parts::Parts;
use super::timeout::TimeoutError;
use crate::agent::{AgentOutput, BoxError, MAX_LOGGED, Stop};
use crate::bundle::bundle;
use crate::causes::Causes;
use crate::manifest::TypeSource;
use crate::protocol::{Content, Interrupts, RunAgentInput, ToolCallId};
use crate::quoted::{quoted, quoted_up_to};

/// The conversion of a tool's return type to the content of TOOL_CALL_RESULT: data that `#[tool]` provides.
///
/// The return type decides whether a function can fail, not its spelling, so an alias of `Result` counts as a `Result`.
#[derive(Debug)]
pub struct Outcome<R> {
    pub(crate) value: Option<TypeSource>,
    pub(crate) read: fn(&mut R) -> Returned<'_>,
    /// Writes an item of a streamed result.
    pub(crate) item: Option<WriteItemFn>,
}

/// Writes an item of a stream as JSON; `None` if it has none. The type is that of the tool's items.
pub(crate) type WriteItemFn = fn(&dyn Any) -> Option<serde_json::Value>;

/// The content and the stop in a return value.
#[derive(Debug)]
pub(crate) struct Returned<'r> {
    /// The content of TOOL_CALL_RESULT.
    pub(crate) content: Result<Content, ToolFailure>,
    /// The stop in it that ends the run.
    pub(crate) stop: Option<&'r mut Stop>,
}

/// The text for the model where a tool ended the run.
const UNFINISHED: &str = "the tool did not finish: the run ends";

/// The reason why a tool call has no value for its answer.
#[doc(hidden)]
#[derive(Debug)]
pub enum ToolFailure {
    /// The tool's own error, with a text for the model.
    Public(String),
    /// The tool's own error, with a text for the log.
    Hidden(String),
    /// The tool took too long, or has no timer.
    Late(TimeoutError),
    /// The value the tool returned has no JSON form.
    Json(serde_json::Error),
    /// The agent that the call runs asks the user. The call has no answer in this run.
    Suspended(Interrupts),
    /// The result is larger than the tool's limit; both in bytes.
    TooLarge { size: usize, limit: usize },
}

impl ToolFailure {
    /// Returns the content of TOOL_CALL_RESULT. With `reveal`, it includes the text for the log.
    pub(crate) fn content(&self, tool: &str, reveal: bool) -> String {
        match self {
            Self::Public(text) => failure_content(text),
            Self::Late(late) => failure_content(&late.to_string()),
            Self::Hidden(text) if reveal => failure_content(text),
            Self::Hidden(_) => failure_content(&format!("the tool `{tool}` failed")),
            Self::Suspended(_) => failure_content(UNFINISHED),
            Self::Json(error) if reveal => failure_content(&format!("the result has no JSON form: {error}")),
            Self::Json(_) => failure_content("the result has no JSON form"),
            Self::TooLarge { size, limit } => failure_content(&format!(
                "the result of the tool `{tool}` has {size} bytes, more than its limit of {limit}: ask for less"
            )),
        }
    }

    /// Returns the class of the failure, if it is one.
    pub(crate) fn error_type(&self) -> Option<&'static str> {
        match self {
            Self::Public(_) | Self::Hidden(_) => Some("tool_error"),
            Self::Late(TimeoutError::Elapsed { .. }) => Some("timeout"),
            Self::Late(TimeoutError::NoTimer { .. }) => Some("no_timer"),
            Self::Json(_) => Some("result_unwritable"),
            Self::TooLarge { .. } => Some("result_too_large"),
            Self::Suspended(_) => None,
        }
    }

    /// Logs all details. The text of a public error is content: it was written for the model, and is in its messages.
    pub(crate) fn log(&self, tool: &str, call: &ToolCallId, input: &RunAgentInput, with_content: bool) {
        let (run_id, thread_id, call) = (quoted(&input.run_id), quoted(&input.thread_id), quoted(call));
        match self {
            Self::Public(text) => {
                let error = with_content.then(|| tracing::field::display(quoted(text)));
                tracing::debug!(tool, tool_call_id = %call, error, "tool failed");
            }
            Self::Late(late) => {
                tracing::warn!(%run_id, %thread_id, tool, tool_call_id = %call, error = %late, "tool failed");
            }
            Self::Hidden(text) => {
                let error = quoted_up_to(MAX_LOGGED, text);
                tracing::error!(%run_id, %thread_id, tool, tool_call_id = %call, %error, "tool failed");
            }
            Self::Suspended(questions) => {
                tracing::debug!(tool, tool_call_id = %call, questions = questions.len(), "tool asks");
            }
            Self::Json(error) => {
                let error = quoted(error);
                tracing::error!(%run_id, %thread_id, tool, tool_call_id = %call, %error, "result has no JSON form");
            }
            Self::TooLarge { size, limit } => {
                tracing::warn!(%run_id, %thread_id, tool, tool_call_id = %call, size, limit, "result above `max_result`");
            }
        }
    }
}

/// Chooses the conversion of a tool's return value, by method resolution on a probe behind four references: of the
/// matching traits, the one for the most references is found first.
///
/// | trait | return type of the function | its errors are |
/// |---|---|---|
/// | [`ViaPublicError`] | a `Result` with a [`PublicError`] | sent to the model |
/// | [`ViaError`] | a `Result` with a [`std::error::Error`] | logged with their causes |
/// | [`ViaResult`] | any other `Result` | logged |
/// | [`ViaValue`] | any other type | none |
#[doc(hidden)]
#[derive(Debug)]
pub struct Probe<R>(#[doc(hidden)] pub PhantomData<fn() -> R>);

#[doc(hidden)]
pub trait ViaPublicError {
    type Kind;
    fn kind(&self) -> Self::Kind;
}

impl<T, E: PublicError> ViaPublicError for &&&Probe<Result<T, E>> {
    type Kind = Fallible<T, E, Public>;

    fn kind(&self) -> Self::Kind {
        Fallible(PhantomData)
    }
}

#[doc(hidden)]
pub trait ViaError {
    type Kind;
    fn kind(&self) -> Self::Kind;
}

impl<T, E: Error + 'static> ViaError for &&Probe<Result<T, E>> {
    type Kind = Fallible<T, E, WithCauses>;

    fn kind(&self) -> Self::Kind {
        Fallible(PhantomData)
    }
}

#[doc(hidden)]
pub trait ViaResult {
    type Kind;
    fn kind(&self) -> Self::Kind;
}

impl<T, E> ViaResult for &Probe<Result<T, E>> {
    type Kind = Fallible<T, E, Opaque>;

    fn kind(&self) -> Self::Kind {
        Fallible(PhantomData)
    }
}

#[doc(hidden)]
pub trait ViaValue {
    type Kind;
    fn kind(&self) -> Self::Kind;
}

impl<T> ViaValue for Probe<T> {
    type Kind = Infallible<T>;

    fn kind(&self) -> Self::Kind {
        Infallible(PhantomData)
    }
}

/// A tool that returns a `Result`; `K` is the [`ErrorKind`] of its error.
///
/// The bounds on its types are on the method, not on the trait that chose this kind: then the compiler names the type
/// and the missing trait.
#[doc(hidden)]
#[derive(Debug)]
pub struct Fallible<T, E, K>(PhantomData<fn(T, E) -> K>);

impl<T, E, K> Fallible<T, E, K> {
    #[doc(hidden)]
    #[must_use]
    pub fn outcome(self) -> Outcome<Result<T, E>>
    where
        T: ToolValue,
        K: ErrorKind<E>,
    {
        Outcome {
            value: source::<T>(),
            read: |returned| match returned {
                Ok(value) => value_returned(value),
                Err(error) => Returned { content: Err(K::failure(error)), stop: K::stop(error) },
            },
            item: None,
        }
    }

    /// The outcome of a tool with `timeout`.
    #[doc(hidden)]
    #[must_use]
    pub fn timed(self) -> Outcome<Result<Result<T, E>, TimeoutError>>
    where
        T: ToolValue,
        K: ErrorKind<E>,
    {
        Outcome {
            value: source::<T>(),
            read: |returned| match returned {
                Ok(Ok(value)) => value_returned(value),
                Ok(Err(error)) => Returned { content: Err(K::failure(error)), stop: K::stop(error) },
                Err(late) => late_returned(late),
            },
            item: None,
        }
    }
}

/// The destination of a tool's errors.
#[doc(hidden)]
pub trait ErrorKind<E> {
    #[doc(hidden)]
    fn failure(error: &E) -> ToolFailure;

    /// Returns the error if it ends the run.
    #[doc(hidden)]
    fn stop(_: &mut E) -> Option<&mut Stop> {
        None
    }
}

/// The model.
#[doc(hidden)]
#[derive(Debug)]
pub enum Public {}

impl<E: PublicError> ErrorKind<E> for Public {
    fn failure(error: &E) -> ToolFailure {
        let Some(stop) = (error as &dyn Any).downcast_ref::<Stop>() else {
            return ToolFailure::Public(error.to_string());
        };
        // Errors that `?` turned into a `Stop` were not written for the model.
        match stop.hidden_causes() {
            Some(causes) => ToolFailure::Hidden(causes),
            None if stop.is_error() => ToolFailure::Public(stop.to_string()),
            None => ToolFailure::Public(UNFINISHED.to_owned()),
        }
    }

    fn stop(error: &mut E) -> Option<&mut Stop> {
        (error as &mut dyn Any).downcast_mut::<Stop>().filter(|stop| stop.ends_run())
    }
}

/// The log, with the causes.
#[doc(hidden)]
#[derive(Debug)]
pub enum WithCauses {}

impl<E: Error + 'static> ErrorKind<E> for WithCauses {
    fn failure(error: &E) -> ToolFailure {
        ToolFailure::Hidden(Causes(error).to_string())
    }
}

/// The log.
#[doc(hidden)]
#[derive(Debug)]
pub enum Opaque {}

impl<E: ToolError> ErrorKind<E> for Opaque {
    fn failure(error: &E) -> ToolFailure {
        ToolFailure::Hidden(match (error as &dyn Any).downcast_ref::<BoxError>() {
            Some(boxed) => Causes(&**boxed).to_string(),
            // The alternate form of `anyhow::Error` includes the causes.
            None => format!("{error:#}"),
        })
    }
}

/// A tool that returns any other type.
#[doc(hidden)]
#[derive(Debug)]
pub struct Infallible<T>(PhantomData<fn() -> T>);

impl<T> Infallible<T> {
    #[doc(hidden)]
    #[must_use]
    pub fn outcome(self) -> Outcome<T>
    where
        T: ToolValue,
    {
        Outcome { value: source::<T>(), read: |value| value_returned(value), item: None }
    }

    /// The outcome of a tool with `timeout`.
    #[doc(hidden)]
    #[must_use]
    pub fn timed(self) -> Outcome<Result<T, TimeoutError>>
    where
        T: ToolValue,
    {
        Outcome {
            value: source::<T>(),
            read: |returned| match returned {
                Ok(value) => value_returned(value),
                Err(late) => late_returned(late),
            },
            item: None,
        }
    }
}

/// The outcome of a frontend tool: never written here, only read by [`Input::answer`](crate::Input::answer).
#[doc(hidden)]
#[must_use]
pub fn answer<R: ToolAnswer>() -> Outcome<R> {
    Outcome {
        value: source::<R>(),
        read: |_| Returned {
            content: Err(ToolFailure::Public("a frontend tool is answered by the user interface".to_owned())),
            stop: None,
        },
        item: None,
    }
}

/// The outcome of a tool that runs an agent.
pub(crate) fn agent_outcome<T: AgentOutput>() -> Outcome<Result<T, Stop>> {
    Outcome {
        value: source::<T>(),
        read: |returned| match returned {
            Ok(value) => Returned { content: content(value), stop: None },
            Err(stop) => match stop.questions() {
                Some(questions) => {
                    Returned { content: Err(ToolFailure::Suspended(questions.clone())), stop: Some(stop) }
                }
                None => Returned { content: Err(Public::failure(stop)), stop: Public::stop(stop) },
            },
        },
        item: None,
    }
}

/// The outcome of a tool that cannot fail.
pub(crate) fn value_outcome<T: ToolValue>() -> Outcome<T> {
    Infallible::<T>(PhantomData).outcome()
}

/// The value of a tool: every type that serde can write and schemars can describe.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a tool",
    label = "has no JSON form, or no schema of it",
    note = "write `#[derive(Serialize, JsonSchema)]` on it",
    note = "for a type of another crate, turn on its feature for serde, and the feature of schemars that has its name; or wrap it in a type of \
            your own that has these derives"
)]
pub trait ToolValue: Serialize + JsonSchema + 'static {}

bundle!(ToolValue: Serialize + JsonSchema + 'static);

/// The answer to a frontend tool: every type that serde can read and schemars can describe.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the answer of a frontend tool",
    label = "cannot be read from JSON, or has no schema",
    note = "write `#[derive(Deserialize, JsonSchema)]` on it",
    note = "for a type of another crate, turn on its feature for serde, and the feature of schemars that has its name; or wrap it in a type of \
            your own that has these derives"
)]
pub trait ToolAnswer: DeserializeOwned + JsonSchema + 'static {}

bundle!(ToolAnswer: DeserializeOwned + JsonSchema + 'static);

/// An error of a tool: every type with a text. Only the text of a [`PublicError`] is sent to the model.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a tool",
    label = "has no text",
    note = "implement `std::fmt::Display` for it, or `std::error::Error`, for example with `thiserror`"
)]
pub trait ToolError: Display + 'static {}

#[diagnostic::do_not_recommend]
impl<E: Display + 'static> ToolError for E {}

pub(super) fn source<T: JsonSchema + 'static>() -> Option<TypeSource> {
    if has_no_json(TypeId::of::<T>()) { None } else { Some(const { TypeSource::of::<T>() }) }
}

fn has_no_json(of: TypeId) -> bool {
    [TypeId::of::<()>(), TypeId::of::<Parts>()].contains(&of)
}

pub(super) fn value_returned<'r, T: ToolValue>(value: &T) -> Returned<'r> {
    Returned { content: content(value), stop: None }
}

/// Converts parts unchanged, and every other value to the text of its JSON.
pub(crate) fn content<T: Serialize + 'static>(value: &T) -> Result<Content, ToolFailure> {
    let value_as_any = value as &dyn Any;
    if let Some(Content::Parts(parts)) = value_as_any.downcast_ref() {
        return Ok(Content::Parts(parts.clone()));
    }
    match value_as_any.downcast_ref::<Parts>() {
        Some(parts) => Ok(Content::Parts(parts.to_vec())),
        None => {
            let mut json = Vec::new();
            let written = value.serialize(&mut Serializer::new(&mut json));
            text_content(json, written)
        }
    }
}

pub(super) fn late_returned<'r>(late: &TimeoutError) -> Returned<'r> {
    Returned { content: Err(ToolFailure::Late(late.clone())), stop: None }
}

fn text_content(json: Vec<u8>, written: Result<(), serde_json::Error>) -> Result<Content, ToolFailure> {
    let text = written.and_then(|()| String::from_utf8(json).map_err(serde::ser::Error::custom));
    text.and_then(unquoted).map(Content::Text).map_err(ToolFailure::Json)
}
