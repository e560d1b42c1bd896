//! The conversation, message by message (AG-UI 1.0, sections "Roles", "Messages" and "`ToolCall`").

use super::content::Content;
use crate::protocol::any_json::json::JsonObject;
use crate::protocol::any_json::lazy::LazyJson;
use crate::protocol::events::text::TextMessageRole;
use crate::protocol::forms::object::object;
use crate::protocol::forms::string_set::string_set;
use crate::protocol::forms::union::union;
use crate::protocol::id::{MessageId, SubagentRunId, ToolCallId};
use crate::protocol::metadata::Metadata;

string_set! {
    /// A message's role: its author.
    ///
    /// ```
    /// use agui_runtime::protocol::{AssistantMessage, Message, Role, UserMessage};
    ///
    /// let messages: [Message; 2] = [UserMessage::new("u-1", "Hi").into(), AssistantMessage::new("m-1").into()];
    /// assert_eq!(messages.iter().filter(|message| message.role() == Role::User).count(), 1);
    /// ```
    pub enum Role: "role" {
        /// Developer instructions.
        Developer = DeveloperMessage::ROLE,
        /// System instructions.
        System = SystemMessage::ROLE,
        /// The agent.
        Assistant = AssistantMessage::ROLE,
        /// The user.
        User = UserMessage::ROLE,
        /// A tool result.
        Tool = ToolMessage::ROLE,
        /// Content to display; the consumer keeps such a message and never sends it to an agent.
        Activity = ActivityMessage::ROLE,
        /// The agent's reasoning.
        Reasoning = ReasoningMessage::ROLE,
    }
}

impl From<TextMessageRole> for Role {
    fn from(role: TextMessageRole) -> Self {
        match role {
            TextMessageRole::Developer => Self::Developer,
            TextMessageRole::System => Self::System,
            TextMessageRole::Assistant => Self::Assistant,
            TextMessageRole::User => Self::User,
        }
    }
}

union! {
    /// One message in the conversation.
    ///
    /// ```
    /// use agui_runtime::protocol::{Message, Role, UserMessage};
    ///
    /// let message = Message::from(UserMessage::new("u-1", "And this?"));
    /// assert_eq!(serde_json::to_string(&message).unwrap(), r#"{"id":"u-1","role":"user","content":"And this?"}"#);
    /// assert_eq!(message.role(), Role::User);
    /// ```
    pub enum Message: "role" = ROLE, "a message" {
        /// Developer instructions.
        Developer(DeveloperMessage),
        /// System instructions.
        System(SystemMessage),
        /// The agent's text or calls.
        Assistant(AssistantMessage),
        /// A user message.
        User(UserMessage),
        /// A tool result.
        Tool(ToolMessage),
        /// Content to display.
        Activity(ActivityMessage),
        /// The agent's reasoning.
        Reasoning(ReasoningMessage),
    }
}

/// The accessors that every message has.
macro_rules! common {
    ($($Variant:ident)*) => {
        impl Message {
            /// Returns the role.
            #[must_use]
            pub fn role(&self) -> Role {
                match self { $(Self::$Variant(_) => Role::$Variant,)* }
            }

            /// Returns the id.
            #[must_use]
            pub fn id(&self) -> &MessageId {
                match self { $(Self::$Variant(message) => &message.id,)* }
            }

            /// Returns the metadata.
            #[must_use]
            pub fn metadata(&self) -> Option<&Metadata> {
                match self { $(Self::$Variant(message) => message.metadata.as_ref(),)* }
            }

            /// Returns the metadata for writing: set, merge or remove it.
            ///
            /// ```
            /// use agui_runtime::protocol::{Message, UserMessage};
            ///
            /// let mut message: Message = UserMessage::new("u-1", "Hi").into();
            /// message.metadata_mut().get_or_insert_default().insert("acme/lang".into(), "en".into());
            /// assert_eq!(message.metadata().unwrap()["acme/lang"], "en");
            /// ```
            pub fn metadata_mut(&mut self) -> &mut Option<Metadata> {
                match self { $(Self::$Variant(message) => &mut message.metadata,)* }
            }

            /// Returns the subagent invocation that the message belongs to; `None` means the parent agent.
            #[must_use]
            pub fn subagent_run_id(&self) -> Option<&SubagentRunId> {
                match self { $(Self::$Variant(message) => message.subagent_run_id.as_ref(),)* }
            }

            /// Returns the subagent tag for writing: set or remove it.
            pub fn subagent_run_id_mut(&mut self) -> &mut Option<SubagentRunId> {
                match self { $(Self::$Variant(message) => &mut message.subagent_run_id,)* }
            }
        }
    };
}

