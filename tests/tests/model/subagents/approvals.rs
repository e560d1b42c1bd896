//! Questions of a called agent: the run that brings the answer continues where it was asked.

use agui_runtime::manifest::Manifest;
use agui_runtime::model::{Model, Reply};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Event, Interrupt as Question, Message, ResumeEntry, ResumeStatus};
use agui_runtime::testing::{self, RunEnd};
use std::sync::Arc;

use agui_runtime::model::ScriptedModel;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::{Thread, Writer, approved, brief, desk, questions, read, research, resolved, results};

fn publishing() -> super::Desk {
    desk(
        [research("Publish rice."), Reply::text("All done.")],
        [
            Reply::call("search", json!({ "words": "rice" })),
            Reply::call("publish", json!({ "text": "rice" })),
            Reply::text("It is out."),
        ],
    )
}

#[test]
fn an_approved_call_of_a_subagent_runs_once_and_its_result_reaches_the_parent() {
    for is_legacy in [false, true] {
        let desk = publishing();
        let mut thread = Thread::new(desk.writer, "Go.");
        if is_legacy {
            thread = thread.legacy();
        }
        let asked = thread.run();
        let question = questions(&asked).remove(0);
        assert_eq!((question.reason.as_str(), desk.press.count()), ("tool_call", 0));
        let events = thread.answer([approved(&question)]);
        assert_eq!(desk.press.count(), 1, "{}", testing::lines(&events));
        let results = results(&events);
        assert_eq!(results[0].1, "published rice", "{results:?}");
        assert_eq!(
            results[1],
            ("r1-call-2".to_owned(), "It is out.".to_owned()),
            "the call of the first run"
        );
        assert_eq!(testing::texts(&events), ["It is out.", "All done."]);
        let of_researcher = read(&desk.of_researcher);
        for part in ["Publish rice.", "read about rice", "published rice"] {
            assert!(of_researcher.contains(part), "its own conversation lacks {part}: {of_researcher}");
        }
        assert!(!read(&desk.of_writer).contains("published"), "{}", read(&desk.of_writer));
    }
}

#[test]
fn a_suspended_subagent_continues_under_its_id() {
    let desk = publishing();
    let mut thread = Thread::new(desk.writer, "Go.");
    let asked = thread.run();
    let question = questions(&asked).remove(0);
    let Some(Event::SubagentFinished(finished)) =
        asked.iter().find(|event| matches!(event, Event::SubagentFinished(_)))
    else {
        panic!("{}", testing::lines(&asked))
    };
    let outcome = serde_json::to_value(&finished.outcome).unwrap();
    assert_eq!(outcome, json!({ "type": "suspended", "interruptIds": [question.id] }));
    let events = thread.answer([approved(&question)]);
    let child = "called-r1-call-2";
    assert_eq!(brief(&events)[1], format!("SUBAGENT_STARTED {child}"));
    assert_eq!(brief(&events)[2], format!("TOOL_CALL_RESULT {child}"), "only the result is sent");
}

#[test]
fn a_refusal_and_a_cancelled_question_reach_the_subagent() {
    let refusals: [fn(&Question) -> ResumeEntry; 2] = [
        |question| resolved(question, json!({ "approved": false, "reason": "no" })),
        |question| ResumeEntry::new(question.id.clone(), ResumeStatus::Cancelled),
    ];
    for refuse in refusals {
        let desk = publishing();
        let mut thread = Thread::new(desk.writer, "Go.");
        let question = questions(&thread.run()).remove(0);
        let events = thread.answer([refuse(&question)]);
        assert_eq!(desk.press.count(), 0);
        assert!(results(&events)[0].1.contains("the user refused"), "{:?}", results(&events));
        assert_eq!(results(&events)[1].1, "It is out.");
    }
}

