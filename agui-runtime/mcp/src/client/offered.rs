//! A server's resources and prompts as tools for a model, if the application offers them.

use std::collections::HashSet;

use rmcp::model::{
    GetPromptRequestParams, GetPromptResponse, GetPromptResult, PaginatedRequestParams, PromptMessage, Role,
};
use serde_json::{Value, json};

use super::content_limits::{McpContentLimits, SizedContent};
use super::{McpClient, content, import};
use crate::McpError;
use agui_runtime_core::__leaf::{foreign_tool, quoted};
use agui_runtime_core::model::{DynTool, DynToolError};
use agui_runtime_core::protocol::{Content, ContentPart, TextPart, ToolAnnotations};

/// The parts of a server, beside its tools, that a model may use.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OfferedParts {
    pub(super) resources: Option<McpContentLimits>,
    pub(super) prompts: Option<McpContentLimits>,
}

impl McpClient {
    /// Offers the server's resources to the model, as the tools `list_resources`, `list_resource_templates` and `read_resource` among
    /// the [`tools`](Self::tools) (MCP, section "Resources"). By default the model reads no resources.
    ///
    /// The names have the client's [prefix](Self::prefix), and a number if the server has a tool with such a name. A server without
    /// resources adds no tools. A model may ask for any address: which of them exist is the server's decision.
    ///
    /// ```
    /// # async fn example() -> Result<(), agui_runtime::mcp::McpError> {
    /// use agui_runtime::mcp::{McpClient, McpContentLimits};
    ///
    /// let wiki = McpClient::http("https://wiki.example/mcp").await?;
    /// let wiki = wiki.prefix("wiki_").resources(McpContentLimits::default().text(64 * 1024).binary(0));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn resources(mut self, limits: McpContentLimits) -> Self {
        self.offered.resources = Some(limits);
        self
    }

    /// Offers the server's prompts to the model, as the tools `list_prompts` and `get_prompt` among the [`tools`](Self::tools) (MCP,
    /// section "Prompts"). By default the model reads no prompts. Names as in [`resources`](Self::resources).
    ///
    /// A prompt is the server's text, which a model reads like a tool result: offer prompts of servers that you trust.
    ///
    /// ```
    /// # async fn example() -> Result<(), agui_runtime::mcp::McpError> {
    /// use agui_runtime::mcp::{McpClient, McpContentLimits};
    ///
    /// let desk = McpClient::http("https://desk.example/mcp").await?.prompts(McpContentLimits::default());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn prompts(mut self, limits: McpContentLimits) -> Self {
        self.offered.prompts = Some(limits);
        self
    }
}

/// Returns the tools for the offered parts that the server has. `taken` has the names of the server's tools.
pub(super) fn tools(client: &McpClient, taken: &mut HashSet<String>) -> Vec<DynTool<'static>> {
    let Some(info) = client.connection.peer.peer_info() else { return Vec::new() };
    let resources = client.offered.resources.filter(|_| info.capabilities.resources.is_some());
    let prompts = client.offered.prompts.filter(|_| info.capabilities.prompts.is_some());
    let parts = resources.map(|limits| (&PartTool::RESOURCES[..], limits));
    let parts = parts.into_iter().chain(prompts.map(|limits| (&PartTool::PROMPTS[..], limits)));
    let mut tools = Vec::new();
    for (part, limits) in parts {
        for &tool in part {
            let name = free_name(&import::visible_name(&client.prefix, tool.name()), taken);
            match tool.offer(client, &name, limits) {
                Ok(tool) => {
                    taken.insert(name);
                    tools.push(tool);
                }
                Err(reason) => {
                    let (server, tool) = (client.server(), quoted(&name));
                    tracing::warn!(server, %tool, %reason, "a part of an MCP server is not offered");
                }
            }
        }
    }
    tools
}

/// Returns a name that no tool of the server has.
fn free_name(name: &str, taken: &HashSet<String>) -> String {
    let mut numbered = (2..).map(|number: u32| format!("{name}_{number}"));
    let mut free = name.to_owned();
    while taken.contains(&free) {
        free = numbered.next().unwrap_or_default();
    }
    free
}

/// A tool for a part of a server.
#[derive(Clone, Copy, Debug)]
enum PartTool {
    ListResources,
    ListTemplates,
    ReadResource,
    ListPrompts,
    GetPrompt,
}

impl PartTool {
    const RESOURCES: [Self; 3] = [Self::ListResources, Self::ListTemplates, Self::ReadResource];
    const PROMPTS: [Self; 2] = [Self::ListPrompts, Self::GetPrompt];

