//! A listener for the warnings of a session receives all of them.

use std::sync::{Arc, Mutex};

use agui_runtime::client::{Frame, Frames, Next, Replay, Session, middleware};
use agui_runtime::protocol::{RunAgentInput, UserMessage};
use agui_runtime::receive::WarningKind;
use futures::{FutureExt as _, StreamExt as _};

type Recorded = Arc<Mutex<Vec<(String, WarningKind)>>>;

fn listening(lines: &str) -> (Session, Recorded) {
    let recorded = Recorded::default();
    let log = Arc::clone(&recorded);
    let session = Session::new(Replay::from_lines(lines)).with_warnings(move |warning| {
        log.lock().unwrap().push((warning.to_string(), warning.kind().clone()));
    });
    (session, recorded)
}

fn run(mut session: Session) {
    session.run().now_or_never().unwrap().unwrap();
}

const STALE: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"1"}
{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/gone"}]}
{"type":"RUN_FINISHED","threadId":"t","runId":"1"}"#;

#[test]
fn events_with_less_effect_are_reported() {
    let (session, recorded) = listening(STALE);
    run(session);
    let recorded = recorded.lock().unwrap();
    assert_eq!(recorded.len(), 1, "{recorded:?}");
    let said = "the state is unchanged: operation 0 does not apply at `/gone`: the path does not exist";
    assert!(recorded[0].0 == said && matches!(recorded[0].1, WarningKind::LessEffect(_)), "{recorded:?}");
}

#[test]
fn oddities_of_a_recording_are_reported() {
    let (session, recorded) = listening("");
    let odd = STALE.replace(r#""type":"RUN_FINISHED""#, r#""type":"RUN_FINISHED","mood":"good""#);
    let session = session.restore_lines(&odd).unwrap();
    assert!(session.messages().is_empty());
    let said: Vec<_> = recorded.lock().unwrap().iter().map(|(said, _)| said.clone()).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[1].contains("`/mood` is left out"), "{said:?}");
}

#[test]
fn translations_and_omissions_of_layers_are_reported() {
    let old = r#"{"type":"RUN_STARTED","threadId":"t","runId":"1"}
        {"type":"THINKING_START"}
        {"type":"THINKING_END"}
        {"type":"RUN_FINISHED","threadId":"t","runId":"1","mood":"good"}"#;
    let reading = |input: RunAgentInput, next: Next| -> Frames {
        middleware::expanded(next.open(input), next.reading()).map(|event| event.map(Frame::from)).boxed()
    };
    let folding = |input: RunAgentInput, next: Next| -> Frames {
        let folded = middleware::folded(next.open(input.clone()), &input, next.reading());
        futures::stream::unfold(folded, |mut folded| async {
            let next = folded.next().await.transpose()?.map(|(event, _)| Frame::from(event));
            Some((next, folded))
        })
        .boxed()
    };
    let all = [
        "`/mood` is left out",
        "is retired and read as REASONING_START",
        "retired and read as REASONING_END",
    ];
    let assert_recorded = |session: Session, recorded: Recorded, expected: &[&str]| {
        run(session);
        let recorded = recorded.lock().unwrap();
        assert_eq!(recorded.len(), expected.len(), "{recorded:?}");
        for part in expected {
            assert!(recorded.iter().any(|(said, _)| said.contains(part)), "{part} in {recorded:?}");
        }
    };
    let (session, recorded) = listening(old);
    assert_recorded(session.with(reading), recorded, &all);
    let (session, recorded) = listening(old);
    assert_recorded(session.with(folding), recorded, &all);
    let (session, recorded) = listening(old);
    assert_recorded(
        session.with(middleware::filter_tool_calls(middleware::ToolCalls::deny(["x"]))),
        recorded,
        &all,
    );
    let (mut session, recorded) = listening(old);
    let parts = serde_json::json!({ "id": "u", "role": "user", "content": [
        { "type": "image", "source": { "type": "url", "value": "http://x/y.png" } },
    ] });
    session.add_message(serde_json::from_value::<UserMessage>(parts).unwrap().into());
    let all = [&all[..], &["loses parts that the agent cannot read"]].concat();
    assert_recorded(session.with(middleware::compatibility("0.0.39".parse().unwrap())), recorded, &all);
}

#[test]
fn a_version_that_an_agent_declares_in_each_run_is_reported_once() {
    let declared = ["1.7", "1.7", "1.7", "1.1", "1.8", "newest", "newest", "1.8"];
    let run = |version: &str| {
        format!(
            r#"{{"type":"RUN_STARTED","threadId":"t","runId":"1","protocolVersion":"{version}"}}
            {{"type":"STEP_STARTED","stepName":"plan","mood":"good"}}
            {{"type":"STEP_FINISHED","stepName":"plan"}}
            {{"type":"RUN_FINISHED","threadId":"t","runId":"1"}}"#
        )
    };
    let (mut session, recorded) = listening(&declared.map(run).join("\n"));
    for _ in declared {
        session.run().now_or_never().unwrap().unwrap();
    }
    let recorded = recorded.lock().unwrap();
    let newer = |version: &str| WarningKind::NewerProtocol { declared: version.to_owned() };
    let unreadable = WarningKind::UnreadableProtocol { declared: "newest".to_owned() };
    let versions: Vec<_> =
        recorded.iter().map(|(_, kind)| kind).filter(|kind| **kind != WarningKind::Unknown).collect();
    assert_eq!(versions, [&newer("1.7"), &newer("1.8"), &unreadable, &newer("1.8")]);
    assert_eq!(recorded.len(), versions.len() + declared.len(), "each other warning is reported each time");
}
