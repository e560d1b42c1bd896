//! Results that come item by item: tools that return a stream.

use std::any::Any;
use std::convert::Infallible as Never;
use std::pin::pin;

use futures_util::{Stream, StreamExt};
use serde_json::Value;

use super::outcome::{FallibleReturn, InfallibleReturn, ToolValue, late_returned, source, value_returned};
use crate::agent::Agent;
use crate::agent::tool::{
    ErrorKind, InjectScope, ReturnContent, ReturnConversion, TimeoutError, Tool, progress,
};

/// Gathers a tool's stream items into the result, and sends each item as it comes.
#[doc(hidden)]
pub async fn streamed<A, T, R, S>(scope: &InjectScope<'_, A>, items: S) -> R
where
    A: Agent,
    T: Tool,
    S: Stream,
    S::Item: StreamItem<R>,
{
    let mut items = pin!(items);
    let write = T::outcome().item;
    let mut gathered = Vec::new();
    let mut size = 0_usize;
    // A larger result is refused, so the rest of the items would be made for nothing.
    while size <= T::MAX_RESULT
        && let Some(item) = items.next().await
    {
        let value = match item.value() {
            Ok(value) => value,
            Err(error) => return S::Item::failed(error),
        };
        // An item without a JSON form fails the call when the result is written; it counts, so that a stream of them ends.
        size = size.saturating_add(1);
        if let Some(json) = write.and_then(|write| write(&value)) {
            size = size.saturating_add(json.to_string().len());
            if size <= T::MAX_RESULT {
                progress::item(scope.run(), scope.call_id(), &json).await;
            }
        }
        gathered.push(value);
    }
    S::Item::gathered(gathered)
}

/// Stream item for a tool that returns `R`: a value, or a `Result` whose first error ends the call.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a stream of `{Self}` does not give the result `{R}`",
    label = "the items have another type than the signature says",
    note = "return the items that the signature names: `impl Stream<Item = Hit>` or `impl Stream<Item = Result<Hit, E>>`"
)]
pub trait StreamItem<R>: Send {
    type Value: Send + 'static;
    type Error;

    /// # Errors
    /// The item's error.
    fn value(self) -> Result<Self::Value, Self::Error>;
    fn gathered(values: Vec<Self::Value>) -> R;
    fn failed(error: Self::Error) -> R;
}

impl<T: Send + 'static> StreamItem<Vec<T>> for T {
    type Value = T;
    type Error = Never;

    fn value(self) -> Result<T, Never> {
        Ok(self)
    }

    fn gathered(values: Vec<T>) -> Vec<T> {
        values
    }

    fn failed(error: Never) -> Vec<T> {
        match error {}
    }
}

impl<T: Send + 'static, E: Send> StreamItem<Result<Vec<T>, E>> for Result<T, E> {
    type Value = T;
    type Error = E;

    fn value(self) -> Self {
        self
    }

    fn gathered(values: Vec<T>) -> Result<Vec<T>, E> {
        Ok(values)
    }

    fn failed(error: E) -> Result<Vec<T>, E> {
        Err(error)
    }
}

/// Item kind that decides how a stream becomes a call's result `R`. The type bounds are on the methods, as in [`InfallibleReturn`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the items of this stream are `Result`s under another name",
    label = "an alias of `Result`",
    note = "write the `Result` out, so that its first error ends the call: `impl Stream<Item = Result<Hit, E>>`"
)]
pub trait GatherItems<R> {
    type Value;

    fn gathered(self) -> ReturnConversion<R>
    where
        Self::Value: ToolValue;

    /// Conversion for a tool with `timeout`.
    fn gathered_timed(self) -> ReturnConversion<Result<R, TimeoutError>>
    where
        Self::Value: ToolValue;
}

impl<T> GatherItems<Vec<T>> for InfallibleReturn<T> {
    type Value = T;

    fn gathered(self) -> ReturnConversion<Vec<T>>
    where
        T: ToolValue,
    {
        ReturnConversion {
            value: source::<Vec<T>>(),
            read: |values| value_returned(values),
            item: Some(written::<T>),
        }
    }

    fn gathered_timed(self) -> ReturnConversion<Result<Vec<T>, TimeoutError>>
    where
        T: ToolValue,
    {
        let read: ItemReadFn<Result<Vec<T>, TimeoutError>> = |returned| match returned {
            Ok(values) => value_returned(values),
            Err(late) => late_returned(late),
        };
        ReturnConversion { value: source::<Vec<T>>(), read, item: Some(written::<T>) }
    }
}

impl<T, E, K: ErrorKind<E>> GatherItems<Result<Vec<T>, E>> for FallibleReturn<T, E, K> {
    type Value = T;

    fn gathered(self) -> ReturnConversion<Result<Vec<T>, E>>
    where
        T: ToolValue,
    {
        ReturnConversion { value: source::<Vec<T>>(), read: fallible::<T, E, K>, item: Some(written::<T>) }
    }

    fn gathered_timed(self) -> ReturnConversion<Result<Result<Vec<T>, E>, TimeoutError>>
    where
        T: ToolValue,
    {
        let read: ItemReadFn<Result<Result<Vec<T>, E>, TimeoutError>> = |returned| match returned {
            Ok(returned) => fallible::<T, E, K>(returned),
            Err(late) => late_returned(late),
        };
        ReturnConversion { value: source::<Vec<T>>(), read, item: Some(written::<T>) }
    }
}

type ItemReadFn<R> = fn(&mut R) -> ReturnContent<'_>;

fn fallible<T: ToolValue, E, K: ErrorKind<E>>(returned: &mut Result<Vec<T>, E>) -> ReturnContent<'_> {
    match returned {
        Ok(values) => value_returned(values),
        Err(error) => ReturnContent { content: Err(K::failure(error)), stop: K::stop(error) },
    }
}

fn written<T: ToolValue>(item: &dyn Any) -> Option<Value> {
    crate::json::to_value(item.downcast_ref::<T>()?).ok()
}
