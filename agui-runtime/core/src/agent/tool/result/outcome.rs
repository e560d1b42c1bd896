//! Converts a tool's return value to result content or a failure.

use std::any::{Any, TypeId};
use std::error::Error;
use std::fmt::Display;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::content::unquoted;
use super::max_result::limited;
use super::parts::ContentParts;
use super::tool_failure::{ToolFailure, UNFINISHED};
use super::written::{WritableValue, text_of};
use crate::agent::ends::error_code::error_code;
use crate::agent::tool::PublicError;
use crate::agent::tool::timeout::TimeoutError;
use crate::agent::{AgentOutput, BoxError, Stop};
use crate::bundle::bundle;
use crate::causes::Causes;
use crate::manifest::TypeSource;
use crate::protocol::Content;

/// Conversion from a tool's return type to TOOL_CALL_RESULT's content: data that `#[tool]` provides.
///
/// The return type decides if a function can fail, not its spelling, so an alias for `Result` counts as a `Result`.
#[derive(Debug)]
pub struct ReturnConversion<R> {
    pub(crate) value: Option<TypeSource>,
    pub(crate) read: fn(&mut R) -> ReturnContent<'_>,
    /// Writes a streamed result's item.
    pub(crate) item: Option<WriteItemFn>,
}

/// Writes a stream item as JSON; `None` if the item has no JSON form. The type is the tool's item type.
pub(crate) type WriteItemFn = fn(&dyn Any) -> Option<serde_json::Value>;

/// Content and stop in a return value.
#[derive(Debug)]
pub(crate) struct ReturnContent<'r> {
    /// TOOL_CALL_RESULT's content.
    pub(crate) content: Result<Content, ToolFailure>,
    /// The stop that ends the run.
    pub(crate) stop: Option<&'r mut Stop>,
}

impl ReturnContent<'_> {
    /// Returns the content within the limit, and the stop that ends the run, unless the value goes to a caller who decides.
    pub(in crate::agent::tool) fn settled(
        self,
        limit: usize,
        is_given: bool,
    ) -> (Result<Content, ToolFailure>, Option<Stop>) {
        let stop = if is_given { None } else { self.stop.map(Stop::take) };
        (limited(self.content, limit), stop)
    }
}

/// A tool that returns a `Result`; `K` is the error's [`ErrorKind`].
///
/// The type bounds are on the method, not on the trait that chose this conversion: then the compiler names the type and the
/// missing trait.
#[doc(hidden)]
#[derive(Debug)]
pub struct FallibleReturn<T, E, K>(pub(in crate::agent::tool) PhantomData<fn(T, E) -> K>);

impl<T, E, K> FallibleReturn<T, E, K> {
    #[doc(hidden)]
    #[must_use]
    pub fn outcome(self) -> ReturnConversion<Result<T, E>>
    where
        T: ToolValue,
        K: ErrorKind<E>,
    {
        ReturnConversion {
            value: source::<T>(),
            read: |returned| match returned {
                Ok(value) => value_returned(value),
                Err(error) => ReturnContent { content: Err(K::failure(error)), stop: K::stop(error) },
            },
            item: None,
        }
    }

    /// Conversion for a tool with `timeout`.
    #[doc(hidden)]
    #[must_use]
    pub fn timed(self) -> ReturnConversion<Result<Result<T, E>, TimeoutError>>
    where
        T: ToolValue,
        K: ErrorKind<E>,
    {
        ReturnConversion {
            value: source::<T>(),
            read: |returned| match returned {
                Ok(Ok(value)) => value_returned(value),
                Ok(Err(error)) => ReturnContent { content: Err(K::failure(error)), stop: K::stop(error) },
                Err(late) => late_returned(late),
            },
            item: None,
        }
    }
}

/// Destination for a tool's errors.
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

/// Errors go to the model.
#[doc(hidden)]
#[derive(Debug)]
pub enum PublicErrors {}

impl<E: PublicError> ErrorKind<E> for PublicErrors {
    fn failure(error: &E) -> ToolFailure {
        let Some(stop) = (error as &dyn Any).downcast_ref::<Stop>() else {
            return ToolFailure::public(error.to_string());
        };
        // Errors that `?` turned into a `Stop` were not written for the model.
        match stop.hidden_causes() {
            Some(causes) => ToolFailure::Hidden(causes),
            None if stop.is_error() => ToolFailure::Public { text: stop.to_string(), causes: stop.causes() },
            None => ToolFailure::public(UNFINISHED.to_owned()),
        }
    }

    fn stop(error: &mut E) -> Option<&mut Stop> {
        (error as &mut dyn Any).downcast_mut::<Stop>().filter(|stop| stop.ends_run())
    }
}

/// Errors go to the model; their causes go to the log.
#[doc(hidden)]
#[derive(Debug)]
pub enum PublicErrorsWithCauses {}

impl<E: PublicError + Error> ErrorKind<E> for PublicErrorsWithCauses {
    fn failure(error: &E) -> ToolFailure {
        // The causes of errors of this crate quote the model or the client, whose words are in no log.
        let causes = error.source().filter(|_| error_code(error).is_none());
        ToolFailure::Public { text: error.to_string(), causes: causes.map(|cause| Causes(cause).to_string()) }
    }
}

/// Errors go to the log, with their causes.
#[doc(hidden)]
#[derive(Debug)]
pub enum LoggedErrorsWithCauses {}

