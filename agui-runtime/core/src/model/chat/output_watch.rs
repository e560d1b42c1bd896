//! The output in the state while a model writes it.

use std::fmt;
use std::marker::PhantomData;

use futures_util::future::BoxFuture;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::bundle::bundle;
use crate::emit::StateHandle;
use crate::model::partial_json::read_partial;
use crate::state::{State, StateError};

/// A type that reads an output while the model writes it, for [`Chat::stream_output`](super::Chat::stream_output).
///
/// Members that have not arrived yet must have a default:
///
/// ```
/// use serde::Deserialize;
///
/// /// The part of a plan that the page shows.
/// #[derive(Deserialize, Default)]
/// #[serde(default)]
/// struct PlanDraft {
///     title: String,
/// }
///
/// fn is_partial<P: agui_runtime::model::PartialOutput>() {}
/// is_partial::<PlanDraft>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a part of a model's output",
    label = "cannot be read from JSON",
    note = "the second parameter of the function is what arrived so far: a type with `#[derive(Deserialize, Default)]` and `#[serde(default)]`"
)]
pub trait PartialOutput: DeserializeOwned + Send + 'static {}

bundle!(PartialOutput: DeserializeOwned + Send + 'static);

/// Writes the part of an output so far into the state.
pub(in crate::model) struct OutputWatch<'w> {
    writer: Box<dyn PartialWriter + 'w>,
    is_wrapped: bool,
    /// The length of the text that was read last.
    read: usize,
    failure: Option<StateError>,
}

/// Reads a part, and writes it into the state.
trait PartialWriter: Send {
    fn write<'s>(&'s mut self, json: &str, is_wrapped: bool)
    -> Option<BoxFuture<'s, Result<(), StateError>>>;
}

struct StateWriter<'w, S: State, P, F> {
    state: &'w StateHandle<S>,
    show: F,
    part: PhantomData<fn() -> P>,
}

impl<S: State, P: PartialOutput, F: FnMut(&mut S, P) + Send> PartialWriter for StateWriter<'_, S, P, F> {
    fn write<'s>(
        &'s mut self,
        json: &str,
        is_wrapped: bool,
    ) -> Option<BoxFuture<'s, Result<(), StateError>>> {
        let part: P = match is_wrapped {
            true => read_partial::<WrappedPart<P>>(json)?.result,
            false => read_partial(json)?,
        };
        let Self { state, show, .. } = self;
        Some(Box::pin(async move { state.update(move |state| show(state, part)).await }))
    }
}

/// A part of an output that is not an object.
#[derive(Deserialize)]
struct WrappedPart<P> {
    result: P,
}

impl<'w> OutputWatch<'w> {
    pub(super) fn new<S: State, P: PartialOutput>(
        state: &'w StateHandle<S>,
        show: impl FnMut(&mut S, P) + Send + 'w,
    ) -> Self {
        let writer = Box::new(StateWriter { state, show, part: PhantomData });
        Self { writer, is_wrapped: false, read: 0, failure: None }
    }

    pub(super) fn wrapped(self, is_wrapped: bool) -> Self {
        Self { is_wrapped, ..self }
    }

    /// Shows the part so far. A long text is not read for each piece, so that the time stays linear to the length.
    pub(in crate::model) async fn show(&mut self, json: &str) {
        if json.len() < self.read {
            // Another value.
            self.read = 0;
        }
        if json.len() - self.read > self.read >> 6 {
            self.read = json.len();
            self.write(json).await;
        }
    }

    /// Shows the whole value, and returns the first error.
    pub(super) async fn finish(mut self, json: &str) -> Result<(), StateError> {
        self.write(json).await;
        self.failure.map_or(Ok(()), Err)
    }

    async fn write(&mut self, json: &str) {
        if self.failure.is_none()
            && let Some(write) = self.writer.write(json, self.is_wrapped)
        {
            self.failure = write.await.err();
        }
    }
}

impl fmt::Debug for OutputWatch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutputWatch").field("failure", &self.failure).finish_non_exhaustive()
    }
}
