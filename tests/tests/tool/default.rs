//! `#[tool(default = …)]` on a parameter: the schema and the deserialiser agree.

use std::collections::{BTreeMap, BTreeSet};

use agui_runtime::Agent as _;
use agui_runtime::manifest::Manifest;
use agui_runtime::model::ToolSpec;
use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const MOST: u32 = 7;

/// Searches the orders.
#[tool]
async fn search(
    /// words to look for
    words: Vec<String>,
    /// the number of results
    #[tool(default = MOST + 3)]
    limit: u32,
    /// the order of the results
    #[tool(default = "newest")]
    sort: String,
    /// the states that count
    #[tool(default = BTreeSet::from(["open".to_owned()]))]
    r#in: BTreeSet<String>,
    /// only those of one customer
    customer: Option<u64>,
    #[serde(default)] deep: bool,
) -> u32 {
    assert!(!words.is_empty() && !deep && customer.is_none() && !sort.is_empty() && !r#in.is_empty());
    limit
}

/// The same default of a tool in the same module, and in a function.
#[tool]
async fn list(#[tool(default = 10)] limit: u32) -> u32 {
    limit
}

#[test]
fn an_argument_with_a_default_is_optional_and_the_schema_states_it() {
    let parameters = ToolSpec::from_tool::<search>().parameters;
    assert_eq!(parameters["required"], json!(["words"]));
    assert_eq!(parameters["properties"]["limit"]["default"], 10);
    assert_eq!(parameters["properties"]["sort"]["default"], "newest");
    assert_eq!(parameters["properties"]["in"]["default"], json!(["open"]));
    assert_eq!(ToolSpec::from_tool::<list>().parameters["properties"]["limit"]["default"], 10);
}

#[test]
fn an_argument_that_is_left_out_has_its_default() {
    let search: search = serde_json::from_value(json!({ "words": [] })).expect("the rest has defaults");
    assert_eq!(
        (search.limit, search.sort.as_str(), search.customer, search.deep),
        (10, "newest", None, false)
    );
    assert_eq!(search.r#in, BTreeSet::from(["open".to_owned()]));
    let search: search =
        serde_json::from_value(json!({ "words": [], "limit": 1, "sort": "" })).expect("a search");
    assert_eq!((search.limit, search.sort.as_str()), (1, ""));
}

#[test]
fn a_tool_inside_of_a_function_has_defaults_too() {
    /// Counts.
    #[tool]
    async fn count(#[tool(default = 2)] from: u8) -> u8 {
        from
    }
    let count: count = serde_json::from_str("{}").expect("a default");
    assert_eq!(count.from, 2);
}

/// Has a tool with a default as a method.
struct Counter;

#[agent(name = "counter", tools = [])]
impl Counter {
    async fn run(&self, run: &mut Run<Self>, _: Input<Self>) -> Result<u32, Stop> {
        let mut call = run.tool::<plus>().await;
        call.push("{}").await;
        Ok(call.end()?.run().await)
    }

    /// Adds.
    #[tool]
    fn plus(&self, #[tool(default = 2)] number: u32) -> u32 {
        number + 40
    }
}

#[test]
fn a_method_has_defaults_too() {
    use agui_runtime::testing;
    let events = futures::executor::block_on(testing::run(Counter, testing::input("Count.")));
    assert!(testing::lines(&events).contains("42"), "{}", testing::lines(&events));
}

fn endless() -> f64 {
    f64::INFINITY
}

fn of_no_end() -> Vec<f32> {
    vec![1.0, f32::NAN]
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, State)]
#[serde(default)]
struct Span {
    from: f64,
    to: f64,
    note: Option<String>,
}

impl Default for Span {
    fn default() -> Self {
        Self { from: 0.0, to: f64::INFINITY, note: None }
    }
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, State, Default)]
struct Plan {
    #[serde(default)]
    span: Span,
    #[serde(default)]
    other: Option<Span>,
}

/// Measures.
#[tool]
async fn measure(
    #[serde(default = "endless")] most: f64,
    #[serde(default = "of_no_end")] each: Vec<f32>,
    #[serde(default)] span: Span,
    #[serde(default)] spans: BTreeMap<String, Span>,
    #[serde(default)] other: Option<Span>,
) -> f64 {
    let _ = (each, spans, other);
    most - span.to
}

/// Measures.
#[agent(state = Plan, tools = [measure])]
async fn surveyor(run: &mut Run<Surveyor>, input: Input<Surveyor>) -> Result<(), Stop> {
    let _ = (run, input);
    Ok(())
}

/// The schemas with a default, and the default.
fn defaults(schema: &Value, path: &str, found: &mut Vec<(String, Value)>) {
    match schema {
        Value::Object(members) => {
            for (name, value) in members {
                if name == "default" {
                    found.push((path.to_owned(), value.clone()));
                } else {
                    defaults(value, &format!("{path}/{name}"), found);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| defaults(item, path, found)),
        _ => {}
    }
}

#[test]
fn a_default_that_json_cannot_write_is_left_out() {
    let parameters = ToolSpec::from_tool::<measure>().parameters;
    let mut found = Vec::new();
    defaults(&parameters, "", &mut found);
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    assert_eq!(
        found,
        [
            ("/$defs/Span/properties/from".to_owned(), json!(0.0)),
            ("/$defs/Span/properties/note".to_owned(), json!(null)),
            ("/properties/other".to_owned(), json!(null)),
            ("/properties/spans".to_owned(), json!({})),
        ]
    );
    assert_eq!(parameters.get("required"), None, "all can still be left out");
    let measure: measure = serde_json::from_value(json!({})).expect("all have defaults");
    assert!(measure.most.is_infinite() && measure.each[1].is_nan() && measure.span.to.is_infinite());
}

#[test]
fn the_manifest_has_no_default_that_json_cannot_write() {
    let manifest = Manifest::build("survey", "0.1.0", &[Surveyor::source()]).expect("a manifest");
    let manifest = serde_json::to_value(&manifest).expect("a manifest is JSON");
    let mut found = Vec::new();
    defaults(&manifest, "", &mut found);
    let nulls: Vec<_> = found.iter().filter(|(_, default)| default.to_string().contains("null")).collect();
    assert!(
        nulls.iter().all(|(path, default)| default.is_null() && (path.ends_with("/note") || path.ends_with("/other"))),
        "{nulls:?}"
    );
    assert!(!nulls.is_empty() && found.iter().any(|(path, _)| path.ends_with("/from")), "{found:?}");
}
