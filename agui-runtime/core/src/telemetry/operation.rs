//! One operation: a span, and the duration of it.

use std::borrow::Cow;

#[cfg(feature = "metrics")]
use metrics::{Label, histogram};
use tracing::Span;
use tracing::field::Empty;

use super::counts::Counts;
use super::names;
use crate::protocol::{RunAgentInput, ToolCallId};
#[cfg(feature = "model")]
use crate::protocol::{ThreadId, TokenUsage};
use crate::quoted::quoted;

/// The type of all tools that run in an agent.
const FUNCTION: &str = "function";

/// The error of an operation that was dropped before its end.
const CANCELLED: &str = "cancelled";

/// An operation that goes on. Dropping it ends it, and it counts as cancelled unless it [succeeded](Self::succeed) or
/// [failed](Self::fail).
pub(crate) struct Operation {
    span: Span,
    error: Option<Cow<'static, str>>,
    #[cfg(feature = "metrics")]
    measured: Option<measured::Measured>,
}

impl Operation {
    /// One run of an agent, or of a subagent. The name is only looked up for a subscriber or a recorder.
    pub(crate) fn invoke_agent(name: fn() -> &'static str, input: &RunAgentInput) -> Self {
        let span = tracing::info_span!(
            "invoke_agent",
            { names::SPAN_NAME } = %format_args!("{} {}", names::INVOKE_AGENT, name()),
            { names::OPERATION_NAME } = names::INVOKE_AGENT,
            { names::AGENT_NAME } = name(),
            { names::CONVERSATION_ID } = %quoted(&input.thread_id),
            { names::RUN_ID } = %quoted(&input.run_id),
            { names::ERROR_TYPE } = Empty,
            { names::SPAN_STATUS } = Empty,
        );
        Self {
            error: Some(CANCELLED.into()),
            #[cfg(feature = "metrics")]
            measured: measured::begin(&span, || measured::Kind::Agent {
                name: name(),
                counts: Counts::default(),
            }),
            span,
        }
    }

