//! Servers that need the user's input: in 2026-07-28 as a call's response, before in the middle of the call.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::mcp::{McpClient, McpGeneration};
use agui_runtime::model::{PromptMessage, Reply, ScriptedModel};
use agui_runtime::protocol::{
    AssistantMessage, Event, FunctionCall, Interrupt, Message, NonNull, ResumeEntry, ResumeStatus,
    RunAgentInput, ToolCall, UserMessage,
};
use agui_runtime::testing::{self, RunEnd};
use agui_runtime::{InterruptKey, RunOptions};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientResult, ContentBlock, ElicitRequest,
    ElicitationAction, ErrorCode, ErrorData, InputRequest, InputRequiredResult, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, ServerRequest, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};

use crate::wired::{Clerk, block_on};

/// A call as the server got it.
#[derive(Clone, Debug, PartialEq)]
struct Call {
    tool: String,
    arguments: Value,
    responses: Value,
    state: Option<String>,
}

type Calls = Arc<Mutex<Vec<Call>>>;

/// A server whose tools ask.
#[derive(Clone, Default)]
pub(crate) struct Asker {
    calls: Calls,
    /// The number of questions in the middle of calls that the client declined.
    declined: Arc<AtomicU32>,
}

fn form(message: &str, fields: &Value) -> Value {
    let schema = json!({ "type": "object", "properties": fields, "required": fields.as_object().unwrap().keys().collect::<Vec<_>>() });
    json!({ "method": "elicitation/create", "params": { "mode": "form", "message": message, "requestedSchema": schema } })
}

fn address(url: &str) -> Value {
    json!({ "method": "elicitation/create", "params": { "mode": "url", "message": "Pay.", "url": url, "elicitationId": "e-1" } })
}

fn ask(requests: Value, state: &str) -> Result<CallToolResponse, ErrorData> {
    let requests: BTreeMap<String, InputRequest> = serde_json::from_value(requests).unwrap();
    Ok(InputRequiredResult::new(Some(requests), Some(state.to_owned())).into())
}

fn text(text: impl Into<String>) -> Result<CallToolResponse, ErrorData> {
    Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
}

impl Asker {
    /// The number of calls so far.
    pub(crate) fn count(&self) -> usize {
        self.calls.lock().unwrap().len()
    }
}

