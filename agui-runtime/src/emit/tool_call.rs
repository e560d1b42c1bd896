use std::fmt;
use std::future::Future;
use std::pin::Pin;

use super::emitter::SpanGuard;
use super::fields::following;
use super::span::Slot;
use super::{Act, AnsweredCall, CallError, CallRef, Do, Emit, EventFields, Fields, PendingCall, Run};
use crate::agent::Agent;
use crate::protocol::{Content, ToolCallId};
use crate::tool::{
    Backend, Predictions, Scope, Side, Tool, ToolCtx, ToolFailure, failure_content, read_arguments,
};

/// How far a [`ToolCall`] has come: [`Streaming`] or [`Called`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a phase of a tool call",
    label = "neither `Streaming` nor `Called`",
    note = "write `ToolCall<'_, A, T, Streaming>` before its TOOL_CALL_END, `ToolCall<'_, A, T, Called>` after it"
)]
pub trait ToolPhase: sealed::Sealed {
    #[doc(hidden)]
    type Held<A: Agent, T: Tool>;
}

/// The arguments are still being written.
#[derive(Debug)]
pub enum Streaming {}

/// The arguments are complete; the call wants its result.
#[derive(Debug)]
pub enum Called {}

impl ToolPhase for Streaming {
    type Held<A: Agent, T: Tool> = Arguments<A>;
}

impl ToolPhase for Called {
    type Held<A: Agent, T: Tool> = T;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Streaming {}
    impl Sealed for super::Called {}
}

/// A call of tool `T` in progress.
///
/// ```text
/// run.tool::<T>() ─▶ ToolCall<.., Streaming> ─ end() ─▶ ToolCall<.., Called>   run() · result() · fail()   (backend)
/// run.call(T {..}) ───────────────────────────────────▶ PendingCall<T>         answered in the next run    (frontend)
/// ```
///
/// Dropping it never leaves the wire open. A backend call that was not ended, or not answered, gets the result
/// `{"error":"abandoned"}`, because model providers refuse a history with a dangling call. A frontend call cut off in
/// its arguments is not ended, since the client would act on half of them; such a run can only end in RUN_ERROR.
#[must_use = "a call that is dropped is answered with an error"]
pub struct ToolCall<'w, A: Agent, T: Tool, P: ToolPhase> {
    run: &'w Run<A>,
    span: SpanGuard<'w>,
    id: ToolCallId,
    held: P::Held<A, T>,
    invoke: InvokeFn<A, T>,
}

/// How the tool's function is called. Taken where the call is made, so that only there the tool must be one of the
/// agent's: a mistake in the agent's list is one error, not one for each step of a call.
pub(super) type InvokeFn<A, T> = for<'s, 'a> fn(T, &'s Scope<'a, A>) -> Invoked<'s, T>;

pub(super) type Invoked<'s, T> = Pin<Box<dyn Future<Output = <T as Tool>::Returns> + Send + 's>>;

/// What a tool's function returned, and what the model is told about it.
struct Ran<R> {
    returned: R,
    content: String,
    failed: bool,
}

impl<'w, A: Agent, T: Tool> ToolCall<'w, A, T, Streaming> {
    pub(super) fn open(
        run: &'w Run<A>,
        span: SpanGuard<'w>,
        id: ToolCallId,
        invoke: InvokeFn<A, T>,
        predictions: Option<Box<Predictions<A>>>,
    ) -> Self {
        ToolCall { run, span, id, held: Arguments { text: String::new(), predictions }, invoke }
    }

    /// All of the arguments at once.
    pub(super) fn complete(
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
    pub fn push(&mut self, delta: impl Into<String>) -> Do<'_, PushArguments<'_>> {
        let emit = self.span.emit();
        Do::new(emit, self.pushing(delta.into()))
    }

    fn pushing(&mut self, delta: String) -> PushArguments<'_> {
        let Arguments { text, predictions } = &mut self.held;
        let (run, id) = (self.run, &self.id);
        let predict = predictions.as_mut().map(|predictions| -> Box<Predict<'_>> {
            Box::new(|json| predictions.feed(json, || Scope::new(run, ToolCtx::new(id.clone(), T::NAME))))
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
                    self.span.emit().hub().act(|kernel| {
                        let later = following(&fields);
                        kernel.end_arguments(self.span.slot(), fields);
                        kernel.answer(self.span.slot(), content, later);
                    });
                }
                Err(error.into())
            }
        }
    }

    pub(crate) fn called(self, arguments: T, fields: Fields) -> ToolCall<'w, A, T, Called> {
        self.span.emit().hub().act(|kernel| kernel.end_arguments(self.span.slot(), fields));
        ToolCall { run: self.run, span: self.span, id: self.id, held: arguments, invoke: self.invoke }
    }

    pub(crate) fn pending(self, arguments: T, fields: Fields) -> PendingCall<T> {
        self.span.emit().hub().act(|kernel| kernel.end_arguments(self.span.slot(), fields));
        PendingCall::new(self.id, arguments)
    }
}

impl<'w, A: Agent, T: Tool<Side = Backend>> ToolCall<'w, A, T, Called> {
    /// A call whose arguments were ended in an earlier run.
    pub(super) fn resumed(
        run: &'w Run<A>,
        span: SpanGuard<'w>,
        id: ToolCallId,
        arguments: T,
        invoke: InvokeFn<A, T>,
    ) -> Self {
        ToolCall { run, span, id, held: arguments, invoke }
    }

