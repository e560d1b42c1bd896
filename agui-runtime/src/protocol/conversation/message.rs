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
    /// The role of a message: its author.
    ///
    /// ```
    /// use agui_runtime::protocol::{AssistantMessage, Message, Role, UserMessage};
    ///
    /// let messages: [Message; 2] = [UserMessage::new("u-1", "Hi").into(), AssistantMessage::new("m-1").into()];
    /// assert_eq!(messages.iter().filter(|message| message.role() == Role::User).count(), 1);
    /// ```
    pub enum Role: "role" {
        /// Instructions of the developer.
        Developer = DeveloperMessage::ROLE,
        /// Instructions of the system.
        System = SystemMessage::ROLE,
        /// The agent.
        Assistant = AssistantMessage::ROLE,
        /// The user.
        User = UserMessage::ROLE,
        /// A tool that answers a call.
        Tool = ToolMessage::ROLE,
        /// Content to display; the consumer keeps it and never sends it to an agent.
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
    /// One message of the conversation.
    ///
    /// ```
    /// use agui_runtime::protocol::{Message, Role, UserMessage};
    ///
    /// let message = Message::from(UserMessage::new("u-1", "And this?"));
    /// assert_eq!(serde_json::to_string(&message).unwrap(), r#"{"id":"u-1","role":"user","content":"And this?"}"#);
    /// assert_eq!(message.role(), Role::User);
    /// ```
    pub enum Message: "role" = ROLE, "a message" {
        /// Instructions of the developer.
        Developer(DeveloperMessage),
        /// Instructions of the system.
        System(SystemMessage),
        /// Text or calls of the agent.
        Assistant(AssistantMessage),
        /// A message of the user.
        User(UserMessage),
        /// The result of a tool call.
        Tool(ToolMessage),
        /// Content to display.
        Activity(ActivityMessage),
        /// Reasoning of the agent.
        Reasoning(ReasoningMessage),
    }
}

/// The accessors that every message has.
macro_rules! common {
    ($($Variant:ident)*) => {
        impl Message {
            /// Returns the role.
            ///
            /// ```
            /// use agui_runtime::protocol::{Message, Role, UserMessage};
            ///
            /// let message: Message = UserMessage::new("u-1", "Hi").into();
            /// assert_eq!(message.role(), Role::User);
            /// ```
            #[must_use]
            pub fn role(&self) -> Role {
                match self { $(Self::$Variant(_) => Role::$Variant,)* }
            }

            /// Returns the id.
            ///
            /// ```
            /// use agui_runtime::protocol::{Message, UserMessage};
            ///
            /// let message: Message = UserMessage::new("u-1", "Hi").into();
            /// assert_eq!(message.id().as_str(), "u-1");
            /// ```
            #[must_use]
            pub fn id(&self) -> &MessageId {
                match self { $(Self::$Variant(message) => &message.id,)* }
            }

            /// Returns the metadata.
            ///
            /// ```
            /// use agui_runtime::protocol::{Message, UserMessage};
            ///
            /// let message: Message = UserMessage::new("u-1", "Hi").into();
            /// assert_eq!(message.metadata(), None);
            /// ```
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
            ///
            /// ```
            /// use agui_runtime::protocol::{AssistantMessage, Message};
            ///
            /// let message: Message = AssistantMessage::new("m-1").with_subagent_run_id("s-1").into();
            /// assert_eq!(message.subagent_run_id().unwrap().as_str(), "s-1");
            /// ```
            #[must_use]
            pub fn subagent_run_id(&self) -> Option<&SubagentRunId> {
                match self { $(Self::$Variant(message) => message.subagent_run_id.as_ref(),)* }
            }

            /// Returns the tag of the subagent for writing: set or remove it.
            ///
            /// ```
            /// use agui_runtime::protocol::{AssistantMessage, Message};
            ///
            /// let mut message: Message = AssistantMessage::new("m-1").with_subagent_run_id("s-1").into();
            /// *message.subagent_run_id_mut() = None;
            /// assert_eq!(message, AssistantMessage::new("m-1").into());
            /// ```
            pub fn subagent_run_id_mut(&mut self) -> &mut Option<SubagentRunId> {
                match self { $(Self::$Variant(message) => &mut message.subagent_run_id,)* }
            }
        }
    };
}

common! { Developer System Assistant User Tool Activity Reasoning }

