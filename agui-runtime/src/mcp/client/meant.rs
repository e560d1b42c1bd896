//! Messages of servers, as their senders mean them: other SDKs than rmcp write members that JSON-RPC and MCP do not allow, and
//! their clients read them all the same.

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use crate::json::RemoveMember as _;
use crate::quoted::quoted;

/// The code of an error that has none, or one that is no number: "internal error" of JSON-RPC.
const NO_CODE: i64 = -32603;

/// The members of a tool that a model can do without.
const OPTIONAL: [&str; 6] = ["title", "description", "outputSchema", "annotations", "icons", "_meta"];

/// Rewrites a message as its sender means it: `null` beside the member that counts, errors that are texts or have no code,
/// a missing version, tools that nobody can read.
pub(super) fn mend(server: &str, message: &mut Value) {
    let Value::Object(members) = message else { return };
    if members.contains_key("method") {
        for member in ["id", "params", "result", "error"] {
            remove_null(members, member);
        }
    } else if members.contains_key("result") || members.contains_key("error") {
        mend_answer(members);
    } else {
        return;
    }
    members.insert("jsonrpc".to_owned(), "2.0".into());
    if let Some(result) = members.get_mut("result") {
        mend_result(server, result);
    }
}

/// Leaves one of the two members of an answer.
fn mend_answer(members: &mut Map<String, Value>) {
    match members.get("error") {
        None => {}
        Some(Value::Null) => {
            members.remove_member("error");
            members.entry("result").or_insert_with(|| json!({}));
        }
        Some(_) => {
            members.remove_member("result");
            if let Some(error) = members.get_mut("error") {
                mend_error(error);
            }
        }
    }
}

fn mend_error(error: &mut Value) {
    let Value::Object(members) = error else {
        let text = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
        *error = json!({ "code": NO_CODE, "message": text });
        return;
    };
    let code = members.get("code").and_then(|code| code.as_i64().or_else(|| code.as_str()?.parse().ok()));
    let code = code.filter(|code| i32::try_from(*code).is_ok()).unwrap_or(NO_CODE);
    let text = match members.get("message") {
        Some(Value::String(text)) => text.clone(),
        Some(other) if !other.is_null() => other.to_string(),
        _ => Value::Object(members.clone()).to_string(),
    };
    members.insert("code".to_owned(), code.into());
    members.insert("message".to_owned(), text.into());
}

/// Rewrites the result of a request. The one of `tools/list` keeps the tools that can be read; the log has the names of the
/// others.
pub(super) fn mend_result(server: &str, result: &mut Value) {
    let Value::Object(members) = result else { return };
    for member in ["structuredContent", "content", "isError", "nextCursor"] {
        remove_null(members, member);
    }
    // Some servers end their list with an empty cursor.
    if members.get("nextCursor").and_then(Value::as_str) == Some("") {
        members.remove_member("nextCursor");
    }
    let Some(Value::Array(tools)) = members.get_mut("tools") else { return };
    let mut place = 0;
    tools.retain_mut(|tool| {
        place += 1;
        match mend_tool(server, tool) {
            Ok(()) => true,
            Err(reason) => {
                let tool = name(tool, place);
                tracing::warn!(server, %tool, reason, "a tool of an MCP server is left out");
                false
            }
        }
    });
}

fn remove_null(members: &mut Map<String, Value>, member: &str) {
    if members.get(member).is_some_and(Value::is_null) {
        members.remove_member(member);
    }
}

/// The name of a tool in the log.
fn name(tool: &Value, place: usize) -> String {
    match tool.get("name") {
        Some(Value::String(name)) => quoted(name).to_string(),
        Some(other) => format!("{} (number {place} of the list)", quoted(other)),
        None => format!("number {place} of the list"),
    }
}

