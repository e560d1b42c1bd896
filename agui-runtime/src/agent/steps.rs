//! What a run costs grows as its input does, whichever helpers the agent uses: how often ids are looked at is counted.

use std::sync::Arc;

use futures::StreamExt;
use futures::executor::block_on;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::prelude::*;
use crate::protocol::{
    AssistantMessage, Event, FunctionCall, Interrupt as Question, Message, NonNull, ResumeEntry,
    ResumeStatus, RunAgentInput, RunFinishedOutcome, ToolCall as CallInHistory, ToolMessage, looks,
};
use crate::{RunOptions, start};

/// Sends a letter.
#[tool]
async fn send(text: String) -> usize {
    text.len()
}

/// Asks the person for a colour.
#[tool(frontend)]
async fn choose(about: String) -> String;

/// Asks before a letter is sent.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "confirm_send", response = bool)]
struct ConfirmSend {}

/// Asks about so many letters, and then uses every helper that there is for what comes back.
#[agent(tools = [send, choose, other], interrupts = [ConfirmSend])]
async fn writer(run: &mut Run<Writer>, input: Input<Writer>, letters: &usize) -> Result<(), Stop> {
    if input.resume().is_empty() {
        return ask(run, *letters).await;
    }
    assert_eq!(input.answers::<choose>()?.len(), *letters);
    assert!(input.answer::<choose>()?.is_some());
    assert!(input.answer_text().is_some() && input.user_text().is_none());
    assert!(input.resumed::<ConfirmSend>().is_err() || *letters == 1);

    let resumed = input.resumed_all::<ConfirmSend>()?;
    assert_eq!(resumed.len(), *letters);
    for asked in &resumed {
        let id = asked.tool_call_id.as_ref().unwrap();
        run.resume_call::<send>(&input, id)?.run().await;
    }
    // Those asked about without a type are left, and taken up in every other way.
    let left: Vec<_> =
        input.unanswered_calls::<send>().into_iter().filter(|id| id.as_str().starts_with("left")).collect();
    assert_eq!(left.len(), *letters);
    let mut stop = Stop::interrupt(Question::new("last", "confirmation"));
    let mut history = input.messages.clone();
    for (number, id) in left.iter().enumerate() {
        assert!(run.resume_call::<other>(&input, id).is_err());
        let call = run.resume_call_with(&input, id, send { text: "Dear Grace".to_owned() })?;
        match number % 3 {
            0 => call.fail("the person said no").await,
            1 => history.push(ToolMessage::new(format!("r-{id}"), "\"sent\"", id.clone()).into()),
            _ => stop = stop.and(call.interrupt(Question::new(format!("again-{id}"), "confirmation"))),
        }
    }
    run.messages_snapshot(history).await;
    Err(stop)
}

async fn ask(run: &mut Run<Writer>, letters: usize) -> Result<(), Stop> {
    let mut stop: Option<Stop> = None;
    for number in 0..letters {
        let call =
            run.call(send { text: "Dear Ada".to_owned() }).provider_id(format!("asked-{number}")).await?;
        let typed = call.ask(ConfirmSend {});
        let id = format!("left-{number}");
        let call = run.call(send { text: "Dear Bob".to_owned() }).provider_id(id.clone()).await?;
        let asked = typed.and(call.interrupt(Question::new(id, "confirmation")));
        stop = Some(match stop {
            Some(stop) => stop.and(asked),
            None => asked,
        });
    }
    stop.map_or(Ok(()), Err)
}

/// Does nothing, and is of the wrong kind for every call here.
#[tool]
async fn other() -> bool {
    true
}

fn events(letters: usize, input: RunAgentInput) -> Vec<Event> {
    block_on(start(Arc::new(Writer::new(letters)), input, RunOptions::default()).collect())
}

fn call(id: &str, tool: &str, arguments: &serde_json::Value) -> CallInHistory {
    CallInHistory::new(id, FunctionCall::new(tool, arguments.to_string()))
}

/// The input that brings the answers to all the agent asked in a first run, with as many calls that are left, and as many answered by
/// the client.
fn answered(letters: usize) -> RunAgentInput {
    let input = |messages| RunAgentInput::new("thread", "run", messages).with_protocol_version("1.0");
    let Some(Event::RunFinished(finished)) = events(letters, input(Vec::<Message>::new())).pop() else {
        panic!("an end")
    };
    let Some(RunFinishedOutcome::Interrupt(outcome)) = finished.outcome else { panic!("an interrupt") };
    assert_eq!(outcome.interrupts.len(), 2 * letters);
    let mut messages: Vec<Message> = Vec::new();
    for number in 0..letters {
        let calls = vec![
            call(&format!("asked-{number}"), "send", &json!({ "text": "Dear Ada" })),
            call(&format!("left-{number}"), "send", &json!({ "text": "Dear Bob" })),
            call(&format!("chosen-{number}"), "choose", &json!({ "about": "paper" })),
        ];
        messages.push(AssistantMessage::new(format!("m-{number}")).with_tool_calls(calls).into());
    }
    for number in 0..letters {
        messages.push(ToolMessage::new(format!("a-{number}"), "\"red\"", format!("chosen-{number}")).into());
    }
    let answer = |question: &Question| {
        ResumeEntry::new(question.id.clone(), ResumeStatus::Resolved).with_payload(NonNull::from(true))
    };
    input(messages).with_resume(outcome.interrupts.iter().map(answer).collect::<Vec<_>>())
}

#[test]
fn twice_the_input_is_twice_the_steps() {
    let steps = |letters| {
        let input = answered(letters);
        let steps = looks::during(|| {
            let all = events(letters, input);
            assert!(matches!(all.last(), Some(Event::RunFinished(_))), "{:?}", all.last());
        });
        // The first run asks in a loop, which counts as well.
        let asking = looks::during(|| drop(answered(letters)));
        (steps, asking)
    };
    let (once, twice) = (steps(500), steps(1_000));
    for (what, once, twice) in [("resuming", once.0, twice.0), ("asking", once.1, twice.1)] {
        assert!(once > 500, "{what}: ids are looked at: {once}");
        // Some of it is sorted; what walks through all for each would be four times as much.
        assert!(twice <= once * 5 / 2, "{what}: {once} steps, and {twice} for twice the input");
    }
}
