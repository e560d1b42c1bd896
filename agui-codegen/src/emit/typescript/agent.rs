//! `agent.ts`: names, hash, and the schemas as values.

use agui_runtime::protocol::ToolAnnotations;
use serde_json::{Map, Value};

use super::jsdoc;
use super::literal::{key, literal, members};
use super::names::{Names, member, text};
use super::types::Printer;
use crate::emit::doc::lines;
use crate::ir::{AgentDecl, Direction, InterruptDecl, Slot, ToolDecl, Type};

pub(super) fn agent(agent: &AgentDecl, names: &Names) -> String {
    let printer = Printer::new(names, names.prefix);
    let mut out = String::new();
    let uses_types = agent.slots().any(|slot| uses_types(&slot.ty));
    let has_schemas = agent.slots().next().is_some();
    let definitions = Definitions::new(agent);
    if has_schemas {
        out.push_str(&format!("import {{ {} }} from \"../_schema.js\";\n", definitions.imports()));
    }
    if uses_types {
        out.push_str("import type * as types from \"./types.js\";\n");
    }
    if has_schemas {
        out.push('\n');
    }
    out.push_str(&constants(agent));
    out.push_str(&type_maps(agent, &printer));
    out.push_str(&definitions.text());
    if let Some(state) = &agent.state {
        out.push_str("\n/** The shared state: `written` by the agent, `read` by the agent. */\nexport const state = {\n");
        out.push_str(&format!("  written: {},\n", schema(&state.out, &printer, &definitions, 2)));
        out.push_str(&format!("  read: {},\n", schema(&state.input, &printer, &definitions, 2)));
        out.push_str("} as const;\n");
    }
    out.push_str("\n/** The tools, by name. */\nexport const tools = {");
    let tools: String = agent.tools.iter().map(|tool| self::tool(tool, &printer, &definitions)).collect();
    out.push_str(&braces(&tools));
    out.push_str(" as const;\n\n/** The custom events, by name. */\nexport const events = {");
    let events: String = agent
        .events
        .iter()
        .map(|event| {
            let doc = jsdoc(&lines(&event.description), 2);
            let value = schema(&event.value, &printer, &definitions, 4);
            let (key, name) = (key(&event.name), text(&event.name));
            format!("{doc}  {key}: {{\n    name: {name},\n    value: {value},\n  }},\n")
        })
        .collect();
    out.push_str(&braces(&events));
    out.push_str(" as const;\n");
    if !agent.interrupts.is_empty() {
        let asked: String =
            agent.interrupts.iter().map(|asked| interrupt(asked, &printer, &definitions)).collect();
        out.push_str("\n/** The interrupts that stop a run, by reason. */\nexport const interrupts = {");
        out.push_str(&braces(&asked));
        out.push_str(" as const;\n");
    }
    if !agent.activities.is_empty() {
        let shown = agent.activities.iter().map(|shown| {
            let doc = jsdoc(&lines(&shown.description), 2);
            let content = schema(&shown.content, &printer, &definitions, 4);
            let (key, kind) = (key(&shown.activity_type), text(&shown.activity_type));
            format!("{doc}  {key}: {{\n    type: {kind},\n    content: {content},\n  }},\n")
        });
        out.push_str("\n/** The activities, by type. */\nexport const activities = {");
        out.push_str(&braces(&shown.collect::<String>()));
        out.push_str(" as const;\n");
    }
    for (slot, doc, name) in [
        (&agent.result, "The result of a run.", "result"),
        (&agent.forwarded, "The props that a run may forward to the agent.", "forwardedProps"),
    ] {
        if let Some(slot) = slot {
            let value = schema(slot, &printer, &definitions, 0);
            out.push_str(&format!("\n/** {doc} */\nexport const {name} = {value};\n"));
        }
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
         = {};\n\n/** The hash of all JSON that travels; descriptions and order do not change it. */\nexport \
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
    let activities: Vec<_> = agent
        .activities
        .iter()
        .map(|shown| (shown.activity_type.as_str(), ty(&shown.content, &shown.activity_type)))
        .collect();
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
        if activities.is_empty() {
            String::new()
        } else {
            map("The content of each activity, by type.", "Activities", activities)
        },
        [
            (&agent.result, "The result of a run.", "Result"),
            (&agent.forwarded, "The props that a run may forward to the agent.", "ForwardedProps"),
        ]
        .into_iter()
        .filter_map(|(slot, doc, name)| {
            Some(format!("\n/** {doc} */\nexport type {name} = {};\n", ty(slot.as_ref()?, name)))
        })
        .collect(),
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
        "\n/** The payload and the response of each interrupt, by reason. */\nexport type Interrupts = {{\n{entries}}};\n"
    )
}

