//! Frontend tools: handlers, and the runs they make.

use std::sync::{Arc, Mutex};

use agui_runtime::client::{ClientError, LocalAgent, Replay, RunOutcome, Session, TurnUpdate};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Message, RunAgentInput};
use serde_json::json;

use crate::in_time;

/// Asks the user if that is all.
#[tool(frontend)]
async fn checkout(total: u32, items: Vec<String>) -> bool;

/// Asks for a name.
#[tool(frontend)]
async fn who() -> Option<String>;

/// Sells things: asks for the name, then if that is all.
#[agent(tools = [checkout, who])]
async fn shop(run: &mut Run<Shop>, input: Input<Shop>) -> Result<u32, Stop> {
    if let Some(bought) = input.frontend_result::<checkout>()? {
        run.say(if bought { "Thank you!" } else { "What else?" }).await;
        return Ok(180);
    }
    if let Some(name) = input.frontend_result::<who>()? {
        let ask = run.call(checkout { total: 180, items: name.into_iter().collect() }).await?;
        return Err(Stop::await_frontend(ask));
    }
    let ask = run.call(who {}).await?;
    Err(Stop::await_frontend(ask))
}

/// The inputs that agents received.
type Inputs = Arc<Mutex<Vec<RunAgentInput>>>;

fn shopping(inputs: &Inputs) -> Session {
    let inputs = Arc::clone(inputs);
    Session::new(LocalAgent::new(Shop::new())).with_fixed_ids("1").with(
        move |input: RunAgentInput, next: agui_runtime::client::Next| {
            inputs.lock().unwrap().push(input.clone());
            next.open(input)
        },
    )
}

#[tokio::test]
async fn handlers_answer_until_the_agent_is_done() {
    let inputs = Inputs::default();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&asked);
    let mut session = shopping(&inputs)
        .frontend_tool(|_: who| async { Some("Ada".to_owned()) })
        .frontend_tool(move |ask: checkout| {
            heard.lock().unwrap().push((ask.total, ask.items));
            async { true }
        });
    session.say("rice");
    let done = in_time(session.run()).await.unwrap();
    assert_eq!((done.text().as_str(), done.runs), ("Thank you!", 3));
    assert_eq!(done.result::<u32>().unwrap(), Some(180));
    assert_eq!(*asked.lock().unwrap(), [(180, vec!["Ada".to_owned()])]);
    let roles: Vec<_> = done.new_messages.iter().map(|message| message.role().as_str()).collect();
    assert_eq!(roles, ["assistant", "tool", "assistant", "tool", "assistant"]);

    let inputs = inputs.lock().unwrap();
    let ids: Vec<_> = inputs.iter().map(|input| input.run_id.as_str()).collect();
    assert_eq!(ids, ["run-1-1", "run-1-2", "run-1-3"]);
    let offered: Vec<_> = inputs[0].tools().iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(offered, ["who", "checkout"]);
    let parameters = serde_json::to_value(&inputs[0].tools()[1].parameters).unwrap();
    assert_eq!(parameters["required"], json!(["total", "items"]));
    let Some(Message::Tool(answer)) = inputs[1].messages.last() else { panic!() };
    assert_eq!(serde_json::to_value(&answer.content).unwrap(), "Ada");
}

#[tokio::test]
async fn a_call_without_a_handler_is_left_to_the_caller() {
    let mut session = shopping(&Inputs::default()).frontend_tool(|_: checkout| async { false });
    session.say("rice");
    let asked = in_time(session.run()).await.unwrap();
    let RunOutcome::Success { pending, .. } = asked.outcome else { panic!("{asked:?}") };
    assert_eq!((pending.len(), asked.runs), (1, 1));
    session.settle_call(&pending[0], "Grace");
    let done = in_time(session.run()).await.unwrap();
    assert_eq!((done.text().as_str(), done.runs), ("What else?", 2));
}

