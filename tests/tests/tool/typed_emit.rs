//! `&TypedEmit<..>`: a tool that sends custom events and shows activities, for every agent that lists them.

use agui_runtime::prelude::*;
use agui_runtime::protocol::Event;
use agui_runtime::testing::{self, RunEnd};
use futures::executor::block_on;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something is in the pan.
#[derive(CustomEvent, Serialize, JsonSchema)]
#[event(name = "kitchen.sizzle")]
struct Sizzle {
    loud: bool,
}

/// Something boils.
#[derive(CustomEvent, Serialize, JsonSchema)]
#[event(name = "kitchen.boil")]
struct Boil {
    litres: u32,
}

/// The pan on the stove.
#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
#[activity(type = "PAN")]
struct Pan {
    degrees: u32,
}

/// The oven.
#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
#[activity(type = "OVEN")]
struct Oven {
    open: bool,
}

/// Fries.
#[tool]
async fn fry(emit: &TypedEmit<Sizzle, Pan>, degrees: u32) -> Result<u32, Stop> {
    let mut pan = emit.activity(Pan { degrees: 20 }).await?;
    emit.custom(Sizzle { loud: degrees > 200 }).await?;
    pan.update(|pan| pan.degrees = degrees).await?;
    emit.say("It sizzles.").await;
    Ok(degrees)
}

/// Cooks all. One tool may name different lists.
#[tool]
async fn cook(
    both: &TypedEmit<(Sizzle, Boil), (Pan, Oven)>,
    one: &TypedEmit<(Boil,)>,
    shown: &TypedEmit<(), Oven>,
) -> Result<(), Stop> {
    both.custom(Sizzle { loud: false }).await?;
    both.custom(Boil { litres: 1 }).await?;
    one.custom(Boil { litres: 2 }).await?;
    drop(both.activity(Pan { degrees: 1 }).await?);
    drop(both.activity(Oven { open: true }).await?);
    drop(shown.activity(Oven { open: false }).await?);
    Ok(())
}

/// Cooks with you.
#[agent(tools = [fry, cook], events = [Boil, Sizzle], activities = [Oven, Pan])]
async fn chef(run: &mut Run<Chef>, _: Input<Chef>) -> Result<(), Stop> {
    run.call(fry { degrees: 220 }).await?.run().await?;
    run.call(cook {}).await?.run().await?;
    Ok(())
}

/// Fries only.
#[agent(tools = [fry], events = [Sizzle], activities = [Pan])]
async fn fryer(run: &mut Run<Fryer>, _: Input<Fryer>) -> Result<(), Stop> {
    run.call(fry { degrees: 100 }).await?.run().await?;
    Ok(())
}

fn sent(events: &[Event]) -> Vec<String> {
    events
        .iter()
        .filter_map(|event| match event {
            Event::Custom(custom) => Some(format!("{} {}", custom.name, custom.value)),
            Event::ActivitySnapshot(shown) => {
                Some(format!("{} {}", shown.activity_type, serde_json::json!(shown.content)))
            }
            Event::ActivityDelta(changed) => Some(format!("{} changed", changed.activity_type)),
            _ => None,
        })
        .collect()
}

#[test]
fn a_tool_sends_what_its_handle_names() {
    let events = block_on(testing::run(Chef::new(), testing::input("Cook.")));
    assert!(matches!(testing::end(&events), RunEnd::Success { .. }), "{}", testing::lines(&events));
    assert_eq!(
        sent(&events),
        [
            r#"PAN {"degrees":20}"#,
            r#"kitchen.sizzle {"loud":true}"#,
            r#"PAN {"degrees":220}"#,
            r#"kitchen.sizzle {"loud":false}"#,
            r#"kitchen.boil {"litres":1}"#,
            r#"kitchen.boil {"litres":2}"#,
            r#"PAN {"degrees":1}"#,
            r#"OVEN {"open":true}"#,
            r#"OVEN {"open":false}"#,
        ]
    );
    assert_eq!(testing::texts(&events), ["It sizzles."]);
}

#[test]
fn one_tool_serves_several_agents() {
    let events = block_on(testing::run(Fryer::new(), testing::input("Fry.")));
    assert!(matches!(testing::end(&events), RunEnd::Success { .. }), "{}", testing::lines(&events));
    assert_eq!(sent(&events)[1], r#"kitchen.sizzle {"loud":false}"#);
}
