//! The items in an agent's lists from which its model chooses.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Path;
use syn::ext::IdentExt;

use super::model::{AgentModel, Form};
use crate::krate::Private;
use crate::spelling::{at, framed};

/// An item that the model sees as a tool.
#[derive(Clone, Copy)]
pub(super) struct Listed<'a> {
    pub(super) path: &'a Path,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Tool,
    /// A tool of the agent's own block.
    Method,
    Agent,
    Handoff,
}

impl AgentModel {
    /// The tools and the agents that the model may call, then the agents to which it may hand over.
    pub(super) fn listed(&self) -> Vec<Listed<'_>> {
        let methods = match &self.form {
            Form::Function { .. } => 0,
            Form::Block { tools, .. } => tools.len(),
        };
        let elsewhere = self.tools.len().saturating_sub(methods);
        let tools = self.tools.iter().enumerate().map(move |(place, path)| {
            let kind = match is_agent(path) {
                _ if place >= elsewhere => Kind::Method,
                true => Kind::Agent,
                false => Kind::Tool,
            };
            Listed { path, kind }
        });
        let handoffs = self.handoffs.iter().map(|path| Listed { path, kind: Kind::Handoff });
        tools.chain(handoffs).collect()
    }
}

impl Listed<'_> {
    /// The type of the tool.
    pub(super) fn expand(self, private: &Private) -> TokenStream {
        let path = self.path;
        match self.kind {
            Kind::Tool | Kind::Method => path.to_token_stream(),
            Kind::Agent => framed(quote!(#private::Ask<#path>), at(path)),
            Kind::Handoff => framed(quote!(#private::Handoff<#path>), at(path)),
        }
    }

    /// Returns true if a call of the item runs an agent.
    pub(super) fn runs_agent(self) -> bool {
        matches!(self.kind, Kind::Agent | Kind::Handoff)
    }

    /// Returns true if the path may be that of a function without `#[tool]`.
    pub(super) fn may_be_a_function(self) -> bool {
        self.kind == Kind::Tool
    }
}

/// A tool has the name of a function, and an agent that of a type.
fn is_agent(path: &Path) -> bool {
    let last = path.segments.last().map(|last| last.ident.unraw().to_string());
    last.is_some_and(|name| name.starts_with(char::is_uppercase))
}
