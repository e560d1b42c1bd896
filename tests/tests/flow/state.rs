//! The state of a run: snapshots, deltas, the baseline that the client holds, and the snapshot at the end.

use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use agui_runtime::protocol::{Metadata, NonNull, Timestamp, TokenUsage};
use agui_runtime::state::StateError;
use agui_runtime::{RunOptions, Stop};
use futures::FutureExt;
use futures::executor::block_on;
use serde_json::{Value, json};

use crate::agent::{Doc, input, inside, stream, stream_for, stream_with};

fn holding(state: Value) -> agui_runtime::protocol::RunAgentInput {
    input().with_state(NonNull::new(state).unwrap())
}

#[test]
fn a_snapshot_then_only_what_changed() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let state = run.state().snapshot(&Doc::from([("count".into(), 1), ("rest".into(), 2)])).await?;
            state.update(|doc| *doc.entry("count".into()).or_default() += 1).await?;
            state.update(|_| ()).await?;
            let left = state.update(|doc| doc.remove("rest")).await?;
            assert_eq!(left, Some(2));
            assert_eq!(state.read(Doc::len)?, 1);
            Ok(())
        })
    });
    assert_eq!(
        json!(inside(&events)),
        json!([
            {"type": "STATE_SNAPSHOT", "snapshot": {"count": 1, "rest": 2}},
            {"type": "STATE_SNAPSHOT", "snapshot": {"count": 2, "rest": 2}},
            {"type": "STATE_SNAPSHOT", "snapshot": {"count": 2}},
        ]),
        "a document shorter than its delta is sent whole"
    );
}

#[test]
fn a_large_document_gets_deltas() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let doc: Doc = (0..50).map(|n| (format!("member-{n}"), n)).collect();
            let state = run.state().snapshot(&doc).await?;
            state.update(|doc| doc.insert("member-7".into(), 0)).await?;
            Ok(())
        })
    });
    assert_eq!(
        inside(&events)[1],
        json!({"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/member-7", "value": 0}]})
    );
}

#[test]
fn a_state_the_client_holds_is_adopted_without_an_event() {
    let events = stream_for(holding(json!({"count": 41})), |run, input| {
        Box::pin(async move {
            let state = run.state().adopt(input)?.expect("the client holds this very state");
            assert_eq!(state.read(Clone::clone)?, Doc::from([("count".into(), 41)]));
            let state = run.state().adopt_or_snapshot(input).await?;
            assert_eq!(state.read(|doc| doc["count"])?, 41);
            Ok(())
        })
    });
    assert_eq!(inside(&events), [] as [Value; 0]);
}

#[test]
fn a_state_with_a_baseline_keeps_it() {
    let doc: Value =
        (0..50).map(|n| (format!("member-{n}"), json!(n))).collect::<serde_json::Map<_, _>>().into();
    let events = stream_for(holding(doc), |run, input| {
        Box::pin(async move {
            run.state().adopt_or_snapshot(input).await?.update(|doc| doc.remove("member-3")).await?;
            let again = run.state().adopt_or_snapshot(input).await?;
            assert_eq!(again.update(|doc| doc.remove("member-3")).await?, None);
            Ok(())
        })
    });
    assert_eq!(
        json!(inside(&events)),
        json!([{"type": "STATE_DELTA", "delta": [{"op": "remove", "path": "/member-3"}]}]),
        "a second delta would not apply to the client's copy"
    );
}

#[test]
fn a_client_without_state_gets_a_snapshot() {
    for none in [None, Some(json!({}))] {
        let mut input = input();
        input.state = none.and_then(NonNull::new);
        let events = stream_for(input, |run, input| {
            Box::pin(async move {
                run.state().adopt_or_snapshot(input).await?.update(|doc| doc.insert("n".into(), 1)).await?;
                Ok(())
            })
        });
        assert_eq!(inside(&events).last().unwrap()["snapshot"], json!({"n": 1}));
    }
}

#[test]
fn a_state_that_does_not_fit_is_a_run_error_with_its_place() {
    let events = stream_for(holding(json!({"count": "many"})), |run, input| {
        Box::pin(async move {
            run.state().adopt_or_snapshot(input).await?;
            Ok(())
        })
    });
    let message = events.last().unwrap()["message"].as_str().unwrap();
    assert_eq!(
        message,
        "the state the client sent does not fit at `count`: invalid type: string \"many\", expected i64"
    );
}

