//! Tools of rmcp's server, through whole runs of an agent.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::mcp::{McpClient, McpError};
use agui_runtime::model::{
    ChatModel, Model, ModelStream, Prompt, PromptMessage, Reply, SchemaDialect, ScriptedModel, ToolSpec,
};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Content, ContentPart};
use agui_runtime::{RunOptions, start, testing};
use agui_tests::log::Log;
use futures::StreamExt as _;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, JsonObject,
    ListToolsResult, PaginatedRequestParams, Resource, ResourceContents, ServerCapabilities, ServerConfig,
    Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Value, json};

use crate::wired::{Clerk, block_on, our_client, talk, through, until};

fn tool(name: &str, description: &str) -> Tool {
    let schema = json!({ "type": "object", "properties": { "a": { "type": "integer" } } });
    let Value::Object(schema) = schema else { unreachable!() };
    Tool::new(name.to_owned(), description.to_owned(), Arc::new(schema))
}

fn with_schema(name: &str, schema: Value) -> Tool {
    let Value::Object(schema) = schema else { unreachable!() };
    Tool::new(name.to_owned(), "Does.", Arc::<JsonObject>::new(schema))
}

type Calls = Arc<Mutex<Vec<Value>>>;

/// A server with these tools, two a page.
#[derive(Clone, Default)]
struct Odd {
    tools: Arc<Mutex<Vec<Tool>>>,
    /// Every page names another.
    endless: bool,
    calls: Calls,
    cancelled: Arc<Mutex<usize>>,
}

impl Odd {
    fn with(tools: impl Into<Vec<Tool>>) -> Self {
        Self { tools: Arc::new(Mutex::new(tools.into())), ..Self::default() }
    }
}

impl ServerHandler for Odd {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let at: usize = page.and_then(|page| page.cursor).map_or(0, |cursor| cursor.parse().unwrap());
        let tools = self.tools.lock().unwrap();
        let mut list = ListToolsResult::with_all_items(tools.iter().skip(at).take(2).cloned().collect());
        if self.endless || at + 2 < tools.len() {
            list.next_cursor = Some((at + 2).to_string());
        }
        // A client that keeps the list would not see another one.
        list.ttl_ms = Some(3_600_000);
        Ok(list)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.calls.lock().unwrap().push(json!({ "name": request.name, "arguments": request.arguments }));
        let text = |text: &str| Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into());
        match &*request.name {
            "sold.out" => Ok(CallToolResult::error(vec![ContentBlock::text("it is sold out")]).into()),
            "refuses" => Err(ErrorData::invalid_params("not with these", None)),
            "huge" => text(&"x".repeat(2_000_000)),
            "structured" => Ok(CallToolResult::structured(json!({ "cents": 180 })).into()),
            "all" => Ok(CallToolResult::success(vec![
                ContentBlock::text("Look:"),
                ContentBlock::image("aW1n", "image/png"),
                ContentBlock::audio("YXVk", "audio/wav"),
                ContentBlock::resource(ResourceContents::text("note", "a:1")),
                ContentBlock::resource_link(Resource::new("file:///a", "a")),
            ])
            .into()),
            "hangs" => {
                context.ct.cancelled().await;
                *self.cancelled.lock().unwrap() += 1;
                text("late")
            }
            other => text(other),
        }
    }
}

/// The tools as a model reads them.
async fn specs(server: &McpClient) -> HashMap<String, ToolSpec> {
    let talk = talk(server.clone(), [Reply::text("Hi.")]).await;
    talk.prompts[0].tools.iter().map(|tool| (tool.name.clone(), tool.clone())).collect()
}

#[test]
fn all_pages_are_listed_and_the_descriptions_are_kept() {
    block_on(async {
        let annotations = ToolAnnotations::with_title("The first").read_only(true).destructive(false);
        let first = tool("first", "Does a.").with_annotations(annotations);
        let more = (0..9).map(|at| tool(&format!("more_{at}"), "Does b."));
        let server = our_client(Odd::with(std::iter::once(first).chain(more).collect::<Vec<_>>())).await;
        let specs = specs(&server.prefix("odd_")).await;
        assert_eq!(specs.len(), 10);
        let first = &specs["odd_first"];
        assert_eq!(first.description, "Does a.");
        assert_eq!(first.parameters["properties"]["a"]["type"], "integer");
        assert_eq!(first.annotations.title.as_deref(), Some("The first"));
        assert_eq!(first.annotations.hints(), [("readOnlyHint", true), ("destructiveHint", false)]);
    });
}