    fn name(self) -> &'static str {
        match self {
            Self::ListResources => "list_resources",
            Self::ListTemplates => "list_resource_templates",
            Self::ReadResource => "read_resource",
            Self::ListPrompts => "list_prompts",
            Self::GetPrompt => "get_prompt",
        }
    }

    fn description(self, server: &str) -> String {
        let what = match self {
            Self::ListResources => "Lists resources, with their addresses",
            Self::ListTemplates => "Lists address templates (RFC 6570) for resources",
            Self::ReadResource => "Reads a resource, by an address from a list or from a filled-in template,",
            Self::ListPrompts => "Lists prompts, with their arguments",
            Self::GetPrompt => "Reads a prompt, filled in with arguments,",
        };
        format!("{what} of the server `{}`.", quoted(server))
    }

    fn parameters(self) -> Value {
        let text = |description: &str| json!({ "type": "string", "description": description });
        match self {
            Self::ListResources | Self::ListTemplates | Self::ListPrompts => {
                let cursor = text("The `nextCursor` of the page before; none for the first page.");
                json!({ "type": "object", "properties": { "cursor": cursor }, "additionalProperties": false })
            }
            Self::ReadResource => json!({
                "type": "object",
                "properties": { "uri": text("The address.") },
                "required": ["uri"],
                "additionalProperties": false,
            }),
            Self::GetPrompt => json!({
                "type": "object",
                "properties": {
                    "name": text("The prompt's name."),
                    "arguments": { "type": "object", "additionalProperties": { "type": "string" } },
                },
                "required": ["name"],
                "additionalProperties": false,
            }),
        }
    }

    fn offer(
        self,
        client: &McpClient,
        name: &str,
        limits: McpContentLimits,
    ) -> Result<DynTool<'static>, DynToolError> {
        let called = client.clone();
        let call = move |arguments| {
            let client = called.clone();
            async move { client.part(self, &arguments, limits).await }
        };
        let tool = DynTool::new(name, self.description(&client.server()), self.parameters(), call)?;
        let mut annotations = ToolAnnotations::default();
        annotations.read_only_hint = Some(true);
        Ok(foreign_tool(tool.annotations(annotations).max_result(limits.most_json())))
    }
}

impl McpClient {
    /// Reads a part of the server for a model.
    async fn part(
        &self,
        tool: PartTool,
        arguments: &Value,
        limits: McpContentLimits,
    ) -> Result<Content, McpError> {
        let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        match tool {
            PartTool::ReadResource => {
                let contents = self.read_resource(&text("uri")).await?.contents;
                self.sized(limits, "resource", contents.into_iter().map(content::embedded))
            }
            PartTool::GetPrompt => {
                let mut params = GetPromptRequestParams::new(text("name"));
                if let Some(Value::Object(arguments)) = arguments.get("arguments") {
                    params = params.with_arguments(arguments.clone());
                }
                let messages = self.prompt(params).await?.messages;
                self.sized(limits, "prompt", messages.into_iter().flat_map(said))
            }
            PartTool::ListResources | PartTool::ListTemplates | PartTool::ListPrompts => {
                let cursor = arguments.get("cursor").and_then(Value::as_str).map(str::to_owned);
                let page = self.page(tool, cursor).await?;
                self.sized(limits, "list", [TextPart::new(page.to_string()).into()])
            }
        }
    }

    /// Checks a content's size. Texts are one text.
    fn sized(
        &self,
        limits: McpContentLimits,
        what: &str,
        parts: impl IntoIterator<Item = ContentPart>,
    ) -> Result<Content, McpError> {
        let mut sized = SizedContent::default();
        let parts: Vec<_> = parts.into_iter().inspect(|part| sized.add(part)).collect();
        limits.check(&sized).map_err(|(size, limit)| McpError::TooLarge {
            server: self.server(),
            what: what.to_owned(),
            size,
            limit,
        })?;
        Ok(content::joined_if_plain(parts))
    }

    /// Requests a page of a list, without the members that a model can do without.
    async fn page(&self, tool: PartTool, cursor: Option<String>) -> Result<Value, McpError> {
        let peer = &self.connection.peer;
        let params = cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
        let requesting = async {
            let page = match tool {
                PartTool::ListTemplates => {
                    peer.list_resource_templates(params).await.map(serde_json::to_value)
                }
                PartTool::ListPrompts => peer.list_prompts(params).await.map(serde_json::to_value),
                _ => peer.list_resources(params).await.map(serde_json::to_value),
            };
            page.map_err(|error| self.error(error))
        };
        let page = self.within(requesting).await?;
        let page = page.map_err(|error| self.malformed(format!("a list that cannot be read: {error}")))?;
        Ok(without_extras(page))
    }

    async fn prompt(&self, params: GetPromptRequestParams) -> Result<GetPromptResult, McpError> {
        let requesting =
            async { self.connection.peer.get_prompt_once(params).await.map_err(|error| self.error(error)) };
        match self.within(requesting).await? {
            GetPromptResponse::Complete(result) => Ok(result),
            _ => Err(self.malformed("a request for input of the user")),
        }
    }
}

/// Removes metadata and icons from a list.
fn without_extras(mut page: Value) -> Value {
    let Value::Object(members) = &mut page else { return page };
    members.retain(|name, _| !matches!(name.as_str(), "_meta" | "resultType" | "ttlMs" | "cacheScope"));
    for item in members.values_mut().filter_map(Value::as_array_mut).flatten() {
        if let Value::Object(item) = item {
            item.retain(|name, _| !matches!(name.as_str(), "_meta" | "icons"));
        }
    }
    page
}

/// Returns a prompt's message with its role.
fn said(message: PromptMessage) -> Vec<ContentPart> {
    let role = match message.role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    match content::part(message.content) {
        ContentPart::Text(text) => vec![TextPart::new(format!("{role}: {}", text.text)).into()],
        other => vec![TextPart::new(format!("{role}:")).into(), other],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_name_gets_a_number() {
        let taken = ["read_resource", "read_resource_2"].map(str::to_owned).into();
        assert_eq!(free_name("read_resource", &taken), "read_resource_3");
        assert_eq!(free_name("get_prompt", &taken), "get_prompt");
    }

    #[test]
    fn a_list_has_no_icons_and_no_metadata() {
        let page = json!({
            "resources": [{ "uri": "a:1", "name": "a", "icons": [{ "src": "data:" }], "_meta": {} }],
            "nextCursor": "2",
            "ttlMs": 0,
            "_meta": {},
        });
        let expected = json!({ "resources": [{ "uri": "a:1", "name": "a" }], "nextCursor": "2" });
        assert_eq!(without_extras(page), expected);
    }
}
