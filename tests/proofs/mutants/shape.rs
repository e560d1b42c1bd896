//! The kinds of expressions, as far as one can see without types.

use quote::format_ident;
use syn::{Arm, BinOp, Expr, Pat, UnOp};

use super::names::callee;

/// The arguments of `matches!`.
pub struct Matches {
    pub value: Expr,
    pub pat: Pat,
}

impl syn::parse::Parse for Matches {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        let value = input.parse()?;
        input.parse::<syn::Token![,]>()?;
        let pat = Pat::parse_multi_with_leading_vert(input)?;
        input.parse::<Option<syn::Token![,]>>()?;
        Ok(Self { value, pat })
    }
}

/// Returns true if an expression is of type `bool`, as far as one can see without types.
pub fn is_question(expr: &Expr) -> bool {
    match expr {
        Expr::Binary(both) => matches!(
            both.op,
            BinOp::And(_)
                | BinOp::Or(_)
                | BinOp::Eq(_)
                | BinOp::Ne(_)
                | BinOp::Lt(_)
                | BinOp::Le(_)
                | BinOp::Gt(_)
                | BinOp::Ge(_)
        ),
        Expr::Unary(not) => matches!(not.op, UnOp::Not(_)),
        Expr::Macro(written) => written.mac.path.is_ident("matches"),
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            name.starts_with("is_")
                || name.starts_with("has_")
                || name.starts_with("contains")
                || name == "any"
        }
        _ => false,
    }
}

/// The name of a condition.
pub fn describe(expr: &Expr) -> String {
    match expr {
        Expr::MethodCall(call) => format!("`{}`", call.method),
        Expr::Call(call) => format!("`{}`", callee(&call.func)),
        Expr::Binary(both) => {
            let op = &both.op;
            format!("`{}`", quote::quote!(#op))
        }
        Expr::Macro(_) => "`matches!`".to_owned(),
        Expr::Path(path) => {
            format!("`{}`", path.path.segments.last().map_or(format_ident!("_"), |last| last.ident.clone()))
        }
        Expr::Field(field) => match &field.member {
            syn::Member::Named(name) => format!("`{name}`"),
            syn::Member::Unnamed(index) => format!("`{}`", index.index),
        },
        Expr::Match(_) => "`match`".to_owned(),
        _ => "so".to_owned(),
    }
}

/// The name of a statement's effect, if the statement can be left out.
pub fn effect(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Call(call) => Some(format!("`{}`", callee(&call.func))),
        Expr::MethodCall(call) => Some(format!("`{}`", call.method)),
        Expr::Try(_) => Some("`?`".to_owned()),
        Expr::Assign(assign) => Some(match &*assign.left {
            Expr::Field(field) => match &field.member {
                syn::Member::Named(name) => format!("`{name} =`"),
                syn::Member::Unnamed(index) => format!("`{} =`", index.index),
            },
            _ => "`=`".to_owned(),
        }),
        Expr::Binary(both) => {
            let op = &both.op;
            let op = quote::quote!(#op).to_string();
            (op.len() > 1 && op.ends_with('=') && !["==", "!=", "<=", ">="].contains(&op.as_str()))
                .then(|| format!("`{op}`"))
        }
        _ => None,
    }
}

/// Arms of several patterns and one `bool`, as an arm for each pattern: each alternative can be wrong.
pub fn split_alternatives(arms: &mut Vec<Arm>) {
    let split = std::mem::take(arms).into_iter().flat_map(|arm| match (&arm.pat, &*arm.body) {
        (Pat::Or(or), Expr::Lit(literal)) if matches!(literal.lit, syn::Lit::Bool(_)) => {
            or.cases.iter().map(|case| Arm { pat: case.clone(), ..arm.clone() }).collect()
        }
        _ => vec![arm],
    });
    *arms = split.map(|arm| Arm { comma: Some(Default::default()), ..arm }).collect();
}

/// Leaves a method out of a chain. Returns true if it was there.
pub fn leave_out(expr: &mut Expr, link: &str) -> bool {
    let Expr::MethodCall(call) = expr else { return false };
    if call.method == link {
        *expr = (*call.receiver).clone();
        return true;
    }
    leave_out(&mut call.receiver, link)
}