common! { Developer System Assistant User Tool Activity Reasoning }

/// Declares a message: its own members, and around them the members that every message has.
macro_rules! message {
    ($(#[$meta:meta])* pub struct $Name:ident = $role:literal { $($members:tt)* }) => {
        object! {
            $(#[$meta])*
            pub struct $Name {
                /// Message id.
                id: MessageId,
                const ROLE: "role" = $role;
                $($members)*
                /// Free data.
                metadata: Option<Metadata> => with_metadata,
                /// The subagent invocation that the message belongs to; absent means the parent agent.
                subagent_run_id as "subagentRunId": Option<SubagentRunId> => with_subagent_run_id,
            }
        }
    };
}

message! {
    /// Developer instructions.
    ///
    /// ```
    /// use agui_runtime::protocol::DeveloperMessage;
    ///
    /// let message = DeveloperMessage::new("d-1", "Answer in one sentence.");
    /// assert_eq!(
    ///     serde_json::to_string(&message).unwrap(),
    ///     r#"{"id":"d-1","role":"developer","content":"Answer in one sentence."}"#,
    /// );
    /// ```
    pub struct DeveloperMessage = "developer" {
        /// The text.
        content: String,
        /// Display name.
        name: Option<String> => with_name,
        /// A value that only the model provider can read; sent back unchanged.
        encrypted_value as "encryptedValue": Option<String> => with_encrypted_value,
        /// The kind of the encrypted value, defined by its producer; opaque, and replaced with the value.
        encrypted_value_type as "encryptedValueType": Option<String> => with_encrypted_value_type [since V1_1],
    }
}

message! {
    /// System instructions, built like a [`DeveloperMessage`].
    pub struct SystemMessage = "system" {
        /// The text.
        content: String,
        /// Display name.
        name: Option<String> => with_name,
        /// A value that only the model provider can read; sent back unchanged.
        encrypted_value as "encryptedValue": Option<String> => with_encrypted_value,
        /// The kind of the encrypted value, defined by its producer; opaque, and replaced with the value.
        encrypted_value_type as "encryptedValueType": Option<String> => with_encrypted_value_type [since V1_1],
    }
}

message! {
    /// The agent's text or calls.
    ///
    /// ```
    /// use agui_runtime::protocol::{AssistantMessage, FunctionCall, ToolCall};
    ///
    /// let call = ToolCall::new("c-1", FunctionCall::new("forecast", r#"{"city":"Oslo"}"#));
    /// let message = AssistantMessage::new("m-1").with_content("Let me look.").with_tool_calls([call]);
    /// assert_eq!(message.tool_calls()[0].function.name, "forecast");
    /// ```
    pub struct AssistantMessage = "assistant" {
        /// The text; never parts.
        content: Option<String> => with_content,
        /// The tool calls.
        tool_calls as "toolCalls": Option<Vec<ToolCall>> => with_tool_calls,
        /// Display name.
        name: Option<String> => with_name,
        /// A value that only the model provider can read; sent back unchanged.
        encrypted_value as "encryptedValue": Option<String> => with_encrypted_value,
        /// The kind of the encrypted value, defined by its producer; opaque, and replaced with the value.
        encrypted_value_type as "encryptedValueType": Option<String> => with_encrypted_value_type [since V1_1],
    }
}

impl Message {
    /// Returns the called tools; only assistant messages have calls.
    pub(crate) fn tool_calls(&self) -> &[ToolCall] {
        match self {
            Self::Assistant(assistant) => assistant.tool_calls(),
            _ => &[],
        }
    }
}

impl AssistantMessage {
    /// Returns the tool calls; empty if absent.
    #[must_use]
    pub fn tool_calls(&self) -> &[ToolCall] {
        self.tool_calls.as_deref().unwrap_or_default()
    }
}

message! {
    /// A user message.
    ///
    /// ```
    /// use agui_runtime::protocol::{RunAgentInput, UserMessage};
    ///
    /// let question = UserMessage::new("u-1", "Is it raining?").with_name("Ada");
    /// assert_eq!(question.content.text(), "Is it raining?");
    /// let input = RunAgentInput::new("t-1", "r-1", [question.into()]);
    /// assert_eq!(input.messages.len(), 1);
    /// ```
    pub struct UserMessage = "user" {
        /// The text or parts.
        content: Content,
        /// Display name.
        name: Option<String> => with_name,
        /// A value that only the model provider can read; sent back unchanged.
        encrypted_value as "encryptedValue": Option<String> => with_encrypted_value,
        /// The kind of the encrypted value, defined by its producer; opaque, and replaced with the value.
        encrypted_value_type as "encryptedValueType": Option<String> => with_encrypted_value_type [since V1_1],
    }
}

message! {
    /// A tool result.
    ///
    /// ```
    /// use agui_runtime::protocol::ToolMessage;
    ///
    /// let result = ToolMessage::new("m-2", "Rain until noon.", "c-1");
    /// assert_eq!(
    ///     serde_json::to_string(&result).unwrap(),
    ///     r#"{"id":"m-2","role":"tool","content":"Rain until noon.","toolCallId":"c-1"}"#,
    /// );
    /// ```
    pub struct ToolMessage = "tool" {
        /// The result.
        content: Content,
        /// The call.
        tool_call_id as "toolCallId": ToolCallId,
        /// The tool's error, if the call failed.
        error: Option<String> => with_error,
        /// A value that only the model provider can read; sent back unchanged.
        encrypted_value as "encryptedValue": Option<String> => with_encrypted_value,
        /// The kind of the encrypted value, defined by its producer; opaque, and replaced with the value.
        encrypted_value_type as "encryptedValueType": Option<String> => with_encrypted_value_type [since V1_1],
    }
}

message! {
    /// Content to display; stays at the consumer.
    ///
    /// ```
    /// use agui_runtime::protocol::{ActivityMessage, JsonObject};
    /// use serde_json::json;
    ///
    /// let content = JsonObject::from_iter([("done".to_owned(), json!(["umbrella"]))]);
    /// let message = ActivityMessage::new("a-1", "PACKING", content);
    /// assert_eq!(message.content["done"][0], "umbrella");
    /// ```
    pub struct ActivityMessage = "activity" {
        /// Activity type.
        activity_type as "activityType": String,
        /// The content; its members are free.
        content: LazyJson<JsonObject>,
    }
}

message! {
    /// The agent's reasoning; sent back with the next input. Built like a [`DeveloperMessage`].
    pub struct ReasoningMessage = "reasoning" {
        /// The text.
        content: String,
        /// A value that only the model provider can read; sent back unchanged.
        encrypted_value as "encryptedValue": Option<String> => with_encrypted_value,
        /// The kind of the encrypted value, defined by its producer; opaque, and replaced with the value.
        encrypted_value_type as "encryptedValueType": Option<String> => with_encrypted_value_type [since V1_1],
    }
}

object! {
    /// A tool call on the assistant message that made the call. Owned by the same agent as that message.
    ///
    /// ```
    /// use agui_runtime::protocol::{FunctionCall, ToolCall};
    ///
    /// let call = ToolCall::new("c-1", FunctionCall::new("forecast", "{}"));
    /// assert_eq!(
    ///     serde_json::to_string(&call).unwrap(),
    ///     r#"{"id":"c-1","type":"function","function":{"name":"forecast","arguments":"{}"}}"#,
    /// );
    /// ```
    pub struct ToolCall {
        /// Call id.
        id: ToolCallId,
        const TYPE: "type" = "function";
        /// The called tool and its arguments.
        function: FunctionCall,
        /// A value that only the model provider can read; sent back unchanged.
        encrypted_value as "encryptedValue": Option<String> => with_encrypted_value,
        /// The kind of the encrypted value, defined by its producer; opaque, and replaced with the value.
        encrypted_value_type as "encryptedValueType": Option<String> => with_encrypted_value_type [since V1_1],
        /// Free data for the call, never merged into the message's metadata.
        metadata: Option<Metadata> => with_metadata,
    }
}

object! {
    /// The called tool and its arguments, in a [`ToolCall`].
    pub struct FunctionCall {
        /// Tool name.
        name: String,
        /// JSON text as the model wrote it: possibly empty, partial or invalid.
        arguments: String,
    }
}
