//! The items in an agent's lists from which its model chooses.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Path;
use syn::ext::IdentExt;

use super::model::{AgentForm, AgentModel};
use crate::krate::PrivatePath;
use crate::spelling::{at, framed};

/// An item that the model sees as a tool.
#[derive(Clone, Copy)]
pub(super) struct ListedTool<'a> {
    pub(super) path: &'a Path,
    kind: ListedKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ListedKind {
    Tool,
    /// A tool in the agent's own block.
    Method,
    Agent,
    Handoff,
}

impl AgentModel {
    /// The tools and the agents that the model may call, then the agents to which it may hand over.
    pub(super) fn listed(&self) -> Vec<ListedTool<'_>> {
        let methods = match &self.form {
            AgentForm::Function { .. } => 0,
            AgentForm::Block { tools, .. } => tools.len(),
        };
        let elsewhere = self.tools.len().saturating_sub(methods);
        let tools = self.tools.iter().enumerate().map(move |(place, path)| {
            let kind = match is_agent(path) {
                _ if place >= elsewhere => ListedKind::Method,
                true => ListedKind::Agent,
                false => ListedKind::Tool,
            };
            ListedTool { path, kind }
        });
        let handoffs = self.handoffs.iter().map(|path| ListedTool { path, kind: ListedKind::Handoff });
        tools.chain(handoffs).collect()
    }
}

impl ListedTool<'_> {
    /// The tool's type.
    pub(super) fn expand(self, private: &PrivatePath) -> TokenStream {
        let path = self.path;
        match self.kind {
            ListedKind::Tool | ListedKind::Method => path.to_token_stream(),
            ListedKind::Agent => framed(quote!(#private::SubagentTool<#path>), at(path)),
            ListedKind::Handoff => framed(quote!(#private::HandoffTool<#path>), at(path)),
        }
    }

    /// Returns true if a call of the item runs an agent.
    pub(super) fn runs_agent(self) -> bool {
        matches!(self.kind, ListedKind::Agent | ListedKind::Handoff)
    }

    /// Returns true if the path may name a function without `#[tool]`.
    pub(super) fn may_be_a_function(self) -> bool {
        self.kind == ListedKind::Tool
    }
}

/// A tool is named like a function, and an agent like a type.
fn is_agent(path: &Path) -> bool {
    let last = path.segments.last().map(|last| last.ident.unraw().to_string());
    last.is_some_and(|name| name.starts_with(char::is_uppercase))
}