#[test]
fn the_state_cannot_be_used_inside_its_own_update() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let state = run.state().snapshot(&Doc::new()).await?;
            let inner = state.update(|_| state.read(|_| ())).await?;
            assert!(matches!(inner, Err(StateError::Reentrant)));
            assert!(state.read(|_| ()).is_ok());
            Ok(())
        })
    });
    assert_eq!(inside(&events), [json!({"type": "STATE_SNAPSHOT", "snapshot": {}})]);
}

fn large() -> Doc {
    (0..50).map(|n| (format!("member-{n}"), n)).collect()
}

#[test]
fn a_run_that_sent_deltas_ends_with_a_snapshot_when_asked_to() {
    let options = RunOptions::default().last_snapshot(true);
    let events = stream_with(input(), options.clone(), |run, _| {
        Box::pin(async move {
            let state = run.state().snapshot(&large()).await?;
            state.update(|doc| doc.insert("member-7".into(), 0)).await?;
            Ok(())
        })
    });
    let last = inside(&events).last().unwrap();
    assert_eq!((&last["type"], &last["snapshot"]["member-7"]), (&json!("STATE_SNAPSHOT"), &json!(0)));
    assert_eq!(inside(&events).len(), 3);

    let events = stream_with(input(), options, |run, _| {
        Box::pin(async move {
            run.state().snapshot(&large()).await?;
            Ok(())
        })
    });
    assert_eq!(inside(&events).len(), 1, "the snapshot that was sent says it all");
}

#[test]
fn a_run_that_fails_ends_with_its_snapshot_too() {
    let events = stream_with(input(), RunOptions::default().last_snapshot(true), |run, _| {
        Box::pin(async move {
            let state = run.state().snapshot(&large()).await?;
            state.update(|doc| doc.insert("member-7".into(), 0)).await?;
            Err(agui_runtime::Stop::error("no rice"))
        })
    });
    let types: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["RUN_STARTED", "STATE_SNAPSHOT", "STATE_DELTA", "STATE_SNAPSHOT", "RUN_ERROR"]);
}

#[test]
fn deltas_replace_when_asked_to() {
    let events = stream_with(input(), RunOptions::default().exact_deltas(true), |run, _| {
        Box::pin(async move {
            let state = run.state().snapshot(&large()).await?;
            state.update(|doc| doc.insert("member-7".into(), 0)).await?;
            Ok(())
        })
    });
    assert_eq!(inside(&events)[1]["delta"], json!([{"op": "replace", "path": "/member-7", "value": 0}]));
}

#[test]
fn a_state_that_does_not_fit_is_replaced_when_asked_to() {
    let options = RunOptions::default().replace_unreadable_state(true);
    let events = stream_with(holding(json!({"count": "many"})), options, |run, input| {
        Box::pin(async move {
            assert!(run.state().adopt(input)?.is_none());
            run.state().adopt_or_snapshot(input).await?;
            Ok(())
        })
    });
    assert_eq!(inside(&events), [json!({"type": "STATE_SNAPSHOT", "snapshot": {}})]);
}

#[test]
fn helpers_that_start_the_state_at_the_same_time_share_it() {
    let events = stream_with(input(), RunOptions::default().room(1), |run, input| {
        Box::pin(async move {
            let helper = async |name: &str| -> Result<(), StateError> {
                let state = run.state().adopt_or_snapshot(input).await?;
                state.update(|doc| doc.insert(name.into(), 1)).await?;
                Ok(())
            };
            futures::try_join!(helper("a"), helper("b"))?;
            assert_eq!(run.state().adopt_or_snapshot(input).await?.read(Doc::len)?, 2);
            Ok(())
        })
    });
    let snapshots: Vec<_> = inside(&events).iter().map(|event| event["snapshot"].clone()).collect();
    assert_eq!(snapshots.len(), 3, "{snapshots:?}");
    assert_eq!((&snapshots[0], &snapshots[2]), (&json!({}), &json!({"a": 1, "b": 1})));
}

