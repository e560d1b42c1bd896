//! The typed output of a chat: its schema, its checks, and the turns that lack it.

use std::fmt::Debug;
use std::sync::Arc;

use agui_runtime::model::{
    Chat, FinalOutput, Model, Prompt, PromptMessage, Reply, SchemaDialect, ScriptedModel,
};
use agui_runtime::prelude::*;
use agui_runtime::protocol::Tool as ClientTool;
use agui_runtime::testing::{self, RunEnd};
use futures::future::BoxFuture;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::clerk::price;

/// The order of a user.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
struct Order {
    /// The name of the ingredient.
    name: String,
    #[schemars(range(max = 50))]
    kilos: u8,
}

/// Takes orders.
#[agent(tools = [price])]
async fn taker(run: &mut Run<Taker>, _: Input<Taker>, model: &Model) -> Result<Order, Stop> {
    run.chat(model).output().await
}

fn order() -> Order {
    Order { name: "rice".to_owned(), kilos: 2 }
}

/// Returns the prompts of a run, its end in one line, and its events.
fn take(replies: impl Into<Vec<Reply>>) -> (Vec<Prompt>, String, String) {
    take_from(replies, testing::input("Two kilos of rice."))
}

fn take_from(
    replies: impl Into<Vec<Reply>>,
    input: agui_runtime::protocol::RunAgentInput,
) -> (Vec<Prompt>, String, String) {
    let script = Arc::new(ScriptedModel::new(replies));
    let events = futures::executor::block_on(testing::run(Taker::new(Arc::clone(&script).into()), input));
    let end = match testing::end(&events) {
        RunEnd::Success { result: Some(order), .. } => order.to_string(),
        RunEnd::Failed { code: Some(code), .. } => code.to_owned(),
        other => panic!("{other:?}"),
    };
    (script.prompts(), end, testing::lines(&events[1..events.len() - 1]))
}

/// Returns the content of the last answer that the model read.
fn last_answer(prompts: &[Prompt]) -> String {
    let answers = prompts.last().unwrap().last_results();
    answers.last().unwrap_or_else(|| panic!("{prompts:#?}")).content.text().into_owned()
}

