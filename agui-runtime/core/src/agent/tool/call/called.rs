//! Ready calls: run, settled, or left to an interrupt.

use std::any::Any;
use std::borrow::Cow;
use std::future::{Future, pending};
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use tracing::Instrument;

use super::{Call, ReadyPhase, RunningTool, ToolInvoker, UntypedCall};
use crate::agent::tool::result::content::some;
use crate::agent::tool::{
    FailureText, SettleOutcome, SettlingCall, Tool, ToolFailure, failure_content, limited,
};
use crate::agent::{Agent, CallError, MAX_LOGGED, SettledCall, discard, panic_text};
use crate::emit::{Emit, RunWrite, SpanGuard, WriteFuture};
use crate::kernel::{EventFields, WriteFields};
use crate::protocol::{Content, Interrupt, ToolCallId};
use crate::quoted::{quoted, quoted_up_to};
use crate::telemetry::{Operation, TOOL_CALL_ARGUMENTS, TOOL_CALL_RESULT};

impl<'w, A: Agent, T: Tool> Call<'w, A, T, ReadyPhase> {
    /// Creates a call whose arguments ended in an earlier run.
    pub(crate) fn resumed(untyped: UntypedCall<'w, A>, arguments: T, invoke: ToolInvoker<A, T>) -> Self {
        Call { untyped, held: arguments, invoke }
    }

    /// Leaves the call to an interrupt.
    pub(crate) fn leave(self) {
        let UntypedCall { span, id, text, .. } = self.untyped;
        span.emit().shared().consent().leave(&id, T::NAME, &text);
        span.emit().hub().act(|kernel| kernel.leave_to_interrupt(span.slot()));
    }

    /// Returns the call's arguments.
    pub fn arguments(&self) -> &T {
        &self.held
    }

    /// Runs the tool's function and sends the returned value: TOOL_CALL_RESULT.
    ///
    /// The agent and the run provide the by-reference parameters. The value is returned unchanged: an `Err` has been reported to
    /// the model as `{"error": "…"}`, with its text if the error is a [`PublicError`](crate::PublicError), and you may handle the
    /// error or pass it on with `?`.
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
    ///     Err(_) => 0, // the model has the error
    /// };
    /// # Ok(())
    /// # }
    /// ```
    pub fn run(
        self, // a call has one result: make another call, `run.call(..).await?`
    ) -> impl Future<Output = T::Returns> + Send + use<'w, A, T> {
        self.run_and_say(None)
    }

    /// Like [`run`](Self::run), with additional fields on TOOL_CALL_RESULT: result metadata, such as cost.
    pub fn run_with(self, fields: EventFields) -> impl Future<Output = T::Returns> + Send + use<'w, A, T> {
        self.run_and_say(Some(Box::new(fields)))
    }

    fn run_and_say(self, fields: WriteFields) -> impl Future<Output = T::Returns> + Send + use<'w, A, T> {
        let Self { untyped, held, invoke } = self;
        async move {
            let mut returned = None;
            untyped.span.emit().shared().written().await;
            let mut operation = executing(&untyped.span, &untyped.id, T::NAME.into(), untyped.arguments());
            let span = operation.span();
            let function = (invoke.function)(held, untyped.scope(), Some(&mut returned));
            let (content, _) = function.instrument(span).await;
            executed(&mut operation, untyped.span.emit(), &content);
            drop(operation);
            let UntypedCall { span, id, .. } = untyped;
            match content {
                Err(ToolFailure::Suspended(questions)) => suspend(&span, &questions),
                content => {
                    let (content, _) = content_for_model(span.emit(), &id, T::NAME, content);
                    WriteFuture::new(span.emit(), SendCallResult { span, content, done: () })
                        .fields(fields)
                        .await;
                }
            }
            match returned {
                Some(returned) => returned,
                // The function has returned before its future ended.
                None => pending().await,
            }
        }
    }

    /// Runs the tool's function, and returns the content for the model instead of the function's value. A panic in the function
    /// fails this call alone.
    pub(crate) fn settle(self) -> SettlingCall<'w> {
        let Self { untyped, held, invoke } = self;
        let running = (invoke.function)(held, untyped.scope(), None);
        untyped.settle(running)
    }

    pub(crate) fn refuse(self, why: &str) -> SettlingCall<'w> {
        refused(self.untyped.span, (self.untyped.id, T::NAME.into()), why)
    }

    /// Sends a value with the function's return type as the result: TOOL_CALL_RESULT.
    ///
    /// For tools whose work happens elsewhere. An `Err` is a result too: the model gets `{"error": "…"}`, with its text if the
    /// error is a [`PublicError`](crate::PublicError).
    ///
    /// # Errors
    /// [`CallError::Result`] if the value has no JSON form, [`CallError::TooLarge`] if the value is larger than the tool's
    /// `max_result`; that error is then sent as the result.
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
    pub fn result(self, returned: T::Returns) -> WriteFuture<'w, SendCallResult<'w, Result<(), CallError>>> {
        let mut returned = returned;
        let content = limited((T::outcome().read)(&mut returned).content, T::MAX_RESULT);
        let UntypedCall { span, id, .. } = self.untyped;
        let (content, done) = result(span.emit(), &id, T::NAME, content);
        WriteFuture::new(span.emit(), SendCallResult { span, content, done })
    }

    /// Sends an error result for the model: TOOL_CALL_RESULT `{"error": "…"}`, with this text unchanged.
    ///
    /// The page also sees the result, so `fail` takes a text and not an error: an error's text may contain addresses and
    /// passwords.
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
    pub fn fail(self, why: impl FailureText) -> WriteFuture<'w, SendCallResult<'w, ()>> {
        let content = Content::Text(failure_content(&why.into_failure_text()));
        let span = self.untyped.span;
        WriteFuture::new(span.emit(), SendCallResult { span, content, done: () })
    }
}