#[test]
fn writes_of_the_state_take_the_fields_of_events() {
    let events = stream(|run, input| {
        Box::pin(async move {
            let at = |millis| Timestamp::from_millis(millis);
            let note = |text: &str| Metadata::from_iter([("note".to_owned(), json!(text))]);
            run.state().adopt_or_snapshot(input).timestamp(at(1)?).await?;
            let doc: Doc = (0..50).map(|n| (format!("member-{n}"), n)).collect();
            let state = run.state().snapshot(&doc).timestamp(at(2)?).metadata(note("anew")).await?;
            state
                .update(|doc| doc.insert("rice".to_owned(), 180))
                .metadata(note("why"))
                .timestamp(at(3)?)
                .await?;
            // Nothing changes, so nothing is sent.
            state.update(|_| ()).timestamp(at(4)?).await?;
            let from = NonNull::new(json!("theirs")).ok_or_else(|| Stop::error("null"))?;
            state.resend().raw_event(from).await?;
            Ok(())
        })
    });
    let told: Vec<Value> = inside(&events)
        .iter()
        .map(|event| json!([event["type"], event["timestamp"], event["metadata"]["note"], event["rawEvent"]]))
        .collect();
    assert_eq!(
        json!(told),
        json!([
            ["STATE_SNAPSHOT", 1, null, null],
            ["STATE_SNAPSHOT", 2, "anew", null],
            ["STATE_DELTA", 3, "why", null],
            ["STATE_SNAPSHOT", null, null, "theirs"],
        ])
    );
}

/// The state's lock is taken before the run's, and no code of the agent runs under the run's: several threads that
/// change the state, write events, and write events while they change it, all end.
#[test]
fn the_locks_are_always_taken_in_one_order() {
    const ROUNDS: i64 = 300;
    let (done, is_done) = channel();
    let running = thread::spawn(move || {
        let events = stream_with(input(), RunOptions::default().room(usize::MAX), |run, _| {
            Box::pin(async move {
                let state = run.state().snapshot(&Doc::new()).await?;
                thread::scope(|scope| {
                    for name in ["a", "b"] {
                        scope.spawn(move || {
                            for round in 0..ROUNDS {
                                let edit = |doc: &mut Doc| {
                                    run.report_usage(TokenUsage::new().with_input_tokens(1_u32));
                                    run.say("within").into_future().now_or_never().expect("there is room");
                                    doc.insert(name.to_owned(), round);
                                };
                                block_on(state.update(edit)).unwrap();
                                block_on(run.say("beside"));
                                state.read(|_| block_on(run.say("looking"))).unwrap();
                            }
                        });
                    }
                });
                Ok(())
            })
        });
        done.send(events).unwrap();
    });
    let events = is_done.recv_timeout(Duration::from_secs(120)).expect("the threads wait for each other");
    running.join().unwrap();
    let deltas = inside(&events)
        .iter()
        .filter(|event| event["type"] == "STATE_DELTA" || event["type"] == "STATE_SNAPSHOT");
    assert_eq!(deltas.count() as i64, 1 + 2 * ROUNDS);
}

/// An agent is one value for all its runs, so its state must not be.
#[test]
fn runs_of_one_agent_share_no_state() {
    use agui_runtime::prelude::*;
    use futures::StreamExt;

    /// Counts to two.
    #[agent(state = Vec<String>)]
    async fn counter(run: &mut Run<Counter>, input: Input<Counter>) -> Result<(), Stop> {
        let state = run.state().snapshot(&Vec::new()).await?;
        for _ in 0..2 {
            state.update(|list| list.push(input.run_id.to_string())).await?;
            futures::future::ready(()).await;
        }
        Ok(())
    }

    let agent = std::sync::Arc::new(Counter::new());
    let start = |id: &str| {
        let input =
            agui_runtime::protocol::RunAgentInput::new("thread", id, vec![]).with_protocol_version("1.0");
        agui_runtime::start(std::sync::Arc::clone(&agent), input, RunOptions::default())
    };
    let (mut one, mut other) = (start("run-1"), start("run-2"));
    let (mut first, mut second) = (Vec::new(), Vec::new());
    // The runs take turns, event by event.
    block_on(async {
        loop {
            let (a, b) = (one.next().await, other.next().await);
            if a.is_none() && b.is_none() {
                break;
            }
            first.extend(a);
            second.extend(b);
        }
    });
    for (events, own, foreign) in [(&first, "run-1", "run-2"), (&second, "run-2", "run-1")] {
        let lines = agui_runtime::testing::lines(events);
        assert!(lines.contains(&format!(r#"["{own}","{own}"]"#)) && !lines.contains(foreign), "{lines}");
    }
}