/// Two servers.
struct Both([McpClient; 2]);

/// Has the tools of two servers.
#[agent]
async fn caller(run: &mut Run<Caller>, _: Input<Caller>, model: &Model, both: &Both) -> Result<(), Stop> {
    let Both([first, second]) = both;
    run.chat(model).tools(first.tools().await?).tools(second.tools().await?).await
}

#[test]
fn two_servers_with_tools_of_one_name_need_a_prefix() {
    block_on(async {
        let (work, home) = (Odd::with([tool("go", "Goes.")]), Odd::with([tool("go", "Goes.")]));
        let servers = [our_client(work.clone()).await, our_client(home.clone()).await];
        let run = async |servers: [McpClient; 2], tool: &str| {
            let model = ScriptedModel::new([Reply::call(tool, json!({})), Reply::text("Done.")]);
            testing::lines(
                &testing::run(Caller::new(model.into(), Both(servers)), testing::input("Hi")).await,
            )
        };
        let same = run(servers.clone(), "go").await;
        assert!(same.contains("RUN_ERROR") && work.calls.lock().unwrap().is_empty(), "{same}");
        let apart = servers.map(|server| server.prefix("home_"));
        let [first, second] = apart;
        let done = run([first.prefix("work_"), second], "home_go").await;
        assert!(done.contains("RUN_FINISHED"), "{done}");
        assert_eq!((work.calls.lock().unwrap().len(), home.calls.lock().unwrap().len()), (0, 1));
    });
}

#[test]
fn the_server_gets_its_own_name_of_a_tool_and_the_arguments() {
    block_on(async {
        let odd = Odd::with([tool("admin.tools/list", "Lists.")]);
        let server = our_client(odd.clone()).await.prefix("a_");
        let read = through(&server, "a_admin_tools_list", json!({ "a": 7 })).await;
        assert_eq!(read, ("admin.tools/list".to_owned(), false));
        let calls = odd.calls.lock().unwrap().clone();
        assert_eq!(calls, [json!({ "name": "admin.tools/list", "arguments": { "a": 7 } })]);
    });
}

#[test]
fn wrong_arguments_do_not_reach_the_server() {
    block_on(async {
        let odd = Odd::with([tool("first", "Does a.")]);
        let server = our_client(odd.clone()).await;
        let (text, failed) = through(&server, "first", json!({ "a": "x" })).await;
        assert!(failed && text.contains("arguments of tool `first` at `a`"), "{text}");
        assert!(odd.calls.lock().unwrap().is_empty());
    });
}

