//! Content is in no span, event or log, unless that is asked for.

use agui_runtime::Server;
use agui_runtime::model::Reply;
use agui_runtime::thread::Memory;
use agui_tests::http::Request;
use serde_json::{Value, json};

use crate::shop::{
    ANSWER, ARGUMENT, CONTENT, INSTRUCTIONS, QUESTION, RESULT, a_call_and_an_answer, clerk_with, input,
    price, serve,
};
use crate::tree::Tree;

/// Every content reaches the client or the model.
async fn talk(server: Server) {
    let own = [
        Reply::call("price", price { name: ARGUMENT.to_owned() })
            .and_call("price", json!({ "name": 7, "other": ARGUMENT }))
            .and_call("unknown", json!({ "name": ARGUMENT })),
        Reply::call("researcher", json!({ "task": QUESTION })),
        Reply::text(ANSWER),
    ];
    let clerk = clerk_with(own, a_call_and_an_answer());
    let address = serve(server.agent("/", clerk)).await;
    let text = Request::run("/", input().to_string()).send(address).await;
    assert!(text.text().contains("RUN_FINISHED"), "{}", text.text());
    for content in [ARGUMENT, RESULT, ANSWER] {
        assert!(text.text().contains(content), "{content}: {}", text.text());
    }
}

#[tokio::test]
async fn no_span_event_or_log_has_content_by_default() {
    for server in [Server::new(), Server::new().threads(Memory::new())] {
        let (tree, _guard) = Tree::keep();
        talk(server).await;
        let texts = tree.texts();
        for content in CONTENT {
            let found = texts.lines().find(|line| line.contains(content));
            assert_eq!(found, None, "{content}");
        }
        assert!(tree.drawn().contains("execute_tool price"));
    }
}

#[tokio::test]
async fn on_request_spans_have_it_in_the_form_of_the_conventions() {
    let (tree, _guard) = Tree::keep();
    talk(Server::new().record_content(true)).await;
    let field = |span: &str, nth: usize, name: &str| -> Value {
        let spans = tree.of(span);
        let found = spans[nth].fields.get(name).unwrap_or_else(|| panic!("{name}: {:?}", spans[nth].fields));
        serde_json::from_str(found).unwrap_or_else(|_| found.as_str().into())
    };
    let text = |said: &str| json!({ "type": "text", "content": said });
    assert_eq!(field("chat script", 0, "gen_ai.system_instructions"), json!([text(INSTRUCTIONS)]));
    assert_eq!(
        field("chat script", 0, "gen_ai.input.messages"),
        json!([{ "role": "user", "parts": [text(QUESTION)] }])
    );
    let answer = field("chat script", 0, "gen_ai.output.messages");
    let call = json!({ "type": "tool_call", "name": "price", "arguments": { "name": ARGUMENT } });
    assert_eq!((&answer[0]["role"], &answer[0]["parts"][0]), (&json!("assistant"), &call));
    assert_eq!(field("execute_tool price", 0, "gen_ai.tool.call.arguments"), json!({ "name": ARGUMENT }));
    assert_eq!(field("execute_tool price", 0, "gen_ai.tool.call.result"), json!(RESULT));
    let messages = field("chat script", 1, "gen_ai.input.messages");
    let response = &messages.as_array().unwrap().last().unwrap()["parts"][0];
    assert_eq!((&response["type"], &response["response"]), (&json!("tool_call_response"), &json!(RESULT)));
}
