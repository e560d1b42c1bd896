//! The progress and the log messages of servers' calls, on the page.

use std::sync::Arc;

use agui_runtime::mcp::{McpClient, McpGeneration};
use agui_runtime::model::{Reply, ScriptedModel};
use agui_runtime::protocol::Event;
use agui_runtime::testing;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ElicitRequest, ErrorData,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ProgressToken, ServerCapabilities,
    ServerConfig, ServerNotification, ServerRequest, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};

use crate::wired::{Talk, block_on, talk};

const GENERATIONS: [McpGeneration; 2] = [McpGeneration::Handshake, McpGeneration::Discover];

/// A kitchen that reports on its calls.
#[derive(Clone, Default)]
struct Kitchen {
    /// The metadata of the calls, as the server got them.
    metas: Arc<std::sync::Mutex<Vec<Value>>>,
}

struct Report<'a>(&'a RequestContext<RoleServer>, ProgressToken);

impl<'a> Report<'a> {
    fn of(context: &'a RequestContext<RoleServer>) -> Self {
        Self(context, context.meta.get_progress_token().unwrap())
    }

    async fn progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        let mut params = ProgressNotificationParam::new(self.1.clone(), progress);
        params.total = total;
        params.message = message.map(str::to_owned);
        self.0.peer.notify_progress(params).await.unwrap();
    }

    async fn log(&self, level: &str, data: Value) {
        let message = json!({ "method": "notifications/message", "params": { "level": level, "logger": "oven", "data": data } });
        let message: ServerNotification = serde_json::from_value(message).unwrap();
        self.0.peer.send_notification(message).await.unwrap();
    }
}

impl ServerHandler for Kitchen {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool = |name: &str| {
            let schema = json!({ "type": "object", "properties": {} });
            let Value::Object(schema) = schema else { unreachable!() };
            Tool::new(name.to_owned(), "Does.", Arc::new(schema))
        };
        Ok(ListToolsResult::with_all_items(
            ["bake", "flood", "ask", "lie", "debug", "late", "flood_and_ask"].map(tool).into(),
        ))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.metas.lock().unwrap().push(json!(context.meta));
        let report = Report::of(&context);
        match &*request.name {
            "bake" => {
                report.progress(1.0, Some(3.0), Some("kneaded")).await;
                report.log("info", json!("it is warm")).await;
                report.progress(2.5, Some(3.0), None).await;
                report.log("error", json!({ "degrees": 300 })).await;
            }
            "flood" => {
                for at in 0..400_u32 {
                    report.progress(f64::from(at), None, Some(&"x".repeat(2_000))).await;
                }
            }
            "ask" | "flood_and_ask" => {
                report.progress(1.0, None, Some("before the question")).await;
                if request.name == "flood_and_ask" {
                    let (peer, token) = (context.peer.clone(), report.1.clone());
                    tokio::spawn(async move {
                        let report = |at: u32| ProgressNotificationParam::new(token.clone(), f64::from(at));
                        let mut reports = (2..).map(report);
                        while peer.notify_progress(reports.next().unwrap()).await.is_ok() {}
                    });
                }
                let schema = json!({ "type": "object", "properties": { "street": { "type": "string" } } });
                let params = json!({ "mode": "form", "message": "Where to?", "requestedSchema": schema });
                let ask = ElicitRequest::new(serde_json::from_value(params).unwrap());
                drop(context.peer.send_request(ServerRequest::ElicitRequest(ask)).await);
            }
            "debug" => {
                report.log("debug", json!("token 123")).await;
                report.log("notice", json!("hello")).await;
            }
            "late" => report.log("error", json!("invoice for alice")).await,
            // The token of another call, which does not run.
            _ => {
                let other = Report(&context, ProgressToken(rmcp::model::NumberOrString::Number(77_777)));
                other.progress(1.0, None, Some("not mine")).await;
            }
        }
        Ok(CallToolResult::success(vec![ContentBlock::text("bread")]).into())
    }
}

async fn client(kitchen: &Kitchen, generation: McpGeneration) -> McpClient {
    let (here, there) = tokio::io::duplex(64 * 1024);
    let kitchen = kitchen.clone();
    tokio::spawn(async move { kitchen.serve(there).await.unwrap().waiting().await });
    McpClient::connect("kitchen", here).generation(generation).await.unwrap().log_messages()
}

/// The reports on the page, without the id of the call, which must be the id of the only call.
fn reports(events: &[Event]) -> Vec<Value> {
    let call = events.iter().find_map(|event| match event {
        Event::ToolCallStart(start) => Some(json!(start.tool_call_id)),
        _ => None,
    });
    let report = |event: &Event| match event {
        Event::Custom(custom) if custom.name == "agui-rust.tool_progress" => {
            let mut value = custom.value.clone();
            let id = value.as_object_mut().unwrap().remove("toolCallId");
            assert_eq!(id, call, "{value}");
            Some(value)
        }
        _ => None,
    };
    events.iter().filter_map(report).collect()
}

async fn called(server: &McpClient, tool: &str) -> Talk {
    talk(server.clone(), [Reply::call(tool, json!({})), Reply::text("Done.")]).await
}

