//! Client methods with which a program runs tools and answers interrupts.

use serde_json::{Value, json};

use super::super::model::PythonModule;
use super::super::names::ClientNames;
use super::super::types::docstring;
use super::items::result_type;
use crate::emit::doc::lines;
use crate::ir::AgentDecl;

pub(super) fn methods(agent: &AgentDecl, module: &PythonModule, names: &ClientNames) -> Value {
    let tools = agent.tools.iter().zip(&names.tools).zip(&module.slots.tools);
    let tools = tools.filter(|((tool, _), _)| tool.frontend).map(|((tool, names), (params, result))| {
        let parameter = format!("args: types.{params}");
        method(&names.2, &parameter, &result_type(result.as_ref()), &tool.description)
    });
    let interrupts = agent.interrupts.iter().zip(&names.interrupts).zip(&module.slots.interrupts);
    let interrupts = interrupts.map(|((asked, (item, name)), (_, response))| {
        method(name, &format!("interrupt: {item}"), &format!("types.{response}"), &asked.description)
    });
    tools.chain(interrupts).collect()
}

/// Returns the first lines and the docstring for one method.
fn method(name: &str, parameter: &str, result: &str, description: &str) -> Value {
    let line = format!("async def {name}(self, {parameter}) -> {result}:");
    // The line also holds the indentation and the body.
    let head = if line.len() + "     ...".len() <= 88 {
        line
    } else {
        format!("async def {name}(\n    self, {parameter}\n) -> {result}:")
    };
    let doc = docstring(&lines(description), 0);
    let body = if doc.is_empty() { " ..." } else { "" };
    json!({ "head": format!("{head}{body}"), "doc": doc })
}
