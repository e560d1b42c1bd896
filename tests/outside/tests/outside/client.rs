//! The official clients of both generations.

use agui_tests::{
    need,
    outside::{Conversation, ConversationReport, Generation, Node, Turn},
};
use serde_json::json;

use crate::{
    fixed_server::{Answer, serve},
    streams,
};

fn ask(node: &Node, generation: Generation, answer: Answer) -> ConversationReport {
    node.converse(&Conversation::new(serve(answer), generation).then(Turn::say("hello")))
}

#[test]
fn a_right_stream_is_read_without_a_warning() {
    let node = need!(Node::ready());
    let url = serve(streams::right);
    for generation in Generation::ALL {
        let conversation = Conversation::new(&url, generation)
            .thread("kitchen")
            .then(
                Turn::say("hello")
                    .with("state", json!({ "count": 0 }))
                    .with("tools", json!([{ "name": "ask_user", "description": "asks", "parameters": {} }])),
            )
            .then(Turn::answer("ask_user", json!("yes")));
        let report = node.converse(&conversation);
        report.assert_clean();

        let [first, second] = report.turns.as_slice() else { panic!("two turns: {report:#?}") };
        assert_eq!(first.request["threadId"], "kitchen");
        assert_eq!(first.request["state"], json!({ "count": 0 }));
        assert_eq!(first.request["messages"][0]["content"], "hello");
        assert_eq!(first.request["tools"][0]["name"], "ask_user");
        assert_eq!(first.status, Some(200));
        assert_eq!(first.content_type.as_deref(), Some("text/event-stream"));
        assert_eq!(first.said(), "Hello naïve 日本語 🦀 \u{2028}\nworld");
        assert_eq!(first.state, json!({ "count": 2, "gone": null }));
        assert_eq!(first.result, json!({ "ok": true }));
        assert_eq!(first.wire.len(), 13);
        assert_eq!(first.types().first(), Some(&"RUN_STARTED"));
        assert_eq!(first.events.len(), first.wire.len());
        assert_eq!(second.said(), "You said yes.");
        assert_eq!(second.messages.len(), first.messages.len() + 2);

        let declared = first.request.get("protocolVersion");
        assert_eq!(declared.is_some(), generation == Generation::V1, "{declared:?}");
    }
}

#[test]
fn an_illegal_stream_fails_the_run() {
    let node = need!(Node::ready());
    for generation in Generation::ALL {
        let report = ask(&node, generation, streams::content_without_start);
        let error = report.turns[0].error.as_deref().unwrap_or_default();
        assert!(error.contains("No active text message"), "{report:#?}");
        let refused = std::panic::catch_unwind(|| report.assert_clean());
        assert!(refused.is_err(), "assert_clean accepts a failed run");
    }
}

#[test]
fn a_warning_is_trouble() {
    let node = need!(Node::ready());
    let report = ask(&node, Generation::V1, streams::unknown_member);
    assert_eq!(report.turns[0].error, None);
    let troubles: Vec<_> = report.troubles().collect();
    assert!(troubles.iter().any(|text| text.contains("color")), "{troubles:#?}");
}

#[test]
fn the_generations_differ_on_what_came_with_1_0() {
    let node = need!(Node::ready());
    ask(&node, Generation::V1, streams::newer_outcome).assert_clean();
    let report = ask(&node, Generation::Legacy, streams::newer_outcome);
    assert!(report.turns[0].error.is_some(), "{report:#?}");
}

#[test]
fn a_run_error_is_trouble() {
    let node = need!(Node::ready());
    for generation in Generation::ALL {
        let report = ask(&node, generation, streams::run_error);
        let said = &report.turns[0].run_errors;
        assert_eq!(said, &[json!({ "message": "no flour", "code": "OUT_OF_STOCK" })], "{report:#?}");
        assert!(report.troubles().any(|text| text.contains("no flour")));
    }
}

#[test]
fn a_stream_that_stops_in_the_middle_is_trouble() {
    let node = need!(Node::ready());
    for generation in Generation::ALL {
        let report = ask(&node, generation, streams::cut_off);
        assert!(report.troubles().count() > 0, "{report:#?}");
    }
}

#[test]
fn a_server_that_is_not_there_is_trouble() {
    let node = need!(Node::ready());
    let conversation = Conversation::new("http://127.0.0.1:1/", Generation::V1).then(Turn::say("anybody?"));
    let report = node.converse(&conversation);
    assert!(report.turns[0].error.is_some(), "{report:#?}");
    assert_eq!(report.turns[0].status, None);
}
