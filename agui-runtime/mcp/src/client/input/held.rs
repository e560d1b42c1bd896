//! Calls that wait in the middle for the user's input (MCP 2025-11-25 and older, section "Elicitation").
//!
//! The server's request arrives while the call runs. The run ends with the interrupt, and the call stays open in this process until the
//! next run brings the input, or the time is up.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use rmcp::model::{
    CallToolResponse, CallToolResult, ElicitRequestParams, ElicitResult, ElicitationAction,
    InputRequiredResult,
};
use tokio::sync::{mpsc, oneshot};

use super::{InputQuestions, question};
use crate::McpError;
use agui_runtime_core::__leaf::{quoted, random_number};

/// Time in which the user can give the input. The server may wait for a shorter time.
pub(in crate::client) const PATIENCE: Duration = Duration::from_secs(300);

/// The number of calls in one connection that may wait for input.
const MOST: usize = 64;

/// The sentence for the model beside each of several calls.
const OF_SOME_CALL: &str = "(While the call ran, the server asked the user something. The question was declined, because several \
    calls ran, and the server did not say which of them the question was about.)";

/// A server's response to a call.
pub(in crate::client) enum CallResponse {
    Complete(Box<CallToolResult>),
    InputRequired(InputRequiredResult),
    /// A task, which no client asked for.
    Task,
    /// The call failed because the user must open addresses first.
    Addresses(InputQuestions),
}

impl From<CallToolResponse> for CallResponse {
    fn from(response: CallToolResponse) -> Self {
        match response {
            CallToolResponse::Complete(result) => Self::Complete(Box::new(result)),
            CallToolResponse::InputRequired(required) => Self::InputRequired(required),
            _ => Self::Task,
        }
    }
}

/// A running call's response, when it comes.
pub(in crate::client) type CallFuture = BoxFuture<'static, Result<CallResponse, McpError>>;

/// A server's message in the middle of a call.
pub(in crate::client) enum MidCallMessage {
    /// The user's input is needed.
    Request { params: Box<ElicitRequestParams>, respond: oneshot::Sender<ElicitResult> },
    /// A request that may be about the call was declined. The text is a sentence.
    Declined(String),
}

/// A call that runs.
pub(in crate::client) struct RunningCall {
    pub(in crate::client) result: CallFuture,
    pub(in crate::client) messages: mpsc::UnboundedReceiver<MidCallMessage>,
    /// Counts the call while it runs.
    _listed: ListedCall,
}

/// A call whose server waits for the user.
struct HeldCall {
    call: RunningCall,
    respond: oneshot::Sender<ElicitResult>,
}

/// A connection's calls.
#[derive(Default)]
pub(in crate::client) struct McpCalls {
    next: AtomicU64,
    running: Mutex<HashMap<u64, mpsc::UnboundedSender<MidCallMessage>>>,
    held: Mutex<HashMap<String, HeldCall>>,
}

/// A call in the list of running calls.
struct ListedCall {
    calls: Arc<McpCalls>,
    number: u64,
}

impl Drop for ListedCall {
    fn drop(&mut self) {
        locked(&self.calls.running).remove(&self.number);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl McpCalls {
    /// Lists a call, so that the server's requests reach the call.
    pub(in crate::client) fn begin(self: &Arc<Self>, result: CallFuture) -> RunningCall {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, messages) = mpsc::unbounded_channel();
        locked(&self.running).insert(number, sender);
        RunningCall { result, messages, _listed: ListedCall { calls: Arc::clone(self), number } }
    }

    /// Gives a server's request to the call that it is about. MCP does not say which call that is, so there must be one call alone:
    /// users share connections, and no user may see another's question.
    ///
    /// # Errors
    /// The response, if the user is not asked.
    pub(in crate::client) fn give(
        &self,
        server: &str,
        params: ElicitRequestParams,
    ) -> Result<oneshot::Receiver<ElicitResult>, Box<ElicitResult>> {
        let running = locked(&self.running);
        let mut all = running.values();
        if let (Some(call), None) = (all.next(), all.next()) {
            let (respond, response) = oneshot::channel();
            let request = MidCallMessage::Request { params: Box::new(params.clone()), respond };
            return match call.send(request) {
                Ok(()) => Ok(response),
                Err(_) => Err(Box::new(declined(server, params, "the call has ended").0)),
            };
        }
        let reason = if running.is_empty() { "no call runs" } else { "several calls run" };
        for call in running.values() {
            // The question itself may be another user's. A call that has just ended needs no sentence.
            drop(call.send(MidCallMessage::Declined(OF_SOME_CALL.to_owned())));
        }
        Err(Box::new(declined(server, params, reason).0))
    }

    /// Returns a number for a call that will be kept.
    pub(in crate::client) fn number() -> String {
        format!("{:016x}{:016x}", random_number("held"), random_number("call"))
    }

    /// Keeps a call until its input comes.
    ///
    /// # Errors
    /// The call, if too many wait.
    pub(in crate::client) fn hold(
        self: &Arc<Self>,
        number: String,
        call: RunningCall,
        respond: oneshot::Sender<ElicitResult>,
    ) -> Result<(), Box<(RunningCall, oneshot::Sender<ElicitResult>)>> {
        let mut held = locked(&self.held);
        if held.len() >= MOST {
            return Err(Box::new((call, respond)));
        }
        held.insert(number.clone(), HeldCall { call, respond });
        drop(held);
        let calls = Arc::downgrade(self);
        tokio::spawn(async move {
            tokio::time::sleep(PATIENCE).await;
            if let Some(calls) = calls.upgrade() {
                // Dropped outside of the lock: a call's end takes locks too.
                let late = locked(&calls.held).remove(&number);
                drop(late);
            }
        });
        Ok(())
    }

    /// Returns a kept call after the server got the response; `None` if the call has ended or runs in another process.
    pub(in crate::client) fn resume(&self, number: &str, response: ElicitResult) -> Option<RunningCall> {
        let HeldCall { call, respond } = locked(&self.held).remove(number)?;
        // A server that no longer waits says so in the call's result.
        drop(respond.send(response));
        Some(call)
    }
}

/// Refuses a server's request, logs the reason, and returns a sentence for the model.
pub(in crate::client) fn declined(
    server: &str,
    params: ElicitRequestParams,
    reason: &str,
) -> (ElicitResult, String) {
    let asked = question(params).map_or_else(|why| why, |questions| questions.message(server));
    let asked = quoted(&asked).to_string();
    tracing::warn!(server, question = asked, reason, "a question in the middle of a call is declined");
    let sentence = format!("(During the call: {asked} The question was declined, because {reason}.)");
    (ElicitResult::new(ElicitationAction::Decline), sentence)
}
