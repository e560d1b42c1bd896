//! The module `react.ts` without CopilotKit: hooks that read the generated client. The text is in
//! `templates/hooks.ts`.

use serde_json::json;

use super::names::TypeNames;
use super::prefix::base;
use super::types::TypePrinter;
use crate::ir::AgentDecl;
use crate::template::render;

pub(super) fn hooks(agent: &AgentDecl, names: &TypeNames) -> String {
    let state = agent.state.as_ref().map(|state| TypePrinter::new(names, "types.").ty(&state.out.ty, 0, 60));
    let (has_tools, asks) = (!agent.tools.is_empty(), !agent.interrupts.is_empty());
    let shows = !agent.activities.is_empty();
    let values = [
        shows.then_some("activities"),
        asks.then_some("interrupts"),
        state.as_ref().map(|_| "state"),
        has_tools.then_some("tools"),
    ];
    let maps = [
        shows.then_some("Activities"),
        asks.then_some("Interrupts"),
        has_tools.then_some("ToolArgs, ToolResults"),
    ];
    let values = json!({
        "asks": asks,
        "base": base(agent),
        "has_tools": has_tools,
        "has_types": state.as_ref().is_some_and(|written| written.contains("types.")),
        "maps": maps.into_iter().flatten().collect::<Vec<_>>().join(", "),
        "shows": shows,
        "state": state,
        "values": values.into_iter().flatten().collect::<Vec<_>>().join(", "),
    });
    render(include_str!("templates/hooks.ts"), &values)
}