/// Declares a message: its own members, and around them those that every message has.
macro_rules! message {
    ($(#[$meta:meta])* pub struct $Name:ident = $role:literal { $($members:tt)* }) => {
        object! {
            $(#[$meta])*
            pub struct $Name {
                /// The id of the message.
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
    /// Instructions of the developer.
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
        /// A name to display.
        name: Option<String> => with_name,
        /// A value that only the model provider can read; it is sent back unchanged.
        encrypted_value as "encryptedValue": Option<String> => with_encrypted_value,
    }
}

message! {
    /// Instructions of the system.
    ///
    /// ```
    /// use agui_runtime::protocol::SystemMessage;
    ///
    /// let message = SystemMessage::new("s-1", "You are a cook.");
    /// assert_eq!(
    ///     serde_json::to_string(&message).unwrap(),
    ///     r#"{"id":"s-1","role":"system","content":"You are a cook."}"#,
    /// );
    /// ```
    pub struct SystemMessage = "system" {
        /// The text.
        content: String,
        /// A name to display.
        name: Option<String> => with_name,
        /// A value that only the model provider can read; it is sent back unchanged.
        encrypted_value as "encryptedValue": Option<String> => with_encrypted_value,
    }
}

message! {
    /// Text or calls of the agent.
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
        /// A name to display.
        name: Option<String> => with_name,
        /// A value that only the model provider can read; it is sent back unchanged.
        encrypted_value as "encryptedValue": Option<String> => with_encrypted_value,
    }
}

impl Message {
    /// The tools it calls; only an assistant's message has any.
    pub(crate) fn tool_calls(&self) -> &[ToolCall] {
        match self {
            Self::Assistant(assistant) => assistant.tool_calls(),
            _ => &[],
        }
    }
}

impl AssistantMessage {
    /// Returns the tool calls; empty if absent.
    ///
    /// ```
    /// use agui_runtime::protocol::AssistantMessage;
    ///
    /// assert!(AssistantMessage::new("m-1").tool_calls().is_empty());
    /// ```
    #[must_use]
    pub fn tool_calls(&self) -> &[ToolCall] {
        self.tool_calls.as_deref().unwrap_or_default()
    }
}

message! {
    /// A message of the user.
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
        /// A name to display.
        name: Option<String> => with_name,
        /// A value that only the model provider can read; it is sent back unchanged.
        encrypted_value as "encryptedValue": Option<String> => with_encrypted_value,
    }
}

message! {
    /// The result of a tool call.
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
        /// The result of the tool.
        content: Content,
        /// The call.
        tool_call_id as "toolCallId": ToolCallId,
        /// The error of the tool, if it failed.
        error: Option<String> => with_error,
        /// A value that only the model provider can read; it is sent back unchanged.
        encrypted_value as "encryptedValue": Option<String> => with_encrypted_value,
    }
}

message! {
    /// Content to display; it stays at the consumer.
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
        /// The kind of activity.
        activity_type as "activityType": String,
        /// The content; its members are free.
        content: LazyJson<JsonObject>,
    }
}

message! {
    /// Reasoning of the agent; sent back with the next input.
    ///
    /// ```
    /// use agui_runtime::protocol::ReasoningMessage;
    ///
    /// let message = ReasoningMessage::new("rm-1", "The sky is grey.").with_encrypted_value("gAAA");
    /// assert_eq!(
    ///     serde_json::to_string(&message).unwrap(),
    ///     r#"{"id":"rm-1","role":"reasoning","content":"The sky is grey.","encryptedValue":"gAAA"}"#,
    /// );
    /// ```
    pub struct ReasoningMessage = "reasoning" {
        /// The text.
        content: String,
        /// A value that only the model provider can read; it is sent back unchanged.
        encrypted_value as "encryptedValue": Option<String> => with_encrypted_value,
    }
}

object! {
    /// A call of a tool, on the assistant message that made it. It has the owner of that message.
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
        /// The id of the call.
        id: ToolCallId,
        const TYPE: "type" = "function";
        /// The called tool and its arguments.
        function: FunctionCall,
        /// A value that only the model provider can read; it is sent back unchanged.
        encrypted_value as "encryptedValue": Option<String> => with_encrypted_value,
        /// Free data of the call, never merged into that of its message.
        metadata: Option<Metadata> => with_metadata,
    }
}

object! {
    /// The called tool and its arguments.
    ///
    /// ```
    /// use agui_runtime::protocol::FunctionCall;
    ///
    /// let call = FunctionCall::new("forecast", r#"{"city":"Oslo"}"#);
    /// let arguments: serde_json::Value = serde_json::from_str(&call.arguments).unwrap();
    /// assert_eq!(arguments["city"], "Oslo");
    /// ```
    pub struct FunctionCall {
        /// The name of the tool.
        name: String,
        /// JSON text as the model wrote it: possibly empty, partial or invalid.
        arguments: String,
    }
}