impl ServerHandler for Asker {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool = |name: &str| {
            let schema = json!({ "type": "object", "properties": { "item": { "type": "string" } } });
            let Value::Object(schema) = schema else { unreachable!() };
            Tool::new(name.to_owned(), "Does.", Arc::new(schema))
        };
        let names = [
            "order", "twice", "endless", "both", "pay", "evil", "login", "sample", "wait", "middle", "first",
            "nag", "drip", "long",
        ];
        Ok(ListToolsResult::with_all_items(names.map(tool).into()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let state = request.request_state.clone();
        let responses = json!(request.input_responses);
        let call = Call {
            tool: request.name.to_string(),
            arguments: json!(request.arguments),
            responses: responses.clone(),
            state: state.clone(),
        };
        let count = {
            let mut calls = self.calls.lock().unwrap();
            calls.push(call);
            calls.len()
        };
        let where_to = form("Where to?", &json!({ "street": { "type": "string", "minLength": 2 } }));
        match (&*request.name, state.as_deref()) {
            ("order", None) => ask(json!({ "place": where_to }), "opaque/1"),
            ("order" | "twice" | "pay", Some("opaque/1" | "opaque/2")) => {
                let state = state.unwrap();
                if request.name == "twice" && state == "opaque/1" {
                    return ask(
                        json!({ "name": form("Who?", &json!({ "name": { "type": "string" } })) }),
                        "opaque/2",
                    );
                }
                text(format!("{state} {responses}"))
            }
            ("twice", None) => ask(json!({ "place": where_to }), "opaque/1"),
            ("endless", _) => ask(json!({ "place": where_to }), &format!("round {count}")),
            ("both", None) => {
                ask(json!({ "place": where_to, "pay": address("https://pay.example/1") }), "opaque/1")
            }
            ("both", Some(_)) => text(responses.to_string()),
            ("pay", None) => ask(json!({ "pay": address("https://pay.example/1") }), "opaque/1"),
            ("evil", None) => ask(json!({ "pay": address("javascript:alert(1)") }), "opaque/1"),
            ("login", None) => ask(
                json!({ "in": form("Log in.", &json!({ "password": { "type": "string" } })) }),
                "opaque/1",
            ),
            ("sample", None) => {
                let messages = json!([{ "role": "user", "content": { "type": "text", "text": "Hi" } }]);
                let request = json!({ "method": "sampling/createMessage", "params": { "messages": messages, "maxTokens": 1 } });
                ask(json!({ "a": request }), "opaque/1")
            }
            // It needs time, and no input.
            ("wait", None) => Ok(InputRequiredResult::from_request_state("later").into()),
            ("wait", Some(state)) => text(state),
            ("first", _) if count == 1 => {
                let data = json!({ "elicitations": [address("https://pay.example/2")["params"]] });
                Err(ErrorData::new(ErrorCode(-32042), "Open it first", Some(data)))
            }
            ("first", _) => text("paid"),
            ("middle", _) => {
                let params = serde_json::from_value(where_to["params"].clone()).unwrap();
                let request = ServerRequest::ElicitRequest(ElicitRequest::new(params));
                match context.peer.send_request(request).await {
                    Ok(ClientResult::ElicitResult(given)) if given.action == ElicitationAction::Accept => {
                        text(format!("got {}", given.content.unwrap_or_default()))
                    }
                    Ok(ClientResult::ElicitResult(given)) => text(format!("{:?}", given.action)),
                    other => text(format!("failed: {other:?}")),
                }
            }
            // It asks until the client gives the call up.
            (nag @ ("nag" | "drip"), _) => {
                while !context.ct.is_cancelled() {
                    let params = address("http://pay.example/")["params"].clone();
                    let request = ElicitRequest::new(serde_json::from_value(params).unwrap());
                    if context.peer.send_request(ServerRequest::ElicitRequest(request)).await.is_err() {
                        break;
                    }
                    self.declined.fetch_add(1, Ordering::SeqCst);
                    let pause = if nag == "drip" { 300 } else { 1 };
                    tokio::time::sleep(Duration::from_millis(pause)).await;
                }
                text("gave up")
            }
            ("long", _) => ask(
                json!({ "pay": address(&format!("https://pay.example/{}", "x".repeat(2_000))) }),
                "opaque/1",
            ),
            other => panic!("{other:?}"),
        }
    }
}

async fn connected(asker: Asker, generation: McpGeneration) -> McpClient {
    let (here, there) = tokio::io::duplex(64 * 1024);
    tokio::spawn(async move { asker.serve(there).await.unwrap().waiting().await });
    McpClient::connect("shop", here).generation(generation).await.unwrap()
}

/// An agent with the tools of a server, and a secret; all nodes are in this process.
struct Node {
    server: McpClient,
    secret: [u8; 32],
}

impl Node {
    async fn new(asker: &Asker) -> Self {
        Self::of(asker, McpGeneration::Discover).await
    }

    async fn of(asker: &Asker, generation: McpGeneration) -> Self {
        Self { server: connected(asker.clone(), generation).await, secret: [7; 32] }
    }

    async fn run(&self, replies: impl Into<Vec<Reply>>, input: RunAgentInput) -> Ran {
        let model = Arc::new(ScriptedModel::new(replies.into()));
        let clerk = Clerk::new(Arc::clone(&model).into(), self.server.clone());
        let options = RunOptions::default().interrupt_key(InterruptKey::new(self.secret).unwrap());
        Ran { events: testing::run_with(clerk, input, options).await, model }
    }

    /// Runs until the tool asks.
    async fn asked(&self, tool: &str) -> Asked {
        let ran = self.run([Reply::call(tool, json!({ "item": "rice" }))], first_input()).await;
        Asked { question: ran.question(), tool: tool.to_owned() }
    }

    async fn resume(&self, asked: &Asked, entry: ResumeEntry) -> Ran {
        self.run([Reply::text("Done.")], asked.next(entry)).await
    }
}

struct Ran {
    events: Vec<Event>,
    model: Arc<ScriptedModel>,
}

impl Ran {
    fn question(&self) -> Interrupt {
        match testing::end(&self.events) {
            RunEnd::Interrupt([question]) => question.clone(),
            other => panic!("{other:?}\n{}", testing::lines(&self.events)),
        }
    }

