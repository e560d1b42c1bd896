//! AG-UI 1.0 as types: every event, message, input and declaration, with their JSON.
//!
//! | file | holds |
//! |---|---|
//! | `event` | the table with the 31 events: name, struct, family, effect |
//! | `run` `text` `tool_call` `state` `activity` `reasoning` `subagent` `passthrough` | the events, one family each |
//! | `outcome` `usage` `interrupt` | run outcomes, token counts and interrupts |
//! | `message` `content` | the conversation |
//! | `input` `capabilities` | run input, and agent declaration |
//! | `patch` `pointer` `written` | changes to JSON documents |
//! | `id` `number` `json` `metadata` | the parts of all these types |
//! | `effect` `operands` | the event table's vocabulary |
//! | `base` `object` `union` `string_set` | the macros that declare, read and write the types |
//! | `shape` | the same declarations as data |
//! | `scan` `print` | the fast reader for well-formed text, and the fast writer |
//! | `lazy` `transcode` `meter` `metered` | JSON that stays text, written without a tree, and its memory when read |
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

mod activity;
pub(crate) mod allowance;
mod base;
mod capabilities;
mod content;
mod effect;
mod event;
mod event_fields;
mod frontend_tool;
mod id;
mod input;
mod interrupt;
mod into_member;
mod json;
mod lazy;
pub(crate) mod members;
mod message;
mod metadata;
pub(crate) mod meter;
mod metered;
mod number;
mod object;
#[cfg(feature = "receive")]
mod open_interrupts;
mod operands;
mod operation;
mod outcome;
mod passthrough;
mod patch;
mod pointer;
pub(crate) mod print;
mod printed;
mod reasoning;
mod run;
pub(crate) mod scan;
#[cfg(feature = "receive")]
mod scanned;
mod scope_id;
pub(crate) mod shape;
mod state;
mod string_set;
mod subagent;
mod text;
mod tool_annotations;
mod tool_call;
mod tool_side;
mod transcode;
mod union;
mod usage;
mod written;

pub use activity::{ActivityDeltaEvent, ActivitySnapshotEvent};
pub use capabilities::{
    AgentCapabilities, ExecutionCapabilities, HumanInTheLoopCapabilities, IdentityCapabilities,
    MultiAgentCapabilities, MultimodalCapabilities, MultimodalInputCapabilities,
    MultimodalOutputCapabilities, OutputCapabilities, ReasoningCapabilities, StateCapabilities, SubagentInfo,
    ToolsCapabilities, TransportCapabilities,
};
pub use content::{
    AudioPart, Content, ContentPart, DataSource, DocumentPart, FileSource, ImagePart, PartSource, TextPart,
    UrlSource, VideoPart,
};
pub use effect::{Effect, Family, Scope};
pub use event::{Event, EventType};
pub use frontend_tool::FrontendTool;
#[cfg(test)]
pub(crate) use id::looks;
pub use id::{InterruptId, MessageId, RunId, SubagentRunId, ThreadId, ToolCallId};
pub use input::{Context, RunAgentInput, Tool};
pub use interrupt::{Interrupt, Interrupts, NoInterrupts, ResumeEntry, ResumeStatus};
pub use into_member::IntoMember;
pub(crate) use json::object;
pub use json::{JsonObject, NonNull, NullValue};
pub use lazy::LazyJson;
pub(crate) use lazy::ReadError;
pub use message::{
    ActivityMessage, AssistantMessage, DeveloperMessage, FunctionCall, Message, ReasoningMessage, Role,
    SystemMessage, ToolCall, ToolMessage, UserMessage,
};
pub use metadata::Metadata;
pub use number::{Count, OutOfRange, Timestamp};
pub use operands::Operands;
pub use outcome::{
    RunFinishedCancelledOutcome, RunFinishedInterruptOutcome, RunFinishedOutcome, RunFinishedSuccessOutcome,
};
pub use passthrough::{CustomEvent, RawEvent};
pub use patch::{
    AddOperation, CopyOperation, MoveOperation, PatchOperation, RemoveOperation, ReplaceOperation,
    TestOperation,
};
pub use pointer::{InvalidPointer, JsonPointer};
pub use reasoning::{
    ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype, ReasoningEndEvent,
    ReasoningMessageChunkEvent, ReasoningMessageContentEvent, ReasoningMessageEndEvent,
    ReasoningMessageStartEvent, ReasoningStartEvent,
};
pub use run::{RunErrorEvent, RunFinishedEvent, RunStartedEvent, StepFinishedEvent, StepStartedEvent};
pub use state::{MessagesSnapshotEvent, StateDeltaEvent, StateSnapshotEvent};
pub use string_set::UnknownName;
pub use subagent::{
    SubagentErrorEvent, SubagentFinishedEvent, SubagentFinishedOutcome, SubagentFinishedSuccessOutcome,
    SubagentFinishedSuspendedOutcome, SubagentStartedEvent,
};
pub use text::{
    TextMessageChunkEvent, TextMessageContentEvent, TextMessageEndEvent, TextMessageRole,
    TextMessageStartEvent,
};
pub use tool_annotations::ToolAnnotations;
pub use tool_call::{
    ToolCallArgsEvent, ToolCallChunkEvent, ToolCallEndEvent, ToolCallResultEvent, ToolCallStartEvent,
    ToolResultRole,
};
pub use tool_side::ToolSide;
pub use usage::TokenUsage;
pub use written::{JsonDocument, JsonPatch};

/// This crate's protocol version, sent as `protocolVersion` (AG-UI 1.0, section "Negotiation").
pub const PROTOCOL_VERSION: &str = "1.0";
