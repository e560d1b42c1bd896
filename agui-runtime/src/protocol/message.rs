//! The conversation, message by message (AG-UI 1.0, sections "Roles", "Messages" and "`ToolCall`").

use super::content::Content;
use super::id::{MessageId, SubagentRunId, ToolCallId};
use super::json::JsonObject;
use super::lazy::LazyJson;
use super::metadata::Metadata;
use super::object::object;
use super::string_set::string_set;
use super::text::TextMessageRole;
use super::union::union;

string_set! {
    /// Who a message is from.
    pub enum Role: "role" {
        /// Instructions of the developer.
        Developer = DeveloperMessage::ROLE,
        /// Instructions of the system.
        System = SystemMessage::ROLE,
        /// The agent.
        Assistant = AssistantMessage::ROLE,
        /// The person.
        User = UserMessage::ROLE,
        /// A tool, answering a call.
        Tool = ToolMessage::ROLE,
        /// Something to show, kept by the consumer and never sent to an agent.
        Activity = ActivityMessage::ROLE,
        /// The agent, thinking.
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
        /// Something the agent said or called.
        Assistant(AssistantMessage),
        /// Something the person said.
        User(UserMessage),
        /// The answer to a tool call.
        Tool(ToolMessage),
        /// Something to show.
        Activity(ActivityMessage),
        /// Something the agent thought.
        Reasoning(ReasoningMessage),
    }
}

/// What every message has.
macro_rules! common {
    ($($Variant:ident)*) => {
        impl Message {
            /// Who it is from.
            #[must_use]
            pub fn role(&self) -> Role {
                match self { $(Self::$Variant(_) => Role::$Variant,)* }
            }

            /// Its id.
            #[must_use]
            pub fn id(&self) -> &MessageId {
                match self { $(Self::$Variant(message) => &message.id,)* }
            }

            /// Its metadata.
            #[must_use]
            pub fn metadata(&self) -> Option<&Metadata> {
                match self { $(Self::$Variant(message) => message.metadata.as_ref(),)* }
            }

            /// Where its metadata is, to set, merge or remove it.
            pub fn metadata_mut(&mut self) -> &mut Option<Metadata> {
                match self { $(Self::$Variant(message) => &mut message.metadata,)* }
            }

            /// The subagent invocation it belongs to; `None` means the parent agent.
            #[must_use]
            pub fn subagent_run_id(&self) -> Option<&SubagentRunId> {
                match self { $(Self::$Variant(message) => message.subagent_run_id.as_ref(),)* }
            }

            /// Where the tag of its subagent is, to set or remove it.
            pub fn subagent_run_id_mut(&mut self) -> &mut Option<SubagentRunId> {
                match self { $(Self::$Variant(message) => &mut message.subagent_run_id,)* }
            }
        }
    };
}

common! { Developer System Assistant User Tool Activity Reasoning }

/// Declares a message: the members every message has around its own.
macro_rules! message {
    ($(#[$meta:meta])* pub struct $Name:ident = $role:literal { $($members:tt)* }) => {
        object! {
            $(#[$meta])*
            pub struct $Name {
                /// The message.
                id: MessageId,
                const ROLE: "role" = $role;
                $($members)*
                /// Free data.
                metadata: Option<Metadata> => with_metadata,
                /// The subagent invocation it belongs to; absent means the parent agent.
                subagent_run_id: Option<SubagentRunId> => with_subagent_run_id,
            }
        }
    };
}

message! {
    /// Instructions of the developer.
    pub struct DeveloperMessage = "developer" {
        /// What it says.
        content: String,
        /// A name to display.
        name: Option<String> => with_name,
        /// A value only the model provider can read, sent back unchanged.
        encrypted_value: Option<String> => with_encrypted_value,
    }
}

message! {
    /// Instructions of the system.
    pub struct SystemMessage = "system" {
        /// What it says.
        content: String,
        /// A name to display.
        name: Option<String> => with_name,
        /// A value only the model provider can read, sent back unchanged.
        encrypted_value: Option<String> => with_encrypted_value,
    }
}

message! {
    /// Something the agent said or called.
    pub struct AssistantMessage = "assistant" {
        /// What it says; text only, never parts.
        content: Option<String> => with_content,
        /// The tools it calls.
        tool_calls: Option<Vec<ToolCall>> => with_tool_calls,
        /// A name to display.
        name: Option<String> => with_name,
        /// A value only the model provider can read, sent back unchanged.
        encrypted_value: Option<String> => with_encrypted_value,
    }
}

impl AssistantMessage {
    /// The tools it calls; empty if absent.
    #[must_use]
    pub fn tool_calls(&self) -> &[ToolCall] {
        self.tool_calls.as_deref().unwrap_or_default()
    }
}

message! {
    /// Something the person said.
    pub struct UserMessage = "user" {
        /// What it says or shows.
        content: Content,
        /// A name to display.
        name: Option<String> => with_name,
        /// A value only the model provider can read, sent back unchanged.
        encrypted_value: Option<String> => with_encrypted_value,
    }
}

message! {
    /// The answer to a tool call.
    pub struct ToolMessage = "tool" {
        /// What the tool returned.
        content: Content,
        /// The call.
        tool_call_id: ToolCallId,
        /// What went wrong, if something did.
        error: Option<String> => with_error,
        /// A value only the model provider can read, sent back unchanged.
        encrypted_value: Option<String> => with_encrypted_value,
    }
}

message! {
    /// Something to show; it stays at the consumer.
    pub struct ActivityMessage = "activity" {
        /// What kind of activity.
        activity_type: String,
        /// The content, open.
        content: LazyJson<JsonObject>,
    }
}

message! {
    /// Something the agent thought; sent back with the next input.
    pub struct ReasoningMessage = "reasoning" {
        /// What it says.
        content: String,
        /// A value only the model provider can read, sent back unchanged.
        encrypted_value: Option<String> => with_encrypted_value,
    }
}

object! {
    /// A call of a tool, on the assistant message that made it. It belongs to whoever owns that message.
    pub struct ToolCall {
        /// The call.
        id: ToolCallId,
        const TYPE: "type" = "function";
        /// What is called.
        function: FunctionCall,
        /// A value only the model provider can read, sent back unchanged.
        encrypted_value: Option<String> => with_encrypted_value,
        /// The call's own free data, never folded into its message.
        metadata: Option<Metadata> => with_metadata,
    }
}

object! {
    /// The tool that is called, and with what.
    pub struct FunctionCall {
        /// The tool.
        name: String,
        /// JSON text as the model wrote it: possibly empty, partial or invalid.
        arguments: String,
    }
}
