//! Open calls: arguments are still being written.

use std::fmt;
use std::marker::PhantomData;

use super::{Call, OpenPhase, ReadyPhase, ToolInvoker, UntypedCall};
use crate::agent::tool::{ExecutionSide, Tool, read_arguments};
use crate::agent::{Agent, CallError, PendingCall};
use crate::emit::{Emit, IntoText, RunWrite, WriteFuture};
use crate::kernel::{EventFields, SpanSlot, WriteFields};

impl<'w, A: Agent, T: Tool> Call<'w, A, T, OpenPhase> {
    pub(crate) fn open(untyped: UntypedCall<'w, A>, invoke: ToolInvoker<A, T>) -> Self {
        Call { untyped, held: PhantomData, invoke }
    }

    /// Appends to the arguments' JSON text: TOOL_CALL_ARGS. An empty text sends nothing.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Looks up what something costs.
    /// # #[tool]
    /// # async fn price(name: String) -> Result<u32, std::fmt::Error> { Ok(180) }
    /// # /// Cooks with you.
    /// # #[agent(tools = [price])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    /// let mut call = run.tool::<price>().await;
    /// for piece in [r#"{"name":"#, r#""rice"}"#] {
    ///     call.push(piece).await;
    /// }
    /// let call = call.end()?;
    /// assert_eq!(call.arguments().name, "rice");
    /// let cents = call.run().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn push(&mut self, delta: impl IntoText) -> WriteFuture<'_, PushArguments<'_>> {
        self.untyped.push(delta.into_text())
    }

    /// Creates a call with all arguments at once.
    pub(crate) fn complete(
        mut self,
        json: String,
        arguments: T,
        fields: WriteFields,
    ) -> <T::Side as ExecutionSide>::After<'w, A, T> {
        let emit = self.untyped.span.emit();
        self.untyped.pushing(json).act(emit, fields.clone());
        T::Side::after(self, arguments, fields)
    }

    /// Completes the arguments: TOOL_CALL_END, immediately. Only a ready call can get a result.
    ///
    /// # Errors
    /// [`CallError::Arguments`] if the text does not parse as the tool's arguments. A backend call is then ended, with the error
    /// as its result, so that the model can correct itself; a frontend call is not ended, because the client would act on it.
    pub fn end(self) -> Result<<T::Side as ExecutionSide>::After<'w, A, T>, CallError> {
        self.finish(None)
    }

    /// Like [`end`](Self::end), with additional fields on TOOL_CALL_END.
    ///
    /// # Errors
    /// As [`end`](Self::end).
    pub fn end_with(
        self,
        fields: EventFields,
    ) -> Result<<T::Side as ExecutionSide>::After<'w, A, T>, CallError> {
        self.finish(Some(Box::new(fields)))
    }

    pub(crate) fn finish(
        self,
        fields: Option<Box<EventFields>>,
    ) -> Result<<T::Side as ExecutionSide>::After<'w, A, T>, CallError> {
        match read_arguments::<T>(&self.untyped.text) {
            Ok(arguments) => Ok(T::Side::after(self, arguments, fields)),
            Err(error) => Err(self.untyped.refuse(error, T::Side::SIDE, fields)),
        }
    }

    pub(crate) fn called(self, arguments: T, fields: WriteFields) -> Call<'w, A, T, ReadyPhase> {
        self.untyped.end_arguments(fields);
        Call { untyped: self.untyped, held: arguments, invoke: self.invoke }
    }

    pub(crate) fn pending(self, arguments: T, fields: WriteFields) -> PendingCall<T> {
        self.untyped.end_arguments(fields);
        PendingCall::new(self.untyped.id, arguments)
    }
}

/// Writes an arguments piece into the state.
pub(super) type PredictFn<'a> = dyn FnMut(&str) + Send + 'a;

/// Write that appends to a call's arguments; see [`Call::push`].
pub struct PushArguments<'a> {
    slot: SpanSlot,
    delta: String,
    text: &'a mut String,
    predict: Option<Box<PredictFn<'a>>>,
}

impl<'a> PushArguments<'a> {
    pub(super) fn new(
        slot: SpanSlot,
        delta: String,
        text: &'a mut String,
        predict: Option<Box<PredictFn<'a>>>,
    ) -> Self {
        Self { slot, delta, text, predict }
    }

    /// Returns the write for a call whose arguments the state does not show.
    pub(crate) fn plain(slot: SpanSlot, delta: String, text: &'a mut String) -> Self {
        Self { slot, delta, text, predict: None }
    }
}

impl RunWrite<'_> for PushArguments<'_> {
    type Output = ();

    fn act(self, emit: &Emit, fields: WriteFields) {
        if !self.delta.is_empty() || fields.is_some() {
            let known = self.text.len();
            self.text.push_str(&self.delta);
            emit.hub().act(|kernel| kernel.push_arguments(self.slot, self.delta, fields));
            if let (Some(mut predict), Some(delta)) = (self.predict, self.text.get(known..)) {
                predict(delta);
            }
        }
    }
}

impl fmt::Debug for PushArguments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PushArguments").field("delta", &self.delta).finish_non_exhaustive()
    }
}
