//! Conversations that were recorded, and continue.

use std::sync::{Arc, Mutex};

use agui_runtime::client::{
    Frame, LocalAgent, Next, Reaction, Replay, ResumeValue, RunOutcome, Session, Subscriber, middleware,
};
use agui_runtime::order::OrderStrictness;
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Event, Interrupt, Message, NonNull, RunAgentInput};
use agui_runtime::receive::{PipelineEnd, ReceivePipeline};
use serde_json::{Value, json};

use crate::in_time;

/// Asks the person for a name.
#[tool(frontend)]
async fn who() -> String;

/// Keeps a list: adds each message to it, asks whose it is, and asks before it is cleared.
#[agent(state = Vec<String>, tools = [who])]
async fn list(run: &mut Run<List>, input: Input<List>) -> Result<(), Stop> {
    let items = run.state().adopt_or_snapshot(&input).await?;
    if let Some(answer) = input.resume().first() {
        run.say(format!("You said {}.", answer.payload.as_deref().unwrap_or(&Value::Null))).await;
        return Ok(());
    }
    if let Some(name) = input.frontend_result::<who>()? {
        run.say(format!("It is {name}'s.")).await;
        return Ok(());
    }
    match input.user_text().unwrap_or_default().as_str() {
        "whose" => {
            let ask = run.call(who {}).await?;
            Err(Stop::await_frontend(ask))
        }
        "clear" => Err(Stop::interrupt(Interrupt::new("sure", "confirmation"))),
        item => {
            items.update(|items| items.push(item.to_owned())).await?;
            run.say(format!("{} on it.", items.read(Vec::len)?)).await;
            Ok(())
        }
    }
}

type Recording = Arc<Mutex<String>>;

fn recorded(recording: &Recording) -> Session {
    let lines = Arc::clone(recording);
    Session::new(LocalAgent::new(List::new())).with(middleware::record(move |frame| {
        let mut lines = lines.lock().unwrap();
        lines.push_str(&frame.to_text().unwrap());
        lines.push('\n');
    }))
}

fn restored(recording: &Recording) -> Session {
    let lines = recording.lock().unwrap().clone();
    Session::new(LocalAgent::new(List::new())).restore_lines(&lines).unwrap()
}

/// The content of a conversation.
fn held(session: &Session) -> Value {
    json!({
        "thread": session.thread_id(),
        "messages": session.messages(),
        "state": session.state_value(),
        "interrupts": session.pending_interrupts(),
        "calls": session.pending_calls(),
    })
}

async fn say(session: &mut Session, text: &str) -> RunOutcome {
    session.say(text);
    in_time(session.run()).await.unwrap().outcome
}

#[tokio::test]
async fn a_recording_holds_both_sides_of_a_conversation_at_every_moment() {
    let recording = Recording::default();
    let mut session = recorded(&recording);
    let same = |session: &Session| {
        let restored = restored(&recording);
        assert_eq!(held(&restored), held(session), "{}", recording.lock().unwrap());
    };
    say(&mut session, "rice").await;
    same(&session);
    // The user's answers and changes.
    say(&mut session, "whose").await;
    same(&session);
    session.settle_call(session.pending_calls()[0].clone(), "Ada");
    in_time(session.run()).await.unwrap();
    assert_eq!(session.state_value(), &json!(["rice"]));
    same(&session);
    session.set_state(json!(["tea", "salt"]));
    say(&mut session, "flour").await;
    assert_eq!(session.state_value(), &json!(["tea", "salt", "flour"]));
    same(&session);
    // Questions and their answers.
    assert!(matches!(say(&mut session, "clear").await, RunOutcome::Interrupted { .. }));
    same(&session);
    let sure = session.pending_interrupts()[0].id.clone();
    session.resume([(sure, ResumeValue::resolved(NonNull::from(true)))]).unwrap();
    let done = in_time(session.run()).await.unwrap();
    assert_eq!(done.text(), "You said true.");
    same(&session);
    // A conversation that the user edits: another last message, another first one, nothing at all.
    let shorter = session.messages()[..3].to_vec();
    session.set_messages(shorter);
    say(&mut session, "eggs").await;
    same(&session);
    let mut other = session.messages().to_vec();
    other.remove(0);
    other.insert(1, agui_runtime::protocol::SystemMessage::new("rules", "Be brief.").into());
    session.set_messages(other);
    say(&mut session, "milk").await;
    same(&session);
    session.set_messages(Vec::new());
    say(&mut session, "oats").await;
    same(&session);
    assert_eq!(session.messages().len(), 2);

    let lines = recording.lock().unwrap().clone();
    let requests: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|event| event["type"] == "RUN_STARTED")
        .map(|mut event| event["input"].take())
        .collect();
    let sizes: Vec<usize> =
        requests.iter().map(|input| input["messages"].as_array().unwrap().len()).collect();
    assert_eq!(sizes, [1, 1, 1, 1, 1, 0, 0, 0, 0], "what is recorded already is not recorded again");
    assert_eq!(requests[5]["resume"][0]["payload"], true);
    // Any client reads the same of it: it is a stream of AG-UI.
    let mut pipeline = ReceivePipeline::with_strictness(OrderStrictness::Client);
    for line in lines.lines() {
        pipeline.push_text(line, &mut |warning| panic!("{warning}"));
        pipeline.drain(|_, applied, _| assert_eq!(applied.warning, None)).unwrap();
    }
    assert_eq!(pipeline.end().unwrap(), PipelineEnd::Complete);
    assert_eq!(pipeline.reducer().messages(), session.messages());
    assert_eq!(pipeline.reducer().state(), session.state_value());
    let replay = Arc::new(Replay::from_lines(&lines));
    let mut shown: Session = Session::new(Arc::clone(&replay));
    while replay.runs_left() > 0 {
        let open: Vec<_> = shown
            .pending_interrupts()
            .iter()
            .map(|open| (open.id.clone(), ResumeValue::cancelled()))
            .collect();
        shown.resume(open).unwrap();
        in_time(shown.run()).await.unwrap();
    }
    assert_eq!((shown.messages(), shown.state_value()), (session.messages(), session.state_value()));
}

