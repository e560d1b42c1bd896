//! `#[tool(default = …)]` on a parameter: the value for an argument that the model leaves out.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Expr, ExprLit, FnArg, Ident, Lit, Type, parse_quote};

use super::attr::{KEYS, PARAMETER};
use super::model::{Argument, ToolModel, ToolParameter};
use crate::attr::SerdeAttrs;
use crate::report::Report;
use crate::request::optional;
use crate::spelling::{at, peeled};

/// A default value and the key that gives the value.
#[derive(Clone)]
pub(crate) struct DefaultValue {
    key: Ident,
    value: Expr,
}

impl DefaultValue {
    pub(crate) fn read(key: &Ident, input: ParseStream<'_>) -> syn::Result<Self> {
        let wanted = "`default` takes a value of the parameter's type: write `default = 10`";
        if !input.peek(syn::Token![=]) {
            return Err(syn::Error::new(key.span(), wanted));
        }
        input.parse::<syn::Token![=]>()?;
        if input.is_empty() || input.peek(syn::Token![,]) {
            return Err(syn::Error::new(key.span(), wanted));
        }
        Ok(Self { key: key.clone(), value: input.parse()? })
    }
}

/// Takes `#[tool(..)]` off the parameters, and gives their fields the default of serde, which schemars writes into the
/// schema.
pub(super) fn take(
    tool: &Ident,
    inputs: &mut syn::punctuated::Punctuated<FnArg, syn::Token![,]>,
    report: &Report,
) -> Vec<Option<DefaultValue>> {
    let is_option = |attr: &mut Attribute| attr.path().is_ident("tool");
    let take = |input: &mut FnArg| {
        let attrs = match input {
            FnArg::Receiver(receiver) => &mut receiver.attrs,
            FnArg::Typed(typed) => &mut typed.attrs,
        };
        let taken: Vec<_> = attrs.extract_if(.., is_option).collect();
        let default = KEYS.read_helper("tool", PARAMETER, &taken, report).default?;
        if let FnArg::Typed(typed) = input
            && let syn::Pat::Ident(pat) = &*typed.pat
            && !matches!(peeled(&typed.ty), Type::Reference(_))
            && optional(&typed.ty).is_none()
        {
            if let Some(own) = SerdeAttrs::from_attributes(&typed.attrs).serde(&["default"]) {
                report.error(
                    own,
                    "this parameter has a default of `#[tool(default = …)]` already: leave one of them out",
                );
                return Some(default);
            }
            let path = format!("{tool}::{}", function_name(&pat.ident));
            typed.attrs.push(parse_quote!(#[serde(default = #path)]));
        }
        Some(default)
    };
    inputs.iter_mut().map(take).collect()
}

fn function_name(argument: &Ident) -> Ident {
    format_ident!("__agui_default_{}", argument.unraw())
}

pub(super) fn check(parameter: &ToolParameter, default: &DefaultValue, report: &Report) {
    check_writable(default, report);
    if matches!(parameter, ToolParameter::Dependency(_) | ToolParameter::Receiver(_)) {
        report.error(
            &default.key,
            "a parameter by reference comes from the agent, not from the model: leave `default` out",
        );
    }
}

/// Reports a default that JSON cannot write, where its tokens show it: serde_json writes `null` for such a number, which is
/// no number for a model or a client.
fn check_writable(default: &DefaultValue, report: &Report) {
    if let Some(number) = unwritable(default.value.to_token_stream()) {
        report.error_at(
            number,
            "JSON has no infinite number, and none that is not a number: take an `Option`, or write the largest number that makes sense",
        );
    }
}

/// Finds `f64::INFINITY` and the like, and a division by a literal zero of a float.
fn unwritable(tokens: TokenStream) -> Option<Span> {
    let mut before: [Option<TokenTree>; 3] = [const { None }; 3];
    for tree in tokens {
        let found = match &tree {
            TokenTree::Group(group) => unwritable(group.stream()),
            TokenTree::Ident(name) if ["INFINITY", "NEG_INFINITY", "NAN"].iter().any(|number| name == number) => {
                matches!(&before, [Some(TokenTree::Ident(float)), Some(TokenTree::Punct(_)), Some(TokenTree::Punct(_))]
                    if float == "f64" || float == "f32")
                .then(|| name.span())
            }
            TokenTree::Literal(zero) => {
                let text = zero.to_string().replace('_', "");
                let digits = text.trim_end_matches("f64").trim_end_matches("f32");
                let is_zero = digits.len() < text.len() || digits.contains('.');
                let is_zero = is_zero && digits.parse::<f64>() == Ok(0.0);
                let divides = matches!(&before[2], Some(TokenTree::Punct(sign)) if sign.as_char() == '/');
                (is_zero && divides).then(|| zero.span())
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => None,
        };
        if found.is_some() {
            return found;
        }
        before.rotate_left(1);
        before[2] = Some(tree);
    }
    None
}

/// Functions that return the defaults; empty for a tool without any.
pub(super) fn expand(tool: &ToolModel) -> TokenStream {
    let ident = &tool.function.sig.ident;
    let functions: Vec<_> = tool.arguments().filter_map(expand_one).collect();
    if functions.is_empty() {
        return TokenStream::new();
    }
    quote! {
        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic)]
        impl #ident {
            #(#functions)*
        }
    }
}

fn expand_one(argument: &Argument) -> Option<TokenStream> {
    let DefaultValue { value, .. } = argument.default.as_ref()?;
    let (name, ty) = (function_name(&argument.ident), &argument.ty);
    let value = match value {
        // A text is written as a literal, whatever type the parameter keeps it in.
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
            quote_spanned!(text.span()=> ::core::convert::From::from(#text))
        }
        value => quote!(#value),
    };
    Some(quote_spanned! {at(ty)=>
        #[doc(hidden)]
        fn #name() -> #ty {
            #value
        }
    })
}
