use std::any::TypeId;
use std::fmt::Display;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::Serialize;

use super::content::{failure_content, value_content};
use crate::manifest::TypeSource;

/// How a tool's return type becomes the content of TOOL_CALL_RESULT: data that `#[tool]` fills in.
///
/// Whether a function can fail is decided by the type it returns, not by how that type is spelled, so an alias of
/// `Result` counts as a `Result`.
#[derive(Debug)]
pub struct Outcome<R> {
    pub(crate) value: Option<TypeSource>,
    pub(crate) content: fn(&R) -> Result<String, ToolFailure>,
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
    type Returns;
    fn outcome(&self) -> Outcome<Self::Returns>;
}

impl<T: ToolValue, E: Display> ViaResult for Probe<Result<T, E>> {
    type Returns = Result<T, E>;

    fn outcome(&self) -> Outcome<Self::Returns> {
        Outcome {
            value: source::<T>(),
            content: |returned| match returned {
                Ok(value) => Ok(value_content(value)?),
                Err(error) => Err(ToolFailure::Failed(error.to_string())),
            },
        }
    }
}

#[doc(hidden)]
pub trait ViaValue {
    type Returns;
    fn outcome(&self) -> Outcome<Self::Returns>;
}

impl<T: ToolValue> ViaValue for &Probe<T> {
    type Returns = T;

    fn outcome(&self) -> Outcome<T> {
        Outcome { value: source::<T>(), content: |value| Ok(value_content(value)?) }
    }
}

/// What a tool may answer with: anything serde can write and schemars can describe.
#[doc(hidden)]
pub trait ToolValue: Serialize + JsonSchema + 'static {}

impl<T: Serialize + JsonSchema + 'static> ToolValue for T {}

fn source<T: ToolValue>() -> Option<TypeSource> {
    (TypeId::of::<T>() != TypeId::of::<()>()).then(TypeSource::of::<T>)
}
