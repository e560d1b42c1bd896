//! A connection's running calls, which the server's messages in the middle of a call are about.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use rmcp::model::{
    CallToolResponse, CallToolResult, ElicitRequestParams, ElicitResult, InputRequiredResult,
    ProgressNotificationParam, ProgressToken,
};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};

use super::ended::EndedCalls;
use super::input::InputQuestions;
use super::input::held::declined;
use super::reports::CallReports;
use crate::McpError;
use agui_runtime_core::__leaf::{quoted, random_number};

/// The number of a call's messages that wait while no run reads them.
const MOST_MESSAGES: usize = 16;

/// Time in which a server may still ask about a call that this client gave up, or log about an earlier call. A server should stop a
/// call that was given up at once.
pub(super) const GRACE: Duration = Duration::from_secs(60);

/// The sentence for the model beside each of several calls.
const OF_SOME_CALL: &str = "(While the call ran, the server asked the user something. The question was declined, because other calls \
    ran or had just been given up, and the server did not say which call the question was about.)";

/// A server's response to a call.
pub(super) enum CallResponse {
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
pub(super) type CallFuture = BoxFuture<'static, Result<CallResponse, McpError>>;

/// A server's message in the middle of a call.
pub(super) enum MidCallMessage {
    /// The user's input is needed.
    Request { params: Box<ElicitRequestParams>, respond: oneshot::Sender<ElicitResult> },
    /// A request that may be about the call was declined. The text is a sentence.
    Declined(String),
}

/// A call that runs.
pub(super) struct RunningCall {
    pub(super) result: CallFuture,
    pub(super) messages: mpsc::Receiver<MidCallMessage>,
    /// The server's progress and log messages about the call.
    pub(super) reports: Arc<CallReports>,
    /// Counts the call while it runs.
    listed: ListedCall,
}

impl RunningCall {
    /// True if both calls run on one connection.
    pub(super) fn shares_connection(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.listed.calls, &other.listed.calls)
    }
}

/// A connection's calls.
#[derive(Default)]
pub(super) struct McpCalls {
    next: AtomicU64,
    running: Mutex<RunningCalls>,
}

#[derive(Default)]
struct RunningCalls {
    by_number: HashMap<u64, CallReceivers>,
    /// Call numbers by the progress tokens that the calls were sent with, as texts: some servers return a number as a text.
    by_token: HashMap<String, u64>,
    /// Until then, a message may be about a call that was given up.
    unclear_until: Option<Instant>,
    ended: EndedCalls,
}

/// The places for the server's messages about a call.
struct CallReceivers {
    messages: mpsc::Sender<MidCallMessage>,
    reports: Arc<CallReports>,
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
        if let Some(call) = running.by_number.remove(&self.number) {
            running.ended.add(call.reports.chat(), Instant::now());
        }
        running.by_token.retain(|_, number| *number != self.number);
        if !self.is_answered.load(Ordering::Acquire) {
            running.unclear_until = Instant::now().checked_add(GRACE);
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl RunningCalls {
    /// Returns the only call that a message without a call can be about. Users share connections, and no user may see another's
    /// message.
    ///
    /// # Errors
    /// The reason why there is no such call.
    fn only(&self) -> Result<&CallReceivers, &'static str> {
        let is_unclear = self.unclear_until.is_some_and(|until| Instant::now() < until);
        let mut all = self.by_number.values();
        match (all.next(), all.next()) {
            (None, _) => Err("no call runs"),
            (Some(call), None) if !is_unclear => Ok(call),
            (Some(_), None) => Err("a call was just given up"),
            (Some(_), Some(_)) => Err("several calls run"),
        }
    }
}

impl McpCalls {
    /// Lists a call, so that the server's messages reach the call. `send` gets the call's number, for [`sent`](Self::sent).
    pub(super) fn begin(
        self: &Arc<Self>,
        reports: Arc<CallReports>,
        send: impl FnOnce(u64) -> CallFuture,
    ) -> RunningCall {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, messages) = mpsc::channel(MOST_MESSAGES);
        let receivers = CallReceivers { messages: sender, reports: Arc::clone(&reports) };
        locked(&self.running).by_number.insert(number, receivers);
        let is_answered = Arc::<AtomicBool>::default();
        let listed = ListedCall { calls: Arc::clone(self), number, is_answered: Arc::clone(&is_answered) };
        let result = send(number);
        let result = Box::pin(async move {
            let response = result.await;
            is_answered.store(true, Ordering::Release);
            response
        });
        RunningCall { result, messages, reports, listed }
    }

