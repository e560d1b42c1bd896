//! Python.

use super::Emitter;
use crate::ir::{AgentDecl, Api};

/// The Python emitter.
pub(super) struct Python;

impl Emitter for Python {
    fn comment(&self, lines: &[String]) -> String {
        lines.iter().map(|line| format!("# {line}\n")).collect()
    }

    fn shared(&self, _: &Api) -> Vec<(String, String)> {
        vec![]
    }

    fn agent(&self, _: &AgentDecl) -> Vec<(String, String)> {
        vec![]
    }
}