impl<E: Error + 'static> ErrorKind<E> for LoggedErrorsWithCauses {
    fn failure(error: &E) -> ToolFailure {
        ToolFailure::Hidden(Causes(error).to_string())
    }
}

/// Errors go to the log.
#[doc(hidden)]
#[derive(Debug)]
pub enum LoggedErrors {}

impl<E: ToolError> ErrorKind<E> for LoggedErrors {
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
pub struct InfallibleReturn<T>(pub(in crate::agent::tool) PhantomData<fn() -> T>);

impl<T> InfallibleReturn<T> {
    #[doc(hidden)]
    #[must_use]
    pub fn outcome(self) -> ReturnConversion<T>
    where
        T: ToolValue,
    {
        ReturnConversion { value: source::<T>(), read: |value| value_returned(value), item: None }
    }

    /// Conversion for a tool with `timeout`.
    #[doc(hidden)]
    #[must_use]
    pub fn timed(self) -> ReturnConversion<Result<T, TimeoutError>>
    where
        T: ToolValue,
    {
        ReturnConversion {
            value: source::<T>(),
            read: |returned| match returned {
                Ok(value) => value_returned(value),
                Err(late) => late_returned(late),
            },
            item: None,
        }
    }
}

/// Conversion for a frontend tool: never written here, only read by [`Input::frontend_result`](crate::Input::frontend_result).
#[doc(hidden)]
#[must_use]
pub fn answer<R: FrontendResult>() -> ReturnConversion<R> {
    ReturnConversion {
        value: source::<R>(),
        read: |_| ReturnContent {
            content: Err(ToolFailure::public("a frontend tool is answered by the user interface".to_owned())),
            stop: None,
        },
        item: None,
    }
}

/// Conversion for a tool that runs an agent.
pub(crate) fn agent_outcome<T: AgentOutput>() -> ReturnConversion<Result<T, Stop>> {
    ReturnConversion {
        value: source::<T>(),
        read: |returned| match returned {
            Ok(value) => ReturnContent { content: content(value), stop: None },
            Err(stop) => match stop.interrupts() {
                Some(questions) => ReturnContent {
                    content: Err(ToolFailure::Suspended(questions.clone())),
                    stop: Some(stop),
                },
                None => ReturnContent {
                    content: Err(PublicErrors::failure(stop)),
                    stop: PublicErrors::stop(stop),
                },
            },
        },
        item: None,
    }
}

/// Conversion for a tool that cannot fail.
pub(crate) fn value_outcome<T: ToolValue>() -> ReturnConversion<T> {
    InfallibleReturn::<T>(PhantomData).outcome()
}

/// A tool's value: every type that serde can write and schemars can describe.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a tool",
    label = "has no JSON form, or no schema of it",
    note = "write `#[derive(Serialize, JsonSchema)]` on it",
    note = "for a type of another crate, turn on the feature of `agui-runtime` that has its name (`uuid`, `chrono`, `jiff`, `url`, `bytes`, \
            `rust_decimal`), or its feature for serde and the feature of schemars that has its name; or wrap it in a type of your own that \
            has these derives",
    note = "`JsonSchema` is the trait of schemars 1: with `schemars = \"0.8\"` in `Cargo.toml`, the derive implements another one"
)]
pub trait ToolValue: Serialize + JsonSchema + 'static {}

bundle!(ToolValue: Serialize + JsonSchema + 'static);

/// A frontend tool's result: every type that serde can read and schemars can describe.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the answer of a frontend tool",
    label = "cannot be read from JSON, or has no schema",
    note = "write `#[derive(Deserialize, JsonSchema)]` on it",
    note = "for a type of another crate, turn on the feature of `agui-runtime` that has its name (`uuid`, `chrono`, `jiff`, `url`, `bytes`, \
            `rust_decimal`), or its feature for serde and the feature of schemars that has its name; or wrap it in a type of your own that \
            has these derives",
    note = "`JsonSchema` is the trait of schemars 1: with `schemars = \"0.8\"` in `Cargo.toml`, the derive implements another one"
)]
pub trait FrontendResult: DeserializeOwned + JsonSchema + 'static {}

bundle!(FrontendResult: DeserializeOwned + JsonSchema + 'static);

/// A tool's error: every type with a text. Only a [`PublicError`]'s text is sent to the model.
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
    [TypeId::of::<()>(), TypeId::of::<ContentParts>()].contains(&of)
}

pub(super) fn value_returned<'r, T: ToolValue>(value: &T) -> ReturnContent<'r> {
    ReturnContent { content: content(value), stop: None }
}

/// Converts parts unchanged, and every other value to JSON text.
pub(crate) fn content<T: Serialize + 'static>(value: &T) -> Result<Content, ToolFailure> {
    content_of(value, value)
}

pub(super) fn late_returned<'r>(late: &TimeoutError) -> ReturnContent<'r> {
    ReturnContent { content: Err(ToolFailure::Late(late.clone())), stop: None }
}

// Independent of the type, so that it is compiled once.
fn content_of(value: &dyn Any, written: &dyn WritableValue) -> Result<Content, ToolFailure> {
    if let Some(Content::Parts(parts)) = value.downcast_ref() {
        return Ok(Content::Parts(parts.clone()));
    }
    match value.downcast_ref::<ContentParts>() {
        Some(parts) => Ok(Content::Parts(parts.to_vec())),
        None => text_of(written).and_then(unquoted).map(Content::Text).map_err(ToolFailure::Json),
    }
}
