//! `#[tool(private)]`: rules for tools whose calls are the model's alone.

use syn::Type;

use super::injected;
use super::model::{ToolModel, ToolSide};
use crate::report::Report;

pub(super) fn check(tool: &ToolModel, report: &Report) {
    let Some(private) = tool.private else { return };
    if tool.side == ToolSide::Frontend {
        report.error_at(
            private.0,
            "`private` and `frontend` exclude each other: the user interface runs its own tools, so it sees their calls; leave \
             one of them out",
        );
    }
    if tool.approval.is_some() {
        report.error_at(
            private.0,
            "`private` and `approval` exclude each other: the user would approve a call without seeing it; leave one of them out",
        );
    }
    if !tool.predictions.is_empty() {
        report.error_at(
            private.0,
            "`private` and `predict` exclude each other: the state shows predicted arguments to the page; leave one of them out",
        );
    }
    if let Some(item) = &tool.streams {
        report.error(
            item,
            "the page sees each item of a stream, and nothing of a private tool: return `Vec<…>`, or leave out `private`",
        );
    }
    for dependency in tool.dependencies() {
        let ty: &Type = &dependency.reference.elem;
        if injected::sends_events(ty) {
            report.error(
                &dependency.reference,
                "a private tool sends no events: leave this parameter out, and send events from the agent's function or from \
                 another tool",
            );
        }
    }
}
