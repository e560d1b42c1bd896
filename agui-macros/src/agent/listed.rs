//! The items in an agent's lists from which its model chooses.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use syn::Path;
use syn::ext::IdentExt;

use super::model::AgentModel;
use crate::krate::Private;
use crate::spelling::at;

/// An item that the model sees as a tool.
#[derive(Clone, Copy)]
pub(super) struct Listed<'a> {
    pub(super) path: &'a Path,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Tool,
    Agent,
    Handoff,
}

impl AgentModel {
    /// The tools and the agents that the model may call, then the agents to which it may hand over.
    pub(super) fn listed(&self) -> Vec<Listed<'_>> {
        let tools = self.tools.iter().map(|path| {
            let kind = if is_agent(path) { Kind::Agent } else { Kind::Tool };
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
            Kind::Tool => path.to_token_stream(),
            Kind::Agent => quote_spanned!(at(path)=> #private::Ask<#path>),
            Kind::Handoff => quote_spanned!(at(path)=> #private::Handoff<#path>),
        }
    }

    /// Returns true if a call of the item runs an agent.
    pub(super) fn runs_agent(self) -> bool {
        self.kind != Kind::Tool
    }
}

/// A tool has the name of a function, and an agent that of a type.
fn is_agent(path: &Path) -> bool {
    let last = path.segments.last().map(|last| last.ident.unraw().to_string());
    last.is_some_and(|name| name.starts_with(char::is_uppercase))
}
