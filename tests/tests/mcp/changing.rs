//! Servers that change their tool list while a run goes on.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::mcp::{McpClient, McpGeneration};
use agui_runtime::model::{DynTool, Model, PromptMessage, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::testing;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, ListToolsResult,
    MetaObject, PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig,
    SubscriptionFilter, Tool,
};
use rmcp::service::{RequestContext, SubscriptionContext, SubscriptionSink};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};

use crate::wired::{block_on, until};

pub(crate) const GENERATIONS: [McpGeneration; 2] = [McpGeneration::Handshake, McpGeneration::Discover];

/// A school whose lessons change the list of its tools.
#[derive(Clone)]
pub(crate) struct School {
    tools: Arc<Mutex<Vec<String>>>,
    sinks: Arc<Mutex<Vec<SubscriptionSink>>>,
    lists: Arc<AtomicUsize>,
    open: Arc<AtomicUsize>,
    subscriptions: Arc<AtomicUsize>,
    /// False for a server that accepts no subscription.
    notifies: bool,
    fresh: Option<u64>,
    /// True for a server that lists its tools once, and then answers no such request.
    hangs: bool,
    /// True for a server whose call of `juggle` waits until the tool is gone.
    waits: bool,
    /// The tools that `learn` adds.
    learned: Vec<&'static str>,
}

/// The page of a tool whose name says so, and the side that has the tool.
fn meta(tool: &str) -> Option<MetaObject> {
    let ui = match tool.split('_').next() {
        Some("show") => json!({ "resourceUri": format!("ui://school/{tool}") }),
        Some("app") => json!({ "visibility": ["app"] }),
        _ => return None,
    };
    Some(MetaObject([("ui".to_owned(), ui)].into_iter().collect()))
}

impl School {
    pub(crate) fn new(tools: &[&str]) -> Self {
        Self {
            tools: Arc::new(Mutex::new(tools.iter().map(|&tool| tool.to_owned()).collect())),
            sinks: Arc::default(),
            lists: Arc::default(),
            open: Arc::default(),
            subscriptions: Arc::default(),
            notifies: true,
            fresh: None,
            hangs: false,
            waits: false,
            learned: vec!["juggle"],
        }
    }

    /// A school whose lesson adds these tools.
    pub(crate) fn teaching(self, learned: Vec<&'static str>) -> Self {
        Self { learned, ..self }
    }

    /// A school that lists its tools once.
    pub(crate) fn hanging(self) -> Self {
        Self { hangs: true, ..self }
    }

    pub(crate) fn count(&self) -> usize {
        self.lists.load(Ordering::SeqCst)
    }

    /// Sends a notification, before the result of the call.
    async fn tell(&self, context: &RequestContext<RoleServer>) {
        if !self.notifies {
            return;
        }
        if context.protocol_version().unwrap() < ProtocolVersion::V_2026_07_28 {
            context.peer.notify_tool_list_changed().await.unwrap();
        }
        let sinks = self.sinks.lock().unwrap().clone();
        for sink in sinks {
            sink.notify_tool_list_changed().await.unwrap();
        }
    }

    pub(crate) async fn client(&self, generation: McpGeneration) -> McpClient {
        let (here, there) = tokio::io::duplex(64 * 1024);
        let school = self.clone();
        tokio::spawn(async move { school.serve(there).await.unwrap().waiting().await });
        McpClient::connect("school", here).generation(generation).await.unwrap()
    }
}

