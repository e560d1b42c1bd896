//! TypeScript: for each agent `types.ts`, `agent.ts` and `client.ts`, on request `react.ts` and `zod.ts`, and
//! beside the agents' folders the files that all agents share.

mod agent;
mod catalogs;
mod client;
mod format;
mod hooks;
mod literal;
mod names;
mod prefix;
mod react;
mod single;
mod types;
mod zod;

use std::collections::BTreeSet;

use super::LanguageEmitter;
use super::doc::comment_line;
use crate::ir::{AgentDecl, ApiDecl, OutputOptions, ReactPackage, ZodVersion};

const CHECK: &str = include_str!("../../support/typescript/_check.ts");
const SCHEMA: &str = include_str!("../../support/typescript/_schema.ts");
const CONNECTION: &str = include_str!("../../support/typescript/_connection.ts");
const RECORDS: &str = include_str!("../../support/typescript/_records.ts");
const RESTATE: &str = include_str!("../../support/typescript/_restate.ts");
const RECONNECT: &str = include_str!("../../support/typescript/_reconnect.ts");
const THREAD: &str = include_str!("../../support/typescript/_thread.ts");
const THREAD_LIST: &str = include_str!("../../support/typescript/_thread_list.ts");
const SUPPORT: &str = include_str!("../../support/typescript/_support.ts");
const INTERRUPTS: &str = include_str!("../../support/typescript/_interrupts.ts");
const REACT_INTERRUPTS: &str = include_str!("../../support/typescript/_react_interrupts.ts");
const REACT: &str = include_str!("../../support/typescript/_react.ts");
const HOOKS: &str = include_str!("../../support/typescript/_hooks.ts");
const SURFACES: &str = include_str!("../../support/typescript/_surfaces.ts");
const THREAD_HOOKS: &str = include_str!("../../support/typescript/_thread_hooks.ts");
const WEBSOCKET: &str = include_str!("../../support/typescript/_websocket.ts");
const WEBHOOKS: &str = include_str!("../../support/typescript/_webhooks.ts");
const ZOD: &str = include_str!("../../support/typescript/_zod.ts");

/// The TypeScript emitter.
pub(super) struct TypeScriptEmitter;

impl LanguageEmitter for TypeScriptEmitter {
    fn comment(&self, lines: &[String]) -> String {
        let mut text: String = lines.iter().map(|line| format!("// {}\n", comment_line(line))).collect();
        text.push_str("/* eslint-disable */\n\n");
        text
    }

    fn shared(&self, api: &ApiDecl) -> Vec<(String, String)> {
        if api.options.single_file {
            return Vec::new();
        }
        let mut files = vec![
            ("_check.ts".into(), CHECK.into()),
            ("_connection.ts".into(), CONNECTION.into()),
            ("_reconnect.ts".into(), RECONNECT.into()),
            ("_records.ts".into(), RECORDS.into()),
            ("_restate.ts".into(), RESTATE.into()),
            ("_schema.ts".into(), SCHEMA.into()),
            ("_support.ts".into(), SUPPORT.into()),
            ("_thread.ts".into(), THREAD.into()),
            ("_thread_list.ts".into(), THREAD_LIST.into()),
        ];
        let asks = api.agents.iter().any(|agent| !agent.interrupts.is_empty());
        if asks {
            files.push(("_interrupts.ts".into(), INTERRUPTS.into()));
        }
        if api.agents.iter().any(|agent| !agent.catalogs.is_empty()) {
            files.push(("_surfaces.ts".into(), SURFACES.into()));
        }
        if api.options.websocket {
            files.push(("_websocket.ts".into(), WEBSOCKET.into()));
        }
        if api.options.webhooks {
            files.push(("_webhooks.ts".into(), WEBHOOKS.into()));
        }
        if api.options.react == Some(ReactPackage::V2) {
            files.push(("_react.ts".into(), REACT.into()));
            if asks {
                files.push(("_react_interrupts.ts".into(), REACT_INTERRUPTS.into()));
            }
        }
        if api.options.react == Some(ReactPackage::Plain) {
            files.push(("_hooks.ts".into(), HOOKS.into()));
            files.push(("_thread_hooks.ts".into(), THREAD_HOOKS.into()));
        }
        if let Some(version) = api.options.zod {
            files.push(("_zod.ts".into(), zod_support(version)));
        }
        files
    }

    fn agent(&self, agent: &AgentDecl, options: &OutputOptions) -> Vec<(String, String)> {
        let agent = format::with_formats(agent, &options.formats);
        if options.single_file {
            return single_file(&agent, options);
        }
        let names = names::TypeNames::new(&agent, &options.brand, &BTreeSet::new());
        let mut files = vec![
            ("types.ts".into(), types::types(&agent, &names)),
            ("agent.ts".into(), agent::agent(&agent, &names)),
            ("client.ts".into(), client::client(&agent, &names)),
        ];
        if !agent.catalogs.is_empty() {
            files.push(("catalogs.ts".into(), catalogs::catalogs(&agent, &names)));
        }
        if let Some(version) = options.react {
            files.push(("react.ts".into(), react::react(&agent, &names, version)));
        }
        if let Some(version) = options.zod {
            files.push(("zod.ts".into(), zod::zod(&agent, &names, version)));
        }
        files
    }
}

