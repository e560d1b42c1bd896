//! The official clients of both generations, and their requests.

use agui_runtime::Server;
use agui_tests::need;
use agui_tests::outside::{Conversation, Generation, Node, Turn};
use serde_json::json;

use crate::kitchen::{Cook, Served};

#[tokio::test(flavor = "multi_thread")]
async fn both_generations_finish_without_a_warning() {
    let node = need!(Node::ready());
    let server = Server::new().agent("/", Cook::new().0);
    let served = Served::start(server).await;
    let conversations = Generation::ALL.map(|generation| {
        Conversation::new(format!("http://{}", served.address), generation)
            .then(
                Turn::say("hello")
                    .with("state", json!({ "count": 1 }))
                    .with("forwardedProps", json!({ "theme": "dark" }))
                    .with("context", json!([{ "description": "where", "value": "kitchen" }]))
                    .with(
                        "tools",
                        json!([{ "name": "ask", "description": "asks", "parameters": { "type": "object" } }]),
                    ),
            )
            .then(Turn::say("many"))
            .then(Turn::say("cancel"))
            .then(Turn::say("who"))
    });
    let reports = tokio::task::block_in_place(|| node.converse_all(&conversations));
    assert_eq!(reports.len(), Generation::ALL.len());
    for (report, generation) in reports.iter().zip(Generation::ALL) {
        // The older one does not know cancelled runs: it only learns of the end.
        report.assert_clean();
        assert_eq!(report.turns[0].said(), "Hello naïve 🦀\u{2028}\n", "{generation:?}");
        assert_eq!(report.turns[3].result, "cook", "{generation:?}");
    }
}

/// The legacy client sends messages, state and tools of applications unchanged.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_a_legacy_client_sends_is_refused() {
    let node = need!(Node::ready());
    let served = Served::cook().await;
    let picture = json!({ "type": "binary", "mimeType": "image/png", "data": "aGk=", "filename": "a.png" });
    let conversation = Conversation::new(format!("http://{}", served.address), Generation::Legacy).then(
        Turn::default()
            .message(json!({ "role": "system", "content": "be brief" }))
            .message(json!({ "role": "user", "content": [{ "type": "text", "text": "see" }, picture] }))
            .message(json!({ "role": "activity", "activityType": "PLAN", "content": {} }))
            .message(json!({ "role": "reasoning", "content": "hm" }))
            .message(json!({ "role": "assistant", "toolCalls": [
                    { "id": "c", "type": "function", "function": { "name": "ask", "arguments": "" } },
                ] }))
            .message(json!({ "role": "tool", "toolCallId": "c", "content": "yes" }))
            .message(json!({ "role": "user", "content": "input" }))
            .with("state", json!(null))
            .with("forwardedProps", json!(null))
            .with("tools", json!([{ "name": "ask", "description": "asks", "parameters": null }])),
    );
    let report = tokio::task::block_in_place(|| node.converse(&conversation));
    let [turn] = report.turns.as_slice() else { panic!("{report:#?}") };
    assert_eq!(turn.status, Some(200), "{turn:#?}");
    assert_eq!(turn.error, None, "{turn:#?}");
    let understood = &turn.result["messages"];
    assert_eq!(understood[1]["content"][1]["type"], "image", "{turn:#?}");
}