impl ServerHandler for School {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(if self.notifies {
            ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build()
        } else {
            ServerCapabilities::builder().enable_tools().build()
        })
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        self.notifies.then(|| requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.open.fetch_add(1, Ordering::SeqCst);
        self.subscriptions.fetch_add(1, Ordering::SeqCst);
        self.sinks.lock().unwrap().push(context.sink().clone());
        context.cancelled().await;
        self.sinks.lock().unwrap().clear();
        self.open.fetch_sub(1, Ordering::SeqCst);
        Ok(())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if self.lists.fetch_add(1, Ordering::SeqCst) > 0 && self.hangs {
            std::future::pending::<()>().await;
        }
        let tool = |name: &String| {
            let schema = json!({ "type": "object", "properties": {} });
            let Value::Object(schema) = schema else { unreachable!() };
            let mut tool = Tool::new(name.clone(), "Does.", Arc::new(schema));
            tool.meta = meta(name);
            tool
        };
        let mut list = ListToolsResult::with_all_items(self.tools.lock().unwrap().iter().map(tool).collect());
        list.ttl_ms = self.fresh;
        Ok(list)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.to_string();
        if self.waits && name == "juggle" {
            until(|| !self.tools.lock().unwrap().contains(&name)).await;
        }
        if !self.tools.lock().unwrap().contains(&name) {
            return Err(ErrorData::invalid_params(format!("there is no {name}"), None));
        }
        match name.as_str() {
            "learn" => self.tools.lock().unwrap().extend(self.learned.iter().map(|&tool| tool.to_owned())),
            "forget" => self.tools.lock().unwrap().retain(|tool| tool != "juggle"),
            "always" => {
                let mut tools = self.tools.lock().unwrap();
                let count = tools.len();
                tools.push(format!("more_{count}"));
            }
            _ => {}
        }
        let notices = match name.as_str() {
            "learn" | "forget" => 1,
            "always" => 200,
            _ => 0,
        };
        for _ in 0..notices {
            self.tell(&context).await;
        }
        Ok(CallToolResult::success(vec![ContentBlock::text("done")]).into())
    }
}

/// Has the tools of a server, as they change.
#[agent]
async fn pupil(
    run: &mut Run<Pupil>,
    _: Input<Pupil>,
    model: &Model,
    server: &McpClient,
    settings: &Settings,
) -> Result<(), Stop> {
    let list = server.tool_list();
    let list = if settings.hides_juggling {
        list.select(|tool| (tool.name() != "juggle").then(|| tool.approval_if(|_| false)))
    } else {
        list
    };
    run.chat(model).tools(settings.own.clone()).tools_from(list).max_repeats(9).await
}

#[derive(Default)]
struct Settings {
    hides_juggling: bool,
    own: Vec<DynTool<'static>>,
}

/// The tools that the model could call in each turn, and the lines of the run.
struct Lesson {
    offers: Vec<Vec<String>>,
    lines: String,
    model: Arc<ScriptedModel>,
}

async fn lesson(client: &McpClient, settings: Settings, script: Vec<Reply>) -> Lesson {
    let model = Arc::new(ScriptedModel::new(script));
    let pupil = Pupil::new(Arc::clone(&model).into(), client.clone(), settings);
    let events = testing::run(pupil, testing::input("Teach me.")).await;
    let offer = |prompt: agui_runtime::model::Prompt| {
        prompt.tools.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>()
    };
    let offers = model.prompts().into_iter().map(offer).collect();
    Lesson { offers, lines: testing::lines(&events), model }
}

pub(crate) fn calls(tools: &[&str]) -> Vec<Reply> {
    let calls = tools.iter().map(|&tool| Reply::call(tool, json!({})));
    calls.chain([Reply::text("Done.")]).collect()
}

#[test]
fn the_next_turn_has_the_new_list() {
    block_on(async {
        for generation in GENERATIONS {
            let school = School::new(&["learn", "forget"]);
            let client = school.client(generation).await;
            let lesson =
                lesson(&client, Settings::default(), calls(&["learn", "juggle", "forget", "juggle"])).await;
            let (before, after) = (vec!["learn", "forget"], vec!["learn", "forget", "juggle"]);
            assert_eq!(
                lesson.offers,
                [before.clone(), after.clone(), after, before.clone(), before],
                "{generation:?}\n{}",
                lesson.lines
            );
            assert!(lesson.lines.contains("RUN_FINISHED"), "{generation:?}\n{}", lesson.lines);
            let prompts = lesson.model.prompts();
            let last = format!("{:?}", prompts.last().unwrap().messages.last());
            assert!(last.contains("there is no tool `juggle`") && last.contains("failed: true"), "{last}");
            assert_eq!(school.count(), 3, "{generation:?}: a list that is the same is not asked for");
        }
    });
}

