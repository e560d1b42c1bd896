//! A remote agent as a subagent: our client with our server, by each binding.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use agui_runtime::a2a::A2aClient;
use agui_runtime::prelude::*;
use agui_runtime::protocol::{
    AssistantMessage, Event, Interrupt, NonNull, ResumeEntry, ResumeStatus, RunAgentInput, UserMessage,
};
use agui_runtime::testing::{self, Recording, RunEnd};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::evil::{Evil, error};
use crate::planner::Planner;
use crate::talk::{TestServer, block_on};

/// Returns a server, and a client for each binding.
async fn open() -> (TestServer, [Arc<A2aClient>; 2]) {
    let server = TestServer::with_both().await;
    let client = async |path: &str| {
        Arc::new(A2aClient::connect(format!("http://{}{path}", server.address)).await.unwrap())
    };
    let clients = [client("/a2a").await, client("/rest").await];
    (server, clients)
}

pub(crate) async fn through(remote: &Arc<A2aClient>, input: RunAgentInput) -> Vec<Event> {
    testing::run(Planner::new(Arc::clone(remote)), input).await
}

pub(crate) fn question(events: &[Event]) -> Interrupt {
    match testing::end(events) {
        RunEnd::Interrupt([question]) => question.clone(),
        _ => panic!("{}", testing::lines(events)),
    }
}

pub(crate) fn answer(question: &Interrupt, payload: Option<Value>) -> RunAgentInput {
    let status = if payload.is_some() { ResumeStatus::Resolved } else { ResumeStatus::Cancelled };
    let mut entry = ResumeEntry::new(question.id.clone(), status);
    entry.payload = payload.and_then(NonNull::new);
    let mut input = testing::input("send it");
    input.run_id = "run-2".into();
    input.resume = Some(vec![entry].into());
    input
}

#[test]
fn its_text_is_that_of_a_subagent() {
    block_on(async {
        let (_server, remotes) = open().await;
        for remote in remotes {
            assert_eq!(remote.card().name, "desk");
            let events = through(&remote, testing::input("hello")).await;
            let lines = testing::lines(&events);
            assert_eq!(testing::texts(&events), ["Good day."], "{lines}");
            assert!(
                matches!(&events[1], Event::SubagentStarted(started) if started.name == "remote"),
                "{lines}"
            );
            let tagged = events.iter().filter(|event| event.subagent_run_id().is_some()).count();
            assert!(tagged >= 6, "{lines}");
            let result = result(&events);
            assert_eq!(result["text"], "Good day.");
            // The state, and the result with all that the remote agent says.
            let artifacts = result["artifacts"].as_array().unwrap();
            assert!(artifacts.iter().any(|artifact| artifact["name"] == "result"), "{result}");
            assert!(events.iter().any(|event| matches!(event, Event::ActivitySnapshot(_))), "{lines}");
        }
    });
}

#[test]
fn its_question_is_one_of_the_run() {
    block_on(async {
        let (_server, remotes) = open().await;
        let answers = [(json!({ "approved": true }), "Sent."), (json!({ "approved": false }), "Not sent.")];
        for (remote, (payload, said)) in
            remotes.iter().flat_map(|remote| answers.clone().map(|answer| (remote, answer)))
        {
            let asked = question(&through(remote, testing::input("send it")).await);
            assert_eq!(
                (asked.reason.as_str(), asked.message.as_deref()),
                ("input_required", Some("Send it?"))
            );
            assert!(asked.response_schema.as_ref().is_some_and(|schema| schema.contains_key("properties")));
            assert!(asked.subagent_run_id.is_some());
            let events = through(remote, answer(&asked, Some(payload))).await;
            assert_eq!(testing::texts(&events), [said], "{}", testing::lines(&events));
        }
        for remote in remotes {
            let asked = question(&through(&remote, testing::input("secret")).await);
            assert_eq!(asked.reason, "auth_required");
            let events = through(&remote, answer(&asked, None)).await;
            assert!(matches!(testing::end(&events), RunEnd::Cancelled), "{}", testing::lines(&events));
        }
    });
}