    /// The result of the last call, as the model read it, and true if the call failed.
    fn result(&self) -> (String, bool) {
        let prompts = self.model.prompts();
        let results = prompts.last().and_then(|prompt| {
            prompt.messages.iter().rev().find_map(|message| match message {
                PromptMessage::Tools(results) => results.last().cloned(),
                _ => None,
            })
        });
        let Some(result) = results else { panic!("{}", testing::lines(&self.events)) };
        (result.content.text().into_owned(), result.failed)
    }

    fn code(&self) -> String {
        match testing::end(&self.events) {
            RunEnd::Failed { code, .. } => code.unwrap_or_default().to_owned(),
            other => panic!("{other:?}"),
        }
    }
}

#[derive(Clone)]
struct Asked {
    question: Interrupt,
    tool: String,
}

impl Asked {
    fn next(&self, entry: ResumeEntry) -> RunAgentInput {
        let id = self.question.tool_call_id.clone().unwrap();
        let call = ToolCall::new(id, FunctionCall::new(self.tool.as_str(), r#"{"item":"rice"}"#));
        let said: Message = UserMessage::new("user-1", "Rice.").into();
        let mut input = first_input();
        input.messages = vec![said, AssistantMessage::new("turn-1").with_tool_calls([call]).into()];
        input.run_id = "run-2".into();
        input.with_resume([entry])
    }

    fn given(&self, payload: Value) -> ResumeEntry {
        ResumeEntry::new(self.question.id.clone(), ResumeStatus::Resolved)
            .with_payload(NonNull::new(payload).unwrap())
    }

    fn cancelled(&self) -> ResumeEntry {
        ResumeEntry::new(self.question.id.clone(), ResumeStatus::Cancelled)
    }
}

fn first_input() -> RunAgentInput {
    testing::input("Rice.")
}

fn street() -> Value {
    json!({ "street": "Main" })
}

#[test]
fn a_question_ends_the_run_and_the_next_run_makes_the_call_again() {
    block_on(async {
        let asker = Asker::default();
        let asked = Node::new(&asker).await.asked("order").await;
        let question = &asked.question;
        assert_eq!(question.reason, "input_required");
        assert_eq!(question.message.as_deref(), Some("The MCP server `shop` asks: Where to?"));
        let schema = json!(question.response_schema);
        assert_eq!(schema["properties"], json!({ "street": { "type": "string", "minLength": 2 } }));
        assert_eq!(schema["required"], json!(["street"]));

        // Another connection.
        let other = Node::new(&asker).await;
        let ran = other.resume(&asked, asked.given(street())).await;
        let accepted = json!({ "place": { "action": "accept", "content": street() } });
        assert_eq!(ran.result(), (format!("opaque/1 {accepted}"), false));
        let types = testing::lines(&ran.events);
        assert!(types.contains("TOOL_CALL_RESULT") && !types.contains("TOOL_CALL_START"), "{types}");
        let calls = asker.calls.lock().unwrap().clone();
        let call = |responses: Value, state: Option<&str>| Call {
            tool: "order".to_owned(),
            arguments: json!({ "item": "rice" }),
            responses,
            state: state.map(str::to_owned),
        };
        assert_eq!(calls, [call(Value::Null, None), call(accepted, Some("opaque/1"))]);

        // The entry counts once.
        assert_eq!(other.resume(&asked, asked.given(street())).await.code(), "interrupt_used");
        assert_eq!(asker.calls.lock().unwrap().len(), 2);
    });
}

#[test]
fn a_server_that_asks_twice_gets_its_newest_state() {
    block_on(async {
        let asker = Asker::default();
        let node = Node::new(&asker).await;
        let first = node.asked("twice").await;
        let question = node.resume(&first, first.given(street())).await.question();
        assert_eq!(question.message.as_deref(), Some("The MCP server `shop` asks: Who?"));
        let second = Asked { question, ..first };
        let ran = node.resume(&second, second.given(json!({ "name": "Ada" }))).await;
        let accepted = json!({ "name": { "action": "accept", "content": { "name": "Ada" } } });
        assert_eq!(ran.result(), (format!("opaque/2 {accepted}"), false));
    });
}

#[test]
fn a_user_may_decline_or_cancel() {
    block_on(async {
        let asker = Asker::default();
        let node = Node::new(&asker).await;
        let asked = node.asked("order").await;
        let declined = ResumeEntry::new(asked.question.id.clone(), ResumeStatus::Resolved);
        let (text, failed) = node.resume(&asked, declined).await.result();
        assert_eq!((&*text, failed), (r#"opaque/1 {"place":{"action":"decline"}}"#, false));
        let asked = node.asked("order").await;
        let (text, failed) = node.resume(&asked, asked.cancelled()).await.result();
        assert_eq!((&*text, failed), (r#"opaque/1 {"place":{"action":"cancel"}}"#, false));
        // A server that asks again after that gets nothing more.
        let asked = node.asked("twice").await;
        let (text, failed) = node.resume(&asked, asked.cancelled()).await.result();
        assert!(failed && text.contains("asks again for input that the user did not give"), "{text}");
    });
}

#[test]
fn an_entry_that_does_not_fit_makes_no_call() {
    block_on(async {
        let asker = Asker::default();
        let node = Node::new(&asker).await;
        let asked = node.asked("order").await;
        for payload in [json!({}), json!({ "street": 7 }), json!({ "street": "x" }), json!([]), json!(true)] {
            let ran = node.resume(&asked, asked.given(payload.clone())).await;
            assert_eq!(ran.code(), "resume_invalid_response", "{payload}");
        }
        let mut other = asked.next(asked.given(street()));
        let json = serde_json::to_string(&other.messages).unwrap().replace("rice", "gold");
        other.messages = serde_json::from_str(&json).unwrap();
        assert_eq!(node.run([], other).await.code(), "interrupt_call_changed");
        let foreign = Node { secret: [8; 32], server: node.server.clone() };
        assert_eq!(foreign.resume(&asked, asked.given(street())).await.code(), "interrupt_not_asked");
        // Another state under the same proof.
        let id = asked.question.id.as_str();
        let at = "agui_input:".len();
        let forged = format!("{}{}{}", &id[..at], if &id[at..=at] == "A" { "B" } else { "A" }, &id[at + 1..]);
        let entry =
            ResumeEntry::new(forged, ResumeStatus::Resolved).with_payload(NonNull::new(street()).unwrap());
        assert_eq!(node.resume(&asked, entry).await.code(), "interrupt_not_asked");
        assert_eq!(asker.calls.lock().unwrap().len(), 1);
        // No entry was used up.
        assert!(!node.resume(&asked, asked.given(street())).await.result().1);
    });
}

#[test]
fn a_server_that_asks_for_ever_is_stopped() {
    block_on(async {
        let asker = Asker::default();
        let node = Node::new(&asker).await;
        let mut asked = node.asked("endless").await;
        for round in 2..=10 {
            asked.question = node.resume(&asked, asked.given(street())).await.question();
            let calls = asker.calls.lock().unwrap();
            assert_eq!(calls.last().unwrap().state, Some(format!("round {}", round - 1)));
        }
        let (text, failed) = node.resume(&asked, asked.given(street())).await.result();
        assert!(failed && text.contains("asks for input more than 10 times in one call"), "{text}");
    });
}

/// An older server asks in the middle of one call.
#[test]
fn a_call_in_which_the_server_asks_for_ever_is_stopped() {
    block_on(async {
        let asker = Asker::default();
        let node = Node::of(&asker, McpGeneration::Handshake).await;
        let script = [Reply::call("nag", json!({})), Reply::text("Done.")];
        let (text, failed) = node.run(script, first_input()).await.result();
        assert!(failed && text.contains("asks for input more than 10 times in one call"), "{text}");
        let declined = asker.declined.load(Ordering::SeqCst);
        assert!((10..15).contains(&declined), "{declined}");
    });
}

#[test]
fn questions_in_a_call_do_not_extend_its_time() {
    block_on(async {
        let mut node = Node::of(&Asker::default(), McpGeneration::Handshake).await;
        node.server = node.server.timeout(Duration::from_secs(1));
        let script = [Reply::call("drip", json!({})), Reply::text("Done.")];
        let (text, failed) = node.run(script, first_input()).await.result();
        assert!(failed && text.contains("did not answer within 1s"), "{text}");
    });
}

#[test]
fn several_questions_at_once_are_one_interrupt() {
    block_on(async {
        let asker = Asker::default();
        let node = Node::new(&asker).await;
        let asked = node.asked("both").await;
        let schema = json!(asked.question.response_schema);
        assert_eq!(schema["properties"]["place"]["properties"]["street"]["minLength"], 2);
        assert_eq!(schema["properties"]["pay"]["required"], json!(["approved"]));
        let given = asked.given(json!({ "place": street(), "pay": { "approved": true } }));
        let (text, _) = node.resume(&asked, given).await.result();
        let accepted =
            json!({ "pay": { "action": "accept" }, "place": { "action": "accept", "content": street() } });
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), accepted);
    });
}

#[test]
fn an_address_is_shown_and_never_fetched() {
    block_on(async {
        let asker = Asker::default();
        let node = Node::new(&asker).await;
        let asked = node.asked("pay").await;
        let message = asked.question.message.clone().unwrap();
        assert!(
            message.contains("at `pay.example` yourself, if you trust it: https://pay.example/1"),
            "{message}"
        );
        let about = asked.question.metadata.clone().unwrap()["agui-rust/mcp"].clone();
        let shown = json!({ "key": "pay", "mode": "url", "message": "Pay.", "url": "https://pay.example/1", "host": "pay.example" });
        assert_eq!(about, json!({ "server": "shop", "questions": [shown] }));
        let (text, _) = node.resume(&asked, asked.given(json!({ "approved": true }))).await.result();
        assert_eq!(text, r#"opaque/1 {"pay":{"action":"accept"}}"#);

        let script = [Reply::call("evil", json!({})), Reply::text("Done.")];
        let (text, failed) = node.run(script, first_input()).await.result();
        assert!(failed && text.contains("asks the user to open an address that is not encrypted"), "{text}");
        let script = [Reply::call("long", json!({})), Reply::text("Done.")];
        let (text, failed) = node.run(script, first_input()).await.result();
        assert!(failed && text.contains("asks the user to open an address above 2000 bytes"), "{text}");
        assert!(text.len() < 500, "{text}");
    });
}

#[test]
fn an_address_that_must_be_opened_first_is_asked_about() {
    block_on(async {
        let asker = Asker::default();
        let node = Node::of(&asker, McpGeneration::Handshake).await;
        let asked = node.asked("first").await;
        assert!(asked.question.message.as_ref().unwrap().contains("https://pay.example/2"));
        let (text, failed) = node.resume(&asked, asked.given(json!({ "approved": true }))).await.result();
        assert_eq!((&*text, failed), ("paid", false));
        assert_eq!(asker.calls.lock().unwrap().len(), 2);
    });
}

#[test]
fn a_form_that_asks_for_a_secret_has_a_warning() {
    block_on(async {
        let asked = Node::new(&Asker::default()).await.asked("login").await;
        let message = asked.question.message.clone().unwrap();
        assert!(message.contains("Give no passwords, keys or card numbers here."), "{message}");
        let about = &asked.question.metadata.as_ref().unwrap()["agui-rust/mcp"];
        assert!(about["questions"][0]["warning"].is_string(), "{about}");
    });
}

#[test]
fn what_no_user_can_give_fails_the_call() {
    block_on(async {
        let node = Node::new(&Asker::default()).await;
        let script = [Reply::call("sample", json!({})), Reply::text("Done.")];
        let (text, failed) = node.run(script, first_input()).await.result();
        assert!(failed && text.contains("asks for a model's message"), "{text}");
        let script = [Reply::call("wait", json!({})), Reply::text("Done.")];
        assert_eq!(node.run(script, first_input()).await.result(), ("later".to_owned(), false));
    });
}

#[test]
fn a_question_in_the_middle_of_a_call_keeps_the_call() {
    block_on(async {
        let asker = Asker::default();
        let node = Node::of(&asker, McpGeneration::Handshake).await;
        let asked = node.asked("middle").await;
        assert_eq!(asked.question.message.as_deref(), Some("The MCP server `shop` asks: Where to?"));
        assert!(asked.question.expires_at.is_some(), "the server does not wait for ever");
        let ran = node.resume(&asked, asked.given(street())).await;
        assert_eq!(ran.result(), (r#"got {"street":"Main"}"#.to_owned(), false));
        assert_eq!(asker.calls.lock().unwrap().len(), 1, "the call was made once");
        assert_eq!(node.resume(&asked, asked.given(street())).await.code(), "interrupt_used");

        let asked = node.asked("middle").await;
        assert_eq!(node.resume(&asked, asked.cancelled()).await.result(), ("Cancel".to_owned(), false));
    });
}

/// An agent that makes its client in each run has another connection in the next run.
#[test]
fn a_kept_call_continues_after_its_client_was_dropped() {
    block_on(async {
        let asker = Asker::default();
        let asked = Node::of(&asker, McpGeneration::Handshake).await.asked("middle").await;
        let next = Node::of(&asker, McpGeneration::Handshake).await;
        let ran = next.resume(&asked, asked.given(street())).await;
        assert_eq!(ran.result(), (r#"got {"street":"Main"}"#.to_owned(), false));
        assert_eq!(asker.calls.lock().unwrap().len(), 1, "the call was made once");
    });
}

/// The tool whose question a process of its own prints.
const ASKED_TOOL: &str = "AGUI_MCP_ASKED_TOOL";

/// Runs until the tool asks, in another process, which has ended when this function returns.
fn asked_by_another_process(tool: &str) -> Asked {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "asking::a_process_that_asks", "--nocapture"]).env(ASKED_TOOL, tool);
    let said = String::from_utf8(command.output().unwrap().stderr).unwrap();
    let question = said.lines().find_map(|line| line.strip_prefix("asked: "));
    let question = serde_json::from_str(question.unwrap_or_else(|| panic!("{said}"))).unwrap();
    Asked { question, tool: tool.to_owned() }
}

/// A process of its own for other tests; does nothing without a tool.
#[test]
fn a_process_that_asks() {
    let Ok(tool) = std::env::var(ASKED_TOOL) else { return };
    block_on(async {
        let generation = if tool == "middle" { McpGeneration::Handshake } else { McpGeneration::Discover };
        let asked = Node::of(&Asker::default(), generation).await.asked(&tool).await;
        eprintln!("asked: {}", json!(asked.question));
    });
}

#[test]
fn a_call_is_made_again_in_another_process() {
    block_on(async {
        let asked = asked_by_another_process("order");
        let asker = Asker::default();
        let ran = Node::new(&asker).await.resume(&asked, asked.given(street())).await;
        let accepted = json!({ "place": { "action": "accept", "content": street() } });
        assert_eq!(ran.result(), (format!("opaque/1 {accepted}"), false));
        assert_eq!(asker.calls.lock().unwrap().len(), 1);
    });
}

#[test]
fn a_kept_call_is_lost_with_its_process() {
    block_on(async {
        let asked = asked_by_another_process("middle");
        let asker = Asker::default();
        let other = Node::of(&asker, McpGeneration::Handshake).await;
        let (text, failed) = other.resume(&asked, asked.given(street())).await.result();
        assert!(
            failed && text.contains("the call has ended: it may or may not have had an effect"),
            "{text}"
        );
        assert_eq!(asker.calls.lock().unwrap().len(), 0, "the call is not made again");
    });
}

#[test]
fn a_question_that_may_be_about_another_call_is_declined_with_a_sentence() {
    block_on(async {
        let asker = Asker::default();
        let node = Node::of(&asker, McpGeneration::Handshake).await;
        let waiting = node.asked("middle").await;
        let script = [Reply::call("middle", json!({})), Reply::text("Done.")];
        let (text, failed) = node.run(script, first_input()).await.result();
        assert!(!failed && text.starts_with("Decline\n(While the call ran, the server asked"), "{text}");
        assert!(!text.contains("Where to?"), "another user may have been asked: {text}");
        let (text, _) = node.resume(&waiting, waiting.given(street())).await.result();
        assert!(text.starts_with(r#"got {"street":"Main"}"#), "{text}");
    });
}
