//! A model chooses tools by name and streams the arguments of several calls at once.

#![expect(unused_variables, reason = "a signature is the same whether an agent needs all of it or not")]

use std::collections::BTreeMap;
use std::time::Duration;

use agui_runtime::prelude::*;
use agui_runtime::tools::{NoCall, SettledCall, UnknownTool};
use agui_runtime::{EventFields, ToolSet};
use futures::executor::block_on;
use serde_json::{Value, json};
use tokio::sync::{Barrier, Notify};

use crate::agent::{input, inside, judge, types};

/// The content of one chunk of a model's answer.
enum Delta {
    Text(&'static str),
    Start { index: u32, name: &'static str },
    Arguments { index: u32, json: &'static str },
}
use Delta::{Arguments, Start, Text};

fn play<A: Agent>(agent: A) -> Vec<Value> {
    let events = block_on(agui_runtime::testing::run(agent, input()));
    let events: Vec<Value> = events.iter().map(crate::agent::json).collect();
    judge(&events);
    assert_ne!(events.last().unwrap()["code"], "panic", "an assertion of the agent failed");
    events
}

/// Type and call of each event inside the run.
fn calls(events: &[Value]) -> Vec<(&str, &str)> {
    inside(events)
        .iter()
        .map(|event| (event["type"].as_str().unwrap(), event["toolCallId"].as_str().unwrap_or_default()))
        .collect()
}

/// A whole answer of the model, call by call.
async fn listen<'r, A: ToolSet>(run: &'r Run<A>, answer: Vec<Delta>) -> Result<Vec<A::Ready<'r>>, Stop> {
    let mut text = None;
    let mut open = BTreeMap::new();
    for delta in answer {
        match delta {
            Text(piece) => {
                if text.is_none() {
                    text = Some(run.message().await);
                }
                if let Some(text) = &mut text {
                    text.push(piece).await;
                }
            }
            Start { index, name } => {
                open.insert(index, run.open_call(name).await?);
            }
            Arguments { index, json } => open.get_mut(&index).unwrap().push(json).await,
        }
    }
    drop(text);
    Ok(open.into_values().map(OpenToolCall::end).collect::<Result<_, _>>()?)
}

mod shop {
    use super::*;

    /// Looks up what something costs. Returns when the other tool runs, too.
    #[tool]
    pub async fn price(both: &Barrier, name: String) -> Result<u32, std::fmt::Error> {
        both.wait().await;
        if name == "saffron" { Err(std::fmt::Error) } else { Ok(180) }
    }

