//! `#[tool(approval = policy)]`: the function or closure that decides if a call needs approval.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprClosure, Ident, Pat, Path, Token, parse_quote};

use super::model::{Dependency, ToolModel};
use crate::krate::PrivatePath;
use crate::report::Report;
use crate::spelling::same;

/// A policy as written.
#[derive(Clone)]
pub(crate) enum ApprovalPolicy {
    /// A function: parameters after the arguments are found by type.
    Function(Path),
    /// A closure: parameters after the arguments are found by name.
    Closure(ExprClosure),
}

impl ApprovalPolicy {
    pub(super) fn read(key: &Ident, input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Token![=]>()?;
        match input.parse::<Expr>() {
            Ok(Expr::Closure(closure)) => Ok(Self::Closure(closure)),
            Ok(Expr::Path(path)) if path.qself.is_none() && path.attrs.is_empty() => {
                Ok(Self::Function(path.path))
            }
            Ok(other) => Err(syn::Error::new_spanned(other, NO_POLICY)),
            Err(_) => Err(syn::Error::new(key.span(), NO_POLICY)),
        }
    }

    pub(super) fn check(&self, tool: &ToolModel, report: &Report) {
        let Self::Closure(closure) = self else { return };
        if closure.inputs.is_empty() {
            report.error(
                closure,
                "a policy takes the arguments of the call first: write `|arguments| …`, or `|_| true`",
            );
        }
        for parameter in closure.inputs.iter().skip(1) {
            if found(tool, parameter).is_none() {
                let names: Vec<_> =
                    tool.dependencies().filter_map(|borrowed| borrowed.name.as_ref()).collect();
                let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
                let borrowed = match names.as_slice() {
                    [] => "it borrows nothing".to_owned(),
                    names => format!("it borrows {}", names.join(", ")),
                };
                report.error(
                    parameter,
                    format_args!(
                        "behind the arguments, a policy takes parameters that the tool borrows, by their names, and {borrowed}: \
                         add the parameter to the tool, or leave it out here"
                    ),
                );
            }
        }
    }

    /// The decision about a call, whose arguments and scope are in variables of these names.
    pub(super) fn expand(
        &self,
        tool: &ToolModel,
        injected: impl Fn(&Dependency) -> TokenStream,
        private: &PrivatePath,
    ) -> TokenStream {
        match self {
            Self::Function(path) => {
                quote_spanned!(path.span()=> #private::policy_decision::<_, Self, _>(#path, arguments, scope))
            }
            Self::Closure(closure) => {
                let is_async = closure.asyncness.is_some() || matches!(&*closure.body, Expr::Async(_));
                let used: Vec<_> =
                    closure.inputs.iter().skip(1).filter_map(|parameter| found(tool, parameter)).collect();
                let values = used.iter().map(|dependency| injected(dependency));
                let closure = typed(closure, tool, &used);
                let call = quote!((#closure)(arguments #(, #values)*));
                if is_async {
                    quote!(#private::policy_decision_later(async move { #call.await }))
                } else {
                    quote!(#private::PolicyDecision::Now(#call))
                }
            }
        }
    }
}

const NO_POLICY: &str = "a policy is the path of a function, or a closure: write `approval = is_large`, or \
                         `approval = |arguments| arguments.cents > 500`; both may be async";

/// The tool parameter behind a closure parameter.
fn found<'t>(tool: &'t ToolModel, parameter: &Pat) -> Option<&'t Dependency> {
    let (name, ty) = match parameter {
        Pat::Ident(name) => (Some(&name.ident), None),
        Pat::Type(typed) => match &*typed.pat {
            Pat::Ident(name) => (Some(&name.ident), Some(&*typed.ty)),
            _ => (None, Some(&*typed.ty)),
        },
        _ => return None,
    };
    let by_name = tool.dependencies().find(|borrowed| name.is_some() && borrowed.name.as_ref() == name);
    by_name.or_else(|| {
        let reference = |ty: &syn::Type| match ty {
            syn::Type::Reference(reference) => Some((*reference.elem).clone()),
            _ => crate::request::optional(ty).map(|reference| (*reference.elem).clone()),
        };
        let wanted = reference(ty?)?;
        tool.dependencies().find(|borrowed| same(&borrowed.reference.elem, &wanted))
    })
}

/// The closure with parameter types, which the compiler does not infer for a closure that is called at once.
fn typed(closure: &ExprClosure, tool: &ToolModel, used: &[&Dependency]) -> ExprClosure {
    let arguments = &tool.function.sig.ident;
    let mut closure = closure.clone();
    let borrowed = used.iter().map(|dependency| {
        let ty = &dependency.reference.elem;
        if dependency.is_optional { quote!(::core::option::Option<&#ty>) } else { quote!(&#ty) }
    });
    let types = std::iter::once(quote!(&#arguments)).chain(borrowed);
    for (parameter, ty) in closure.inputs.iter_mut().zip(types) {
        if !matches!(parameter, Pat::Type(_)) {
            *parameter = Pat::Type(parse_quote!(#parameter: #ty));
        }
    }
    closure
}