    /// One call of a tool that runs in the agent.
    #[cfg_attr(
        not(feature = "metrics"),
        expect(clippy::needless_pass_by_value, reason = "the metrics own the name")
    )]
    pub(crate) fn execute_tool(tool: Cow<'static, str>, id: &ToolCallId) -> Self {
        let span = tracing::info_span!(
            "execute_tool",
            { names::SPAN_NAME } = %format_args!("{} {tool}", names::EXECUTE_TOOL),
            { names::OPERATION_NAME } = names::EXECUTE_TOOL,
            { names::TOOL_NAME } = &*tool,
            { names::TOOL_TYPE } = FUNCTION,
            { names::TOOL_CALL_ID } = %quoted(id),
            { names::TOOL_CALL_ARGUMENTS } = Empty,
            { names::TOOL_CALL_RESULT } = Empty,
            { names::ERROR_TYPE } = Empty,
            { names::SPAN_STATUS } = Empty,
        );
        Self {
            error: Some(CANCELLED.into()),
            #[cfg(feature = "metrics")]
            measured: measured::begin(&span, || measured::Kind::Tool { name: tool }),
            span,
        }
    }

    /// One request to a model; `thread` is absent outside of a run.
    #[cfg(feature = "model")]
    pub(crate) fn chat(provider: &str, model: &str, thread: Option<&ThreadId>) -> Self {
        let span = tracing::info_span!(
            "chat",
            { names::SPAN_NAME } = %format_args!("{} {model}", names::CHAT),
            { names::SPAN_KIND } = "client",
            { names::OPERATION_NAME } = names::CHAT,
            { names::PROVIDER_NAME } = provider,
            { names::REQUEST_MODEL } = model,
            { names::REQUEST_STREAM } = true,
            { names::CONVERSATION_ID } = thread.map(|thread| tracing::field::display(quoted(thread))),
            { names::RESPONSE_MODEL } = Empty,
            { names::RESPONSE_FINISH_REASONS } = Empty,
            { names::RESPONSE_TIME_TO_FIRST_CHUNK } = Empty,
            { names::USAGE_INPUT_TOKENS } = Empty,
            { names::USAGE_OUTPUT_TOKENS } = Empty,
            { names::USAGE_CACHE_READ_INPUT_TOKENS } = Empty,
            { names::USAGE_REASONING_OUTPUT_TOKENS } = Empty,
            { names::SYSTEM_INSTRUCTIONS } = Empty,
            { names::INPUT_MESSAGES } = Empty,
            { names::OUTPUT_MESSAGES } = Empty,
            { names::ERROR_TYPE } = Empty,
            { names::SPAN_STATUS } = Empty,
        );
        Self {
            error: Some(CANCELLED.into()),
            #[cfg(feature = "metrics")]
            measured: measured::begin(&span, || measured::Kind::chat(provider, model)),
            span,
        }
    }

    /// Returns the span, for [`Instrument`](tracing::Instrument).
    pub(crate) fn span(&self) -> Span {
        self.span.clone()
    }

    /// Records content, for which the caller was asked. The text is made only if a subscriber reads it.
    pub(crate) fn content(&self, name: &'static str, text: impl FnOnce() -> String) {
        if !self.span.is_disabled() {
            self.span.record(name, text());
        }
    }

    pub(crate) fn succeed(&mut self) {
        self.error = None;
    }

    /// Says why the operation failed: a class of errors, and never their text.
    pub(crate) fn fail(&mut self, error: impl Into<Cow<'static, str>>) {
        self.error = Some(error.into());
    }

    /// Records what the agent did.
    #[cfg_attr(
        not(feature = "metrics"),
        allow(unused_variables, clippy::unused_self, reason = "counts are metrics")
    )]
    pub(crate) fn counted(&mut self, counts: Counts) {
        #[cfg(feature = "metrics")]
        if let Some(measured) = &mut self.measured {
            measured.counted(counts);
        }
    }

    /// Records that the first piece of the model's answer is there.
    #[cfg(feature = "model")]
    pub(crate) fn first_chunk(&mut self) {
        #[cfg(feature = "metrics")]
        if let Some(seconds) = self.measured.as_mut().and_then(measured::Measured::first_chunk) {
            self.span.record(names::RESPONSE_TIME_TO_FIRST_CHUNK, seconds);
        }
    }

    /// Records what a request cost, and the reason for which the model ended its answer.
    #[cfg(feature = "model")]
    pub(crate) fn record_reply(&mut self, usage: &TokenUsage, finish_reason: Option<&str>) {
        let fields = [
            (names::USAGE_INPUT_TOKENS, usage.input_tokens),
            (names::USAGE_OUTPUT_TOKENS, usage.output_tokens),
            (names::USAGE_CACHE_READ_INPUT_TOKENS, usage.cached_input_tokens),
            (names::USAGE_REASONING_OUTPUT_TOKENS, usage.reasoning_tokens),
        ];
        for (name, count) in fields {
            if let Some(count) = count {
                self.span.record(name, count.get());
            }
        }
        if let Some(model) = &usage.model {
            self.span.record(names::RESPONSE_MODEL, &**model);
        }
        if let Some(reason) = finish_reason {
            self.span.record(names::RESPONSE_FINISH_REASONS, tracing::field::debug([reason]));
        }
        #[cfg(feature = "metrics")]
        if let Some(measured) = &mut self.measured {
            measured.record_reply(usage);
        }
    }
}

impl Drop for Operation {
    fn drop(&mut self) {
        if let Some(error) = &self.error {
            self.span.record(names::ERROR_TYPE, &**error);
            self.span.record(names::SPAN_STATUS, "error");
        }
        #[cfg(feature = "metrics")]
        if let Some(measured) = self.measured.take() {
            measured.end(self.error.take());
        }
    }
}

#[cfg(feature = "metrics")]
mod measured {
    //! The metrics of an operation.

    use std::time::Instant;

    #[cfg(feature = "model")]
    use metrics::SharedString;

    use super::*;

    /// An operation since its start.
    pub(super) struct Measured {
        begun: Instant,
        kind: Kind,
    }

