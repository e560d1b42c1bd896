//! Results of tools that are more than text.

use agui_runtime::prelude::*;
use agui_runtime::protocol::{DataSource, ImagePart, RunAgentInput, TextPart};
use agui_runtime::tools::ContentParts;
use futures::executor::block_on;
use serde_json::{Value, json};

use crate::agent::{input, judge};

fn picture_of(what: &str) -> ContentParts {
    let picture = ImagePart::new(DataSource::new("aGk=", "image/png"));
    ContentParts::from(vec![TextPart::new(what).into(), picture.into()])
}

/// Draws something.
#[tool]
async fn draw(what: String) -> ContentParts {
    picture_of(&what)
}

/// Photographs something, if it holds still.
#[tool]
async fn photograph(what: String) -> Result<ContentParts, std::fmt::Error> {
    if what == "a cat" { Err(std::fmt::Error) } else { Ok(picture_of(&what)) }
}

/// Makes pictures.
#[agent(tools = [draw, photograph])]
async fn artist(run: &mut Run<Artist>, _: Input<Artist>) -> Result<(), Stop> {
    let what = |what: &str| what.to_owned();
    let drawn = run.call(draw { what: what("a dot") }).await?.run().await;
    assert_eq!((drawn.len(), drawn.clone().into_vec().len()), (2, 2));
    assert!(run.call(photograph { what: what("a cat") }).await?.run().await.is_err());
    run.call(photograph { what: what("a stone") }).await?.result(Ok(picture_of("a pebble"))).await?;

    let mut calls = Vec::new();
    for (tool, what) in [("draw", "a line"), ("photograph", "a cat")] {
        let mut call = run.open_call(tool).await?;
        call.push(json!({ "what": what }).to_string()).await;
        calls.push(call.end()?);
    }
    let done = run.dispatch(calls).await;
    let told: Vec<_> =
        done.settled.iter().map(|call| (&*call.content, call.parts.len(), call.failed)).collect();
    assert_eq!(told, [("a line", 2, false), (r#"{"error":"the tool `photograph` failed"}"#, 0, true)]);
    Ok(())
}

fn contents(input: RunAgentInput) -> Vec<Value> {
    let events = block_on(agui_runtime::testing::run(Artist::new(), input));
    let events: Vec<Value> = events.iter().map(crate::agent::json).collect();
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED", "{events:#?}");
    judge(&events);
    let results = events.iter().filter(|event| event["type"] == "TOOL_CALL_RESULT");
    results.map(|event| event["content"].clone()).collect()
}

#[test]
fn parts_are_sent_as_parts() {
    let parts = |text: &str| {
        json!([
            { "type": "text", "text": text },
            { "type": "image", "source": { "type": "data", "value": "aGk=", "mimeType": "image/png" } },
        ])
    };
    let failure = json!(r#"{"error":"the tool `photograph` failed"}"#);
    let mut told = contents(input());
    assert_eq!(told.pop(), Some(failure.clone()));
    assert_eq!(told, [parts("a dot"), failure, parts("a pebble"), parts("a line")]);
}

#[test]
fn a_legacy_client_gets_their_text() {
    let told = contents(RunAgentInput::new("thread", "run", vec![]));
    assert_eq!((&told[0], &told[2], &told[3]), (&json!("a dot"), &json!("a pebble"), &json!("a line")));
}

#[test]
fn such_a_tool_promises_no_json() {
    let tools = Artist::source().tools;
    assert!(tools.iter().all(|tool| tool.result.is_none()), "{tools:?}");
}
