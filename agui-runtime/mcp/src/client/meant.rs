//! Repairs messages from SDKs other than rmcp, which write members that JSON-RPC and MCP do not allow and that other clients
//! accept.

use rmcp::model::{MetaObject, Tool, ToolAnnotations};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use agui_runtime_core::__leaf::RemoveMember as _;
use agui_runtime_core::__leaf::quoted;

/// JSON-RPC's "internal error", for errors without a numeric code.
const NO_CODE: i64 = -32603;

/// Tool members that a model can do without.
const OPTIONAL: [&str; 6] = ["title", "description", "outputSchema", "annotations", "icons", "_meta"];

/// Repairs a message: `null` beside the member that counts, errors that are texts or lack a code, a missing version, tools that no
/// client can read.
pub(super) fn mend(message: &mut Value) {
    let Value::Object(members) = message else { return };
    if members.contains_key("method") {
        for member in ["id", "params", "result", "error"] {
            remove_null(members, member);
        }
    } else if members.contains_key("result") || members.contains_key("error") {
        mend_response(members);
    } else {
        return;
    }
    members.insert("jsonrpc".to_owned(), "2.0".into());
    if let Some(result) = members.get_mut("result") {
        mend_result(result);
    }
}

/// Keeps either `result` or `error`.
fn mend_response(members: &mut Map<String, Value>) {
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

/// The metadata key under which a list holds [`ToolListRemark`]s about its tools.
const REMARKS: &str = "agui-rust/remarks";

/// A repair in a tool list. A transport reads the list in a separate task, and leaves remarks in the list's metadata, where the
/// request logs them.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ToolListRemark {
    tool: String,
    /// The reason why the tool is dropped, or the dropped tool member.
    text: String,
    /// True if the tool is dropped.
    left_out: bool,
}

impl ToolListRemark {
    pub(super) fn log(&self, server: &str) {
        let (tool, reason) = (quoted(&self.tool), quoted(&self.text));
        if self.left_out {
            tracing::warn!(server, %tool, %reason, "a tool of an MCP server is left out");
        } else {
            tracing::warn!(server, %tool, %reason, "a part of a tool of an MCP server is left out");
        }
    }
}

/// Takes the remarks out of a list's metadata.
pub(super) fn remarks(meta: Option<&mut MetaObject>) -> Vec<ToolListRemark> {
    let remarks = meta.and_then(|meta| meta.0.remove_member(REMARKS));
    remarks.and_then(|remarks| serde_json::from_value(remarks).ok()).unwrap_or_default()
}

/// Repairs a request's result. A `tools/list` result keeps all readable tools.
pub(super) fn mend_result(result: &mut Value) {
    let Value::Object(members) = result else { return };
    for member in ["structuredContent", "content", "isError", "nextCursor"] {
        remove_null(members, member);
    }
    // Some servers end their list with an empty cursor.
    if members.get("nextCursor").and_then(Value::as_str) == Some("") {
        members.remove_member("nextCursor");
    }
    let Some(Value::Array(tools)) = members.get_mut("tools") else { return };
    let (mut place, mut remarks) = (0, Vec::new());
    tools.retain_mut(|tool| {
        place += 1;
        let name = name(tool, place);
        match mend_tool(tool) {
            Ok(without) => {
                let text = |member| format!("its member `{member}` cannot be read");
                let remark =
                    |member| ToolListRemark { tool: name.clone(), text: text(member), left_out: false };
                remarks.extend(without.into_iter().map(remark));
                true
            }
            Err(text) => {
                remarks.push(ToolListRemark { tool: name, text, left_out: true });
                false
            }
        }
    });
    let meta = members.entry("_meta").or_insert_with(|| json!({}));
    if !meta.is_object() {
        *meta = json!({});
    }
    meta[REMARKS] = serde_json::to_value(remarks).unwrap_or_default();
}

fn remove_null(members: &mut Map<String, Value>, member: &str) {
    if members.get(member).is_some_and(Value::is_null) {
        members.remove_member(member);
    }
}

/// A tool's name for the log.
fn name(tool: &Value, place: usize) -> String {
    match tool.get("name") {
        Some(Value::String(name)) => name.clone(),
        Some(other) => format!("{} (number {place} of the list)", quoted(other)),
        None => format!("number {place} of the list"),
    }
}

/// Removes unreadable optional members, and returns their names.
///
/// # Errors
/// The reason why the tool cannot be called.
fn mend_tool(tool: &mut Value) -> Result<Vec<&'static str>, String> {
    let Value::Object(members) = tool else { return Err("it is no object".to_owned()) };
    match members.get("name") {
        Some(Value::String(name)) if !name.is_empty() => {}
        Some(_) => return Err("its name is no text".to_owned()),
        None => return Err("it has no name".to_owned()),
    }
    match members.get("inputSchema") {
        Some(Value::Object(_)) => {}
        Some(_) => return Err("its `inputSchema` is no object".to_owned()),
        None => return Err("it has no `inputSchema`".to_owned()),
    }
    let mut without = Vec::new();
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
        without.push(member);
    }
    serde_json::from_value::<Tool>(tool.clone()).map(|_| without).map_err(|error| error.to_string())
}

fn keep_readable_hints(annotations: &mut Value) {
    let Value::Object(hints) = annotations else { return };
    hints.retain(|hint, value| serde_json::from_value::<ToolAnnotations>(json!({ hint: value })).is_ok());
}

#[cfg(test)]
mod tests {
    use rmcp::model::ListToolsResult;

    use super::*;

    fn mended(mut message: Value) -> Value {
        mend(&mut message);
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
        let mut list: ListToolsResult = serde_json::from_value(mended(sent)["result"].take()).unwrap();
        let remarks = remarks(list.meta.as_mut());
        let remarks: Vec<_> =
            remarks.iter().map(|remark| (&*remark.tool, &*remark.text, remark.left_out)).collect();
        let unreadable = |member: &str| format!("its member `{member}` cannot be read");
        let expected = [
            ("a", &*unreadable("title"), false),
            ("a", &*unreadable("annotations"), false),
            ("b", &*unreadable("outputSchema"), false),
            ("b", &*unreadable("annotations"), false),
            ("b", &*unreadable("icons"), false),
            ("b", &*unreadable("_meta"), false),
            ("c", "its `inputSchema` is no object", true),
            ("number 4 of the list", "it has no name", true),
            ("number 5 of the list", "it is no object", true),
        ];
        assert_eq!(remarks, expected);
        assert_eq!(serde_json::to_value(&list.tools).unwrap(), kept);
        assert_eq!(list.next_cursor, None);
        let empty = json!({ "id": 1, "result": { "content": [], "structuredContent": null } });
        assert_eq!(mended(empty)["result"], json!({ "content": [] }));
    }
}
