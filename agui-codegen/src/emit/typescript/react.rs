//! `react.ts`: the agent as hooks, of CopilotKit or of React alone.

use super::hooks::hooks;
use super::jsdoc;
use super::names::{Names, member};
use super::types::Printer;
use crate::emit::doc::lines;
use crate::ir::{AgentDecl, React, ToolDecl};
use crate::names::{identifier, pascal};

pub(super) fn react(agent: &AgentDecl, names: &Names, react: React) -> String {
    match react {
        React::V1 => first(agent, names),
        React::V2 => second(agent, names),
        React::Plain => hooks(agent, names),
    }
}

/// The prefix of the agent's names: with it, none of them is one that the shared files or the language have.
pub(super) fn base(agent: &AgentDecl) -> String {
    let taken = super::taken_by_shared();
    let mut base = identifier(pascal(&agent.name).trim_end_matches("Agent"));
    while own(&base).iter().any(|name| taken.contains(name)) {
        base.push('_');
    }
    base
}

/// The names that an agent with this prefix may have in its files.
fn own(base: &str) -> Vec<String> {
    let types = ["Agent", "AgentConfig", "Listeners", "Interrupt", "Call", "Activity"];
    let hooks = [
        "Agent",
        "Tools",
        "Interrupts",
        "State",
        "Messages",
        "Calls",
        "Activities",
        "Status",
        "Connection",
        "Thread",
    ];
    let types = types.iter().map(|ending| format!("{base}{ending}"));
    types.chain(hooks.iter().map(|ending| format!("use{base}{ending}"))).collect()
}

/// The names of the hooks of a tool: of its view, and of its prompt.
fn hooks_of_tools(agent: &AgentDecl) -> Vec<[String; 2]> {
    let mut taken = super::taken_by_shared();
    taken.extend(own(&base(agent)));
    let mut free = |wanted: String| {
        let mut name = wanted;
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        name
    };
    let names = agent.tools.iter().map(|tool| {
        let name = identifier(&pascal(&tool.name));
        [free(format!("use{name}View")), free(format!("use{name}Prompt"))]
    });
    names.collect()
}

/// The hooks of `@copilotkit/react-core`: shared state.
fn first(agent: &AgentDecl, names: &Names) -> String {
    let Some(state) = &agent.state else { return "export {};\n".into() };
    let printer = Printer::new(names, "types.");
    let (written, read) = (printer.ty(&state.out.ty, 0, 40), printer.ty(&state.input.ty, 0, 40));
    let mut out = String::from("import { useCoAgent } from \"@copilotkit/react-core\";\n");
    out.push_str(
        "import { fitting } from \"../_support.js\";\nimport { AGENT, state } from \"./agent.js\";\n",
    );
    if written.contains("types.") || read.contains("types.") {
        out.push_str("import type * as types from \"./types.js\";\n");
    }
    let base = base(agent);
    out.push_str(&format!(
        "\n/**\n * The agent of the surrounding provider. Its `state` is `undefined` if it does not (yet) fit its\n \
         * type.\n */\nexport function use{base}Agent(initialState?: {read}) {{\n  const agent = useCoAgent<{written} | \
         undefined>({{ name: AGENT, initialState }});\n  return {{\n    ...agent,\n    state: fitting(state.written, \
         agent.state),\n    setState: (next: {read}): void => {{\n      agent.setState(next as {written});\n    }},\n  \
         }};\n}}\n"
    ));
    out
}