#[tokio::test]
async fn open_questions_can_be_answered_after_a_restart() {
    let recording = Recording::default();
    let mut session = recorded(&recording);
    say(&mut session, "whose").await;
    drop(session);
    // By hand, as a type, and by a handler, which runs before the agent.
    let mut by_hand = restored(&recording);
    let (call, asked) = by_hand.asked::<who>().unwrap();
    asked.unwrap();
    by_hand.settle::<who>(call, &"Ada".to_owned()).unwrap();
    assert!(by_hand.asked::<who>().is_none());
    assert_eq!(in_time(by_hand.run()).await.unwrap().text(), "It is Ada's.");
    let lines = recording.lock().unwrap().clone();
    let by_handler: Session = Session::new(LocalAgent::new(List::new()));
    let mut by_handler =
        by_handler.frontend_tool(|_: who| async { "Grace".to_owned() }).restore_lines(&lines).unwrap();
    let done = in_time(by_handler.run()).await.unwrap();
    assert_eq!((done.text().as_str(), done.runs), ("It is Grace's.", 1));
    assert_eq!(done.new_messages.len(), 2, "the answer and what was said to it");

    // An answer follows its call, whatever messages came since.
    let mut late = restored(&recording);
    late.say("well?");
    late.settle_call(late.pending_calls()[0].clone(), "Ada");
    let roles: Vec<_> = late.messages().iter().map(|message| message.role().as_str()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "user"]);

    let recording = Recording::default();
    let mut session = recorded(&recording);
    say(&mut session, "clear").await;
    drop(session);
    let mut again = restored(&recording);
    let sure = again.pending_interrupts()[0].id.clone();
    again.resume([(sure, ResumeValue::resolved(NonNull::from(false)))]).unwrap();
    assert_eq!(in_time(again.run()).await.unwrap().text(), "You said false.");
}

