use std::future::Future;

use super::{Called, InvokeFn, ToolCall};
use crate::agent::Agent;
use crate::emit::emitter::SpanGuard;
use crate::emit::{Act, AnsweredCall, CallError, Do, Emit, EventFields, Fields, Run};
use crate::protocol::{Content, ToolCallId};
use crate::tool::{Backend, Scope, Tool, ToolCtx, ToolFailure, failure_content};

/// What a tool's function returned, and what the model is told about it.
struct Ran<R> {
    returned: R,
    content: Content,
    failed: bool,
}

impl<'w, A: Agent, T: Tool<Side = Backend>> ToolCall<'w, A, T, Called> {
    /// A call whose arguments were ended in an earlier run.
    pub(in crate::emit) fn resumed(
        run: &'w Run<A>,
        span: SpanGuard<'w>,
        id: ToolCallId,
        arguments: T,
        invoke: InvokeFn<A, T>,
    ) -> Self {
        ToolCall { run, span, id, held: arguments, invoke }
    }

    pub(in crate::emit) fn into_span(self) -> SpanGuard<'w> {
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
    /// unchanged: an `Err` has been reported to the model as `{"error": "…"}`, with its text if it is a
    /// [`PublicError`](crate::PublicError), and is yours to handle or to pass on with `?`.
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
        self.run_and_say(None)
    }

    /// The same with fields of its own on TOOL_CALL_RESULT: metadata of the answer, such as what it cost.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # use agui_runtime::{EventFields, protocol::Metadata};
    /// # /// Looks up what something costs.
    /// # #[tool]
    /// # async fn price(name: String) -> Result<u32, std::fmt::Error> { Ok(180) }
    /// # /// Cooks with you.
    /// # #[agent(tools = [price])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    /// let source = Metadata::from_iter([("acme/source".to_owned(), "shelf".into())]);
    /// let call = run.call(price { name: "rice".to_owned() }).await?;
    /// call.run_with(EventFields::new().with_metadata(source)).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn run_with(self, fields: EventFields) -> impl Future<Output = T::Returns> + Send + use<'w, A, T> {
        self.run_and_say(Some(Box::new(fields)))
    }

    fn run_and_say(self, fields: Fields) -> impl Future<Output = T::Returns> + Send + use<'w, A, T> {
        let running = self.invoke();
        async move {
            let (span, _, ran) = running.await;
            Do::new(span.emit(), AnswerCall { span, content: ran.content, done: () }).fields(fields).await;
            ran.returned
        }
    }

    /// Runs the tool's function for whoever needs what the model is told, not what the function returned.
    pub(crate) async fn settle(self) -> AnsweredCall {
        let (span, id, Ran { content, failed, .. }) = self.invoke().await;
        let text = content.text().into_owned();
        let parts = match &content {
            Content::Parts(parts) => parts.clone(),
            Content::Text(_) => Vec::new(),
        };
        let done = AnsweredCall { id, tool: T::NAME, content: text, parts, failed };
        Do::new(span.emit(), AnswerCall { span, content, done }).await
    }

    async fn invoke(self) -> (SpanGuard<'w>, ToolCallId, Ran<T::Returns>) {
        let Self { run, span, id, held, invoke } = self;
        let scope = Scope::new(run, ToolCtx::new(id.clone(), T::NAME));
        let returned = invoke(held, &scope).await;
        let (content, failed) = match (T::outcome().content)(&returned) {
            Ok(content) => (content, false),
            Err(failure) => {
                failure.log(T::NAME, &id, run.hub().input());
                (failure.content(T::NAME, run.hub().reveals_errors()).into(), true)
            }
        };
        (span, id, Ran { returned, content, failed })
    }

    /// Answers the call with what the function would have returned: TOOL_CALL_RESULT.
    ///
    /// For tools whose work happens elsewhere. An `Err` is an answer too: the model sees `{"error": "…"}`, with its text if it
    /// is a [`PublicError`](crate::PublicError).
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
                let hub = self.span.emit().hub();
                failure.log(T::NAME, &self.id, hub.input());
                let content = Content::Text(failure.content(T::NAME, hub.reveals_errors()));
                match failure {
                    ToolFailure::Public(_) | ToolFailure::Hidden(_) => (content, Ok(())),
                    ToolFailure::Json(source) => (content, Err(CallError::Result { tool: T::NAME, source })),
                }
            }
        };
        Do::new(self.span.emit(), AnswerCall { span: self.span, content, done })
    }

    /// Answers the call with an error the model sees: TOOL_CALL_RESULT `{"error": "…"}`, with this text as it is.
    ///
    /// The page sees it, too, so it takes a text and not an error: the text of an error may hold addresses and passwords.
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
    pub fn fail(self, why: impl Into<String>) -> Do<'w, AnswerCall<'w, ()>> {
        let content = Content::Text(failure_content(&why.into()));
        Do::new(self.span.emit(), AnswerCall { span: self.span, content, done: () })
    }
}

/// The act of answering a call.
pub struct AnswerCall<'w, R> {
    span: SpanGuard<'w>,
    content: Content,
    done: R,
}

impl<R> Act<'_> for AnswerCall<'_, R> {
    type Output = R;

    fn act(self, emit: &Emit, fields: Fields) -> R {
        emit.hub().act(|kernel| kernel.answer(self.span.slot(), self.content, fields));
        self.done
    }
}
