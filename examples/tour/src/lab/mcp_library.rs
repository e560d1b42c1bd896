//! `/lab/mcp_library`: the resources and prompts of an MCP server, offered to the model as tools.

use agui_runtime::mcp::{McpClient, McpContentLimits, McpError};
use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use rmcp::model::{
    ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult, ListPromptsResult,
    ListResourcesResult, PaginatedRequestParams, Prompt, PromptArgument, PromptMessage,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, Role,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::json;

const BOOK: &str = "book://dune";

/// Reads a book, and how the library reviews books.
#[agent]
pub async fn reviewer(run: &mut Run<Reviewer>, _: Input<Reviewer>) -> Result<(), Stop> {
    // A real model decides by itself what to read.
    let model = Model::from(ScriptedModel::new([
        Reply::call("list_resources", json!({})),
        Reply::call("read_resource", json!({ "uri": BOOK })),
        Reply::call("get_prompt", json!({ "name": "review", "arguments": { "title": "Dune" } })),
        Reply::text("It begins on a desert planet."),
    ]));
    run.chat(&model).tools(library().await?.tools().await?).await
}

/// Connects to a server in this program, whose resources and prompts become tools.
async fn library() -> Result<McpClient, McpError> {
    let (here, there) = tokio::io::duplex(64 * 1024);
    tokio::spawn(async move {
        if let Ok(running) = Library.serve(there).await {
            running.waiting().await.ok();
        }
    });
    let library = McpClient::connect("library", here).await?;
    Ok(library.resources(McpContentLimits::default()).prompts(McpContentLimits::default()))
}

/// A library with one book.
struct Library;

impl ServerHandler for Library {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_resources().enable_prompts().build())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(vec![Resource::new(BOOK, "Dune")]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if request.uri != BOOK {
            return Err(ErrorData::resource_not_found("there is no such book", None));
        }
        let contents = vec![ResourceContents::text("A boy comes to a desert planet.", BOOK)];
        Ok(ReadResourceResult::new(contents).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let title = PromptArgument::new("title");
        let review = Prompt::new("review", Some("Reviews a book."), Some(vec![title]));
        Ok(ListPromptsResult::with_all_items(vec![review]))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let title = request.arguments.as_ref().and_then(|given| given.get("title")?.as_str());
        let title = title.ok_or_else(|| ErrorData::invalid_params("the title is missing", None))?;
        let text = format!("Review {title} in one sentence.");
        Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).into())
    }
}