#[test]
fn progress_and_log_messages_reach_the_page_in_order_before_the_result() {
    block_on(async {
        for generation in GENERATIONS {
            let kitchen = Kitchen::default();
            let server = client(&kitchen, generation).await;
            let talk = called(&server, "bake").await;
            assert_eq!(
                reports(&talk.events),
                [
                    json!({ "progress": 1.0, "total": 3.0, "message": "kneaded" }),
                    json!({ "progress": 1.0, "total": 3.0, "message": "oven: it is warm" }),
                    json!({ "progress": 2.5, "total": 3.0 }),
                    json!({ "progress": 2.5, "total": 3.0, "message": "error: oven: {\"degrees\":300}" }),
                ],
                "{generation:?}"
            );
            let at = |what: &str| talk.lines().find(what).unwrap();
            assert!(at("agui-rust.tool_progress") < at("TOOL_CALL_RESULT"), "{}", talk.lines());
            assert_eq!(talk.results(), [("bread".to_owned(), false)], "the model reads no report");
            let meta = kitchen.metas.lock().unwrap().remove(0);
            assert!(meta.get("agui-rust/call").is_none(), "a number of this client stays here: {meta}");
            let level = meta.get("io.modelcontextprotocol/logLevel").and_then(Value::as_str);
            assert_eq!(level, (generation == McpGeneration::Discover).then_some("info"), "{meta}");
        }
    });
}

#[test]
fn a_flood_of_reports_is_bounded_and_the_page_reads_how_many_are_missing() {
    block_on(async {
        for generation in GENERATIONS {
            let server = client(&Kitchen::default(), generation).await;
            let talk = called(&server, "flood").await;
            let reports = reports(&talk.events);
            assert!(reports.len() < 100, "{}", reports.len());
            let texts: Vec<_> = reports.iter().map(|report| report["message"].as_str().unwrap()).collect();
            assert!(texts.iter().all(|text| text.chars().count() < 1_100));
            let last = reports.last().unwrap();
            assert_eq!(last["progress"], 399.0, "the newest amount is not lost");
            let left_out: usize = texts
                .iter()
                .filter_map(|text| text.split_once(" (")?.1.split_once(' ')?.0.parse::<usize>().ok())
                .sum();
            assert_eq!(left_out + reports.len(), 400);
            assert_eq!(talk.results(), [("bread".to_owned(), false)]);
        }
    });
}

#[test]
fn reports_reach_the_page_before_the_servers_question() {
    block_on(async {
        let server = client(&Kitchen::default(), McpGeneration::Handshake).await;
        let model = ScriptedModel::new([Reply::call("ask", json!({}))]);
        let clerk = crate::wired::Clerk::new(model.into(), server);
        let events = testing::run(clerk, testing::input("Bread.")).await;
        assert_eq!(reports(&events), [json!({ "progress": 1.0, "message": "before the question" })]);
        let testing::RunEnd::Interrupt([question]) = testing::end(&events) else { panic!("{events:?}") };
        assert_eq!(question.reason, "input_required");
    });
}

/// The texts of the reports.
fn texts(talk: &Talk) -> Vec<String> {
    let reports = reports(&talk.events);
    reports.iter().map(|report| report["message"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_log_message_below_the_level_info_is_on_no_page() {
    block_on(async {
        for generation in GENERATIONS {
            let server = client(&Kitchen::default(), generation).await;
            assert_eq!(texts(&called(&server, "debug").await), ["oven: hello"], "{generation:?}");
        }
    });
}

/// The server logs about Alice's call, which has ended, while Bob's call runs.
#[test]
fn a_log_message_after_the_call_of_another_run_is_on_no_page() {
    block_on(async {
        for generation in GENERATIONS {
            let server = client(&Kitchen::default(), generation).await;
            called(&server, "lie").await;
            assert_eq!(texts(&called(&server, "late").await), [""; 0], "{generation:?}");
        }
    });
}

#[test]
fn a_client_shows_no_log_messages_by_default() {
    block_on(async {
        for generation in GENERATIONS {
            let (here, there) = tokio::io::duplex(64 * 1024);
            let kitchen = Kitchen::default();
            let serving = kitchen.clone();
            tokio::spawn(async move { serving.serve(there).await.unwrap().waiting().await });
            let server = McpClient::connect("kitchen", here).generation(generation).await.unwrap();
            let talk = called(&server, "bake").await;
            assert_eq!(texts(&talk), ["kneaded", ""], "{generation:?}");
            let meta = kitchen.metas.lock().unwrap().remove(0);
            assert!(meta.get("io.modelcontextprotocol/logLevel").is_none(), "{meta}");
        }
    });
}

/// The call stays open while the user is asked, and the server goes on to report.
#[test]
fn a_flood_of_reports_does_not_keep_a_question_from_the_user() {
    block_on(async {
        let server = client(&Kitchen::default(), McpGeneration::Handshake).await;
        let model = ScriptedModel::new([Reply::call("flood_and_ask", json!({}))]);
        let clerk = crate::wired::Clerk::new(model.into(), server);
        let events = testing::run(clerk, testing::input("Bread.")).await;
        let testing::RunEnd::Interrupt([question]) = testing::end(&events) else { panic!("{events:?}") };
        assert_eq!(question.reason, "input_required");
        let reports = reports(&events);
        assert!(reports.len() < 100, "{}", reports.len());
    });
}

#[test]
fn a_report_with_another_token_is_on_no_page() {
    block_on(async {
        for generation in GENERATIONS {
            let server = client(&Kitchen::default(), generation).await;
            let talk = called(&server, "lie").await;
            assert_eq!((reports(&talk.events), talk.results()), (vec![], vec![("bread".to_owned(), false)]));
        }
    });
}
