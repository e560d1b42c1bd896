//! The module `react.ts`: the agent as hooks, for CopilotKit or for React alone. The templates are
//! `templates/coagent.ts` for CopilotKit's first version, `templates/copilotkit.ts` for the second version,
//! and `templates/hooks.ts` for React alone.

use serde_json::{Value, json};

use super::hooks::hooks;
use super::jsdoc;
use super::names::{TypeNames, member, text};
use super::prefix::{base, hooks_of_tools};
use super::types::TypePrinter;
use crate::emit::doc::lines;
use crate::ir::{AgentDecl, ReactPackage, ToolDecl};
use crate::template::render;

pub(super) fn react(agent: &AgentDecl, names: &TypeNames, react: ReactPackage) -> String {
    match react {
        ReactPackage::V1 => first(agent, names),
        ReactPackage::V2 => second(agent, names),
        ReactPackage::Plain => hooks(agent, names),
    }
}

/// Prints the hooks for `@copilotkit/react-core`: shared state.
fn first(agent: &AgentDecl, names: &TypeNames) -> String {
    let Some(state) = &agent.state else { return "export {};\n".into() };
    let printer = TypePrinter::new(names, "types.");
    let (written, read) = (printer.ty(&state.out.ty, 0, 40), printer.ty(&state.input.ty, 0, 40));
    let values = json!({
        "base": base(agent),
        "has_types": written.contains("types.") || read.contains("types."),
        "read": read,
        "written": written,
    });
    render(include_str!("templates/coagent.ts"), &values)
}

/// Prints the hooks for `@copilotkit/react-core/v2`: shared state, handlers, prompts, views and interrupts.
fn second(agent: &AgentDecl, names: &TypeNames) -> String {
    let state = agent.state.as_ref();
    let state = state.map(|state| TypePrinter::new(names, "types.").ty(&state.input.ty, 4, 60));
    let frontend: Vec<&ToolDecl> = agent.tools.iter().filter(|tool| tool.frontend).collect();
    let (has_tools, asks) = (!agent.tools.is_empty(), !agent.interrupts.is_empty());
    let values = [
        Some("AGENT"),
        asks.then_some("interrupts"),
        state.as_ref().map(|_| "state"),
        has_tools.then_some("tools"),
    ];
    let maps = [asks.then_some("Interrupts"), has_tools.then_some("ToolArgs, ToolResults")];
    let tools = agent.tools.iter().zip(hooks_of_tools(agent));
    let values = json!({
        "asks": asks,
        "base": base(agent),
        "has_elements": has_tools || asks,
        "has_frontend": !frontend.is_empty(),
        "has_types": state.as_ref().is_some_and(|read| read.contains("types.")),
        "maps": maps.into_iter().flatten().collect::<Vec<_>>().join(", "),
        "offers": frontend.iter().map(|tool| access(&tool.name)).collect::<Vec<_>>(),
        "state": state,
        "tools": tools.map(|(tool, names)| tool_hooks(tool, &names)).collect::<Value>(),
        "values": values.into_iter().flatten().collect::<Vec<_>>().join(", "),
    });
    render(include_str!("templates/copilotkit.ts"), &values)
}

/// Returns the hooks that show a tool's calls and, for a frontend tool, let the user answer the calls.
fn tool_hooks(tool: &ToolDecl, [view, prompt]: &[String; 2]) -> Value {
    let doc = |last: &str| {
        let mut doc = lines(&tool.description);
        if !doc.is_empty() {
            doc.push(String::new());
        }
        doc.push(last.to_owned());
        jsdoc(&doc, 0)
    };
    json!({
        "access": access(&tool.name),
        "key": text(&tool.name),
        "prompt": tool.frontend.then_some(prompt),
        "prompt_doc": doc("Asks the user: the rendered element answers the call with `respond`."),
        "view": view,
        "view_doc": doc("Renders the calls of the tool."),
    })
}

/// Prints the accessor for a member name.
fn access(name: &str) -> String {
    if member(name) == name { format!(".{name}") } else { format!("[{}]", text(name)) }
}
