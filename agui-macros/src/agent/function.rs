//! An agent function's signature: the agent's type, and the parameters after the input.

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{
    Attribute, FnArg, Ident, PatType, Path, Receiver, ReceiverKind, ReturnType, Type, TypePath, TypeReference,
};

use super::model::AgentParameter;
use super::parameter::{read_parameter, read_requested, refuse_early};
use crate::case::pascal;
use crate::function::{Body, Function};
use crate::report::Report;
use crate::request;
use crate::spelling::{first_generic_of, generic_of, parts, peeled, same, spelled};

pub(super) struct Signature {
    pub(super) agent: Ident,
    pub(super) parameters: Vec<AgentParameter>,
}

pub(super) const METHOD_HELP: &str =
    "help: `async fn run(&self, run: &mut Run<Self>, input: Input<Self>) -> Result<(), Stop>`";

pub(super) const METHOD_HELP_STRICT: &str = "help: `async fn run<'r>(&self, run: &'r mut Run<Self>, input: \
                                             Input<Self>) -> Result<Finished<'r, ()>, Stop>`";

/// Reads an agent function's signature as far as possible, and reports the rest.
pub(super) fn read_function(function: &mut Function, is_strict: bool, report: &Report) -> Signature {
    let requests = take_requests(function);
    let guessed = guess(&function.sig.ident);
    let usage = usage(function, &guessed, is_strict);
    check_modifiers(function, is_strict, &usage, report);
    refuse_early(requests.iter().take(2), report);
    let mut inputs = function.sig.inputs.iter();
    let agent = match inputs.next().map(run_of) {
        Some(Ok(agent)) => agent_ident(agent, report).unwrap_or(guessed),
        Some(Err(place)) => {
            report.error(place, format_args!("an agent's first parameter is its run\n{usage}"));
            guessed
        }
        None => {
            report.error(&function.sig.ident, format_args!("an agent takes its run and its input\n{usage}"));
            return Signature { agent: guessed, parameters: Vec::new() };
        }
    };
    match inputs.next() {
        Some(input) => check_input(input, &agent, &usage, report),
        None => {
            report
                .error(&function.sig.ident, format_args!("an agent takes its input after its run\n{usage}"));
        }
    }
    let behind = inputs.zip(requests.iter().skip(2));
    let parameters = behind.filter_map(|(input, marks)| read_parameter(input, marks, report)).collect();
    Signature { agent, parameters }
}

/// Reads the signature for a method `run`, whose agent is the block's type.
pub(super) fn read_method(
    function: &mut Function,
    self_ty: &Type,
    is_strict: bool,
    report: &Report,
) -> Vec<AgentParameter> {
    let usage = if is_strict { METHOD_HELP_STRICT } else { METHOD_HELP };
    let requests = take_requests(function);
    check_modifiers(function, is_strict, usage, report);
    let has_receiver = matches!(function.sig.inputs.first(), Some(FnArg::Receiver(_)));
    let before = if has_receiver { 3 } else { 2 };
    refuse_early(requests.iter().take(before), report);
    let mut inputs = function.sig.inputs.iter().peekable();
    let is_agent = |ty: &Type| is_self(ty) || same(ty, self_ty);
    match inputs.next_if(|input| matches!(input, FnArg::Receiver(_))) {
        Some(receiver) => {
            let shared = matches!(
                receiver,
                FnArg::Receiver(Receiver { kind: ReceiverKind::Reference(_, _, None), .. })
            );
            if !shared {
                report.error(receiver, "the agent is shared by all its runs: write `&self`");
            }
        }
        None => report.error(
            function.sig.inputs.first().map_or(&function.sig.ident as &dyn ToTokens, |first| first),
            format_args!("an agent's `run` begins with `&self`\n{usage}"),
        ),
    }
    match inputs.next().map(run_of) {
        Some(Ok(agent)) if is_agent(agent) => {}
        Some(Ok(agent)) => report.error(agent, "this is the run of another agent: write `Run<Self>`"),
        Some(Err(place)) => report.error(place, format_args!("the run comes after `&self`\n{usage}")),
        None => {
            report.error(&function.sig.ident, format_args!("an agent takes its run and its input\n{usage}"));
            return Vec::new();
        }
    }
    match inputs.next() {
        Some(FnArg::Typed(typed)) if generic_of(&typed.ty, "Input").is_some_and(is_agent) => {}
        Some(FnArg::Typed(typed)) => match generic_of(&typed.ty, "Input") {
            Some(agent) => report.error(agent, "this is the input of another agent: write `Input<Self>`"),
            None => report.error(&typed.ty, format_args!("the input comes after the run\n{usage}")),
        },
        Some(FnArg::Receiver(receiver)) => report.error(receiver, usage),
        None => {
            report
                .error(&function.sig.ident, format_args!("an agent takes its input after its run\n{usage}"));
        }
    }
    let mut parameters = Vec::new();
    for (extra, marks) in inputs.zip(requests.iter().skip(before)) {
        if marks.is_empty() {
            report.error(
                extra,
                "after the input, `run` takes only values that come with the request, `#[request] who: &Customer`: put a value of the agent \
                 into a field of `self`",
            );
        } else {
            parameters.extend(read_requested(extra, marks, report));
        }
    }
    parameters
}

