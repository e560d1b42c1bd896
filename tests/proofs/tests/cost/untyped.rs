//! The memory of the parts of an input that an agent reads without a type: `serde_json::Value`, and the parts that serde keeps until it
//! knows their types. Each takes at most eight times the body, or is refused.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "tests")]

use std::collections::HashMap;

use agui_runtime::http::InputLimits;
use agui_runtime::prelude::*;
use agui_runtime::protocol::{
    Content, ContentPart, JsonPatch, Message, Metadata, NonNull, PatchOperation, RunAgentInput,
    StateDeltaEvent,
};
use agui_runtime::{Agent, Limits, Policy, Server};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::body::{FILLERS, PLACES, body, exchange, server};

/// A server whose only limits are those of values without a type.
fn lenient(agent: impl Agent, len: usize) -> Server {
    let no = usize::MAX;
    let limits = InputLimits::default().nodes(no).members(no).messages(no).tools(no).inline(no);
    server(agent).input_limits(limits).limits(Limits::default().body_size(2 * len)).unsigned_interrupts(true)
}

/// Adopts any state that the client holds.
#[agent(state = Value)]
async fn open(run: &mut Run<Open>, input: Input<Open>) -> Result<(), Stop> {
    let state = run.state().adopt_or_snapshot(&input).await?;
    state.update(|state| state["changed"] = true.into()).await?;
    Ok(())
}

/// The bytes that a request may take beyond that: values of small requests are always read.
const ALWAYS: usize = 24 << 20;

