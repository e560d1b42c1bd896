//! The typed output at a provider with structured output of its own, and the state while a model writes the output.

use std::sync::Arc;

use agui_runtime::model::{
    ChatModel, EndReason, Model, ModelError, ModelFallback, ModelRecorder, ModelStream, OutputSpec, Prompt,
    PromptMessage, Reply, ReplyDelta, ReplyModel, ScriptedModel, ToolChoice, ToolSpec,
};
use agui_runtime::prelude::*;
use agui_runtime::protocol::Event;
use agui_runtime::state::ChunkedText;
use agui_runtime::testing::{self, RunEnd};
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

const ORDER: &str = r#"{"name":"rice","kilos":2}"#;

fn order() -> Reply {
    Reply::output(Order { name: "rice".to_owned(), kilos: 2 })
}

/// Returns the prompts of a run, its end in one line, and its events.
fn take(replies: impl Into<Vec<Reply>>) -> (Vec<Prompt>, String, String) {
    let script = Arc::new(ScriptedModel::new(replies).native_output().pieces(3));
    let agent = Taker::new(Arc::clone(&script).into());
    let events = futures::executor::block_on(testing::run(agent, testing::input("Two kilos of rice.")));
    (script.prompts(), end(&events), testing::lines(&events[1..events.len() - 1]))
}

fn end(events: &[Event]) -> String {
    match testing::end(events) {
        RunEnd::Success { result: Some(order), .. } => order.to_string(),
        RunEnd::Failed { code: Some(code), .. } => code.to_owned(),
        other => panic!("{other:?}"),
    }
}

fn has_tool(prompt: &Prompt) -> bool {
    prompt.tools.iter().any(|tool| tool.name == "final_result")
}

fn last_user(prompt: &Prompt) -> String {
    prompt.last_user_text().unwrap_or_else(|| panic!("{prompt:#?}"))
}

#[test]
fn the_text_is_the_output_and_not_a_message() {
    let (prompts, end, events) = take([order()]);
    assert_eq!((end.as_str(), events.as_str()), (ORDER, ""));
    let output = prompts[0].output.as_deref().unwrap();
    assert!(!has_tool(&prompts[0]) && prompts[0].tools.len() == 1);
    assert_eq!((output.name.as_str(), output.description.as_str()), ("final_result", "The order of a user."));
    assert_eq!(output.schema["properties"]["kilos"]["maximum"], 50);
}

