//! Parts of a run by other agents.

use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::task::Poll;

use agui_runtime::manifest::AgentSource;
use agui_runtime::protocol::{
    Interrupt, InterruptList, Message, Metadata, ResumeEntry, ResumeStatus, RunAgentInput, UserMessage,
};
use agui_runtime::tools::ToolOf;
use agui_runtime::{Agent, EventFields, FinishedRun, Input, Run, Stop, tool};
use futures::{FutureExt, join, try_join};
use serde_json::{Value, json};

use crate::agent::{Script, input, inside, stream, stream_for, stream_with_panic, types};
use crate::helper::{Helper, helper};

/// Asks the person.
#[tool(frontend)]
async fn confirm(total: u32) -> bool;

/// Looks something up.
#[tool]
async fn look_up(what: String) -> u32 {
    u32::try_from(what.len()).unwrap()
}

impl ToolOf<Helper> for confirm {}
impl ToolOf<Script> for look_up {}

/// The type, the author and the distinguishing member of each event.
fn brief(events: &[Value]) -> Vec<String> {
    events
        .iter()
        .map(|event| {
            let text = |key: &str| event[key].as_str().unwrap_or("-").replace("test-", "");
            format!("{} {} {}", text("type"), text("subagentRunId"), text("stepName"))
        })
        .collect()
}

/// Lets the others come first, once.
async fn give_way() {
    let mut waited = false;
    poll_fn(|cx| {
        cx.waker().wake_by_ref();
        if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

fn question(text: &str) -> [Message; 1] {
    [UserMessage::new("question", text).into()]
}

#[test]
fn a_subagent_speaks_under_an_id_of_its_own() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let reader = helper(|run, input| {
                Box::pin(async move {
                    run.say(input.user_text().unwrap()).await;
                    Ok(json!({"pages": 3}))
                })
            });
            let asking = run.say("Let me ask.").await;
            let call = run.call(look_up { what: "it".to_owned() }).await?;
            let mut metadata = Metadata::new();
            metadata.insert("acme/cost".to_owned(), json!(1));
            let found = run
                .delegate("reader", &reader, question("Who was it?"))
                .description("Reads the book")
                .called_by(&call)
                .parent(&asking)
                .metadata(metadata)
                .await?;
            assert_eq!(found, json!({"pages": 3}));
            call.result(3).await?;
            Ok(())
        })
    });
    let id = "test-subagent-3";
    assert_eq!(
        json!(inside(&events)[6..11]),
        json!([
            {
                "type": "SUBAGENT_STARTED",
                "subagentRunId": id,
                "name": "reader",
                "description": "Reads the book",
                "parentToolCallId": "test-call-2",
                "parentMessageId": "test-message-1",
                "metadata": {"acme/cost": 1},
            },
            {"type": "TEXT_MESSAGE_START", "messageId": "test-message-4", "role": "assistant", "subagentRunId": id},
            {"type": "TEXT_MESSAGE_CONTENT", "messageId": "test-message-4", "delta": "Who was it?", "subagentRunId": id},
            {"type": "TEXT_MESSAGE_END", "messageId": "test-message-4", "subagentRunId": id},
            {"type": "SUBAGENT_FINISHED", "subagentRunId": id, "result": {"pages": 3}, "outcome": {"type": "success"}},
        ])
    );
    assert_eq!(inside(&events)[11].get("subagentRunId"), None, "what the parent says next is its own");
}

fn note(text: &str) -> EventFields {
    EventFields::new().with_metadata(Metadata::from_iter([("acme/note".to_owned(), json!(text))]))
}

#[test]
fn the_events_that_end_something_take_fields() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let call = run.call(look_up { what: "it".to_owned() }).await?;
            assert_eq!(call.run_with(note("answered")).await, 2);
            let done = helper(|_, _| Box::pin(async { Ok(Value::Null) }));
            let failing = helper(|_, _| Box::pin(async { Err(Stop::error("no book")) }));
            run.delegate("done", &done, []).end_with(note("finished")).await?;
            assert!(run.delegate("failing", &failing, []).end_with(note("failed")).await.is_err());
            Ok(())
        })
    });
    let noted: Vec<(&str, &str)> = inside(&events)
        .iter()
        .filter_map(|event| Some((event["type"].as_str()?, event["metadata"]["acme/note"].as_str()?)))
        .collect();
    let told =
        [("TOOL_CALL_RESULT", "answered"), ("SUBAGENT_FINISHED", "finished"), ("SUBAGENT_ERROR", "failed")];
    assert_eq!(noted, told);
}

