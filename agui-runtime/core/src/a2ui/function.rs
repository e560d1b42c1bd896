//! Function calls and their responses, in both directions.

use std::fmt;
use std::pin::pin;
use std::time::Duration;

use futures_util::future::{Either, select};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::AgentFunctionCall;
use crate::kernel::Timer;
use crate::protocol::JsonObject;

/// A function call: catalog, name and arguments (A2UI v1.0, schema `common_types.json`, `FunctionCall`).
///
/// ```
/// use agui_runtime::a2ui::FunctionCall;
/// use serde_json::json;
///
/// let open = FunctionCall::new("https://shop.example/catalog.json", "openCart", [("cart", json!("c-1"))]);
/// assert_eq!(open.args["cart"], "c-1");
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FunctionCall {
    /// The function's name in the catalog.
    pub call: String,
    /// The id of the catalog that defines the function; `None` means the surface's catalog.
    pub catalog_id: Option<String>,
    /// The arguments, by name.
    #[serde(default)]
    pub args: JsonObject,
}

impl FunctionCall {
    /// Returns a call with arguments: each a value, or `{"path": …}` where a component makes the call.
    #[must_use]
    pub fn new<N: Into<String>>(
        catalog_id: impl Into<String>,
        call: impl Into<String>,
        args: impl IntoIterator<Item = (N, Value)>,
    ) -> Self {
        let args = args.into_iter().map(|(name, value)| (name.into(), value)).collect();
        Self { call: call.into(), catalog_id: Some(catalog_id.into()), args }
    }

    pub(super) fn into_json(self) -> Value {
        let mut call = JsonObject::from_iter([("call".to_owned(), self.call.into())]);
        call.extend(self.catalog_id.map(|id| ("catalogId".to_owned(), id.into())));
        call.insert("args".to_owned(), self.args.into());
        Value::Object(call)
    }
}

/// Calls a function on the page (A2UI v1.0, schema `agent_to_renderer.json`). The page answers in a later run's `forwardedProps`;
/// [`PendingFunctionCalls`](super::PendingFunctionCalls) keeps the open calls, with a deadline for each.
///
/// ```
/// use agui_runtime::a2ui::{CallRendererFunction, FunctionCall, SurfaceMessage};
///
/// let cart = FunctionCall::new("https://shop.example/catalog.json", "countItems", [("cart", "c-1".into())]);
/// let call = SurfaceMessage::new(CallRendererFunction::new("call-1", cart));
/// assert_eq!(call.version(), Some("v1.0"));
/// assert_eq!(call.json()["callRendererFunction"]["callFunction"]["call"], "countItems");
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CallRendererFunction {
    /// The call's id, which the response repeats.
    pub function_call_id: String,
    /// The function and the arguments. The schema requires the catalog id.
    #[serde(rename = "callFunction")]
    pub call: FunctionCall,
}

impl CallRendererFunction {
    /// Returns the operation, ready for [`Surface::push`](super::Surface::push). The id is unique in the conversation.
    #[must_use]
    pub fn new(function_call_id: impl Into<String>, call: FunctionCall) -> Self {
        Self { function_call_id: function_call_id.into(), call }
    }
}

/// A function's response, in either direction (A2UI v1.0, schema `common_types.json`, `FunctionResponse`).
///
/// ```
/// use agui_runtime::a2ui::{FunctionError, FunctionResponse, SurfaceMessage};
///
/// let full = FunctionResponse::new("call-1", Err(FunctionError::new("FULL", "The hotel is full.")));
/// let full = SurfaceMessage::new(full);
/// assert_eq!(full.json()["agentFunctionResponse"]["error"]["code"], "FULL");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FunctionResponse {
    /// The id in the call.
    pub function_call_id: String,
    /// The function's value, or the reason why there is no value.
    pub result: Result<Value, FunctionError>,
}

impl FunctionResponse {
    /// Returns the response to a call; [`AgentFunctionCall::respond`] copies the id.
    #[must_use]
    pub fn new(function_call_id: impl Into<String>, result: Result<Value, FunctionError>) -> Self {
        Self { function_call_id: function_call_id.into(), result }
    }
}

/// A response has a value or an error, never both.
impl<'de> Deserialize<'de> for FunctionResponse {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut members = JsonObject::deserialize(deserializer)?;
        let Some(Value::String(function_call_id)) = members.remove("functionCallId") else {
            return Err(serde::de::Error::missing_field("functionCallId"));
        };
        let result = match (members.remove("value"), members.remove("error")) {
            (Some(value), None) => Ok(value),
            (None, Some(error)) => Err(FunctionError::deserialize(error).map_err(serde::de::Error::custom)?),
            _ => return Err(serde::de::Error::custom("a response has either `value` or `error`")),
        };
        Ok(Self { function_call_id, result })
    }
}

/// The reason why a function has no value.
///
/// ```
/// use agui_runtime::a2ui::FunctionError;
///
/// assert_eq!(FunctionError::new("FULL", "The hotel is full.").to_string(), "The hotel is full. (FULL)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, thiserror::Error)]
#[non_exhaustive]
pub struct FunctionError {
    /// A code for programs, such as `TIMEOUT`.
    pub code: String,
    /// A sentence about the reason.
    pub message: String,
}

impl fmt::Display for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl FunctionError {
    /// The code for a function that did not answer in time.
    pub const TIMEOUT: &'static str = "TIMEOUT";
    /// The code for a function that the agent does not have.
    pub const UNKNOWN_FUNCTION: &'static str = "UNKNOWN_FUNCTION";
    /// The code for arguments that do not fit the function.
    pub const INVALID_ARGUMENTS: &'static str = "INVALID_ARGUMENTS";

    /// Returns an error with a code, such as [`TIMEOUT`](Self::TIMEOUT), and a sentence.
    #[must_use]
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into() }
    }
}

impl AgentFunctionCall {
    /// Returns the response to this call, ready for [`Surface::push`](super::Surface::push).
    #[must_use]
    pub fn respond(&self, result: Result<Value, FunctionError>) -> FunctionResponse {
        FunctionResponse::new(self.function_call_id.clone(), result)
    }

    /// Waits for the agent's function, and drops the function when the time has passed: the response is then an error with the code
    /// [`TIMEOUT`](FunctionError::TIMEOUT).
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use agui_runtime::a2ui::{AgentFunctionCall, FunctionError};
    /// use agui_runtime::testing::ManualTimer;
    /// # use serde_json::json;
    ///
    /// # futures::executor::block_on(async {
    /// # let call: AgentFunctionCall = serde_json::from_value(json!({
    /// #     "surfaceId": "hotels", "functionCallId": "call-1", "callFunction": { "call": "quote", "args": {} },
    /// # })).unwrap();
    /// let never = std::future::pending();
    /// let response = call.respond_within(&ManualTimer::new(), Duration::ZERO, never).await;
    /// assert_eq!(response.result.unwrap_err().code, FunctionError::TIMEOUT);
    /// # });
    /// ```
    pub async fn respond_within(
        &self,
        timer: &dyn Timer,
        time: Duration,
        function: impl Future<Output = Result<Value, FunctionError>>,
    ) -> FunctionResponse {
        let result = match select(pin!(function), timer.sleep(time)).await {
            Either::Left((result, _)) => result,
            Either::Right(_) => {
                let message = format!("The function did not answer in {time:?}.");
                Err(FunctionError::new(FunctionError::TIMEOUT, message))
            }
        };
        self.respond(result)
    }
}
