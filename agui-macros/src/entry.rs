//! `#[agui_runtime::main]`: starts the runtime, then the user's async function.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{ParseStream, Parser};

use crate::function::{Body, Function};
use crate::krate::RuntimePath;
use crate::report::Report;

const USAGE: &str = "help: `#[agui_runtime::main] async fn main() -> Result<(), agui_runtime::Error>`";

pub(crate) fn expand(
    runtime: &RuntimePath,
    arguments: &TokenStream,
    item: TokenStream,
    report: &Report,
) -> TokenStream {
    if !arguments.is_empty() {
        report.error(arguments, "`#[agui_runtime::main]` has no options: leave them out");
    }
    let private = runtime.private(None, report);
    let Some(main) = report.ok(read.parse2(item.clone())) else {
        return item;
    };
    check(&main, report);
    let Function { attrs, vis, sig, body } = &main;
    let (ident, output) = (&sig.ident, &sig.output);
    if report.has_errors() {
        return quote! {
            #[allow(unreachable_code)]
            #(#attrs)* #vis fn #ident() #output { loop {} }
        };
    }
    quote! {
        #(#attrs)*
        #vis fn #ident() #output {
            // The user's function as written, so that its errors and types stay at its own tokens.
            #sig #body
            #private::init(::core::env!("CARGO_PKG_NAME"), ::core::env!("CARGO_PKG_VERSION"));
            #private::block_on(#ident())
        }
    }
}

fn read(input: ParseStream<'_>) -> syn::Result<Function> {
    if Function::comes_next(input) {
        return input.parse();
    }
    let item: TokenStream = input.parse()?;
    Err(syn::Error::new_spanned(
        item,
        format_args!("`#[agui_runtime::main]` goes on the program's `main`\n{USAGE}"),
    ))
}

fn check(main: &Function, report: &Report) {
    let sig = &main.sig;
    if sig.ident != "main" {
        report
            .error(&sig.ident, format_args!("`#[agui_runtime::main]` goes on the program's `main`\n{USAGE}"));
    }
    if sig.asyncness.is_none() {
        report.error(
            sig.fn_token,
            format_args!("`main` is asynchronous, because it awaits the server: write `async fn`\n{USAGE}"),
        );
    }
    if !sig.inputs.is_empty() {
        report.error(&sig.inputs, "`main` takes no arguments: read them with `std::env::args()`");
    }
    if !sig.generics.params.is_empty() {
        report.error(&sig.generics.params, "`main` cannot be generic");
    }
    if let Some(clause) = &sig.generics.where_clause {
        report.error(clause, "`main` cannot have a `where` clause");
    }
    if let Body::Missing(semi) = &main.body {
        report.error(semi, "`main` needs a body");
    }
}
