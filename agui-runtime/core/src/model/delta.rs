//! A model's reply, piece by piece.

use serde::{Deserialize, Serialize};

use crate::protocol::{EncryptedValue, TokenUsage};

/// A piece of a model's reply.
///
/// A [`ChatModel`](super::ChatModel) returns a delta stream that ends with [`End`](Self::End). A stream without that end was cut
/// off: the turn fails with [`ModelError::Truncated`](super::ModelError::Truncated).
///
/// ```
/// use agui_runtime::model::{ReplyDelta, EndReason};
///
/// let answer = [ReplyDelta::Text("180 ".into()), ReplyDelta::Text("cents.".into()), ReplyDelta::End(EndReason::Stop)];
/// assert!(matches!(answer.last(), Some(ReplyDelta::End(EndReason::Stop))));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReplyDelta {
    /// More text for the user.
    Text(String),
    /// More reasoning.
    Reasoning(String),
    /// The provider's signature or encrypted form for the preceding reasoning, whole.
    EncryptedReasoning(EncryptedValue),
    /// A tool call piece.
    Call(CallDelta),
    /// The reply's token usage so far. A later count replaces an earlier one.
    Usage(TokenUsage),
    /// Another model writes the reply from here on. The text or the thought before this delta is broken off, and its usage is final.
    /// An error after a call, a text that has ended, or a signed thought alone.
    ModelChanged(ReplyModel),
    /// The end of the reply.
    End(EndReason),
}

/// The model that writes a reply.
///
/// ```
/// use agui_runtime::model::ReplyModel;
///
/// assert_eq!(ReplyModel::new("anthropic", "claude-sonnet-4-5").provider, "anthropic");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ReplyModel {
    /// The provider name, as [`ChatModel::provider`](super::ChatModel::provider) returns.
    pub provider: String,
    /// The model name at the provider.
    pub name: String,
    /// The class of the failure that the model before had, such as `overloaded`: `error.type` in traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl ReplyModel {
    /// Creates the content of a [`ReplyDelta::ModelChanged`].
    #[must_use]
    pub fn new(provider: impl Into<String>, name: impl Into<String>) -> Self {
        Self { provider: provider.into(), name: name.into(), reason: None }
    }

    /// Sets the class of the failure that the model before had.
    #[must_use]
    pub fn with_reason(self, reason: Option<String>) -> Self {
        Self { reason, ..self }
    }
}

/// A tool call piece.
///
/// `index` and `id` identify a call in a reply: two calls with the same index have different ids, and a piece without an id
/// belongs to the last call with its index. A call's first piece has the tool name; all other members may come with any piece. A
/// backend call is sent with its first argument: an id that comes later is ignored.
///
/// ```
/// use agui_runtime::model::CallDelta;
///
/// let first = CallDelta::new(0).with_tool("price").with_arguments(r#"{"name":"#);
/// let second = CallDelta::new(0).with_arguments(r#""rice"}"#);
/// assert_eq!(first.arguments + &second.arguments, r#"{"name":"rice"}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct CallDelta {
    /// The call's index in this reply.
    pub index: u32,
    /// The provider's call id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The tool name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// More JSON text for the arguments.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub arguments: String,
    /// The provider's call signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted: Option<EncryptedValue>,
}

impl CallDelta {
    /// Returns an empty piece for the call with this index; [`with_tool`](Self::with_tool) and others fill the piece.
    #[must_use]
    pub fn new(index: u32) -> Self {
        Self { index, ..Self::default() }
    }

    /// Sets the provider's call id.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets the tool name.
    #[must_use]
    pub fn with_tool(mut self, tool: impl Into<String>) -> Self {
        self.tool = Some(tool.into());
        self
    }

    /// Sets the text that is appended to the arguments.
    #[must_use]
    pub fn with_arguments(mut self, arguments: impl Into<String>) -> Self {
        self.arguments = arguments.into();
        self
    }
}

/// The reason why a model ended its reply.
///
/// ```
/// use agui_runtime::model::EndReason;
///
/// assert_ne!(EndReason::Stop, EndReason::OutputLimit);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EndReason {
    /// The model finished, or needs its calls' results.
    Stop,
    /// The reply reached the output token limit: its last part is incomplete.
    OutputLimit,
    /// The provider's filter ended the reply.
    ContentFilter,
    /// The model refused, and the text says so: the end of a chat that wants an [output](super::Chat::output), and a reply like
    /// any other for other chats.
    Refused,
    /// A provider-specific reason.
    Other(String),
}

impl EndReason {
    /// Returns the reason as OpenTelemetry names it (attribute `gen_ai.response.finish_reasons`). A model that calls tools stops
    /// for their results.
    pub(super) fn as_str(&self, has_called: bool) -> &str {
        match self {
            Self::Stop if has_called => "tool_call",
            Self::Stop => "stop",
            Self::OutputLimit => "length",
            Self::ContentFilter => "content_filter",
            Self::Refused => "refusal",
            Self::Other(reason) => reason,
        }
    }
}
