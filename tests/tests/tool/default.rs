//! `#[tool(default = …)]` on a parameter: the schema and the deserialiser agree.

use std::collections::BTreeSet;

use agui_runtime::model::ToolSpec;
use agui_runtime::prelude::*;
use serde_json::json;

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
    let parameters = ToolSpec::of::<search>().parameters;
    assert_eq!(parameters["required"], json!(["words"]));
    assert_eq!(parameters["properties"]["limit"]["default"], 10);
    assert_eq!(parameters["properties"]["sort"]["default"], "newest");
    assert_eq!(parameters["properties"]["in"]["default"], json!(["open"]));
    assert_eq!(ToolSpec::of::<list>().parameters["properties"]["limit"]["default"], 10);
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