/// Clients take over the messages that an agent echoes, so they are part of the conversation; so are activities, which
/// no request has.
#[tokio::test]
async fn messages_known_to_one_side_are_kept() {
    let agent = |input: RunAgentInput| {
        let run = &input.run_id;
        let echo = json!({ "threadId": "t", "runId": run, "messages": [
            { "id": "rules", "role": "system", "content": "Be brief." },
        ] });
        let frames = [
            json!({ "type": "RUN_STARTED", "threadId": "t", "runId": run, "input": echo, "mood": "good" }),
            json!({ "type": "ACTIVITY_SNAPSHOT", "messageId": format!("plan {run}"), "activityType": "PLAN", "content": {} }),
            json!({ "type": "TEXT_MESSAGE_CHUNK", "messageId": format!("m {run}"), "delta": "Hi" }),
            json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": run }),
        ];
        Replay::new(frames.map(Frame::Json))
    };
    let recording = Recording::default();
    let lines = Arc::clone(&recording);
    let mut session: Session = Session::new(move |input: RunAgentInput| {
        agui_runtime::client::Upstream::open(&agent(input.clone()), input)
    })
    .with_warnings(|_| {})
    .with(middleware::record(move |frame| {
        let mut lines = lines.lock().unwrap();
        lines.push_str(&(frame.to_text().unwrap().into_owned() + "\n"));
    }));
    for text in ["one", "two"] {
        say(&mut session, text).await;
        assert_eq!(held(&restored(&recording)), held(&session));
    }
    let roles: Vec<_> = session.messages().iter().map(|message| message.role().as_str()).collect();
    assert_eq!(roles, ["user", "system", "activity", "assistant", "user", "activity", "assistant"]);
    let unknown = recording.lock().unwrap().matches(r#""mood":"good""#).count();
    assert_eq!(unknown, 2, "what came is recorded as it came");
    assert!(!recording.lock().unwrap().contains("MESSAGES_SNAPSHOT"), "nothing was edited");
}

/// A server's own log: it echoes whole requests, each with its initial state.
#[test]
fn restoring_a_log_with_whole_requests_keeps_messages_and_state() {
    let user = |id: &str| json!({ "id": id, "role": "user", "content": id });
    let started = |run: &str, messages: &[Value], state: Value| {
        let input = json!({ "threadId": "t", "runId": run, "protocolVersion": "1.0", "messages": messages, "state": state });
        json!({ "type": "RUN_STARTED", "threadId": "t", "runId": run, "protocolVersion": "1.0", "input": input })
    };
    let log = [
        started("1", &[user("a")], json!({ "n": 1 })),
        json!({ "type": "STATE_DELTA", "delta": [{ "op": "replace", "path": "/n", "value": 2 }] }),
        json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "1" }),
        started("2", &[user("a"), user("b")], json!({ "n": 7 })),
        json!({ "type": "STATE_DELTA", "delta": [{ "op": "add", "path": "/m", "value": 3 }] }),
        json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "2" }),
    ];
    for strictness in [OrderStrictness::Client, OrderStrictness::Spec, OrderStrictness::Producer] {
        let session: Session = Session::new(Replay::default())
            .with_strictness(strictness)
            .with_warnings(|warning| panic!("{warning}"))
            .restore(log.clone())
            .unwrap();
        assert_eq!(session.state_value(), &json!({ "n": 7, "m": 3 }), "{strictness:?}");
        let ids: Vec<_> = session.messages().iter().map(|message| message.id().as_str()).collect();
        assert_eq!(ids, ["a", "b"], "{strictness:?}");
    }
}

/// Changes of a subscriber are part of the conversation as well: the next request holds them.
#[tokio::test]
async fn changes_of_a_subscriber_are_recorded_with_the_next_run() {
    struct Censor;

    impl Subscriber for Censor {
        fn on_event(&mut self, event: &Event, _: &agui_runtime::client::View<'_>) -> Reaction {
            let hidden = matches!(event, Event::TextMessageContent(content) if content.delta.contains('1'));
            if hidden { Reaction::stop() } else { Reaction::none() }
        }
    }

    let recording = Recording::default();
    let mut session = recorded(&recording);
    session.subscribe(Censor);
    say(&mut session, "rice").await;
    say(&mut session, "tea").await;
    assert_eq!(held(&restored(&recording)), held(&session));
    let Message::Assistant(censored) = &session.messages()[1] else { panic!() };
    assert_eq!(censored.content.as_deref(), Some(""));
}

#[test]
fn a_line_that_is_no_event_is_named() {
    let lines = "\n{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"1\"}\n\nno JSON\n";
    let error = Session::<()>::new(Replay::default()).restore_lines(lines).unwrap_err();
    assert_eq!(error.at(), 1, "{error}");
}

#[test]
fn ids_are_given_in_any_order() {
    let session = || Session::<()>::new(Replay::default());
    assert_eq!(session().with_fixed_ids("x").with_thread_id("t").thread_id(), "t");
    assert_eq!(session().with_thread_id("t").with_fixed_ids("x").thread_id(), "t");
    assert_eq!(session().with_fixed_ids("x").thread_id(), "thread-x");
}

/// The client's layers may hold back a request.
#[tokio::test]
async fn a_request_without_a_run_is_recorded_with_the_next() {
    let recording = Recording::default();
    let lines = Arc::clone(&recording);
    let failed = Arc::new(Mutex::new(false));
    let flaky = move |input: RunAgentInput, next: Next| {
        if std::mem::replace(&mut *failed.lock().unwrap(), true) {
            return next.open(input);
        }
        let gone = agui_runtime::client::ClientError::other("gone");
        futures::StreamExt::boxed(futures::stream::iter([Err(gone)]))
    };
    let mut session: Session = Session::new(LocalAgent::new(List::new()))
        .with(middleware::record(move |frame| {
            lines.lock().unwrap().push_str(&(frame.to_text().unwrap().into_owned() + "\n"));
        }))
        .with(flaky);
    session.say("rice");
    in_time(session.run()).await.unwrap_err();
    assert_eq!(*recording.lock().unwrap(), "");
    say(&mut session, "tea").await;
    assert_eq!(held(&restored(&recording)), held(&session));
    assert_eq!(session.messages().len(), 3);
}