#[test]
fn a_value_that_does_not_fit_goes_back() {
    for (wrong, why) in
        [(r#"{"name":"rice","kilos":51}"#, "at most 50, and 51"), (r#"{"name":"#, "EOF"), ("{}", "`name`")]
    {
        let (prompts, end, events) = take([Reply::text(wrong), order()]);
        assert_eq!((end.as_str(), events.as_str()), (ORDER, ""), "{wrong}");
        let said = last_user(&prompts[1]);
        assert!(said.contains(why) && said.contains("Call the tool `final_result`"), "{said}");
        // The model reads its own value between the two messages of the user.
        let [.., PromptMessage::Assistant(read), PromptMessage::User(_)] = &*prompts[1].messages else {
            panic!("{:#?}", prompts[1].messages)
        };
        assert_eq!(read.len(), 1);
        // A server that ignores the schema must not lose the run.
        assert!(prompts[0].output.is_some() && !has_tool(&prompts[0]));
        assert!(prompts[1].output.is_none() && has_tool(&prompts[1]));
    }
    let (_, end, _) = take(["{}", "{}", "{}"].map(Reply::text));
    assert_eq!(end, "max_bad_calls");
}

#[test]
fn a_provider_that_ignores_the_schema_is_asked_by_a_tool() {
    let (prompts, end, events) = take([Reply::text("Two kilos, then."), order()]);
    assert_eq!(end, ORDER);
    assert!(events.contains("Two"), "{events}");
    assert!(prompts[0].output.is_some() && !has_tool(&prompts[0]));
    assert!(prompts[1].output.is_none() && has_tool(&prompts[1]));
    assert!(last_user(&prompts[1]).contains("final_result"));
}

#[test]
fn a_provider_that_refuses_the_schema_is_asked_by_a_tool() {
    for status in [400, 415, 422] {
        let refused = Reply::failure(move || ModelError::Refused { status, message: "no".to_owned() });
        let (prompts, end, events) = take([refused, order()]);
        assert_eq!((end.as_str(), events.as_str(), prompts.len()), (ORDER, "", 2));
        assert!(prompts[0].output.is_some() && !has_tool(&prompts[0]));
        assert!(prompts[1].output.is_none() && has_tool(&prompts[1]));
        assert_eq!(prompts[0].messages, prompts[1].messages);
    }
    // A provider that is down is not asked again, and neither is one that refuses the other form too.
    let down = Reply::failure(|| ModelError::Failed("down".to_owned()));
    assert_eq!(take([down, order()]).1, "model_failed");
    let gone = Reply::failure(|| ModelError::Refused { status: 404, message: "no such model".to_owned() });
    let (prompts, end, _) = take([gone, order()]);
    assert_eq!((end.as_str(), prompts.len()), ("model_failed", 1));
    let refused = Reply::failure(|| ModelError::Refused { status: 400, message: "no".to_owned() });
    let (prompts, end, _) = take([refused.clone(), refused, order()]);
    assert_eq!((end.as_str(), prompts.len()), ("model_failed", 2));
}

#[test]
fn the_first_of_several_models_is_asked_by_a_tool_before_the_next() {
    let refused = Reply::failure(|| ModelError::Refused { status: 400, message: "no".to_owned() });
    let first = Arc::new(ScriptedModel::new([refused, order()]).native_output());
    let next = Arc::new(ScriptedModel::new([order()]).native_output());
    let model = ModelFallback::new(Arc::clone(&first)).then(Arc::clone(&next));
    let agent = Taker::new(model.into());
    let events = futures::executor::block_on(testing::run(agent, testing::input("Rice.")));
    assert_eq!(end(&events), ORDER);
    assert_eq!((first.prompts().len(), next.prompts().len()), (2, 0));
    assert!(has_tool(&first.prompts()[1]));
}

#[test]
fn a_forced_output_is_a_tool_in_that_turn() {
    /// Takes orders at once.
    #[agent(tools = [price])]
    async fn hasty(run: &mut Run<Hasty>, _: Input<Hasty>, model: &Model) -> Result<Order, Stop> {
        run.chat(model).tool_choice(ToolChoice::Tool("final_result".to_owned())).output().await
    }
    /// Takes orders at once, by a rule for the first turn.
    #[agent(tools = [price])]
    async fn ruled(run: &mut Run<Ruled>, _: Input<Ruled>, model: &Model) -> Result<Order, Stop> {
        let forced = || ToolChoice::Tool("final_result".to_owned());
        run.chat(model)
            .choose_tools(|turn| {
                if turn.number() == 2 {
                    turn.choose(forced());
                }
            })
            .output()
            .await
    }
    let script = Arc::new(ScriptedModel::new([order()]).native_output());
    let agent = Hasty::new(Arc::clone(&script).into());
    assert_eq!(end(&futures::executor::block_on(testing::run(agent, testing::input("Rice.")))), ORDER);
    assert!(script.prompts()[0].output.is_none() && has_tool(&script.prompts()[0]));
    let price = |name: &str| Reply::call("price", price { name: name.to_owned() });
    let script = Arc::new(ScriptedModel::new([price("rice"), price("salt"), order()]).native_output());
    let agent = Ruled::new(Arc::clone(&script).into());
    assert_eq!(end(&futures::executor::block_on(testing::run(agent, testing::input("Rice.")))), ORDER);
    let forms: Vec<_> =
        script.prompts().iter().map(|prompt| (prompt.output.is_some(), has_tool(prompt))).collect();
    assert_eq!(forms, [(true, false), (false, true), (true, false)]);
}

#[test]
fn an_output_beside_calls_is_asked_again_after_their_results() {
    let both = Reply::text(r#"{"name":"#).and_call("price", price { name: "rice".to_owned() });
    let (prompts, end, events) = take([both, order()]);
    assert_eq!(end, ORDER);
    assert!(events.contains("180") && !events.contains("name\\\""), "{events}");
    assert_eq!(prompts[1].last_results().len(), 1);
}

#[test]
fn refusals_and_cut_off_outputs_have_codes() {
    let (_, end, events) = take([Reply::text("I will not.").ends(EndReason::Refused)]);
    assert_eq!(end, "model_refused");
    assert!(events.contains("will not") || events.contains("TEXT_MESSAGE"), "{events}");
    assert_eq!(take([Reply::text(r#"{"name":"ri"#).ends(EndReason::OutputLimit)]).1, "output_limit");
    assert_eq!(take([Reply::text(ORDER).ends(EndReason::OutputLimit)]).1, "output_limit");
    assert_eq!(take([Reply::text(r#"{"name":"ri"#).ends(EndReason::ContentFilter)]).1, "content_filter");
    assert_eq!(take([Reply::text(ORDER).cut_off()]).1, "model_failed");
    let refused_call = Reply::call("final_result", ORDER).ends(EndReason::Refused);
    assert_eq!(take([refused_call]).1, "model_refused");
}

#[test]
fn a_refusal_in_a_chat_without_an_output_is_a_reply() {
    /// Talks.
    #[agent]
    async fn talker(run: &mut Run<Talker>, _: Input<Talker>, model: &Model) -> Result<(), Stop> {
        run.chat(model).await
    }
    let model = ScriptedModel::new([Reply::text("I will not.").ends(EndReason::Refused)]);
    let events = futures::executor::block_on(testing::run(Talker::new(model.into()), testing::input("Do!")));
    assert!(matches!(testing::end(&events), RunEnd::Success { .. }), "{events:#?}");
    assert_eq!(testing::texts(&events), ["I will not."]);
}

#[test]
fn a_cassette_knows_the_form_of_the_output() {
    let path = std::env::temp_dir().join(format!("agui-native-{}.jsonl", std::process::id()));
    let run = |model: Model| {
        end(&futures::executor::block_on(testing::run(Taker::new(model), testing::input("Rice."))))
    };
    let script = ScriptedModel::new([order()]).native_output();
    assert_eq!(run(ModelRecorder::new(script, &path).unwrap().into()), ORDER);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("output ") && !text.contains(r#""tool":"final_result""#), "{text}");
    assert_eq!(run(ScriptedModel::cassette(&path).unwrap().into()), ORDER);
    std::fs::remove_file(&path).unwrap();
}

/// A document.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
struct Doc {
    title: String,
    body: ChunkedText,
    steps: Vec<Step>,
}

/// A step.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, PartialEq, Debug)]
struct Step {
    text: String,
    minutes: u8,
}

/// A document as the model writes it, and the part that arrived so far.
#[derive(Deserialize, JsonSchema, Default)]
#[serde(default)]
struct Draft {
    title: String,
    body: String,
    steps: Vec<Step>,
}

/// Writes documents.
#[agent(state = Doc)]
async fn writer(run: &mut Run<Writer>, _: Input<Writer>, model: &Model) -> Result<Value, Stop> {
    let doc = run.state().snapshot(&Doc::default()).await?;
    let show = |doc: &mut Doc, Draft { title, body, steps }: Draft| {
        doc.title = title;
        doc.body.stream_to(&body);
        doc.steps = steps;
    };
    let output: Draft = run.chat(model).stream_output(doc, show).await?;
    assert!(doc.read(|doc| *doc.body == *output.body && doc.steps == output.steps)?);
    Ok(json!(output.body))
}

/// Returns the states that a client holds, one after the other.
fn states(events: &[Event]) -> Vec<Value> {
    let mut state = Value::Null;
    let mut states = Vec::new();
    for event in events {
        match serde_json::to_value(event).unwrap() {
            event if event["type"] == "STATE_SNAPSHOT" => state = event["snapshot"].clone(),
            event if event["type"] == "STATE_DELTA" => {
                let patch: json_patch::Patch = serde_json::from_value(event["delta"].clone()).unwrap();
                json_patch::patch(&mut state, &patch).unwrap();
            }
            _ => continue,
        }
        states.push(state.clone());
    }
    states
}

fn doc() -> Value {
    let step = |text: &str, minutes: u8| json!({ "text": text, "minutes": minutes });
    json!({ "title": "Soup \u{1F372}", "body": "Stir \"slowly\".", "steps": [step("Stir", 5), step("Serve", 1)] })
}

fn write(script: ScriptedModel) -> Vec<Event> {
    futures::executor::block_on(testing::run(Writer::new(script.into()), testing::input("Write.")))
}

#[test]
fn the_state_grows_while_the_model_writes_in_both_forms() {
    let script = || ScriptedModel::new([Reply::call("final_result", doc())]).pieces(4);
    for script in [script(), script().native_output()] {
        let events = write(script);
        assert!(matches!(testing::end(&events), RunEnd::Success { .. }), "{events:#?}");
        assert_eq!(testing::texts(&events), [""; 0]);
        let states = states(&events);
        let body = |state: &Value| match &state["body"] {
            Value::Array(pieces) => pieces.iter().filter_map(Value::as_str).collect(),
            other => other.as_str().unwrap_or_default().to_owned(),
        };
        let mut sizes: Vec<_> = states
            .iter()
            .map(|state| {
                (
                    state["title"].as_str().unwrap().len(),
                    body(state).len(),
                    state["steps"].as_array().unwrap().len(),
                )
            })
            .collect();
        sizes.dedup();
        assert!(sizes.is_sorted(), "{sizes:?}");
        assert!(sizes.len() > 6 && sizes.contains(&(9, 14, 1)), "{sizes:?}");
        assert_eq!(sizes.last(), Some(&(9, 14, 2)));
        assert_eq!(states.last().unwrap()["steps"], doc()["steps"]);
    }
}

#[test]
fn a_value_that_does_not_fit_is_replaced_in_the_state() {
    let wrong =
        json!({ "title": "No", "steps": [{ "text": "a", "minutes": 1 }, { "text": "b", "minutes": 300 }] });
    for native in [false, true] {
        let script = ScriptedModel::new([
            Reply::call("final_result", wrong.clone()),
            Reply::call("final_result", doc()),
        ])
        .pieces(5);
        let events = write(if native { script.native_output() } else { script });
        let states = states(&events);
        assert!(
            states
                .iter()
                .any(|state| state["title"] == "No" && state["steps"].as_array().unwrap().len() == 1)
        );
        assert_eq!(states.last().unwrap()["title"], doc()["title"], "{states:#?}");
    }
}

/// Lists words.
#[agent(state = Vec<String>)]
async fn lister(run: &mut Run<Lister>, _: Input<Lister>, model: &Model) -> Result<usize, Stop> {
    let words = run.state().snapshot(&Vec::new()).await?;
    let output: Vec<String> =
        run.chat(model).stream_output(words, |words, part: Vec<String>| *words = part).await?;
    Ok(output.len())
}

#[test]
fn an_output_that_is_no_object_grows_too() {
    for native in [false, true] {
        let script = ScriptedModel::new([Reply::output(vec!["rice", "salt"])]).pieces(2);
        let script = if native { script.native_output() } else { script };
        let events =
            futures::executor::block_on(testing::run(Lister::new(script.into()), testing::input("List.")));
        let states = states(&events);
        assert!(states.contains(&json!(["rice"])) && states.contains(&json!(["ri"])), "{states:?}");
        assert_eq!(states.last(), Some(&json!(["rice", "salt"])));
    }
}

/// A model whose reply another model writes anew.
struct Changing;

impl ChatModel for Changing {
    fn provider(&self) -> &str {
        "first"
    }

    fn name(&self) -> &str {
        "model"
    }

    fn takes_output(&self, _: &OutputSpec, _: &[ToolSpec]) -> bool {
        true
    }

    fn respond<'a>(&'a self, _: &'a Prompt) -> ModelStream<'a> {
        use futures::StreamExt as _;
        let deltas = [
            ReplyDelta::Text(r#"["broken"#.replace('[', r#"{"result":["#)),
            ReplyDelta::ModelChanged(ReplyModel::new("second", "model")),
            ReplyDelta::Text(r#"{"result":["rice"]}"#.to_owned()),
            ReplyDelta::End(EndReason::Stop),
        ];
        futures::stream::iter(deltas.map(Ok)).boxed()
    }
}

#[test]
fn another_model_begins_the_output_anew() {
    let events =
        futures::executor::block_on(testing::run(Lister::new(Changing.into()), testing::input("List.")));
    let states = states(&events);
    assert_eq!(states, [json!([]), json!(["broken"]), json!(["rice"])]);
    assert!(matches!(testing::end(&events), RunEnd::Success { result: Some(Value::Number(_)), .. }));
}
