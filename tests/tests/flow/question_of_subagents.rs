//! Typed questions of delegated agents: each gets the answers to its own, and no others.

use std::sync::Arc;

use agui_runtime::prelude::*;
use agui_runtime::protocol::{RunAgentInput, UserMessage};
use agui_runtime::testing;
use futures::executor::block_on;
use futures::join;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::agent::{judge, options};

/// Asks for permission.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "may", response = bool)]
struct May {}

/// Asks before it does anything.
#[agent(interrupts = [May])]
async fn asking(run: &mut Run<Asking>, input: Input<Asking>) -> Result<String, Stop> {
    match input.resumed::<May>()? {
        _ if input.user_text().as_deref() == Some("calm") => Ok("did not ask".to_owned()),
        None => Err(run.ask(May {})),
        Some(asked) => Ok(format!("{:?} of {}", asked.response, input.resume().len())),
    }
}

/// Has another agent ask.
#[agent]
async fn passing(
    run: &mut Run<Passing>,
    _input: Input<Passing>,
    asking: &Arc<Asking>,
) -> Result<String, Stop> {
    run.delegate("a/b", asking, []).await
}

/// Delegates to two agents of one kind and to an agent that delegates itself, and asks as they do.
#[agent(interrupts = [May])]
async fn asker(
    run: &mut Run<Asker>,
    input: Input<Asker>,
    asking: &Arc<Asking>,
    passing: &Arc<Passing>,
) -> Result<Vec<String>, Stop> {
    let only_second = input.user_text().as_deref() == Some("only the second");
    let first = UserMessage::new("told", if only_second { "calm" } else { "ask" });
    let (first, second, nested) = join!(
        run.delegate("a", asking, [first.into()]),
        run.delegate("a", asking, []),
        run.delegate("a", passing, []),
    );
    let own = match input.resumed::<May>()? {
        None => Err(run.ask(May {})),
        Some(asked) => Ok(format!("{:?} of {}", asked.response, input.resume().len())),
    };
    let mut all = Vec::new();
    let mut stop = None::<Stop>;
    for answered in [first, second, nested, own] {
        match answered {
            Ok(answer) => all.push(answer),
            Err(asked) => {
                all.push("asks".to_owned());
                stop = Some(match stop.take() {
                    Some(stop) => stop.and(asked),
                    None => asked,
                });
            }
        }
    }
    run.say(all.join(", ")).await;
    stop.map_or(Ok(all), Err)
}

/// The texts of the four, and the ids of their questions.
fn run(text: &str, answers: &[(&str, Value)]) -> (String, Vec<String>) {
    let resume: Vec<_> = answers
        .iter()
        .map(|(id, payload)| json!({"interruptId": id, "status": "resolved", "payload": payload}))
        .collect();
    let input: RunAgentInput = serde_json::from_value(json!({
        "threadId": "t", "runId": "r", "protocolVersion": "1.0",
        "messages": [{"id": "m", "role": "user", "content": text}],
        "resume": resume,
    }))
    .unwrap();
    let asking = Arc::new(Asking::new());
    let agent = Asker::new(Arc::clone(&asking), Arc::new(Passing::new(asking)));
    let events: Vec<Value> = block_on(testing::run_with(agent, input, options()))
        .iter()
        .map(|event| serde_json::to_value(event).unwrap())
        .collect();
    judge(&events);
    let said = events.iter().rev().find(|event| event["type"] == "TEXT_MESSAGE_CONTENT").unwrap();
    let asked = events.last().unwrap()["outcome"]["interrupts"].as_array().cloned().unwrap_or_default();
    let ids = asked.iter().map(|asked| asked["id"].as_str().unwrap().to_owned()).collect();
    (said["delta"].as_str().unwrap().to_owned(), ids)
}

const FIRST: &str = "may#a:1/test-interrupt-1#";
const SECOND: &str = "may#a:2/test-interrupt-2#";
const NESTED: &str = "may#a:3/a~1b:1/test-interrupt-3#";
const OWN: &str = "may#test-interrupt-4#";

#[test]
fn an_id_names_the_asking_agent() {
    let (said, ids) = run("", &[]);
    assert_eq!(said, "asks, asks, asks, asks");
    let mut who: Vec<_> = ids.iter().map(|id| id.split("test-interrupt").next().unwrap()).collect();
    who.sort_unstable();
    assert_eq!(who, ["may#", "may#a:1/", "may#a:2/", "may#a:3/a~1b:1/"]);
}

#[test]
fn each_agent_reads_the_answers_to_its_own_questions() {
    let all = [(FIRST, json!(true)), (SECOND, json!(false)), (NESTED, json!(true)), (OWN, json!(false))];
    let (said, _) = run("", &all);
    assert_eq!(said, "Some(true) of 1, Some(false) of 1, Some(true) of 1, Some(false) of 4");
}

#[test]
fn consent_to_one_agent_does_not_count_for_the_others() {
    let asks = |answered| {
        let (said, ids) = run("", &[(answered, json!(true))]);
        assert_eq!(ids.len(), 3);
        said
    };
    assert_eq!(asks(FIRST), "Some(true) of 1, asks, asks, asks");
    assert_eq!(asks(SECOND), "asks, Some(true) of 1, asks, asks");
    assert_eq!(asks(NESTED), "asks, asks, Some(true) of 1, asks");
    assert_eq!(asks(OWN), "asks, asks, asks, Some(true) of 1");
}

#[test]
fn of_two_equal_agents_the_asking_one_gets_the_answer() {
    let (said, ids) = run("only the second", &[]);
    assert_eq!(said, "did not ask, asks, asks, asks");
    assert!(ids.iter().any(|id| id.starts_with("may#a:2/")), "{ids:?}");
    let (said, _) = run("only the second", &[(SECOND, json!(true))]);
    assert_eq!(said, "did not ask, Some(true) of 1, asks, asks");
}

#[test]
fn answers_to_untyped_questions_reach_all_agents() {
    let (said, _) = run("", &[(FIRST, json!(true)), ("anything", json!(7)), ("a#b#c", json!(8))]);
    assert_eq!(said, "Some(true) of 3, asks, asks, asks");
}