#[test]
fn the_return_value_of_a_subagent_decides_its_end() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let nothing = helper(|_, _| Box::pin(async { Ok(Value::Null) }));
            assert_eq!(run.delegate("nothing", &nothing, []).await?, Value::Null);
            let failing = helper(|_, _| Box::pin(async { Err(Stop::error("no rice").with_code("RICE")) }));
            let stop = run.delegate("failing", &failing, []).await.unwrap_err();
            assert_eq!(stop.to_string(), "no rice");
            let cancelled = helper(|_, _| Box::pin(async { Err(Stop::cancelled()) }));
            assert!(run.delegate("cancelled", &cancelled, []).await.is_err());
            let asking = helper(|_, _| {
                Box::pin(async { Err(Stop::interrupt(Interrupt::new("i-1", "confirmation"))) })
            });
            assert!(run.delegate("asking", &asking, []).await.is_err());
            run.say("I go on all the same.").await;
            Ok(())
        })
    });
    let ends: Vec<_> = inside(&events)
        .iter()
        .filter(|event| ["SUBAGENT_FINISHED", "SUBAGENT_ERROR"].contains(&event["type"].as_str().unwrap()))
        .collect();
    assert_eq!(
        json!(ends),
        json!([
            {"type": "SUBAGENT_FINISHED", "subagentRunId": "test-subagent-1", "outcome": {"type": "success"}},
            {"type": "SUBAGENT_ERROR", "subagentRunId": "test-subagent-2", "message": "no rice", "code": "RICE"},
            {
                "type": "SUBAGENT_ERROR",
                "subagentRunId": "test-subagent-3",
                "message": "the subagent was cancelled",
                "code": "cancelled",
            },
            {
                "type": "SUBAGENT_FINISHED",
                "subagentRunId": "test-subagent-4",
                "outcome": {"type": "suspended", "interruptIds": ["i-1"]},
            },
        ])
    );
}

#[test]
fn a_question_says_which_subagent_asks_it() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let outer = helper(|run, _| {
                Box::pin(async move {
                    let inner = helper(|_, _| {
                        Box::pin(async {
                            let mut questions = InterruptList::from(Interrupt::new("i-1", "confirmation"));
                            questions.push(Interrupt::new("i-2", "input_required"));
                            Err(Stop::interrupt(questions))
                        })
                    });
                    run.delegate("inner", &inner, []).await
                })
            });
            run.delegate("outer", &outer, []).await?;
            Ok(())
        })
    });
    let (outer, inner) = ("test-subagent-1", "test-subagent-2");
    assert_eq!(
        json!(inside(&events)),
        json!([
            {"type": "SUBAGENT_STARTED", "subagentRunId": outer, "name": "outer"},
            {"type": "SUBAGENT_STARTED", "subagentRunId": inner, "name": "inner", "parentSubagentRunId": outer},
            {
                "type": "SUBAGENT_FINISHED",
                "subagentRunId": inner,
                "outcome": {"type": "suspended", "interruptIds": ["i-1", "i-2"]},
            },
            {"type": "SUBAGENT_FINISHED", "subagentRunId": outer, "outcome": {"type": "suspended"}},
        ])
    );
    assert_eq!(
        events.last().unwrap()["outcome"],
        json!({"type": "interrupt", "interrupts": [
            {"id": "i-1", "reason": "confirmation", "subagentRunId": inner},
            {"id": "i-2", "reason": "input_required", "subagentRunId": inner},
        ]})
    );
}

#[test]
fn a_subagent_may_wait_for_the_user_interface() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let cashier = helper(|run, _| {
                Box::pin(async move { Err(Stop::await_frontend(run.call(confirm { total: 180 }).await?)) })
            });
            run.delegate("cashier", &cashier, []).await?;
            Ok(())
        })
    });
    assert_eq!(
        inside(&events).last().unwrap(),
        &json!({"type": "SUBAGENT_FINISHED", "subagentRunId": "test-subagent-1", "outcome": {"type": "suspended"}})
    );
    assert_eq!(
        events.last().unwrap()["outcome"],
        json!({"type": "success", "pendingToolCallIds": ["test-call-2"]})
    );
}