#[test]
fn a_call_of_a_tool_that_the_server_has_just_removed_fails_alone() {
    block_on(async {
        for generation in GENERATIONS {
            let school = School { waits: true, ..School::new(&["forget", "juggle"]) };
            let client = school.client(generation).await;
            // The model calls both in one turn, and the first call removes the second call's tool.
            let both = Reply::call("forget", json!({})).and_call("juggle", json!({}));
            let lesson = lesson(&client, Settings::default(), vec![both, Reply::text("Done.")]).await;
            assert!(lesson.lines.contains("RUN_FINISHED"), "{generation:?}\n{}", lesson.lines);
            assert_eq!(lesson.offers, [vec!["forget", "juggle"], vec!["forget"]], "{generation:?}");
            let prompts = lesson.model.prompts();
            let Some(PromptMessage::Tools(results)) = prompts[1].messages.last() else {
                panic!("{prompts:?}")
            };
            let [forgotten, juggled] = &results[..] else { panic!("{results:?}") };
            assert_eq!((forgotten.content.text().as_ref(), forgotten.failed), ("done", false));
            assert!(
                juggled.failed && juggled.content.text().contains("there is no juggle"),
                "{generation:?}: {juggled:?}"
            );
        }
    });
}

/// Without the list the chat goes on with the earlier one, and asks again only when the server changes its list again.
#[test]
fn a_server_that_does_not_answer_a_later_list_is_asked_once_for_each_change() {
    block_on(async {
        for generation in GENERATIONS {
            let school = School { hangs: true, ..School::new(&["learn", "rest"]) };
            let client = school.client(generation).await.timeout(Duration::from_millis(300));
            let script = calls(&["learn", "rest", "rest", "learn", "rest", "rest"]);
            let lesson = lesson(&client, Settings::default(), script).await;
            assert!(lesson.lines.contains("RUN_FINISHED"), "{generation:?}\n{}", lesson.lines);
            assert!(lesson.offers.iter().all(|offer| offer == &["learn", "rest"]), "{:?}", lesson.offers);
            assert_eq!(school.count(), 3, "{generation:?}: at first, and after both changes");
        }
    });
}

#[test]
fn a_later_list_has_a_shorter_time_than_other_requests() {
    block_on(async {
        let school = School { hangs: true, ..School::new(&["learn"]) };
        let client = school.client(McpGeneration::Handshake).await;
        let lesson = lesson(&client, Settings::default(), calls(&["learn"])).await;
        assert!(lesson.lines.contains("RUN_FINISHED"), "{}", lesson.lines);
    });
}

/// Without notifications too: the list is not asked for in each turn.
#[test]
fn a_list_that_is_no_longer_fresh_and_is_not_read_is_asked_for_once() {
    block_on(async {
        let school = School { hangs: true, notifies: false, fresh: Some(1), ..School::new(&["rest"]) };
        let client = school.client(McpGeneration::Discover).await.timeout(Duration::from_millis(300));
        let lesson = lesson(&client, Settings::default(), calls(&["rest"; 4])).await;
        assert!(lesson.lines.contains("RUN_FINISHED"), "{}", lesson.lines);
        assert_eq!(school.count(), 2, "{}", lesson.lines);
    });
}

#[test]
fn a_later_list_does_not_pass_the_selection_and_takes_no_name() {
    block_on(async {
        for generation in GENERATIONS {
            let school = School::new(&["learn"]);
            let client = school.client(generation).await;
            let settings = Settings { hides_juggling: true, ..Settings::default() };
            let hidden = lesson(&client, settings, calls(&["learn"])).await;
            assert_eq!(hidden.offers, [["learn"], ["learn"]], "{}", hidden.lines);

            let school = School::new(&["learn"]);
            let client = school.client(generation).await;
            let own =
                DynTool::new("juggle", "Mine.", json!({ "type": "object" }), async |_| Ok::<_, Stop>("mine"));
            let settings = Settings { own: vec![own.unwrap()], ..Settings::default() };
            let taken = lesson(&client, settings, calls(&["learn", "juggle"])).await;
            let both = ["juggle", "learn"];
            assert_eq!(taken.offers, [both, both, both], "{}", taken.lines);
            assert!(taken.lines.contains("mine") && taken.lines.contains("RUN_FINISHED"), "{}", taken.lines);
        }
    });
}

#[test]
fn a_server_that_changes_its_list_for_ever_is_asked_once_in_a_turn() {
    block_on(async {
        for generation in GENERATIONS {
            let school = School::new(&["always"]);
            let client = school.client(generation).await;
            let lesson = lesson(&client, Settings::default(), calls(&["always"; 5])).await;
            assert_eq!(lesson.offers.len(), 6, "{}", lesson.lines);
            assert_eq!(lesson.offers[5].len(), 6, "{:?}", lesson.offers);
            assert_eq!(school.count(), 6, "{generation:?}: once in a turn, however often the list changes");
        }
    });
}

