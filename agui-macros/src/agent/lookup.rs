//! Lookup by tool name: as a type, or as a function that has no `#[tool]`.
//!
//! A plain function has no type with the same name, and the compiler would only report that a type was expected. So the name is
//! imported below a fallback, a `PlainFunction` alias, which a type with the name hides. The function then has to belong to a
//! tool. Importing a missing name would report `no external crate`, so a macro with that name lets the import pass, and the
//! function's mention reports the name with similar names.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Path;
use syn::ext::IdentExt;

use super::built_in_attributes::is_built_in_attribute;
use super::listed::ListedTool;
use super::lists::{TOOLS, aliases};
use crate::dependency::crate_names;
use crate::krate::PrivatePath;
use crate::spelling::at;

/// Lower-case names that an import would find in the prelude too, and refuse as ambiguous.
const PRELUDE: [&str; 8] =
    ["drop", "size_of", "size_of_val", "align_of", "align_of_val", "bool", "char", "str"];

/// Compiler crates that every package may name.
const SYSROOT: [&str; 5] = ["std", "core", "alloc", "proc_macro", "test"];

/// A tool whose name may belong to a plain function.
pub(super) struct ToolLookup<'a> {
    place: usize,
    path: &'a Path,
    /// The type's name in the expansion.
    ty: Ident,
}

/// Lookups for the tools; `None` for a tool that is looked up as a type alone.
pub(super) fn lookups<'a>(tools: &[ListedTool<'a>]) -> Vec<Option<ToolLookup<'a>>> {
    let crates = tools.iter().any(|tool| tool.may_be_a_function()).then(crate_names).flatten();
    let lookup = |(place, (tool, ty)): (usize, (&ListedTool<'a>, &Ident))| {
        let crates = crates.as_ref()?;
        let path = tool.path;
        let is_known = |name: &Ident| {
            let name = name.unraw().to_string();
            PRELUDE.contains(&name.as_str())
                || SYSROOT.contains(&name.as_str())
                || crates.contains(&name)
                || is_built_in_attribute(&name)
        };
        let can_import = tool.may_be_a_function()
            && path.segments.iter().all(|segment| segment.arguments.is_none() && segment.ident != "Self")
            && !path.get_ident().is_some_and(is_known);
        can_import.then_some(ToolLookup { place, path, ty: ty.clone() })
    };
    let types = aliases(tools.len(), TOOLS.alias);
    tools.iter().zip(&types).enumerate().map(lookup).collect()
}

/// Code in which the looked-up types are known.
pub(super) fn expand_lookups(
    lookups: &[Option<ToolLookup<'_>>],
    within: TokenStream,
    private: &PrivatePath,
) -> TokenStream {
    let lookups: Vec<_> = lookups.iter().flatten().collect();
    if lookups.is_empty() {
        return within;
    }
    let fallbacks = lookups.iter().map(|lookup| lookup.expand_fallback(private));
    let imports = lookups.iter().map(|lookup| lookup.expand_import(private));
    // A block and no constant, whose name would be part of the names of types inside.
    quote! {
        #(#fallbacks)*
        {
            #(#imports)*
            #within
        }
    }
}

impl ToolLookup<'_> {
    /// The fallback, for a block around the import's block.
    fn expand_fallback(&self, private: &PrivatePath) -> TokenStream {
        let Self { place, ty, .. } = self;
        quote! {
            #[allow(non_camel_case_types, dead_code)]
            type #ty = #private::PlainFunction<#place>;
        }
    }

    /// The import, and the function check.
    fn expand_import(&self, private: &PrivatePath) -> TokenStream {
        let Self { place, path, ty } = self;
        // An editor follows the tokens of a path wherever they are: here to the function and the struct of a tool. So the macro's
        // name stands elsewhere. A longer path needs no macro: the import reports it with similar names.
        let (function, any) = match path.get_ident() {
            Some(name) => {
                let mut elsewhere = name.clone();
                elsewhere.set_span(Span::call_site());
                let any = quote! {
                    #[allow(unused_macros)]
                    macro_rules! #elsewhere {
                        () => {};
                    }
                };
                (name, any)
            }
            None => (ty, TokenStream::new()),
        };
        let mut imported = ty.clone();
        imported.set_span(at(path));
        let checked = format_ident!("__agui_function_{place}");
        // Reported at its type, which is to be inferred.
        let function_type = quote_spanned!(at(self.path)=> _);
        let check = quote!(<#function_type as #private::ToolFunction<<#ty as #private::Tool>::Side>>::accept(&#function));
        // The function of a frontend tool may be named only where this is assumed.
        quote! {
            #[allow(dead_code, deprecated, clippy::all, clippy::pedantic)]
            fn #checked()
            where
                for<'__agui> #ty: #private::RunsInTheAgent<'__agui>,
            {
                #check;
            }
            #any
            #[allow(unused_imports, non_camel_case_types, deprecated)]
            use #path as #imported;
        }
    }
}
