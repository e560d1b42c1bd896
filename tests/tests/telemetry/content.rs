//! Content is in no span, event or log, unless that is asked for.

use std::sync::Arc;

use agui_runtime::Server;
use agui_runtime::interrupts::Approval;
use agui_runtime::model::Reply;
use agui_runtime::prelude::*;
use agui_runtime::protocol::{AssistantMessage, FunctionCall, NonNull, ResumeEntry, ResumeStatus, ToolCall};
use agui_runtime::testing::{self, RunEnd};
use agui_runtime::thread::Memory;
use agui_tests::http::Request;
use agui_tests::model_server::{Answer, Server as Provider};
use metrics_util::debugging::DebuggingRecorder;
use serde_json::{Value, json};

use crate::shop::{
    ANSWER, ARGUMENT, CONTENT, Clerk, INSTRUCTIONS, QUESTION, RESULT, Researcher, a_call_and_an_answer,
    clerk_with, input, price, sell, serve,
};
use crate::tree::Tree;

/// Every content reaches the client or the model.
async fn talk(server: Server) {
    let own = [
        Reply::call("price", price { name: ARGUMENT.to_owned() })
            .and_call("price", json!({ "name": 7, "other": ARGUMENT }))
            .and_call("unknown", json!({ "name": ARGUMENT }))
            .and_call("count", json!({ "number": ARGUMENT }))
            .and_call("sell", sell { name: ARGUMENT.to_owned() }),
        Reply::call("researcher", json!({ "task": QUESTION })),
        Reply::text(ANSWER),
    ];
    let clerk = clerk_with(own, a_call_and_an_answer());
    let address = serve(server.agent("/", clerk)).await;
    let text = Request::run("/", input().to_string()).send(address).await;
    assert!(text.text().contains("RUN_FINISHED"), "{}", text.text());
    for content in [ARGUMENT, RESULT, ANSWER, "secret-argument is sold out"] {
        assert!(text.text().contains(content), "{content}: {}", text.text());
    }
    for wrong in wrong_inputs() {
        let refused = Request::run("/", wrong.to_string()).send(address).await;
        assert!(refused.status < 500, "{wrong}: {}", refused.text());
    }
}

/// Inputs with content where something else is expected, which are refused, or read without that part.
fn wrong_inputs() -> Vec<Value> {
    let with = |change: &dyn Fn(&mut Value)| {
        let mut wrong = input();
        change(&mut wrong);
        wrong
    };
    vec![
        with(&|input| input["messages"] = json!(QUESTION)),
        with(&|input| input["messages"][0] = json!(QUESTION)),
        with(&|input| input["messages"][0]["role"] = json!(QUESTION)),
        with(&|input| input["messages"][0]["id"] = json!({ QUESTION: QUESTION })),
        with(&|input| input["messages"][0]["content"] = json!([{ "type": QUESTION, "text": QUESTION }])),
        with(&|input| input["tools"] = json!([QUESTION])),
        with(&|input| input["resume"] = json!(QUESTION)),
    ]
}

/// Returns the names and labels of all metrics.
fn labels(recorder: &DebuggingRecorder) -> String {
    let kept = recorder.snapshotter().snapshot().into_vec();
    kept.iter().map(|(key, ..)| format!("{key:?}\n")).collect()
}

fn assert_no_content(seen: &str) {
    for content in CONTENT {
        let found = seen.lines().find(|line| line.contains(content));
        assert_eq!(found, None, "{content}");
    }
}

#[tokio::test]
async fn no_span_event_or_log_has_content_by_default() {
    for server in [Server::new(), Server::new().threads(Memory::new())] {
        let (tree, _guard) = Tree::keep();
        let recorder = DebuggingRecorder::new();
        let _recording = metrics::set_default_local_recorder(&recorder);
        talk(server).await;
        assert_no_content(&tree.texts());
        let labels = labels(&recorder);
        assert_no_content(&labels);
        assert!(tree.drawn().contains("execute_tool price") && labels.contains("execute_tool"), "{labels}");
    }
}

