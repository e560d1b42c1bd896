//! Python: per agent the package of `types.py`, `agent.py` and `client.py`, and what they share beside them.
//!
//! Two steps: [`lower`] decides every class, name and default in the form of [`model`]; the others only print.

mod agent;
mod client;
mod literal;
mod lower;
mod model;
mod names;
mod scalar;
mod shape;
mod types;

use super::Emitter;
use crate::ir::{AgentDecl, Api, Options};

/// The Python emitter.
pub(super) struct Python;

impl Emitter for Python {
    fn comment(&self, lines: &[String]) -> String {
        let mut text: String = lines.iter().map(|line| format!("# {line}\n")).collect();
        text.push_str("# ruff: noqa\n\n");
        text
    }

    fn shared(&self, api: &Api) -> Vec<(String, String)> {
        let doc = format!("\"\"\"The agents of `{}`.\"\"\"\n", api.origin.krate);
        vec![
            ("__init__.py".into(), doc),
            ("py.typed".into(), String::new()),
            ("_model.py".into(), include_str!("../../support/python/_model.py").into()),
            ("_thread.py".into(), include_str!("../../support/python/_thread.py").into()),
            ("_support.py".into(), include_str!("../../support/python/_support.py").into()),
        ]
    }

    fn agent(&self, agent: &AgentDecl, _: &Options) -> Vec<(String, String)> {
        let module = lower::lower(agent);
        let tools = names::Tools::new(agent);
        vec![
            ("__init__.py".into(), client::package(agent, &tools)),
            ("types.py".into(), types::types(&module)),
            ("agent.py".into(), agent::agent(agent, &module)),
            ("client.py".into(), client::client(agent, &module, &tools)),
        ]
    }
}