    /// Notes the progress token with which a call is sent.
    pub(super) fn sent(&self, number: u64, token: &ProgressToken) {
        let mut running = locked(&self.running);
        if running.by_number.contains_key(&number) {
            running.by_token.insert(token.0.to_string(), number);
        }
    }

    /// Gives a server's progress to the call that has the token.
    pub(super) fn report(&self, server: &str, progress: &ProgressNotificationParam) {
        let running = locked(&self.running);
        let number = running.by_token.get(&progress.progress_token.0.to_string());
        match number.and_then(|number| running.by_number.get(number)) {
            Some(call) => call.reports.progress(progress),
            None => tracing::debug!(server, "the progress of an MCP server belongs to no call"),
        }
    }

    /// Gives a server's log message to the call that it is about, if the page shows log messages: as [`give`](Self::give), because MCP
    /// does not say which call that is. A server may also log about a call that was answered.
    pub(super) fn log(&self, server: &str, level: &str, text: &str) {
        let running = locked(&self.running);
        let reason = match running.only() {
            Ok(call) if !call.reports.shows_logs() => "the client shows no log messages",
            // An older server sends messages of each level.
            Ok(_) if level == "debug" => "the level is too low",
            Ok(call) if running.ended.has_others(call.reports.chat()) => "another chat's call has just ended",
            Ok(call) => return call.reports.log(level, text),
            Err(reason) => reason,
        };
        drop(running);
        let text = quoted(text);
        tracing::debug!(server, level, %text, reason, "a log message of an MCP server is on no page");
    }

    /// Gives a server's request to the call that it is about. MCP does not say which call that is, so there must be one call alone,
    /// and no call that was just given up: users share connections, and no user may see another's question.
    ///
    /// # Errors
    /// The response, if the user is not asked.
    pub(super) fn give(
        &self,
        server: &str,
        params: ElicitRequestParams,
    ) -> Result<oneshot::Receiver<ElicitResult>, Box<ElicitResult>> {
        let running = locked(&self.running);
        let reason = match running.only() {
            Ok(call) => {
                let (respond, response) = oneshot::channel();
                let request = MidCallMessage::Request { params: Box::new(params.clone()), respond };
                return match call.messages.try_send(request) {
                    Ok(()) => Ok(response),
                    Err(TrySendError::Full(_)) => {
                        Err(Box::new(declined(server, params, "too many questions of the call wait").0))
                    }
                    Err(TrySendError::Closed(_)) => {
                        Err(Box::new(declined(server, params, "the call has ended").0))
                    }
                };
            }
            Err(reason) => reason,
        };
        for call in running.by_number.values() {
            // The question itself may be another user's. A call that has just ended, or has many messages, needs no sentence.
            drop(call.messages.try_send(MidCallMessage::Declined(OF_SOME_CALL.to_owned())));
        }
        Err(Box::new(declined(server, params, reason).0))
    }

    /// Returns a number for a call that will be kept.
    pub(super) fn number() -> String {
        format!("{:016x}{:016x}", random_number("held"), random_number("call"))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::future::pending;

    use rmcp::model::{ElicitationAction, NumberOrString};

    use super::*;
    use crate::client::ended::ChatNumber;

    fn question() -> ElicitRequestParams {
        let schema = serde_json::json!({ "type": "object", "properties": {} });
        let requested_schema = serde_json::from_value(schema).unwrap();
        ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: "Where to?".to_owned(),
            requested_schema,
        }
    }

    pub(in crate::client) fn endless(calls: &Arc<McpCalls>) -> RunningCall {
        calls.begin(Arc::default(), |_| Box::pin(pending()))
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
        let mut first = calls.begin(Arc::default(), |_| Box::pin(async { Ok(answer.into()) }));
        assert!((&mut first.result).await.is_ok());
        drop(first);
        let _next = endless(&calls);
        assert!(calls.give("shop", question()).is_ok());
    }

