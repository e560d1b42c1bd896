//! The parts of an agent that its clients know by type: the result, the activities and the forwarded props.

use agui_runtime::manifest::Manifest;
use agui_runtime::prelude::*;
use agui_runtime::protocol::NonNull;
use agui_runtime::testing;
use futures::executor::block_on;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The page that the user looks at.
#[derive(Deserialize, JsonSchema)]
struct Page {
    theme: Theme,
}

#[derive(Deserialize, JsonSchema)]
struct Theme {
    /// From 0 to 255.
    light: u8,
}

/// The progress of a picture.
#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
#[activity(type = "PROGRESS")]
struct Progress {
    percent: u8,
}

#[derive(Serialize, JsonSchema)]
struct Picture {
    strokes: u32,
}

/// Paints for a page.
#[agent(activities = [Progress], forwarded = Page)]
async fn painter(run: &mut Run<Painter>, input: Input<Painter>) -> Result<Picture, Stop> {
    let mut progress = run.activity(Progress { percent: 0 }).await?;
    progress.update(|progress| progress.percent = 100).await?;
    let light = input.forwarded::<Page>()?.map_or(0, |page| page.theme.light);
    Ok(Picture { strokes: light.into() })
}

/// The last event of a run of a client that forwards this.
fn end(forwarded: Option<Value>) -> Value {
    let mut input = testing::input("Hi");
    input.forwarded_props = forwarded.and_then(NonNull::new);
    let events = block_on(testing::run(Painter::new(), input));
    crate::agent::json(events.last().unwrap())
}

#[test]
fn forwarded_props_that_fit_are_read() {
    let strokes = |forwarded| end(forwarded)["result"]["strokes"].clone();
    assert_eq!(strokes(Some(json!({ "theme": { "light": 7 }, "more": true }))), 7);
    assert_eq!(strokes(None), 0, "none");
    assert_eq!(strokes(Some(json!({}))), 0, "clients send an empty object for none");
}

#[test]
fn forwarded_props_that_do_not_fit_end_the_run_with_their_path() {
    for (forwarded, path, message) in [
        (json!({ "theme": { "light": 256 } }), "theme.light", "expected u8"),
        (json!({ "theme": { "light": "much" } }), "theme.light", "expected u8"),
        (json!({ "theme": {} }), "theme", "missing field `light`"),
        (json!({ "them": {} }), ".", "missing field `theme`"),
        (json!([]), ".", "Page"),
    ] {
        let failed = end(Some(forwarded.clone()));
        assert_eq!(
            (&failed["type"], &failed["code"]),
            (&json!("RUN_ERROR"), &json!("forwarded_props_invalid"))
        );
        let said = failed["message"].as_str().unwrap();
        let place = format!("the forwarded props do not fit at `{path}`: ");
        assert!(said.starts_with(&place) && said.contains(message), "{forwarded}: {said}");
    }
}

#[test]
fn the_manifest_describes_them() {
    let manifest = Manifest::build("painter", "0.1.0", &[Painter::source(), Silent::source()]).unwrap();
    let agent = |name: &str| {
        let found = manifest.agents.iter().find(|agent| agent.name == name).unwrap();
        serde_json::to_value(found).unwrap()
    };
    let described = agent("painter");
    let [shown] = described["activities"].as_array().unwrap().as_slice() else { panic!("{described:#}") };
    assert_eq!(
        (&shown["type"], &shown["description"]),
        (&json!("PROGRESS"), &json!("The progress of a picture."))
    );
    let schema = |direction: &str, reference: &Value| {
        let key = reference["$ref"].as_str().unwrap().rsplit('/').next().unwrap().replace("~1", "/");
        let types = serde_json::to_value(&manifest.types).unwrap();
        types[direction].as_object().unwrap().iter().find(|(name, _)| **name == key).unwrap().1.clone()
    };
    assert_eq!(schema("out", &shown["content"])["properties"]["percent"]["maximum"], 255);
    assert_eq!(schema("out", &described["output"])["properties"]["strokes"]["type"], "integer");
    assert_eq!(schema("in", &described["forwarded"])["required"], json!(["theme"]));
    let members = agent("silent");
    for absent in ["activities", "output", "forwarded"] {
        assert!(members.get(absent).is_none(), "an agent without it has the manifest of before: {members:#}");
    }
}

/// Declares nothing.
#[agent]
async fn silent(_run: &mut Run<Silent>, _: Input<Silent>) -> Result<(), Stop> {
    Ok(())
}
