//! The macros' output runs as written.

mod accepted;

use std::collections::BTreeMap;
use std::fmt;

use agui_runtime::manifest::hook;
use agui_runtime::prelude::*;
use agui_runtime::protocol::ToolSide;
use agui_runtime::protocol::{
    AssistantMessage, Event, FunctionCall, Message, RunAgentInput, ToolCall, ToolMessage, UserMessage,
};
use agui_runtime::state::MapKey;
use agui_runtime::{Agent, FinishedRun, Tool, testing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A price.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Euro {
    cents: u32,
}

#[derive(Debug, thiserror::Error)]
#[error("we have no {0}")]
pub struct ShopError(String);

impl agui_runtime::PublicError for ShopError {}

pub struct Shop {
    cents: u32,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
pub struct Recipe {
    title: String,
    steps: Vec<Step>,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
pub struct Step {
    #[state(key)]
    text: String,
}

/// Something is in the pan.
#[derive(CustomEvent, Serialize, JsonSchema)]
pub struct PanSizzles {
    loud: bool,
}

/// A well-known event of AG-UI itself.
#[derive(CustomEvent, Serialize, JsonSchema)]
#[event(name = "PredictState", reserved)]
pub struct Prediction(String);

mod tools {
    use super::*;

    /// Looks up what an ingredient costs.
    ///
    /// - prices are *today's*
    ///   - in cents
    #[tool]
    pub(super) async fn price(
        shop: &Shop,
        /// ingredient name, singular
        name: String,
        #[serde(default)] kilos: Option<u32>,
    ) -> Result<Euro, ShopError> {
        match name.as_str() {
            "truffle" => Err(ShopError(name)),
            _ => Ok(Euro { cents: shop.cents * kilos.unwrap_or(1) }),
        }
    }
}

use tools::price;

type Priced<T> = Result<T, ShopError>;

/// Fails behind an alias of `Result`.
#[tool(name = "sold-out")]
fn sold_out(#[serde(rename = "type")] r#type: String) -> Priced<Euro> {
    Err(ShopError(r#type))
}

/// Reads everything that a tool may borrow.
#[tool]
async fn look_around(
    cook: &Chef,
    ctx: &ToolCtx,
    emit: &Emit,
    recipe: &StateHandle<Recipe>,
) -> Result<String, agui_runtime::state::StateError> {
    emit.say(format!("{} for {} cents", ctx.tool(), cook.shop.cents)).await;
    recipe.update(|recipe| recipe.steps.push(Step { text: "looked".into() })).await?;
    recipe.read(|recipe| recipe.title.clone())
}

/// Asks the person to confirm before anything is ordered.
#[tool(frontend)]
pub async fn confirm_order(total: Euro) -> bool;

/// Cooks with you.
#[agent(
    state = Recipe,
    tools = [price, sold_out, look_around, confirm_order],
    events = [PanSizzles, Prediction],
)]
async fn chef(run: &mut Run<Chef>, input: Input<Chef>, shop: &Shop) -> Result<u32, Stop> {
    let recipe = run.state().snapshot(&Recipe::default()).await?;
    if let Some(confirmed) = input.frontend_result::<confirm_order>()? {
        run.say(if confirmed { "Ordered." } else { "Then not." }).await;
        return Ok(0);
    }
    match input.user_text().unwrap_or_default().as_str() {
        "signal" => {
            run.custom(PanSizzles { loud: true }).await?;
            run.custom(Prediction("soon".into())).await?;
        }
        "look" => {
            recipe.update(|recipe| recipe.title = "Risotto".into()).await?;
            run.call(look_around {}).await?.run().await?;
        }
        "order" => {
            let call = run.call(confirm_order { total: Euro { cents: shop.cents } }).await?;
            return Err(Stop::await_frontend([call]));
        }
        "truffle" => {
            run.call(price { name: "truffle".into(), kilos: None }).await?.run().await?;
        }
        "sold out" => {
            let sold = run.call(sold_out { r#type: "rice".into() }).await?.run().await;
            return Ok(u32::from(sold.is_err()));
        }
        "forget" => {
            let _forgotten = run.call(price { name: "rice".into(), kilos: None }).await?;
        }
        arguments => {
            let mut call = run.tool::<price>().await;
            call.push(arguments).await;
            return Ok(call.end()?.run().await?.cents);
        }
    }
    Ok(shop.cents)
}

fn input(messages: Vec<Message>) -> RunAgentInput {
    RunAgentInput::new("thread", "run", messages).with_protocol_version("1.0")
}

fn asked(text: &str) -> RunAgentInput {
    input(vec![Message::User(UserMessage::new("m1", text))])
}

/// Runs the agent and returns its events without RUN_STARTED and the state's snapshot.
async fn run<A: Agent>(agent: A, input: RunAgentInput) -> Vec<Value> {
    let events = testing::run(agent, input).await;
    let json = |event: &Event| serde_json::to_value(event).unwrap();
    let boring = |event: &Value| event["type"] == "RUN_STARTED" || event["type"] == "STATE_SNAPSHOT";
    events.iter().map(json).filter(|event| !boring(event)).collect()
}

async fn cook(wish: &str) -> Vec<Value> {
    run(Chef::new(Shop { cents: 150 }), asked(wish)).await
}

fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_tool_gets_its_arguments_from_the_model_and_the_rest_from_the_agent() {
    let events = cook(r#"{"name":"rice","kilos":2,"unheard_of":true}"#).await;
    let called = ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT", "RUN_FINISHED"];
    assert_eq!(types(&events), called);
    assert_eq!(events[0]["toolCallName"], "price");
    assert_eq!(events[3]["content"], r#"{"cents":300}"#);
    assert_eq!(events[4]["result"], 300);
}

#[tokio::test]
async fn a_default_fills_in_for_the_model() {
    assert_eq!(cook(r#"{"name":"rice"}"#).await[4]["result"], 150);
}

#[tokio::test]
async fn a_wrong_argument_is_answered_with_its_place() {
    let events = cook(r#"{"name":"rice","kilos":"two"}"#).await;
    let content = events[3]["content"].as_str().unwrap();
    assert!(content.contains("price") && content.contains("kilos"), "{content}");
    assert_eq!(events[4]["type"], "RUN_ERROR");
    assert_eq!(events[4]["code"], "tool_arguments_invalid");
}

#[tokio::test]
async fn a_tool_that_fails_tells_the_model_and_then_the_agent() {
    let events = cook("truffle").await;
    assert_eq!(events[3]["content"], r#"{"error":"we have no truffle"}"#);
    assert_eq!(events[4]["type"], "RUN_ERROR");
    assert_eq!(events[4]["message"], "the agent failed (run run)");
}

#[tokio::test]
async fn an_alias_of_result_is_a_result() {
    let events = cook("sold out").await;
    assert_eq!(events[0]["toolCallName"], "sold-out");
    assert_eq!(events[1]["delta"], r#"{"type":"rice"}"#);
    assert_eq!(events[3]["content"], r#"{"error":"we have no rice"}"#);
    assert_eq!(events[4]["result"], 1);
}

#[tokio::test]
async fn an_unanswered_call_is_abandoned() {
    let events = cook("forget").await;
    assert_eq!(events[3]["content"], r#"{"error":"abandoned"}"#);
    assert_eq!(events[4]["type"], "RUN_FINISHED");
}

#[tokio::test]
async fn a_tool_borrows_the_agent_the_call_the_run_and_the_state() {
    let events = run(Chef::new(Shop { cents: 150 }), asked("look")).await;
    let text: String = events.iter().filter_map(|event| event["delta"].as_str()).collect();
    assert!(text.contains("look_around for 150 cents"), "{events:#?}");
    let result = events.iter().find(|event| event["type"] == "TOOL_CALL_RESULT").unwrap();
    assert_eq!(result["content"], "Risotto");
}

#[tokio::test]
async fn custom_events_go_by_the_package_or_by_the_given_name() {
    let events = cook("signal").await;
    assert_eq!(events[0]["name"], "agui-tests.pan_sizzles");
    assert_eq!(events[0]["value"], json!({"loud": true}));
    assert_eq!(events[1]["name"], "PredictState");
}

#[tokio::test]
async fn a_frontend_tool_is_answered_in_the_next_run() {
    let events = cook("order").await;
    assert_eq!(types(&events), ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "RUN_FINISHED"]);
    assert_eq!(events[3]["outcome"]["pendingToolCallIds"], json!([events[0]["toolCallId"]]));

    let id = events[0]["toolCallId"].as_str().unwrap();
    let call = ToolCall::new(id, FunctionCall::new("confirm_order", r#"{"total":{"cents":150}}"#));
    let answered = input(vec![
        Message::Assistant(AssistantMessage::new("m2").with_tool_calls(vec![call])),
        Message::Tool(ToolMessage::new("m3", "true", id)),
    ]);
    let events = run(Chef::new(Shop { cents: 150 }), answered).await;
    assert_eq!(events[1]["delta"], "Ordered.");
}

#[tokio::test]
async fn the_function_stays_a_function() {
    assert_eq!(price(&Shop { cents: 5 }, "rice".into(), Some(3)).await.unwrap(), Euro { cents: 15 });
    assert!(sold_out("rice".into()).is_err());
}

#[test]
fn a_tool_describes_itself() {
    let source = <price as Tool>::source();
    assert_eq!(source.side, ToolSide::Backend);
    let docs = "Looks up what an ingredient costs.\n\n- prices are *today's*\n  - in cents";
    assert_eq!(source.description, docs);
    assert_eq!(
        source.arguments.root_schema().to_value(),
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "PriceArguments",
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "ingredient name, singular"},
                "kilos": {"type": ["integer", "null"], "minimum": 0, "maximum": 4_294_967_295_u32, "default": null},
            },
            "required": ["name"],
        })
    );
    let result = source.result.unwrap().root_schema().to_value();
    assert_eq!(result["title"], "Euro", "what is behind the `Result`");

    let asks = <confirm_order as Tool>::source();
    assert_eq!(asks.side, ToolSide::Frontend);
    assert_eq!(asks.result.unwrap().root_schema().to_value()["type"], "boolean");
}

#[test]
fn an_agent_describes_itself_and_is_listed() {
    let source = Chef::source();
    assert_eq!((source.name, source.description), ("chef", "Cooks with you."));
    assert_eq!(source.version, env!("CARGO_PKG_VERSION"));
    let tools: Vec<_> = source.tools.iter().map(|tool| tool.name).collect();
    assert_eq!(tools, ["price", "sold-out", "look_around", "confirm_order"]);
    let events: Vec<_> = source.events.iter().map(|event| event.name).collect();
    assert_eq!(events, ["agui-tests.pan_sizzles", "PredictState"]);
    assert_eq!(source.state.unwrap().root_schema().to_value()["title"], "Recipe");

    assert!(Waiter::source().state.is_none(), "`()` is no state");
    let listed: Vec<_> = hook::registered().into_iter().map(|agent| agent.name).collect();
    let accepted = ["cook", "counted", "greeter", "inner", "reexported", "smallest", "written"];
    let own = listed.iter().filter(|name| !accepted.contains(name));
    assert_eq!(own.collect::<Vec<_>>(), [&"chef", &"head-waiter", &"library"]);
    assert_eq!(listed.len(), 3 + accepted.len());
}

/// Ends its run itself.
#[agent(strict, name = "head-waiter")]
async fn waiter<'r>(
    run: &'r mut Run<Waiter>,
    _: Input<Waiter>,
) -> Result<FinishedRun<'r, &'static str>, fmt::Error> {
    run.say("Your table.").await;
    Ok(run.finish("seated"))
}

#[tokio::test]
async fn a_strict_agent_ends_its_run_itself() {
    let events = run(Waiter::new(), asked("")).await;
    assert_eq!(events.last().unwrap()["result"], "seated");
}

struct Library {
    books: Vec<&'static str>,
}

/// Knows books.
#[agent(state = u32)]
impl Library {
    const MOST: usize = 2;

    async fn run(&self, run: &mut Run<Self>, input: Input<Self>) -> Result<Vec<String>, Stop> {
        run.state().snapshot(&0).await?;
        let found = run.call(search { text: input.user_text().unwrap_or_default() }).await?.run().await;
        if found.len() > Self::MOST {
            return Err(Stop::await_frontend([run.call(choose { titles: found }).await?]));
        }
        Ok(found)
    }

    /// Finds books.
    #[tool]
    async fn search(&self, count: &StateHandle<u32>, text: String) -> Vec<String> {
        let found: Vec<_> =
            self.books.iter().filter(|book| book.contains(&text)).map(ToString::to_string).collect();
        let _ = count.update(|count| *count += 1).await;
        found
    }

    /// Lets the person choose one.
    #[tool(frontend)]
    fn choose(titles: Vec<String>) -> String;
}

#[tokio::test]
async fn an_impl_block_is_an_agent() {
    let library = || Library { books: vec!["Dune", "Duniverse", "Emma", "Dunes"] };
    assert_eq!(run(library(), asked("Em")).await.last().unwrap()["result"], json!(["Emma"]));
    let events = run(library(), asked("Dun")).await;
    assert_eq!(events.last().unwrap()["outcome"]["pendingToolCallIds"].as_array().unwrap().len(), 1);
    assert!(events.iter().any(|event| event["toolCallName"] == "choose"));
    let tools: Vec<_> = Library::source().tools.iter().map(|tool| tool.name).collect();
    assert_eq!(tools, ["search", "choose"]);
}

/// Every form of a state.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "what nobody reads is no state")]
struct Kitchen<T> {
    shelves: BTreeMap<Shelf, Vec<T>>,
    by_name: BTreeMap<Name, u32>,
    #[state(key = "text")]
    steps: Option<Vec<Step>>,
    dish: Dish,
    nothing: Nothing,
    #[state(opaque)]
    photo: Photo,
    #[serde(skip)]
    cache: Cache,
    #[serde(with = "cents")]
    #[schemars(with = "String")]
    #[state(opaque)]
    price: u32,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Shelf {
    Top,
    #[serde(rename = "floor")]
    Bottom,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Name(String);

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Pair(u32, String);

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Nothing;

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
#[serde(tag = "type")]
enum Dish {
    Raw,
    Cooked { minutes: u32, with: Box<Dish> },
    Paired(Paired),
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Paired {
    pair: Pair,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone)]
struct Photo(Vec<u8>);

#[derive(Clone, Default)]
struct Cache;

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
#[serde(from = "String", into = "String")]
#[state(opaque)]
struct Loud(String);

impl From<String> for Loud {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<Loud> for String {
    fn from(Loud(text): Loud) -> Self {
        text
    }
}

mod cents {
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(cents: &u32, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(cents)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<u32, D::Error> {
        String::deserialize(input)?.parse().map_err(de::Error::custom)
    }
}

#[test]
fn every_shape_is_a_state() {
    fn is_state<S: State>() {}
    fn is_key<K: MapKey>() {}
    is_state::<Kitchen<Loud>>();
    is_state::<Kitchen<Pair>>();
    is_key::<Shelf>();
    is_key::<Name>();
}