    #[test]
    fn a_question_that_no_call_is_about_is_declined() {
        let calls = Arc::<McpCalls>::default();
        let declined = calls.give("shop", question()).unwrap_err();
        assert_eq!(declined.action, ElicitationAction::Decline);
    }

    fn progress(token: NumberOrString, progress: f64) -> ProgressNotificationParam {
        ProgressNotificationParam::new(ProgressToken(token), progress)
    }

    #[test]
    fn progress_reaches_the_call_with_the_token_and_no_other() {
        let calls = Arc::<McpCalls>::default();
        let (first, second) = (endless(&calls), endless(&calls));
        calls.sent(0, &ProgressToken(NumberOrString::Number(7)));
        calls.sent(1, &ProgressToken(NumberOrString::Number(8)));
        calls.report("shop", &progress(NumberOrString::Number(8), 1.0));
        calls.report("shop", &progress(NumberOrString::String("7".into()), 2.0));
        calls.report("shop", &progress(NumberOrString::Number(9), 3.0));
        let amount =
            |call: &RunningCall| call.reports.waiting().iter().map(|one| one.progress).collect::<Vec<_>>();
        assert_eq!((amount(&first), amount(&second)), (vec![2.0], vec![1.0]));
        drop((first, second));
        assert!(locked(&calls.running).by_token.is_empty(), "a call that has ended leaves no token");
    }

    /// A call of a chat whose page shows log messages.
    fn logged(calls: &Arc<McpCalls>, chat: Option<ChatNumber>) -> RunningCall {
        calls.begin(Arc::new(CallReports::new(true, chat)), |_| Box::pin(pending()))
    }

    /// A call that the server answers, and that ends.
    async fn answered(calls: &Arc<McpCalls>, chat: Option<ChatNumber>) {
        let answer = CallToolResponse::Complete(CallToolResult::success(vec![]));
        let reports = Arc::new(CallReports::new(true, chat));
        let mut call = calls.begin(reports, |_| Box::pin(async { Ok(answer.into()) }));
        assert!((&mut call.result).await.is_ok());
    }

    #[tokio::test]
    async fn a_log_message_after_another_chats_call_reaches_no_call() {
        let (alice, bob) = (Some(ChatNumber::new()), Some(ChatNumber::new()));
        for (earlier, chat, shown) in [
            (vec![alice], alice, 1),
            (vec![alice], bob, 0),
            (vec![alice, bob], bob, 0),
            (vec![bob, alice, alice], bob, 0),
            (vec![None], bob, 0),
            (vec![None], None, 0),
            (vec![], None, 1),
        ] {
            let calls = Arc::<McpCalls>::default();
            for &chat in &earlier {
                answered(&calls, chat).await;
            }
            let call = logged(&calls, chat);
            calls.log("shop", "error", "invoice for alice");
            assert_eq!(call.reports.waiting().len(), shown, "{earlier:?}, then {chat:?}");
        }
    }

    #[test]
    fn a_log_message_below_the_level_info_or_without_the_wish_reaches_no_call() {
        let calls = Arc::<McpCalls>::default();
        let silent = endless(&calls);
        calls.log("shop", "error", "not wanted");
        assert_eq!(silent.reports.waiting().len(), 0);
        let calls = Arc::<McpCalls>::default();
        let call = logged(&calls, None);
        calls.log("shop", "debug", "SELECT password FROM users");
        calls.log("shop", "info", "wanted");
        assert_eq!(call.reports.waiting().len(), 1);
    }

    #[test]
    fn a_log_message_beside_several_calls_reaches_no_call() {
        let calls = Arc::<McpCalls>::default();
        let first = logged(&calls, None);
        calls.log("shop", "info", "for the first");
        let second = logged(&calls, None);
        calls.log("shop", "info", "for one of both");
        assert_eq!((first.reports.waiting().len(), second.reports.waiting().len()), (1, 0));
    }
}