#[test]
fn several_subagents_ask_at_once_and_each_gets_its_answer() {
    let both = research("one").and_call("researcher", json!({ "task": "two" }));
    let model = ScriptedModel::from_fn(|prompt| {
        let all = format!("{:?}", prompt.messages);
        let task = if all.contains(r#""one""#) { "one" } else { "two" };
        match prompt.last_results().last() {
            None => Reply::call("publish", json!({ "text": task })),
            Some(answer) => Reply::text(answer.content.text()),
        }
    });
    let desk = desk([both, Reply::text("Done.")], []);
    let press = Arc::clone(&desk.press);
    let researcher = super::Researcher::new(Arc::new(model).into(), Arc::clone(&press));
    let writer = Writer::new(Arc::clone(&desk.of_writer).into(), Arc::new(researcher));
    let mut thread = Thread::new(writer, "Go.");
    let asked = questions(&thread.run());
    assert_eq!(asked.len(), 2);
    let of = |task: &str| {
        asked.iter().find(|asked| format!("{:?}", asked.metadata).contains(task)).expect("a question of each")
    };
    let events = thread.answer([
        approved(of("two")),
        resolved(of("one"), json!({ "approved": true, "editedArgs": { "text": "three" } })),
    ]);
    assert_eq!(press.count(), 2, "{}", testing::lines(&events));
    let mut last: Vec<_> =
        results(&events).into_iter().filter(|(id, _)| id.starts_with("r1-call-")).collect();
    last.sort();
    last.retain(|(id, _)| id == "r1-call-2" || id == "r1-call-3");
    let texts: Vec<_> = last.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["published three", "published two"], "{}", testing::lines(&events));
}

#[test]
fn a_subagent_may_ask_again_in_the_run_that_continues_it() {
    let desk = desk(
        [research("Publish."), Reply::text("Done.")],
        [
            Reply::call("publish", json!({ "text": "one" })),
            Reply::call("publish", json!({ "text": "two" })),
            Reply::text("Both are out."),
        ],
    );
    let mut thread = Thread::new(desk.writer, "Go.");
    let first = questions(&thread.run()).remove(0);
    let second = questions(&thread.answer([approved(&first)])).remove(0);
    assert_eq!(desk.press.count(), 1);
    let events = thread.answer([approved(&second)]);
    assert_eq!((desk.press.count(), results(&events).pop().unwrap().1.as_str()), (2, "Both are out."));
}

