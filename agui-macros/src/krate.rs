//! The runtime's path in the user's crate: the only module that knows the name.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Path;

use crate::dependency::name_of_runtime;
use crate::report::Report;

/// The runtime as the user's `Cargo.toml` names it.
#[derive(Clone)]
pub(crate) enum RuntimePath {
    At(TokenStream),
    /// Not a dependency: the reason, in case no `crate = path` gives another path.
    Unknown(String),
}

impl RuntimePath {
    pub(crate) fn find() -> Self {
        match name_of_runtime() {
            Ok(name) => {
                let name = Ident::new(&name, Span::call_site());
                Self::At(quote!(::#name))
            }
            Err(reason) => Self::Unknown(reason),
        }
    }

    /// The path before every name in generated code.
    pub(crate) fn private(&self, given: Option<&Path>, report: &Report) -> PrivatePath {
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
        PrivatePath(quote!(#root::__private))
    }
}

/// `::agui_runtime::__private`, under any name.
#[derive(Clone)]
pub(crate) struct PrivatePath(TokenStream);

impl PrivatePath {
    /// The path as the text that serde and schemars want in their own `crate = "…"`.
    pub(crate) fn text_of(&self, name: &str) -> String {
        let path = &self.0;
        let name = Ident::new(name, Span::call_site());
        quote!(#path::#name).to_string().replace(' ', "")
    }
}

impl quote::ToTokens for PrivatePath {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}
