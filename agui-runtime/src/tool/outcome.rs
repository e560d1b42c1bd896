use std::any::{Any, TypeId};
use std::fmt::Display;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::content::{failure_content, value_content};
use super::parts::Parts;
use crate::manifest::TypeSource;
use crate::protocol::Content;

/// How a tool's return type becomes the content of TOOL_CALL_RESULT: data that `#[tool]` fills in.
///
/// Whether a function can fail is decided by the type it returns, not by how that type is spelled, so an alias of
/// `Result` counts as a `Result`.
#[derive(Debug)]
pub struct Outcome<R> {
    pub(crate) value: Option<TypeSource>,
    pub(crate) content: fn(&R) -> Result<Content, ToolFailure>,
}

/// Why a tool call has no value to answer with.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolFailure {
    /// The tool's own error. The model sees it and may try something else.
    #[error("{0}")]
    Failed(String),
    /// The value the tool returned has no JSON form.
    #[error("the result has no JSON form")]
    Json(#[from] serde_json::Error),
}

impl ToolFailure {
    pub(crate) fn content(&self) -> String {
        failure_content(&self.to_string())
    }
}

/// Chooses between [`ViaResult`] and [`ViaValue`] by method resolution: the first is found on `Probe`, the second only
/// one reference further away.
#[doc(hidden)]
#[derive(Debug)]
pub struct Probe<R>(PhantomData<fn() -> R>);

impl<R> Probe<R> {
    #[doc(hidden)]
    #[must_use]
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

impl<R> Default for Probe<R> {
    fn default() -> Self {
        Self::new()
    }
}

#[doc(hidden)]
pub trait ViaResult {
    type Kind;
    fn kind(&self) -> Self::Kind;
}

impl<T, E> ViaResult for Probe<Result<T, E>> {
    type Kind = Fallible<T, E>;

    fn kind(&self) -> Self::Kind {
        Fallible(PhantomData)
    }
}

#[doc(hidden)]
pub trait ViaValue {
    type Kind;
    fn kind(&self) -> Self::Kind;
}

impl<T> ViaValue for &Probe<T> {
    type Kind = Infallible<T>;

    fn kind(&self) -> Self::Kind {
        Infallible(PhantomData)
    }
}

/// A tool that returns a `Result`.
///
/// What its types must be is asked by the method, not by the trait that chose this kind: then the compiler says which
/// type lacks what.
#[doc(hidden)]
#[derive(Debug)]
pub struct Fallible<T, E>(PhantomData<fn() -> (T, E)>);

impl<T, E> Fallible<T, E> {
    #[doc(hidden)]
    #[must_use]
    pub fn outcome(self) -> Outcome<Result<T, E>>
    where
        T: ToolValue,
        E: ToolError,
    {
        Outcome {
            value: source::<T>(),
            content: |returned| match returned {
                Ok(value) => Ok(content(value)?),
                Err(error) => Err(ToolFailure::Failed(error.to_string())),
            },
        }
    }
}

/// A tool that returns anything else.
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
        Outcome { value: source::<T>(), content: |value| Ok(content(value)?) }
    }
}

/// The outcome of a frontend tool: never written here, only read by [`Input::answer`](crate::Input::answer).
#[doc(hidden)]
#[must_use]
pub fn answer<R: DeserializeOwned + JsonSchema + 'static>() -> Outcome<R> {
    Outcome {
        value: source::<R>(),
        content: |_| Err(ToolFailure::Failed("a frontend tool is answered by the user interface".to_owned())),
    }
}

/// What a tool may answer with: anything serde can write and schemars can describe.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a tool",
    label = "has no JSON form, or no schema of it",
    note = "derive `serde::Serialize` and `schemars::JsonSchema` for it"
)]
pub trait ToolValue: Serialize + JsonSchema + 'static {}

impl<T: Serialize + JsonSchema + 'static> ToolValue for T {}

/// What may be said to a model when a tool fails: anything with a text.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a tool",
    label = "has no text for the model",
    note = "implement `std::fmt::Display` for it, or `std::error::Error`, for example with `thiserror`"
)]
pub trait ToolError: Display + 'static {}

impl<E: Display + 'static> ToolError for E {}

fn source<T: JsonSchema + 'static>() -> Option<TypeSource> {
    let has_no_json = [TypeId::of::<()>(), TypeId::of::<Parts>()].contains(&TypeId::of::<T>());
    (!has_no_json).then(TypeSource::of::<T>)
}

/// Parts go as they are, everything else as the text of its JSON.
fn content<T: ToolValue>(value: &T) -> Result<Content, serde_json::Error> {
    match (value as &dyn Any).downcast_ref::<Parts>() {
        Some(parts) => Ok(Content::Parts(parts.to_vec())),
        None => value_content(value).map(Content::Text),
    }
}
