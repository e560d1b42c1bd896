//! `agent.ts`: names, hash, and the schemas as values.

use serde_json::{Map, Value};

use super::jsdoc;
use super::literal::{literal, members};
use super::names::{Names, member, text};
use super::types::Printer;
use crate::emit::doc::lines;
use crate::ir::{AgentDecl, Direction, InterruptDecl, Slot, ToolDecl, Type};

pub(super) fn agent(agent: &AgentDecl, names: &Names) -> String {
    let printer = Printer::new(names, names.prefix);
    let mut out = String::new();
    let uses_types = agent.slots().any(|slot| uses_types(&slot.ty));
    let has_schemas = agent.slots().next().is_some();
    if has_schemas {
        let has_definitions = !(agent.out_schemas.is_empty() && agent.in_schemas.is_empty());
        let names = if has_definitions { "type Definitions, schema" } else { "schema" };
        out.push_str(&format!("import {{ {names} }} from \"../_schema.js\";\n"));
    }
    if uses_types {
        out.push_str("import type * as types from \"./types.js\";\n");
    }
    if has_schemas {
        out.push('\n');
    }
    out.push_str(&constants(agent));
    out.push_str(&type_maps(agent, &printer));
    out.push_str(&definitions("written", "What the agent writes.", &agent.out_schemas));
    out.push_str(&definitions("read", "What the agent reads.", &agent.in_schemas));
    if let Some(state) = &agent.state {
        out.push_str("\n/** The shared state: `written` by the agent, `read` by the agent. */\nexport const state = {\n");
        out.push_str(&format!("  written: {},\n", schema(&state.out, &printer, agent, 2)));
        out.push_str(&format!("  read: {},\n", schema(&state.input, &printer, agent, 2)));
        out.push_str("} as const;\n");
    }
    out.push_str("\n/** The tools, by name. */\nexport const tools = {");
    let tools: String = agent.tools.iter().map(|tool| self::tool(tool, &printer, agent)).collect();
    out.push_str(&braces(&tools));
    out.push_str(" as const;\n\n/** The custom events, by name. */\nexport const events = {");
    let events: String = agent
        .events
        .iter()
        .map(|event| {
            let doc = jsdoc(&lines(&event.description), 2);
            let value = schema(&event.value, &printer, agent, 4);
            let (key, name) = (member(&event.name), text(&event.name));
            format!("{doc}  {key}: {{\n    name: {name},\n    value: {value},\n  }},\n")
        })
        .collect();
    out.push_str(&braces(&events));
    out.push_str(" as const;\n");
    if !agent.interrupts.is_empty() {
        let asked: String = agent.interrupts.iter().map(|asked| interrupt(asked, &printer, agent)).collect();
        out.push_str("\n/** The interrupts that stop a run, by reason. */\nexport const interrupts = {");
        out.push_str(&braces(&asked));
        out.push_str(" as const;\n");
    }
    out
}

fn uses_types(ty: &Type) -> bool {
    let mut found = false;
    ty.each_ref(&mut |_| found = true);
    found
}

fn braces(members: &str) -> String {
    if members.is_empty() { "}".into() } else { format!("\n{members}}}") }
}

fn constants(agent: &AgentDecl) -> String {
    let mut doc = vec!["The agent's name on the server.".to_owned()];
    if !agent.description.trim().is_empty() {
        doc.push(String::new());
        doc.extend(lines(&agent.description));
    }
    format!(
        "{}export const AGENT = {};\n\n/** The version of the package that defines the agent. */\nexport const VERSION \
         = {};\n\n/** The fingerprint of everything that travels; descriptions and order do not change it. */\nexport \
         const MANIFEST_HASH =\n  {};\n",
        jsdoc(&doc, 0),
        text(&agent.name),
        text(&agent.version),
        text(&agent.wire),
    )
}