#[tokio::test]
async fn the_agent_gets_the_failure_of_a_tool() {
    let mut session =
        shopping(&Inputs::default()).fallible_frontend_tool(|_: who| async { Err("the user has left") });
    let done = in_time(session.run()).await.unwrap();
    let answered = done.new_messages.iter().find_map(|message| match message {
        Message::Tool(message) => Some(serde_json::to_value(message).unwrap()),
        _ => None,
    });
    let answered = answered.unwrap();
    assert_eq!(
        (&answered["content"], &answered["error"]),
        (&json!(r#"{"error":"the user has left"}"#), &json!("the user has left"))
    );
    assert!(
        matches!(done.outcome, RunOutcome::Failed { .. }),
        "the agent asks for an answer of its type: {done:?}"
    );
}

fn calling(arguments: &str, outcome: Option<serde_json::Value>) -> String {
    let mut finished = json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" });
    if let Some(outcome) = outcome {
        finished["outcome"] = outcome;
    }
    [
        json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r" }),
        json!({ "type": "TOOL_CALL_CHUNK", "toolCallId": "other", "toolCallName": "unknown" }),
        json!({ "type": "TOOL_CALL_CHUNK", "toolCallId": "c", "toolCallName": "checkout", "delta": arguments }),
        finished,
    ]
    .map(|event| format!("{event}\n"))
    .concat()
}

#[tokio::test]
async fn arguments_that_are_not_the_tools_are_answered_with_what_is_wrong() {
    let replay =
        Replay::from_lines(&(calling(r#"{"total":"much"}"#, None) + &crate::lines_of("2", &["Sorry."])));
    let mut session: Session = Session::new(replay).frontend_tool(|_: checkout| async { true });
    let done = in_time(session.run()).await.unwrap();
    assert_eq!(done.text(), "Sorry.");
    let Some(Message::Tool(answer)) = session.messages().iter().find(|message| *message.id() == "c-answer")
    else {
        panic!("{:?}", session.messages())
    };
    let error = answer.error.as_deref().unwrap();
    assert!(error.contains("arguments of tool `checkout` at `total`"), "{error}");
}

#[tokio::test]
async fn calls_that_the_agent_names_as_pending_are_waited_for() {
    let named = json!({ "type": "success", "pendingToolCallIds": ["other", "c"] });
    for (outcome, runs) in [(Some(named), 1), (None, 2)] {
        let lines = calling(r#"{"total":1,"items":[]}"#, outcome) + &crate::lines_of("2", &["Done."]);
        let mut session: Session =
            Session::new(Replay::from_lines(&lines)).frontend_tool(|_: checkout| async { true });
        let done = in_time(session.run()).await.unwrap();
        assert_eq!(done.runs, runs, "{done:?}");
        if runs == 1 {
            assert_eq!(done.outcome, RunOutcome::Success { result: None, pending: vec!["other".into()] });
        }
    }
}

#[tokio::test]
async fn calls_of_tools_without_a_handler_end_the_turn() {
    let lines = calling(r#"{"total":1,"items":[]}"#, None) + &crate::lines_of("2", &["Done."]);
    let mut session: Session = Session::new(Replay::from_lines(&lines))
        .frontend_tool(|_: checkout| async { true })
        .with_tools([agui_runtime::protocol::Tool::new("unknown", "No type of ours.")])
        .declare_tool::<who>();
    let done = in_time(session.run()).await.unwrap();
    assert_eq!(
        (done.runs, done.outcome),
        (1, RunOutcome::Success { result: None, pending: vec!["other".into()] })
    );
    assert_eq!(session.pending_calls(), ["other"], "the other one was answered");
    assert!(session.asked::<who>().is_none());
    session.settle_call("other", "yes");
    assert_eq!(in_time(session.run()).await.unwrap().text(), "Done.");

    // The arguments are read as the tool's type, or reported as invalid.
    let lines = calling(r#"{"total":"much"}"#, None);
    let mut session: Session = Session::new(Replay::from_lines(&lines)).declare_tool::<checkout>();
    in_time(session.run()).await.unwrap();
    let (call, asked) = session.asked::<checkout>().unwrap();
    let error = asked.err().unwrap();
    assert_eq!((call.as_str(), error.tool, error.path.as_str()), ("c", "checkout", "total"));
}

#[tokio::test]
async fn an_agent_that_never_stops_calling_is_stopped() {
    let endless = std::iter::repeat_n(calling(r#"{"total":1,"items":[]}"#, None), 9).collect::<String>();
    let mut session: Session = Session::new(Replay::from_lines(&endless))
        .frontend_tool(|_: checkout| async { true })
        .with_max_runs(3);
    let error = in_time(session.run()).await.unwrap_err();
    assert!(matches!(error, ClientError::TooManyRuns { limit: 3 }), "{error}");
}

#[tokio::test]
async fn a_handler_that_is_interrupted_goes_on_where_it_was() {
    let asked = Arc::new(Mutex::new(0));
    let count = Arc::clone(&asked);
    let bell = Arc::new(tokio::sync::Notify::new());
    let ring = Arc::clone(&bell);
    let mut session: Session = Session::new(Replay::from_lines(
        &(calling(r#"{"total":1,"items":[]}"#, None) + &crate::lines_of("2", &["Done."])),
    ))
    .frontend_tool(move |_: checkout| {
        *count.lock().unwrap() += 1;
        let bell = Arc::clone(&bell);
        async move {
            bell.notified().await;
            true
        }
    });
    let mut turn = session.start();
    let mut answered = 0;
    loop {
        tokio::select! {
            biased;
            update = turn.next() => match update.unwrap() {
                Some(TurnUpdate::Settled { tool_call_id }) => answered += usize::from(tool_call_id == "c"),
                Some(_) => {}
                None => break,
            },
            () = tokio::task::yield_now() => ring.notify_one(),
        }
    }
    assert_eq!((in_time(turn.finish()).await.unwrap().runs, answered, *asked.lock().unwrap()), (2, 1, 1));
}

#[test]
fn answers_have_ids_of_their_own_though_their_calls_have_one() {
    let mut session: Session = Session::new(Replay::default());
    for answer in ["yes", "no", "yes"] {
        session.settle_call("call", answer);
    }
    let ids: Vec<&str> = session.messages().iter().map(|message| message.id().as_str()).collect();
    assert_eq!(ids, ["call-answer", "call-answer-2", "call-answer-3"]);
}

#[tokio::test]
async fn a_call_is_answered_once_however_often_it_is_named() {
    let first = [
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"1"}"#,
        r#"{"type":"TOOL_CALL_START","toolCallId":"a","toolCallName":"who"}"#,
        r#"{"type":"TOOL_CALL_ARGS","toolCallId":"a","delta":"{}"}"#,
        r#"{"type":"TOOL_CALL_END","toolCallId":"a"}"#,
        r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"a","content":"\"Bo\""}"#,
        r#"{"type":"TOOL_CALL_START","toolCallId":"b","toolCallName":"who"}"#,
        r#"{"type":"TOOL_CALL_ARGS","toolCallId":"b","delta":"{}"}"#,
        r#"{"type":"TOOL_CALL_END","toolCallId":"b"}"#,
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"1","outcome":{"type":"success","pendingToolCallIds":["b","a","b"]}}"#,
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"2"}"#,
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"2"}"#,
    ];
    let asked = Arc::new(Mutex::new(0));
    let count = Arc::clone(&asked);
    let mut session: Session =
        Session::new(Replay::from_lines(&first.join("\n"))).frontend_tool(move |_: who| {
            *count.lock().unwrap() += 1;
            async { Some("Ada".to_owned()) }
        });
    let done = in_time(session.run()).await.unwrap();
    assert_eq!((*asked.lock().unwrap(), done.runs), (1, 2));
    let answers = session.messages().iter().filter_map(|message| match message {
        Message::Tool(message) => Some(message.tool_call_id.as_str()),
        _ => None,
    });
    assert_eq!(answers.collect::<Vec<_>>(), ["a", "b"]);
}
