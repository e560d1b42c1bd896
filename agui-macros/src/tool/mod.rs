//! `#[tool]`: makes a function a tool, by an argument struct beside the function.

pub(crate) mod attr;
mod check;
mod default;
mod docs;
mod expand;
mod facts;
mod fallback;
mod injected;
mod limit;
mod model;
mod policy;
mod predict;
mod private;
mod serde;
mod stream;

use proc_macro2::TokenStream;
use syn::parse::Parser;

pub(crate) use check::check;
pub(crate) use expand::{expand_function, expand_tool};
pub(crate) use fallback::inert_arguments;
pub(crate) use model::{ToolHost, ToolModel};

use crate::function::Function;
use crate::krate::RuntimePath;
use crate::report::Report;
use crate::spawned;

pub(crate) fn expand(
    runtime: &RuntimePath,
    arguments: TokenStream,
    item: TokenStream,
    report: &Report,
) -> TokenStream {
    let attr = attr::KEYS.read(arguments, report);
    let private = runtime.private(attr.krate.as_ref(), report);
    let Some(mut function) = read_function(&item, report) else {
        return item;
    };
    spawned::check_tool(&mut function, report);
    let tool = ToolModel::from_function(&attr, function, ToolHost::Any, report);
    check(&tool, report);
    if report.has_errors() {
        return fallback::inert_tool(&tool, &private);
    }
    let mut output = expand_function(&tool, &private);
    output.extend(expand_tool(&tool, &private));
    output
}

fn read_function(item: &TokenStream, report: &Report) -> Option<Function> {
    let read = |input: syn::parse::ParseStream<'_>| {
        if Function::comes_next(input) {
            return input.parse();
        }
        Err(syn::Error::new_spanned(
            item,
            "`#[tool]` goes on a function: `async fn name(argument: Type) -> Type { … }`",
        ))
    };
    report.ok(read.parse2(item.clone()))
}
