//! Server tools as model tools.

use std::collections::HashSet;

use rmcp::model::Tool;
use serde_json::Value;

use super::{CallObserver, McpClient, offered};
use agui_runtime_core::__leaf::{LONGEST_DESCRIPTION, foreign_tool, quoted};
use agui_runtime_core::model::{DynTool, DynToolError};
use agui_runtime_core::protocol::ToolAnnotations;

/// Returns all tools that a model can call, and logs the others.
pub(super) fn tools(
    client: &McpClient,
    listed: Vec<Tool>,
    watch: impl Fn(&Tool) -> Option<CallObserver>,
) -> Vec<DynTool<'static>> {
    let mut taken = HashSet::new();
    let mut tools = Vec::new();
    for tool in listed {
        let name = tool.name.clone();
        let watch = watch(&tool);
        let reason = match import(client, tool, watch) {
            Ok(tool) if taken.insert(tool.name().to_owned()) => {
                tools.push(tool);
                continue;
            }
            Ok(tool) => format!("the server has another tool that the model sees as `{}`", tool.name()),
            Err(error) => error.to_string(),
        };
        let (server, tool) = (client.server(), quoted(&name));
        tracing::warn!(server, %tool, reason, "a tool of an MCP server is left out");
    }
    tools.extend(offered::tools(client, &mut taken));
    tools
}

fn import(
    client: &McpClient,
    tool: Tool,
    watch: Option<CallObserver>,
) -> Result<DynTool<'static>, DynToolError> {
    let annotations = annotations(&tool);
    let name = visible_name(&client.prefix, &tool.name);
    let description = description(client, &tool, annotations.title.as_deref());
    let called = (client.clone(), tool.name.into_owned(), watch);
    let call = move |arguments, run| {
        let (client, tool, watch) = called.clone();
        async move { client.call(tool, arguments, run, watch.as_ref()).await }
    };
    let schema = Value::Object((*tool.input_schema).clone());
    Ok(foreign_tool(DynTool::interrupting(name, description, schema, call)?.annotations(annotations)))
}

/// Replaces `.` and `/`, which MCP allows in names and providers refuse.
pub(super) fn visible_name(prefix: &str, name: &str) -> String {
    let known = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let name: String = prefix.chars().chain(name.chars()).map(|c| if known(c) { c } else { '_' }).collect();
    match name.chars().next() {
        Some(first) if first.is_ascii_digit() || first == '-' => format!("_{name}"),
        _ => name,
    }
}

fn description(client: &McpClient, tool: &Tool, title: Option<&str>) -> String {
    let given = tool.description.as_deref().filter(|text| !text.trim().is_empty());
    let text = given.or(title.filter(|title| !title.trim().is_empty())).unwrap_or(&tool.name);
    let Some((end, _)) = text
        .char_indices()
        .nth(LONGEST_DESCRIPTION - 1)
        .filter(|_| text.chars().count() > LONGEST_DESCRIPTION)
    else {
        return text.to_owned();
    };
    let (server, tool) = (client.server(), quoted(&tool.name));
    tracing::warn!(server, %tool, "the description of a tool has more than {LONGEST_DESCRIPTION} characters, and is shortened");
    format!("{}…", text.get(..end).unwrap_or(text))
}

fn annotations(tool: &Tool) -> ToolAnnotations {
    let given = tool.annotations.clone().unwrap_or_default();
    let mut annotations = ToolAnnotations::default();
    annotations.title = tool.title.clone().or(given.title).map(Into::into);
    annotations.read_only_hint = given.read_only_hint;
    annotations.destructive_hint = given.destructive_hint;
    annotations.idempotent_hint = given.idempotent_hint;
    annotations.open_world_hint = given.open_world_hint;
    annotations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_ones_that_providers_accept() {
        for (prefix, name, expected) in [
            ("", "read_file", "read_file"),
            ("files_", "read-file", "files_read-file"),
            ("", "admin.tools/list", "admin_tools_list"),
            ("", "2fa", "_2fa"),
            ("", "-x", "_-x"),
            ("", "größe", "gr__e"),
            ("", "", ""),
        ] {
            assert_eq!(visible_name(prefix, name), expected);
        }
    }
}
