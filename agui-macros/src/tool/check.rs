//! Tool rules, one function each.

use syn::{Type, TypeTraitObject};

use super::model::{Argument, Dependency, ToolHost, ToolModel, ToolParameter, ToolSide};
use super::{default, docs, injected, limit, predict, private, stream};
use crate::attr::check_as_string;
use crate::function::Body;
use crate::report::Report;
use crate::spelling::{borrowed, dyn_errors, has_bound, impl_trait, peeled, spelled};

/// Longest description that every model provider takes.
const LONGEST_DESCRIPTION: usize = 1024;

/// Tool by which a model gives a chat's typed result.
const FINAL_RESULT: &str = "final_result";

/// Name prefix that is reserved for the runtime.
const RESERVED_PREFIX: &str = "agui_";

/// Longest name that every model provider takes.
const LONGEST_NAME: usize = 64;

pub(crate) fn check(tool: &ToolModel, report: &Report) {
    check_name(tool, report);
    check_description(tool, report);
    check_body(tool, report);
    check_signature(tool, report);
    for request in &tool.requests {
        report.error(
            request,
            "a tool borrows what its agent has, whether the agent holds it or takes it from the request: leave `#[request]` \
             out, and write it on the agent's parameter",
        );
    }
    for parameter in &tool.parameters {
        check_parameter(tool, parameter, report);
    }
    for (parameter, given) in tool.parameters.iter().zip(&tool.defaults) {
        if let Some(given) = given {
            default::check(parameter, given, report);
        }
    }
    check_returns(tool, report);
    check_approval(tool, report);
    tool.facts.check(report);
    limit::check(tool, report);
    docs::check(tool, report);
    stream::check(tool, report);
    predict::check(tool, report);
    private::check(tool, report);
}

fn check_name(tool: &ToolModel, report: &Report) {
    let name = &tool.name;
    let mut letters = name.text.chars();
    let starts_well = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    let goes_on_well = letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-');
    if !starts_well || !goes_on_well {
        report.error_at(
            name.span,
            format_args!(
                "`{}` cannot be the name of a tool: model providers accept ASCII letters, digits, `_` and `-`, not \
                 beginning with a digit or `-`",
                name.text
            ),
        );
    } else if name.text == FINAL_RESULT || name.text.starts_with(RESERVED_PREFIX) {
        report.error_at(
            name.span,
            format_args!(
                "`{}` is reserved: the runtime has tools called `{FINAL_RESULT}` and `{RESERVED_PREFIX}…`; give another \
                 name, or one for the model with `#[tool(name = \"…\")]`",
                name.text
            ),
        );
    } else if name.text.len() > LONGEST_NAME {
        report.error_at(
            name.span,
            format_args!(
                "the name of a tool has at most {LONGEST_NAME} letters, this one has {}: give a shorter one with \
                 `#[tool(name = \"…\")]`",
                name.text.len()
            ),
        );
    }
}

fn check_description(tool: &ToolModel, report: &Report) {
    let description = &tool.description;
    let length = description.text.chars().count();
    if description.text.trim().is_empty() {
        report.error_at(
            description.span.unwrap_or(tool.function.name_span()),
            "a tool needs a description, from which the model learns when to call it: write a doc comment",
        );
    } else if length > LONGEST_DESCRIPTION {
        report.error_at(
            description.span.unwrap_or(tool.function.name_span()),
            format_args!(
                "the description of a tool has at most {LONGEST_DESCRIPTION} characters, this one has {length}: shorten \
                 it, or give the model its own with `#[tool(description = \"…\")]`"
            ),
        );
    }
}

fn check_body(tool: &ToolModel, report: &Report) {
    match (tool.side, &tool.function.body) {
        (ToolSide::Frontend, Body::Block(body)) => report.error(
            body,
            "a frontend tool runs in the user interface and has no body: write `;` instead, or leave out `frontend`",
        ),
        (ToolSide::Backend, Body::Missing(semi)) => report.error(
            semi,
            "a tool without a body runs nowhere: write the body, or `#[tool(frontend)]` when the user interface runs it",
        ),
        (ToolSide::Frontend, Body::Missing(_)) | (ToolSide::Backend, Body::Block(_)) => {}
    }
}

fn check_signature(tool: &ToolModel, report: &Report) {
    let sig = &tool.function.sig;
    let lifetimes_only =
        sig.generics.type_params().next().is_none() && sig.generics.const_params().next().is_none();
    if !lifetimes_only {
        report.error(
            &sig.generics.params,
            "a tool cannot be generic, because the model needs one schema: write the types out",
        );
    }
    if let Some(clause) = &sig.generics.where_clause {
        report.error(clause, "a tool cannot have a `where` clause: write the types out");
    }
    if let syn::Safety::Unsafe(token) = &sig.safety {
        report.error(token, "a tool cannot be `unsafe`: a model decides when it is called");
    }
    if let Some(abi) = &sig.abi {
        report.error(abi, "a tool is a Rust function: leave out `extern`");
    }
    if let Some(variadic) = &sig.variadic {
        report.error(variadic, "a tool has a fixed list of parameters: take a `Vec` instead");
    }
}

fn check_parameter(tool: &ToolModel, parameter: &ToolParameter, report: &Report) {
    match parameter {
        ToolParameter::Argument(argument) => check_argument(argument, report),
        ToolParameter::Dependency(dependency) => check_dependency(tool, dependency, report),
        ToolParameter::Receiver(receiver) => check_receiver(tool, receiver, report),
        ToolParameter::Pattern(typed) => report.error(
            &typed.pat,
            "a tool's parameter needs a name, because the model fills it in by name: take it whole and match on it inside",
        ),
    }
}

