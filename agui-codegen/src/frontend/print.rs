//! The file: each tool as `#[tool(frontend)]`, its types in a module beside it.

use std::collections::BTreeSet;

use agui_runtime::protocol::Tool;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use serde_json::Value;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, ExprLit, Fields, Ident, Item, Lit, LitStr, Meta, parse_quote};

use super::names::Names;
use super::read::Declared;
use super::tidy::docs;
use super::{Refusal, Translation};
use crate::MARK;

/// The longest description every provider of models takes.
const LONGEST_DESCRIPTION: usize = 1024;

/// How much of a reason is worth reading.
const LONGEST_REASON: usize = 240;

/// The file, and what there is to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// Everything in the file.
    pub text: String,
    /// What is not as the frontend says it, one sentence for each, with the tool.
    pub warnings: Vec<String>,
}

/// The file for `declared`, whose translations stand in the same order. `from` is the file that declares them, `command`
/// what writes it again.
///
/// A tool without a translation takes any object, and its schema stands above it.
///
/// # Errors
///
/// [`Refusal`] when a translation is not the Rust that [`translate`](super::translate) gives.
pub fn print(
    declared: &[Declared],
    translations: &[Result<Translation, Refusal>],
    from: &str,
    command: &str,
) -> Result<Printed, Refusal> {
    let mut warnings = Vec::new();
    let mut body = String::new();
    for (declared, translation) in declared.iter().zip(translations) {
        let tool = &declared.tool;
        match &declared.names {
            Ok(names) => {
                let mut warn = |text: String| warnings.push(format!("tool `{}`: {text}", tool.name));
                body.push('\n');
                body.push_str(&one(tool, names, translation, &mut warn)?);
            }
            Err(problem) => {
                body.push_str(&format!("\n// Left out: the tool {:?}, for {problem}.\n", tool.name));
                warnings.push(format!("tool {:?} is left out: {problem}", tool.name));
            }
        }
    }
    let uses = |name: &str| body.contains(&format!("::{name}::"));
    let mut needs = vec!["agui-runtime", "schemars", "serde", "serde_json"];
    for (name, need) in [
        ("chrono", "chrono (schemars with chrono04)"),
        ("regress", "regress"),
        ("uuid", "uuid (schemars with uuid1)"),
    ] {
        needs.extend(uses(name).then_some(need));
    }
    let text = format!(
        "// {MARK} {} from {from}. Do not edit.\n// Regenerate: {command}\n// Check:      {command} --check\n// Needs the \
         crates {}.\n{body}",
        env!("CARGO_PKG_VERSION"),
        needs.join(", "),
    );
    Ok(Printed { text, warnings })
}

fn one(
    tool: &Tool,
    names: &Names,
    translation: &Result<Translation, Refusal>,
    warn: &mut dyn FnMut(String),
) -> Result<String, Refusal> {
    let module = format_ident!("{}", names.module);
    let (parameters, types) = match translation {
        Ok(translation) => {
            if translation.arguments.is_some() && translation.tried == 0 {
                warn("no value could be made of its schema, so its types are not tried".into());
            }
            typed(translation, names, &module)?
        }
        Err(refusal) => {
            warn(format!("takes any object, because its types cannot be had: {}", one_line(&refusal.reason)));
            untyped(tool, &module)
        }
    };
    let declaration = declaration(tool, names, &parameters, warn);
    let mut text = unparse(declaration)?;
    if !types.is_empty() {
        let about = format!(" What [`{}`] is called with.", names.ident);
        text.push('\n');
        text.push_str(&unparse(quote! {
            #[doc = #about]
            #[allow(dead_code, missing_docs, clippy::all, clippy::pedantic)]
            pub mod #module {
                #(#types)*
            }
        })?);
    }
    Ok(text)
}

/// typify shows whole schemas.
fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = line.chars().take(LONGEST_REASON).collect();
    if cut == line { line } else { format!("{cut}…") }
}

pub(super) fn unparse(tokens: TokenStream) -> Result<String, Refusal> {
    let file =
        syn::parse2(tokens).map_err(|error| Refusal::new(format!("is not printed as Rust: {error}")))?;
    Ok(prettyplease::unparse(&file))
}