    pub(super) fn into_span(self) -> SpanGuard<'w> {
        self.span
    }

    /// The arguments of the call.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Looks up what something costs.
    /// # #[tool]
    /// # async fn price(name: String) -> Result<u32, std::fmt::Error> { Ok(180) }
    /// # /// Cooks with you.
    /// # #[agent(tools = [price])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    /// let call = run.call(price { name: "rice".to_owned() }).await?;
    /// assert_eq!(call.arguments().name, "rice");
    /// call.run().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn arguments(&self) -> &T {
        &self.held
    }

    /// Runs the tool's function and sends what it returns: TOOL_CALL_RESULT.
    ///
    /// The function's by-reference parameters are lent by the agent and the run. What it returned comes back
    /// unchanged: an `Err` has been reported to the model as `{"error": "…"}`, and is yours to handle or to pass on
    /// with `?`.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Looks up what something costs.
    /// # #[tool]
    /// # async fn price(name: String) -> Result<u32, std::fmt::Error> { Ok(180) }
    /// # /// Cooks with you.
    /// # #[agent(tools = [price])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    /// let call = run.call(price { name: "rice".to_owned() }).await?;
    /// let cents = match call.run().await {
    ///     Ok(cents) => cents,
    ///     Err(_) => 0, // the model has been told
    /// };
    /// # Ok(())
    /// # }
    /// ```
    pub fn run(self) -> impl Future<Output = T::Returns> + Send + use<'w, A, T> {
        let running = self.invoke();
        async move {
            let (span, _, ran) = running.await;
            Do::new(span.emit(), AnswerCall { span, content: ran.content, done: () }).await;
            ran.returned
        }
    }

    /// Runs the tool's function for whoever needs what the model is told, not what the function returned.
    pub(crate) async fn settle(self) -> AnsweredCall {
        let (span, id, Ran { content, failed, .. }) = self.invoke().await;
        let done = AnsweredCall { id, tool: T::NAME, content: content.clone(), failed };
        Do::new(span.emit(), AnswerCall { span, content, done }).await
    }

    async fn invoke(self) -> (SpanGuard<'w>, ToolCallId, Ran<T::Returns>) {
        let Self { run, span, id, held, invoke } = self;
        let scope = Scope::new(run, ToolCtx::new(id.clone(), T::NAME));
        let returned = invoke(held, &scope).await;
        let (content, failed) = match (T::outcome().content)(&returned) {
            Ok(content) => (content, false),
            Err(failure) => {
                tracing::debug!(tool = T::NAME, %failure, "tool failed");
                (failure.content(), true)
            }
        };
        (span, id, Ran { returned, content, failed })
    }

    /// Answers the call with what the function would have returned: TOOL_CALL_RESULT.
    ///
    /// For tools whose work happens elsewhere. An `Err` is an answer too: the model sees `{"error": "…"}`.
    ///
    /// # Errors
    /// [`CallError::Result`] when the value has no JSON form; the call is then answered with that error.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Looks up what something costs.
    /// # #[tool]
    /// # async fn price(name: String) -> Result<u32, std::fmt::Error> { Ok(180) }
    /// # /// Cooks with you.
    /// # #[agent(tools = [price])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    /// let call = run.call(price { name: "rice".to_owned() }).await?;
    /// call.result(Ok(180)).await?;
    /// # Ok(())
    /// # }
    /// ```
    #[expect(clippy::needless_pass_by_value, reason = "a call is answered once")]
    pub fn result(self, returned: T::Returns) -> Do<'w, AnswerCall<'w, Result<(), CallError>>> {
        let (content, done) = match (T::outcome().content)(&returned) {
            Ok(content) => (content, Ok(())),
            Err(failure) => {
                let content = failure.content();
                match failure {
                    ToolFailure::Failed(_) => (content, Ok(())),
                    ToolFailure::Json(source) => (content, Err(CallError::Result { tool: T::NAME, source })),
                }
            }
        };
        Do::new(self.span.emit(), AnswerCall { span: self.span, content, done })
    }

    /// Answers the call with an error the model sees: TOOL_CALL_RESULT `{"error": "…"}`.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Looks up what something costs.
    /// # #[tool]
    /// # async fn price(name: String) -> Result<u32, std::fmt::Error> { Ok(180) }
    /// # /// Cooks with you.
    /// # #[agent(tools = [price])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    /// let call = run.call(price { name: "rice".to_owned() }).await?;
    /// call.fail("the shop is closed").await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn fail(self, why: impl fmt::Display) -> Do<'w, AnswerCall<'w, ()>> {
        let content = failure_content(&why.to_string());
        Do::new(self.span.emit(), AnswerCall { span: self.span, content, done: () })
    }
}

impl<A: Agent, T: Tool, P: ToolPhase> ToolCall<'_, A, T, P> {
    /// The id of the call on the wire.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Looks up what something costs.
    /// # #[tool]
    /// # async fn price(name: String) -> Result<u32, std::fmt::Error> { Ok(180) }
    /// # /// Cooks with you.
    /// # #[agent(tools = [price])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    /// let call = run.call(price { name: "rice".to_owned() }).await?;
    /// let id = call.id().clone();
    /// call.run().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn id(&self) -> &ToolCallId {
        &self.id
    }

    /// The receipt of the call, for what must name it when it has been answered.
    pub fn receipt(&self) -> CallRef {
        CallRef::new(self.id.clone())
    }
}

impl<A: Agent, T: Tool, P: ToolPhase> fmt::Debug for ToolCall<'_, A, T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall").field("tool", &T::NAME).field("id", &self.id).finish_non_exhaustive()
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

/// The act of answering a call.
pub struct AnswerCall<'w, R> {
    span: SpanGuard<'w>,
    content: String,
    done: R,
}

impl<R> Act<'_> for AnswerCall<'_, R> {
    type Output = R;

    fn act(self, emit: &Emit, fields: Fields) -> R {
        let content = Content::Text(self.content);
        emit.hub().act(|kernel| kernel.answer(self.span.slot(), content, fields));
        self.done
    }
}
