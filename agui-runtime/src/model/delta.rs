//! The answer of a model, piece by piece.

use serde::{Deserialize, Serialize};

use crate::protocol::TokenUsage;

/// A piece of a model's answer.
///
/// A [`ChatModel`](super::ChatModel) returns a stream of them that ends with [`End`](Self::End). A stream that ends
/// without one was cut off: the turn fails with [`ModelError::Truncated`](super::ModelError::Truncated).
///
/// ```
/// use agui_runtime::model::{Delta, EndReason};
///
/// let answer = [Delta::Text("180 ".into()), Delta::Text("cents.".into()), Delta::End(EndReason::Stop)];
/// assert!(matches!(answer.last(), Some(Delta::End(EndReason::Stop))));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Delta {
    /// More of the text for the user.
    Text(String),
    /// More of the reasoning.
    Reasoning(String),
    /// The provider's signature or encrypted form of the reasoning before it, as a whole.
    EncryptedReasoning(String),
    /// More of a call of a tool.
    Call(CallDelta),
    /// The tokens that this answer took so far. A later count replaces an earlier one.
    Usage(TokenUsage),
    /// The end of the answer.
    End(EndReason),
}

/// More of a call of a tool.
///
/// `index` and `id` identify a call of an answer: two calls with one index have different ids, and a piece without an
/// id belongs to the last call of its index. The first piece of a call has its name; all other members may come with
/// any piece. A call of a backend tool is sent with its first argument: an id that comes later is not its own any more.
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
    /// The number of the call in this answer.
    pub index: u32,
    /// The provider's id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The name of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// More of the JSON text of the arguments.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub arguments: String,
    /// The provider's signature of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted: Option<String>,
}

impl CallDelta {
    /// Returns a piece of the call of that number, with nothing in it.
    ///
    /// ```
    /// use agui_runtime::model::CallDelta;
    ///
    /// assert_eq!(CallDelta::new(1).index, 1);
    /// ```
    #[must_use]
    pub fn new(index: u32) -> Self {
        Self { index, ..Self::default() }
    }

    /// Sets the provider's id of the call.
    ///
    /// ```
    /// use agui_runtime::model::CallDelta;
    ///
    /// assert_eq!(CallDelta::new(0).with_id("call_1").id.as_deref(), Some("call_1"));
    /// ```
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets the name of the tool.
    ///
    /// ```
    /// use agui_runtime::model::CallDelta;
    ///
    /// assert_eq!(CallDelta::new(0).with_tool("price").tool.as_deref(), Some("price"));
    /// ```
    #[must_use]
    pub fn with_tool(mut self, tool: impl Into<String>) -> Self {
        self.tool = Some(tool.into());
        self
    }

    /// Sets the text that is appended to the arguments.
    ///
    /// ```
    /// use agui_runtime::model::CallDelta;
    ///
    /// assert_eq!(CallDelta::new(0).with_arguments("{}").arguments, "{}");
    /// ```
    #[must_use]
    pub fn with_arguments(mut self, arguments: impl Into<String>) -> Self {
        self.arguments = arguments.into();
        self
    }
}

/// The reason why a model ended its answer.
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
    /// The model had said everything, or wants the results of its calls.
    Stop,
    /// The answer reached the limit of output tokens: its last part is not whole.
    OutputLimit,
    /// The provider's filter ended the answer.
    ContentFilter,
    /// A reason of the provider's own.
    Other(String),
}

impl EndReason {
    /// Returns the reason as OpenTelemetry names it (attribute `gen_ai.response.finish_reasons`). A model that calls tools
    /// stops for their results.
    pub(super) fn as_str(&self, has_called: bool) -> &str {
        match self {
            Self::Stop if has_called => "tool_call",
            Self::Stop => "stop",
            Self::OutputLimit => "length",
            Self::ContentFilter => "content_filter",
            Self::Other(reason) => reason,
        }
    }
}
