//! Calls of frontend tools: those that the agent declares, and those that only the client does.

use std::sync::Arc;

use agui_runtime::model::{
    CallDelta, ChatModel, EndReason, FrontendContract, Model, ModelStream, Prompt, PromptMessage, Reply,
    ReplyDelta, SchemaDialect, ScriptedModel,
};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Event, NonNull, Tool as ClientTool};
use agui_runtime::testing::{self, RunEnd};
use agui_tests::log::Log;
use serde_json::json;
use tracing::Level;

use crate::clerk::{Talk, checkout, price, shop_input, talk, talk_with};

fn pending(talk: &Talk) -> Vec<String> {
    match testing::end(&talk.events) {
        RunEnd::Success { pending, .. } => pending.iter().map(|call| call.as_str().to_owned()).collect(),
        end => panic!("{end:?}"),
    }
}

#[test]
fn the_run_ends_where_the_page_must_answer() {
    let talk = talk([Reply::call("checkout", checkout { total: 180 })]);
    assert_eq!(pending(&talk).len(), 1);
    assert_eq!(talk.prompts.len(), 1);
    assert!(talk.lines().contains(r#"delta="{\"total\":180}""#), "{}", talk.lines());
}

#[test]
fn backend_tools_beside_it_run() {
    let rice = price { name: "rice".to_owned() };
    let talk = talk([Reply::call("checkout", checkout { total: 180 }).and_call("price", rice)]);
    assert_eq!(pending(&talk).len(), 1);
    assert!(talk.events.iter().any(|event| matches!(event, Event::ToolCallResult(_))), "{}", talk.lines());
}

/// A call that was sent cannot be taken back, and the page would act on it.
#[test]
fn a_call_with_wrong_arguments_is_not_sent() {
    let talk = talk([
        Reply::call("checkout", json!({ "total": "much" })),
        Reply::call("checkout", checkout { total: 180 }),
    ]);
    assert_eq!(pending(&talk).len(), 1);
    let calls = talk.events.iter().filter(|event| matches!(event, Event::ToolCallStart(_))).count();
    assert_eq!(calls, 1, "{}", talk.lines());
    let PromptMessage::Tools(answers) = &talk.last_read()[2] else { panic!("{:?}", talk.last_read()) };
    let why = answers[0].content.text();
    assert!(why.contains("total") && why.contains("invalid type"), "{why}");
}

#[test]
fn a_tool_of_the_page_alone_can_be_called() {
    let talk = talk([Reply::call("search", json!({ "query": "rice" }))]);
    assert_eq!(pending(&talk).len(), 1);
}

#[test]
fn a_call_of_it_that_is_no_json_goes_back_to_the_model() {
    let talk = talk([Reply::call("search", r#"{"query""#), Reply::text("Never mind.")]);
    assert_eq!(testing::texts(&talk.events), ["Never mind."]);
    let PromptMessage::Tools(answers) = &talk.last_read()[2] else { panic!("{:?}", talk.last_read()) };
    assert!(answers[0].failed && answers[0].content.text().contains("not JSON"), "{answers:?}");
}

#[test]
fn it_can_be_hidden() {
    let replies = [Reply::call("search", json!({})), Reply::text("Never mind.")];
    let talk = talk_with(replies, shop_input("Hi"), |chat| chat.max_turns(9).only_declared_tools());
    assert!(!talk.prompts[0].tools.iter().any(|tool| tool.name == "search"));
    let PromptMessage::Tools(answers) = &talk.last_read()[2] else { panic!("{:?}", talk.last_read()) };
    assert!(answers[0].content.text().contains("there is no tool `search`"), "{answers:?}");
}

#[test]
fn a_declared_tool_that_the_page_lacks_is_left_out_called_or_refused() {
    let without = || testing::input("Rice?");
    let names = |talk: &Talk| talk.prompts[0].tools.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>();
    let left_out = talk_with([Reply::text("Hello.")], without(), |chat| chat);
    assert_eq!(names(&left_out), ["price"]);

    let call = [Reply::call("checkout", checkout { total: 1 })];
    let called = talk_with(call, without(), |chat| chat.frontend_contract(FrontendContract::Ignore));
    assert_eq!((names(&called), pending(&called).len()), (vec!["price".into(), "checkout".into()], 1));

    let refused = talk_with([], without(), |chat| chat.frontend_contract(FrontendContract::Refuse));
    assert!(refused.end().contains("tool_not_offered") && refused.prompts.is_empty(), "{}", refused.end());
}

/// Returns an input whose client offers `checkout` with a schema of its own.
fn offering(total: &serde_json::Value) -> agui_runtime::protocol::RunAgentInput {
    let schema = json!({ "type": "object", "properties": { "total": total }, "required": ["total"] });
    let schema = NonNull::new(schema).expect("not null");
    testing::input("Rice?").with_tools([ClientTool::new("checkout", "Asks.").with_parameters(schema)])
}

/// AG-UI says that the client's list of tools is the authority, so the run must not promise what the client refuses.
#[test]
fn a_tool_of_the_page_that_refuses_declared_arguments_is_warned_of_or_refused() {
    let small = json!({ "type": "integer", "minimum": 0, "maximum": 99 });
    let call = || [Reply::call("checkout", checkout { total: 180 })];
    for (contract, warnings) in [(FrontendContract::Ignore, 0), (FrontendContract::Warn, 1)] {
        let (log, _recording) = Log::record(Level::WARN);
        let called = talk_with(call(), offering(&small), move |chat| chat.frontend_contract(contract));
        assert_eq!(pending(&called).len(), 1, "{contract:?}");
        let said: Vec<_> = log.take().into_iter().filter(|line| line.contains("above 99")).collect();
        assert_eq!(said.len(), warnings, "{contract:?}: {said:?}");
    }
    let refuse = |input| talk_with(call(), input, |chat| chat.frontend_contract(FrontendContract::Refuse));
    let refused = refuse(offering(&small));
    assert!(refused.end().contains("tool_narrower") && refused.prompts.is_empty(), "{}", refused.end());
    assert!(refused.end().contains("narrower than the declared one at `total`: it takes no number above 99"));
    let same = json!({ "type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32 });
    assert_eq!(pending(&refuse(offering(&same))).len(), 1);
}

#[test]
fn a_call_of_it_that_is_no_object_goes_back_to_the_model() {
    for wrong in ["[]", "7", r#""rice""#, "null"] {
        let call = CallDelta::new(0).with_tool("search").with_arguments(wrong);
        let talk = talk([
            Reply::deltas([ReplyDelta::Call(call), ReplyDelta::End(EndReason::Stop)]),
            Reply::text("Never mind."),
        ]);
        assert_eq!(testing::texts(&talk.events), ["Never mind."], "{wrong}");
        let PromptMessage::Tools(answers) = &talk.last_read()[2] else { panic!("{:?}", talk.last_read()) };
        assert!(answers[0].failed && answers[0].content.text().contains("no JSON object"), "{answers:?}");
    }
}

fn tools_seen(talk: &Talk) -> Vec<String> {
    talk.prompts[0].tools.iter().map(|tool| tool.name.clone()).collect()
}

/// A provider refuses all tools if one of them is wrong.
#[test]
fn a_tool_of_the_page_that_no_provider_takes_is_left_out() {
    let names = ["", "7up", "with space", "häuser", "a.b", &"a".repeat(65)];
    let mut tools: Vec<_> = names.into_iter().map(|name| ClientTool::new(name, "Odd.")).collect();
    tools.push(ClientTool::new("_fine-1", "Fine."));
    let input = testing::input("Hi").with_tools(tools);
    assert_eq!(tools_seen(&talk_with([Reply::text("Hello.")], input, |chat| chat)), ["price", "_fine-1"]);
}

/// A model that reads the tools of the others, in Gemini's dialect.
struct Narrow(Arc<ScriptedModel>);

impl ChatModel for Narrow {
    fn provider(&self) -> &str {
        "narrow"
    }

    fn name(&self) -> &str {
        "narrow"
    }

    fn dialect(&self) -> SchemaDialect {
        SchemaDialect::Gemini
    }

    fn respond<'a>(&'a self, prompt: &'a Prompt) -> ModelStream<'a> {
        self.0.respond(prompt)
    }
}

/// Takes a map, which Gemini has not.
#[tool]
async fn order(prices: std::collections::BTreeMap<String, u32>) -> u32 {
    u32::try_from(prices.len()).unwrap_or_default()
}

/// Takes orders.
#[agent(tools = [order])]
async fn buyer(run: &mut Run<Buyer>, _: Input<Buyer>, model: &Model) -> Result<(), Stop> {
    run.chat(model).await
}

/// Uses the tools of the page alone.
#[agent]
async fn guest(run: &mut Run<Guest>, _: Input<Guest>, model: &Model) -> Result<(), Stop> {
    run.chat(model).await
}

#[test]
fn a_schema_that_the_provider_lacks_leaves_a_tool_of_the_page_out_and_fails_one_of_the_agent() {
    let model = || Arc::new(ScriptedModel::new([Reply::text("Hello.")]));
    let map = json!({ "type": "object", "properties": { "a": { "type": "object", "additionalProperties": true } } });
    let odd = ClientTool::new("odd", "Odd.").with_parameters(serde_json::from_value::<NonNull>(map).unwrap());
    let input = testing::input("Hi").with_tools([odd, ClientTool::new("fine", "Fine.")]);
    let seen = model();
    let agent = Guest::new(Narrow(Arc::clone(&seen)).into());
    let (log, _recording) = Log::record(Level::WARN);
    futures::executor::block_on(testing::run(agent, input));
    let logged = log.take().join("\n");
    assert!(logged.contains("tool `odd`") && logged.contains("/properties/a"), "{logged}");
    let seen: Vec<_> = seen.prompts()[0].tools.iter().map(|tool| tool.name.clone()).collect();
    assert_eq!(seen, ["fine"]);

    let agent = Buyer::new(Narrow(model()).into());
    let events = futures::executor::block_on(testing::run(agent, testing::input("Hi")));
    assert!(testing::lines(&events).contains(r#"code="model_failed""#), "{}", testing::lines(&events));
    let logged = log.take().join("\n");
    let place = "/properties/prices/additionalProperties";
    assert!(logged.contains("tool `order`") && logged.contains(place), "{logged}");
}

/// The client would run each call of it, too.
#[test]
fn a_tool_of_the_agent_that_the_page_declares_is_seen_as_neither() {
    let input = testing::input("Rice?").with_tools([ClientTool::new("price", "Mine.")]);
    let replies = [Reply::call("price", price { name: "rice".into() }), Reply::text("Never mind.")];
    let talk = talk_with(replies, input, |chat| chat);
    assert_eq!(tools_seen(&talk), Vec::<String>::new());
    assert!(talk.end().starts_with("RUN_FINISHED"), "{}", talk.end());
}

/// Drives its model by hand, one step too far.
#[agent(tools = [checkout])]
async fn eager(run: &mut Run<Eager>, _: Input<Eager>, model: &Model) -> Result<(), Stop> {
    let mut chat = run.chat(model).frontend_contract(FrontendContract::Ignore);
    let first = chat.step().await?.end.expect("the page must answer");
    let second = chat.step().await?.end.expect("the same");
    assert_eq!(first, second);
    second.into_result()
}

#[test]
fn a_step_after_the_end_returns_the_end_again() {
    let call = || Reply::call("checkout", checkout { total: 180 });
    let script = Arc::new(ScriptedModel::new([call(), call()]));
    let events = futures::executor::block_on(testing::run(
        Eager::new(Arc::clone(&script).into()),
        testing::input("Hi"),
    ));
    let RunEnd::Success { pending: [_], .. } = testing::end(&events) else { panic!("{events:#?}") };
    assert_eq!(script.prompts().len(), 1);
}