/// Takes the `#[request]` attributes off each parameter: the compiler does not know them.
fn take_requests(function: &mut Function) -> Vec<Vec<Attribute>> {
    function.sig.inputs.iter_mut().map(request::take).collect()
}

/// The usual name of the agent: the function's name as a type. For messages, and for the code that remains after a
/// mistake.
fn guess(function: &Ident) -> Ident {
    syn::parse_str(&pascal(&function.unraw().to_string())).unwrap_or_else(|_| function.clone())
}

fn usage(function: &Function, agent: &Ident, is_strict: bool) -> String {
    let name = &function.sig.ident;
    if is_strict {
        format!(
            "help: `async fn {name}<'r>(run: &'r mut Run<{agent}>, input: Input<{agent}>) -> Result<Finished<'r, ()>, \
             Stop>`"
        )
    } else {
        format!("help: `async fn {name}(run: &mut Run<{agent}>, input: Input<{agent}>) -> Result<(), Stop>`")
    }
}

fn check_modifiers(function: &Function, is_strict: bool, usage: &str, report: &Report) {
    let sig = &function.sig;
    if sig.asyncness.is_none() {
        report.error(sig.fn_token, format_args!("an agent is asynchronous: write `async fn`\n{usage}"));
    }
    if let syn::Safety::Unsafe(token) = &sig.safety {
        report.error(token, "an agent cannot be `unsafe`: anyone on the network may call it");
    }
    if let Some(abi) = &sig.abi {
        report.error(abi, "an agent is a Rust function: leave out `extern`");
    }
    if let Body::Missing(semi) = &function.body {
        report.error(semi, "an agent needs a body");
    }
    let lifetimes_only =
        sig.generics.type_params().next().is_none() && sig.generics.const_params().next().is_none();
    if !lifetimes_only || (!is_strict && !sig.generics.params.is_empty()) {
        report.error(
            &sig.generics.params,
            "an agent cannot be generic, because its clients are made from one type: borrow an `Arc<dyn …>` for what differs",
        );
    }
    if let Some(clause) = &sig.generics.where_clause {
        report.error(clause, "an agent cannot have a `where` clause: write the types out");
    }
    match &sig.output {
        ReturnType::Default => {
            report.error(
                &sig.ident,
                format_args!("an agent says how its run ends: return a `Result`\n{usage}"),
            );
        }
        ReturnType::Type(_, ty) => check_output(ty, is_strict, usage, report),
    }
}

/// Reports return types that are certainly wrong, which the compiler would report twice.
fn check_output(ty: &Type, is_strict: bool, usage: &str, report: &Report) {
    if is_plain(ty) {
        report.error(
            ty,
            format_args!("an agent says how its run ends: return `Result<{}, Stop>`\n{usage}", spelled(ty)),
        );
    } else if let Some(value) = is_strict.then(|| first_generic_of(ty, "Result")).flatten()
        && is_plain(value)
    {
        report.error(
            value,
            format_args!(
                "an agent with `strict` ends its run itself: return `FinishedRun<'r, {}>`, made by `run.finish(value)`, or leave \
                 out `strict`\n{usage}",
                spelled(value)
            ),
        );
    }
}

/// Returns true for standard library types other than `Result`.
fn is_plain(ty: &Type) -> bool {
    match peeled(ty) {
        Type::Tuple(_) | Type::Array(_) => true,
        ty => parts(ty).is_empty(),
    }
}

/// The agent in `&mut Run<Agent>`, or what to underline instead.
fn run_of(input: &FnArg) -> Result<&Type, &dyn ToTokens> {
    let typed = match input {
        FnArg::Receiver(receiver) => return Err(receiver),
        FnArg::Typed(typed) => typed,
    };
    match peeled(&typed.ty) {
        Type::Reference(TypeReference { mutability: Some(_), elem, .. }) => {
            generic_of(elem, "Run").ok_or(&typed.ty as &dyn ToTokens)
        }
        _ => Err(&typed.ty),
    }
}

fn agent_ident(agent: &Type, report: &Report) -> Option<Ident> {
    if let Type::Path(TypePath { qself: None, path, .. }) = agent
        && let Some(ident) = path.get_ident()
    {
        return Some(ident.clone());
    }
    report.error(agent, "the agent's type is made here: write its new name, as in `Run<Chef>`");
    None
}

fn check_input(input: &FnArg, agent: &Ident, usage: &str, report: &Report) {
    let FnArg::Typed(PatType { ty, .. }) = input else { return };
    match generic_of(ty, "Input") {
        Some(Type::Path(TypePath { qself: None, path, .. })) if path.is_ident(agent) => {}
        Some(other) => {
            report.error(other, format_args!("run and input are of the same agent: write `Input<{agent}>`"));
        }
        None => report.error(ty, format_args!("an agent's second parameter is its input\n{usage}")),
    }
}

fn is_self(ty: &Type) -> bool {
    matches!(ty, Type::Path(TypePath { qself: None, path, .. }) if Path::is_ident(path, "Self"))
}
