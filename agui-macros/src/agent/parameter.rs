//! The parameters after an agent's input: values that the agent holds, and values that come with each request.

use proc_macro2::Span;
use syn::{Attribute, FnArg, Pat, PatType, Path, Type, TypePath};

use super::model::{AgentParameter, ParameterSource};
use crate::report::Report;
use crate::request::{has_arguments, optional};
use crate::spelling::{borrowed, generic_of, impl_trait, peeled, spelled};

/// Reads a parameter and the `#[request]` attributes that stood on it.
pub(super) fn read_parameter(input: &FnArg, marks: &[Attribute], report: &Report) -> Option<AgentParameter> {
    if marks.is_empty() { read_dependency(input, report) } else { read_requested(input, marks, report) }
}

/// Reports `#[request]` on the run or the input.
pub(super) fn refuse_early<'a>(marks: impl Iterator<Item = &'a Vec<Attribute>>, report: &Report) {
    for mark in marks.flatten() {
        report.error(
            mark,
            "`#[request]` marks a value that comes with the request: put it on a parameter after the input",
        );
    }
}

pub(super) fn read_requested(input: &FnArg, marks: &[Attribute], report: &Report) -> Option<AgentParameter> {
    let FnArg::Typed(PatType { attrs, ty, .. }) = input else { return None };
    for mark in marks.iter().filter(|mark| has_arguments(mark)) {
        report.error(mark, "`#[request]` has no options: the type says which value is meant");
    }
    for again in marks.iter().skip(1) {
        report.error(again, "this parameter is marked already: leave the second `#[request]` out");
    }
    if let Some(attr) = attrs.first() {
        report.error(
            attr,
            "a value that comes with the request has no field of its own: leave this attribute out",
        );
    }
    let (reference, origin) = match (peeled(ty), optional(ty)) {
        (_, Some(reference)) => (reference, ParameterSource::RequestIfAny),
        (Type::Reference(reference), None) => (reference, ParameterSource::Request),
        (by_value, None) => {
            let fix = match generic_of(by_value, "Option") {
                Some(inner) => format!("Option<&{}>", spelled(inner)),
                None => format!("&{}", spelled(by_value)),
            };
            report.error(
                ty,
                format_args!(
                    "a run and its tools share a value that comes with the request, so they borrow it: write `{fix}`"
                ),
            );
            return None;
        }
    };
    if let Some(mutable) = &reference.mutability {
        report.error(mutable, "a run and its tools share a value that comes with the request: take `&`");
    }
    let elem = peeled(&reference.elem);
    if let Some(inner) = generic_of(elem, "Option") {
        report.error(
            ty,
            format_args!(
                "a value that a request may lack is an option of a reference: write `Option<&{}>`",
                spelled(inner)
            ),
        );
        return None;
    }
    if is_str(elem) {
        report.error(
            elem,
            "a value of the request is found by its type, and `str` is too general: write a type of its own, such as `&Customer`",
        );
        return None;
    }
    check_type(elem, REQUESTED, report).then(|| AgentParameter { ty: elem.clone(), origin })
}

fn read_dependency(input: &FnArg, report: &Report) -> Option<AgentParameter> {
    let FnArg::Typed(PatType { attrs, pat, ty, .. }) = input else { return None };
    if let Some(attr) = attrs.first() {
        report.error(attr, "an agent's dependency becomes a field of its type: leave this attribute out");
    }
    let Type::Reference(reference) = peeled(ty) else {
        report.error(
            ty,
            format_args!(
                "an agent lives longer than one run, so a run borrows what the agent depends on: write `&{}`",
                spelled(ty)
            ),
        );
        return None;
    };
    if let Some(mutable) = &reference.mutability {
        report.error(mutable, "the agent is shared by all its runs: take `&`, and change it through a lock");
    }
    let elem = peeled(&reference.elem);
    if is_str(elem) {
        report.error(elem, HELD.unsized_);
        return None;
    }
    if !check_type(elem, HELD, report) {
        return None;
    }
    match &**pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {
            Some(AgentParameter { ty: elem.clone(), origin: ParameterSource::Agent(pat.ident.clone()) })
        }
        other => {
            report.error(other, "an agent's dependency becomes a field of its type and needs a name");
            None
        }
    }
}

/// The words of the messages about a type that cannot be kept.
#[derive(Clone, Copy)]
struct ParameterWords {
    unsized_: &'static str,
    unnamed: &'static str,
    borrows: &'static str,
}

const HELD: ParameterWords = ParameterWords {
    unsized_: "an agent keeps what it depends on in a field, which must have a size: write `&Arc<dyn …>`, `&Vec<…>` or \
               `&String`",
    unnamed: "an agent's dependency is a field of its type: write the type out",
    borrows: "an agent owns what it depends on: use a type without a lifetime",
};

const REQUESTED: ParameterWords = ParameterWords {
    unsized_: "a value that comes with the request is found by its type, which must have a size: write `&Arc<dyn …>`, or a type of \
               its own",
    unnamed: "a value that comes with the request is found by its type: write the type out",
    borrows: "a value that comes with the request outlives the connection: use a type without a lifetime",
};

fn check_type(ty: &Type, words: ParameterWords, report: &Report) -> bool {
    let refuse = |span: Span, text: &str| {
        report.error_at(span, text);
        false
    };
    if matches!(ty, Type::TraitObject(_) | Type::Slice(_)) {
        report.error(ty, words.unsized_);
        return false;
    }
    if let Some(span) = impl_trait(ty) {
        return refuse(span, words.unnamed);
    }
    if let Some(span) = borrowed(ty) {
        return refuse(span, words.borrows);
    }
    true
}

fn is_str(ty: &Type) -> bool {
    matches!(ty, Type::Path(TypePath { qself: None, path, .. }) if Path::is_ident(path, "str"))
}
