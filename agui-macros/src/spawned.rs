//! Tasks that use a run: the compiler's own message names lifetimes, but no remedy.
//!
//! The body is searched as tokens. Only certain tasks are found: `spawn(async move { … run.say(…) … })`. All other programs are
//! left to the compiler.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use syn::{FnArg, Pat, Type};

use crate::function::{Body, Function};
use crate::report::Report;
use crate::spelling::{ends_in, peeled};

const SPAWNS: [&str; 3] = ["spawn", "spawn_blocking", "spawn_local"];

/// Reports tasks that use the run or `Emit` parameter at this index, then removes the body: the compiler would report the task
/// again.
pub(crate) fn check(function: &mut Function, parameter: usize, report: &Report) {
    let Some(FnArg::Typed(typed)) = function.sig.inputs.get(parameter) else { return };
    let (Pat::Ident(pat), Body::Block(body)) = (&*typed.pat, &function.body) else { return };
    let name = &pat.ident;
    let Some(spawn) = find(&body.stream(), name).filter(|_| !binds(&body.stream(), name)) else { return };
    report.error_at(
        spawn,
        format_args!(
            "a task may outlive the run, so it cannot use `{name}`: write `let mut tasks = {name}.tasks();`, then \
             `tasks.spawn(async move |emit: Emit| {{ … Ok(()) }});`, and wait with `tasks.join().await?`"
        ),
    );
    function.remove_body();
}

/// Reports such tasks in a tool that use the `&Emit` parameter.
pub(crate) fn check_tool(function: &mut Function, report: &Report) {
    let is_emit = |input: &FnArg| match input {
        FnArg::Typed(typed) => match peeled(&typed.ty) {
            Type::Reference(reference) => ends_in(&reference.elem, "Emit"),
            _ => false,
        },
        FnArg::Receiver(_) => false,
    };
    if let Some(emit) = function.sig.inputs.iter().position(is_emit) {
        check(function, emit, report);
    }
}

/// Finds the `spawn` whose task uses the name.
fn find(body: &TokenStream, name: &Ident) -> Option<Span> {
    let trees: Vec<TokenTree> = body.clone().into_iter().collect();
    for (i, tree) in trees.iter().enumerate() {
        if let TokenTree::Group(group) = tree {
            let is_method = i >= 2 && is_punct(trees.get(i - 2), '.');
            if let Some(TokenTree::Ident(spawn)) = i.checked_sub(1).and_then(|before| trees.get(before))
                && !is_method
                && SPAWNS.iter().any(|known| spawn == known)
                && tasks(&group.stream()).any(|task| uses(&task, name))
            {
                return Some(spawn.span());
            }
            if let Some(found) = find(&group.stream(), name) {
                return Some(found);
            }
        }
    }
    None
}

/// Bodies of async blocks and closures in the arguments.
fn tasks(arguments: &TokenStream) -> impl Iterator<Item = TokenStream> {
    let trees: Vec<TokenTree> = arguments.clone().into_iter().collect();
    let is_task = |i: usize| match i.checked_sub(1).and_then(|before| trees.get(before)) {
        Some(TokenTree::Ident(word)) => word == "async" || word == "move",
        before => is_punct(before, '|'),
    };
    let bodies = trees.iter().enumerate().filter_map(|(i, tree)| match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && is_task(i) => {
            Some(group.stream())
        }
        _ => None,
    });
    bodies.collect::<Vec<_>>().into_iter()
}

/// Returns true for `name.` as an expression.
fn uses(tokens: &TokenStream, name: &Ident) -> bool {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    trees.iter().enumerate().any(|(i, tree)| match tree {
        TokenTree::Ident(ident) => {
            let before = i.checked_sub(1).and_then(|before| trees.get(before));
            ident == name
                && is_punct(trees.get(i + 1), '.')
                && !is_punct(before, '.')
                && !is_punct(before, ':')
        }
        TokenTree::Group(group) => uses(&group.stream(), name),
        _ => false,
    })
}

/// Returns true if the name may mean another value somewhere: where it follows `let`, `mut` or `ref`, and as a parameter.
fn binds(tokens: &TokenStream, name: &Ident) -> bool {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    trees.iter().enumerate().any(|(i, tree)| match tree {
        TokenTree::Ident(ident) if ident == name => {
            let before = i.checked_sub(1).and_then(|before| trees.get(before));
            let is_declared = matches!(before, Some(TokenTree::Ident(word)) if ["let", "mut", "ref"].iter().any(|known| word == known));
            let is_borrowed = i >= 2 && is_punct(trees.get(i - 2), '&');
            let after = trees.get(i + 1);
            (is_declared && !is_borrowed)
                || is_punct(before, '|')
                || is_punct(after, '|')
                || is_punct(after, ':')
                || is_punct(after, '@')
        }
        TokenTree::Group(group) => binds(&group.stream(), name),
        _ => false,
    })
}

fn is_punct(tree: Option<&TokenTree>, letter: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == letter)
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[expect(clippy::needless_pass_by_value, reason = "one `quote!` after the other reads best")]
    fn found(body: TokenStream) -> bool {
        let run = Ident::new("run", Span::call_site());
        find(&body, &run).is_some() && !binds(&body, &run)
    }

    #[test]
    fn a_task_that_uses_the_run_is_found() {
        assert!(found(quote!(tokio::spawn(async move { run.say("a").await });)));
        assert!(found(quote!(if x {
            let task = spawn(async {
                for y in z {
                    run.step(y).await;
                }
            });
        })));
        assert!(found(quote!(std::thread::spawn(move || { block_on(run.say("a")) });)));
    }

    #[test]
    fn other_tasks_are_left_to_the_compiler() {
        assert!(!found(quote!(tasks.spawn(async move |emit: Emit| { run.say("a").await; Ok(()) });)));
        assert!(!found(quote!(tokio::spawn(log(run.agent().name.clone()));)));
        assert!(!found(
            quote!(tokio::spawn({ let name = run.agent().name.clone(); async move { log(name).await } });)
        ));
        assert!(!found(quote!(let run = other(); tokio::spawn(async move { run.say("a").await });)));
        assert!(!found(quote!(with(|run| { tokio::spawn(async move { run.go().await }); });)));
        assert!(!found(quote!(tokio::spawn(async move { engine.run.go().await });)));
        assert!(!found(quote!(tokio::spawn(async move { say("a").await }); run.say("b").await;)));
    }
}