#[test]
fn all_chats_of_a_connection_have_one_subscription_which_ends_with_it() {
    block_on(async {
        let school = School::new(&["learn", "forget"]);
        let client = school.client(McpGeneration::Discover).await;
        for _ in 0..5 {
            let lessons = (0..3).map(|_| lesson(&client, Settings::default(), calls(&["forget"])));
            for lesson in futures::future::join_all(lessons).await {
                assert!(lesson.lines.contains("RUN_FINISHED"), "{}", lesson.lines);
            }
        }
        assert_eq!(school.subscriptions.load(Ordering::SeqCst), 1);
        drop(client);
        until(|| school.open.load(Ordering::SeqCst) == 0).await;
    });
}

#[test]
fn a_list_without_notifications_is_asked_for_again_when_it_is_no_longer_fresh() {
    block_on(async {
        for (fresh, offers) in [(Some(1), 2), (Some(3_600_000), 1), (None, 1), (Some(0), 1)] {
            let school = School { notifies: false, fresh, ..School::new(&["learn"]) };
            let client = school.client(McpGeneration::Discover).await;
            let lesson = lesson(&client, Settings::default(), calls(&["learn"])).await;
            assert_eq!(lesson.offers[1].len(), offers, "{fresh:?}: {:?}", lesson.offers);
            assert_eq!(school.subscriptions.load(Ordering::SeqCst), 0);
        }
    });
}

#[test]
fn a_server_that_is_lost_after_the_first_turn_does_not_end_the_run() {
    block_on(async {
        let school = School { notifies: false, fresh: Some(1), ..School::new(&["learn"]) };
        let client = school.client(McpGeneration::Discover).await;
        let (model, closing) = (ScriptedModel::new(calls(&["leave"])), client.clone());
        let leave = DynTool::new("leave", "Leaves.", json!({ "type": "object" }), move |_| {
            let client = closing.clone();
            async move {
                client.close().await;
                Ok::<_, Stop>("gone")
            }
        });
        let settings = Settings { own: vec![leave.unwrap()], ..Settings::default() };
        let events = testing::run(Pupil::new(model.into(), client, settings), testing::input("Go.")).await;
        let lines = testing::lines(&events);
        assert!(lines.contains("gone") && lines.contains("RUN_FINISHED"), "{lines}");
    });
}

/// Serves a school over HTTP.
async fn over_http(school: &School) -> String {
    let (school, sessions) = (school.clone(), Arc::<LocalSessionManager>::default());
    let config = StreamableHttpServerConfig::default();
    let service = StreamableHttpService::new(move || Ok(school.clone()), sessions, config);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(
        async move { axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await },
    );
    url
}

/// Over HTTP the notification and the result of a call have streams of their own, so the change may come in a later turn.
#[test]
fn a_change_over_http_reaches_a_later_turn_and_the_stream_ends_with_the_connection() {
    block_on(async {
        for generation in GENERATIONS {
            let school = School::new(&["learn"]);
            let client = McpClient::http(over_http(&school).await).generation(generation).await.unwrap();
            let pause = DynTool::new("pause", "Waits.", json!({ "type": "object" }), async |_| {
                tokio::time::sleep(Duration::from_millis(300)).await;
                Ok::<_, Stop>("rested")
            });
            let settings = Settings { own: vec![pause.unwrap()], ..Settings::default() };
            let lesson =
                lesson(&client, settings, calls(&["learn", "pause", "pause", "pause", "juggle"])).await;
            let last = lesson.offers.last().unwrap();
            assert!(last.iter().any(|tool| tool == "juggle"), "{generation:?}\n{}", lesson.lines);
            assert!(lesson.lines.contains("RUN_FINISHED"), "{}", lesson.lines);
            assert!(school.count() <= 3, "{}", school.count());
            let subscriptions = usize::from(generation == McpGeneration::Discover);
            assert_eq!(school.subscriptions.load(Ordering::SeqCst), subscriptions);
            drop(client);
            until(|| school.open.load(Ordering::SeqCst) == 0).await;
        }
    });
}