fn type_maps(agent: &AgentDecl, printer: &Printer<'_>) -> String {
    let map = |doc: &str, name: &str, entries: Vec<(&str, String)>| {
        let entries: String =
            entries.iter().map(|(name, ty)| format!("  {}: {ty};\n", member(name))).collect();
        let body =
            if entries.is_empty() { "Record<never, never>".into() } else { format!("{{\n{entries}}}") };
        format!("\n/** {doc} */\nexport type {name} = {body};\n")
    };
    let ty = |slot: &Slot, name: &str| printer.ty(&slot.ty, 2, name.len() + 4);
    let args = agent.tools.iter().map(|tool| (tool.name.as_str(), ty(&tool.params, &tool.name))).collect();
    let results = agent.tools.iter().map(|tool| {
        let result = tool.result.as_ref().map(|slot| ty(slot, &tool.name));
        let nothing = if tool.frontend { "void" } else { "null" };
        (tool.name.as_str(), result.unwrap_or_else(|| nothing.into()))
    });
    let events =
        agent.events.iter().map(|event| (event.name.as_str(), ty(&event.value, &event.name))).collect();
    let union = |doc: &str, name: &str, frontend: bool| {
        let names: Vec<String> = agent
            .tools
            .iter()
            .filter(|tool| tool.frontend == frontend)
            .map(|tool| text(&tool.name))
            .collect();
        let line = if names.is_empty() { " never".into() } else { format!(" {}", names.join(" | ")) };
        let line =
            if line.len() + name.len() > 74 { format!("\n  | {}", names.join("\n  | ")) } else { line };
        format!("\n/** {doc} */\nexport type {name} ={line};\n")
    };
    [
        map("The arguments of each tool.", "ToolArgs", args),
        map("The answer of each tool.", "ToolResults", results.collect()),
        union("The tools that run in the agent.", "BackendToolName", false),
        union("The tools that run in the user interface.", "FrontendToolName", true),
        map("The value of each custom event.", "Events", events),
        interrupts(agent, printer),
    ]
    .concat()
}

fn interrupts(agent: &AgentDecl, printer: &Printer<'_>) -> String {
    if agent.interrupts.is_empty() {
        return String::new();
    }
    let entries = agent.interrupts.iter().map(|asked| {
        let ty = |slot: &Slot| printer.ty(&slot.ty, 4, "response: ;".len());
        let (payload, response) = (ty(&asked.payload), ty(&asked.response));
        format!(
            "  {}: {{\n    payload: {payload};\n    response: {response};\n  }};\n",
            member(&asked.reason)
        )
    });
    let entries: String = entries.collect();
    format!(
        "\n/** What is asked to stop a run, and what answers it, by reason. */\nexport type Interrupts = {{\n{entries}}};\n"
    )
}

fn definitions(name: &str, doc: &str, schemas: &Map<String, Value>) -> String {
    if schemas.is_empty() {
        return String::new();
    }
    format!("\n/** {doc} */\nconst {name}: Definitions = {};\n", members(schemas))
}

/// The call that makes a schema object.
fn schema(slot: &Slot, printer: &Printer<'_>, agent: &AgentDecl, indent: usize) -> String {
    let (name, schemas) = match slot.direction {
        Direction::Out => ("written", &agent.out_schemas),
        Direction::In => ("read", &agent.in_schemas),
    };
    let ty = printer.ty(&slot.ty, indent, 0);
    let json = literal(&slot.schema, indent, indent + "parameters: schema<>(, written),".len() + ty.len());
    let definitions = if schemas.is_empty() { String::new() } else { format!(", {name}") };
    format!("schema<{ty}>({json}{definitions})")
}

fn interrupt(asked: &InterruptDecl, printer: &Printer<'_>, agent: &AgentDecl) -> String {
    let message = asked.message.as_ref().map(|message| format!("    message: {},\n", text(message)));
    format!(
        "{}  {}: {{\n    reason: {},\n{}    payload: {},\n    response: {},\n  }},\n",
        jsdoc(&lines(&asked.description), 2),
        member(&asked.reason),
        text(&asked.reason),
        message.unwrap_or_default(),
        schema(&asked.payload, printer, agent, 4),
        schema(&asked.response, printer, agent, 4),
    )
}

fn tool(tool: &ToolDecl, printer: &Printer<'_>, agent: &AgentDecl) -> String {
    let mut body = format!(
        "    name: {},\n    side: {},\n    description: {},\n    parameters: {},\n",
        text(&tool.name),
        if tool.frontend { "\"frontend\"" } else { "\"backend\"" },
        text(&tool.description),
        schema(&tool.params, printer, agent, 4),
    );
    if let Some(result) = &tool.result {
        body.push_str(&format!("    result: {},\n", schema(result, printer, agent, 4)));
    }
    format!("{}  {}: {{\n{body}  }},\n", jsdoc(&lines(&tool.description), 2), member(&tool.name))
}