/// Values without a type take up to a hundred times their text. A state that is read as such is refused where it would take too much.
#[test]
fn a_state_that_is_read_without_a_type_takes_eight_times_its_length_or_is_refused() {
    let (before, after) = (r#"{"threadId":"t","runId":"r","messages":[],"state":{"s":["#, "]}}");
    let text = format!("\"{}\"", "x".repeat(1_000));
    let row = r#"{"name":"a","amount":1}"#;
    let (mut refused, mut wrong) = (Vec::new(), Vec::<String>::new());
    for len in [128 << 10, 4 << 20] {
        for filler in FILLERS.into_iter().chain(["0", r#""""#, row, &text]) {
            let body = body(("state", before, after), filler, len);
            let len = body.len();
            let (status, peak, last) = exchange(lenient(Open::new(), len), body);
            let ratio = peak as f64 / len as f64;
            if std::env::var_os("AGUI_BODY_MB").is_some() {
                println!("| `{filler:.30}` | {len} | {ratio:.1} | {peak} | {} |", last.contains("RUN_ERROR"));
            }
            assert_eq!(status, StatusCode::OK);
            if peak > 8 * len + ALWAYS {
                wrong.push(format!("{filler:.30}: {ratio:.1} times {len} bytes: {last:.300}"));
            }
            if last.contains("RUN_ERROR") {
                assert!(last.contains("state_too_large"), "{last}");
                refused.push((len >> 20, filler));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let is_refused = |megabytes, filler: &str| refused.contains(&(megabytes, filler));
    assert!(is_refused(4, "[0]") && is_refused(4, row) && !is_refused(4, &text), "{refused:?}");
    assert!(
        !is_refused(0, row) && !is_refused(0, "[]") && !is_refused(0, &text),
        "short ones are read: {refused:?}"
    );
}

/// A type with a part that is any JSON, which contains itself, alone and by way of another type.
#[derive(State, Clone, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Notebook {
    title: String,
    chapters: Vec<Notebook>,
    page: Option<Box<Page>>,
}

#[derive(State, Clone, Debug, Serialize, Deserialize, JsonSchema)]
enum Page {
    Empty,
    Nested(Box<Notebook>),
    Written { doc: Value },
}

/// Adopts a state with a part that is any JSON.
#[agent(state = Notebook)]
async fn author(run: &mut Run<Author>, input: Input<Author>) -> Result<(), Stop> {
    let notebook = run.state().adopt_or_snapshot(&input).await?;
    notebook.update(|notebook| notebook.title.push('!')).await?;
    Ok(())
}

#[test]
fn a_derived_state_with_a_part_that_has_no_type_is_refused_if_it_takes_too_much() {
    let (before, after) =
        (r#"{"threadId":"t","runId":"r","messages":[],"state":{"page":{"Written":{"doc":["#, "]}}}}");
    for (len, refused) in [(32 << 10, false), (4 << 20, true)] {
        let body = body(("state", before, after), "[0]", len);
        let len = body.len();
        let (status, peak, last) = exchange(lenient(Author::new(), len), body);
        assert_eq!(status, StatusCode::OK);
        assert!(peak <= 8 * len + ALWAYS, "{:.1} times {len} bytes: {last:.300}", peak as f64 / len as f64);
        assert_eq!(last.contains("state_too_large"), refused, "{last:.300}");
    }
}

/// Forwards a delta.
#[agent]
async fn relay(run: &mut Run<Relay>, input: Input<Relay>) -> Result<(), Stop> {
    drop(input);
    let add = PatchOperation::add("/added".parse().map_err(|_| Stop::error("no path"))?, 1);
    let delta = StateDeltaEvent::new(JsonPatch::from([add]));
    let fed = run.dynamic(Policy::Strict).feed(delta).await;
    run.say(if fed.is_ok() { "sent" } else { "left out" }).await;
    Ok(())
}

/// For a legacy client, forwarded deltas are applied to its state here. No delta applies to a state that would take too
/// much memory.
#[test]
fn a_state_for_forwarded_deltas_takes_eight_times_its_length_or_is_not_read() {
    let (before, after) = (r#"{"threadId":"t","runId":"r","messages":[],"state":{"s":["#, "]}}");
    for (len, said) in [(32 << 10, "sent"), (4 << 20, "left out")] {
        let body = body(("state", before, after), "[0]", len);
        let len = body.len();
        let (status, peak, last) = exchange(lenient(Relay::new(), len), body);
        assert_eq!(status, StatusCode::OK);
        assert!(peak <= 8 * len + ALWAYS, "{:.1} times {len} bytes", peak as f64 / len as f64);
        assert!(last.contains(&format!("\"delta\":\"{said}\"")), "{last:.300}");
    }
}

/// A text that serde reads alone: its type says that it may be anything.
#[derive(State, Clone, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Whole {
    title: String,
    #[state(opaque)]
    doc: Value,
}

/// Members that serde keeps to find out which of them are of `page`.
#[derive(State, Clone, Default, Debug, Serialize, Deserialize, JsonSchema)]
struct Flat {
    #[serde(flatten)]
    page: Front,
}

#[derive(State, Clone, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Front {
    title: String,
}

/// Members that serde keeps to find `kind` among them.
#[derive(State, Clone, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Block {
    #[default]
    Empty,
    Text {
        text: String,
    },
}

/// A value that serde keeps to try one variant after another.
#[derive(State, Clone, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Either {
    Text {
        text: String,
    },
    #[default]
    None,
}

/// Declares an agent that adopts the state of the client.
macro_rules! adopts {
    ($($agent:ident $Agent:ident: $State:ty;)*) => {$(
        /// Adopts the state of the client.
        #[agent(state = $State)]
        async fn $agent(run: &mut Run<$Agent>, input: Input<$Agent>) -> Result<(), Stop> {
            run.state().adopt_or_snapshot(&input).await?;
            Ok(())
        }
    )*};
}

adopts! {
    whole_keeper WholeKeeper: Whole;
    flat_keeper FlatKeeper: Flat;
    block_keeper BlockKeeper: Block;
    either_keeper EitherKeeper: Either;
    list_keeper ListKeeper: Vec<Block>;
    map_keeper MapKeeper: HashMap<String, Block>;
}

/// The code of the error that a run ended in, if any, after it took at most eight times the body.
fn ends(server: Server, body: Vec<u8>) -> Option<String> {
    let len = body.len();
    let (status, peak, last) = exchange(server, body);
    assert_eq!(status, StatusCode::OK, "{last}");
    assert!(peak <= 8 * len + ALWAYS, "{:.1} times {len} bytes: {last:.300}", peak as f64 / len as f64);
    let frame = last.trim().rsplit("data: ").next().unwrap();
    let frame: Value = serde_json::from_str(frame).unwrap();
    frame.get("code").and_then(Value::as_str).map(str::to_owned)
}

#[test]
fn the_parts_that_serde_reads_alone_or_must_keep_take_eight_times_the_body_or_are_refused() {
    let around = |before: &'static str, after: &'static str| ("", before, after);
    let whole = around(r#"{"threadId":"t","runId":"r","messages":[],"state":{"title":"","doc":["#, "]}}");
    let unknown = around(r#"{"threadId":"t","runId":"r","messages":[],"state":{"title":"","u":["#, "]}}");
    let tagged = around(
        r#"{"threadId":"t","runId":"r","messages":[],"state":{"kind":"Text","u":["#,
        r#"],"text":""}}"#,
    );
    let deeper =
        around(r#"{"threadId":"t","runId":"r","messages":[],"state":{"title":"","v":0,"u":{"w":["#, "]}}}");
    for filler in ["[0]", r#"{"a":0}"#, "[]"] {
        for (len, refused) in [(16 << 10, None), (512 << 10, Some("state_too_large"))] {
            for place in [unknown, deeper] {
                let body = body(place, filler, len);
                assert_eq!(ends(lenient(FlatKeeper::new(), len), body).as_deref(), refused, "flat {filler}");
            }
            let text = body(whole, filler, len);
            assert_eq!(ends(lenient(WholeKeeper::new(), len), text).as_deref(), refused, "whole {filler}");
            let text = body(tagged, filler, len);
            assert_eq!(ends(lenient(BlockKeeper::new(), len), text).as_deref(), refused, "block {filler}");
            let text = body(tagged, filler, len);
            assert_eq!(ends(lenient(EitherKeeper::new(), len), text).as_deref(), refused, "either {filler}");
        }
    }
}

/// Many values with a tag inside take only their own memory, one after the other.
#[test]
fn many_small_values_that_serde_must_keep_are_read() {
    let element = r#"{"kind":"Text","u":{"x":[0]},"text":"one"}"#;
    let list = ("", r#"{"threadId":"t","runId":"r","messages":[],"state":["#, "]}");
    let len = 1 << 20;
    assert_eq!(ends(lenient(ListKeeper::new(), len), body(list, element, len)), None);
    let members: Vec<_> = (0..20_000).map(|number| format!("\"{number}\":{element}")).collect();
    let body = format!(r#"{{"threadId":"t","runId":"r","messages":[],"state":{{{}}}}}"#, members.join(","));
    assert_eq!(ends(lenient(MapKeeper::new(), body.len()), body.into_bytes()), None);
}

/// Chooses anything.
#[tool(frontend)]
async fn choose() -> Value;

/// Reads all answers.
#[agent(tools = [choose])]
async fn chooser(run: &mut Run<Chooser>, input: Input<Chooser>) -> Result<(), Stop> {
    let answers = input.frontend_results::<choose>()?;
    run.say(format!("{} answers", answers.len())).await;
    Ok(())
}

#[test]
fn answers_without_a_type_take_eight_times_the_body_or_are_refused() {
    let call = |number: usize| {
        format!(r#"{{"id":"c{number}","type":"function","function":{{"name":"choose","arguments":""}}}}"#)
    };
    for (elements, refused) in [(2_000, None), (300_000, Some("tool_answer"))] {
        // Each answer alone is small enough.
        let content = format!("[{}]", vec!["[0]"; elements / 20].join(","));
        let calls: Vec<_> = (0..20).map(call).collect();
        let answers: Vec<_> = (0..20)
            .map(|number| {
                format!(
                    r#"{{"id":"a{number}","role":"tool","toolCallId":"c{number}","content":"{content}"}}"#
                )
            })
            .collect();
        let body = format!(
            r#"{{"threadId":"t","runId":"r","messages":[{{"id":"a","role":"assistant","toolCalls":[{}]}},{}]}}"#,
            calls.join(","),
            answers.join(",")
        );
        let code = ends(lenient(Chooser::new(), body.len()), body.into_bytes());
        assert_eq!(code.is_some(), refused.is_some(), "{code:?}");
    }
}

/// Reads every value of its input that has no type.
#[agent]
async fn curious(run: &mut Run<Curious>, input: Input<Curious>) -> Result<(), Stop> {
    let read = everything(&input);
    run.say(format!("{read} values")).await;
    drop(input);
    Ok(())
}

/// The number of values without a type; each stays in memory.
fn everything(input: &RunAgentInput) -> usize {
    let value = |value: Option<&NonNull>| usize::from(value.is_some_and(|value| !value.is_null()));
    let object =
        |metadata: Option<&Metadata>| usize::from(metadata.is_some_and(|entries| entries.len() < usize::MAX));
    let part = |part: &ContentPart| match part {
        ContentPart::Text(part) => value(part.metadata.as_ref()),
        ContentPart::Image(part) => value(part.metadata.as_ref()),
        _ => 0,
    };
    let message = |message: &Message| {
        let own = match message {
            Message::Assistant(assistant) => {
                assistant.tool_calls.iter().flatten().map(|call| object(call.metadata.as_ref())).sum()
            }
            Message::Activity(activity) => usize::from(activity.content.len() < usize::MAX),
            Message::User(user) => match &user.content {
                Content::Parts(parts) => parts.iter().map(part).sum(),
                Content::Text(_) => 0,
            },
            _ => 0,
        };
        own + object(message.metadata())
    };
    let tool = |tool: &agui_runtime::protocol::Tool| {
        value(tool.parameters.as_ref()) + object(tool.metadata.as_ref())
    };
    value(input.forwarded_props.as_ref())
        + input.messages.iter().map(message).sum::<usize>()
        + input.tools().iter().map(tool).sum::<usize>()
        + input.resume().iter().map(|entry| value(entry.payload.as_ref())).sum::<usize>()
}

#[test]
fn an_agent_that_reads_everything_takes_eight_times_the_body_or_its_input_is_refused() {
    // The limit for bodies of any length, and half of it again while the longest list doubles.
    const ALWAYS: usize = 25 << 20;
    let (mut read, mut refused, mut wrong) = (0, 0, Vec::<String>::new());
    let text = format!("\"{}\"", "x".repeat(1_000));
    let fillers = FILLERS.into_iter().chain([r#"{"name":"a","amount":1}"#, &text]);
    for filler in fillers {
        let is_everywhere = ["[0]", r#"{"a":0}"#].contains(&filler);
        let places = PLACES.into_iter().filter(|place| place.0 != "state");
        for place in places.filter(|place| is_everywhere || place.0 == "forwardedProps") {
            for len in [128 << 10, 512 << 10] {
                let body = body(place, filler, len);
                let len = body.len();
                let (status, peak, last) = exchange(lenient(Curious::new(), len), body);
                let ratio = peak as f64 / len as f64;
                if std::env::var_os("AGUI_BODY_MB").is_some() {
                    println!("| {} | `{filler:.30}` | {len} | {} | {ratio:.1} |", place.0, status.as_u16());
                }
                if peak > 8 * len + ALWAYS {
                    wrong.push(format!("{} {filler:.30}: {ratio:.1} times {len} bytes, {status}", place.0));
                }
                match status {
                    StatusCode::OK => read += 1,
                    StatusCode::PAYLOAD_TOO_LARGE => {
                        assert!(last.contains("untyped_too_large"), "{last}");
                        refused += 1;
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(read > 20 && refused > 15, "{read} read, {refused} refused");
}

/// Writes its whole input as JSON.
#[agent]
async fn echo(run: &mut Run<Echo>, input: Input<Echo>) -> Result<(), Stop> {
    serde_json::to_writer(std::io::sink(), &*input).map_err(|_| Stop::error("unwritable"))?;
    run.say("written").await;
    drop(input);
    Ok(())
}

#[test]
fn an_input_that_is_written_again_is_not_parsed() {
    for place in [PLACES[0], PLACES[1], PLACES[11]] {
        let body = body(place, "[0]", 128 << 10);
        let len = body.len();
        let (status, peak, last) = exchange(lenient(Echo::new(), len), body);
        assert_eq!(status, StatusCode::OK, "{last}");
        assert!(peak <= 3 * len + 64_000, "{}: {:.1} times", place.0, peak as f64 / len as f64);
    }
}