fn declaration(
    tool: &Tool,
    names: &Names,
    parameters: &[TokenStream],
    warn: &mut dyn FnMut(String),
) -> TokenStream {
    let ident = Ident::new(&names.ident, Span::call_site());
    let said = tool.description.trim();
    let said = if said.is_empty() {
        warn("has no description, from which a model learns when to call it".into());
        format!("The tool `{}` of the frontend.", tool.name)
    } else {
        said.to_owned()
    };
    let (docs, is_exact) = docs(&said);
    let mut options = vec![quote!(frontend)];
    if names.ident != tool.name {
        let name = &tool.name;
        options.push(quote!(name = #name));
    }
    if said.chars().count() > LONGEST_DESCRIPTION {
        warn(format!(
            "its description is cut after {LONGEST_DESCRIPTION} characters, of which models take no more"
        ));
        let cut: String = said.chars().take(LONGEST_DESCRIPTION - 1).chain(['…']).collect();
        options.push(quote!(description = #cut));
    } else if !is_exact {
        options.push(quote!(description = #said));
    }
    quote! {
        #(#docs)*
        #[::agui_runtime::tool(#(#options),*)]
        pub async fn #ident(#(#parameters),*) -> ::serde_json::Value;
    }
}

/// The arguments as parameters, and the items of the module.
fn typed(
    translation: &Translation,
    names: &Names,
    module: &Ident,
) -> Result<(Vec<TokenStream>, Vec<Item>), Refusal> {
    let parse =
        |text: &str| syn::parse_file(text).map_err(|error| Refusal::new(format!("is not Rust: {error}")));
    let mut types = parse(&translation.types)?.items;
    let Some(arguments) = &translation.arguments else { return Ok((Vec::new(), types)) };
    types.extend(parse(arguments)?.items);
    let root = types.iter().find_map(|item| match item {
        Item::Struct(strukt) if strukt.ident == names.root => match &strukt.fields {
            Fields::Named(named) => Some(named.clone()),
            Fields::Unnamed(_) | Fields::Unit => None,
        },
        _ => None,
    });
    let Some(root) = root else {
        keep_reached(&mut types, BTreeSet::from([names.root.clone()]));
        let root = format_ident!("{}", names.root);
        return Ok((vec![quote!(#[serde(flatten)] arguments: #module::#root)], types));
    };
    // The struct is the tool itself, and stays only where a type refers to it.
    let own = types.iter().filter_map(name).collect();
    let mut named = Named::default();
    named.visit_fields_named(&root);
    keep_reached(&mut types, named.0);
    let mut outside = FromOutside { module, own };
    let parameters = root.named.into_iter().map(|mut field| {
        outside.visit_field_mut(&mut field);
        let (attrs, ident, ty) = (&field.attrs, &field.ident, &field.ty);
        quote!(#(#attrs)* #ident: #ty)
    });
    Ok((parameters.collect(), types))
}

/// The name of a type.
fn name(item: &Item) -> Option<String> {
    match item {
        Item::Struct(strukt) => Some(strukt.ident.to_string()),
        Item::Enum(choice) => Some(choice.ident.to_string()),
        _ => None,
    }
}

/// Leaves out the types that nothing refers to, and what is written for them.
fn keep_reached(types: &mut Vec<Item>, from: BTreeSet<String>) {
    let mut reached = BTreeSet::new();
    let mut due: Vec<String> = from.into_iter().collect();
    while let Some(next) = due.pop() {
        if reached.insert(next.clone()) {
            let mut named = Named::default();
            match types.iter().find(|item| name(item).as_ref() == Some(&next)) {
                Some(Item::Struct(strukt)) => named.visit_item_struct(strukt),
                Some(Item::Enum(choice)) => named.visit_item_enum(choice),
                _ => {}
            }
            due.extend(named.0);
        }
    }
    let all: BTreeSet<String> = types.iter().filter_map(name).collect();
    types.retain(|item| match item {
        Item::Impl(block) => {
            let mut named = Named::default();
            named.visit_item_impl(block);
            named.0.iter().all(|name| reached.contains(name) || !all.contains(name))
        }
        other => name(other).is_none_or(|name| reached.contains(&name)),
    });
}

/// The types that are named.
#[derive(Default)]
struct Named(BTreeSet<String>);

impl Visit<'_> for Named {
    fn visit_type_path(&mut self, path: &syn::TypePath) {
        visit::visit_type_path(self, path);
        self.0.extend(path.path.get_ident().map(Ident::to_string));
    }
}

/// Any object, with the schema for people.
fn untyped(tool: &Tool, module: &Ident) -> (Vec<TokenStream>, Vec<Item>) {
    let schema: Value = tool.parameters.as_deref().cloned().unwrap_or_default();
    let schema = format!("{schema:#}");
    let lines = schema.lines().map(|line| LitStr::new(&format!(" {line}"), Span::call_site()));
    let item = parse_quote! {
        /// Any object: no types could be made of the schema.
        ///
        /// ```json
        #(#[doc = #lines])*
        /// ```
        #[derive(::schemars::JsonSchema, ::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
        #[serde(transparent)]
        #[schemars(description = "")]
        pub struct Params(pub ::serde_json::Map<::std::string::String, ::serde_json::Value>);
    };
    (vec![quote!(#[serde(flatten)] arguments: #module::Params)], vec![item])
}

/// Names of the module's types and functions, from beside it.
struct FromOutside<'m> {
    module: &'m Ident,
    own: BTreeSet<String>,
}

impl VisitMut for FromOutside<'_> {
    fn visit_type_path_mut(&mut self, path: &mut syn::TypePath) {
        visit_mut::visit_type_path_mut(self, path);
        if let Some(ident) = path.path.get_ident()
            && self.own.contains(&ident.to_string())
        {
            let (module, ident) = (self.module, ident.clone());
            *path = parse_quote!(#module::#ident);
        }
    }

    fn visit_attribute_mut(&mut self, attr: &mut Attribute) {
        let Meta::List(list) = &mut attr.meta else { return };
        if !list.path.is_ident("serde") {
            return;
        }
        let options =
            list.parse_args_with(syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated);
        let Ok(mut options) = options else { return };
        for option in &mut options {
            if let Meta::NameValue(pair) = option
                && let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &mut pair.value
                && text.value().starts_with("defaults::")
            {
                *text = LitStr::new(&format!("{}::{}", self.module, text.value()), text.span());
            }
        }
        list.tokens = quote!(#options);
    }
}
