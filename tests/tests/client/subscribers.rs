//! The order of subscribers, and the changes they may make.

use std::sync::{Arc, Mutex};

use agui_runtime::client::{ClientError, PartialArguments, RunOutcome};
use agui_runtime::client::{Reaction, Replay, Session, Subscriber, View};
use agui_runtime::protocol::{Event, Message, ToolCall, ToolCallArgsEvent, UserMessage};
use serde_json::json;

use crate::{in_time, lines_of};

type Log = Arc<Mutex<Vec<String>>>;

/// Records its hooks, and acts when a certain word arrives.
struct Recorder {
    name: &'static str,
    log: Log,
    at: &'static str,
    reaction: Reaction,
}

impl Recorder {
    fn new(name: &'static str, log: &Log) -> Self {
        Self { name, log: Arc::clone(log), at: "", reaction: Reaction::none() }
    }

    fn at(mut self, at: &'static str, reaction: Reaction) -> Self {
        (self.at, self.reaction) = (at, reaction);
        self
    }

    fn record(&self, what: &str) -> Reaction {
        self.log.lock().unwrap().push(format!("{} {what}", self.name));
        if what == self.at { self.reaction.clone() } else { Reaction::none() }
    }
}

impl Subscriber for Recorder {
    fn on_run_initialized(&mut self, _: &View<'_>) -> Reaction {
        self.record("initialized")
    }

    fn on_run_failed(&mut self, _: &ClientError, _: &View<'_>) -> Reaction {
        self.record("failed")
    }

    fn on_run_finalized(&mut self, _: &View<'_>) -> Reaction {
        self.record("finalized")
    }

    fn on_event(&mut self, event: &Event, _: &View<'_>) -> Reaction {
        self.record(event.event_type().as_str())
    }

    fn on_tool_call_args(
        &mut self,
        _: &ToolCallArgsEvent,
        before: PartialArguments<'_>,
        _: &View<'_>,
    ) -> Reaction {
        self.record(&format!("args of {}: {}", before.tool(), before.completed()))
    }

    fn on_new_message(&mut self, message: &Message, now: &View<'_>) {
        let _ = self.record(&format!("message {} of {}", message.id(), now.messages().len()));
    }

    fn on_new_tool_call(&mut self, call: &ToolCall, _: &View<'_>) {
        let _ = self.record(&format!("call {}", call.id));
    }

    fn on_messages_changed(&mut self, _: &View<'_>) {
        let _ = self.record("messages");
    }

    fn on_state_changed(&mut self, now: &View<'_>) {
        let _ = self.record(&format!("state {}", now.state()));
    }
}

fn recorded(log: &Log) -> Vec<String> {
    std::mem::take(&mut *log.lock().unwrap())
}

#[tokio::test]
async fn all_are_asked_in_order_and_the_one_of_the_turn_last() {
    let log = Log::default();
    let mut session: Session = Session::new(Replay::from_lines(&lines_of("r", &["Hi"])));
    session.subscribe(Recorder::new("a", &log));
    let gone = session.subscribe(Recorder::new("gone", &log));
    assert!(session.unsubscribe(gone).is_some() && session.unsubscribe(gone).is_none());
    let mut guest = Recorder::new("b", &log);
    in_time(session.start_with(&mut guest).finish()).await.unwrap();
    let expected = [
        "initialized",
        "RUN_STARTED",
        "TEXT_MESSAGE_START",
        "messages",
        "TEXT_MESSAGE_CONTENT",
        "messages",
        "TEXT_MESSAGE_END",
        "message r-0 of 1",
        "RUN_FINISHED",
        "finalized",
    ];
    let expected: Vec<_> =
        expected.iter().flat_map(|what| [format!("a {what}"), format!("b {what}")]).collect();
    assert_eq!(recorded(&log), expected);
}

#[tokio::test]
async fn a_subscriber_that_stops_an_event_stops_its_effect_and_later_subscribers() {
    let log = Log::default();
    let mut session: Session = Session::new(Replay::from_lines(&lines_of("r", &["Hi"])));
    session.subscribe(Recorder::new("a", &log).at("TEXT_MESSAGE_CONTENT", Reaction::stop()));
    session.subscribe(Recorder::new("b", &log));
    let done = in_time(session.run()).await.unwrap();
    assert_eq!(done.text(), "");
    assert_eq!(done.new_messages.len(), 1);
    let records = recorded(&log);
    assert!(
        records.contains(&"a TEXT_MESSAGE_CONTENT".to_owned())
            && !records.contains(&"b TEXT_MESSAGE_CONTENT".to_owned())
    );
    assert!(records.contains(&"b TEXT_MESSAGE_END".to_owned()));
}

#[tokio::test]
async fn changes_before_a_run_are_sent() {
    let log = Log::default();
    let messages = vec![UserMessage::new("mine", "instead").into()];
    let reaction = Reaction::none().with_messages(messages.clone()).with_state(json!({ "n": 1 }));
    let sent = Arc::new(Mutex::new(None));
    let kept = Arc::clone(&sent);
    let mut session: Session = Session::new(Replay::from_lines(&lines_of("r", &[]))).with(
        move |input: agui_runtime::protocol::RunAgentInput, next: agui_runtime::client::Next| {
            *kept.lock().unwrap() = Some(input.clone());
            next.open(input)
        },
    );
    session.subscribe(Recorder::new("a", &log).at("initialized", reaction));
    session.say("to be replaced");
    in_time(session.run()).await.unwrap();
    let sent = sent.lock().unwrap().take().unwrap();
    assert_eq!((&sent.messages, sent.state.as_deref()), (&messages, Some(&json!({ "n": 1 }))));
    assert_eq!(session.messages(), messages);
    assert!(recorded(&log).contains(&r#"a state {"n":1}"#.to_owned()));
}

#[tokio::test]
async fn a_failure_can_be_swallowed() {
    for swallow in [false, true] {
        let log = Log::default();
        let mut session: Session = Session::new(Replay::default());
        let reaction = if swallow { Reaction::stop() } else { Reaction::none() };
        session.subscribe(Recorder::new("a", &log).at("failed", reaction));
        let done = in_time(session.run()).await;
        assert_eq!(recorded(&log), ["a initialized", "a failed", "a finalized"]);
        assert_eq!(done.ok().map(|done| done.outcome), swallow.then_some(RunOutcome::Truncated));
    }
}

#[tokio::test]
async fn a_dropped_turn_calls_the_last_hook() {
    let log = Log::default();
    let mut session: Session = Session::new(Replay::from_lines(&lines_of("r", &[])));
    session.subscribe(Recorder::new("a", &log));
    let mut turn = session.start();
    in_time(turn.next()).await.unwrap();
    drop(turn);
    assert_eq!(recorded(&log), ["a initialized", "a RUN_STARTED", "a finalized"]);
}

#[tokio::test]
async fn arguments_are_seen_growing() {
    let lines = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
        {"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"price"}
        {"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{\"name\":\"saf"}
        {"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"fron\"}"}
        {"type":"TOOL_CALL_END","toolCallId":"c"}
        {"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;
    let log = Log::default();
    let mut session: Session = Session::new(Replay::from_lines(lines));
    session.subscribe(Recorder::new("a", &log));
    in_time(session.run()).await.unwrap();
    let records = recorded(&log);
    let args: Vec<_> = records
        .iter()
        .filter(|record| record.starts_with("a args") || record.starts_with("a call"))
        .collect();
    assert_eq!(args, ["a args of price: ", r#"a args of price: {"name":"saf"}"#, "a call c"]);
}
