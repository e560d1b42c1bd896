//! Tests that a run's cost grows linearly with its input, with every helper that an agent can use: they count id lookups.

use std::sync::Arc;

use futures::executor::block_on;
use futures_util::StreamExt;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::agent::{RunOptions, start};
use crate::prelude::*;
use crate::protocol::{
    AssistantMessage, Event, FunctionCall, Interrupt as Question, Message, NonNull, ResumeEntry,
    ResumeStatus, RunAgentInput, RunFinishedOutcome, ToolCall as CallInHistory, ToolMessage, looks,
};

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

/// Interrupts for `letters` letters, and then uses every helper for the resume entries.
#[agent(tools = [send, choose, other], interrupts = [ConfirmSend])]
async fn writer(run: &mut Run<LongWriter>, input: Input<LongWriter>, letters: &usize) -> Result<(), Stop> {
    if input.resume().is_empty() {
        return ask(run, *letters).await;
    }
    assert_eq!(input.frontend_results::<choose>()?.len(), *letters);
    assert!(input.frontend_result::<choose>()?.is_some());
    assert!(input.tool_result_text().is_some() && input.user_text().is_none());
    assert!(input.resumed::<ConfirmSend>().is_err() || *letters == 1);

    let resumed = input.resumed_all::<ConfirmSend>()?;
    assert_eq!(resumed.len(), *letters);
    for asked in &resumed {
        let id = asked.tool_call_id.as_ref().unwrap();
        run.resume_call::<send>(&input, id)?.run().await;
    }
    // Calls that untyped questions are about are resumed in every other way.
    let left: Vec<_> =
        input.pending_calls::<send>().into_iter().filter(|id| id.as_str().starts_with("left")).collect();
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

/// The same agent, but interrupts again for every call, and resumes none.
#[agent(name = "writer", tools = [send], interrupts = [ConfirmSend])]
async fn doubter(run: &mut Run<Doubter>, input: Input<Doubter>) -> Result<(), Stop> {
    let mut all: Option<Stop> = None;
    for asked in input.resumed_all::<ConfirmSend>()? {
        let Some(id) = asked.tool_call_id else { return Err(Stop::error("about no call")) };
        let again = Stop::interrupt(run.typed_interrupt(ConfirmSend {})?.with_tool_call_id(id));
        all = Some(match all {
            Some(all) => all.and(again),
            None => again,
        });
    }
    all.map_or(Ok(()), Err)
}

/// Interrupts for one letter.
#[agent(interrupts = [ConfirmSend])]
async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>) -> Result<bool, Stop> {
    match input.resumed::<ConfirmSend>()? {
        Some(asked) => Ok(asked.response == Some(true)),
        None => Err(run.ask(ConfirmSend {})),
    }
}

/// Delegates each letter, so each resume entry is for another subagent.
#[agent]
async fn office(
    run: &mut Run<Office>,
    input: Input<Office>,
    clerk: &Arc<Clerk>,
    letters: &usize,
) -> Result<(), Stop> {
    let mut all: Option<Stop> = None;
    for _ in 0..*letters {
        match run.delegate("clerk", clerk, []).await {
            Ok(sent) => assert!(sent && input.resume().len() == *letters),
            Err(stop) => {
                all = Some(match all {
                    Some(all) => all.and(stop),
                    None => stop,
                });
            }
        }
    }
    all.map_or(Ok(()), Err)
}

async fn ask(run: &mut Run<LongWriter>, letters: usize) -> Result<(), Stop> {
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

/// Does nothing; no call here names this tool.
#[tool]
async fn other() -> bool {
    true
}

fn events(agent: impl Agent, input: RunAgentInput) -> Vec<Event> {
    // The questions of one run must be the same as those of the next.
    let options = RunOptions::default().repeatable_entries();
    block_on(start(Arc::new(agent), input, options).collect())
}

fn call(id: &str, tool: &str, arguments: &serde_json::Value) -> CallInHistory {
    CallInHistory::new(id, FunctionCall::new(tool, arguments.to_string()))
}

/// Returns the input with resume entries for all interrupts from a first run, plus as many pending calls, and as many calls with
/// client results.
fn answered(letters: usize) -> RunAgentInput {
    let input = |messages| RunAgentInput::new("thread", "run", messages).with_protocol_version("1.0");
    let Some(Event::RunFinished(finished)) =
        events(LongWriter::new(letters), input(Vec::<Message>::new())).pop()
    else {
        panic!("an end")
    };
    let Some(RunFinishedOutcome::Interrupt(outcome)) = finished.outcome else { panic!("an interrupt") };
    assert_eq!(outcome.interrupts.len(), 2 * letters);
    let resume = resume_of(&outcome.interrupts);
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
    input(messages).with_resume(resume)
}

fn resume_of(questions: &[Question]) -> Vec<ResumeEntry> {
    let answer = |question: &Question| {
        ResumeEntry::new(question.id.clone(), ResumeStatus::Resolved).with_payload(NonNull::from(true))
    };
    questions.iter().map(answer).collect()
}

#[test]
fn twice_the_input_takes_twice_the_steps() {
    let steps = |letters| {
        let mut input = None;
        // The first run asks in a loop, which is counted as well.
        let asking = looks::during(|| input = Some(answered(letters)));
        let mut input = input.unwrap();
        let again = input.clone();
        let steps = looks::during(|| {
            let all = events(LongWriter::new(letters), again);
            assert!(matches!(all.last(), Some(Event::RunFinished(_))), "{:?}", all.last());
        });
        // Only the answers to typed questions: this agent has no others.
        let typed = |entry: &&ResumeEntry| entry.interrupt_id.as_str().starts_with("confirm_send#");
        input.resume = Some(input.resume().iter().filter(typed).cloned().collect());
        let asking_again = looks::during(|| {
            let Some(Event::RunFinished(finished)) = events(Doubter::new(), input).pop() else {
                panic!("an end")
            };
            let Some(RunFinishedOutcome::Interrupt(outcome)) = finished.outcome else {
                panic!("an interrupt")
            };
            assert_eq!(outcome.interrupts.len(), letters);
        });
        let office = || Office::new(Arc::new(Clerk::new()), letters);
        let input = RunAgentInput::new("thread", "run", Vec::<Message>::new()).with_protocol_version("1.0");
        let Some(Event::RunFinished(finished)) = events(office(), input.clone()).pop() else {
            panic!("an end")
        };
        let Some(RunFinishedOutcome::Interrupt(outcome)) = finished.outcome else { panic!("an interrupt") };
        let input = input.with_resume(resume_of(&outcome.interrupts));
        let delegating = looks::during(|| {
            let Some(Event::RunFinished(finished)) = events(office(), input).pop() else { panic!("an end") };
            assert!(matches!(finished.outcome, None | Some(RunFinishedOutcome::Success(_))));
        });
        [steps, asking, asking_again, delegating]
    };
    let all = steps(500).into_iter().zip(steps(1_000));
    for (what, (once, twice)) in ["resuming", "asking", "asking again", "delegating"].into_iter().zip(all) {
        assert!(once > 500, "{what}: ids are looked at: {once}");
        // Some of it is sorted; a linear search for each id would take four times as many steps.
        assert!(twice <= once * 5 / 2, "{what}: {once} steps, and {twice} for twice the input");
    }
}
