//! `react.ts` without CopilotKit: hooks that read the generated client.

use super::names::Names;
use super::react::base;
use super::types::Printer;
use crate::ir::AgentDecl;

pub(super) fn hooks(agent: &AgentDecl, names: &Names) -> String {
    let base = base(agent);
    let class = format!("{base}Agent");
    let state = agent.state.as_ref().map(|state| Printer::new(names, "types.").ty(&state.out.ty, 0, 60));
    let (has_tools, asks) = (!agent.tools.is_empty(), !agent.interrupts.is_empty());
    let shows = !agent.activities.is_empty();
    let mut body = String::new();
    let mut hook = |doc: &str, name: &str, returns: &str, call: &str| {
        body.push_str(&format!(
            "\n/** {doc} */\nexport function use{base}{name}(agent: {class}): {returns} {{\n  return {call};\n}}\n"
        ));
    };
    if let Some(written) = &state {
        hook(
            "The shared state, or `undefined` if it does not (yet) fit its type.",
            "State",
            &format!("{written} | undefined"),
            "useSharedState(agent, state.written)",
        );
    }
    hook(
        "The conversation; a message that did not change is the same object.",
        "Messages",
        "readonly Message[]",
        "useMessages(agent)",
    );
    if has_tools {
        hook(
            "The calls of the agent's tools, oldest first.",
            "Calls",
            &format!("readonly {base}Call[]"),
            "useCalls<ToolArgs, ToolResults>(agent, tools)",
        );
    }
    if shows {
        hook(
            "The activities that fit their types, oldest first.",
            "Activities",
            &format!("readonly {base}Activity[]"),
            "useActivities<Activities>(agent, activities)",
        );
    }
    if asks {
        hook(
            "The declared interrupts that ended the last run: answer them with the agent's `resolve` or `cancel`.",
            "Interrupts",
            &format!("readonly {base}Interrupt[]"),
            "useOpenInterrupts(agent, open)",
        );
    }
    hook(
        "The status of the agent, with the error of a failed run.",
        "Status",
        "AgentStatus",
        "useStatus(agent)",
    );
    hook(
        "The connection to the agent: `reconnecting` while it is lost and being made again.",
        "Connection",
        "ConnectionStatus",
        "useConnection(agent)",
    );
    body.push_str(&format!(
        "\n/**\n * Gets the thread from a server that stores it when the component mounts, and follows the run that goes \
         on.\n * Its status is also `connecting` or `reconnecting`.\n */\nexport function use{base}Thread(agent: {class}, \
         threadId?: string): AgentThread {{\n  return useThread(agent, threadId);\n}}\n"
    ));

    let mut shared = vec![
        "type AgentStatus",
        "type AgentThread",
        "useConnection",
        "useMessages",
        "useStatus",
        "useThread",
    ];
    let mut types = String::new();
    if has_tools {
        shared.extend(["type AgentCall", "useCalls"]);
        types.push_str(&format!(
            "\n/** A call of one of the agent's tools, discriminated by its `name`. */\nexport type {base}Call = \
             AgentCall<ToolArgs, ToolResults>;\n"
        ));
    }
    if shows {
        shared.extend(["type AgentActivity", "useActivities"]);
        types.push_str(&format!(
            "\n/** One of the agent's activities, told apart by its `type`. */\nexport type {base}Activity = \
             AgentActivity<Activities>;\n"
        ));
    }
    if state.is_some() {
        shared.push("useSharedState");
    }
    if asks {
        shared.push("useOpenInterrupts");
        types.push_str(
            "\nconst open = (all: readonly Interrupt[]) => typedInterrupts<Interrupts>(interrupts, all);\n",
        );
    }
    shared.sort_by_key(|name| name.trim_start_matches("type ").to_lowercase());
    let official = if asks { "Interrupt, Message" } else { "Message" };
    let mut out = format!("import type {{ {official} }} from \"@ag-ui/client\";\n");
    out.push_str("import type { ConnectionStatus } from \"../_connection.js\";\n");
    out.push_str(&format!("import {{\n  {},\n}} from \"../_hooks.js\";\n", shared.join(",\n  ")));
    if asks {
        out.push_str("import { typedInterrupts } from \"../_interrupts.js\";\n");
    }
    let mut values = Vec::new();
    values.extend(shows.then_some("activities"));
    values.extend(asks.then_some("interrupts"));
    values.extend(state.as_ref().map(|_| "state"));
    values.extend(has_tools.then_some("tools"));
    if !values.is_empty() {
        out.push_str(&format!("import {{ {} }} from \"./agent.js\";\n", values.join(", ")));
    }
    let mut maps = Vec::new();
    maps.extend(shows.then_some("Activities"));
    maps.extend(asks.then_some("Interrupts"));
    if has_tools {
        maps.extend(["ToolArgs", "ToolResults"]);
    }
    if !maps.is_empty() {
        out.push_str(&format!("import type {{ {} }} from \"./agent.js\";\n", maps.join(", ")));
    }
    let interrupt = if asks { format!(", {base}Interrupt") } else { String::new() };
    out.push_str(&format!("import type {{ {class}{interrupt} }} from \"./client.js\";\n"));
    if state.is_some_and(|written| written.contains("types.")) {
        out.push_str("import type * as types from \"./types.js\";\n");
    }
    out + &types + &body
}
