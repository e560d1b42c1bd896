//! Tool facts that clients see: a title, and behaviour hints.

use proc_macro2::TokenStream;
use quote::quote;
use syn::LitStr;

use crate::attr::{AttributeFlag, AttributeSwitch};
use crate::krate::PrivatePath;
use crate::report::Report;

#[derive(Clone, Default)]
pub(crate) struct ToolFacts {
    pub(crate) title: Option<LitStr>,
    pub(crate) read_only: Option<AttributeFlag>,
    pub(crate) destructive: Option<AttributeSwitch>,
    pub(crate) idempotent: Option<AttributeFlag>,
    pub(crate) closed_world: Option<AttributeFlag>,
}

impl ToolFacts {
    pub(super) fn check(&self, report: &Report) {
        if let Some(title) = self.title.as_ref().filter(|title| title.value().trim().is_empty()) {
            report
                .error(title, "a title is the name of the tool for people: write one, or leave `title` out");
        }
        let Some(destructive) = self.destructive.filter(|_| self.read_only.is_some()) else { return };
        report.error_at(
            destructive.span,
            if destructive.is_on {
                "`read_only` and `destructive` exclude each other: a tool that changes nothing destroys nothing; leave one \
                 of them out"
            } else {
                "`read_only` already says that the tool destroys nothing: leave `destructive` out"
            },
        );
    }

    /// The trait constant; empty for a tool without facts.
    pub(super) fn expand(&self, private: &PrivatePath) -> TokenStream {
        let hint = |hint: Option<bool>| match hint {
            Some(hint) => quote!(::core::option::Option::Some(#hint)),
            None => quote!(::core::option::Option::None),
        };
        let hints = [
            self.read_only.map(|_| true),
            self.destructive.map(|destructive| destructive.is_on),
            self.idempotent.map(|_| true),
            self.closed_world.map(|_| false),
        ];
        if self.title.is_none() && hints.iter().all(Option::is_none) {
            return TokenStream::new();
        }
        let title = match &self.title {
            Some(title) => quote!(::core::option::Option::Some(#title)),
            None => quote!(::core::option::Option::None),
        };
        let hints = hints.into_iter().map(hint);
        quote! {
            const ANNOTATIONS: #private::ToolAnnotations = #private::ToolAnnotations::declared(#title #(, #hints)*);
        }
    }
}
