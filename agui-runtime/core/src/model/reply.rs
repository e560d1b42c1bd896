//! A scripted model's reply.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::chat::arguments_of;
use super::delta::{CallDelta, EndReason, ReplyDelta};
use super::error::ModelError;
use crate::agent::tool::FINAL_RESULT;
use crate::protocol::TokenUsage;

/// A reply for a [`ScriptedModel`](super::ScriptedModel).
///
/// The reply ends with [`EndReason::Stop`], unless [`ends`](Self::ends), [`cut_off`](Self::cut_off) or [`fails`](Self::fails)
/// changes the end.
///
/// ```
/// use agui_runtime::model::Reply;
/// use serde_json::json;
///
/// let reply = Reply::text("Let me look.").and_call("price", json!({ "name": "rice" }));
/// # drop(reply);
/// ```
#[derive(Clone)]
pub struct Reply {
    pub(super) deltas: Vec<ReplyDelta>,
    pub(super) failure: Option<std::sync::Arc<dyn Fn() -> ModelError + Send + Sync>>,
}

impl Reply {
    /// Returns a reply with exactly these deltas. Without [`ReplyDelta::End`] the reply is cut off.
    #[must_use]
    pub fn deltas(deltas: impl Into<Vec<ReplyDelta>>) -> Self {
        Self { deltas: deltas.into(), failure: None }
    }

    /// Returns a reply with a text.
    ///
    /// ```
    /// let reply = agui_runtime::model::Reply::text("Hello!");
    /// # drop(reply);
    /// ```
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::deltas([ReplyDelta::Text(text.into()), ReplyDelta::End(EndReason::Stop)])
    }

    /// Returns a reply that gives the output which [`Chat::output`](super::Chat::output) returns. A value that cannot be
    /// serialized to JSON makes a reply that fails.
    ///
    /// ```
    /// let reply = agui_runtime::model::Reply::output(vec!["rice".to_owned(), "saffron".to_owned()]);
    /// # drop(reply);
    /// ```
    #[must_use]
    pub fn output<T: JsonSchema + Serialize>(value: T) -> Self {
        let reply = Self::deltas([ReplyDelta::End(EndReason::Stop)]);
        reply.and_arguments(FINAL_RESULT.to_owned(), arguments_of(value))
    }

    /// Returns a reply with a tool call. The arguments are the tool's struct, or any JSON value; a [`str`] counts as JSON text and
    /// is sent unchanged. Arguments that cannot be serialized to JSON make a reply that fails.
    ///
    /// ```
    /// use agui_runtime::model::Reply;
    ///
    /// let reply = Reply::call("price", serde_json::json!({ "name": "rice" }));
    /// # drop(reply);
    /// ```
    #[must_use]
    pub fn call(tool: impl Into<String>, arguments: impl Serialize) -> Self {
        Self::deltas([ReplyDelta::End(EndReason::Stop)]).and_call(tool, arguments)
    }

    /// Returns a reply that fails before the first delta.
    ///
    /// ```
    /// use agui_runtime::model::{ModelError, Reply};
    ///
    /// let reply = Reply::failure(|| ModelError::EmptyReply);
    /// # drop(reply);
    /// ```
    #[must_use]
    pub fn failure(error: impl Fn() -> ModelError + Send + Sync + 'static) -> Self {
        Self::deltas([]).fails(error)
    }

    /// Adds a tool call. Arguments that cannot be serialized to JSON make a reply that fails.
    #[must_use]
    pub fn and_call(self, tool: impl Into<String>, arguments: impl Serialize) -> Self {
        self.and_arguments(tool.into(), serde_json::to_value(&arguments))
    }

    fn and_arguments(self, tool: String, arguments: Result<Value, serde_json::Error>) -> Self {
        let arguments = match arguments {
            Ok(Value::String(text)) => text,
            Ok(value) => value.to_string(),
            Err(error) => {
                let why = format!("the arguments of a scripted call have no JSON form: {error}");
                return self.fails(move || ModelError::Malformed(why.clone()));
            }
        };
        let index = self.deltas.iter().filter(|delta| matches!(delta, ReplyDelta::Call(_))).count();
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        self.and(ReplyDelta::Call(CallDelta::new(index).with_tool(tool).with_arguments(arguments)))
    }

    /// Prepends reasoning.
    #[must_use]
    pub fn after_reasoning(mut self, text: impl Into<String>) -> Self {
        self.deltas.insert(0, ReplyDelta::Reasoning(text.into()));
        self
    }

    /// Adds the reply's token usage.
    #[must_use]
    pub fn usage(self, spent: TokenUsage) -> Self {
        self.and(ReplyDelta::Usage(spent))
    }

    /// Ends the reply for another reason.
    #[must_use]
    pub fn ends(self, reason: EndReason) -> Self {
        let mut cut = self.cut_off();
        cut.deltas.push(ReplyDelta::End(reason));
        cut
    }

    /// Removes the end, as if the connection broke.
    #[must_use]
    pub fn cut_off(mut self) -> Self {
        self.deltas.retain(|delta| !matches!(delta, ReplyDelta::End(_)));
        self
    }

    /// Fails where the reply would end.
    #[must_use]
    pub fn fails(self, error: impl Fn() -> ModelError + Send + Sync + 'static) -> Self {
        Self { failure: Some(std::sync::Arc::new(error)), ..self.cut_off() }
    }

    /// Adds a delta before the end.
    fn and(mut self, delta: ReplyDelta) -> Self {
        let end = self.deltas.iter().position(|delta| matches!(delta, ReplyDelta::End(_)));
        self.deltas.insert(end.unwrap_or(self.deltas.len()), delta);
        self
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply").field("deltas", &self.deltas).field("fails", &self.failure.is_some()).finish()
    }
}