/// The hooks of `@copilotkit/react-core/v2`: shared state, handlers, prompts, the display of calls, and interrupts.
fn second(agent: &AgentDecl, names: &Names) -> String {
    let printer = Printer::new(names, "types.");
    let base = base(agent);
    let frontend: Vec<&ToolDecl> = agent.tools.iter().filter(|tool| tool.frontend).collect();
    let mut body = String::new();
    let state = agent.state.as_ref();
    let members = state.map_or_else(String::new, |state| {
        let read = printer.ty(&state.input.ty, 4, 60);
        format!(
            "    /** The shared state, or `undefined` if it does not (yet) fit its type. */\n    state: \
             fitting(state.written, agent.state),\n    /** Replaces the state that the next run starts from. */\n    \
             setState: (next: {read}): void => {{\n      agent.setState(next);\n    }},\n"
        )
    });
    body.push_str(&format!(
        "\n/** The agent of the surrounding provider; the component renders again when it changes. */\nexport function \
         use{base}Agent(options: AgentOptions = {{}}) {{\n  const {{ agent, isReady }} = useAgent({{ ...options, \
         agentId: AGENT }});\n  return {{\n    agent,\n    isReady,\n{members}  }};\n}}\n"
    ));
    if !frontend.is_empty() {
        let offers: String = frontend
            .iter()
            .map(|tool| {
                let place = access(&tool.name);
                format!("      offer(AGENT, tools{place}, handlers{place}),\n")
            })
            .collect();
        body.push_str(&format!(
            "\n/** Offers the tools that run here while the component is mounted, and answers their calls. */\nexport \
             function use{base}Tools(handlers: FrontendToolHandlers, deps?: readonly unknown[]): void {{\n  \
             useFrontendTools(\n    [\n{offers}    ],\n    deps,\n  );\n}}\n"
        ));
    }
    for (tool, names) in agent.tools.iter().zip(hooks_of_tools(agent)) {
        body.push_str(&tool_hooks(tool, &names));
    }
    let asks = !agent.interrupts.is_empty();
    if asks {
        body.push_str(&format!(
            "\n/**\n * Renders each open interrupt inside the chat: the element answers it with `resolve`, or cancels it with \
             `cancel`.\n * The agent continues when all its interrupts have an answer. `others` renders interrupts that are not declared \
             here;\n * without it, they are cancelled, with a warning.\n */\nexport function \
             use{base}Interrupts(\n  render: (interrupt: OpenInterrupt<Interrupts>) => ReactElement | null,\n  others?: \
             OthersRender,\n): void {{\n  useInterrupts<Interrupts>(AGENT, interrupts, render, others);\n}}\n"
        ));
    }
    let mut out = String::new();
    let mut official = vec!["useAgent"];
    if !frontend.is_empty() {
        official.push("useFrontendTools");
    }
    out.push_str(&format!("import {{ {} }} from \"@copilotkit/react-core/v2\";\n", official.join(", ")));
    let mut shared = vec!["type AgentOptions"];
    if !agent.tools.is_empty() {
        shared.push("type CallView");
    }
    if !frontend.is_empty() {
        shared.extend(["offer", "type Prompt", "usePrompt"]);
    }
    if !agent.tools.is_empty() {
        shared.push("useCallView");
    }
    shared.sort_by_key(|name| name.trim_start_matches("type ").to_lowercase());
    if !agent.tools.is_empty() || asks {
        out.push_str("import type { ReactElement } from \"react\";\n");
    }
    out.push_str(&format!("import {{\n  {},\n}} from \"../_react.js\";\n", shared.join(",\n  ")));
    if asks {
        out.push_str("import { type OpenInterrupt, type OthersRender, useInterrupts } from \"../_react_interrupts.js\";\n");
    }
    if state.is_some() {
        out.push_str("import { fitting } from \"../_support.js\";\n");
    }
    let mut values = vec!["AGENT"];
    values.extend(asks.then_some("interrupts"));
    values.extend(state.map(|_| "state"));
    values.extend((!agent.tools.is_empty()).then_some("tools"));
    out.push_str(&format!("import {{ {} }} from \"./agent.js\";\n", values.join(", ")));
    let mut maps = Vec::new();
    maps.extend(asks.then_some("Interrupts"));
    if !agent.tools.is_empty() {
        maps.extend(["ToolArgs", "ToolResults"]);
    }
    if !maps.is_empty() {
        out.push_str(&format!("import type {{ {} }} from \"./agent.js\";\n", maps.join(", ")));
    }
    if !frontend.is_empty() {
        out.push_str("import type { FrontendToolHandlers } from \"./client.js\";\n");
    }
    if members.contains("types.") {
        out.push_str("import type * as types from \"./types.js\";\n");
    }
    out + &body
}

/// The hooks that show the calls of one tool and, if the user is the tool, answer them.
fn tool_hooks(tool: &ToolDecl, [view, prompt]: &[String; 2]) -> String {
    let key = super::names::text(&tool.name);
    let place = access(&tool.name);
    let mut doc = lines(&tool.description);
    if !doc.is_empty() {
        doc.push(String::new());
    }
    let mut text = String::new();
    if tool.frontend {
        let mut doc = doc.clone();
        doc.push("Asks the user: the rendered element answers the call with `respond`.".into());
        text.push_str(&format!(
            "\n{}export function {prompt}(\n  render: (prompt: Prompt<ToolArgs[{key}], ToolResults[{key}]>) => \
             ReactElement | null,\n  deps?: readonly unknown[],\n): void {{\n  usePrompt(AGENT, tools{place}, render, \
             deps);\n}}\n",
            jsdoc(&doc, 0)
        ));
    }
    doc.push("Renders the calls of the tool.".into());
    text.push_str(&format!(
        "\n{}export function {view}(\n  render: (call: CallView<ToolArgs[{key}], ToolResults[{key}]>) => \
         ReactElement | null,\n  deps?: readonly unknown[],\n): void {{\n  useCallView(AGENT, tools{place}, render, \
         deps);\n}}\n",
        jsdoc(&doc, 0)
    ));
    text
}

/// The expression that reads a member of that name.
fn access(name: &str) -> String {
    if member(name) == name { format!(".{name}") } else { format!("[{}]", super::names::text(name)) }
}
