//! AG-UI 1.1 as types: every event, message, input and declaration, with their JSON.
//!
//! | module | content |
//! |---|---|
//! | `events` | the event table, and the structs by family |
//! | `conversation` | messages, content, inputs, interrupts |
//! | `declaration` | capabilities and tool facts |
//! | `json_patch` | changes to JSON documents |
//! | `id` `number` `metadata` | the parts of all these types |
//! | `any_json` | JSON without a declared type |
//! | `version` | the versions of the protocol |
//! | `forms` | the macros that declare types, with readers and writers |
//!
//! # The rules, once
//!
//! - **Names.** A member is the Rust name in camelCase. Key order is the schema's: `type` first (on messages `id`, `role`),
//!   own members, then the members that every event has.
//! - **Absence.** Optional is `Option`: an absent member is not written, and `null` is refused when reading. Required
//!   members that may be `null` are [`serde_json::Value`]; optional ones that may be anything but `null` are [`NonNull`].
//! - **Constants.** Members with one legal value (a reasoning start's `role`, a call's `type`) have no field: they are
//!   always written, and checked when read.
//! - **Unknown members** are dropped when reading, except in patch operations and open objects. Unknown types, roles and
//!   other union members are errors. A receiver leaves them out with a warning before deserializing.
//! - **Growth.** Structs are `#[non_exhaustive]`: make them with `new` and `with_…`, or set their fields. Enums are
//!   exhaustive, so a protocol addition is a compile error at every match.
//!
//! ```
//! use agui_runtime::protocol::{Event, TextMessageContentEvent};
//!
//! let event: Event = TextMessageContentEvent::new("m-1", "Hello").with_timestamp(0).into();
//! let json = serde_json::to_string(&event).unwrap();
//! assert_eq!(json, r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m-1","delta":"Hello","timestamp":0}"#);
//! assert_eq!(serde_json::from_str::<Event>(&json).unwrap(), event);
//! ```

pub(crate) mod any_json;
mod conversation;
mod declaration;
mod events;
pub(crate) mod forms;
mod id;
mod json_patch;
mod metadata;
mod number;
pub(crate) mod version;

pub(crate) use any_json::json::object;
pub use any_json::json::{JsonObject, NonNull, NullValue};
pub(crate) use any_json::lazy::JsonReadError;
pub use any_json::lazy::LazyJson;
pub use any_json::written::{JsonDocument, JsonPatch};
pub use conversation::content::{
    AudioPart, Content, ContentPart, DataSource, DocumentPart, FileSource, ImagePart, PartSource, TextPart,
    UrlSource, VideoPart,
};
pub use conversation::encrypted::EncryptedValue;
pub use conversation::input::{Context, RunAgentInput, Tool};
pub use conversation::interrupt::{Interrupt, InterruptList, NoInterrupts, ResumeEntry, ResumeStatus};
pub use conversation::message::{
    ActivityMessage, AssistantMessage, DeveloperMessage, FunctionCall, Message, ReasoningMessage, Role,
    SystemMessage, ToolCall, ToolMessage, UserMessage,
};
pub use declaration::capabilities::{
    AgentCapabilities, ExecutionCapabilities, HumanInTheLoopCapabilities, IdentityCapabilities,
    MultiAgentCapabilities, MultimodalCapabilities, MultimodalInputCapabilities,
    MultimodalOutputCapabilities, OutputCapabilities, ReasoningCapabilities, StateCapabilities, SubagentInfo,
    ToolsCapabilities, TransportCapabilities,
};
pub use declaration::frontend_tool::FrontendTool;
pub use declaration::tool_annotations::ToolAnnotations;
pub use declaration::tool_side::ToolSide;
pub use events::activity::*;
pub use events::effect::{EventEffect, EventFamily, SpanKind};
pub use events::event::{Event, EventType};
pub(crate) use events::id_space::IdSpace;
pub use events::operands::EventOperands;
pub use events::outcome::{
    RunFinishedCancelledOutcome, RunFinishedInterruptOutcome, RunFinishedOutcome, RunFinishedSuccessOutcome,
};
pub use events::passthrough::*;
pub use events::reasoning::*;
pub use events::run::*;
#[cfg(all(test, feature = "receive"))]
pub(crate) use events::samples::SAMPLES;
#[cfg(test)]
pub(crate) use events::samples::sample_events;
pub use events::state::*;
pub use events::subagent::*;
#[cfg(feature = "proto")]
pub(crate) use events::table::event_table;
pub use events::text::*;
pub use events::tool_call::*;
#[cfg(feature = "receive")]
pub(crate) use events::treatment::CompactedForm;
#[cfg(feature = "dialect")]
pub(crate) use events::treatment::DialectForm;
pub use events::treatment::LegacyForm;
#[cfg(all(feature = "a2a", feature = "server"))]
pub(crate) use events::treatment::TaskForm;
pub(crate) use events::treatment::{ChunksForm, ForwardedForm, missing_code};
pub use events::usage::TokenUsage;
pub use forms::into_member::IntoMember;
pub use forms::string_set::UnknownName;
#[cfg(test)]
pub(crate) use id::looks;
pub use id::{InterruptId, MessageId, RunId, SubagentRunId, ThreadId, ToolCallId};
pub use json_patch::patch::{
    AddOperation, CopyOperation, MoveOperation, PatchOperation, RemoveOperation, ReplaceOperation,
    TestOperation,
};
pub use json_patch::pointer::{InvalidPointer, JsonPointer};
pub use metadata::Metadata;
pub use number::{Count, OutOfRange, Timestamp};
pub use version::{PROTOCOL_VERSION, ProtocolVersion};