fn zod_support(version: ZodVersion) -> String {
    ZOD.replace(zod::module(ZodVersion::V4), zod::module(version))
}

/// Maps an import path for a file beside `index.ts`; `None` if the module is in the file itself.
fn beside(module: &str) -> Option<&str> {
    match module {
        "../_hooks.js"
        | "../_thread_hooks.js"
        | "../_react.js"
        | "../_react_interrupts.js"
        | "../_surfaces.js"
        | "../_zod.js" => None,
        other if other.starts_with('.') => Some("./index.js"),
        other => Some(other),
    }
}

/// Returns the names that shared files declare or import from official packages, and the names in every
/// agent's files.
fn taken_by_shared() -> BTreeSet<String> {
    let shared = [
        CHECK,
        SCHEMA,
        CONNECTION,
        RECORDS,
        RESTATE,
        RECONNECT,
        THREAD,
        THREAD_LIST,
        SUPPORT,
        INTERRUPTS,
        REACT_INTERRUPTS,
        REACT,
        HOOKS,
        SURFACES,
        THREAD_HOOKS,
        WEBSOCKET,
        WEBHOOKS,
        ZOD,
    ];
    let mut taken = single::taken(&shared);
    taken.extend(OF_AGENTS.map(str::to_owned));
    taken
}

/// Names that every agent's files declare or import from official packages.
const OF_AGENTS: [&str; 18] = [
    "Activities",
    "Events",
    "ForwardedProps",
    "FrontendToolHandlers",
    "FrontendToolName",
    "HttpAgent",
    "HttpAgentConfig",
    "Interrupts",
    "Result",
    "ResumeEntry",
    "ToolArgs",
    "ToolResults",
    "contract",
    "types",
    "useAgent",
    "useCoAgent",
    "useFrontendTools",
    "useInterrupt",
];

/// Returns `index.ts` with all modules, and beside `index.ts` the modules that import optional packages.
fn single_file(agent: &AgentDecl, options: &OutputOptions) -> Vec<(String, String)> {
    let mut names = names::TypeNames::new(agent, &options.brand, &BTreeSet::new());
    let interrupts = if agent.interrupts.is_empty() { "" } else { INTERRUPTS };
    let websocket = if options.websocket { WEBSOCKET } else { "" };
    let webhooks = if options.webhooks { WEBHOOKS } else { "" };
    let shared = [
        CHECK,
        SCHEMA,
        SUPPORT,
        CONNECTION,
        RECORDS,
        RESTATE,
        RECONNECT,
        THREAD_LIST,
        THREAD,
        interrupts,
        websocket,
        webhooks,
    ];
    let (values, client) = (agent::agent(agent, &names), client::client(agent, &names));
    let others = [&shared[..], &[values.as_str(), client.as_str()]].concat();
    names = names::TypeNames::new(agent, &options.brand, &single::taken(&others));
    names.prefix = "";
    let (types, values, client) =
        (types::types(agent, &names), agent::agent(agent, &names), client::client(agent, &names));
    let parts = [&shared[..], &[types.as_str(), values.as_str(), client.as_str()]].concat();
    let whole = single::joined(&parts, |module| (!module.starts_with('.')).then_some(module));
    let mut files = vec![("index.ts".into(), whole)];
    if !agent.catalogs.is_empty() {
        let catalogs = catalogs::catalogs(agent, &names);
        files.push(("catalogs.ts".into(), single::joined(&[SURFACES, &catalogs], beside)));
    }
    if let Some(version) = options.react {
        let shared = match version {
            ReactPackage::V1 => ["", ""],
            ReactPackage::Plain => [HOOKS, THREAD_HOOKS],
            ReactPackage::V2 => [REACT, if agent.interrupts.is_empty() { "" } else { REACT_INTERRUPTS }],
        };
        let hooks = react::react(agent, &names, version);
        files.push(("react.ts".into(), single::joined(&[shared[0], shared[1], &hooks], beside)));
    }
    if let Some(version) = options.zod {
        let zod = zod::zod(agent, &names, version);
        files.push(("zod.ts".into(), single::joined(&[&zod_support(version), &zod], beside)));
    }
    files
}

/// Prints `lines` as a doc comment, each line indented by `indent`; returns an empty string without lines.
fn jsdoc(lines: &[String], indent: usize) -> String {
    let pad = " ".repeat(indent);
    let escaped: Vec<String> = lines.iter().map(|line| comment_line(line).replace("*/", "*\\/")).collect();
    match escaped.as_slice() {
        [] => String::new(),
        [line] => format!("{pad}/** {line} */\n"),
        lines => {
            let body: String =
                lines.iter().map(|line| format!("{pad} * {line}").trim_end().to_owned() + "\n").collect();
            format!("{pad}/**\n{body}{pad} */\n")
        }
    }
}
