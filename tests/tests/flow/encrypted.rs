//! Encrypted values: each event names the message or the call that it belongs to.

use agui_runtime::tools::ToolOf;
use agui_runtime::{Stop, tool};
use serde_json::json;

use crate::agent::{Script, inside, stream};

/// Looks up what something costs.
#[tool]
async fn price(name: String) -> u32 {
    u32::try_from(name.len()).unwrap()
}

/// Asks the person.
#[tool(frontend)]
async fn sure() -> bool;

impl ToolOf<Script> for price {}
impl ToolOf<Script> for sure {}

#[test]
fn the_value_names_what_its_receipt_is_of() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let text = run.say("Rice.").await;
            run.encrypted(&text, "1").await;
            let thought = run.think("Rice?").await;
            run.encrypted(&thought, "2").await;
            let call = run.call(price { name: "rice".to_owned() }).await?;
            let receipt = call.receipt();
            assert_eq!(receipt.id(), call.id());
            run.encrypted(&call, "3").await;
            call.run().await;
            run.encrypted(&receipt, "4").await;
            let ask = run.call(sure {}).await?;
            run.encrypted(&ask, "5").await;
            run.encrypted(&ask.receipt(), "6").await;
            Err(Stop::await_frontend(ask))
        })
    });
    let values: Vec<_> =
        inside(&events).iter().filter(|event| event["type"] == "REASONING_ENCRYPTED_VALUE").collect();
    let value = |subtype: &str, id: &str, value: &str| {
        json!({
            "type": "REASONING_ENCRYPTED_VALUE", "subtype": subtype, "entityId": id, "encryptedValue": value,
        })
    };
    assert_eq!(
        json!(values),
        json!([
            value("message", "test-message-1", "1"),
            value("message", "test-message-3", "2"),
            value("tool-call", "test-call-4", "3"),
            value("tool-call", "test-call-4", "4"),
            value("tool-call", "test-call-6", "5"),
            value("tool-call", "test-call-6", "6"),
        ])
    );
}

#[test]
fn an_open_item_can_have_one_too() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let text = run.message().await;
            run.encrypted(&text, "1").await;
            text.end();
            let think = run.reasoning().await;
            let thought = think.message().await;
            run.encrypted(&thought, "2").await;
            thought.end();
            let mut call = run.tool::<price>().await;
            run.encrypted(&call, "3").await;
            call.push(r#"{"name":"rice"}"#).await;
            call.end()?.run().await;
            Ok(())
        })
    });
    let entities: Vec<_> = inside(&events)
        .iter()
        .filter(|event| event["type"] == "REASONING_ENCRYPTED_VALUE")
        .map(|event| event["entityId"].as_str().unwrap())
        .collect();
    assert_eq!(entities, ["test-message-1", "test-message-3", "test-call-4"]);
}
