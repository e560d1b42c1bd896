//! Tool search in each dialect: the beginning of a prompt has the same bytes in each turn, with and without tools that the provider
//! loads itself.

use agui_runtime::model::{Model, ToolSearch};
use agui_runtime::prelude::*;
use agui_runtime::provider::ModelOptions;
use agui_runtime::testing;
use serde_json::{Value, json};

use crate::frames::{Said, ended, turn};
use crate::prompt_cache::without_marks;
use crate::server::{Answer, DIALECTS, Server, quick};

/// Looks up what an ingredient costs, in cents.
#[tool]
async fn price(name: String) -> u32 {
    u32::try_from(name.len()).unwrap_or_default()
}

/// Lists the shops.
#[tool]
async fn shops() -> Vec<String> {
    vec!["north".to_owned()]
}

/// Tells the time.
#[tool]
async fn time() -> u32 {
    12
}

/// Tells prices.
#[agent(tools = [price, shops, time])]
async fn clerk(run: &mut Run<Clerk>, _: Input<Clerk>, model: &Model) -> Result<(), Stop> {
    run.chat(model).instructions("Be brief.").search_tools(ToolSearch::new().keep::<time>()).await
}

const SEARCH: &str = r#"{"names":["price"]}"#;

fn call(dialect: &str, id: &str, tool: &str, arguments: &str) -> Answer {
    Answer::frames(turn(dialect, &[Said::Call(id.into(), tool.into(), vec![arguments.into()])]))
}

