//! Where the runtime is, seen from the user's crate: the only place that knows its name.

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Path;

use crate::report::Report;

/// The runtime as the user's `Cargo.toml` names it.
#[derive(Clone)]
pub(crate) enum Runtime {
    At(TokenStream),
    /// Not a dependency; the reason, in case no `crate = path` says where else it is.
    Unknown(String),
}

impl Runtime {
    pub(crate) fn find() -> Self {
        match crate_name("agui-runtime") {
            // The runtime calls itself by its public name (`extern crate self`), so that its tests and examples
            // expand like everybody else's.
            Ok(FoundCrate::Itself) => Self::At(quote!(::agui_runtime)),
            Ok(FoundCrate::Name(name)) => {
                let name = Ident::new(&name, Span::call_site());
                Self::At(quote!(::#name))
            }
            Err(error) => Self::Unknown(error.to_string()),
        }
    }

    /// The path of everything generated code names.
    pub(crate) fn private(&self, given: Option<&Path>, report: &Report) -> Private {
        let root = match (given, self) {
            (Some(path), _) => quote!(#path),
            (None, Self::At(root)) => root.clone(),
            (None, Self::Unknown(reason)) => {
                report.error_at(
                    Span::call_site(),
                    format_args!(
                        "cannot find `agui-runtime` among the dependencies: {reason}\nhelp: add it to `Cargo.toml`, \
                         or say with `crate = some::path` where it is re-exported"
                    ),
                );
                quote!(::agui_runtime)
            }
        };
        Private(quote!(#root::__private))
    }
}

/// `::agui_runtime::__private`, by whatever name.
#[derive(Clone)]
pub(crate) struct Private(TokenStream);

impl Private {
    /// The path as the text that serde and schemars want in their own `crate = "…"`.
    pub(crate) fn text_of(&self, name: &str) -> String {
        let path = &self.0;
        let name = Ident::new(name, Span::call_site());
        quote!(#path::#name).to_string().replace(' ', "")
    }
}

impl quote::ToTokens for Private {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}
