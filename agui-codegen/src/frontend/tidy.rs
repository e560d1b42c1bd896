//! Cleans typify's output: drops unneeded conversions, restores the schema's member order, and keeps the frontend's
//! descriptions as docs.

use std::collections::BTreeMap;

use proc_macro2::Span;
use quote::ToTokens as _;
use serde_json::Value;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, ExprLit, Fields, Item, Lit, LitStr, Meta, Token, Type, parse_quote};

use super::attributes::SerdeAttributes;
use super::draft07::Draft07Document;

/// Tidies all items.
pub(super) fn tidy(file: &mut syn::File, document: &Draft07Document) {
    drop_conversions(file);
    let mut orders = PropertyOrders::default();
    document.definitions.values().for_each(|schema| orders.collect(schema));
    PathShortener::from_file(file).visit_file_mut(file);
    for item in &mut file.items {
        match item {
            Item::Struct(strukt) => {
                tidy_docs(&mut strukt.attrs);
                describe(&mut strukt.attrs);
                tidy_fields(&mut strukt.fields, &orders);
            }
            Item::Enum(choice) => {
                tidy_docs(&mut choice.attrs);
                describe(&mut choice.attrs);
                for variant in &mut choice.variants {
                    tidy_docs(&mut variant.attrs);
                    tidy_fields(&mut variant.fields, &orders);
                }
            }
            // The tool calls these functions from outside the module.
            Item::Mod(module) => {
                for item in module.content.iter_mut().flat_map(|(_, items)| items) {
                    if let Item::Fn(function) = item {
                        function.vis = parse_quote!(pub);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Makes a type derive `JsonSchema`. typify's own option writes some impls by hand, for an old schemars version.
fn describe(attrs: &mut Vec<Attribute>) {
    for attr in attrs.iter_mut().filter(|attr| attr.path().is_ident("derive")) {
        let Ok(mut paths) = attr.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated) else {
            continue;
        };
        paths.push(parse_quote!(::schemars::JsonSchema));
        // serde's derives come last, as usual.
        let mut paths: Vec<syn::Path> = paths.into_iter().collect();
        paths.sort_by_key(|path| path.leading_colon.is_some());
        *attr = parse_quote!(#[derive(#(#paths),*)]);
        return;
    }
    attrs.push(parse_quote!(#[derive(::schemars::JsonSchema)]));
}

/// Returns true if a type derives `name`.
pub(super) fn derives(attrs: &[Attribute], name: &str) -> bool {
    attrs.iter().filter(|attr| attr.path().is_ident("derive")).any(|attr| {
        let paths = attr.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated);
        paths.is_ok_and(|paths| {
            paths.iter().any(|path| path.segments.last().is_some_and(|last| last.ident == name))
        })
    })
}

/// Drops string conversions that serde does not need.
fn drop_conversions(file: &mut syn::File) {
    let derived: Vec<String> = file
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Struct(strukt) if derives(&strukt.attrs, "Deserialize") => Some(strukt.ident.to_string()),
            Item::Enum(choice) if derives(&choice.attrs, "Deserialize") => Some(choice.ident.to_string()),
            _ => None,
        })
        .collect();
    let is_conversion = |item: &Item| {
        let Item::Impl(block) = item else { return false };
        let Type::Path(of) = &*block.self_ty else { return false };
        let named = |name: &str| {
            block
                .trait_
                .as_ref()
                .is_some_and(|(path, _)| path.segments.last().is_some_and(|last| last.ident == name))
        };
        ["Display", "FromStr", "TryFrom"].into_iter().any(named)
            && of.path.get_ident().is_some_and(|ident| derived.contains(&ident.to_string()))
    };
    let kept: Vec<Item> = file.items.iter().filter(|item| !is_conversion(item)).cloned().collect();
    let says = |items: &[Item], words: &[&str]| {
        items.iter().any(|item| {
            let text = item.to_token_stream().to_string();
            words.iter().any(|word| text.contains(word))
        })
    };
    let uses: Vec<Item> = kept.iter().filter(|item| !is_error(item)).cloned().collect();
    if !says(&uses, &["parse", "try_from", "from_str", "to_string"]) {
        file.items = kept;
    }
    let uses: Vec<Item> = file.items.iter().filter(|item| !is_error(item)).cloned().collect();
    if !says(&uses, &["ConversionError"]) {
        file.items = uses;
    }
}

fn is_error(item: &Item) -> bool {
    matches!(item, Item::Mod(module) if module.ident == "error")
}

/// Shortens paths to prelude names, if no type has such a name.
struct PathShortener(Vec<&'static str>);

impl PathShortener {
    fn from_file(file: &syn::File) -> Self {
        let own = |name: &&str| {
            file.items.iter().any(|item| match item {
                Item::Struct(strukt) => strukt.ident == name,
                Item::Enum(choice) => choice.ident == name,
                _ => false,
            })
        };
        Self(["Box", "Option", "String", "Vec"].into_iter().filter(|name| !own(name)).collect())
    }
}

impl VisitMut for PathShortener {
    fn visit_type_path_mut(&mut self, path: &mut syn::TypePath) {
        visit_mut::visit_type_path_mut(self, path);
        let path = &mut path.path;
        let is_std =
            path.segments.len() == 3 && path.segments.first().is_some_and(|first| first.ident == "std");
        if let Some(last) =
            path.segments.last().filter(|last| is_std && self.0.iter().any(|name| last.ident == name))
        {
            path.segments = Punctuated::from_iter([last.clone()]);
            path.leading_colon = None;
        }
    }

    fn visit_attribute_mut(&mut self, attr: &mut Attribute) {
        let Meta::List(list) = &mut attr.meta else { return };
        if !list.path.is_ident("serde") {
            return;
        }
        let options = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
        let Ok(mut options) = options else { return };
        for option in &mut options {
            if let Meta::NameValue(pair) = option
                && pair.path.is_ident("skip_serializing_if")
                && let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &mut pair.value
            {
                let mut path = text.value().replace(' ', "");
                for name in &self.0 {
                    if let Some(rest) = path
                        .strip_prefix("::std::")
                        .and_then(|path| path.split_once("::")?.1.strip_prefix(name))
                    {
                        path = format!("{name}{rest}");
                    }
                }
                *text = LitStr::new(&path, text.span());
            }
        }
        list.tokens = options.to_token_stream();
    }
}

/// Each object's property order in a document, keyed by the sorted property names.
#[derive(Default)]
struct PropertyOrders(BTreeMap<Vec<String>, Vec<String>>);

impl PropertyOrders {
    fn collect(&mut self, schema: &Value) {
        match schema {
            Value::Object(members) => {
                if let Some(Value::Object(properties)) = members.get("properties") {
                    let order: Vec<String> = properties.keys().cloned().collect();
                    let mut sorted = order.clone();
                    sorted.sort();
                    self.0.entry(sorted).or_insert(order);
                }
                members.values().for_each(|schema| self.collect(schema));
            }
            Value::Array(schemas) => schemas.iter().for_each(|schema| self.collect(schema)),
            _ => {}
        }
    }
}

fn tidy_fields(fields: &mut Fields, orders: &PropertyOrders) {
    fields.iter_mut().for_each(|field| tidy_docs(&mut field.attrs));
    let Fields::Named(named) = fields else { return };
    let wire =
        |field: &syn::Field| SerdeAttributes::from_attributes(&field.attrs).wire_name(field.ident.as_ref());
    let is_poured = |field: &syn::Field| SerdeAttributes::from_attributes(&field.attrs).has("flatten");
    let mut sorted: Vec<String> = named.named.iter().filter(|field| !is_poured(field)).map(wire).collect();
    sorted.sort();
    // An enum's tag is not a field.
    let order = orders.0.get(&sorted).or_else(|| {
        let more = |(names, _): &(&Vec<String>, &Vec<String>)| {
            names.len() == sorted.len() + 1 && sorted.iter().all(|name| names.contains(name))
        };
        orders.0.iter().find(more).map(|(_, order)| order)
    });
    let Some(order) = order else { return };
    let place =
        |field: &syn::Field| order.iter().position(|name| *name == wire(field)).unwrap_or(order.len());
    let mut all: Vec<syn::Field> = named.named.iter().cloned().collect();
    all.sort_by_key(place);
    named.named = all.into_iter().collect();
}

/// Keeps the frontend's description for a type or field, without the schema that typify repeats.
fn tidy_docs(attrs: &mut Vec<Attribute>) {
    let lines: Vec<String> = attrs.iter().filter_map(doc).collect();
    attrs.retain(|attr| !attr.path().is_ident("doc"));
    let text = lines.join("\n");
    let text = text.split("<details><summary>JSON schema").next().unwrap_or_default().trim();
    let is_a_name = text
        .strip_prefix('`')
        .and_then(|text| text.strip_suffix('`'))
        .is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'));
    if text.is_empty() || is_a_name {
        return;
    }
    let (docs, is_exact) = docs(text);
    let mut described = docs;
    if !is_exact {
        described.push(parse_quote!(#[schemars(description = #text)]));
    }
    described.append(attrs);
    *attrs = described;
}

fn doc(attr: &Attribute) -> Option<String> {
    match &attr.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// Returns `text` as doc comments, and true if the comments say exactly that: code, links and tags are escaped.
pub(super) fn docs(text: &str) -> (Vec<Attribute>, bool) {
    let mut is_exact = true;
    let mut attributes = Vec::new();
    for line in text.split('\n') {
        let mut shown = String::new();
        for c in line.trim().chars() {
            match c {
                // After a list marker, more spaces would turn the remaining text into code, and rustdoc would run that
                // code.
                c if c.is_whitespace() && shown.ends_with(' ') => {}
                '[' | ']' | '<' | '>' => shown.extend(['\\', c]),
                c if c.is_control() => shown.push(' '),
                c => shown.push(c),
            }
        }
        let shown = shown.replace("```", "\\`\\`\\`").replace("~~~", "\\~~~");
        is_exact &= shown == line;
        let shown = if shown.is_empty() { shown } else { format!(" {shown}") };
        let shown = LitStr::new(&shown, Span::call_site());
        attributes.push(parse_quote!(#[doc = #shown]));
    }
    (attributes, is_exact)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Parser, Tag};

    use super::*;

    /// Prefixes that Markdown reads as code, links or tags.
    const SIGNS: &[&str] = &[
        "1.",
        "-",
        "*",
        "+",
        "> ",
        "    ",
        "\t",
        " ",
        "  ",
        "\n",
        "\n\n",
        "\r",
        "```",
        "````rust",
        "~~~",
        "~~~~",
        "`",
        "``",
        "<pre>",
        "<code>",
        "<script>",
        "#",
        "# ",
        "---",
        "===",
        "[a](b)",
        "[a]: b",
        "![a](b)",
        "|",
        "\\",
        "&lt;",
        "panic!()",
        "x",
        "\u{a0}",
        "\u{2003}",
        "10)",
        "&#96;&#96;&#96;",
        "\u{c}",
    ];

    /// Returns the documentation text as rustdoc reads it.
    fn shown(text: &str) -> String {
        let (attributes, _) = docs(text);
        attributes.iter().filter_map(doc).collect::<Vec<_>>().join("\n")
    }

    fn assert_no_code(text: &str) {
        let shown = shown(text);
        for event in Parser::new(&shown) {
            let is_wrong = matches!(
                event,
                Event::Start(Tag::CodeBlock(_) | Tag::Link { .. } | Tag::Image { .. } | Tag::HtmlBlock)
                    | Event::Html(_)
                    | Event::InlineHtml(_)
            );
            assert!(!is_wrong, "{event:?} in {shown:?} of {text:?}");
        }
    }

    #[test]
    fn a_list_has_no_examples() {
        // Tools from a page, as reported.
        assert_no_code("Sets it up.\n\n1.      call the office\n2.      panic!()");
        assert_no_code("One of:\n-           the first");
        assert_eq!(shown("1.      call"), " 1. call");
    }

    proptest! {
        #[test]
        fn no_text_becomes_code(signs in proptest::collection::vec(proptest::sample::select(SIGNS), 1..12)) {
            assert_no_code(&signs.concat());
        }
    }
}
