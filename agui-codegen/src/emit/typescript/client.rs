//! `client.ts`: the typed agent of the official client.

use super::jsdoc;
use super::names::Names;
use super::react::base;
use super::types::Printer;
use crate::emit::doc::lines;
use crate::ir::AgentDecl;

pub(super) fn client(agent: &AgentDecl, names: &Names) -> String {
    let printer = Printer::new(names, names.prefix);
    let base = base(agent);
    let class = format!("{base}Agent");
    let has_frontend = agent.tools.iter().any(|tool| tool.frontend);
    let state = agent
        .state
        .as_ref()
        .map(|state| (printer.ty(&state.out.ty, 0, 40), printer.ty(&state.input.ty, 0, 40)));

    let mut imports = vec!["compared", "type Contract", "type DriftListener", "type Listeners"];
    if has_frontend {
        imports.extend(["FrontendTools", "type ToolCallInfo"]);
    }
    imports.push("listen");
    if state.is_some() {
        imports.push("readState");
    }
    let typed_run = agent.result.is_some() || agent.forwarded.is_some();
    if typed_run {
        imports.extend(["type TypedParameters", "type TypedRun"]);
        imports.extend(agent.result.is_some().then_some("typedRun"));
    }
    imports.sort_by_key(|name| name.trim_start_matches("type ").to_lowercase());
    let asks = !agent.interrupts.is_empty();
    let mut official = vec!["HttpAgentConfig"];
    official.extend(asks.then_some("ResumeEntry"));
    if typed_run {
        official.insert(0, "AgentSubscriber");
    }
    let mut out = format!("import type {{ {} }} from \"@ag-ui/client\";\n", official.join(", "));
    if asks {
        out.push_str(
            "import { answers, cancel, resolve, type ResponseTo, type TypedInterrupt, typedInterrupts } from \
             \"../_interrupts.js\";\n",
        );
    }
    out.push_str("import type { ThreadOptions } from \"../_connection.js\";\n");
    out.push_str(&format!("import {{\n  {},\n}} from \"../_support.js\";\n", imports.join(",\n  ")));
    out.push_str("import { ThreadAgent } from \"../_thread.js\";\n");
    let mut schemas = vec!["events", "tools"];
    let mut maps = vec!["Events", "ToolArgs", "ToolResults"];
    schemas.extend(state.is_some().then_some("state"));
    schemas.extend(agent.result.is_some().then_some("result"));
    maps.extend(agent.result.is_some().then_some("Result"));
    if !agent.activities.is_empty() {
        schemas.push("activities");
        maps.push("Activities");
    }
    maps.extend(agent.forwarded.is_some().then_some("ForwardedProps"));
    maps.extend(asks.then_some("Interrupts"));
    maps.extend(has_frontend.then_some("FrontendToolName"));
    let mut values = schemas.clone();
    values.extend(asks.then_some("interrupts"));
    for list in [&mut schemas, &mut maps, &mut values] {
        list.sort_unstable();
    }
    let (schemas, values) = (schemas.join(", "), values.join(", "));
    out.push_str(&format!("import {{ MANIFEST_HASH, {values} }} from \"./agent.js\";\n"));
    out.push_str(&format!("import type {{ {} }} from \"./agent.js\";\n", maps.join(", ")));
    if state.as_ref().is_some_and(|(out, input)| out.contains("types.") || input.contains("types.")) {
        out.push_str("import type * as types from \"./types.js\";\n");
    }
    out.push_str(&format!("\nconst contract: Contract = {{ {schemas} }};\n"));

    let state_type = state.as_ref().map_or("unknown", |(out, _)| out.as_str());
    let activities = if agent.activities.is_empty() { "Record<never, never>" } else { "Activities" };
    let more = match &agent.result {
        Some(_) => format!(",\n  {activities},\n  Result"),
        None if agent.activities.is_empty() => String::new(),
        None => format!(",\n  {activities}"),
    };
    out.push_str(&format!(
        "\n/** The listeners for a run of `{class}`. */\nexport type {base}Listeners = Listeners<\n  {state_type},\n  \
         Events,\n  ToolArgs,\n  ToolResults{more}\n>;\n"
    ));
    if has_frontend {
        out.push_str(
            "\n/** One function for each tool that runs in the user interface. */\nexport type FrontendToolHandlers = \
             {\n  [K in FrontendToolName]: (\n    args: ToolArgs[K],\n    call: ToolCallInfo,\n  ) => ToolResults[K] | \
             Promise<ToolResults[K]>;\n};\n",
        );
    }
    if asks {
        out.push_str(&format!(
            "\n/** An open interrupt of `{class}`, discriminated by its `reason`. */\nexport type {base}Interrupt = \
             TypedInterrupt<Interrupts>;\n"
        ));
    }
    let what = format!("\n/** The configuration of `{class}`. */\nexport type {class}Config =");
    out.push_str(&match &state {
        Some((_, input)) => format!(
            "{what} Omit<HttpAgentConfig, \"initialState\"> &\n  DriftListener &\n  ThreadOptions & {{\n    /** The state that the first run starts \
             from. */\n    initialState?: {input} | undefined;\n  }};\n"
        ),
        None => format!("{what} HttpAgentConfig & DriftListener & ThreadOptions;\n"),
    });
    let mut doc = lines(&agent.description);
    if doc.iter().all(String::is_empty) {
        doc = vec![format!("The agent `{}`.", agent.name)];
    }
    out.push_str(&format!("\n{}export class {class} extends ThreadAgent {{\n", jsdoc(&doc, 0)));
    if state.is_some() {
        out.push_str(
            "  /** The shared state, unchecked: {@link typedState} has a type. */\n  declare state: unknown;\n\n",
        );
    }
    out.push_str(&format!(
        "  constructor(config: {class}Config) {{\n    super(compared(config, MANIFEST_HASH));\n  }}\n\n"
    ));
    if let Some((written, read)) = &state {
        out.push_str(&format!(
            "  /** The shared state, or \
             `undefined` if it does not (yet) fit its type. */\n  get typedState(): {written} | undefined \
             {{\n    return readState(this, state.written);\n  }}\n\n  /** Replaces the state that the next run \
             starts from. */\n  override setState(next: {read}): void {{\n    super.setState(next);\n  }}\n\n"
        ));
    }
    if typed_run {
        let props = if agent.forwarded.is_some() { "ForwardedProps" } else { "unknown" };
        let result = if agent.result.is_some() { "Result" } else { "unknown" };
        let run = "super.runAgent(parameters, subscriber)";
        let run = if agent.result.is_some() { format!("typedRun(await {run}, result)") } else { run.into() };
        out.push_str(&format!(
            "  /** Runs the agent once. */\n  override async runAgent(\n    parameters?: TypedParameters<{props}>,\n    \
             subscriber?: AgentSubscriber,\n  ): Promise<TypedRun<{result}>> {{\n    return {run};\n  }}\n\n"
        ));
    }
    out.push_str(&format!(
        "  /** Calls the listeners with typed values, until the returned function is called. */\n  on(listeners: \
         {base}Listeners): () => void {{\n    return listen(this, contract, listeners);\n  }}\n"
    ));
    if has_frontend {
        let of = if typed_run { format!("<{class}>") } else { String::new() };
        out.push_str(&format!(
            "\n  /** Returns the tools that run here, to offer them and to answer their calls. */\n  \
             registerFrontendTools(handlers: FrontendToolHandlers): FrontendTools{of} {{\n    return new \
             FrontendTools{of}(this, contract, handlers);\n  }}\n",
        ));
    }
    if asks {
        out.push_str(&format!(
            "\n  /** The declared interrupts that ended the last run. */\n  get \
             interrupts(): {base}Interrupt[] {{\n    return typedInterrupts<Interrupts>(interrupts, this.pendingInterrupts);\n  }}\n\n  /** Answers an \
             interrupt, in the next run. */\n  resolve<Q extends {base}Interrupt>(interrupt: Q, response: \
             ResponseTo<Interrupts, Q>): void {{\n    resolve(this, interrupts, interrupt, response);\n  }}\n\n  /** Cancels an interrupt, in the next run; also an undeclared one. */\n  cancel(interrupt: {{ readonly id: \
             string }}): void {{\n    cancel(this, interrupt);\n  }}\n\n  /**\n   * The answers to the open interrupts: \
             `runAgent({{ resume: agent.answers() }})`. Throws while one has no answer,\n   * because leaving it out does not \
             cancel it.\n   */\n  answers(): ResumeEntry[] {{\n    return answers(this);\n  }}\n"
        ));
    }
    out.push_str("}\n");
    out
}
