//! Calls that wait in the middle for the user's input (MCP 2025-11-25 and older, section "Elicitation").
//!
//! The server's request arrives while the call runs. The run ends with the interrupt, and the call stays open in this process until the
//! next run brings the input, or the time is up. The next run may have another client for the same server.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use rmcp::model::{
    CallToolResponse, CallToolResult, ElicitRequestParams, ElicitResult, ElicitationAction,
    InputRequiredResult,
};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};

use super::{InputQuestions, question};
use crate::McpError;
use agui_runtime_core::__leaf::{quoted, random_number};

/// Time in which the user can give the input. The server may wait for a shorter time.
pub(in crate::client) const PATIENCE: Duration = Duration::from_secs(300);

/// The number of calls in one connection that may wait for input.
const MOST: usize = 64;

/// The number of calls in all connections that may wait for input.
const MOST_IN_ALL: usize = 1_024;

/// The number of a call's messages that wait while no run reads them.
const MOST_MESSAGES: usize = 16;

/// Time in which a server may still ask about a call that this client gave up. A server should stop such a call at once.
const GRACE: Duration = Duration::from_secs(60);

/// The sentence for the model beside each of several calls.
const OF_SOME_CALL: &str = "(While the call ran, the server asked the user something. The question was declined, because other calls \
    ran or had just been given up, and the server did not say which call the question was about.)";

/// This process's calls that wait for the user, by number.
static HELD: LazyLock<Mutex<HashMap<String, HeldCall>>> = LazyLock::new(Mutex::default);

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
    pub(in crate::client) messages: mpsc::Receiver<MidCallMessage>,
    /// Counts the call while it runs.
    listed: ListedCall,
}

/// A call whose server waits for the user.
struct HeldCall {
    call: RunningCall,
    respond: oneshot::Sender<ElicitResult>,
    server: String,
    until: Instant,
}

/// A connection's calls.
#[derive(Default)]
pub(in crate::client) struct McpCalls {
    next: AtomicU64,
    running: Mutex<RunningCalls>,
}

#[derive(Default)]
struct RunningCalls {
    by_number: HashMap<u64, mpsc::Sender<MidCallMessage>>,
    /// Until then, a question may be about a call that was given up.
    unclear_until: Option<Instant>,
}

/// A call in the list of running calls.
struct ListedCall {
    calls: Arc<McpCalls>,
    number: u64,
    /// True once the server has responded.
    is_answered: Arc<AtomicBool>,
}

