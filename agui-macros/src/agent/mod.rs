//! `#[agent]`: turns a function, or the methods of a type, into an agent.

mod attr;
mod block;
mod built_in_attributes;
mod calls;
mod check;
mod condition;
mod expand;
mod fallback;
mod function;
mod general_error;
mod listed;
mod lists;
mod lookup;
mod model;
mod parameter;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};

use crate::function::Function;
use crate::krate::RuntimePath;
use crate::report::Report;
use block::AgentBlock;
use model::AgentModel;

const USAGE: &str = "`#[agent]` goes on an async function, `async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> \
                     Result<(), Stop>`, or on an impl block that has a method `run`";

pub(crate) fn expand(
    runtime: &RuntimePath,
    arguments: TokenStream,
    item: TokenStream,
    report: &Report,
) -> TokenStream {
    let attr = attr::KEYS.read(arguments.clone(), report);
    let private = runtime.private(attr.krate.as_ref(), report);
    if let (Some(condition), false) = (attr.conditions.first(), report.has_errors()) {
        return condition::expand(condition, arguments, &item, &private);
    }
    let Some(read) = report.ok(read.parse2(item.clone())) else {
        return item;
    };
    let agent = match read {
        AgentItem::Function(function) => AgentModel::from_function(attr, function, report),
        AgentItem::Block(block) => AgentModel::from_block(attr, block, report),
    };
    check::check(&agent, report);
    if report.has_errors() {
        return fallback::inert_agent(&agent, &private);
    }
    expand::expand(&agent, &private)
}

enum AgentItem {
    Function(Function),
    Block(AgentBlock),
}

fn read(input: ParseStream<'_>) -> syn::Result<AgentItem> {
    if Function::comes_next(input) {
        return input.parse().map(AgentItem::Function);
    }
    if AgentBlock::comes_next(input) {
        return input.parse().map(AgentItem::Block);
    }
    let item: TokenStream = input.parse()?;
    Err(syn::Error::new_spanned(keyword(item), USAGE))
}

/// The first word behind the attributes: `struct`, `mod`, …
fn keyword(item: TokenStream) -> TokenStream {
    let skip_attrs = |input: ParseStream<'_>| {
        input.call(syn::Attribute::parse_outer)?;
        input.parse::<syn::Visibility>()?;
        let word = input.parse::<proc_macro2::TokenTree>()?;
        input.parse::<TokenStream>()?;
        Ok(word.into_token_stream())
    };
    skip_attrs.parse2(item.clone()).unwrap_or(item)
}
