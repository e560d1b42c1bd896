//! The tree of spans, and how each ends.

use std::sync::Arc;
use std::time::Duration;

use agui_runtime::http::ThreadOptions;
use agui_runtime::model::{DynTool, Model, ModelError, ModelFallback, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{
    AssistantMessage, FunctionCall, NonNull, ResumeEntry, ResumeStatus, TokenUsage, ToolCall,
};
use agui_runtime::testing::RunEnd;
use agui_runtime::thread::Memory;
use agui_runtime::{Limits, RunOptions, Server, start, testing};
use agui_tests::http::Request;
use futures::StreamExt;
use serde_json::{Value, json};

use crate::shop::{ARGUMENT, a_call_and_an_answer, clerk_with, input, price, serve};
use crate::tree::Tree;

/// Runs the clerk without a server.
fn run(own: impl Into<Vec<Reply>>) -> Tree {
    run_model(ScriptedModel::new(own.into()))
}

fn run_model(model: impl Into<Model>) -> Tree {
    let (tree, _guard) = Tree::keep();
    let researcher = Arc::new(crate::shop::Researcher::new(ScriptedModel::new([]).into()));
    let clerk = crate::shop::Clerk::new(model.into(), researcher);
    futures::executor::block_on(testing::run(clerk, testing::input("Rice?")));
    tree
}

#[tokio::test]
async fn a_request_is_a_tree_of_runs_models_and_tools() {
    let (tree, _guard) = Tree::keep();
    let own = [
        Reply::call("price", price { name: ARGUMENT.to_owned() }),
        Reply::call("researcher", json!({ "task": "How old is rice?" })),
        Reply::text("Old."),
    ];
    let clerk = clerk_with(own, a_call_and_an_answer());
    let address = serve(Server::new().agent("/clerk", clerk)).await;
    let answer = Request::run("/clerk", input().to_string()).send(address).await;
    assert!(answer.text().contains("RUN_FINISHED"), "{}", answer.text());
    assert_eq!(
        tree.drawn(),
        "POST /clerk\n  \
           invoke_agent clerk\n    \
             chat script\n    \
             execute_tool price\n    \
             chat script\n    \
             execute_tool researcher\n      \
               invoke_agent researcher\n        \
                 chat script\n        \
                 execute_tool price\n        \
                 chat script\n    \
             chat script\n"
    );
    let request = &tree.of("POST /clerk")[0];
    assert_eq!((&*request.fields["otel.kind"], &*request.fields["http.route"]), ("server", "/clerk"));
    assert_eq!(request.fields["http.response.status_code"], "200");
    let run = &tree.of("invoke_agent clerk")[0];
    assert_eq!((&*run.fields["gen_ai.conversation.id"], &*run.fields["agui.run.id"]), ("t-1", "r-1"));
    let tool = &tree.of("execute_tool price")[0];
    assert_eq!((&*tool.fields["gen_ai.tool.name"], &*tool.fields["gen_ai.tool.type"]), ("price", "function"));
    assert!(answer.text().contains(&format!(r#""toolCallId":"{}""#, tool.fields["gen_ai.tool.call.id"])));
}

#[tokio::test]
async fn a_refused_request_is_a_span_without_a_run() {
    let (tree, _guard) = Tree::keep();
    let limits = Limits::default().runs(0);
    let address = serve(Server::new().agent("/", clerk_with([], [])).limits(limits)).await;
    assert_eq!(Request::run("/", input().to_string()).send(address).await.status, 503);
    assert_eq!(Request::run("/", "{").send(address).await.status, 503);
    assert_eq!(tree.drawn(), "POST / (503)\nPOST / (503)\n");
    assert_eq!(tree.of("POST /")[0].fields["otel.status_code"], "error");
}

#[tokio::test]
async fn a_run_that_is_kept_belongs_to_the_request_that_began_it() {
    let (tree, _guard) = Tree::keep();
    let server = Server::new().threads(Memory::new()).thread_options(ThreadOptions::default());
    let address = serve(server.agent("/", clerk_with(a_call_and_an_answer(), []))).await;
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let request = Request::run("/", input().to_string()).header("traceparent", parent);
    let metadata = json!({ "traceparent": parent }).to_string();
    for attempt in ["the run", "the same run, read again"] {
        let answer = request.send(address).await;
        let started = answer.text().lines().nth(1).unwrap();
        assert!(started.contains(&format!(r#""metadata":{metadata}"#)), "{attempt}: {started}");
    }
    let drawn = tree.drawn();
    let expected = "POST /\n  invoke_agent clerk\n    chat script\n    execute_tool price\n    chat script\n";
    assert!(drawn.starts_with(expected), "{drawn}");
}

#[test]
fn a_chat_says_what_it_cost_and_why_it_ended() {
    let spent = TokenUsage::new().with_model("x-1-mini").with_input_tokens(41_u32).with_output_tokens(9_u32);
    let tree = run([Reply::text("Hello.").usage(spent)]);
    let chat = &tree.of("chat script")[0];
    for (field, expected) in [
        ("otel.kind", "client"),
        ("gen_ai.operation.name", "chat"),
        ("gen_ai.provider.name", "scripted"),
        ("gen_ai.request.model", "script"),
        ("gen_ai.response.model", "x-1-mini"),
        ("gen_ai.response.finish_reasons", r#"["stop"]"#),
        ("gen_ai.usage.input_tokens", "41"),
        ("gen_ai.usage.output_tokens", "9"),
    ] {
        assert_eq!(chat.fields.get(field).map(String::as_str), Some(expected), "{field}: {:?}", chat.fields);
    }
    assert!(chat.fields["gen_ai.response.time_to_first_chunk"].parse::<f64>().unwrap() >= 0.0);
    assert!(chat.is_closed && !chat.fields.contains_key("error.type"));
}

/// Each request to a model is one span, so that tokens, times and failures stand beside the model that they belong to.
#[test]
fn a_model_that_stands_in_has_a_span_of_its_own() {
    let counted = |tokens: u32| TokenUsage::new().with_input_tokens(tokens);
    let busy = Reply::deltas([]).usage(counted(3));
    let busy = busy.fails(|| ModelError::Overloaded { message: String::new(), retry_after: None });
    let other = ScriptedModel::new([Reply::text("Hello.").usage(counted(5))]);
    let tree = run_model(ModelFallback::new(ScriptedModel::new([busy])).then(other));
    assert_eq!(tree.drawn(), "invoke_agent clerk\n  chat script (overloaded)\n  chat script\n");
    let tokens =
        tree.of("chat script").into_iter().map(|chat| chat.fields["gen_ai.usage.input_tokens"].clone());
    assert_eq!(tokens.collect::<Vec<_>>(), ["3", "5"]);
}

#[test]
fn one_tool_that_panics_fails_alone() {
    let calls = Reply::call("price", price { name: "panic".to_owned() })
        .and_call("price", price { name: "error".to_owned() })
        .and_call("price", price { name: "rice".to_owned() });
    let tree = run([calls, Reply::text("Done.")]);
    assert_eq!(
        tree.drawn(),
        "invoke_agent clerk\n  chat script\n  execute_tool price (panic)\n  \
         execute_tool price (tool_error)\n  execute_tool price\n  chat script\n"
    );
}

#[tokio::test]
async fn a_tool_that_takes_too_long_is_a_timeout() {
    let clerk = || clerk_with([Reply::call("stuck", json!({})), Reply::text("Done.")], []);
    let (tree, _guard) = Tree::keep();
    let address = serve(Server::new().agent("/", clerk())).await;
    assert!(Request::run("/", input().to_string()).send(address).await.text().contains("RUN_FINISHED"));
    assert!(tree.drawn().contains("execute_tool stuck (timeout)"), "{}", tree.drawn());
    // Without a server there is no timer.
    let (tree, _guard) = Tree::keep();
    start(Arc::new(clerk()), testing::input("Rice?"), RunOptions::default()).collect::<Vec<_>>().await;
    assert!(tree.drawn().contains("execute_tool stuck (no_timer)"), "{}", tree.drawn());
}

#[test]
fn a_chat_says_if_the_model_stopped_to_call_tools() {
    let tree = run([Reply::call("price", price { name: "rice".to_owned() }), Reply::text("Done.")]);
    let reasons =
        tree.of("chat script").into_iter().map(|chat| chat.fields["gen_ai.response.finish_reasons"].clone());
    assert_eq!(reasons.collect::<Vec<_>>(), [r#"["tool_call"]"#, r#"["stop"]"#]);
}

/// Asks before it pays.
#[agent]
async fn payer(run: &mut Run<Payer>, _: Input<Payer>, model: &Model) -> Result<(), Stop> {
    let schema = json!({ "type": "object", "properties": { "cents": { "type": "integer" } } });
    let pay = |_: Value| async { Ok::<_, Stop>(1) };
    let pay = DynTool::new("pay", "Pays.", schema, pay).expect("a right tool").approval_if(|_| true);
    run.chat(model).tools([pay]).await
}

#[test]
fn a_call_that_the_user_refuses_is_not_executed() {
    for (approved, executed) in [(false, 0), (true, 1)] {
        let script = [Reply::call("pay", json!({ "cents": 5 })), Reply::text("Done.")];
        let payer = Arc::new(Payer::new(agui_runtime::model::ScriptedModel::new(script).into()));
        let run = |input| {
            let run = start(Arc::clone(&payer), input, testing::options());
            futures::executor::block_on(run.collect::<Vec<_>>())
        };
        let events = run(testing::input("Pay."));
        let RunEnd::Interrupt([question]) = testing::end(&events) else { panic!("{events:#?}") };
        let call = FunctionCall::new("pay", r#"{"cents":5}"#);
        let call = ToolCall::new(question.tool_call_id.clone().unwrap(), call);
        let mut next = testing::input("Pay.");
        next.messages.push(AssistantMessage::new("turn-1").with_tool_calls([call]).into());
        next.run_id = "run-2".into();
        let answer = ResumeEntry::new(question.id.clone(), ResumeStatus::Resolved);
        let answer =
            answer.with_payload(serde_json::from_value::<NonNull>(json!({ "approved": approved })).unwrap());
        let (tree, _guard) = Tree::keep();
        let events = run(next.with_resume([answer]));
        assert!(matches!(testing::end(&events), RunEnd::Success { .. }), "{}", testing::lines(&events));
        assert_eq!(tree.of("execute_tool pay").len(), executed, "{}", tree.drawn());
    }
}

#[test]
fn a_model_that_fails_fails_the_run() {
    let refused = || ModelError::Refused { status: 400, message: "secret".to_owned() };
    let tree = run([Reply::failure(refused)]);
    assert_eq!(tree.drawn(), "invoke_agent clerk (model_failed)\n  chat script (400)\n");
}

/// Waits, calls itself, or fails.
#[agent]
async fn waiter(_: &mut Run<Waiter>, input: Input<Waiter>) -> Result<(), Stop> {
    match input.user_text().as_deref() {
        Some("fail") => Err(Stop::error("no").with_code("NO")),
        Some("uncoded") => Err(Stop::error("no")),
        Some("panic") => panic!("deliberate"),
        Some("cancel") => Err(Stop::cancelled()),
        _ => std::future::pending().await,
    }
}

#[test]
fn a_run_says_how_it_failed() {
    for (wish, error) in [("fail", "NO"), ("uncoded", "_OTHER"), ("panic", "panic"), ("cancel", "cancelled")]
    {
        let (tree, _guard) = Tree::keep();
        futures::executor::block_on(testing::run(Waiter::new(), testing::input(wish)));
        assert_eq!(tree.drawn(), format!("invoke_agent waiter ({error})\n"));
    }
}

#[tokio::test]
async fn the_span_of_a_run_that_ends_early_has_the_reason() {
    let (tree, _guard) = Tree::keep();
    let mut events = start(Arc::new(Waiter::new()), testing::input("wait"), RunOptions::default());
    drop(events.next().await);
    // Polled once more, it waits.
    assert!(futures::poll!(events.next()).is_pending());
    drop(events);
    assert_eq!(tree.drawn(), "invoke_agent waiter (cancelled)\n");

    let (tree, _guard) = Tree::keep();
    let limits = Limits::default().run_timeout(Duration::from_millis(50));
    let address = serve(Server::new().agent("/", Waiter::new()).limits(limits)).await;
    assert!(Request::run("/", input().to_string()).send(address).await.text().contains("run_timeout"));
    assert_eq!(tree.drawn(), "POST /\n  invoke_agent waiter (run_timeout)\n");
}
