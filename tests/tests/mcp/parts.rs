//! Resources and prompts of servers as tools, if the application offers them.

use std::sync::Arc;

use agui_runtime::mcp::{McpClient, McpContentLimits, McpGeneration};
use agui_runtime::model::{PromptMessage, Reply};
use agui_runtime::protocol::{Content, ContentPart};
use rmcp::model::{
    ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams, Prompt,
    PromptArgument, PromptMessage as ServerMessage, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, Resource, ResourceContents, ResourceTemplate, Role, ServerCapabilities, ServerConfig,
    Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};

use crate::wired::{block_on, talk, through};

const GENERATIONS: [McpGeneration; 2] = [McpGeneration::Handshake, McpGeneration::Discover];

/// A library with books, templates, prompts, and a tool that has a name of ours.
#[derive(Clone)]
struct Library {
    has_parts: bool,
}

impl ServerHandler for Library {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools();
        ServerConfig::new(match self.has_parts {
            true => capabilities.enable_resources().enable_prompts().build(),
            false => capabilities.build(),
        })
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let Value::Object(schema) = json!({ "type": "object" }) else { unreachable!() };
        let tool = Tool::new("read_resource", "The library's own.", Arc::new(schema));
        Ok(ListToolsResult::with_all_items(vec![tool]))
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let book = |at: u32| Resource::new(format!("book://{at}"), format!("Book {at}"));
        if page.and_then(|page| page.cursor).is_some() {
            return Ok(ListResourcesResult::with_all_items(vec![book(2)]));
        }
        let mut list = ListResourcesResult::with_all_items(vec![book(1)]);
        list.next_cursor = Some("more".to_owned());
        Ok(list)
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(vec![ResourceTemplate::new(
            "book://{number}",
            "book",
        )]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let contents = match request.uri.as_str() {
            "book://7" => vec![ResourceContents::text("Seven chapters.", "book://7")],
            "book://long" => vec![
                ResourceContents::text("x".repeat(600), "book://long"),
                ResourceContents::text("x".repeat(500), "book://long"),
            ],
            "book://cover" => vec![
                serde_json::from_value(
                    json!({ "uri": "book://cover", "mimeType": "image/png", "blob": "A".repeat(400) }),
                )
                .unwrap(),
            ],
            other => return Err(ErrorData::resource_not_found(format!("there is no {other}"), None)),
        };
        Ok(ReadResourceResult::new(contents).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let prompt = Prompt::new("review", Some("Reviews a book."), Some(vec![PromptArgument::new("title")]));
        Ok(ListPromptsResult::with_all_items(vec![prompt]))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let title = request.arguments.as_ref().and_then(|given| given.get("title")).cloned();
        let title = title.ok_or_else(|| ErrorData::invalid_params("the title is missing", None))?;
        Ok(GetPromptResult::new(vec![
            ServerMessage::new_text(Role::User, format!("Review {title}.")),
            ServerMessage::new_text(Role::Assistant, "With pleasure."),
        ])
        .into())
    }
}

async fn client(has_parts: bool, generation: McpGeneration) -> McpClient {
    let (here, there) = tokio::io::duplex(64 * 1024);
    let library = Library { has_parts };
    tokio::spawn(async move { library.serve(there).await.unwrap().waiting().await });
    McpClient::connect("library", here).generation(generation).await.unwrap()
}

async fn names(client: &McpClient) -> Vec<String> {
    client.tools().await.unwrap().iter().map(|tool| tool.name().to_owned()).collect()
}

#[test]
fn a_server_offers_its_tools_alone_unless_the_application_wants_more() {
    block_on(async {
        for generation in GENERATIONS {
            let plain = client(true, generation).await;
            assert_eq!(names(&plain).await, ["read_resource"]);
            let limits = McpContentLimits::default();
            let all = plain.clone().resources(limits).prompts(limits);
            assert_eq!(
                names(&all).await,
                [
                    "read_resource",
                    "list_resources",
                    "list_resource_templates",
                    "read_resource_2",
                    "list_prompts",
                    "get_prompt"
                ]
            );
            let apart = plain.prefix("lib_").prompts(limits);
            assert_eq!(names(&apart).await, ["lib_read_resource", "lib_list_prompts", "lib_get_prompt"]);
            let without = client(false, generation).await.resources(limits).prompts(limits);
            assert_eq!(names(&without).await, ["read_resource"], "the server has no resources");
        }
    });
}

#[test]
fn a_model_reads_lists_resources_and_prompts() {
    block_on(async {
        for generation in GENERATIONS {
            let limits = McpContentLimits::default();
            let server = client(true, generation).await.resources(limits).prompts(limits);
            let read = async |tool: &str, arguments: Value| through(&server, tool, arguments).await;
            let list = async |tool: &str, arguments: Value| {
                let (text, failed) = read(tool, arguments).await;
                assert!(!failed, "{text}");
                serde_json::from_str::<Value>(&text).unwrap()
            };
            let first =
                json!({ "resources": [{ "uri": "book://1", "name": "Book 1" }], "nextCursor": "more" });
            assert_eq!(list("list_resources", json!({})).await, first);
            let second = json!({ "resources": [{ "uri": "book://2", "name": "Book 2" }] });
            assert_eq!(list("list_resources", json!({ "cursor": "more" })).await, second);
            let template = json!({ "uriTemplate": "book://{number}", "name": "book" });
            let templates = json!({ "resourceTemplates": [template] });
            assert_eq!(list("list_resource_templates", json!({})).await, templates);
            let prompts = list("list_prompts", json!({})).await;
            assert_eq!(prompts["prompts"][0]["arguments"], json!([{ "name": "title" }]));
            assert_eq!(
                read("get_prompt", json!({ "name": "review", "arguments": { "title": "Emma" } })).await,
                ("user: Review \"Emma\".\nassistant: With pleasure.".to_owned(), false)
            );
            let book = read("read_resource_2", json!({ "uri": "book://7" })).await;
            assert_eq!(book, ("Seven chapters.".to_owned(), false));
        }
    });
}

#[test]
fn a_refused_or_too_large_part_fails_its_call_alone() {
    block_on(async {
        for generation in GENERATIONS {
            let limits = McpContentLimits::default().text(1_000).binary(299);
            let server = client(true, generation).await.resources(limits).prompts(limits);
            let rows = [
                (
                    "read_resource_2",
                    json!({ "uri": "book://long" }),
                    "a resource of 1100 bytes, and at most 1000",
                ),
                (
                    "read_resource_2",
                    json!({ "uri": "book://cover" }),
                    "a resource of 300 bytes, and at most 299",
                ),
                ("read_resource_2", json!({ "uri": "book://none" }), "there is no book://none"),
                ("read_resource_2", json!({}), "arguments of tool `read_resource_2`"),
                ("get_prompt", json!({ "name": "review" }), "the title is missing"),
                ("get_prompt", json!({ "name": "review", "arguments": { "title": 7 } }), "arguments of tool"),
            ];
            for (tool, arguments, expected) in rows {
                let (text, failed) = through(&server, tool, arguments.clone()).await;
                assert!(failed && text.contains(expected), "{tool} {arguments}: {text}");
            }
        }
    });
}

#[test]
fn a_binary_resource_is_a_part() {
    block_on(async {
        let server = client(true, McpGeneration::Discover).await.resources(McpContentLimits::default());
        let script = [Reply::call("read_resource_2", json!({ "uri": "book://cover" })), Reply::text("Nice.")];
        let talk = talk(server, script).await;
        let Some(PromptMessage::Tools(results)) = talk.prompts[1].messages.last() else {
            panic!("{:?}", talk.prompts)
        };
        let Content::Parts(parts) = &results[0].content else { panic!("{results:?}") };
        assert!(matches!(&parts[..], [ContentPart::Image(_)]), "{parts:?}");
    });
}
