//! Run calls whose types would mislead: a chat that is not awaited, and a chat whose text is taken from `.await`. The compiler
//! names the types on both sides, but no remedy.
//!
//! The body is searched as tokens. Only certain mistakes are found; all other programs are left to the compiler.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use syn::{FnArg, GenericArgument, Pat, PathArguments, ReturnType, Type};

use crate::function::{Body, Function};
use crate::report::Report;
use crate::spelling::peeled;

/// Chat methods that set an option and return the chat.
const SETTINGS: [&str; 19] = [
    "chat",
    "instructions",
    "max_turns",
    "max_calls",
    "max_bad_calls",
    "max_repeats",
    "max_tokens",
    "max_time",
    "max_depth",
    "max_reply",
    "history",
    "frontend_contract",
    "only_declared_tools",
    "tools",
    "shorten",
    "before_model",
    "after_model",
    "before_tool",
    "after_tool",
];

const NOT_AWAITED: &str =
    "a chat does nothing until it is awaited: add `.await`, or `.text().await` for the text of the model";
const NO_VALUE: &str = "a chat that is awaited returns no value: write `.text().await` for the text of the model, or \
                        `.output::<Plan>().await` for a value";

/// Reports misread chats in a function whose run is the parameter at this index, then removes the body: the compiler would report
/// them again.
pub(crate) fn check(function: &mut Function, parameter: usize, report: &Report) {
    let run = match function.sig.inputs.get(parameter) {
        Some(FnArg::Typed(typed)) => match &*typed.pat {
            Pat::Ident(pat) => pat.ident.clone(),
            _ => return,
        },
        _ => return,
    };
    let Body::Block(body) = &function.body else { return };
    let wants_value = returns_value(&function.sig.output);
    let found = chat(&body.stream(), &run, Some(wants_value));
    if let Some((place, message)) = found {
        report.error_at(place, message);
        function.remove_body();
    }
}

/// Returns true for `Result<T, ..>` where `T` is not `()`.
fn returns_value(output: &ReturnType) -> bool {
    let ReturnType::Type(_, ty) = output else { return false };
    let Type::Path(path) = peeled(ty) else { return false };
    let Some(last) = path.path.segments.last().filter(|last| last.ident == "Result") else { return false };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return false };
    match arguments.args.first() {
        Some(GenericArgument::Type(Type::Tuple(tuple))) => !tuple.elems.is_empty(),
        Some(GenericArgument::Type(_)) => true,
        _ => false,
    }
}

/// Statements in a block, each with true if `;` ends the statement.
fn statements(block: &TokenStream) -> Vec<(Vec<TokenTree>, bool)> {
    let mut statements = vec![(Vec::new(), false)];
    for tree in block.clone() {
        let Some((statement, ends)) = statements.last_mut() else { break };
        match &tree {
            TokenTree::Punct(mark) if mark.as_char() == ';' => {
                *ends = true;
                statements.push((Vec::new(), false));
            }
            _ => statement.push(tree),
        }
    }
    statements
}

/// Finds a misread chat. `function` is true for a function body that returns a value; `None` for other blocks.
fn chat(block: &TokenStream, run: &Ident, function: Option<bool>) -> Option<(Span, &'static str)> {
    for (statement, ends) in statements(block) {
        let (bound, value) = match statement.as_slice() {
            [TokenTree::Ident(keyword), rest @ ..] if keyword == "let" => match rest.iter().position(is('='))
            {
                Some(equals) => (named(rest.get(..equals)?), rest.get(equals + 1..)?),
                None => (false, &[] as &[TokenTree]),
            },
            all => (false, all),
        };
        if let Some(chain) = MethodChain::read(value, run) {
            let is_let = value.len() < statement.len();
            let is_tail = !ends && function.is_some();
            match chain.awaited {
                None if !is_let && (ends || is_tail) => return Some((chain.place, NOT_AWAITED)),
                Some((place, true)) if bound => return Some((place, NO_VALUE)),
                Some((place, false)) if is_tail && function == Some(true) => return Some((place, NO_VALUE)),
                _ => {}
            }
        }
        for tree in &statement {
            if let TokenTree::Group(group) = tree
                && let Some(found) = chat(&group.stream(), run, None)
            {
                return Some(found);
            }
        }
    }
    None
}