    pub(super) enum Kind {
        Agent {
            name: &'static str,
            counts: Counts,
        },
        Tool {
            name: Cow<'static, str>,
        },
        #[cfg(feature = "model")]
        Chat {
            labels: Vec<Label>,
            has_begun: bool,
        },
    }

    impl Kind {
        #[cfg(feature = "model")]
        pub(super) fn chat(provider: &str, model: &str) -> Self {
            let labels = vec![
                Label::new(names::OPERATION_NAME, names::CHAT),
                Label::new(names::PROVIDER_NAME, SharedString::from(provider.to_owned())),
                Label::new(names::REQUEST_MODEL, SharedString::from(model.to_owned())),
            ];
            Self::Chat { labels, has_begun: false }
        }
    }

    /// Begins an operation if a subscriber or a recorder is there: the labels of a metric cost more than an empty run. The
    /// recorder that crate metrics has by default is a type without fields.
    pub(super) fn begin(span: &Span, kind: impl FnOnce() -> Kind) -> Option<Measured> {
        let is_seen = !span.is_disabled() || metrics::with_recorder(|recorder| size_of_val(recorder) > 0);
        is_seen.then(|| Measured { begun: Instant::now(), kind: kind() })
    }

    impl Measured {
        pub(super) fn counted(&mut self, more: Counts) {
            if let Kind::Agent { counts, .. } = &mut self.kind {
                *counts = more;
            }
        }

        /// Returns the seconds so far, the first time.
        #[cfg(feature = "model")]
        pub(super) fn first_chunk(&mut self) -> Option<f64> {
            let Kind::Chat { labels, has_begun } = &mut self.kind else { return None };
            if std::mem::replace(has_begun, true) {
                return None;
            }
            let seconds = self.begun.elapsed().as_secs_f64();
            histogram!(names::CLIENT_OPERATION_TIME_TO_FIRST_CHUNK, labels.clone()).record(seconds);
            Some(seconds)
        }

        #[cfg(feature = "model")]
        pub(super) fn record_reply(&mut self, usage: &TokenUsage) {
            let Kind::Chat { labels, .. } = &mut self.kind else { return };
            if let Some(model) = &usage.model {
                labels.push(Label::new(names::RESPONSE_MODEL, model.clone()));
            }
            for (side, count) in [("input", usage.input_tokens), ("output", usage.output_tokens)] {
                let Some(count) = count else { continue };
                let mut labels = labels.clone();
                labels.push(Label::new(names::TOKEN_TYPE, side));
                histogram!(names::CLIENT_TOKEN_USAGE, labels).record(count.get() as f64);
            }
        }

        pub(super) fn end(self, error: Option<Cow<'static, str>>) {
            let seconds = self.begun.elapsed().as_secs_f64();
            let error = error.map(|error| Label::new(names::ERROR_TYPE, error));
            match self.kind {
                Kind::Agent { name, counts } => {
                    let agent = Label::new(names::AGENT_NAME, name);
                    let alone = || vec![agent.clone()];
                    histogram!(names::INVOKE_AGENT_INFERENCE_CALLS, alone()).record(counts.inferences);
                    histogram!(names::INVOKE_AGENT_TOOL_CALLS, alone()).record(counts.tool_calls);
                    let labels: Vec<_> = [Some(agent), error].into_iter().flatten().collect();
                    histogram!(names::INVOKE_AGENT_DURATION, labels).record(seconds);
                }
                Kind::Tool { name } => {
                    let tool = Label::new(names::TOOL_NAME, name);
                    let kind = Label::new(names::TOOL_TYPE, FUNCTION);
                    let labels: Vec<_> = [Some(tool), Some(kind), error].into_iter().flatten().collect();
                    histogram!(names::EXECUTE_TOOL_DURATION, labels).record(seconds);
                }
                #[cfg(feature = "model")]
                Kind::Chat { mut labels, .. } => {
                    labels.extend(error);
                    histogram!(names::CLIENT_OPERATION_DURATION, labels).record(seconds);
                }
            }
        }
    }
}