// Functions that do not depend on the tool, so that they are compiled once.

/// Sends the result for a call that does not run.
pub(crate) fn refused<'w>(
    span: SpanGuard<'w>,
    (id, tool): (ToolCallId, Cow<'static, str>),
    why: &str,
) -> SettlingCall<'w> {
    let content = Content::Text(failure_content(why));
    // Boxed here, because generic code that names the type of a future compiles it once more.
    Box::pin(async move { SettleOutcome::Settled(send_result(span, id, tool, content, true).await) })
}

/// Waits for the tool's function, and sends the result. `arguments` is the JSON text that the function got.
pub(crate) fn settle_running<'w>(
    span: SpanGuard<'w>,
    (id, tool): (ToolCallId, Cow<'static, str>),
    arguments: String,
    running: RunningTool<'w>,
) -> SettlingCall<'w> {
    Box::pin(async move {
        span.emit().shared().written().await;
        let mut operation = executing(&span, &id, tool.clone(), &arguments);
        let ran = AssertUnwindSafe(running).catch_unwind().instrument(operation.span()).await;
        match &ran {
            Ok((content, _)) => executed(&mut operation, span.emit(), content),
            Err(_) => operation.fail("panic"),
        }
        drop(operation);
        let ((content, failed), stop) = match ran {
            Ok((Err(ToolFailure::Suspended(questions)), Some(stop))) => {
                suspend(&span, &questions);
                return SettleOutcome::Stopped { id, tool, stop };
            }
            Ok((content, stop)) => (content_for_model(span.emit(), &id, &tool, content), stop),
            Err(panic) => {
                let content = panicked(span.emit(), &id, &tool, &*panic);
                discard(panic);
                ((content, true), None)
            }
        };
        let call = send_result(span, id, tool, content, failed).await;
        match stop {
            Some(stop) => SettleOutcome::Stopped { id: call.id, tool: call.tool, stop },
            None => SettleOutcome::Settled(call),
        }
    })
}

/// Begins a call's operation.
fn executing(span: &SpanGuard<'_>, id: &ToolCallId, tool: Cow<'static, str>, arguments: &str) -> Operation {
    span.emit().count(|counts| counts.tool_calls += 1);
    let operation = Operation::execute_tool(tool, id);
    if span.emit().shared().records_content() {
        operation.content(TOOL_CALL_ARGUMENTS, || some(arguments).to_owned());
    }
    operation
}