impl Drop for ListedCall {
    fn drop(&mut self) {
        let mut running = locked(&self.calls.running);
        running.by_number.remove(&self.number);
        if !self.is_answered.load(Ordering::Acquire) {
            running.unclear_until = Instant::now().checked_add(GRACE);
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl McpCalls {
    /// Lists a call, so that the server's requests reach the call.
    pub(in crate::client) fn begin(self: &Arc<Self>, result: CallFuture) -> RunningCall {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, messages) = mpsc::channel(MOST_MESSAGES);
        locked(&self.running).by_number.insert(number, sender);
        let is_answered = Arc::<AtomicBool>::default();
        let listed = ListedCall { calls: Arc::clone(self), number, is_answered: Arc::clone(&is_answered) };
        let result = Box::pin(async move {
            let response = result.await;
            is_answered.store(true, Ordering::Release);
            response
        });
        RunningCall { result, messages, listed }
    }

    /// Gives a server's request to the call that it is about. MCP does not say which call that is, so there must be one call alone,
    /// and no call that was just given up: users share connections, and no user may see another's question.
    ///
    /// # Errors
    /// The response, if the user is not asked.
    pub(in crate::client) fn give(
        &self,
        server: &str,
        params: ElicitRequestParams,
    ) -> Result<oneshot::Receiver<ElicitResult>, Box<ElicitResult>> {
        let running = locked(&self.running);
        let is_unclear = running.unclear_until.is_some_and(|until| Instant::now() < until);
        let mut all = running.by_number.values();
        let reason = match (all.next(), all.next()) {
            (None, _) => "no call runs",
            (Some(call), None) if !is_unclear => {
                let (respond, response) = oneshot::channel();
                let request = MidCallMessage::Request { params: Box::new(params.clone()), respond };
                return match call.try_send(request) {
                    Ok(()) => Ok(response),
                    Err(TrySendError::Full(_)) => {
                        Err(Box::new(declined(server, params, "too many questions of the call wait").0))
                    }
                    Err(TrySendError::Closed(_)) => {
                        Err(Box::new(declined(server, params, "the call has ended").0))
                    }
                };
            }
            (Some(_), None) => "a call was just given up",
            (Some(_), Some(_)) => "several calls run",
        };
        for call in running.by_number.values() {
            // The question itself may be another user's. A call that has just ended, or has many messages, needs no sentence.
            drop(call.try_send(MidCallMessage::Declined(OF_SOME_CALL.to_owned())));
        }
        Err(Box::new(declined(server, params, reason).0))
    }

    /// Returns a number for a call that will be kept.
    pub(in crate::client) fn number() -> String {
        format!("{:016x}{:016x}", random_number("held"), random_number("call"))
    }
}

/// Keeps a call until its input comes. A run may drop its client meanwhile: the call keeps the connection.
///
/// # Errors
/// The call, if too many wait.
pub(in crate::client) fn hold(
    server: &str,
    number: String,
    call: RunningCall,
    respond: oneshot::Sender<ElicitResult>,
) -> Result<(), Box<(RunningCall, oneshot::Sender<ElicitResult>)>> {
    drop(expired());
    let mut held = locked(&HELD);
    let of_connection =
        held.values().filter(|other| Arc::ptr_eq(&other.call.listed.calls, &call.listed.calls)).count();
    let until =
        Instant::now().checked_add(PATIENCE).filter(|_| of_connection < MOST && held.len() < MOST_IN_ALL);
    let Some(until) = until else { return Err(Box::new((call, respond))) };
    held.insert(number, HeldCall { call, respond, server: server.to_owned(), until });
    drop(held);
    tokio::spawn(async {
        tokio::time::sleep(PATIENCE).await;
        drop(expired());
    });
    Ok(())
}

/// Takes the calls whose time is up, to be dropped outside of the lock: a call's end takes locks too.
fn expired() -> Vec<HeldCall> {
    let now = Instant::now();
    locked(&HELD).extract_if(|_, call| call.until <= now).map(|(_, call)| call).collect()
}

/// Returns a server's kept call after the server got the response; `None` if the call has ended or runs in another process.
pub(in crate::client) fn resume(server: &str, number: &str, response: ElicitResult) -> Option<RunningCall> {
    let mut held = locked(&HELD);
    held.get(number).filter(|call| call.server == server && Instant::now() < call.until)?;
    let HeldCall { call, respond, .. } = held.remove(number)?;
    drop(held);
    // A server that no longer waits says so in the call's result.
    drop(respond.send(response));
    Some(call)
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

#[cfg(test)]
mod tests {
    use std::future::pending;

    use rmcp::model::CallToolResult;

    use super::*;

    fn question() -> ElicitRequestParams {
        let schema = serde_json::json!({ "type": "object", "properties": {} });
        let requested_schema = serde_json::from_value(schema).unwrap();
        ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: "Where to?".to_owned(),
            requested_schema,
        }
    }

    fn endless(calls: &Arc<McpCalls>) -> RunningCall {
        calls.begin(Box::pin(pending()))
    }

    #[test]
    fn a_call_that_no_run_reads_has_few_questions() {
        let calls = Arc::<McpCalls>::default();
        let call = endless(&calls);
        let waiting: Vec<_> = (0..1_000).filter_map(|_| calls.give("shop", question()).ok()).collect();
        assert_eq!((waiting.len(), call.messages.len()), (MOST_MESSAGES, MOST_MESSAGES));
    }

    #[test]
    fn a_question_after_a_call_was_given_up_is_declined() {
        let calls = Arc::<McpCalls>::default();
        drop(endless(&calls));
        let mut next = endless(&calls);
        let declined = calls.give("shop", question()).unwrap_err();
        assert_eq!(declined.action, ElicitationAction::Decline);
        assert!(matches!(next.messages.try_recv(), Ok(MidCallMessage::Declined(_))));
        // The time is up.
        locked(&calls.running).unclear_until = Some(Instant::now());
        assert!(calls.give("shop", question()).is_ok());
    }

    #[tokio::test]
    async fn a_question_after_a_call_was_answered_is_asked() {
        let calls = Arc::<McpCalls>::default();
        let answer = CallToolResponse::Complete(CallToolResult::success(vec![]));
        let mut first = calls.begin(Box::pin(async { Ok(answer.into()) }));
        assert!((&mut first.result).await.is_ok());
        drop(first);
        let _next = endless(&calls);
        assert!(calls.give("shop", question()).is_ok());
    }

    #[tokio::test]
    async fn a_kept_call_continues_at_its_server_alone_and_once() {
        let (calls, number) = (Arc::<McpCalls>::default(), McpCalls::number());
        let (respond, _response) = oneshot::channel();
        assert!(hold("shop", number.clone(), endless(&calls), respond).is_ok());
        let given = || ElicitResult::new(ElicitationAction::Accept);
        assert!(resume("other", &number, given()).is_none());
        assert!(resume("shop", &number, given()).is_some());
        assert!(resume("shop", &number, given()).is_none());
    }

    #[tokio::test]
    async fn a_connection_keeps_few_calls() {
        let calls = Arc::<McpCalls>::default();
        let kept = (0..MOST + 1).filter(|_| {
            let (respond, _response) = oneshot::channel();
            hold("shop", McpCalls::number(), endless(&calls), respond).is_ok()
        });
        assert_eq!(kept.count(), MOST);
    }
}