#[test]
fn parallel_subagents_may_use_the_same_names() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let searcher = helper(|run, _| {
                Box::pin(async move {
                    let step = run.step("search").await;
                    give_way().await;
                    let deeper = helper(|run, _| {
                        Box::pin(async move {
                            let _step = run.step("search").await;
                            give_way().await;
                            run.say("deep").await;
                            Ok(json!(1))
                        })
                    });
                    let (a, b) = join!(
                        run.delegate("deeper", &deeper, []),
                        run.delegate("deeper", &deeper, []).description("again")
                    );
                    step.finish();
                    Ok(json!(a?.as_i64().unwrap() + b?.as_i64().unwrap()))
                })
            });
            let _step = run.step("search").await;
            let (a, b) =
                try_join!(run.delegate("searcher", &searcher, []), run.delegate("searcher", &searcher, []))?;
            assert_eq!((a, b), (json!(2), json!(2)));
            Ok(())
        })
    });
    let steps: Vec<_> = events.iter().filter_map(|event| event["stepName"].as_str()).collect();
    assert_eq!(steps.len(), 14);
    assert!(steps.iter().all(|name| *name == "search"), "each author has its own names: {steps:?}");
    let parents: Vec<_> = events
        .iter()
        .filter(|event| event["type"] == "SUBAGENT_STARTED")
        .map(|event| (event["subagentRunId"].as_str().unwrap(), event["parentSubagentRunId"].as_str()))
        .collect();
    let [(first, None), (second, None), rest @ ..] = &parents[..] else { panic!("{parents:?}") };
    for searcher in [first, second] {
        assert_eq!(rest.iter().filter(|(_, parent)| *parent == Some(*searcher)).count(), 2);
    }
}

#[test]
fn the_first_failure_stops_the_others() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let slow = helper(|run, _| {
                Box::pin(async move {
                    let _step = run.step("waiting").await;
                    std::mem::forget(run.message().await);
                    std::future::pending::<()>().await;
                    Ok(Value::Null)
                })
            });
            let failing = helper(|run, _| {
                Box::pin(async move {
                    run.say("one").await;
                    Err(Stop::error("no rice"))
                })
            });
            let failed = try_join!(run.delegate("slow", &slow, []), run.delegate("failing", &failing, []));
            assert_eq!(failed.unwrap_err().to_string(), "no rice");
            run.say("I shall do without.").await;
            Ok(())
        })
    });
    let said = brief(inside(&events));
    let end = said.iter().position(|event| event.starts_with("SUBAGENT_ERROR subagent-3")).unwrap();
    assert_eq!(
        said[end + 1..end + 4],
        ["STEP_FINISHED subagent-1 waiting", "TEXT_MESSAGE_END subagent-1 -", "SUBAGENT_ERROR subagent-1 -"]
    );
    assert_eq!(
        events.iter().find(|event| event["code"] == "abandoned").unwrap()["subagentRunId"],
        "test-subagent-1"
    );
}

#[test]
fn a_subagent_that_panics_fails_the_run_unless_the_panic_is_caught() {
    let events = stream_with_panic(input(), |run, _| {
        Box::pin(async move {
            let clumsy = helper(|run, _| {
                Box::pin(async move {
                    let _text = run.message().await;
                    panic!("secret");
                })
            });
            let caught = AssertUnwindSafe(run.delegate("clumsy", &clumsy, [])).catch_unwind().await;
            assert!(caught.is_err());
            run.say("Never mind.").await;
            run.delegate("clumsy", &clumsy, []).await?;
            Ok(())
        })
    });
    let once = ["SUBAGENT_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "SUBAGENT_ERROR"];
    let said = ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"];
    let all = [&["RUN_STARTED"][..], &once, &said, &once, &["RUN_ERROR"]].concat();
    assert_eq!(types(&events), all);
    assert_eq!(events.last().unwrap()["code"], "panic");
    assert!(!json!(events).to_string().contains("secret"));
}

/// Delegates to its own type.
struct Countdown(u32);

impl Agent for Countdown {
    type State = ();
    type Request = ();
    type Output = u32;

    async fn run<'r>(&self, run: &'r mut Run<Self>, _: Input<Self>) -> Result<FinishedRun<'r, u32>, Stop> {
        let below = match self.0.checked_sub(1) {
            Some(less) => run.delegate("countdown", Arc::new(Self(less)), []).await?,
            None => 0,
        };
        run.say(self.0.to_string()).await;
        Ok(run.finish(below + self.0))
    }

    fn source() -> AgentSource {
        AgentSource { name: "countdown", ..Helper::source() }
    }
}

