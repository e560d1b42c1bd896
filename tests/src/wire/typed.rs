//! The Rust type of each definition of the schema, as functions over JSON text.

use std::fmt::Debug;

use agui_runtime::protocol::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads JSON text as the Rust type of a definition and writes it again.
pub type RoundTrip = fn(&str) -> Result<String, String>;

/// Reads JSON text as a `T`, checks that it is read the same from a JSON value and from its own output, and writes it.
///
/// # Errors
/// Returns the error of reading, with its place.
pub fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(text: &str) -> Result<String, String> {
    let value: T = read(text)?;
    let tree: Value = serde_json::from_str(text).expect("what was read is JSON");
    let from_tree: T = serde_json::from_value(tree).expect("read from a value what was read from text");
    assert_eq!(value, from_tree);
    let written = serde_json::to_string(&value).expect("wire types are always written");
    assert_eq!(read::<T>(&written).expect("what was written is read"), value);
    Ok(written)
}

/// Reads JSON text as a `T`.
///
/// # Errors
/// `path: message`.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text))
        .map_err(|error| format!("{}: {}", error.path(), error.inner()))
}

macro_rules! typed {
    ($($Type:ident $(= $definition:literal)?),* $(,)?) => {
        /// Every definition of the schema that is a type of ours, by name.
        pub const TYPED: &[(&str, RoundTrip)] = &[$((typed!(@name $Type $($definition)?), round_trip::<$Type>)),*];
    };
    (@name $Type:ident) => { stringify!($Type) };
    (@name $Type:ident $definition:literal) => { $definition };
}

type State = Value;

typed! {
    Event, EventType, Metadata, State, SubagentRunId, TextMessageRole, Role, ReasoningEncryptedValueSubtype,
    TextMessageStartEvent, TextMessageContentEvent, TextMessageEndEvent, TextMessageChunkEvent,
    ToolCallStartEvent, ToolCallArgsEvent, ToolCallEndEvent, ToolCallChunkEvent, ToolCallResultEvent,
    StateSnapshotEvent, StateDeltaEvent, MessagesSnapshotEvent, ActivitySnapshotEvent, ActivityDeltaEvent,
    RawEvent, CustomEvent, RunStartedEvent, RunFinishedEvent, RunErrorEvent, StepStartedEvent, StepFinishedEvent,
    ReasoningStartEvent, ReasoningMessageStartEvent, ReasoningMessageContentEvent, ReasoningMessageEndEvent,
    ReasoningMessageChunkEvent, ReasoningEndEvent, ReasoningEncryptedValueEvent,
    SubagentStartedEvent, SubagentFinishedEvent, SubagentErrorEvent,
    RunFinishedOutcome, RunFinishedSuccessOutcome, RunFinishedInterruptOutcome, RunFinishedCancelledOutcome,
    SubagentFinishedOutcome, SubagentFinishedSuccessOutcome, SubagentFinishedSuspendedOutcome,
    Interrupt, ResumeEntry, TokenUsage,
    Message, DeveloperMessage, SystemMessage, AssistantMessage, UserMessage, ToolMessage, ActivityMessage,
    ReasoningMessage, ToolCall, FunctionCall,
    ContentPart, TextPart, ImagePart, AudioPart, VideoPart, DocumentPart,
    PartSource, DataSource, UrlSource, FileSource,
    RunAgentInput, Context, Tool,
    JsonPatch, PatchOperation = "JsonPatchOperation", JsonPointer,
    AddOperation, RemoveOperation, ReplaceOperation, MoveOperation, CopyOperation, TestOperation,
    AgentCapabilities, SubagentInfo, IdentityCapabilities, TransportCapabilities, ToolsCapabilities,
    OutputCapabilities, StateCapabilities, MultiAgentCapabilities, ReasoningCapabilities, MultimodalCapabilities,
    MultimodalInputCapabilities, MultimodalOutputCapabilities, ExecutionCapabilities, HumanInTheLoopCapabilities,
}

/// Definitions that others are composed of; they have no documents of their own.
pub const FRAGMENTS: &[&str] = &["BaseEvent", "Attributable", "BaseMessage"];

/// The Rust type of a definition.
#[must_use]
pub fn typed(definition: &str) -> RoundTrip {
    let found = TYPED.iter().find(|(name, _)| *name == definition);
    found.unwrap_or_else(|| panic!("{definition} has no Rust type")).1
}
