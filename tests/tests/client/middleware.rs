//! Layers around an upstream.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::client::middleware::{self, Reading, Retry, Timing, ToolCalls};
use agui_runtime::client::{
    ClientError, Frame, Frames, HttpAgent, Middleware, Next, Replay, RunOutcome, Session, TurnUpdate,
    Upstream as _,
};
use agui_runtime::order::OrderStrictness;
use agui_runtime::protocol::{
    Event, Message, NonNull, RunAgentInput, RunFinishedEvent, RunStartedEvent, StepFinishedEvent,
    StepStartedEvent, SubagentStartedEvent, UserMessage,
};
use agui_runtime::receive::FrameIntake;
use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::json;

use crate::script::{Scripted, Step, head};
use crate::{in_time, lines_of, sse_of};

type Log = Arc<Mutex<Vec<String>>>;

fn layer(name: &'static str, log: &Log) -> impl Middleware {
    let log = Arc::clone(log);
    move |input: RunAgentInput, next: Next| -> Frames {
        log.lock().unwrap().push(format!("{name} asks"));
        let log = Arc::clone(&log);
        let see = move |frame: &Result<Frame, ClientError>| {
            let kind = frame.as_ref().unwrap().head().event_type.unwrap().into_owned();
            log.lock().unwrap().push(format!("{name} sees {kind}"));
        };
        next.open(input).inspect(see).boxed()
    }
}

#[tokio::test]
async fn the_first_is_the_outermost() {
    let log = Log::default();
    let replay = Replay::from_lines(&lines_of("r", &[]));
    let mut session: Session = Session::new(replay).with(layer("first", &log)).with(layer("second", &log));
    in_time(session.run()).await.unwrap();
    let expected = [
        "first asks",
        "second asks",
        "second sees RUN_STARTED",
        "first sees RUN_STARTED",
        "second sees RUN_FINISHED",
        "first sees RUN_FINISHED",
    ];
    assert_eq!(*log.lock().unwrap(), expected);
}

#[tokio::test]
async fn a_layer_sees_what_enforcement_removes_and_cannot_break_the_order() {
    let lines = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
        {"type":"NEWS","text":"from the future"}
        {"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;
    let log = Log::default();
    let mut session: Session = Session::new(Replay::from_lines(lines)).with(layer("it", &log));
    in_time(session.run()).await.unwrap();
    assert!(log.lock().unwrap().contains(&"it sees NEWS".to_owned()));

    let twice = |input: RunAgentInput, next: Next| -> Frames {
        next.open(input)
            .flat_map(|frame| {
                let frame = frame.unwrap();
                futures::stream::iter([Ok(frame.clone()), Ok(frame)])
            })
            .boxed()
    };
    let mut session: Session = Session::new(Replay::from_lines(lines)).with(twice);
    let error = in_time(session.run()).await.unwrap_err();
    assert!(matches!(&error, ClientError::Refused(refused) if refused.at() == 1), "{error}");
}

const CALLS: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"1"}
{"type":"TOOL_CALL_START","toolCallId":"a","toolCallName":"price"}
{"type":"TOOL_CALL_START","toolCallId":"b","toolCallName":"delete"}
{"type":"TOOL_CALL_ARGS","toolCallId":"b","delta":"{}"}
{"type":"TOOL_CALL_ARGS","toolCallId":"a","delta":"{}"}
{"type":"TOOL_CALL_END","toolCallId":"b"}
{"type":"TOOL_CALL_END","toolCallId":"a"}
{"type":"TOOL_CALL_RESULT","messageId":"m1","toolCallId":"b","content":"gone"}
{"type":"TOOL_CALL_RESULT","messageId":"m2","toolCallId":"a","content":"1"}
{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"delete","delta":"{"}
{"type":"TOOL_CALL_CHUNK","delta":"}"}
{"type":"TOOL_CALL_CHUNK","toolCallId":"d","toolCallName":"price"}
{"type":"TOOL_CALL_CHUNK","delta":"{}"}
{"type":"RUN_FINISHED","threadId":"t","runId":"1"}
"#;