/// Records a call's end. A call whose agent interrupts did not fail.
fn executed(operation: &mut Operation, emit: &Emit, content: &Result<Content, ToolFailure>) {
    match content {
        Ok(content) => {
            operation.succeed();
            if emit.shared().records_content() {
                operation.content(TOOL_CALL_RESULT, || content.text().into_owned());
            }
        }
        Err(failure) => match failure.error_type() {
            Some(error) => operation.fail(error),
            None => operation.succeed(),
        },
    }
}

/// Leaves a call to its agent's interrupts.
fn suspend(span: &SpanGuard<'_>, questions: &[Interrupt]) {
    let shared = span.emit().shared();
    let asked =
        questions.iter().map(|question| shared.consent().asked_as(shared.input(), question)).collect();
    span.emit().hub().act(|kernel| kernel.leave_to_subagent_interrupts(span.slot(), asked));
}

/// Content and return value for [`Call::result`].
fn result(
    emit: &Emit,
    id: &ToolCallId,
    tool: &'static str,
    content: Result<Content, ToolFailure>,
) -> (Content, Result<(), CallError>) {
    match content {
        Ok(content) => (content, Ok(())),
        Err(failure) => {
            let shared = emit.shared();
            failure.log(tool, id, shared.input(), shared.records_content());
            let content = Content::Text(failure.content(tool, shared.reveals_errors()));
            match failure {
                ToolFailure::Public { .. }
                | ToolFailure::Hidden(_)
                | ToolFailure::Late(_)
                | ToolFailure::Suspended(_) => (content, Ok(())),
                ToolFailure::Json(source) => (content, Err(CallError::Result { tool, source })),
                ToolFailure::TooLarge { size, limit } => {
                    (content, Err(CallError::TooLarge { tool, size, limit }))
                }
            }
        }
    }
}

/// Logs a panic's text, which may contain anything, and returns the content for the model.
fn panicked(emit: &Emit, id: &ToolCallId, tool: &str, panic: &(dyn Any + Send)) -> Content {
    let (input, text) = (emit.hub().input(), panic_text(panic));
    let (run_id, thread_id) = (quoted(&input.run_id), quoted(&input.thread_id));
    let panic = quoted_up_to(MAX_LOGGED, text);
    tracing::error!(%run_id, %thread_id, tool, tool_call_id = %quoted(id), %panic, "tool panicked");
    let shown = if emit.shared().reveals_errors() {
        format!("the tool `{tool}` panicked: {text}")
    } else {
        format!("the tool `{tool}` failed")
    };
    Content::Text(failure_content(&shown))
}

/// Returns the content for the model, and true if the tool failed.
fn content_for_model(
    emit: &Emit,
    id: &ToolCallId,
    tool: &str,
    content: Result<Content, ToolFailure>,
) -> (Content, bool) {
    match content {
        Ok(content) => (content, false),
        Err(failure) => {
            let shared = emit.shared();
            failure.log(tool, id, shared.input(), shared.records_content());
            (failure.content(tool, shared.reveals_errors()).into(), true)
        }
    }
}

async fn send_result(
    span: SpanGuard<'_>,
    id: ToolCallId,
    tool: Cow<'static, str>,
    content: Content,
    failed: bool,
) -> SettledCall {
    let text = content.text().into_owned();
    let parts = match &content {
        Content::Parts(parts) => parts.clone(),
        Content::Text(_) => Vec::new(),
    };
    let done = SettledCall { id, tool, content: text, parts, failed };
    WriteFuture::new(span.emit(), SendCallResult { span, content, done }).await
}

/// Write that sends a call's result; see [`Call::result`].
pub struct SendCallResult<'w, R> {
    span: SpanGuard<'w>,
    content: Content,
    done: R,
}

impl<R> RunWrite<'_> for SendCallResult<'_, R> {
    type Output = R;

    fn act(self, emit: &Emit, fields: WriteFields) -> R {
        emit.hub().act(|kernel| kernel.settle_call(self.span.slot(), self.content, fields));
        self.done
    }
}
