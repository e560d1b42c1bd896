use std::fmt;

use super::{Called, CompleteArguments, InvokeFn, Streaming, ToolCall};
use crate::agent::Agent;
use crate::emit::emitter::SpanGuard;
use crate::emit::fields::following;
use crate::emit::span::Slot;
use crate::emit::{Act, CallError, Do, Emit, EventFields, Fields, IntoText, PendingCall, Run};
use crate::protocol::{Content, ToolCallId};
use crate::tool::{Backend, Predictions, Scope, Side, Tool, failure_content, read_arguments};

impl<'w, A: Agent, T: Tool> ToolCall<'w, A, T, Streaming> {
    pub(in crate::emit) fn open(
        run: &'w Run<A>,
        span: SpanGuard<'w>,
        id: ToolCallId,
        invoke: InvokeFn<A, T>,
        predictions: Option<Box<Predictions<A>>>,
    ) -> Self {
        ToolCall { run, span, id, held: Arguments { text: String::new(), predictions }, invoke }
    }

    /// All of the arguments at once.
    pub(in crate::emit) fn complete(
        mut self,
        json: String,
        arguments: T,
        fields: Fields,
    ) -> <T::Side as Side>::After<'w, A, T> {
        let emit = self.span.emit();
        self.pushing(json).act(emit, fields.clone());
        T::Side::after(self, arguments, fields)
    }

    /// Appends to the JSON text of the arguments: TOOL_CALL_ARGS. An empty text sends nothing.
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
    pub fn push(&mut self, delta: impl IntoText) -> Do<'_, PushArguments<'_>> {
        let emit = self.span.emit();
        Do::new(emit, self.pushing(delta.into_text()))
    }

    fn pushing(&mut self, delta: String) -> PushArguments<'_> {
        let Arguments { text, predictions } = &mut self.held;
        let (run, id) = (self.run, &self.id);
        let predict = predictions.as_mut().map(|predictions| -> Box<Predict<'_>> {
            Box::new(|json| predictions.feed(json, || Scope::new(run, id.clone(), T::NAME)))
        });
        PushArguments { slot: self.span.slot(), delta, text, predict }
    }

    /// Completes the arguments: TOOL_CALL_END, at once. The only way to a call that can be answered.
    ///
    /// # Errors
    /// [`CallError::Arguments`] when the text does not read as the tool's arguments. A backend call is then ended and
    /// answered with the error, so that the model can correct itself; a frontend call is not ended, for the client
    /// would act on it.
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
    /// call.push(r#"{"name":"rice"}"#).await;
    /// match call.end() {
    ///     Ok(call) => drop(call.run().await),
    ///     Err(error) => drop(run.say(format!("The model wrote nonsense: {error}")).await),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn end(self) -> Result<<T::Side as Side>::After<'w, A, T>, CallError> {
        self.finish(None)
    }

    /// The same with fields of its own on TOOL_CALL_END.
    ///
    /// # Errors
    /// Those of [`end`](Self::end).
    pub fn end_with(self, fields: EventFields) -> Result<<T::Side as Side>::After<'w, A, T>, CallError> {
        self.finish(Some(Box::new(fields)))
    }

    fn finish(self, fields: Fields) -> Result<<T::Side as Side>::After<'w, A, T>, CallError> {
        match read_arguments::<T>(&self.held.text) {
            Ok(arguments) => Ok(T::Side::after(self, arguments, fields)),
            Err(error) => {
                if T::Side::SIDE == Backend::SIDE {
                    let content = Content::Text(failure_content(&error.to_string()));
                    let later = following(&fields);
                    self.end_arguments(fields);
                    self.span.emit().hub().act(|kernel| kernel.answer(self.span.slot(), content, later));
                }
                Err(error.into())
            }
        }
    }

    /// TOOL_CALL_END, and the state that the arguments were shown in.
    fn end_arguments(&self, fields: Fields) {
        self.span.emit().hub().act(|kernel| kernel.end_arguments(self.span.slot(), fields));
        if let Some(predictions) = &self.held.predictions {
            predictions.end(|| Scope::new(self.run, self.id.clone(), T::NAME));
        }
    }

    pub(crate) fn called(self, arguments: T, fields: Fields) -> ToolCall<'w, A, T, Called> {
        self.end_arguments(fields);
        let held = CompleteArguments { arguments, text: self.held.text };
        ToolCall { run: self.run, span: self.span, id: self.id, held, invoke: self.invoke }
    }

    pub(crate) fn pending(self, arguments: T, fields: Fields) -> PendingCall<T> {
        self.end_arguments(fields);
        PendingCall::new(self.id, arguments)
    }
}

/// Arguments that are still being written.
#[doc(hidden)]
#[derive(Debug)]
pub struct Arguments<A: Agent> {
    text: String,
    predictions: Option<Box<Predictions<A>>>,
}

/// Tells the state what a piece of the arguments says.
type Predict<'a> = dyn FnMut(&str) + Send + 'a;

/// The act of appending to a call's arguments.
pub struct PushArguments<'a> {
    slot: Slot,
    delta: String,
    text: &'a mut String,
    predict: Option<Box<Predict<'a>>>,
}

impl<'a> PushArguments<'a> {
    /// Of a call whose arguments no state shows.
    pub(in crate::emit) fn plain(slot: Slot, delta: String, text: &'a mut String) -> Self {
        Self { slot, delta, text, predict: None }
    }
}

impl Act<'_> for PushArguments<'_> {
    type Output = ();

    fn act(self, emit: &Emit, fields: Fields) {
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
