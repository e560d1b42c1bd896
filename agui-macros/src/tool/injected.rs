//! Runtime types that users try as tool parameters: types that a tool borrows, and types that a tool cannot have.

use syn::{PathArguments, Type, TypePath};

use crate::spelling::{peeled, spelled};

/// Message for a parameter type that a tool cannot take, by value or by reference.
pub(super) fn refused(ty: &Type) -> Option<&'static str> {
    match (name(ty)?.as_str(), has_arguments(ty)) {
        ("Run", true) => Some(
            "a tool has no run of its own, because it runs beside other tools: take `&Emit` to write events, \
             `&TypedEmit<Sizzle>` to send custom events, `&TypedEmit<(), Plan>` to show activities, `&StateHandle<S>` to \
             change the state, or the agent itself for its values, `&Chef`",
        ),
        ("Input", true) => Some(
            "a tool has no input, which belongs to the agent's function: take `&ToolCtx`, which knows the call, the \
             thread, the context and the messages",
        ),
        _ => None,
    }
}

/// Message for a by-value parameter whose type every agent provides by reference.
pub(super) fn by_value(ty: &Type) -> Option<String> {
    let named = (name(ty)?, has_arguments(ty));
    let is_injected = matches!(
        (named.0.as_str(), named.1),
        ("Emit" | "ToolCtx", false) | ("StateHandle" | "TypedEmit", true)
    );
    is_injected.then(|| {
        format!(
            "a parameter by value comes from the model, and this one comes from the run: write `&{}`",
            spelled(ty)
        )
    })
}

/// True for the types that write events into the run.
pub(super) fn sends_events(ty: &Type) -> bool {
    matches!((name(ty).as_deref(), has_arguments(ty)), (Some("Emit"), false) | (Some("TypedEmit"), true))
}

/// Message for a parameter taken by mutable reference.
pub(super) fn mutable(ty: &Type) -> String {
    let spelled = spelled(ty);
    if matches!(name(ty).as_deref(), Some("StateHandle" | "Emit" | "ToolCtx" | "TypedEmit")) {
        return format!(
            "this is shared by the calls of a run, and none of its methods needs `&mut`: take `&{spelled}`"
        );
    }
    format!(
        "the calls of a run share this value: if `{spelled}` is the state of the agent, take `&StateHandle<{spelled}>`, and change it with \
         `update`; otherwise take `&{spelled}`, and change it through a lock"
    )
}

fn last(ty: &Type) -> Option<&syn::PathSegment> {
    match peeled(ty) {
        Type::Path(TypePath { qself: None, path, .. }) => path.segments.last(),
        _ => None,
    }
}

fn name(ty: &Type) -> Option<String> {
    last(ty).map(|last| last.ident.to_string())
}

fn has_arguments(ty: &Type) -> bool {
    last(ty).is_some_and(|last| !matches!(last.arguments, PathArguments::None))
}
