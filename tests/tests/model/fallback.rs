//! Models that stand in for each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use agui_runtime::model::{
    BrokenReply, CallDelta, ChatModel, EndReason, Model, ModelError, ModelFallback, ModelRecorder,
    ModelStream, Prompt, PromptMessage, Reply, ReplyDelta, ReplyModel, SchemaDialect, ScriptedModel,
};
use agui_runtime::protocol::{Event, Message, TokenUsage};
use agui_runtime::testing;
use futures::StreamExt as _;

use crate::clerk::{Clerk, Settings, Talk, assert_legal, shop_input};

/// A scripted model with a name.
struct Named(&'static str, ScriptedModel);

impl ChatModel for Named {
    fn provider(&self) -> &str {
        self.0
    }

    fn name(&self) -> &str {
        "model"
    }

    fn dialect(&self) -> SchemaDialect {
        if self.0 == "narrow" { SchemaDialect::OpenAi } else { SchemaDialect::JsonSchema }
    }

    fn respond<'a>(&'a self, prompt: &'a Prompt) -> ModelStream<'a> {
        self.1.respond(prompt)
    }
}

fn named(name: &'static str, replies: impl Into<Vec<Reply>>) -> Arc<Named> {
    Arc::new(Named(name, ScriptedModel::new(replies)))
}

fn overloaded() -> ModelError {
    ModelError::Overloaded { message: "busy".to_owned(), retry_after: None }
}

fn tokens(input: u32) -> TokenUsage {
    TokenUsage::new().with_input_tokens(input)
}

fn run(model: impl Into<Model>) -> Talk {
    run_with(model, shop_input("Rice?"))
}

fn run_with(model: impl Into<Model>, input: agui_runtime::protocol::RunAgentInput) -> Talk {
    let agent = Clerk::new(model.into(), Settings(Box::new(|chat| chat)));
    let events = futures::executor::block_on(testing::run(agent, input));
    assert_legal(&events);
    Talk { events, prompts: Vec::new() }
}

/// The providers in RUN_FINISHED's usage, with their input tokens.
fn usage(talk: &Talk) -> Vec<(String, u64)> {
    let Some(Event::RunFinished(end)) = talk.events.last() else { panic!("{}", talk.end()) };
    let of = |usage: &TokenUsage| (usage.provider.clone().unwrap(), usage.input_tokens.unwrap().get());
    end.usage.iter().flatten().map(of).collect()
}

#[test]
fn the_next_model_is_asked_before_anything_was_sent() {
    let spent = Reply::deltas([ReplyDelta::Text(String::new()), ReplyDelta::Usage(tokens(3))]);
    let failures: [Reply; 4] = [
        Reply::failure(overloaded),
        spent.fails(overloaded),
        Reply::deltas([]),
        Reply::failure(|| ModelError::EmptyReply),
    ];
    for failure in failures {
        let (first, second) =
            (named("a", [failure.clone()]), named("b", [Reply::text("180.").usage(tokens(5))]));
        let talk = run(ModelFallback::new(Arc::clone(&first)).then(Arc::clone(&second)));
        assert_eq!(testing::texts(&talk.events), ["180."], "{failure:?}");
        assert_eq!(first.1.prompts(), second.1.prompts(), "both read the same");
        assert_eq!(usage(&talk).last(), Some(&("b".to_owned(), 5)));
    }
}

#[test]
fn the_usage_names_each_model() {
    let first = named("a", [Reply::deltas([ReplyDelta::Usage(tokens(3))]).fails(overloaded)]);
    let second = named("b", [Reply::text("180.").usage(tokens(5))]);
    let talk = run(ModelFallback::new(first).then(second));
    assert_eq!(usage(&talk), [("a".to_owned(), 3), ("b".to_owned(), 5)]);
}

/// Asks a model without a chat.
fn deltas(model: &Model) -> Vec<Result<ReplyDelta, ModelError>> {
    let prompt = Prompt::new([PromptMessage::user("Rice?")]);
    futures::executor::block_on(model.respond(&prompt).collect())
}

#[test]
fn the_last_failure_is_the_error_if_all_models_fail() {
    let first = named("a", [Reply::failure(overloaded)]);
    let second = named("b", [Reply::failure(|| ModelError::TooLong("9 tokens".into()))]);
    let read = deltas(&ModelFallback::new(first).then(second).into());
    let changed = ReplyModel::new("b", "model").with_reason(Some("overloaded".into()));
    assert!(
        matches!(&read[..], [Ok(ReplyDelta::ModelChanged(to)), Err(ModelError::TooLong(_))] if *to == changed),
        "{read:?}"
    );
}

#[test]
fn a_failure_that_is_not_allowed_ends_the_run() {
    let second = named("b", [Reply::text("180.")]);
    let model = ModelFallback::new(named("a", [Reply::failure(|| ModelError::Unauthorized("key".into()))]))
        .then(Arc::clone(&second))
        .when(|error| !matches!(error, ModelError::Unauthorized(_)));
    assert!(run(model).end().contains("model_failed"));
    // A test whose script is over must not pass with another model.
    let model = ModelFallback::new(named("a", [])).then(Arc::clone(&second));
    assert!(run(model).end().contains("model_failed"));
    assert!(second.1.prompts().is_empty());
}

#[test]
fn a_text_that_breaks_off_fails_the_run_by_default() {
    let second = named("b", [Reply::text("180.")]);
    let first = named("a", [Reply::text("Rice co").fails(overloaded)]);
    let talk = run(ModelFallback::new(first).then(Arc::clone(&second)));
    assert!(talk.end().contains("model_failed"), "{}", talk.end());
    assert!(second.1.prompts().is_empty());
}

#[test]
fn a_text_that_breaks_off_stays_and_another_model_writes_its_own() {
    let broken = Reply::text("Rice co").after_reasoning("Hm").usage(tokens(3)).fails(overloaded);
    let first = named("a", [broken]);
    let second =
        named("b", [Reply::call("price", r#"{"name":"rice"}"#).usage(tokens(5)), Reply::text("180.")]);
    // The next turn asks the first model again, whose script is over.
    let first_again = ModelFallback::new(first).then(Arc::clone(&second)).broken_reply(BrokenReply::Restart);
    let talk = run(first_again.breaker(1, Duration::from_secs(3600)));
    assert_eq!(testing::texts(&talk.events), ["Rice co", "180."], "{}", talk.lines());
    assert_eq!(usage(&talk), [("a".to_owned(), 3), ("b".to_owned(), 5)]);
    let PromptMessage::Assistant(parts) = &second.1.prompts()[1].messages[1] else { panic!("a turn") };
    assert_eq!(parts.len(), 1, "the call alone: {parts:?}");

    // The mark tells clients, and the next run's models do not read the text.
    let marked = talk.events.iter().any(|event| {
        matches!(event, Event::TextMessageEnd(end) if end.metadata.as_ref().is_some_and(|metadata| metadata["agui-rust/brokenOff"] == true))
    });
    assert!(marked, "{}", talk.lines());
    let mut input = shop_input("And salt?");
    let asked = input.messages.pop().unwrap();
    let before: Vec<Message> = crate::round_trip::folded(&talk.events, &shop_input("Rice?").messages);
    input.messages = before.into_iter().chain([asked]).collect();
    let third = named("a", [Reply::text("90.")]);
    let _ = run_with(Arc::clone(&third), input);
    let read = format!("{:?}", third.1.prompts()[0].messages);
    assert!(!read.contains("Rice co") && !read.contains("Hm") && read.contains("180."), "{read}");
}

#[test]
fn a_call_is_never_taken_back() {
    let second = named("b", [Reply::text("180.")]);
    let first = named("a", [Reply::call("price", r#"{"name":"rice"}"#).fails(overloaded)]);
    let model = ModelFallback::new(first).then(Arc::clone(&second)).broken_reply(BrokenReply::Restart);
    assert!(run(model).end().contains("model_failed"));
    assert!(second.1.prompts().is_empty());

    // Neither by a model of one's own that says so.
    let deltas = [
        ReplyDelta::Call(CallDelta::new(0).with_tool("price").with_arguments("{}")),
        ReplyDelta::ModelChanged(ReplyModel::new("b", "model")),
        ReplyDelta::End(EndReason::Stop),
    ];
    assert!(run(named("a", [Reply::deltas(deltas)])).end().contains("model_failed"));
}

#[test]
fn a_model_that_fails_again_and_again_is_skipped() {
    let first = Arc::new(Named("a", ScriptedModel::from_fn(|_| Reply::failure(overloaded))));
    let second = Arc::new(Named("b", ScriptedModel::from_fn(|_| Reply::text("180."))));
    let model = ModelFallback::new(Arc::clone(&first)).then(second).breaker(2, Duration::from_secs(3600));
    let model = Model::from(model);
    for _ in 0..5 {
        assert_eq!(testing::texts(&run(model.clone()).events), ["180."]);
    }
    assert_eq!(first.1.prompts().len(), 2);
}

#[test]
fn a_healthy_first_model_leaves_the_trial_of_the_others() {
    let is_down = Arc::new(AtomicBool::new(true));
    let down = Arc::clone(&is_down);
    let reply =
        move |_: &Prompt| if down.load(SeqCst) { Reply::failure(overloaded) } else { Reply::text("b") };
    let second = Arc::new(Named("b", ScriptedModel::from_fn(reply)));
    let replies =
        [Reply::failure(overloaded), Reply::text("a"), Reply::text("a"), Reply::failure(overloaded)];
    let model = ModelFallback::new(named("a", replies)).then(Arc::clone(&second)).breaker(1, Duration::ZERO);
    let model = Model::from(model);
    assert!(deltas(&model).last().unwrap().is_err(), "both fail");
    for _ in 0..2 {
        assert_eq!(testing::texts(&run(model.clone()).events), ["a"]);
    }
    is_down.store(false, SeqCst);
    assert_eq!(testing::texts(&run(model).events), ["b"]);
}

#[test]
fn models_that_are_skipped_are_asked_if_all_others_fail() {
    let replies = |texts: [&str; 2]| {
        texts.map(|text| if text.is_empty() { Reply::failure(overloaded) } else { Reply::text(text) })
    };
    let (first, second) = (named("a", replies(["", ""])), named("b", replies(["", "b"])));
    let model = ModelFallback::new(first).then(second).breaker(1, Duration::from_secs(3600));
    let model = Model::from(model);
    assert!(deltas(&model).last().unwrap().is_err(), "both fail");
    assert_eq!(testing::texts(&run(model).events), ["b"]);
}

#[test]
fn content_that_has_ended_is_not_taken_back() {
    let text = || ReplyDelta::Text("Rice.".into());
    let thought = || ReplyDelta::Reasoning("Hm.".into());
    let signed = || ReplyDelta::EncryptedReasoning("signature".into());
    let cases = [
        (vec![text(), thought()], false),
        (vec![text(), signed()], false),
        (vec![thought(), signed()], false),
        (vec![signed()], false),
        (vec![thought(), signed(), text()], true),
        (vec![thought()], true),
        (vec![text(), text()], true),
    ];
    for (sent, is_restarted) in cases {
        let first = named("a", [Reply::deltas(sent.clone()).fails(overloaded)]);
        let second = named("b", [Reply::text("180.")]);
        let talk =
            run(ModelFallback::new(first).then(Arc::clone(&second)).broken_reply(BrokenReply::Restart));
        assert_eq!(second.1.prompts().len(), usize::from(is_restarted), "{sent:?}");
        assert_eq!(talk.end().starts_with("RUN_FINISHED"), is_restarted, "{sent:?}");

        // Neither by a model of the program's own.
        let changed = [
            ReplyDelta::ModelChanged(ReplyModel::new("b", "model")),
            text(),
            ReplyDelta::End(EndReason::Stop),
        ];
        let talk = run(named("a", [Reply::deltas(sent.iter().cloned().chain(changed).collect::<Vec<_>>())]));
        assert_eq!(talk.end().starts_with("RUN_FINISHED"), is_restarted, "{sent:?}");
    }
}

#[test]
fn tokens_of_all_models_count() {
    let first = named("a", [Reply::deltas([ReplyDelta::Usage(tokens(30))]).fails(overloaded)]);
    let second =
        named("b", [Reply::call("price", r#"{"name":"rice"}"#).usage(tokens(30)), Reply::text("180.")]);
    let model = ModelFallback::new(first).then(Arc::clone(&second));
    let agent = Clerk::new(model.into(), Settings(Box::new(|chat| chat.max_tokens(50))));
    let events = futures::executor::block_on(testing::run(agent, shop_input("Rice?")));
    assert!(testing::lines(&events).contains(r#"code="max_tokens""#), "{}", testing::lines(&events));
}

#[test]
fn a_cassette_keeps_the_change() {
    let folder = agui_tests::folder::Folder::new("fallback-cassette");
    let path = folder.0.join("talk.jsonl");
    let first = named("a", [Reply::text("Rice co").usage(tokens(3)).fails(overloaded)]);
    let second = named("b", [Reply::text("180.").usage(tokens(5))]);
    let model = ModelFallback::new(first).then(second).broken_reply(BrokenReply::Restart);
    let recorded = run(ModelRecorder::new(model, &path).unwrap());
    let played = run(ScriptedModel::cassette(&path).unwrap());
    let shown = |talk: &Talk| (testing::texts(&talk.events), usage(talk).last().cloned());
    assert_eq!(shown(&recorded), shown(&played));
    assert_eq!(testing::texts(&played.events), ["Rice co", "180."]);
}

#[test]
fn a_tool_must_have_a_form_at_all_models() {
    let tool = |schema| agui_runtime::model::ToolSpec::new("find", "Finds.", schema);
    let model = Model::from(ModelFallback::new(named("wide", [])).then(named("narrow", [])));
    assert!(model.check_tool(&tool(serde_json::json!({ "type": "object" }))).is_ok());
    assert!(model.check_tool(&tool(serde_json::json!({ "type": "array" }))).is_err());
}
