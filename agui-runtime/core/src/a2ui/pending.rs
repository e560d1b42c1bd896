//! Calls of the page's functions that wait for a response.

use std::collections::BTreeMap;
use std::time::Duration;

use agui_runtime_macros::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CallRendererFunction, FunctionCall, FunctionResponse};
use crate::agent::PublicError;
use crate::quoted::quoted;

/// The page's functions that the agent called, until each has answered or its time has passed.
///
/// The page answers in a later run, so the calls are data: keep the value in the agent's state or in the application's store. Times
/// are milliseconds since 1970, from the caller's clock.
///
/// ```
/// use std::time::Duration;
///
/// use agui_runtime::a2ui::{FunctionCall, FunctionResponse, PendingFunctionCalls, Surface};
/// use serde_json::json;
///
/// let mut pending = PendingFunctionCalls::default();
/// let cart = FunctionCall::new("https://shop.example/catalog.json", "countItems", [("cart", json!("c-1"))]);
/// let mut surface = Surface::default();
/// surface.push(pending.call("call-1", cart, Duration::from_secs(60), 0)); // shown with ACTIVITY_SNAPSHOT
///
/// // The next run, 2 seconds later.
/// let response = FunctionResponse::new("call-1", Ok(json!(3)));
/// assert_eq!(pending.settle(&response, 2_000)?.call, "countItems");
/// assert!(pending.settle(&response, 2_000).is_err(), "a response counts once");
/// # Ok::<(), agui_runtime::a2ui::ResponseError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, State, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct PendingFunctionCalls {
    calls: BTreeMap<String, PendingFunctionCall>,
}

/// A call that waits for a response.
///
/// ```
/// # use std::time::Duration;
/// use agui_runtime::a2ui::{FunctionCall, PendingFunctionCalls};
///
/// let mut pending = PendingFunctionCalls::default();
/// let call = FunctionCall::new("https://shop.example/catalog.json", "countItems", [("cart", "c-1".into())]);
/// pending.call("call-1", call, Duration::from_secs(60), 1_000);
/// let late = pending.expire(61_000);
/// assert_eq!((late[0].id.as_str(), late[0].call.as_str(), late[0].deadline), ("call-1", "countItems", 61_000));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, State, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PendingFunctionCall {
    /// The call's id.
    pub id: String,
    /// The function's name.
    pub call: String,
    /// The time from which a response comes late, in milliseconds since 1970.
    pub deadline: u64,
}

impl PendingFunctionCalls {
    /// Adds a call, and returns the operation that asks the page. A call with the same id is replaced.
    pub fn call(
        &mut self,
        id: impl Into<String>,
        call: FunctionCall,
        timeout: Duration,
        now: u64,
    ) -> CallRendererFunction {
        let id = id.into();
        let timeout = u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX);
        let pending = PendingFunctionCall {
            id: id.clone(),
            call: call.call.clone(),
            deadline: now.saturating_add(timeout),
        };
        self.calls.insert(id.clone(), pending);
        CallRendererFunction::new(id, call)
    }

    /// Removes the call that a response answers, and returns the call. The response's value is the page's, and grants nothing.
    ///
    /// # Errors
    /// [`ResponseError`] if no such call waits, or if its time has passed; a late call is removed.
    pub fn settle(
        &mut self,
        response: &FunctionResponse,
        now: u64,
    ) -> Result<PendingFunctionCall, ResponseError> {
        let Some(call) = self.calls.remove(&response.function_call_id) else {
            return Err(ResponseError::NotCalled { id: quoted(&response.function_call_id).to_string() });
        };
        if now >= call.deadline {
            return Err(ResponseError::Late { id: quoted(&call.id).to_string(), call: call.call });
        }
        Ok(call)
    }

    /// Removes the calls whose time has passed, and returns these calls: the functions that never answered.
    pub fn expire(&mut self, now: u64) -> Vec<PendingFunctionCall> {
        let mut late = Vec::new();
        self.calls.retain(|_, call| {
            let is_late = now >= call.deadline;
            if is_late {
                late.push(call.clone());
            }
            !is_late
        });
        late
    }

    /// Returns the calls that wait, by id.
    pub fn iter(&self) -> impl Iterator<Item = &PendingFunctionCall> {
        self.calls.values()
    }
}

/// A response that answers no call.
///
/// ```
/// use agui_runtime::a2ui::{FunctionResponse, PendingFunctionCalls};
///
/// let response = FunctionResponse::new("call-1", Ok(3.into()));
/// let error = PendingFunctionCalls::default().settle(&response, 0).unwrap_err();
/// assert_eq!(error.to_string(), "no function call waits with the id `call-1`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResponseError {
    /// No call waits with this id: it was never made, or its response has come.
    #[error("no function call waits with the id `{id}`")]
    #[non_exhaustive]
    NotCalled {
        /// The id in the response.
        id: String,
    },
    /// The call's time has passed.
    #[error("the response to `{call}` came late, for the call `{id}`")]
    #[non_exhaustive]
    Late {
        /// The call's id.
        id: String,
        /// The function's name.
        call: String,
    },
}

impl PublicError for ResponseError {}