/// The definitions that the schemas of an agent refer to: each stands once if both directions have the same.
struct Definitions<'a> {
    shared: Map<String, Value>,
    written: Map<String, Value>,
    read: Map<String, Value>,
    agent: &'a AgentDecl,
}

impl<'a> Definitions<'a> {
    fn new(agent: &'a AgentDecl) -> Self {
        let (mut shared, mut written, mut read) = (Map::new(), Map::new(), Map::new());
        for (name, schema) in &agent.out_schemas {
            let is_shared = agent.in_schemas.get(name) == Some(schema);
            if is_shared { &mut shared } else { &mut written }.insert(name.clone(), schema.clone());
        }
        let others = agent.in_schemas.iter().filter(|(name, _)| !shared.contains_key(*name));
        read.extend(others.map(|(name, schema)| (name.clone(), schema.clone())));
        Self { shared, written, read, agent }
    }

    /// The name of the constant with all definitions of a direction; `None` if there are none.
    fn of(&self, direction: Direction) -> Option<&'static str> {
        let (name, own, all) = match direction {
            Direction::Out => ("written", &self.written, &self.agent.out_schemas),
            Direction::In => ("read", &self.read, &self.agent.in_schemas),
        };
        (!all.is_empty()).then_some(if own.is_empty() { "shared" } else { name })
    }

    /// The names that the constants and the schemas need.
    fn imports(&self) -> &'static str {
        let own = self.written.len() + self.read.len();
        let is_mixed = own > 0 && !self.shared.is_empty();
        match (is_mixed, self.agent.out_schemas.is_empty() && self.agent.in_schemas.is_empty()) {
            (true, _) => "type Definitions, merged, schema",
            (false, false) => "type Definitions, schema",
            (false, true) => "schema",
        }
    }

    fn text(&self) -> String {
        let constant = |name: &str, doc: &str, schemas: &Map<String, Value>| {
            if schemas.is_empty() {
                return String::new();
            }
            let own = members(schemas);
            let value = if name == "shared" || self.shared.is_empty() {
                own
            } else {
                format!("/* @__PURE__ */ merged(shared, {own})")
            };
            format!("\n/** The named types that the agent {doc}. */\nconst {name}: Definitions = {value};\n")
        };
        [
            constant("shared", "writes and reads in the same form", &self.shared),
            constant("written", "writes", &self.written),
            constant("read", "reads", &self.read),
        ]
        .concat()
    }
}

/// The call that makes a schema object. Bundlers drop a pure call whose result is not used.
fn schema(slot: &Slot, printer: &Printer<'_>, definitions: &Definitions<'_>, indent: usize) -> String {
    let ty = printer.ty(&slot.ty, indent, 0);
    let before = "parameters: /* @__PURE__ */ schema<>(, written),".len();
    let json = literal(&slot.schema, indent, indent + before + ty.len());
    let definitions = definitions.of(slot.direction).map(|name| format!(", {name}")).unwrap_or_default();
    format!("/* @__PURE__ */ schema<{ty}>({json}{definitions})")
}

fn interrupt(asked: &InterruptDecl, printer: &Printer<'_>, definitions: &Definitions<'_>) -> String {
    let message = asked.message.as_ref().map(|message| format!("    message: {},\n", text(message)));
    format!(
        "{}  {}: {{\n    reason: {},\n{}    payload: {},\n    response: {},\n  }},\n",
        jsdoc(&lines(&asked.description), 2),
        key(&asked.reason),
        text(&asked.reason),
        message.unwrap_or_default(),
        schema(&asked.payload, printer, definitions, 4),
        schema(&asked.response, printer, definitions, 4),
    )
}

/// The title of a tool, and the hints about its behaviour, for pages that show them.
fn annotations(annotations: &ToolAnnotations) -> String {
    let title = annotations.title.as_ref().map(|title| format!("    title: {},\n", text(title)));
    let hints: Vec<String> =
        annotations.hints().iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let hints = (!hints.is_empty()).then(|| format!("    annotations: {{ {} }},\n", hints.join(", ")));
    [title, hints].into_iter().flatten().collect()
}

fn tool(tool: &ToolDecl, printer: &Printer<'_>, definitions: &Definitions<'_>) -> String {
    let mut body = format!(
        "    name: {},\n    side: {},\n    description: {},\n    parameters: {},\n",
        text(&tool.name),
        if tool.frontend { "\"frontend\"" } else { "\"backend\"" },
        text(&tool.description),
        schema(&tool.params, printer, definitions, 4),
    );
    body.push_str(&annotations(&tool.annotations));
    if let Some(result) = &tool.result {
        body.push_str(&format!("    result: {},\n", schema(result, printer, definitions, 4)));
    }
    format!("{}  {}: {{\n{body}  }},\n", jsdoc(&lines(&tool.description), 2), key(&tool.name))
}