/// Returns the requests of a run in which the model finds a tool, and calls it.
fn requests(dialect: &str, search: Answer, deferred_tools: Option<bool>) -> Vec<Value> {
    let answers = [
        search,
        call(dialect, "call_2", "price", r#"{"name":"rice"}"#),
        Answer::frames(turn(dialect, &[Said::Text("It is 4.".into())])),
    ];
    let server = Server::start(answers);
    let options = ModelOptions { deferred_tools, ..quick() };
    let agent = Clerk::new(server.model(dialect).options(options).into());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let events = runtime.block_on(testing::run(agent, testing::input("Rice?")));
    assert_eq!(testing::texts(&events), ["It is 4."], "{dialect}: {}", testing::lines(&events));
    assert!(!testing::lines(&events).contains("agui_find_tools"), "{}", testing::lines(&events));
    let requests = server.requests().into_iter().map(|(_, mut body)| {
        without_marks(&mut body);
        body
    });
    let requests: Vec<_> = requests.collect();
    assert_eq!(requests.len(), 3, "{dialect}");
    requests
}

/// Takes the conversation, the tools, and all else out of a request.
fn parts(body: &Value) -> (Vec<String>, Vec<String>, String) {
    let Value::Object(mut members) = body.clone() else { panic!("{body}") };
    let texts = |list: Option<Value>| match list {
        Some(Value::Array(items)) => items.iter().map(Value::to_string).collect(),
        other => panic!("{other:?}"),
    };
    let conversation = texts(["messages", "input", "contents"].iter().find_map(|name| members.remove(*name)));
    let tools = match members.remove("tools") {
        // Gemini's declarations are a list in a list.
        Some(Value::Array(tools)) if tools[0].get("functionDeclarations").is_some() => {
            texts(Some(tools[0]["functionDeclarations"].clone()))
        }
        tools => texts(tools),
    };
    (conversation, tools, Value::Object(members).to_string())
}

#[test]
fn found_tools_stand_behind_the_same_beginning() {
    for dialect in DIALECTS {
        let requests = requests(dialect, call(dialect, "call_1", "agui_find_tools", SEARCH), None);
        for pair in requests.windows(2) {
            let (before, tools, rest) = parts(&pair[0]);
            let (after, more_tools, same_rest) = parts(&pair[1]);
            assert_eq!(rest, same_rest, "{dialect}");
            assert_eq!(after.get(..before.len()), Some(&*before), "{dialect}");
            assert_eq!(more_tools.get(..tools.len()), Some(&*tools), "{dialect}");
        }
        let count = |request: &Value| parts(request).1.len();
        assert_eq!(requests.iter().map(count).collect::<Vec<_>>(), [2, 3, 3], "{dialect}");
        let list = parts(&requests[0]).1.concat();
        assert!(list.contains("price: Looks up") && list.contains("shops: Lists"), "{dialect}: {list}");
        assert!(!list.contains("defer_loading"), "{dialect}: {list}");
        let result = parts(&requests[1]).0.pop().unwrap();
        assert!(result.contains("parameters") && result.contains("price"), "{dialect}: {result}");
    }
}

#[test]
fn anthropic_loads_tools_by_reference() {
    let dialect = "anthropic:claude-sonnet-4-5";
    let requests = requests(dialect, call(dialect, "call_1", "agui_find_tools", SEARCH), Some(true));
    let (_, tools, rest) = parts(&requests[0]);
    for pair in requests.windows(2) {
        let (before, ..) = parts(&pair[0]);
        let (after, same_tools, same_rest) = parts(&pair[1]);
        assert_eq!((&same_tools, &same_rest), (&tools, &rest));
        assert_eq!(after.get(..before.len()), Some(&*before));
    }
    let named = |tool: &Value| (tool["name"].clone(), tool.get("defer_loading").cloned());
    let named: Vec<_> = requests[0]["tools"].as_array().unwrap().iter().map(named).collect();
    let deferred = Some(json!(true));
    assert_eq!(
        named,
        [
            (json!("time"), None),
            (json!("agui_find_tools"), None),
            (json!("price"), deferred.clone()),
            (json!("shops"), deferred),
        ]
    );
    let result = &requests[1]["messages"].as_array().unwrap().last().unwrap()["content"][0];
    assert_eq!(result["content"], json!([{ "type": "tool_reference", "tool_name": "price" }]));
}

#[test]
fn the_breakpoint_stands_on_a_tool_that_is_loaded() {
    let dialect = "anthropic:claude-sonnet-4-5";
    let server = Server::start([Answer::frames(turn(dialect, &[Said::Text("Hi.".into())]))]);
    let options = ModelOptions { deferred_tools: Some(true), ..quick() };
    let agent = Clerk::new(server.model(dialect).options(options).into());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(testing::run(agent, testing::input("Rice?")));
    let body = server.body();
    let marked = |tool: &&Value| tool.get("cache_control").is_some();
    let marked: Vec<_> =
        body["tools"].as_array().unwrap().iter().filter(marked).map(|tool| &tool["name"]).collect();
    assert_eq!(marked, [&json!("agui_find_tools")]);
}

#[test]
fn openai_loads_tools_from_the_search_output() {
    let dialect = "openai:gpt-5.4";
    let item = json!({
        "type": "tool_search_call", "id": "ts_1", "call_id": "call_1", "execution": "client", "status": "completed",
        "arguments": { "names": ["price"] },
    });
    let added = json!({ "type": "response.output_item.added", "output_index": 0, "item": item });
    let done = json!({ "type": "response.output_item.done", "output_index": 0, "item": item });
    let frames = [added.to_string(), done.to_string()].into_iter().chain(ended(dialect));
    let requests = requests(dialect, Answer::frames(frames), Some(true));
    let (_, tools, rest) = parts(&requests[0]);
    for pair in requests.windows(2) {
        let (before, ..) = parts(&pair[0]);
        let (after, same_tools, same_rest) = parts(&pair[1]);
        assert_eq!((&same_tools, &same_rest), (&tools, &rest));
        assert_eq!(after.get(..before.len()), Some(&*before));
    }
    let tools = requests[0]["tools"].as_array().unwrap();
    assert_eq!((&tools[0]["name"], tools.len()), (&json!("time"), 2));
    assert_eq!((&tools[1]["type"], &tools[1]["execution"]), (&json!("tool_search"), &json!("client")));
    assert!(tools[1]["parameters"].to_string().contains("shops: Lists"), "{}", tools[1]);
    let [.., asked, found] = &**requests[1]["input"].as_array().unwrap() else { panic!("{}", requests[1]) };
    assert_eq!(
        (&asked["type"], &asked["arguments"]),
        (&json!("tool_search_call"), &json!({ "names": ["price"] }))
    );
    assert_eq!((&found["type"], &found["call_id"]), (&json!("tool_search_output"), &asked["call_id"]));
    let [tool] = &**found["tools"].as_array().unwrap() else { panic!("{found}") };
    assert_eq!(
        (&tool["name"], &tool["defer_loading"], &tool["type"]),
        (&json!("price"), &json!(true), &json!("function"))
    );
}

#[test]
fn a_provider_that_refuses_to_load_tools_has_them_among_the_others() {
    for (dialect, why) in [
        ("anthropic:claude-sonnet-4-5", "tools.2.custom.defer_loading: Extra inputs are not permitted"),
        ("openai:gpt-5.4", "Invalid value: 'tool_search'. Supported values are: 'function'"),
    ] {
        let body = json!({ "error": { "message": why, "type": "invalid_request_error" } }).to_string();
        let search = || call(dialect, "call_1", "agui_find_tools", SEARCH);
        let found = || call(dialect, "call_2", "price", r#"{"name":"rice"}"#);
        let text = || Answer::frames(turn(dialect, &[Said::Text("It is 4.".into())]));
        let answers = [Answer::status(400, "", &body), search(), found(), text(), text()];
        let server = Server::start(answers);
        let options = ModelOptions { deferred_tools: Some(true), ..quick() };
        let model = Model::from(server.model(dialect).options(options));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        for requests in [4, 5] {
            let events = runtime.block_on(testing::run(Clerk::new(model.clone()), testing::input("Rice?")));
            assert_eq!(testing::texts(&events), ["It is 4."], "{dialect}: {}", testing::lines(&events));
            assert_eq!(server.requests().len(), requests, "{dialect}");
        }
        let sent: Vec<_> = server.requests().iter().map(|(_, body)| body.to_string()).collect();
        let is_deferred = |body: &String| body.contains("defer_loading") || body.contains("tool_search");
        assert_eq!(sent.iter().map(is_deferred).collect::<Vec<_>>(), [true, false, false, false, false]);
    }
    // A server that refuses the request in both forms is not asked a third time.
    let body = json!({ "error": { "message": "defer_loading" } }).to_string();
    let refused = || Answer::status(400, "", &body);
    let server = Server::start([refused(), refused(), refused()]);
    let options = ModelOptions { deferred_tools: Some(true), ..quick() };
    let agent = Clerk::new(server.model("anthropic:claude-sonnet-4-5").options(options).into());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let events = runtime.block_on(testing::run(agent, testing::input("Rice?")));
    assert!(matches!(testing::end(&events), testing::RunEnd::Failed { code: Some("model_failed"), .. }));
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn openai_reads_why_a_search_loads_no_tool() {
    let dialect = "openai:gpt-5.4";
    for (names, why, found) in [
        (r#"{"names":["gone"]}"#, "no tool has the name `gone`", 0),
        (r#"{"names":["price","gone"]}"#, r#"{"unknown":["gone"]}"#, 1),
    ] {
        let search = call(dialect, "call_1", "agui_find_tools", names);
        let text = Answer::frames(turn(dialect, &[Said::Text("Nothing.".into())]));
        let server = Server::start([search, text]);
        let options = ModelOptions { deferred_tools: Some(true), ..quick() };
        let agent = Clerk::new(server.model(dialect).options(options).into());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(testing::run(agent, testing::input("Rice?")));
        let body = server.body();
        let [.., output, note] = &**body["input"].as_array().unwrap() else { panic!("{body}") };
        assert_eq!(output["type"], "tool_search_output", "{body}");
        assert_eq!(output["tools"].as_array().unwrap().len(), found);
        assert_eq!(note["role"], "developer");
        assert!(note["content"].as_str().unwrap().contains(why), "{note}");
    }
}