#[test]
fn an_agent_may_delegate_to_its_own_kind() {
    let events = stream(|run, _| {
        Box::pin(async move {
            assert_eq!(run.delegate("countdown", Arc::new(Countdown(3)), []).await?, 6);
            Ok(())
        })
    });
    let said: Vec<_> = events.iter().filter_map(|event| event["delta"].as_str()).collect();
    assert_eq!(said, ["0", "1", "2", "3"]);
    assert_eq!(types(&events).iter().filter(|ty| **ty == "SUBAGENT_FINISHED").count(), 4);
}

#[test]
fn an_id_of_an_earlier_run_goes_on_and_belongs_to_one_invocation() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let booking = helper(|_, _| Box::pin(async { Ok(Value::Null) }));
            for _ in 0..2 {
                run.delegate("booking", &booking, []).id("booking-1").await?;
            }
            Ok(())
        })
    });
    let ids: Vec<_> = inside(&events).iter().map(|event| event["subagentRunId"].as_str().unwrap()).collect();
    assert_eq!(ids, ["booking-1", "booking-1", "test-subagent-1", "test-subagent-1"]);
}

#[test]
fn a_subagent_has_the_runs_input_with_its_own_conversation_and_no_state() {
    let mut asked =
        RunAgentInput::new("thread", "run", question("Whole story?")).with_protocol_version("1.0");
    asked.resume = Some([ResumeEntry::new("i-1", ResumeStatus::Cancelled)].into());
    let mut sent = serde_json::to_value(&asked).unwrap();
    sent["state"] = json!({"rice": 1});
    sent["context"] = json!([{"description": "where", "value": "here"}]);
    sent["tools"] = json!([{"name": "show_map", "description": "Shows a map."}]);
    sent["forwardedProps"] = json!({"debug": true});
    let events = stream_for(serde_json::from_value(sent).unwrap(), |run, _| {
        Box::pin(async move {
            let child = helper(|run, input| {
                Box::pin(async move {
                    // `()` is not a state: this sends nothing, least of all a new document of the run.
                    run.state().snapshot(&()).await?.resend().await?;
                    Ok(serde_json::to_value(&**input)?)
                })
            });
            let seen = run.delegate("child", &child, question("Part of it?")).await?;
            assert_eq!(
                seen,
                json!({
                    "threadId": "thread",
                    "runId": "run",
                    "protocolVersion": "1.0",
                    "messages": [{"id": "question", "role": "user", "content": "Part of it?"}],
                    "tools": [{"name": "show_map", "description": "Shows a map."}],
                    "context": [{"description": "where", "value": "here"}],
                    "forwardedProps": {"debug": true},
                    "resume": [{"interruptId": "i-1", "status": "cancelled"}],
                })
            );
            Ok(())
        })
    });
    assert_eq!(types(inside(&events)), ["SUBAGENT_STARTED", "SUBAGENT_FINISHED"]);
}

#[test]
fn a_legacy_client_sees_one_agent() {
    let events = stream_for(RunAgentInput::new("thread", "run", vec![]), |run, _| {
        Box::pin(async move {
            let _step = run.step("search").await;
            let child = helper(|run, _| {
                Box::pin(async move {
                    let _step = run.step("search").await;
                    run.say("Hello").await;
                    Ok(Value::Null)
                })
            });
            run.delegate("child", &child, []).await?;
            Ok(())
        })
    });
    assert_eq!(
        brief(inside(&events)),
        [
            "STEP_STARTED - search",
            "STEP_STARTED - search#2",
            "TEXT_MESSAGE_START - -",
            "TEXT_MESSAGE_CONTENT - -",
            "TEXT_MESSAGE_END - -",
            "STEP_FINISHED - search#2",
            "STEP_FINISHED - search",
        ]
    );
}