#[test]
fn results_of_all_kinds_reach_the_model() {
    block_on(async {
        let names = ["all", "structured", "sold.out", "refuses", "huge"];
        let server = our_client(Odd::with(names.map(|name| tool(name, "Does.")))).await;
        let rows = [
            ("structured", r#"{"cents":180}"#, false),
            ("sold_out", r#"{"error":"it is sold out"}"#, true),
            ("refuses", r#"{"error":"the MCP server `odd` refused the request: not with these"}"#, true),
            (
                "huge",
                r#"{"error":"the result of the tool `huge` has 2000000 bytes, more than its limit of 1048576: ask for less"}"#,
                true,
            ),
        ];
        for (name, text, failed) in rows {
            assert_eq!(through(&server, name, json!({})).await, (text.to_owned(), failed));
        }
        let talk = talk(server, [Reply::call("all", json!({})), Reply::text("Nice.")]).await;
        let Some(PromptMessage::Tools(answers)) = talk.prompts[1].messages.last() else {
            panic!("no result")
        };
        let Content::Parts(parts) = &answers[0].content else { panic!("{:?}", answers[0].content) };
        let kinds = parts.iter().map(|part| match part {
            ContentPart::Text(part) => part.text.as_str(),
            ContentPart::Image(_) => "image",
            ContentPart::Audio(_) => "audio",
            _ => "?",
        });
        let link = r#"{"type":"resource_link","uri":"file:///a","name":"a"}"#;
        assert_eq!(kinds.collect::<Vec<_>>(), ["Look:", "image", "audio", "note", link]);
    });
}

#[test]
fn a_tool_that_no_model_can_call_is_left_out_with_a_warning() {
    let (log, _recording) = Log::record(tracing::Level::WARN);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let long = "x".repeat(65);
        let server = our_client(Odd::with([
            tool("good", "Does."),
            tool("good", "Does the same."),
            tool("go.od", "Does."),
            tool("go/od", "Does."),
            tool(&long, "Does."),
            tool("final_result", "Does."),
            with_schema("list", json!({ "type": "array" })),
            with_schema("none", json!({})),
            with_schema("garbage", json!({ "type": "object", "properties": { "a": { "type": "banana" } } })),
            with_schema(
                "elsewhere",
                json!({ "type": "object", "properties": { "a": { "$ref": "https://a.example" } } }),
            ),
        ]))
        .await;
        let names: Vec<_> = server.tools().await.unwrap().iter().map(|tool| tool.name().to_owned()).collect();
        assert_eq!(names, ["good", "go_od"]);
    });
    let log = log.take().join("\n");
    for reason in [
        "another tool that the model sees as `good`",
        "another tool that the model sees as `go_od`",
        "cannot be the name of a tool",
        "is reserved",
        "the arguments of a tool are an object",
        "expected a type of JSON Schema",
        "there is nothing at",
    ] {
        assert!(log.contains(reason), "{reason} in {log}");
    }
}

#[test]
fn a_schema_that_refers_to_itself_ends() {
    block_on(async {
        let looped = [
            json!({ "type": "object", "$ref": "#" }),
            json!({ "type": "object", "allOf": [{ "$ref": "#" }] }),
            json!({ "type": "object", "properties": { "a": { "$ref": "#/properties/a" } } }),
            json!({ "type": "object", "anyOf": [{ "$ref": "#/$defs/b" }], "$defs": { "b": { "anyOf": [{ "$ref": "#/$defs/b" }] } } }),
        ];
        for (at, schema) in looped.into_iter().enumerate() {
            let odd = Odd::with([with_schema("looped", schema.clone())]);
            let server = our_client(odd).await;
            if server.tools().await.unwrap().is_empty() {
                continue;
            }
            let (text, _) = through(&server, "looped", json!({ "a": { "a": 1 } })).await;
            assert!(!text.is_empty(), "row {at}: {schema}");
        }
    });
}

#[test]
fn a_description_is_shortened_and_a_missing_one_is_the_title_or_the_name() {
    block_on(async {
        let mut untold = tool("untold", "");
        untold.description = None;
        let mut titled = untold.clone().with_title("The title");
        titled.name = "titled".into();
        let long = tool("long", &"ü".repeat(3000));
        let exact = tool("exact", &"ü".repeat(1024));
        let specs = specs(&our_client(Odd::with([untold, titled, long, exact])).await).await;
        assert_eq!(specs["untold"].description, "untold");
        assert_eq!(specs["titled"].description, "The title");
        assert_eq!(specs["exact"].description, "ü".repeat(1024));
        let long = &specs["long"].description;
        assert_eq!((long.chars().count(), long.ends_with("ü…")), (1024, true));
    });
}

#[test]
fn a_later_run_has_the_new_tools() {
    block_on(async {
        let odd = Odd::with([tool("old", "Does.")]);
        let server = our_client(odd.clone()).await;
        assert!(specs(&server).await.contains_key("old"));
        *odd.tools.lock().unwrap() = vec![tool("new", "Does.")];
        let later = specs(&server).await;
        assert!(later.contains_key("new") && !later.contains_key("old"), "{later:?}");
    });
}

#[test]
fn a_list_without_an_end_is_an_error() {
    block_on(async {
        let server = our_client(Odd { endless: true, ..Odd::with([]) }).await;
        let error = server.tools().await.unwrap_err();
        assert!(
            matches!(&error, McpError::Malformed { what, .. } if what == "a list of more than 100 pages"),
            "{error}"
        );
    });
}

#[test]
fn a_list_that_is_too_large_is_an_error() {
    block_on(async {
        let many: Vec<_> = (0..100).map(|at| tool(&format!("tool_{at}"), &"x".repeat(1_000_000))).collect();
        let error = our_client(Odd::with(many)).await.tools().await.unwrap_err();
        assert!(matches!(&error, McpError::Malformed { what, .. } if what.contains("bytes")), "{error}");
    });
}

#[test]
fn a_server_that_hangs_fails_the_call_and_learns_that_it_is_cancelled() {
    block_on(async {
        let odd = Odd::with([tool("hangs", "Hangs.")]);
        let server = our_client(odd.clone()).await.timeout(Duration::from_millis(100));
        let read = through(&server, "hangs", json!({})).await;
        assert_eq!(
            read,
            (r#"{"error":"the MCP server `odd` did not answer within 100ms"}"#.to_owned(), true)
        );
        until(|| *odd.cancelled.lock().unwrap() == 1).await;
    });
}

#[test]
fn a_run_that_is_dropped_cancels_the_call_at_the_server() {
    block_on(async {
        let odd = Odd::with([tool("hangs", "Hangs.")]);
        let server = our_client(odd.clone()).await;
        let model = ScriptedModel::new([Reply::call("hangs", json!({}))]);
        let clerk = Arc::new(Clerk::new(model.into(), server));
        let mut events = start(clerk, testing::input("Hi"), RunOptions::default());
        while odd.calls.lock().unwrap().is_empty() {
            let _ = tokio::time::timeout(Duration::from_millis(5), events.next()).await;
        }
        assert_eq!(*odd.cancelled.lock().unwrap(), 0);
        drop(events);
        until(|| *odd.cancelled.lock().unwrap() == 1).await;
    });
}

#[test]
fn the_connection_ends_with_its_last_handle() {
    block_on(async {
        let odd = Odd::with([tool("first", "Does.")]);
        let alive = Arc::downgrade(&odd.calls);
        let server = our_client(odd).await;
        let tools = server.tools().await.unwrap();
        drop(server);
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(alive.upgrade().is_some(), "the tools hold the connection");
        drop(tools);
        until(|| alive.upgrade().is_none()).await;
    });
}

/// A model whose provider has a subset of JSON Schema.
struct Narrow(Arc<ScriptedModel>);

impl ChatModel for Narrow {
    fn provider(&self) -> &str {
        "narrow"
    }

    fn name(&self) -> &str {
        "narrow-1"
    }

    fn dialect(&self) -> SchemaDialect {
        SchemaDialect::Gemini
    }

    fn respond<'a>(&'a self, prompt: &'a Prompt) -> ModelStream<'a> {
        self.0.respond(prompt)
    }
}

#[test]
fn a_tool_that_the_provider_cannot_take_leaves_the_others() {
    let endless = json!({
        "type": "object",
        "properties": { "tree": { "$ref": "#/$defs/Tree" } },
        "$defs": { "Tree": { "type": "object", "properties": { "next": { "$ref": "#/$defs/Tree" } } } },
    });
    assert!(SchemaDialect::Gemini.translate("trees", &endless).is_err());
    let (log, _recording) = Log::record(tracing::Level::WARN);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let model = Arc::new(ScriptedModel::new([Reply::text("Hi.")]));
    let events = runtime.block_on(async {
        let server = our_client(Odd::with([with_schema("trees", endless), tool("good", "Does.")])).await;
        let clerk = Clerk::new(Narrow(Arc::clone(&model)).into(), server);
        testing::run(clerk, testing::input("Hi")).await
    });
    assert!(testing::lines(&events).contains("RUN_FINISHED"), "{}", testing::lines(&events));
    let names: Vec<_> = model.prompts()[0].tools.iter().map(|tool| tool.name.clone()).collect();
    assert_eq!(names, ["good"]);
    assert!(log.take().concat().contains("trees"));
}
