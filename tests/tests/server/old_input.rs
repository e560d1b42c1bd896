//! Input of older and newer clients that is not AG-UI 1.0, and runs all the same.

use agui_tests::http::Request;
use serde_json::{Value, json};

use crate::kitchen::{Served, asking_as_before};

/// The input as the agent gets it.
async fn understood(served: &Served, mut input: Value) -> Value {
    let messages = input["messages"].as_array_mut().unwrap();
    messages.push(json!({ "id": "last", "role": "user", "content": "input" }));
    let answer = Request::run("/", input.to_string()).send(served.address).await;
    assert_eq!(answer.status, 200, "{input} {}", answer.text());
    let mut understood = answer.events().last().unwrap()["result"].clone();
    understood["messages"].as_array_mut().unwrap().pop();
    understood
}

fn bare() -> Value {
    let mut input = asking_as_before("x");
    input["messages"] = json!([]);
    input
}

#[tokio::test]
async fn absent_and_unknown_members_are_accepted() {
    let served = Served::cook().await;
    let mut input = bare();
    assert_eq!(understood(&served, input.clone()).await, bare());
    input["colour"] = json!("red");
    input["messages"] = json!([{ "id": "s", "role": "system", "content": "", "colour": null }]);
    let mut expected = bare();
    expected["messages"] = json!([{ "id": "s", "role": "system", "content": "" }]);
    assert_eq!(understood(&served, input).await, expected);
}

#[tokio::test]
async fn retired_nulls_are_absent() {
    let served = Served::cook().await;
    let mut input = bare();
    input["state"] = json!(null);
    input["forwardedProps"] = json!(null);
    input["tools"] = json!([{ "name": "a", "description": "b", "parameters": null }]);
    input["resume"] = json!([{ "interruptId": "i", "status": "cancelled", "payload": null }]);
    let image = json!({ "type": "image", "source": { "type": "url", "value": "https://x.example" }, "metadata": null });
    input["messages"] = json!([{ "id": "u", "role": "user", "content": [image] }]);

    let mut expected = bare();
    expected["tools"] = json!([{ "name": "a", "description": "b" }]);
    expected["resume"] = json!([{ "interruptId": "i", "status": "cancelled" }]);
    let image = json!({ "type": "image", "source": { "type": "url", "value": "https://x.example" } });
    expected["messages"] = json!([{ "id": "u", "role": "user", "content": [image] }]);
    assert_eq!(understood(&served, input).await, expected);
}

/// Legacy clients keep such parts in threads, and send them after an update too: the declared version decides nothing.
#[tokio::test]
async fn binary_parts_become_the_media_they_are() {
    let served = Served::cook().await;
    let source =
        |kind: &str, value: &str, mime: &str| json!({ "type": kind, "value": value, "mimeType": mime });
    let rows = [
        (
            json!({ "type": "binary", "mimeType": "image/png", "url": "https://x.example/a", "filename": "a.png" }),
            json!({ "type": "image", "source": source("url", "https://x.example/a", "image/png"),
                "metadata": { "filename": "a.png" } }),
        ),
        (
            json!({ "type": "binary", "mimeType": "audio/ogg", "data": "QQ==", "url": "https://x.example/b" }),
            json!({ "type": "audio", "source": source("data", "QQ==", "audio/ogg") }),
        ),
        (
            json!({ "type": "binary", "mimeType": "video/mp4", "data": "", "url": "https://x.example/c" }),
            json!({ "type": "video", "source": source("url", "https://x.example/c", "video/mp4") }),
        ),
        (
            json!({ "type": "binary", "mimeType": "application/pdf", "data": "QQ==", "id": "f" }),
            json!({ "type": "document", "source": source("data", "QQ==", "application/pdf") }),
        ),
    ];
    for version in [None, Some("1.0"), Some("1.1"), Some("1.7")] {
        for (part, expected) in &rows {
            let mut input = bare();
            if let Some(version) = version {
                input["protocolVersion"] = json!(version);
            }
            input["messages"] = json!([{ "id": "u", "role": "user", "content": [part] }]);
            let found = understood(&served, input).await;
            assert_eq!(found["messages"][0]["content"], json!([expected]), "{version:?}");
        }
    }
}

#[tokio::test]
async fn a_binary_part_that_repeats_a_modern_one_goes() {
    let served = Served::cook().await;
    let image = json!({ "type": "image",
        "source": { "type": "url", "value": "https://x.example/a", "mimeType": "image/png" } });
    let again = json!({ "type": "binary", "mimeType": "image/png", "url": "https://x.example/a" });
    let mut other = again.clone();
    other["filename"] = json!("a.png");
    let mut input = bare();
    input["messages"] = json!([{ "id": "u", "role": "user", "content": [image, again, other] }]);
    let found = understood(&served, input).await;
    let mut named = image.clone();
    named["metadata"] = json!({ "filename": "a.png" });
    assert_eq!(found["messages"][0]["content"], json!([image, named]));
}

#[tokio::test]
async fn unknown_members_of_unions_are_left_out() {
    let served = Served::cook().await;
    let text = json!({ "type": "text", "text": "x" });
    let mut input = bare();
    input["messages"] = json!([
        { "id": "n", "role": "narrator", "content": 5 },
        { "id": "n" },
        { "id": "n", "role": 5 },
        { "id": "u", "role": "user", "content": [
            { "type": "hologram" },
            text,
            { "text": "no type" },
            { "type": "image", "source": { "type": "blob", "value": "x" } },
            { "type": "image", "source": {} },
            { "type": "binary", "mimeType": "image/png", "id": "only" },
            { "type": "binary", "data": "QQ==" },
        ] },
        { "id": "t", "role": "tool", "toolCallId": "c", "content": [{ "type": "hologram" }] },
    ]);
    let found = understood(&served, input).await;
    assert_eq!(
        found["messages"],
        json!([
            { "id": "u", "role": "user", "content": [text] },
            { "id": "t", "role": "tool", "content": [], "toolCallId": "c" },
        ])
    );
}

#[tokio::test]
async fn half_a_character_is_no_reason_to_refuse_an_input() {
    let served = Served::cook().await;
    let body = bare().to_string().replace(
        "[]",
        r#"[{"id":"u","role":"user","content":"cut \ud83e"},
        {"id":"last","role":"user","content":"input"}]"#,
    );
    let answer = Request::run("/", body).send(served.address).await;
    assert_eq!(answer.events().last().unwrap()["result"]["messages"][0]["content"], "cut \u{fffd}");
}