/// Returns true for a `let` pattern that names a value: `text`, or `mut text: String`.
fn named(pattern: &[TokenTree]) -> bool {
    let name = pattern.iter().find_map(|tree| match tree {
        TokenTree::Ident(name) if name != "mut" => Some(name.to_string()),
        _ => None,
    });
    let is_plain = pattern.first().is_some_and(|tree| matches!(tree, TokenTree::Ident(_)));
    is_plain && name.is_some_and(|name| !name.starts_with('_'))
}

/// `run.chat(..)` and the settings after, up to the statement's end.
struct MethodChain {
    /// Location where `chat` is written.
    place: Span,
    /// Location where `.await` is written, and true if `?` follows.
    awaited: Option<(Span, bool)>,
}

impl MethodChain {
    /// Reads all tokens; `None` if they are anything else.
    fn read(tokens: &[TokenTree], run: &Ident) -> Option<Self> {
        let [TokenTree::Ident(first), rest @ ..] = tokens else { return None };
        if first != run {
            return None;
        }
        let (mut rest, mut place) = (rest, None);
        loop {
            match rest {
                [TokenTree::Punct(dot), TokenTree::Ident(method), TokenTree::Group(arguments), tail @ ..]
                    if dot.as_char() == '.'
                        && arguments.delimiter() == Delimiter::Parenthesis
                        && SETTINGS.iter().any(|known| method == known)
                        && (place.is_some() || method == "chat") =>
                {
                    place.get_or_insert(method.span());
                    rest = tail;
                }
                [] => return Some(Self { place: place?, awaited: None }),
                [TokenTree::Punct(dot), TokenTree::Ident(word), tail @ ..]
                    if dot.as_char() == '.' && word == "await" =>
                {
                    let is_question = matches!(tail, [TokenTree::Punct(mark)] if mark.as_char() == '?');
                    return (is_question || tail.is_empty())
                        .then_some(Self { place: place?, awaited: Some((word.span(), is_question)) });
                }
                _ => return None,
            }
        }
    }
}

fn is(mark: char) -> impl Fn(&TokenTree) -> bool {
    move |tree| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == mark)
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[expect(clippy::needless_pass_by_value, reason = "one `quote!` after the other reads best")]
    fn found(body: TokenStream, wants_value: bool) -> Option<&'static str> {
        let run = Ident::new("run", Span::call_site());
        chat(&body, &run, Some(wants_value)).map(|(_, message)| message)
    }

    #[test]
    fn a_chat_that_is_misread_is_found() {
        assert_eq!(found(quote!(run.chat(model); Ok(())), false), Some(NOT_AWAITED));
        assert_eq!(found(quote!(run.chat(model).instructions("x")), false), Some(NOT_AWAITED));
        assert_eq!(found(quote!(if x { run.chat(model).max_turns(3); } Ok(())), false), Some(NOT_AWAITED));
        assert_eq!(found(quote!(let text = run.chat(model).await?; Ok(())), false), Some(NO_VALUE));
        assert_eq!(
            found(quote!(let mut text: String = run.chat(model).await?; Ok(text)), true),
            Some(NO_VALUE)
        );
        assert_eq!(found(quote!(run.chat(model).await), true), Some(NO_VALUE));
    }

    #[test]
    fn other_programs_are_left_to_the_compiler() {
        for body in [
            quote!(run.chat(model).await),
            quote!(run.chat(model).await?; Ok(())),
            quote!(let done = run.chat(model).await; Ok(done?)),
            quote!(let chat = run.chat(model); chat.await),
            quote!(let chat = if x { run.chat(a) } else { run.chat(b) }; chat.await),
            quote!(let _ = run.chat(model).await?; Ok(())),
            quote!(let text = run.chat(model).text().await?; Ok(())),
            quote!(let mut chat = run.chat(model); while let ChatStep::Turn = chat.step().await? {} Ok(())),
        ] {
            assert_eq!(found(body.clone(), false), None, "{body}");
        }
        assert_eq!(found(quote!(run.chat(model).text().await), true), None);
        assert_eq!(found(quote!(run.chat(model).await?; Ok(1)), true), None);
    }
}
