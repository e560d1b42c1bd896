//! Calls that wait in the middle for the user's input (MCP 2025-11-25 and older, section "Elicitation").
//!
//! The server's request arrives while the call runs. The run ends with the interrupt, and the call stays open in this process until the
//! next run brings the input, or the time is up. The next run may have another client for the same server.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};
use tokio::sync::oneshot;

use super::question;
use crate::client::running::RunningCall;
use agui_runtime_core::__leaf::quoted;

/// Time in which the user can give the input. The server may wait for a shorter time.
pub(in crate::client) const PATIENCE: Duration = Duration::from_secs(300);

/// The number of calls in one connection that may wait for input.
const MOST: usize = 64;

/// The number of calls in all connections that may wait for input.
const MOST_IN_ALL: usize = 1_024;

/// This process's calls that wait for the user, by number.
static HELD: LazyLock<Mutex<HashMap<String, HeldCall>>> = LazyLock::new(Mutex::default);

/// A call whose server waits for the user.
struct HeldCall {
    call: RunningCall,
    respond: oneshot::Sender<ElicitResult>,
    server: String,
    until: Instant,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
    let of_connection = held.values().filter(|other| other.call.shares_connection(&call)).count();
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
    use std::sync::Arc;

    use super::*;
    use crate::client::running::McpCalls;
    use crate::client::running::tests::endless;

    /// The calls of all tests are in one list.
    static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

    /// Keeps a call, and returns true if the call is kept.
    fn is_held(calls: &Arc<McpCalls>, number: String) -> bool {
        let (respond, _response) = oneshot::channel();
        hold("shop", number, endless(calls), respond).is_ok()
    }

    fn accepted() -> ElicitResult {
        ElicitResult::new(ElicitationAction::Accept)
    }

    #[tokio::test]
    async fn a_kept_call_continues_at_its_server_alone_and_once() {
        let _alone = ALONE.lock().await;
        let (calls, number) = (Arc::<McpCalls>::default(), McpCalls::number());
        assert!(is_held(&calls, number.clone()));
        assert!(resume("other", &number, accepted()).is_none());
        assert!(resume("shop", &number, accepted()).is_some());
        assert!(resume("shop", &number, accepted()).is_none());
    }

    #[tokio::test]
    async fn a_connection_keeps_few_calls() {
        let _alone = ALONE.lock().await;
        let calls = Arc::<McpCalls>::default();
        let numbers: Vec<_> = std::iter::repeat_with(McpCalls::number).take(MOST + 1).collect();
        let kept: Vec<_> = numbers.into_iter().filter(|number| is_held(&calls, number.clone())).collect();
        assert_eq!(kept.len(), MOST);
        for number in kept {
            assert!(resume("shop", &number, accepted()).is_some());
        }
    }

    #[tokio::test]
    async fn all_connections_together_keep_few_calls() {
        let _alone = ALONE.lock().await;
        let connections: Vec<Arc<McpCalls>> =
            std::iter::repeat_with(Arc::default).take(MOST_IN_ALL / MOST + 1).collect();
        let mut kept = Vec::new();
        for calls in &connections {
            let numbers = std::iter::repeat_with(McpCalls::number).take(MOST);
            kept.extend(numbers.filter(|number| is_held(calls, number.clone())));
        }
        assert_eq!(kept.len(), MOST_IN_ALL);
        // A call that continues makes room for another connection's call.
        let last = connections.last().unwrap();
        assert!(!is_held(last, McpCalls::number()));
        assert!(resume("shop", &kept.remove(0), accepted()).is_some());
        let next = McpCalls::number();
        assert!(is_held(last, next.clone()));
        kept.push(next);
        for number in kept {
            assert!(resume("shop", &number, accepted()).is_some());
        }
    }
}
