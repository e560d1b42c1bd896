//! Run input (AG-UI 1.0, sections "`RunAgentInput`" and "Context, Tool").

use std::sync::Arc;

use super::interrupt::ResumeEntry;
use super::message::Message;
use crate::protocol::any_json::json::NonNull;
use crate::protocol::forms::object::object;
use crate::protocol::id::{RunId, ThreadId};
use crate::protocol::metadata::Metadata;

object! {
    /// A run's request body; also echoed in `RUN_STARTED`.
    ///
    /// An absent list and an empty one mean the same but are kept apart, so that an input is written back exactly as read. Use
    /// [`tools`](Self::tools), [`context`](Self::context) and [`resume`](Self::resume) to read the lists.
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
        /// The consumer's protocol version, `MAJOR.MINOR`; absent means a version before 1.0.
        protocol_version as "protocolVersion": Option<String> => with_protocol_version,
        /// The run that started this one as a separate run.
        parent_run_id as "parentRunId": Option<RunId> => with_parent_run_id,
        /// The shared state from which the run starts; absent means `{}`, and `null` is read as absent.
        state: Option<NonNull> => with_state [null is absent],
        /// The whole conversation, oldest first.
        messages: Vec<Message>,
        /// Frontend tools, shared with subagents.
        tools: Option<Arc<[Tool]>> => with_tools,
        /// Facts for the model, shared with subagents.
        context: Option<Arc<[Context]>> => with_context,
        /// Any data that the application passes through.
        forwarded_props as "forwardedProps": Option<NonNull> => with_forwarded_props,
        /// Resume entries for the previous run's interrupts.
        resume: Option<Arc<[ResumeEntry]>> => with_resume,
    }
}

impl RunAgentInput {
    /// Returns the frontend tools; empty if absent.
    #[must_use]
    pub fn tools(&self) -> &[Tool] {
        self.tools.as_deref().unwrap_or_default()
    }

    /// Returns the facts for the model; empty if absent.
    #[must_use]
    pub fn context(&self) -> &[Context] {
        self.context.as_deref().unwrap_or_default()
    }

    /// Returns the resume entries; empty if absent.
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
        /// The value's meaning.
        description: String,
        /// The value.
        value: String,
    }
}

object! {
    /// A tool that the model may call, in its JSON form; [`Tool`](trait@crate::Tool) is the typed form.
    ///
    /// ```
    /// use agui_runtime::protocol::Tool;
    ///
    /// let tool = Tool::new("show_map", "Shows a map.");
    /// assert_eq!(serde_json::to_string(&tool).unwrap(), r#"{"name":"show_map","description":"Shows a map."}"#);
    /// ```
    pub struct Tool {
        /// The tool name that the model uses.
        name: String,
        /// The tool's purpose, for the model.
        description: String,
        /// Schema for the arguments, a JSON Schema by convention.
        parameters: Option<NonNull> => with_parameters,
        /// Free data.
        metadata: Option<Metadata> => with_metadata,
    }
}
