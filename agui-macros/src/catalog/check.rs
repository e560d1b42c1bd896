//! Rules for catalogs, one function each.

use std::collections::HashSet;

use proc_macro2::Span;

use super::model::CatalogModel;
use crate::report::Report;

pub(super) fn check(catalog: &CatalogModel<'_>, report: &Report) {
    check_generics(catalog, report);
    check_id(catalog, report);
    check_surface(catalog, report);
    check_twice(
        catalog.components.iter().map(|component| (component.name.as_str(), component.span)),
        "component",
        report,
    );
    check_twice(
        catalog.functions.iter().map(|function| (function.name.as_str(), function.span)),
        "function",
        report,
    );
}

fn check_generics(catalog: &CatalogModel<'_>, report: &Report) {
    if let Some(parameter) = catalog.generics.params.first() {
        report.error(
            parameter,
            "a catalog cannot be generic, because its id stands for one list of components: write one type for each catalog",
        );
    }
}

fn check_id(catalog: &CatalogModel<'_>, report: &Report) {
    match &catalog.id {
        None if catalog.has_id => {}
        None => report.error(
            catalog.ident,
            "a catalog needs the id by which pages know it: add `#[catalog(id = \"https://shop.example/catalog.json\")]`",
        ),
        Some(id) if id.value().trim().is_empty() => {
            report.error(id, "the id of a catalog cannot be empty: pages know the catalog by it, so write a URL of your own");
        }
        Some(_) => {}
    }
}

/// A2UI v1.0 reserves the name for the surface itself.
fn check_surface(catalog: &CatalogModel<'_>, report: &Report) {
    for component in catalog.components.iter().filter(|component| component.name == "Surface") {
        report.error_at(
            component.span,
            "a component cannot have the name `Surface`, which A2UI reserves: rename the type",
        );
    }
}

fn check_twice<'c>(names: impl Iterator<Item = (&'c str, Span)>, what: &str, report: &Report) {
    let mut seen = HashSet::new();
    for (name, span) in names {
        if !seen.insert(name) {
            report.error_at(
                span,
                format_args!(
                    "the catalog has a {what} `{name}` already: leave this one out, or rename its type"
                ),
            );
        }
    }
}