/// Providers quote the conversation in their errors, and models write it into answers that cannot be read.
#[tokio::test]
async fn failures_of_providers_bring_no_content_into_the_log() {
    let said = format!("cannot read {QUESTION} after {INSTRUCTIONS}");
    let error = json!({ "error": { "message": said, "type": "invalid_request_error" } }).to_string();
    let status = |status| Answer::status(status, "", &error);
    let answers = [
        (status(400), "400"),
        (status(401), "unauthorized"),
        (status(413), "prompt_too_long"),
        (status(429), "rate_limited"),
        (status(503), "overloaded"),
        (Answer::frames([error.as_str()]), "provider_failed"),
        (Answer::frames([said.as_str()]), "malformed_answer"),
        (Answer::frames([json!({ "choices": said }).to_string()]), "truncated_reply"),
        (
            Answer::frames([
                json!({ "choices": [{ "delta": { "content": [{ "type": "dream", "dream": said }] } }] })
                    .to_string(),
            ]),
            "truncated_reply",
        ),
    ];
    for (answer, class) in answers {
        for asked in [false, true] {
            let (tree, _guard) = Tree::keep();
            let provider = Provider::start([answer.clone()]);
            let model = Arc::new(provider.model("openai-chat:gpt-4o"));
            let researcher = Arc::new(Researcher::new(Arc::clone(&model).into()));
            let server = Server::new().record_content(asked).reveal_errors(false);
            let server = server.agent("/", Clerk::new(model.into(), researcher));
            let run = Request::run("/", input().to_string()).send(serve(server).await).await;
            assert!(run.text().contains(r#""code":"model_failed""#), "{class}: {}", run.text());
            assert!(!run.text().contains(INSTRUCTIONS), "{class}: {}", run.text());
            let drawn = tree.drawn();
            assert!(drawn.contains(&format!("chat gpt-4o ({class}")), "{class}: {drawn}");
            match asked {
                false => assert_no_content(&tree.texts()),
                true => assert!(tree.texts().contains(QUESTION)),
            }
        }
    }
}

#[tokio::test]
async fn on_request_the_log_has_the_texts_of_failures() {
    let (tree, _guard) = Tree::keep();
    talk(Server::new().record_content(true)).await;
    assert!(tree.logged().contains("secret-argument is sold out"));
    let (tree, _guard) = Tree::keep();
    let refused = Answer::status(400, "", &json!({ "error": { "message": ANSWER } }).to_string());
    let provider = Provider::start([refused]);
    let model = Arc::new(provider.model("openai-chat:gpt-4o"));
    let researcher = Arc::new(Researcher::new(Arc::clone(&model).into()));
    let server = Server::new().record_content(true).agent("/", Clerk::new(model.into(), researcher));
    Request::run("/", input().to_string()).send(serve(server).await).await;
    assert!(tree.logged().contains(ANSWER), "{}", tree.logged());
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

/// Refunds an order.
#[tool(approval)]
async fn refund(cents: u32) -> u32 {
    cents
}

/// Refunds, once the user agrees.
#[agent(tools = [refund])]
async fn desk(run: &mut Run<Desk>, _: Input<Desk>) -> Result<(), Stop> {
    if run.resume_approvals().await.settled.is_empty() {
        run.call(refund { cents: 7 }).await?.approved().await?.run().await;
    }
    Ok(())
}

#[tokio::test]
async fn the_arguments_of_an_approved_call_are_those_that_the_user_edited() {
    for (edited, recorded) in
        [(None, json!({ "cents": 7 })), (Some(json!({ "cents": 9 })), json!({ "cents": 9 }))]
    {
        let run = |input| testing::run_with(Desk::new(), input, testing::options().record_content(true));
        let events = run(testing::input("Refund me.")).await;
        let RunEnd::Interrupt([question]) = testing::end(&events) else {
            panic!("{}", testing::lines(&events));
        };
        let call = question.tool_call_id.clone().unwrap();
        let call = ToolCall::new(call, FunctionCall::new("refund", r#"{"cents":7}"#));
        let mut input = testing::input("Refund me.");
        input.run_id = "run-2".into();
        input.messages.push(AssistantMessage::new("turn-1").with_tool_calls([call]).into());
        let yes = Approval { approved: true, edited_args: edited, reason: None };
        let yes = NonNull::new(serde_json::to_value(yes).unwrap()).unwrap();
        let answer = ResumeEntry::new(question.id.clone(), ResumeStatus::Resolved).with_payload(yes);
        let (tree, _guard) = Tree::keep();
        let events = run(input.with_resume([answer])).await;
        let spans = tree.of("execute_tool refund");
        let arguments = spans[0].fields.get("gen_ai.tool.call.arguments").unwrap();
        assert_eq!(
            serde_json::from_str::<Value>(arguments).unwrap(),
            recorded,
            "{}",
            testing::lines(&events)
        );
    }
}

/// Calls a tool with arguments that it writes itself.
#[agent(tools = [price])]
async fn caller(run: &mut Run<Caller>, _: Input<Caller>) -> Result<(), Stop> {
    let mut call = run.open_call("price").await?;
    call.push(WRITTEN).await;
    let _ = run.dispatch(vec![call.end()?]).await;
    Ok(())
}

const WRITTEN: &str = r#"{ "name" : "rice", "unknown": 1.50 }"#;

#[tokio::test]
async fn the_arguments_of_a_call_are_the_text_that_the_client_has() {
    let (tree, _guard) = Tree::keep();
    let options = testing::options().record_content(true);
    let events = testing::run_with(Caller::new(), testing::input("Rice?"), options).await;
    let spans = tree.of("execute_tool price");
    let recorded = spans[0].fields.get("gen_ai.tool.call.arguments").map(String::as_str);
    assert_eq!(recorded, Some(WRITTEN), "{}", testing::lines(&events));
}