fn check_argument(argument: &Argument, report: &Report) {
    if let Some(cfg) = &argument.cfg {
        report
            .error(cfg, "a tool's parameter cannot depend on `cfg`: put the condition on the whole function");
    }
    if let Some(message) = injected::refused(&argument.ty) {
        report.error(&argument.ty, message);
    } else if let Some(message) = injected::by_value(&argument.ty) {
        report.error(&argument.ty, message);
    } else if let Some(span) = impl_trait(&argument.ty) {
        report.error_at(
            span,
            "a tool's parameter needs one type, because the model needs one schema: write it out",
        );
    } else if let Some(span) = borrowed(&argument.ty) {
        report.error_at(
            span,
            "the model fills in a parameter by value, so it must own its data: use a type without a lifetime",
        );
    }
    if !check_as_string(&argument.serde, &argument.ty, report) {
        return;
    }
    if let Some(key) = argument.serde.unseen_by_schemars().or(argument.serde.with_module()) {
        report.error(
            key,
            format_args!(
                "schemars does not see `{}`, so the model would learn another format: add `#[schemars(with = \"…\")]` \
                 with the type it is written as",
                key.name
            ),
        );
    }
}

fn check_dependency(tool: &ToolModel, dependency: &Dependency, report: &Report) {
    let reference = &dependency.reference;
    if let Some(message) = injected::refused(&reference.elem) {
        report.error(reference, message);
        return;
    }
    if tool.side == ToolSide::Frontend && !predict::is_written_to(tool, dependency) {
        report.error(
            reference,
            "a frontend tool has no agent to borrow from: pass the parameter by value, or leave it out",
        );
        return;
    }
    if let Some(mutable) = &reference.mutability {
        report.error(mutable, injected::mutable(&reference.elem));
        return;
    }
    if let Some(owned) = owned_form(dependency) {
        report.error(
            reference,
            format_args!(
                "a parameter by reference comes from the agent, not from the model: write `{owned}`"
            ),
        );
    } else if let Some(span) = impl_trait(&reference.elem) {
        report.error_at(span, "a parameter by reference is found by its type: write the type out");
    } else if let Type::TraitObject(object) = peeled(&reference.elem) {
        report.error(
            object,
            "a parameter by reference is found by its type, which must have a size: write `&Arc<dyn …>` or `&Box<dyn …>`",
        );
    } else if let Some(span) = borrowed(&reference.elem) {
        report.error_at(span, "the agent owns this value: use a type without a lifetime");
    }
    for attr in &dependency.misplaced {
        report.error(
            attr,
            "a parameter by reference comes from the agent and is never JSON: leave this attribute out",
        );
    }
}

/// Returns the owned form of a reference to an unsized value, which an agent cannot hold.
pub(crate) fn owned_form(dependency: &Dependency) -> Option<String> {
    let owned = match peeled(&dependency.reference.elem) {
        Type::Slice(slice) => format!("Vec<{}>", spelled(&slice.elem)),
        Type::Path(path) => match path.path.segments.last()?.ident.to_string().as_str() {
            "str" => "String".to_owned(),
            "Path" => "PathBuf".to_owned(),
            _ => return None,
        },
        _ => return None,
    };
    Some(if dependency.is_optional { format!("Option<{owned}>") } else { owned })
}

fn check_receiver(tool: &ToolModel, receiver: &syn::Receiver, report: &Report) {
    match &tool.host {
        ToolHost::Any => report.error(
            receiver,
            "a method is a tool only inside an impl block with `#[agent]` on it: put `#[agent(…)]` on the block, or \
             write a free function",
        ),
        ToolHost::Agent(_) if tool.side != ToolSide::Backend => {
            report.error(receiver, "a frontend tool has no agent to borrow from: leave out `self`");
        }
        ToolHost::Agent(_) => {
            let shared = matches!(&receiver.kind, syn::ReceiverKind::Reference(_, _, None));
            if !shared {
                report.error(receiver, "the agent is shared by all its runs: write `&self`");
            }
        }
    }
}

fn check_returns(tool: &ToolModel, report: &Report) {
    if let Some(span) = impl_trait(&tool.returns) {
        report.error_at(
            span,
            "the return type of a tool must be one type, because its clients need one: write it out, or `impl Stream<Item = \
             T>` for items that come one by one",
        );
    } else if let Some(span) = borrowed(&tool.returns) {
        report
            .error_at(span, "the return value of a tool outlives the call: return a type without a lifetime");
    } else if let Some(error) = error_that_cannot_move(&tool.returns) {
        report.error(
            error,
            "a tool may run on any thread, and this error cannot move to another: write `Box<dyn Error + Send + Sync>`",
        );
    }
}

/// The `dyn Error` without `Send` in a type.
pub(super) fn error_that_cannot_move(ty: &Type) -> Option<TypeTraitObject> {
    dyn_errors(ty).into_iter().find(|error| !has_bound(error, "Send"))
}

fn check_approval(tool: &ToolModel, report: &Report) {
    if let (Some(approval), ToolSide::Frontend) = (&tool.approval, tool.side) {
        report.error(
            &approval.key,
            "`approval` and `frontend` exclude each other: the user interface asks before it runs its own tools; leave one \
             of them out",
        );
    }
    if let Some(policy) = tool.approval.as_ref().and_then(|approval| approval.policy.as_ref()) {
        policy.check(tool, report);
    }
}
