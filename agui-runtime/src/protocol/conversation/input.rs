//! The input of a run (AG-UI 1.0, sections "`RunAgentInput`" and "Context, Tool").

use std::sync::Arc;

use super::interrupt::ResumeEntry;
use super::message::Message;
use crate::protocol::any_json::json::NonNull;
use crate::protocol::forms::object::object;
use crate::protocol::id::{RunId, ThreadId};
use crate::protocol::metadata::Metadata;

object! {
    /// The request body of a run; also echoed in `RUN_STARTED`.
    ///
    /// An absent list and an empty one mean the same but are kept apart, so that an input is written back
    /// as it was read. Use [`tools`](Self::tools), [`context`](Self::context) and [`resume`](Self::resume)
    /// to read them.
    ///
    /// ```
    /// use agui_runtime::protocol::{RunAgentInput, UserMessage};
    ///
    /// let input: RunAgentInput = serde_json::from_str(
    ///     r#"{"threadId":"t","runId":"r","messages":[{"id":"u","role":"user","content":"Hi"}],"state":null}"#,
    /// )
    /// .unwrap();
    /// assert_eq!(input, RunAgentInput::new("t", "r", [UserMessage::new("u", "Hi").into()]));
    /// assert!(input.tools().is_empty());
    /// ```
    pub struct RunAgentInput {
        /// The conversation.
        thread_id as "threadId": ThreadId,
        /// The run; an id is used once per thread.
        run_id as "runId": RunId,
        /// The protocol version of the consumer, `MAJOR.MINOR`; absent means older than 1.0.
        protocol_version as "protocolVersion": Option<String> => with_protocol_version,
        /// The run that started this one as a separate run.
        parent_run_id as "parentRunId": Option<RunId> => with_parent_run_id,
        /// The shared state the run starts from; absent means `{}`, and `null` is read as absent.
        state: Option<NonNull> => with_state [null is absent],
        /// The whole conversation, oldest first.
        messages: Vec<Message>,
        /// The tools the frontend offers. Subagents share them.
        tools: Option<Arc<[Tool]>> => with_tools,
        /// Facts for the model. Subagents share them.
        context: Option<Arc<[Context]>> => with_context,
        /// Any data that the application passes through.
        forwarded_props as "forwardedProps": Option<NonNull> => with_forwarded_props,
        /// The answers to the interrupts of the previous run.
        resume: Option<Arc<[ResumeEntry]>> => with_resume,
    }
}

impl RunAgentInput {
    /// Returns the tools that the frontend offers; empty if absent.
    ///
    /// ```
    /// use agui_runtime::protocol::RunAgentInput;
    ///
    /// assert!(RunAgentInput::new("t", "r", []).tools().is_empty());
    /// ```
    #[must_use]
    pub fn tools(&self) -> &[Tool] {
        self.tools.as_deref().unwrap_or_default()
    }

    /// Returns the facts for the model; empty if absent.
    ///
    /// ```
    /// use agui_runtime::protocol::{Context, RunAgentInput};
    ///
    /// let input = RunAgentInput::new("t", "r", []).with_context([Context::new("city", "Kyoto")]);
    /// assert_eq!(input.context()[0].value, "Kyoto");
    /// ```
    #[must_use]
    pub fn context(&self) -> &[Context] {
        self.context.as_deref().unwrap_or_default()
    }

    /// Returns the answers to the previous run; empty if absent.
    ///
    /// ```
    /// use agui_runtime::protocol::{ResumeEntry, ResumeStatus, RunAgentInput};
    ///
    /// let answer = ResumeEntry::new("int-1", ResumeStatus::Cancelled);
    /// assert_eq!(RunAgentInput::new("t", "r", []).with_resume([answer]).resume().len(), 1);
    /// ```
    #[must_use]
    pub fn resume(&self) -> &[ResumeEntry] {
        self.resume.as_deref().unwrap_or_default()
    }
}

object! {
    /// A fact for the model.
    ///
    /// ```
    /// use agui_runtime::protocol::Context;
    ///
    /// let place = Context::new("The city the user is in", "Kyoto");
    /// assert_eq!(
    ///     serde_json::to_string(&place).unwrap(),
    ///     r#"{"description":"The city the user is in","value":"Kyoto"}"#,
    /// );
    /// ```
    pub struct Context {
        /// The meaning of the value.
        description: String,
        /// The value.
        value: String,
    }
}

object! {
    /// A tool that the model may call, in its JSON form; [`Tool`](trait@crate::Tool) is its typed form.
    ///
    /// ```
    /// use agui_runtime::protocol::Tool;
    ///
    /// let tool = Tool::new("show_map", "Shows a map.");
    /// assert_eq!(serde_json::to_string(&tool).unwrap(), r#"{"name":"show_map","description":"Shows a map."}"#);
    /// ```
    pub struct Tool {
        /// The name by which the model calls it.
        name: String,
        /// The purpose of the tool, for the model.
        description: String,
        /// The schema of its arguments, a JSON Schema by convention.
        parameters: Option<NonNull> => with_parameters,
        /// Free data.
        metadata: Option<Metadata> => with_metadata,
    }
}