/// Takes optional members away that cannot be read.
///
/// # Errors
/// The reason why the tool cannot be called.
fn mend_tool(server: &str, tool: &mut Value) -> Result<(), String> {
    let Value::Object(members) = tool else { return Err("it is no object".to_owned()) };
    let name = match members.get("name") {
        Some(Value::String(name)) if !name.is_empty() => name.clone(),
        Some(_) => return Err("its name is no text".to_owned()),
        None => return Err("it has no name".to_owned()),
    };
    match members.get("inputSchema") {
        Some(Value::Object(_)) => {}
        Some(_) => return Err("its `inputSchema` is no object".to_owned()),
        None => return Err("it has no `inputSchema`".to_owned()),
    }
    for member in OPTIONAL {
        let is_readable = |value: &Value| {
            serde_json::from_value::<Tool>(json!({ "name": "a", "inputSchema": {}, member: value })).is_ok()
        };
        let Some(value) = members.get_mut(member) else { continue };
        if is_readable(value) {
            continue;
        }
        if member == "annotations" {
            keep_readable_hints(value);
        }
        if !is_readable(value) {
            members.remove_member(member);
        }
        let tool = quoted(&name);
        tracing::warn!(server, %tool, member, "a member of a tool of an MCP server cannot be read, and is left out");
    }
    serde_json::from_value::<Tool>(tool.clone()).map_or_else(|error| Err(error.to_string()), |_| Ok(()))
}

fn keep_readable_hints(annotations: &mut Value) {
    let Value::Object(hints) = annotations else { return };
    hints.retain(|hint, value| serde_json::from_value::<ToolAnnotations>(json!({ hint: value })).is_ok());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(mut message: Value) -> Value {
        mend("raw", &mut message);
        message
    }

    #[test]
    fn null_beside_the_other_member_of_an_answer_is_no_member() {
        let rows = [
            (json!({ "id": 1, "result": {}, "error": null }), json!({ "id": 1, "result": {} })),
            (
                json!({ "id": 1, "result": null, "error": { "code": 7, "message": "no" } }),
                json!({ "id": 1, "error": { "code": 7, "message": "no" } }),
            ),
            (json!({ "id": 1, "error": null }), json!({ "id": 1, "result": {} })),
            (
                json!({ "id": 1, "error": "no" }),
                json!({ "id": 1, "error": { "code": -32603, "message": "no" } }),
            ),
            (
                json!({ "id": 1, "error": { "code": "-32001", "message": 7 } }),
                json!({ "id": 1, "error": { "code": -32001, "message": "7" } }),
            ),
            (
                json!({ "id": 1, "error": { "detail": "no" } }),
                json!({ "id": 1, "error": { "detail": "no", "code": -32603, "message": "{\"detail\":\"no\"}" } }),
            ),
            (json!({ "id": null, "method": "a", "params": null }), json!({ "method": "a" })),
        ];
        for (sent, meant) in rows {
            let mut meant = meant;
            meant["jsonrpc"] = "2.0".into();
            assert_eq!(mended(sent), meant);
        }
        assert_eq!(mended(json!({ "a": 1 })), json!({ "a": 1 }));
        assert_eq!(mended(json!([1])), json!([1]));
    }

    #[test]
    fn members_that_are_null_or_cannot_be_read_are_left_out() {
        let schema = json!({ "type": "object" });
        let tools = json!([
            { "name": "a", "inputSchema": schema, "title": 7, "annotations": { "readOnlyHint": "yes", "title": "A" } },
            { "name": "b", "inputSchema": schema, "annotations": "no", "outputSchema": true, "icons": 1, "_meta": [] },
            { "name": "c", "inputSchema": null },
            { "inputSchema": schema },
            7,
        ]);
        let sent = json!({ "id": 1, "result": { "tools": tools, "nextCursor": "" } });
        let kept = json!([
            { "name": "a", "inputSchema": schema, "annotations": { "title": "A" } },
            { "name": "b", "inputSchema": schema },
        ]);
        assert_eq!(mended(sent)["result"], json!({ "tools": kept }));
        let empty = json!({ "id": 1, "result": { "content": [], "structuredContent": null } });
        assert_eq!(mended(empty)["result"], json!({ "content": [] }));
    }
}