#[test]
fn a_thread_is_one_context() {
    block_on(async {
        let (_server, [remote, _]) = open().await;
        for count in 1..=2 {
            assert_eq!(counted(&through(&remote, testing::input("count")).await), count);
        }
    });
}

/// Returns the count of the conversation, which each of its runs increases.
fn counted(events: &[Event]) -> u64 {
    count_of(&result(events))
}

fn count_of(result: &Value) -> u64 {
    let artifacts = result["artifacts"].as_array().unwrap();
    let state = artifacts.iter().find(|artifact| artifact["name"] == "state").unwrap();
    state["parts"][0]["data"]["count"].as_u64().unwrap()
}

fn result(events: &[Event]) -> Value {
    match testing::end(events) {
        RunEnd::Success { result: Some(result), .. } => result.clone(),
        _ => panic!("{}", testing::lines(events)),
    }
}

#[test]
fn parties_and_agents_share_no_conversation_by_the_id_of_a_thread() {
    block_on(async {
        let (_server, [remote, _]) = open().await;
        for (party, count) in [("ada", 1), ("eve", 1), ("ada", 2)] {
            let planner = Planner::new(Arc::clone(&remote));
            let options = testing::options().subject(party);
            let events = testing::run_with(planner, testing::input("count"), options).await;
            assert_eq!(counted(&events), count, "{party}");
        }
        assert_eq!(counted(&through(&remote, testing::input("count")).await), 1, "no party");
        let other = A2aClient::clone(&remote);
        assert_eq!(counted(&testing::run(other, testing::input("count")).await), 1, "another agent");
    });
}

#[test]
fn texts_from_before_a_question_are_said_once() {
    block_on(async {
        let (_server, [remote, _]) = open().await;
        let events = through(&remote, testing::input("draft a letter")).await;
        assert_eq!(testing::texts(&events), ["Here is a draft."]);
        let events = through(&remote, answer(&question(&events), Some(json!({ "approved": true })))).await;
        assert_eq!(testing::texts(&events), ["Sent."], "{}", testing::lines(&events));
    });
}

#[test]
fn it_gets_what_the_user_said_last() {
    block_on(async {
        let (_server, [remote, _]) = open().await;
        let mut input = testing::input("hello");
        input.messages.push(AssistantMessage::new("assistant-1").with_content("I ask the desk.").into());
        let events = through(&remote, input.clone()).await;
        assert_eq!(testing::texts(&events), ["Good day."], "{}", testing::lines(&events));
        input.messages.remove(0);
        let evil = Evil::default();
        let client = Arc::new(evil.serve(|_| {}).await.unwrap());
        let message = error(&through(&client, input).await);
        assert!(message.contains("no message of the user"), "{message}");
        assert!(evil.asked().is_empty(), "{:?}", evil.asked());
    });
}

/// Delegates a task that waits, and returns the run when the client knows the task.
pub(crate) async fn waiting(remote: Arc<A2aClient>) -> JoinHandle<Vec<Event>> {
    let recording = Recording::new();
    let options = testing::options().recorder(recording.clone());
    let running = tokio::spawn(testing::run_with(Planner::new(remote), testing::input("wait"), options));
    while testing::texts(&recording.events()).is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    running
}

