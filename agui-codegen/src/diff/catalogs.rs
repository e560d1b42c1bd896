//! The comparison between two versions of a component catalog. Existing pages draw the old one.

use agui_runtime::manifest::{CatalogDef, CatalogFunctionDef};
use agui_runtime::protocol::ToolSide;

use super::pass::{AgentComparison, matched};
use crate::ir::ValueDirection;

impl<'a> AgentComparison<'a> {
    pub(super) fn catalogs(&mut self, old: &'a CatalogDef, new: &'a CatalogDef) {
        for (before, after) in matched(&old.components, &new.components, |component| &component.name) {
            match (before, after) {
                (Some(before), Some(after)) => {
                    let place = format!("the component `{}`", before.name);
                    self.out(&place, &after.properties, &before.properties);
                }
                (None, Some(after)) => {
                    let place = format!("the component `{}`", after.name);
                    self.warning(&place, Some(ValueDirection::Out), "is new: existing pages do not draw it");
                }
                _ => {}
            }
        }
        for (before, after) in matched(&old.functions, &new.functions, |function| &function.name) {
            match (before, after) {
                (Some(before), Some(after)) => self.functions(before, after),
                (None, Some(after)) if after.side == ToolSide::Frontend => {
                    let place = format!("the function `{}`", after.name);
                    self.warning(&place, None, "is new: existing pages do not have it");
                }
                (Some(before), None) => self.lost_function(before),
                _ => {}
            }
        }
    }

    /// A page's own function may stay in the page; the agent's function is gone for existing pages.
    pub(super) fn lost_function(&mut self, lost: &CatalogFunctionDef) {
        if lost.side == ToolSide::Backend {
            let place = format!("the function `{}`", lost.name);
            self.change(&place, None, "no longer exists, and existing pages call it");
        }
    }

    fn functions(&mut self, old: &'a CatalogFunctionDef, new: &'a CatalogFunctionDef) {
        let name = &old.name;
        if old.side != new.side {
            let side = if new.side == ToolSide::Frontend { "the page" } else { "the agent" };
            self.change(&format!("the function `{name}`"), None, &format!("belongs to {side} now"));
            return;
        }
        let (arguments, value) = (format!("the arguments of `{name}`"), format!("the value of `{name}`"));
        match new.side {
            ToolSide::Frontend => self.out(&arguments, &new.arguments, &old.arguments),
            ToolSide::Backend => self.input(&arguments, &old.arguments, &new.arguments),
        }
        match (&old.value, &new.value, new.side) {
            (Some(old), Some(new), ToolSide::Frontend) => self.input(&value, old, new),
            (Some(old), Some(new), ToolSide::Backend) => self.out(&value, new, old),
            (None, Some(_), ToolSide::Frontend) => {
                self.change(&value, Some(ValueDirection::In), "is expected, and existing pages send none");
            }
            (Some(_), None, ToolSide::Backend) => {
                self.change(&value, Some(ValueDirection::Out), "is no longer sent");
            }
            _ => {}
        }
    }
}
