//! What a run is asked with (AG-UI 1.0, sections "`RunAgentInput`" and "Context, Tool").

use super::id::{RunId, ThreadId};
use super::interrupt::ResumeEntry;
use super::json::NonNull;
use super::message::Message;
use super::metadata::Metadata;
use super::object::object;

object! {
    /// The request body of a run; also echoed in `RUN_STARTED`.
    ///
    /// An absent list and an empty one mean the same and are kept apart, so that what was read is written back as it was:
    /// use [`tools`](Self::tools), [`context`](Self::context) and [`resume`](Self::resume) to look at them.
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
        thread_id: ThreadId,
        /// The run; never used twice on a thread.
        run_id: RunId,
        /// What the consumer speaks, `MAJOR.MINOR`; absent means older than 1.0.
        protocol_version: Option<String> => with_protocol_version,
        /// The run that started this one as a separate run.
        parent_run_id: Option<RunId> => with_parent_run_id,
        /// The shared state the run starts from; absent means `{}`, and `null` is read as absent.
        state: Option<NonNull> => with_state [null is absent],
        /// The whole conversation, oldest first.
        messages: Vec<Message>,
        /// The tools the frontend offers.
        tools: Option<Vec<Tool>> => with_tools,
        /// Things the model should know.
        context: Option<Vec<Context>> => with_context,
        /// Anything the application passes through.
        forwarded_props: Option<NonNull> => with_forwarded_props,
        /// The answers to the questions that stopped the run before.
        resume: Option<Vec<ResumeEntry>> => with_resume,
    }
}

impl RunAgentInput {
    /// The tools the frontend offers; empty if absent.
    #[must_use]
    pub fn tools(&self) -> &[Tool] {
        self.tools.as_deref().unwrap_or_default()
    }

    /// What the model should know; empty if absent.
    #[must_use]
    pub fn context(&self) -> &[Context] {
        self.context.as_deref().unwrap_or_default()
    }

    /// The answers to the run before; empty if absent.
    #[must_use]
    pub fn resume(&self) -> &[ResumeEntry] {
        self.resume.as_deref().unwrap_or_default()
    }
}

object! {
    /// Something the model should know.
    pub struct Context {
        /// What it is.
        description: String,
        /// What it says.
        value: String,
    }
}

object! {
    /// A tool the model may call.
    ///
    /// ```
    /// use agui_runtime::protocol::Tool;
    ///
    /// let tool = Tool::new("show_map", "Shows a map.");
    /// assert_eq!(serde_json::to_string(&tool).unwrap(), r#"{"name":"show_map","description":"Shows a map."}"#);
    /// ```
    pub struct Tool {
        /// What it is called by.
        name: String,
        /// What it does, for the model.
        description: String,
        /// Its arguments, a JSON Schema by convention.
        parameters: Option<NonNull> => with_parameters,
        /// Free data.
        metadata: Option<Metadata> => with_metadata,
    }
}