    /// Looks up how much there is. Returns when the other tool runs, too.
    #[tool]
    pub async fn stock(both: &Barrier, name: String) -> String {
        both.wait().await;
        format!("enough {name}")
    }
}

/// Asks the person whether that is all.
#[tool(frontend)]
async fn checkout(total: u32) -> bool;

#[agent(tools = [shop::price, shop::stock, checkout])]
async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>, both: &Barrier) -> Result<(), Stop> {
    let answer = vec![
        Text("Let me see."),
        Start { index: 0, name: "price" },
        Start { index: 1, name: "checkout" },
        Arguments { index: 0, json: r#"{"na"# },
        Arguments { index: 1, json: r#"{"total":"# },
        Start { index: 2, name: "stock" },
        Arguments { index: 0, json: r#"me":"rice"}"# },
        Arguments { index: 2, json: r#"{"name":"rice"}"# },
        Arguments { index: 1, json: "180}" },
    ];
    let ready = listen(run, answer).await?;
    let names: Vec<_> = ready.iter().map(|call| (call.tool(), call.id().to_string())).collect();
    assert_eq!(names[1], ("checkout", "test-call-3".to_owned()));
    let done = run.dispatch(ready).await;
    let told: Vec<_> = done.settled.iter().map(|call| (&*call.tool, &*call.content, call.failed)).collect();
    assert_eq!(told, [("price", "180", false), ("stock", "enough rice", false)]);
    Err(Stop::await_frontend(done.pending))
}

#[test]
fn three_calls_interleave_two_run_side_by_side_and_one_waits_for_the_client() {
    let events = play(Clerk::new(Barrier::new(2)));
    let (price, checkout, stock) = ("test-call-2", "test-call-3", "test-call-4");
    let mut seen = calls(&events);
    // Both functions wait for each other, so either may be answered first.
    let results = seen.split_off(seen.len() - 2);
    assert_eq!(
        seen,
        [
            ("TEXT_MESSAGE_START", ""),
            ("TEXT_MESSAGE_CONTENT", ""),
            ("TOOL_CALL_START", price),
            ("TOOL_CALL_START", checkout),
            ("TOOL_CALL_ARGS", price),
            ("TOOL_CALL_ARGS", checkout),
            ("TOOL_CALL_START", stock),
            ("TOOL_CALL_ARGS", price),
            ("TOOL_CALL_ARGS", stock),
            ("TOOL_CALL_ARGS", checkout),
            ("TEXT_MESSAGE_END", ""),
            ("TOOL_CALL_END", price),
            ("TOOL_CALL_END", checkout),
            ("TOOL_CALL_END", stock),
        ]
    );
    for call in [price, stock] {
        assert!(results.contains(&("TOOL_CALL_RESULT", call)), "{results:?}");
    }
    assert_eq!(
        events.last().unwrap()["outcome"],
        json!({"type": "success", "pendingToolCallIds": [checkout]})
    );
}

/// Waits until the other one is done.
#[tool]
async fn slow(done: &Notify) {
    done.notified().await;
}

/// Is done at once.
#[tool]
async fn quick(done: &Notify) {
    done.notify_one();
}

#[agent(tools = [slow, quick])]
async fn racer(run: &mut Run<Racer>, input: Input<Racer>, done: &Notify) -> Result<(), Stop> {
    let ready =
        listen(run, vec![Start { index: 0, name: "slow" }, Start { index: 1, name: "quick" }]).await?;
    let done = run.dispatch(ready).await;
    assert_eq!(done.settled.iter().map(|call| &*call.tool).collect::<Vec<_>>(), ["slow", "quick"]);
    Ok(())
}

#[test]
fn a_call_is_answered_as_soon_as_it_is_done() {
    let events = play(Racer::new(Notify::new()));
    let results: Vec<_> =
        calls(&events).into_iter().filter(|(what, _)| *what == "TOOL_CALL_RESULT").collect();
    assert_eq!(results, [("TOOL_CALL_RESULT", "test-call-2"), ("TOOL_CALL_RESULT", "test-call-1")]);
}

#[agent(tools = [slow])]
async fn impatient(run: &mut Run<Impatient>, input: Input<Impatient>, done: &Notify) -> Result<(), Stop> {
    let ready = listen(run, vec![Start { index: 0, name: "slow" }]).await?;
    let mut waiting = std::pin::pin!(run.dispatch(ready));
    assert!(futures::poll!(&mut waiting).is_pending());
    Ok(())
}

#[test]
fn a_dispatch_that_is_dropped_leaves_nothing_unanswered() {
    let events = play(Impatient::new(Notify::new()));
    assert_eq!(types(inside(&events)), ["TOOL_CALL_START", "TOOL_CALL_END", "TOOL_CALL_RESULT"]);
    assert_eq!(inside(&events)[2]["content"], r#"{"error":"abandoned"}"#);
}

#[agent(tools = [slow])]
async fn leaver(
    run: &mut Run<Leaver>,
    input: Input<Leaver>,
    done: &Notify,
    polls: &bool,
) -> Result<(), Stop> {
    let ready = listen(run, (0..3).map(|index| Start { index, name: "slow" }).collect()).await?;
    let mut waiting = run.dispatch(ready);
    if *polls {
        assert!(futures::poll!(&mut waiting).is_pending());
    }
    Ok(())
}

#[test]
fn calls_that_are_dropped_are_answered_in_one_order_whether_they_were_polled_or_not() {
    let [polled, never] = [true, false].map(|polls| play(Leaver::new(Notify::new(), polls)));
    let results = |events| -> Vec<_> {
        calls(events).into_iter().filter(|(what, _)| *what == "TOOL_CALL_RESULT").collect()
    };
    assert_eq!(results(&polled).len(), 3);
    assert_eq!(results(&polled), results(&never));
}

#[agent(tools = [shop::price, checkout])]
async fn guesser(run: &mut Run<Guesser>, input: Input<Guesser>, both: &Barrier) -> Result<(), Stop> {
    let error: UnknownTool = run.open_call("prize").await.unwrap_err();
    assert_eq!((&*error.name, &*error.offered), ("prize", &["price", "checkout"][..]));
    assert_eq!(error.to_string(), "there is no tool `prize`; there is: `price`, `checkout`");
    drop(run.open_call("Price").await?);
    Ok(())
}

#[test]
fn an_unknown_name_puts_nothing_on_the_wire_and_fails_the_run_by_a_question_mark() {
    let events = play(Guesser::new(Barrier::new(1)));
    assert_eq!(types(&events), ["RUN_STARTED", "RUN_ERROR"]);
    assert_eq!(events[1]["message"], "there is no tool `Price`; there is: `price`, `checkout`");
    assert_eq!(events[1]["code"], "unknown_tool");
}

#[agent(tools = [shop::price, shop::stock, checkout])]
async fn stumbler(run: &mut Run<Stumbler>, input: Input<Stumbler>, both: &Barrier) -> Result<(), Stop> {
    let said = run.say("Hm.").await;
    let mut wrong = run.open_call("price").parent(&said).await?;
    let mut right = run.open_call("price").parent(&said).await?;
    wrong.push(r#"{"name":1}"#).await;
    right.push(r#"{"name":"saffron"}"#).await;
    let error = wrong.end().unwrap_err();
    assert_eq!(
        error.to_string(),
        "arguments of tool `price` at `name`: invalid type: integer `1`, expected a string at line 1 column 9"
    );
    let ready = right.end_with(EventFields::new())?;
    assert!(matches!(&ready, StumblerReadyCall::price(call) if call.arguments().name == "saffron"));
    let done = run.dispatch(vec![ready]).await;
    let SettledCall { content, failed, .. } = &done.settled[0];
    assert_eq!((&**content, *failed), (r#"{"error":"the tool `price` failed"}"#, true));
    Ok(())
}

#[test]
fn unparsable_arguments_are_answered_with_the_place_and_the_reason() {
    let events = play(Stumbler::new(Barrier::new(1)));
    let events = inside(&events);
    let wrong: Vec<_> = events.iter().filter(|event| event["toolCallId"] == "test-call-2").collect();
    assert_eq!(wrong[0]["parentMessageId"], "test-message-1");
    assert_eq!(wrong[2]["type"], "TOOL_CALL_END");
    assert_eq!(wrong[3]["type"], "TOOL_CALL_RESULT");
    assert!(wrong[3]["content"].as_str().unwrap().contains("`name`"), "{}", wrong[3]);
}

#[agent(tools = [checkout])]
async fn mumbler(run: &mut Run<Mumbler>, input: Input<Mumbler>) -> Result<(), Stop> {
    let mut ask = run.open_call("checkout").await?;
    ask.push(r#"{"total":"much"}"#).await;
    assert!(ask.end().is_err());
    Ok(())
}

#[test]
fn unparsable_arguments_of_a_frontend_tool_are_not_ended_for_the_client_would_act_on_them() {
    let events = play(Mumbler::new());
    assert_eq!(types(&events), ["RUN_STARTED", "TOOL_CALL_START", "TOOL_CALL_ARGS", "RUN_ERROR"]);
}

#[agent]
async fn hermit(run: &mut Run<Hermit>, input: Input<Hermit>) -> Result<(), Stop> {
    assert_eq!(Hermit::NAMES, [] as [&str; 0]);
    let error = run.open_call("price").await.unwrap_err();
    assert_eq!(error.to_string(), "there is no tool `price`; the agent has none");
    let done = run.dispatch(Vec::<NoCall>::new()).await;
    assert!(done.settled.is_empty() && done.pending.is_empty());
    Ok(())
}

#[test]
fn an_agent_without_tools_knows_no_name() {
    assert_eq!(types(&play(Hermit::new())), ["RUN_STARTED", "RUN_FINISHED"]);
}

mod bakery {
    use super::*;

    /// Looks up what bread costs.
    #[tool(name = "bread_price")]
    pub fn price() -> u32 {
        3
    }
}

struct Market<T>(T);

/// Sells everything. Its methods are tools, two of its tools have one name in Rust, and its type has a parameter.
#[agent(tools = [bakery::price, shop::price])]
impl Market<Duration> {
    async fn run(&self, run: &mut Run<Self>, input: Input<Self>) -> Result<(), Stop> {
        let ready = listen(
            run,
            vec![Start { index: 0, name: "bread_price" }, Start { index: 1, name: "open-until" }],
        );
        let ready = ready.await?;
        type Ready<'r> = <Market<Duration> as ToolSet>::Ready<'r>;
        assert!(matches!(ready[0], Ready::bakery_price(_)));
        assert!(matches!(ready[1], Ready::until(_)));
        assert_eq!(Self::NAMES, ["bread_price", "price", "open-until"]);
        let done = run.dispatch(ready).await;
        assert_eq!(done.settled.iter().map(|call| &*call.content).collect::<Vec<_>>(), ["3", "18"]);
        Ok(())
    }

    /// Says how long it is open.
    #[tool(name = "open-until")]
    fn until(&self) -> u64 {
        self.0.as_secs()
    }
}

impl agui_runtime::tools::InjectValue<Barrier> for Market<Duration> {
    fn inject<'a>(_: &'a agui_runtime::tools::InjectScope<'_, Self>) -> &'a Barrier {
        unreachable!("nobody asks for its price")
    }
}

#[test]
fn a_call_by_name_chooses_the_tool_of_that_name() {
    let events = play(Market(Duration::from_secs(18)));
    let names: Vec<_> = inside(&events).iter().filter_map(|event| event["toolCallName"].as_str()).collect();
    assert_eq!(names, ["bread_price", "open-until"]);
}
