//! Private calls that are not made, searches that find private tools, and providers that quote them.

use agui_runtime::model::{
    KeepLast, Model, ModelError, ModelFallback, Prompt, PromptMessage, Reply, ScriptedModel, ShortenStrategy,
    StrategyModel, Summarize, ToolDecision, ToolSearch,
};
use agui_runtime::prelude::*;
use agui_runtime::testing::{self, RunEnd, assert_private_text};
use agui_runtime::{Stop, protocol::Event};
use agui_tests::log::Log;
use serde_json::json;
use tracing::Level;

use crate::desk::{
    NAME, NAMES, Seen, VALUES, assert_shut, checkout, customer_file, fatal_file, input, price,
};
use crate::desk::{said, script};

/// The reason why a hook refuses a call.
const REASON: &str = "the file is locked by the auditor";

/// The setting that keeps the model from the private tool.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Narrowing {
    Hook,
    Hidden,
    Kept,
    Search,
    Short,
    Summary,
}

/// Helps customers, with fewer tools.
#[agent(tools = [customer_file, price, checkout, fatal_file])]
async fn strict(
    run: &mut Run<Strict>,
    _: Input<Strict>,
    model: &Model,
    narrowing: &Narrowing,
) -> Result<(), Stop> {
    let chat = run.chat(model).instructions("Help.");
    match narrowing {
        Narrowing::Hook => chat.before_tool(|_| ToolDecision::Refuse(REASON.to_owned())).await,
        Narrowing::Hidden => {
            chat.choose_tools(|turn| {
                turn.hide::<customer_file>();
            })
            .await
        }
        Narrowing::Kept => chat.choose_tools(|turn| turn.keep(|name| name == "price")).await,
        Narrowing::Search => chat.search_tools(ToolSearch::new()).await,
        Narrowing::Short => chat.shorten(KeepLast(1)).await,
        Narrowing::Summary => chat.shorten(Summarize::after(1)).await,
    }
}

/// Runs the agent with everything recorded, and returns the events and the log.
async fn recorded(model: impl Into<Model>, narrowing: Narrowing) -> (Vec<Event>, Vec<String>) {
    let (log, _recording) = Log::record(Level::TRACE);
    let options = testing::options().reveal_errors(true).record_content(true);
    let agent = Strict::new(model.into(), narrowing);
    let events = testing::run_with(agent, input("r", vec![said("u", "read")]), options).await;
    (events, log.take())
}

/// Fails if a client or a reader of traces could have learned something.
#[track_caller]
fn assert_all_shut((events, lines): &(Vec<Event>, Vec<String>)) {
    assert_shut(events);
    assert_private_text(testing::lines(events), [REASON]);
    assert_private_text(lines.join("\n"), VALUES.iter().chain(&[REASON]));
    let content =
        |line: &&String| line.contains("gen_ai.input.messages=") || line.contains("output.messages=");
    let content: Vec<_> = lines.iter().filter(content).map(String::as_str).collect();
    assert!(!content.is_empty(), "{lines:#?}");
    assert_private_text(content.join("\n"), NAMES);
}

#[tokio::test]
async fn a_call_that_is_not_made_is_the_models_alone() {
    for (narrowing, reason) in [
        (Narrowing::Hook, REASON),
        (Narrowing::Hidden, "no tool"),
        (Narrowing::Kept, "no tool"),
        (Narrowing::Search, "is not loaded"),
    ] {
        let seen = Seen::default();
        let recorded = recorded(seen.model(), narrowing).await;
        assert_all_shut(&recorded);
        assert!(matches!(testing::end(&recorded.0), RunEnd::Success { .. }), "{narrowing:?}");
        let [call] = &seen.private()[..] else { panic!("{narrowing:?}: {:?}", seen.private()) };
        assert!(call.contains(NAME) && call.contains(reason), "{narrowing:?}: {call}");
    }
}

#[tokio::test]
async fn a_search_is_not_in_the_traces() {
    let model = script([
        Reply::call("agui_find_tools", json!({ "names": ["customer_file"] })),
        Reply::call("customer_file", json!({ "name": NAME })),
        Reply::text("I have read it."),
    ]);
    let recorded = recorded(model, Narrowing::Search).await;
    assert_all_shut(&recorded);
    assert_eq!(testing::texts(&recorded.0), ["I have read it."]);
    let content = recorded.1.iter().filter(|line| line.contains("output.messages=")).count();
    assert_eq!(content, 3);
    assert!(!recorded.1.iter().any(|line| line.contains("messages=") && line.contains("agui_find_tools")));
}

/// A provider's error that quotes the tool, its arguments and its result, each in a form of the provider's own.
fn quoting() -> ModelError {
    let message = format!("bad tool `customer_file`: {}", VALUES.join(", "));
    ModelError::Refused { status: 400, message }
}

#[track_caller]
fn assert_fixed_error(events: &[Event]) {
    let RunEnd::Failed { message, code } = testing::end(events) else { panic!("{events:#?}") };
    // The class of the failure is no text of the provider.
    assert_eq!((message, code), ("the model failed: 400", Some("model_failed")));
}

#[tokio::test]
async fn a_provider_that_quotes_a_private_tool_is_not_quoted() {
    let read = || Reply::call("customer_file", json!({ "name": NAME }));
    for narrowing in [Narrowing::Short, Narrowing::Summary] {
        // In the first turn, after a call, and while a strategy asks.
        for replies in [
            vec![Reply::failure(quoting)],
            vec![read(), Reply::failure(quoting)],
            vec![read().fails(quoting)],
        ] {
            let recorded = recorded(script(replies), narrowing).await;
            assert_all_shut(&recorded);
            assert_fixed_error(&recorded.0);
        }
    }
    let first: Model = ScriptedModel::new([Reply::failure(quoting)]).into();
    let second: Model = ScriptedModel::new([Reply::failure(quoting)]).into();
    let recorded = recorded(ModelFallback::new(first).then(second), Narrowing::Short).await;
    assert_all_shut(&recorded);
    assert_fixed_error(&recorded.0);
}

/// A strategy that asks the model.
struct Asks;

impl ShortenStrategy for Asks {
    fn shorten<'a>(
        &'a self,
        _: Vec<PromptMessage>,
        asker: &'a StrategyModel<'a>,
    ) -> futures::future::BoxFuture<'a, Result<Vec<PromptMessage>, ModelError>> {
        Box::pin(async move {
            let summary = asker.text(&Prompt::new([PromptMessage::user("Shorter!")])).await?;
            Ok(vec![PromptMessage::user(summary)])
        })
    }
}

/// Helps customers, with a summary before each turn.
#[agent(tools = [customer_file])]
async fn brief(run: &mut Run<Brief>, _: Input<Brief>, model: &Model) -> Result<(), Stop> {
    run.chat(model).instructions("Help.").shorten(Asks).await
}

#[tokio::test]
async fn a_summary_is_not_in_the_traces() {
    for (replies, fails) in [
        (vec![Reply::text(VALUES.join(", ")), Reply::text("Good day.")], false),
        (vec![Reply::failure(quoting)], true),
    ] {
        let (log, _recording) = Log::record(Level::TRACE);
        let options = testing::options().reveal_errors(true).record_content(true);
        let asked = input("r", vec![said("u", "hello")]);
        let events = testing::run_with(Brief::new(script(replies)), asked, options).await;
        assert_shut(&events);
        assert_private_text(log.take().join("\n"), VALUES);
        match fails {
            true => assert_fixed_error(&events),
            false => assert_eq!(testing::texts(&events), ["Good day."]),
        }
    }
}
