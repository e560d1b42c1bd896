//! TypeScript: per agent `types.ts`, `agent.ts` and `client.ts`, where asked for `react.ts`, and what they share beside them.

mod agent;
mod client;
mod literal;
mod names;
mod react;
mod types;

use super::Emitter;
use crate::ir::{AgentDecl, Api, Options, React};

/// The TypeScript emitter.
pub(super) struct TypeScript;

impl Emitter for TypeScript {
    fn comment(&self, lines: &[String]) -> String {
        let mut text: String = lines.iter().map(|line| format!("// {line}\n")).collect();
        text.push_str("/* eslint-disable */\n\n");
        text
    }

    fn shared(&self, api: &Api) -> Vec<(String, String)> {
        let mut files = vec![
            ("_check.ts".into(), include_str!("../../support/typescript/_check.ts").into()),
            ("_schema.ts".into(), include_str!("../../support/typescript/_schema.ts").into()),
            ("_support.ts".into(), include_str!("../../support/typescript/_support.ts").into()),
        ];
        if api.options.react == Some(React::V2) {
            files.push(("_react.ts".into(), include_str!("../../support/typescript/_react.ts").into()));
        }
        files
    }

    fn agent(&self, agent: &AgentDecl, options: &Options) -> Vec<(String, String)> {
        let names = names::Names::new(agent);
        let mut files = vec![
            ("types.ts".into(), types::types(agent, &names)),
            ("agent.ts".into(), agent::agent(agent, &names)),
            ("client.ts".into(), client::client(agent, &names)),
        ];
        if let Some(version) = options.react {
            files.push(("react.ts".into(), react::react(agent, &names, version)));
        }
        files
    }
}

/// A doc comment of `lines`, each line indented by `indent`; nothing when there are no lines.
fn jsdoc(lines: &[String], indent: usize) -> String {
    let pad = " ".repeat(indent);
    let escaped: Vec<String> = lines.iter().map(|line| line.replace("*/", "*\\/")).collect();
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
