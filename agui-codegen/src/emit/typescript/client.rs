//! The module `client.ts`: the official client with types. The text is in `templates/client.ts`.

use serde_json::json;

use super::jsdoc;
use super::names::TypeNames;
use super::prefix::base;
use super::types::TypePrinter;
use crate::emit::doc::lines;
use crate::ir::AgentDecl;
use crate::template::render;

/// Agent features that change the client.
struct ClientParts {
    asks: bool,
    has_frontend: bool,
    has_result: bool,
    has_state: bool,
    shows: bool,
    takes_props: bool,
}

impl ClientParts {
    fn new(agent: &AgentDecl) -> Self {
        Self {
            asks: !agent.interrupts.is_empty(),
            has_frontend: agent.tools.iter().any(|tool| tool.frontend),
            has_result: agent.result.is_some(),
            has_state: agent.state.is_some(),
            shows: !agent.activities.is_empty(),
            takes_props: agent.forwarded.is_some(),
        }
    }

    fn typed_run(&self) -> bool {
        self.has_result || self.takes_props
    }
}

pub(super) fn client(agent: &AgentDecl, names: &TypeNames) -> String {
    let printer = TypePrinter::new(names, names.prefix);
    let parts = ClientParts::new(agent);
    let base = base(agent);
    let state = agent.state.as_ref();
    let state = state.map(|state| [&state.out, &state.input].map(|slot| printer.ty(&slot.ty, 0, 40)));
    let has_types = state.iter().flatten().any(|ty| ty.contains("types."));
    let mut listened = listened(&parts, state.as_ref().map_or("unknown", |[written, _]| written));
    let values = json!({
        "asks": parts.asks,
        "doc": jsdoc(&doc(agent), 0),
        "has_frontend": parts.has_frontend,
        "has_result": parts.has_result,
        "has_types": has_types,
        "last_listened": listened.pop(),
        "listened": listened,
        "official": official(&parts),
        "props": if parts.takes_props { "ForwardedProps" } else { "unknown" },
        "result": if parts.has_result { "Result" } else { "unknown" },
        "run": if parts.typed_run() { format!("<{base}Agent>") } else { String::new() },
        "schemas": schemas(&parts).join(", "),
        "state": state.map(|[written, read]| json!({ "written": written, "read": read })),
        "support": support(&parts),
        "typed_run": parts.typed_run(),
        "types": maps(&parts),
        "values": constants(&parts),
        "base": base,
    });
    render(include_str!("templates/client.ts"), &values)
}

fn doc(agent: &AgentDecl) -> Vec<String> {
    let doc = lines(&agent.description);
    if doc.iter().all(String::is_empty) { vec![format!("The agent `{}`.", agent.name)] } else { doc }
}

/// Returns the names in `values` whose condition is true.
fn chosen<const N: usize>(values: [(&'static str, bool); N]) -> Vec<&'static str> {
    values.into_iter().filter_map(|(name, is_there)| is_there.then_some(name)).collect()
}

/// Returns the types that `client.ts` imports from `@ag-ui/client`.
fn official(parts: &ClientParts) -> String {
    let asks = parts.asks;
    let names = [("AgentSubscriber", parts.typed_run()), ("HttpAgentConfig", true), ("ResumeEntry", asks)];
    chosen(names).join(", ")
}

/// Returns the names that `client.ts` imports from `_support.ts`.
fn support(parts: &ClientParts) -> Vec<&'static str> {
    chosen([
        ("compared", true),
        ("type Contract", true),
        ("type DriftListener", true),
        ("FrontendTools", parts.has_frontend),
        ("listen", true),
        ("type Listeners", true),
        ("readState", parts.has_state),
        ("type ToolCallInfo", parts.has_frontend),
        ("type TypedParameters", parts.typed_run()),
        ("type TypedRun", parts.typed_run()),
        ("typedRun", parts.has_result),
    ])
}

/// Returns the schemas in the client's contract.
fn schemas(parts: &ClientParts) -> Vec<&'static str> {
    chosen([
        ("activities", parts.shows),
        ("events", true),
        ("result", parts.has_result),
        ("state", parts.has_state),
        ("tools", true),
    ])
}

/// Returns the constants that `client.ts` imports from `agent.ts`, besides the hash.
fn constants(parts: &ClientParts) -> String {
    let mut constants = schemas(parts);
    constants.extend(parts.asks.then_some("interrupts"));
    constants.sort_unstable();
    constants.join(", ")
}

/// Returns the types that `client.ts` imports from `agent.ts`.
fn maps(parts: &ClientParts) -> String {
    let names = chosen([
        ("Activities", parts.shows),
        ("Events", true),
        ("ForwardedProps", parts.takes_props),
        ("FrontendToolName", parts.has_frontend),
        ("Interrupts", parts.asks),
        ("Result", parts.has_result),
        ("ToolArgs", true),
        ("ToolResults", true),
    ]);
    names.join(", ")
}

/// Returns the listeners' type arguments.
fn listened<'s>(parts: &ClientParts, state: &'s str) -> Vec<&'s str> {
    let mut types = vec![state, "Events", "ToolArgs", "ToolResults"];
    if parts.shows {
        types.push("Activities");
    } else if parts.has_result {
        types.push("Record<never, never>");
    }
    types.extend(parts.has_result.then_some("Result"));
    types
}