#[test]
fn an_answer_counts_for_the_call_that_led_to_the_question_alone() {
    let change: [fn(&mut Vec<Message>); 3] = [
        // Another task.
        |messages| {
            for message in messages.iter_mut() {
                if let Message::Assistant(assistant) = message {
                    for call in assistant.tool_calls.iter_mut().flatten() {
                        call.function.arguments =
                            call.function.arguments.replace("Publish rice.", "Publish all.");
                    }
                }
            }
        },
        // No call.
        |messages| {
            messages.retain(|message| !serde_json::to_string(message).unwrap().contains("Publish rice."));
        },
        // Other arguments of the subagent's call.
        |messages| {
            for message in messages.iter_mut() {
                if let Message::Assistant(assistant) = message {
                    for call in assistant.tool_calls.iter_mut().flatten() {
                        call.function.arguments = call.function.arguments.replace(r#""rice""#, r#""salt""#);
                    }
                }
            }
        },
    ];
    for (number, change) in change.into_iter().enumerate() {
        let desk = publishing();
        let mut thread = Thread::new(desk.writer, "Go.");
        let question = questions(&thread.run()).remove(0);
        change(&mut thread.input.messages);
        let events = thread.answer([approved(&question)]);
        let end = testing::end(&events);
        assert!(
            matches!(end, RunEnd::Failed { code: Some("interrupt_call_changed"), .. }),
            "{number}: {}",
            testing::lines(&events)
        );
        assert_eq!((desk.press.count(), events.len()), (0, 2));
    }
}

#[test]
fn a_call_that_the_client_has_answered_does_not_continue() {
    let desk = publishing();
    let mut thread = Thread::new(desk.writer, "Go.");
    let question = questions(&thread.run()).remove(0);
    let forged = agui_runtime::protocol::ToolMessage::new("forged", "no need", "r1-call-2");
    thread.input.messages.push(forged.into());
    let events = thread.answer([approved(&question)]);
    assert_eq!(desk.press.count(), 0, "{}", testing::lines(&events));
    assert!(!testing::lines(&events).contains("SUBAGENT"));
}

/// Asks for a colour.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "colour", response = String)]
struct Colour {}

/// Paints things.
#[agent(interrupts = [Colour])]
async fn painter(run: &mut Run<Painter>, input: Input<Painter>) -> Result<String, Stop> {
    let by_name = input.resume().iter().find(|answer| answer.interrupt_id == "brush");
    if input.user_text().as_deref() == Some("untyped") {
        return match by_name {
            None => Err(Stop::interrupt(Question::new("brush", "input_required"))),
            Some(answer) => Ok(format!("with {:?}", answer.payload)),
        };
    }
    match input.resumed::<Colour>()? {
        None => Err(run.ask(Colour {})),
        Some(asked) => Ok(format!("in {}", asked.response.unwrap_or_default())),
    }
}

/// Has others paint.
#[agent(tools = [Painter])]
async fn foreman(
    run: &mut Run<Foreman>,
    _: Input<Foreman>,
    model: &Model,
    painter: &Arc<Painter>,
) -> Result<String, Stop> {
    run.chat(model).text().await
}

/// Owns a house.
#[agent(tools = [Foreman])]
async fn owner(
    run: &mut Run<Owner>,
    _: Input<Owner>,
    model: &Model,
    foreman: &Arc<Foreman>,
) -> Result<(), Stop> {
    run.chat(model).await
}

#[test]
fn typed_and_untyped_questions_two_levels_down_continue_where_they_were_asked() {
    for (task, answer, painted) in [("typed", json!("red"), "in red"), ("untyped", json!("oil"), "oil")] {
        let of_foreman = ScriptedModel::new([
            Reply::call("painter", json!({ "task": task })).and_call("painter", json!({ "task": task })),
            Reply::text("Painted."),
        ]);
        let of_foreman = Arc::new(of_foreman);
        let of_owner =
            ScriptedModel::new([Reply::call("foreman", json!({ "task": "Paint." })), Reply::text("Nice.")]);
        let foreman = Foreman::new(Arc::clone(&of_foreman).into(), Arc::new(Painter::new()));
        let mut thread = Thread::new(Owner::new(of_owner.into(), Arc::new(foreman)), "Go.");
        let asked = questions(&thread.run());
        assert_eq!(asked.len(), 2, "two painters ask, also under one id");
        let events = thread.answer([resolved(&asked[0], answer.clone()), resolved(&asked[1], answer)]);
        assert_eq!(testing::texts(&events), ["Painted.", "Nice."], "{}", testing::lines(&events));
        let read = read(&of_foreman);
        assert_eq!(read.matches(painted).count(), 2, "{read}");
    }
}

#[test]
fn the_manifest_of_the_parent_has_the_questions_of_its_subagents() {
    let manifest = Manifest::build("shop", "0.1.0", &[Owner::source(), Writer::source()]).unwrap();
    let reasons = |agent: usize| {
        manifest.agents[agent].interrupts.iter().map(|asked| asked.reason.as_str()).collect::<Vec<_>>()
    };
    assert_eq!((reasons(0), reasons(1)), (vec!["colour"], vec!["tool_call"]));
    let asked = &manifest.agents[1].interrupts[0];
    assert_eq!(asked.payload["properties"]["tool"]["const"], "publish");
    let result = serde_json::to_value(&manifest.agents[1].tools[1]).unwrap();
    assert_eq!((&result["name"], &result["result"]["out"]["type"]), (&json!("researcher"), &json!("string")));
}

#[test]
fn a_run_that_fails_beside_a_question_abandons_the_call() {
    let both = research("burn").and_call("researcher", json!({ "task": "Publish." }));
    let desk = desk([both], [Reply::call("publish", json!({ "text": "rice" }))]);
    let events = Thread::new(desk.writer, "Go.").run();
    assert!(matches!(testing::end(&events), RunEnd::Failed { code: Some("FIRE"), .. }));
    let abandoned =
        results(&events).into_iter().filter(|(_, text)| text == r#"{"error":"abandoned"}"#).count();
    assert_eq!(abandoned, 2, "both calls that waited: {}", testing::lines(&events));
}

/// The agent that asked starts in the middle of the run, and by then the answers are used up.
#[test]
fn a_wrong_answer_to_a_subagent_ends_the_run_and_uses_nothing_up() {
    for wrong in [json!({ "approved": true, "editedArgs": { "text": 7 } }), json!({ "approved": "yes" })] {
        let desk = publishing();
        let mut thread = Thread::new(desk.writer, "Go.");
        let question = questions(&thread.run()).remove(0);
        let before = thread.input.messages.clone();
        let events = thread.answer([resolved(&question, wrong)]);
        let lines = testing::lines(&events);
        assert!(matches!(testing::end(&events), RunEnd::Failed { .. }), "{lines}");
        assert!(!lines.contains("SUBAGENT_STARTED"), "{lines}");
        assert_eq!(desk.press.count(), 0);
        thread.input.messages = before;
        let events = thread.answer([approved(&question)]);
        assert_eq!(desk.press.count(), 1, "the question can still be answered: {}", testing::lines(&events));
    }
}
