//! Values for each tool, event, interrupt and activity.

use serde_json::{Value, json};

use super::definitions::SchemaDefinitions;
use crate::emit::doc::lines;
use crate::emit::typescript::jsdoc;
use crate::emit::typescript::literal::{key, literal};
use crate::emit::typescript::names::{member, text};
use crate::emit::typescript::types::TypePrinter;
use crate::ir::{ActivityDecl, EventDecl, InterruptDecl, StateDecl, ToolDecl, TypeSlot};

pub(super) struct AgentMembers<'a> {
    pub(super) printer: TypePrinter<'a>,
    pub(super) definitions: &'a SchemaDefinitions<'a>,
}

impl AgentMembers<'_> {
    pub(super) fn state(&self, state: &StateDecl) -> Value {
        json!({ "written": self.schema(&state.out, 2), "read": self.schema(&state.input, 2) })
    }

    pub(super) fn argument_type(&self, tool: &ToolDecl) -> Value {
        json!({ "key": member(&tool.name), "type": self.ty(&tool.params, &tool.name) })
    }

    pub(super) fn result_type(&self, tool: &ToolDecl) -> Value {
        let nothing = if tool.frontend { "void" } else { "null" };
        let ty = tool.result.as_ref().map_or_else(|| nothing.into(), |slot| self.ty(slot, &tool.name));
        json!({ "key": member(&tool.name), "type": ty })
    }

    pub(super) fn tool(&self, tool: &ToolDecl) -> Value {
        let hints = tool.annotations.hints();
        let hints: Vec<String> = hints.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        json!({
            "description": text(&tool.description),
            "doc": jsdoc(&lines(&tool.description), 0),
            "hints": hints.join(", "),
            "key": key(&tool.name),
            "name": text(&tool.name),
            "parameters": self.schema(&tool.params, 4),
            "result": tool.result.as_ref().map(|result| self.schema(result, 4)),
            "side": text(if tool.frontend { "frontend" } else { "backend" }),
            "title": tool.annotations.title.as_deref().map(text),
        })
    }

    pub(super) fn event(&self, event: &EventDecl) -> Value {
        self.named(&event.name, &event.description, &event.value)
    }

    pub(super) fn activity(&self, shown: &ActivityDecl) -> Value {
        self.named(&shown.activity_type, &shown.description, &shown.content)
    }

    fn named(&self, name: &str, description: &str, slot: &TypeSlot) -> Value {
        json!({
            "doc": jsdoc(&lines(description), 0),
            "key": key(name),
            "member": member(name),
            "name": text(name),
            "schema": self.schema(slot, 4),
            "type": self.ty(slot, name),
        })
    }

    pub(super) fn interrupt(&self, asked: &InterruptDecl) -> Value {
        let ty = |slot: &TypeSlot| self.printer.ty(&slot.ty, 4, "response: ;".len());
        json!({
            "doc": jsdoc(&lines(&asked.description), 0),
            "key": key(&asked.reason),
            "member": member(&asked.reason),
            "message": asked.message.as_deref().map(text),
            "payload": ty(&asked.payload),
            "payload_schema": self.schema(&asked.payload, 4),
            "reason": text(&asked.reason),
            "response": ty(&asked.response),
            "response_schema": self.schema(&asked.response, 4),
        })
    }

    /// Returns the type `name` and the schema for a value that the agent has once.
    pub(super) fn value(&self, slot: &TypeSlot, name: &str) -> Value {
        json!({ "schema": self.schema(slot, 0), "type": self.ty(slot, name) })
    }

    fn ty(&self, slot: &TypeSlot, name: &str) -> String {
        self.printer.ty(&slot.ty, 2, name.len() + 4)
    }

    /// Prints the call that makes a schema object. Bundlers drop a pure call whose result is unused.
    fn schema(&self, slot: &TypeSlot, indent: usize) -> String {
        let ty = self.printer.ty(&slot.ty, indent, 0);
        let before = "parameters: /* @__PURE__ */ schema<>(, written),".len();
        let json = literal(&slot.schema, indent, indent + before + ty.len());
        let definitions = self.definitions.name(slot.direction).map(|name| format!(", {name}"));
        format!("/* @__PURE__ */ schema<{ty}>({json}{})", definitions.unwrap_or_default())
    }
}