#[tokio::test]
async fn calls_are_left_out_from_their_start_to_their_result() {
    for (calls, left) in
        [(ToolCalls::deny(["delete"]), ["a", "d"]), (ToolCalls::allow(["delete"]), ["b", "c"])]
    {
        let mut session: Session =
            Session::new(Replay::from_lines(CALLS)).with(middleware::filter_tool_calls(calls));
        let done = in_time(session.run()).await.unwrap();
        let messages = serde_json::to_string(&done.new_messages).unwrap();
        for id in ["a", "b", "c", "d"] {
            assert_eq!(messages.contains(&format!(r#""{id}""#)), left.contains(&id), "{id} in {messages}");
        }
        assert!(matches!(done.outcome, RunOutcome::Success { pending, .. } if pending == [left[1]]));
    }
}

/// Alternating chunks of two owners, without ids: only the owner of a chunk tells which call it continues.
#[tokio::test]
async fn calls_of_several_owners_stay_separate() {
    let lines = r#"{"type":"RUN_STARTED","threadId":"t","runId":"1"}
        {"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"helper"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"kept","toolCallName":"price","delta":"{"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"gone","toolCallName":"delete","delta":"{","subagentRunId":"s"}
        {"type":"TOOL_CALL_CHUNK","delta":"\"n\":1"}
        {"type":"TOOL_CALL_CHUNK","delta":"\"all\":true","subagentRunId":"s"}
        {"type":"TOOL_CALL_CHUNK","delta":"}"}
        {"type":"TOOL_CALL_CHUNK","delta":"}","subagentRunId":"s"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"done","subagentRunId":"s"}
        {"type":"SUBAGENT_FINISHED","subagentRunId":"s"}
        {"type":"RUN_FINISHED","threadId":"t","runId":"1"}"#;
    let calls = |session: &Session| -> Vec<String> {
        let messages = session.messages().iter().filter_map(|message| match message {
            Message::Assistant(message) => Some(message.tool_calls()),
            _ => None,
        });
        messages.flatten().map(|call| format!("{} {}", call.id, call.function.arguments)).collect()
    };
    for (filter, left) in [
        (ToolCalls::deny(["delete"]), [r#"kept {"n":1}"#]),
        (ToolCalls::allow(["delete"]), [r#"gone {"all":true}"#]),
    ] {
        let mut session: Session =
            Session::new(Replay::from_lines(lines)).with(middleware::filter_tool_calls(filter));
        let done = in_time(session.run()).await.unwrap();
        assert_eq!((calls(&session), done.text().as_str()), (left.map(str::to_owned).to_vec(), "done"));
    }
}

#[tokio::test]
async fn a_busy_server_is_asked_again_with_the_same_run() {
    let busy = vec![Step::Send(head("503 Busy", "")), Step::Send(b"later".to_vec())];
    let sse = head("200 OK", "content-type: text/event-stream\r\n");
    let good = vec![Step::Send(sse.clone()), Step::Send(sse_of(&lines_of("r", &["Hi"])).into_bytes())];
    let quick = Retry::times(2).first_pause(Duration::from_millis(1));
    let mut server = Scripted::start(vec![busy.clone(), busy.clone(), good]).await;
    let mut session: Session =
        Session::new(HttpAgent::new(&server.url).unwrap()).with(middleware::retry(quick));
    assert_eq!(in_time(session.run()).await.unwrap().text(), "Hi");
    let ids: Vec<_> = [server.asked().await, server.asked().await, server.asked().await]
        .map(|seen| seen.json()["runId"].clone())
        .into();
    assert!(ids[0] == ids[1] && ids[1] == ids[2], "{ids:?}");

    let server = Scripted::start(vec![busy.clone(), busy.clone(), busy.clone(), busy]).await;
    let mut session: Session =
        Session::new(HttpAgent::new(&server.url).unwrap()).with(middleware::retry(quick));
    let error = in_time(session.run()).await.unwrap_err();
    assert!(matches!(error, ClientError::Status { status: 503, .. }), "{error}");

    // After the first event, or if the run may have had effects, the request is not repeated.
    let cut = vec![
        Step::Send(head("200 OK", "content-type: text/event-stream\r\ncontent-length: 9999\r\n")),
        Step::Send(sse_of(r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#).into_bytes()),
    ];
    let failed = vec![Step::Send(head("500 Oh", ""))];
    for first in [cut, failed] {
        let second = vec![Step::Send(sse.clone()), Step::Send(sse_of(&lines_of("r", &["Hi"])).into_bytes())];
        let server = Scripted::start(vec![first, second]).await;
        let mut session: Session =
            Session::new(HttpAgent::new(&server.url).unwrap()).with(middleware::retry(quick));
        assert!(in_time(session.run()).await.is_err());
    }
}

#[tokio::test]
async fn runs_are_measured_and_looked_at() {
    let (timings, lines) = (Arc::new(Mutex::new(Vec::<Timing>::new())), Log::default());
    let (told, written) = (Arc::clone(&timings), Arc::clone(&lines));
    let recording = lines_of("1", &["Hi"]) + &lines_of("2", &["there"]);
    let mut session: Session = Session::new(Replay::from_lines(&recording))
        .with(middleware::log)
        .with(middleware::timing(move |timing| told.lock().unwrap().push(timing)))
        .with(middleware::inspect(move |frame| {
            written.lock().unwrap().push(frame.to_text().unwrap().into_owned());
        }));
    in_time(session.run()).await.unwrap();
    let mut turn = session.start();
    in_time(turn.next()).await.unwrap();
    drop(turn);
    let timings = timings.lock().unwrap();
    assert_eq!(timings.iter().map(|timing| timing.frames).collect::<Vec<_>>(), [3, 1]);
    assert!(
        timings.iter().all(|timing| timing.first.is_some_and(|first| first <= timing.whole)),
        "{timings:?}"
    );
    assert_eq!(lines.lock().unwrap().join("\n"), recording.lines().take(4).collect::<Vec<_>>().join("\n"));
}

#[tokio::test]
async fn an_old_agent_is_asked_and_read_as_such() {
    let lines = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
        {"type":"THINKING_START","title":"hm"}
        {"type":"THINKING_END"}
        {"type":"SUBAGENT_STARTED","subagentRunId":"s","agentName":"x"}
        {"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;
    let inputs = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&inputs);
    let spy = move |input: RunAgentInput, next: Next| {
        kept.lock().unwrap().push(input.clone());
        next.open(input)
    };
    let log = Log::default();
    let mut session: Session = Session::new(Replay::from_lines(lines))
        .with(layer("it", &log))
        .with(middleware::compatibility("0.0.39".parse().unwrap()))
        .with(spy);
    session.add_message(UserMessage::new("u", "Hi").with_subagent_run_id("s").into());
    in_time(session.run()).await.unwrap();
    let inputs = inputs.lock().unwrap();
    assert_eq!((&inputs[0].protocol_version, inputs[0].messages[0].subagent_run_id()), (&None, None));
    let seen = [
        "it asks",
        "it sees RUN_STARTED",
        "it sees REASONING_START",
        "it sees REASONING_END",
        "it sees RUN_FINISHED",
    ];
    assert_eq!(*log.lock().unwrap(), seen);
}

#[tokio::test]
async fn runs_of_an_old_agent_stay_separate_and_half_characters_are_repaired() {
    let run = |run: &str| {
        let events = [
            json!({ "type": "RUN_STARTED", "threadId": "t", "runId": run }).to_string(),
            r#"{"type":"THINKING_TEXT_MESSAGE_START"}"#.to_owned(),
            r#"{"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":"cut \ud83e"}"#.to_owned(),
            r#"{"type":"THINKING_TEXT_MESSAGE_END"}"#.to_owned(),
            json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": run }).to_string(),
        ];
        events.join("\n") + "\n"
    };
    let mut session: Session = Session::new(Replay::from_lines(&(run("one") + &run("two"))))
        .with(middleware::compatibility("0.0.39".parse().unwrap()))
        .with_warnings(|_| {});
    for _ in 0..2 {
        in_time(session.run()).await.unwrap();
    }
    let thought = |id: &str| json!({ "id": id, "role": "reasoning", "content": "cut \u{FFFD}" });
    let thoughts = json!([thought("one/thinking-1"), thought("two/thinking-1")]);
    assert_eq!(json!(session.messages()), thoughts);
}

#[tokio::test]
async fn a_ceiling_is_one_for_typed_events_too() {
    let step = StepStartedEvent::new("plan").with_subagent_run_id("s");
    let events: Vec<Event> = vec![
        RunStartedEvent::new("t", "r").into(),
        SubagentStartedEvent::new("s", "helper").into(),
        step.into(),
        StepFinishedEvent::new("plan").with_subagent_run_id("s").into(),
        RunFinishedEvent::new("t", "r").into(),
    ];
    let agent = move |_: RunAgentInput| -> Frames {
        futures::stream::iter(events.clone().into_iter().map(|event| Ok(Frame::from(event)))).boxed()
    };
    let ceiling = || "0.0.57".parse().unwrap();
    let log = Log::default();
    let layered: Session =
        Session::new(agent.clone()).with(layer("it", &log)).with(middleware::compatibility(ceiling()));
    let kinds = ["RUN_STARTED", "STEP_STARTED", "STEP_FINISHED", "RUN_FINISHED"];
    for mut session in [Session::new(agent).with_ceiling(ceiling()), layered] {
        let mut turn = session.start();
        let mut seen = Vec::new();
        while let Some(update) = in_time(turn.next()).await.unwrap() {
            if let TurnUpdate::Event { event, .. } = update {
                assert_eq!(event.subagent_run_id(), None);
                seen.push(event.event_type().as_str());
            }
        }
        assert_eq!(seen, kinds);
    }
    assert_eq!(log.lock().unwrap().len(), 5);
}

#[tokio::test]
async fn losses_of_the_binary_transport_are_reported_behind_a_layer_too() {
    // A user's message of a snapshot with an empty part: no kind, as a later version may send.
    let (user, part, text) = ([0x12, 0x04, b'u', b's', b'e', b'r'], [0x42, 0x00], [0x0a, 0x01, b'u']);
    let message = [&text[..], &user, &part].concat();
    let mut snapshot = vec![0x0a, 0x02, 0x08, 0x08, 0x12, u8::try_from(message.len()).unwrap()];
    snapshot.extend(message);
    let mut event = vec![0x4a, u8::try_from(snapshot.len()).unwrap()];
    event.extend(snapshot);
    let mut direct = Vec::new();
    FrameIntake::new().proto(&event, &mut |warning| direct.push(warning.path().to_owned())).unwrap();
    assert_eq!(direct.len(), 1, "{direct:?}");

    let started = Frame::from(lines_of("r", &["Hi"]).lines().next().unwrap().to_owned());
    let frames = vec![started, Frame::Binary(event)];
    let heard = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&heard);
    let mut session: Session = Session::new(move |_: RunAgentInput| -> Frames {
        futures::stream::iter(frames.clone().into_iter().map(Ok)).boxed()
    })
    .with(middleware::compatibility("0.0.57".parse().unwrap()))
    .with_warnings(move |warning| log.lock().unwrap().push(warning.path().to_owned()));
    let _ = in_time(session.run()).await;
    assert_eq!(*heard.lock().unwrap(), direct);
}

#[tokio::test]
async fn layers_of_ones_own_can_read_events_and_what_they_make() {
    let loud = |input: RunAgentInput, next: Next| -> Frames {
        middleware::expanded(next.open(input), next.reading())
            .map_ok(|event| match event {
                Event::TextMessageContent(mut content) => {
                    content.delta = content.delta.to_uppercase();
                    Event::from(content).into()
                }
                event => Frame::from(event),
            })
            .boxed()
    };
    let props = |mut input: RunAgentInput, next: Next| {
        input.forwarded_props = NonNull::new(json!(1));
        next.open(input)
    };
    let mut session: Session =
        Session::new(Replay::from_lines(&lines_of("r", &["Hi"]))).with(props).with(loud);
    assert_eq!(in_time(session.run()).await.unwrap().text(), "HI");

    let input = RunAgentInput::new("t", "r", [UserMessage::new("u", "Hi").into()]);
    let frames = Replay::from_lines(&lines_of("r", &["one", "two"])).open(input.clone());
    let mut folded = middleware::folded(frames, &input, Reading::default());
    let mut counts = Vec::new();
    while let Some((_, now)) = in_time(folded.next()).await.unwrap() {
        counts.push(now.messages().len());
    }
    assert_eq!(counts, [1, 2, 2, 2, 3, 3, 3, 3]);
}

#[tokio::test]
async fn layers_that_read_events_are_as_strict_as_the_session() {
    let odd = [
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"run-1-1","protocolVersion":"1.0"}"#,
        r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"helper"}"#,
        r#"{"type":"STEP_STARTED","stepName":"plan","mood":"good"}"#,
        r#"{"type":"STEP_FINISHED","stepName":"plan"}"#,
        r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s"}"#,
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"run-1-1"}"#,
    ];
    let filtered = || {
        Session::<()>::new(Replay::from_lines(&odd.join("\n")))
            .with_fixed_ids("1")
            .with_thread_id("t")
            .with(middleware::filter_tool_calls(ToolCalls::deny(["nothing"])))
    };
    assert!(in_time(filtered().run()).await.is_ok());

    let mut strict = filtered().with_strictness(OrderStrictness::Producer);
    let error = in_time(strict.run()).await.unwrap_err();
    assert!(matches!(&error, ClientError::Refused(refused) if refused.at() == 2), "{error:?}");

    let mut old = filtered().with_ceiling("0.0.57".parse().unwrap());
    let (mut turn, mut seen) = (old.start(), Vec::new());
    while let Some(update) = in_time(turn.next()).await.unwrap() {
        if let TurnUpdate::Event { event, .. } = update {
            seen.push(event.event_type().as_str());
        }
    }
    assert_eq!(seen, ["RUN_STARTED", "STEP_STARTED", "STEP_FINISHED", "RUN_FINISHED"]);
}
