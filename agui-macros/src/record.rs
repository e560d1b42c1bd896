//! Expansion records for `agui-codegen expand`. The command names the file in an environment variable and marks the crate with
//! `--cfg`.

use std::fs::OpenOptions;
use std::io::Write as _;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

/// The environment variable that names the file. Records are appended.
const OUT: &str = "AGUI_EXPAND_OUT";

/// The `--cfg` that only the requested crate gets: all crates in the build share the environment, and another crate may have the
/// same name.
const CFG: &str = "agui_expand";

/// An expansion record. An ordinary build makes none, and costs reading one variable.
pub(crate) struct ExpansionRecord {
    path: String,
    head: String,
}

impl ExpansionRecord {
    /// Begins a record for the macro `name` on `item`.
    pub(crate) fn begin(name: &str, item: &TokenStream) -> Option<Self> {
        let path = std::env::var(OUT).ok()?;
        if !std::env::args_os().any(|argument| argument == CFG) {
            return None;
        }
        let place = proc_macro::Span::call_site();
        Some(Self { path, head: format!("{name}\t{}\t{}\t{}", item_name(item), place.line(), place.file()) })
    }

    /// Writes the record, and returns tokens that make cargo expand again the next time.
    pub(crate) fn end(self, output: &TokenStream) -> TokenStream {
        let text = output.to_string();
        let record = format!("{}\t{}\n{text}\n", text.len(), self.head);
        let file = OpenOptions::new().create(true).append(true).open(&self.path);
        match file.and_then(|mut file| file.write_all(record.as_bytes())) {
            Ok(()) => quote!(
                const _: ::core::option::Option<&str> = ::core::option_env!(#OUT);
            ),
            Err(error) => {
                let why = format!("{OUT}={}: {error}", self.path);
                quote!(::core::compile_error!(#why);)
            }
        }
    }
}

/// The item's name: the word after the keyword, or an impl block's type.
fn item_name(item: &TokenStream) -> String {
    let mut words = item.clone().into_iter().skip_while(|tree| match tree {
        TokenTree::Ident(word) => {
            !["fn", "struct", "enum", "union", "impl", "mod"].iter().any(|known| word == known)
        }
        _ => true,
    });
    let is_block = matches!(words.next(), Some(TokenTree::Ident(word)) if word == "impl");
    let mut name = String::new();
    for tree in words {
        match tree {
            TokenTree::Ident(word) => name = word.to_string(),
            TokenTree::Group(_) => break,
            _ => {}
        }
        if !is_block {
            break;
        }
    }
    name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_have_names() {
        for (item, name) in [
            (
                quote!(
                    pub async fn price(name: String) -> u32 {
                        1
                    }
                ),
                "price",
            ),
            (
                quote!(
                    #[doc = "struct"]
                    pub(crate) struct List<T> {
                        items: Vec<T>,
                    }
                ),
                "List",
            ),
            (quote!(impl shop::Chef { fn run() {} }), "Chef"),
            (
                quote!(
                    enum r#type {
                        A,
                    }
                ),
                "type",
            ),
            (quote!(), ""),
        ] {
            assert_eq!(item_name(&item), name);
        }
    }
}