#[test]
fn a_run_that_is_dropped_cancels_the_task() {
    block_on(async {
        let (server, remotes) = open().await;
        for (number, remote) in remotes.into_iter().enumerate() {
            waiting(remote).await.abort();
            while server.bells.dropped.load(Ordering::SeqCst) == number {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
    });
}

#[test]
fn an_answer_that_is_refused_is_asked_for_again() {
    block_on(async {
        let (server, remotes) = open().await;
        for (number, remote) in remotes.into_iter().enumerate() {
            let asked = question(&through(&remote, testing::input("send it")).await);
            let again = question(&through(&remote, answer(&asked, Some(json!("yes, please")))).await);
            let message = again.message.as_deref().unwrap();
            assert!(message.starts_with("Send it?\nexpected a value of this JSON Schema"), "{message}");
            assert_eq!(again.response_schema, asked.response_schema);
            let events = through(&remote, answer(&again, Some(json!({ "approved": true })))).await;
            assert_eq!(testing::texts(&events), ["Sent."], "{}", testing::lines(&events));
            assert_eq!(server.bells.began.load(Ordering::SeqCst), 2 * (number + 1), "the task is the same");
        }
    });
}

#[test]
fn a_failed_task_fails_the_subagent() {
    block_on(async {
        let (_server, remotes) = open().await;
        for remote in remotes {
            let message = error(&through(&remote, testing::input("fail")).await);
            assert!(message.contains("failed the task: no ink"), "{message}");
        }
    });
}

/// Delegates twice to a remote agent, at once: what the first and the second word of the user say.
#[agent]
async fn pair(run: &mut Run<Pair>, input: Input<Pair>, remote: &Arc<A2aClient>) -> Result<Value, Stop> {
    let said = input.user_text().unwrap_or_default();
    let (first, second) = said.split_once('+').unwrap();
    let ask = |text: &str| run.delegate("remote", remote, [UserMessage::new("user-1", text).into()]);
    match futures::join!(ask(first), ask(second)) {
        (Ok(first), Ok(second)) => Ok(json!([first, second])),
        (Err(first), Err(second)) => Err(first.and(second)),
        (Err(stop), _) | (_, Err(stop)) => Err(stop),
    }
}

async fn both(remote: &Arc<A2aClient>, input: RunAgentInput) -> Vec<Event> {
    testing::run(Pair::new(Arc::clone(remote)), input).await
}

#[test]
fn two_delegations_have_two_conversations() {
    block_on(async {
        let (_server, [remote, _]) = open().await;
        for run in 1..=2 {
            let result = result(&both(&remote, testing::input("count+count")).await);
            let [first, second] = [&result[0], &result[1]];
            assert_ne!(first["contextId"], second["contextId"]);
            assert_eq!([first, second].map(count_of), [run, run], "each remembers its own");
        }
    });
}

#[test]
fn an_answer_reaches_the_delegation_that_asked() {
    block_on(async {
        let (_server, [remote, _]) = open().await;
        let asked = question(&both(&remote, testing::input("hello+send it")).await);
        let mut input = answer(&asked, Some(json!({ "approved": true })));
        input.messages = testing::input("hello+send it").messages;
        // They go on at once, so that either may be the first.
        let answered = result(&both(&remote, input).await);
        assert_eq!([&answered[0]["text"], &answered[1]["text"]], ["Good day.", "Sent."]);

        // Both ask, and get different answers.
        let asked = both(&remote, testing::input("send one+send two")).await;
        let RunEnd::Interrupt([first, second]) = testing::end(&asked) else {
            panic!("{}", testing::lines(&asked))
        };
        assert_ne!(first.id, second.id);
        let entries = [(first, false), (second, true)].map(|(question, approved)| {
            let mut entry = ResumeEntry::new(question.id.clone(), ResumeStatus::Resolved);
            entry.payload = NonNull::new(json!({ "approved": approved }));
            entry
        });
        let mut input = testing::input("send one+send two");
        input.run_id = "run-2".into();
        input.resume = Some(entries.to_vec().into());
        let events = both(&remote, input).await;
        let mut said = testing::texts(&events);
        said.sort_unstable();
        assert_eq!(said, ["Not sent.", "Sent."], "{}", testing::lines(&events));
        let result = result(&events);
        assert_eq!([&result[0]["text"], &result[1]["text"]], ["Not sent.", "Sent."]);
    });
}
