//! The call part that does not depend on the tool's type: compiled once for an agent, not for each tool.

use std::fmt;

use super::RunningTool;
use super::called::settle_running;
use super::streaming::{PredictFn, PushArguments};
use crate::agent::tool::{InjectScope, SettlingCall, StatePredictions, ToolDataError, failure_content};
use crate::agent::{Agent, CallError, Run};
use crate::emit::{SpanGuard, WriteFuture};
use crate::kernel::{WriteFields, following};
use crate::protocol::{Content, ToolCallId, ToolSide};

/// Any tool's call. A [`Call`](super::Call)'s field, through which an agent's call enum reaches all variants at once.
#[doc(hidden)]
pub struct UntypedCall<'w, A: Agent> {
    pub(super) run: &'w Run<A>,
    pub(super) span: SpanGuard<'w>,
    pub(super) id: ToolCallId,
    pub(super) tool: &'static str,
    /// The arguments' JSON text, as the client has it.
    pub(super) text: String,
    pub(super) extra: Option<Box<CallExtra<A>>>,
}

/// Values that few calls have; no call has both.
pub(super) enum CallExtra<A: Agent> {
    /// The state shows the arguments while they are written.
    Predictions(Box<StatePredictions<A>>),
    /// JSON text for the arguments that the tool gets, because the user edited those that the client has.
    Edited(String),
}

impl<'w, A: Agent> UntypedCall<'w, A> {
    pub(crate) fn new(run: &'w Run<A>, span: SpanGuard<'w>, id: ToolCallId, tool: &'static str) -> Self {
        UntypedCall { run, span, id, tool, text: String::new(), extra: None }
    }

    pub(crate) fn with_predictions(self, predictions: Option<Box<StatePredictions<A>>>) -> Self {
        Self { extra: predictions.map(|predictions| Box::new(CallExtra::Predictions(predictions))), ..self }
    }

    pub(crate) fn with_text(self, text: String) -> Self {
        Self { text, ..self }
    }

    pub(crate) fn with_edited(self, edited: Option<String>) -> Self {
        Self { extra: edited.map(|text| Box::new(CallExtra::Edited(text))), ..self }
    }

    pub(crate) fn id(&self) -> &ToolCallId {
        &self.id
    }

    pub(crate) fn tool(&self) -> &'static str {
        self.tool
    }

    pub(crate) fn scope(&self) -> InjectScope<'w, A> {
        InjectScope::new(self.run, self.id.clone(), self.tool)
    }

    #[doc(hidden)]
    pub fn push(&mut self, delta: String) -> WriteFuture<'_, PushArguments<'_>> {
        let emit = self.span.emit();
        WriteFuture::new(emit, self.pushing(delta))
    }

    pub(super) fn pushing(&mut self, delta: String) -> PushArguments<'_> {
        let Self { run, span, id, tool, text, extra } = self;
        let predict = match extra.as_deref_mut() {
            Some(CallExtra::Predictions(predictions)) => {
                let feed = |json: &str| predictions.feed(json, || InjectScope::new(run, id.clone(), tool));
                Some(Box::new(feed) as Box<PredictFn<'_>>)
            }
            Some(CallExtra::Edited(_)) | None => None,
        };
        PushArguments::new(span.slot(), delta, text, predict)
    }

    /// Sends TOOL_CALL_END, and the state that shows the arguments.
    pub(super) fn end_arguments(&self, fields: WriteFields) {
        end_arguments(&self.span, fields);
        if let Some(CallExtra::Predictions(predictions)) = self.extra.as_deref() {
            predictions.end(|| self.scope());
        }
    }

    /// Returns JSON text for the arguments that the tool gets.
    pub(super) fn arguments(&self) -> &str {
        match self.extra.as_deref() {
            Some(CallExtra::Edited(text)) => text,
            Some(CallExtra::Predictions(_)) | None => &self.text,
        }
    }

    /// Waits for the tool's function, and sends the result.
    pub(super) fn settle(self, running: RunningTool<'w>) -> SettlingCall<'w> {
        let arguments = match self.extra.map(|extra| *extra) {
            Some(CallExtra::Edited(text)) => text,
            Some(CallExtra::Predictions(_)) | None => self.text,
        };
        settle_running(self.span, (self.id, self.tool.into()), arguments, running)
    }

    /// Sends the error result for a backend call whose arguments cannot be parsed. A frontend call is not ended: the client would
    /// act on it.
    pub(super) fn refuse(self, error: ToolDataError, side: ToolSide, fields: WriteFields) -> CallError {
        if side == ToolSide::Backend {
            let later = following(&fields);
            self.end_arguments(fields);
            fail(&self.span, &error.to_string(), later);
        }
        error.into()
    }

    /// Ends a backend call, with this reason as its result.
    pub(crate) fn reject(&self, why: &str) {
        self.end_arguments(None);
        fail(&self.span, why, None);
    }
}

// These functions do not depend on the agent, so that they are compiled once.

fn end_arguments(span: &SpanGuard<'_>, fields: WriteFields) {
    span.emit().hub().act(|kernel| kernel.end_arguments(span.slot(), fields));
}

fn fail(span: &SpanGuard<'_>, why: &str, fields: WriteFields) {
    let content = Content::Text(failure_content(why));
    span.emit().hub().act(|kernel| kernel.settle_call(span.slot(), content, fields));
}

impl<A: Agent> fmt::Debug for UntypedCall<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::debug_call(f, self.tool, &self.id)
    }
}