#[test]
fn the_output_is_the_result_of_the_run_and_not_a_call_on_the_wire() {
    let (prompts, end, events) = take([Reply::output(order())]);
    assert_eq!(end, r#"{"name":"rice","kilos":2}"#);
    assert_eq!(events, "");
    let tool = prompts[0].tools.iter().find(|tool| tool.name == "final_result").unwrap();
    assert!(tool.description.starts_with("The order of a user. Call this once"), "{}", tool.description);
    assert_eq!(tool.parameters["properties"]["kilos"]["maximum"], 50);
}

#[test]
fn a_wrong_value_goes_back_to_the_model() {
    let (prompts, end, events) = take([
        Reply::call("final_result", json!({ "name": "rice", "kilos": "two" })),
        Reply::call("final_result", json!({ "name": "rice", "kilos": 51 })),
        Reply::output(order()),
    ]);
    assert_eq!((end.as_str(), events.as_str()), (r#"{"name":"rice","kilos":2}"#, ""));
    let said = last_answer(&prompts);
    assert!(said.contains("kilos") && said.contains("at most 50, and 51"), "{said}");
    let (prompts, end, events) = take([
        Reply::call("final_result", json!({ "name": "rice", "kilos": "two" })),
        Reply::call("final_result", "{\"name\":"),
        Reply::output(order()),
    ]);
    assert_eq!((end.as_str(), events.as_str()), (r#"{"name":"rice","kilos":2}"#, ""));
    let first = prompts[1].last_results()[0].content.text().into_owned();
    assert!(first.contains("kilos") && first.contains("final_result"), "{first}");
    assert!(last_answer(&prompts).contains("EOF"), "{}", last_answer(&prompts));
    let (_, end, _) = take(["{}", "[]", "1"].map(|wrong| Reply::call("final_result", wrong)));
    assert_eq!(end, "max_bad_calls");
}

#[test]
fn a_turn_without_the_output_is_asked_again() {
    let (prompts, end, events) =
        take([Reply::text("Two kilos, then."), Reply::text(""), Reply::output(order())]);
    assert_eq!(end, r#"{"name":"rice","kilos":2}"#);
    assert!(events.contains("Two kilos, then."), "{events}");
    // The empty turn is no message, and the request is repeated in the same message of the user.
    let messages = &prompts[2].messages;
    let Some(PromptMessage::User(parts)) = messages.last() else { panic!("{messages:#?}") };
    assert_eq!((messages.len(), parts.len()), (3, 2), "{messages:#?}");
    let (_, end, _) = take([Reply::text("a"), Reply::text("b"), Reply::text("c")]);
    assert_eq!(end, "max_bad_calls");
}

#[test]
fn an_output_beside_other_calls_waits_for_their_results() {
    let both = Reply::call("price", price { name: "rice".to_owned() }).and_call("final_result", order());
    let (prompts, end, events) = take([both, Reply::output(order())]);
    assert_eq!(end, r#"{"name":"rice","kilos":2}"#);
    assert!(events.contains("180") && !events.contains("final_result"), "{events}");
    assert!(last_answer(&prompts).contains("alone"), "{}", last_answer(&prompts));
}

#[test]
fn a_tool_of_the_client_with_its_name_is_hidden() {
    let input = testing::input("Rice.").with_tools([ClientTool::new("final_result", "Of the page.")]);
    let (prompts, end, events) = take_from([Reply::output(order())], input);
    assert_eq!((end.as_str(), events.as_str()), (r#"{"name":"rice","kilos":2}"#, ""));
    assert_eq!(prompts[0].tools.iter().filter(|tool| tool.name == "final_result").count(), 1);
}

/// A tree, which refers to itself.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
struct Tree {
    label: String,
    branches: Vec<Tree>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Fine,
    Broken { why: String },
}

type Ask = dyn for<'w> Fn(Chat<'w, Asker>) -> BoxFuture<'w, Result<Value, Stop>> + Send + Sync;

/// The question for a value of one type.
struct Question(Box<Ask>);

/// Returns the value that the model gives, as JSON.
#[agent]
async fn asker(
    run: &mut Run<Asker>,
    _: Input<Asker>,
    model: &Model,
    question: &Question,
) -> Result<Value, Stop> {
    (question.0)(run.chat(model)).await
}

/// Asserts that a value comes back as the model gave it, and that every provider has a form for its schema.
#[track_caller]
fn there_and_back<T>(value: &T, dialects: &[SchemaDialect])
where
    T: FinalOutput + Serialize + Clone + PartialEq + Debug + Send,
{
    let script = Arc::new(ScriptedModel::new([Reply::output(value.clone())]));
    let question: Box<Ask> = Box::new(|chat| {
        Box::pin(async {
            let value: T = chat.output().await?;
            Ok(serde_json::to_value(value)?)
        })
    });
    let agent = Asker::new(Arc::clone(&script).into(), Question(question));
    let events = futures::executor::block_on(testing::run(agent, testing::input("?")));
    let RunEnd::Success { result, .. } = testing::end(&events) else { panic!("{events:#?}") };
    // `null` is no result on the wire.
    assert_eq!(serde_json::from_value::<T>(result.cloned().unwrap_or_default()).unwrap(), *value);
    let tool = &script.prompts()[0].tools[0];
    jsonschema::meta::validate(&tool.parameters).unwrap();
    assert_eq!(tool.parameters["type"], "object");
    for dialect in dialects {
        dialect.translate(&tool.name, &tool.parameters).unwrap();
    }
}

const ALL: [SchemaDialect; 5] = [
    SchemaDialect::OpenAi,
    SchemaDialect::OpenAiStrict,
    SchemaDialect::Anthropic,
    SchemaDialect::AnthropicStrict,
    SchemaDialect::Gemini,
];

#[test]
fn values_that_are_no_objects_are_members_of_one() {
    there_and_back(&7_u32, &ALL);
    there_and_back(&"Graz".to_owned(), &ALL);
    there_and_back(&vec![true, false], &ALL);
    there_and_back(&Some(1.5_f64), &ALL);
    there_and_back(&None::<String>, &ALL);
    there_and_back(&order(), &ALL);
    there_and_back(&Verdict::Fine, &ALL[..4]);
    there_and_back(&Verdict::Broken { why: "cracks".to_owned() }, &ALL[..4]);
    there_and_back(&vec![order()], &ALL);
    let leaf = Tree { label: "leaf".to_owned(), branches: vec![] };
    // Gemini and Anthropic's `strict` have no form for a type that refers to itself.
    there_and_back(&Tree { label: "root".to_owned(), branches: vec![leaf.clone()] }, &ALL[..3]);
    there_and_back(&vec![leaf], &ALL[..3]);
}
