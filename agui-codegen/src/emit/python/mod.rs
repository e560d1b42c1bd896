//! Python: for each agent a package with `types.py`, `agent.py` and `client.py`, and beside the packages the
//! files that all agents share.
//!
//! There are two steps: [`lower`] decides every class, name and default in the form that [`model`] defines;
//! the other modules fill templates. The output without pydantic is in [`typed_dict`].

mod agent;
mod catalogs;
mod client;
mod format;
mod literal;
mod lower;
mod model;
mod names;
mod package;
mod scalar;
mod typed_dict;
mod types;

use super::LanguageEmitter;
use crate::ir::{AgentDecl, ApiDecl, OutputOptions, PythonStyle};

/// The Python emitter.
pub(super) struct PythonEmitter;

impl LanguageEmitter for PythonEmitter {
    fn comment(&self, lines: &[String]) -> String {
        // Python looks for an encoding declaration in the first two lines (PEP 263). The header fills both
        // lines.
        let (first, others) = lines.split_at(1);
        format!("{}# ruff: noqa\n{}\n", types::comment(first, 0), types::comment(others, 0))
    }

    fn shared(&self, api: &ApiDecl) -> Vec<(String, String)> {
        let doc = types::docstring(&[format!("The agents of `{}`.", api.origin.krate)], 0);
        let mut files = vec![("__init__.py".into(), doc), ("py.typed".into(), String::new())];
        if api.options.python_style == PythonStyle::TypedDict {
            return files;
        }
        files.extend([
            ("_model.py".into(), include_str!("../../support/python/_model.py").into()),
            ("_reconnect.py".into(), include_str!("../../support/python/_reconnect.py").into()),
            ("_restate.py".into(), include_str!("../../support/python/_restate.py").into()),
            ("_resume.py".into(), include_str!("../../support/python/_resume.py").into()),
            ("_thread.py".into(), include_str!("../../support/python/_thread.py").into()),
            ("_thread_list.py".into(), include_str!("../../support/python/_thread_list.py").into()),
            ("_support.py".into(), include_str!("../../support/python/_support.py").into()),
        ]);
        if api.agents.iter().any(|agent| !agent.catalogs.is_empty()) {
            files.push(("_surfaces.py".into(), include_str!("../../support/python/_surfaces.py").into()));
        }
        if api.options.websocket {
            files.push(("_websocket.py".into(), include_str!("../../support/python/_websocket.py").into()));
        }
        if api.options.webhooks {
            files.push(("_webhooks.py".into(), include_str!("../../support/python/_webhooks.py").into()));
        }
        if api.agents.iter().any(|agent| !agent.interrupts.is_empty()) {
            files.push(("_interrupts.py".into(), include_str!("../../support/python/_interrupts.py").into()));
        }
        files
    }

    fn agent(&self, agent: &AgentDecl, options: &OutputOptions) -> Vec<(String, String)> {
        if options.python_style == PythonStyle::TypedDict {
            let (types, values) = typed_dict::modules(agent);
            let mut files = vec![
                ("__init__.py".into(), typed_dict::package(agent)),
                ("types.py".into(), types),
                ("agent.py".into(), values),
            ];
            if !agent.catalogs.is_empty() {
                files.push(("catalogs.py".into(), typed_dict::catalogs(agent)));
            }
            return files;
        }
        let module = lower::lower(agent, options);
        let tools = names::ClientNames::new(agent);
        let mut files = vec![
            ("__init__.py".into(), package::package(agent, &tools)),
            ("types.py".into(), types::types(&module)),
            ("agent.py".into(), agent::agent(agent, &module)),
            ("client.py".into(), client::client(agent, &module, &tools)),
        ];
        if !agent.catalogs.is_empty() {
            files.push(("catalogs.py".into(), catalogs::catalogs(agent, options)));
        }
        files
    }
}
