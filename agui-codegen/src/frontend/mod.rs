//! Rust code for the tools that a frontend declares, as `agui-codegen rust` prints.
//!
//! A page declares its tools in JSON (AG-UI 1.0, section "Tools"), mostly with Zod. An agent that calls the tools with
//! types needs a `#[tool(frontend)]` for each. [typify] generates the types; typify is a general tool that fails on
//! some schemas, by panics and by endless loops. So call [`translate`] in a separate process; the result has been
//! tested with sample values.
//!
//! [typify]: https://docs.rs/typify

mod alternatives;
mod attributes;
mod draft07;
mod engine;
mod names;
mod print;
mod read;
mod samples;
mod shape;
mod sound;
mod tidy;
mod widen;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use names::ToolNames;
pub use print::{PrintedFile, print};
pub use read::{DeclaredTool, ToolsError, read};

use agui_runtime::protocol::Tool;

/// The options for a translation.
///
/// ```
/// use agui_codegen::frontend::{TranslationOptions, read, translate};
///
/// let page = r#"[{"name": "bookRoom", "description": "Books a room.", "parameters":
///     {"type": "object", "properties": {"guest": {"type": "string", "format": "uuid"}}, "required": ["guest"]}}]"#;
/// let tool = &read(page)?[0].tool;
/// let of = |options| translate(tool, "BookRoom", options).map(|rust| rust.arguments.unwrap_or_default());
/// assert!(of(TranslationOptions::default())?.contains("guest: String"));
/// assert!(of(TranslationOptions { strict_formats: true })?.contains("::uuid::Uuid"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranslationOptions {
    /// True if `format`, `pattern` and string lengths become separate types, which need the crates `chrono`, `regress`
    /// and `uuid`. Otherwise such strings are `String`s.
    pub strict_formats: bool,
}

/// A tool's arguments as Rust code.
///
/// ```
/// use agui_codegen::frontend::{ToolTranslation, TranslationOptions, read, translate};
///
/// let close = &read(r#"[{"name": "close", "description": "Closes the page."}]"#)?[0].tool;
/// let nothing = ToolTranslation { arguments: None, types: String::new(), tried: 0 };
/// assert_eq!(translate(close, "Close", TranslationOptions::default())?, nothing, "it takes no arguments");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolTranslation {
    /// The struct that contains all arguments, or another type that serializes as an object; `None` for a tool without
    /// arguments.
    pub arguments: Option<String>,
    /// The types that `arguments` needs.
    pub types: String,
    /// The number of sample values that passed through the types unchanged.
    pub tried: usize,
}

/// An error: a tool's arguments cannot be translated to types.
///
/// ```
/// use agui_codegen::frontend::{TranslationError, TranslationOptions, read, translate};
///
/// let page = r#"[{"name": "odd", "description": "", "parameters": {"type": "object", "properties": 7}}]"#;
/// let odd = translate(&read(page)?[0].tool, "Odd", TranslationOptions::default());
/// let TranslationError { reason } = odd.unwrap_err();
/// assert!(!reason.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{reason}")]
pub struct TranslationError {
    /// The reason, as half a sentence.
    pub reason: String,
}

impl TranslationError {
    fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

/// Translates `tool`'s arguments to Rust types; the type for all arguments has the name `root`.
///
/// The call may panic, never return, or use all memory, so run this function in a process that can be killed.
///
/// ```
/// use agui_codegen::frontend::{TranslationOptions, read, translate};
///
/// let page = r#"[{"name": "showMap", "description": "Shows a map.", "parameters":
///     {"type": "object", "properties": {"zoom": {"type": "integer"}}, "required": ["zoom"]}}]"#;
/// let rust = translate(&read(page)?[0].tool, "ShowMap", TranslationOptions::default())?;
/// assert!(rust.arguments.is_some_and(|text| text.contains("pub struct ShowMap")));
/// assert!(rust.tried > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`TranslationError`] if the types cannot be generated, or if sample values do not pass through the types unchanged.
pub fn translate(
    tool: &Tool,
    root: &str,
    options: TranslationOptions,
) -> Result<ToolTranslation, TranslationError> {
    let parameters = tool.parameters.as_deref().cloned().unwrap_or_default();
    if takes_nothing(&parameters) {
        return Ok(ToolTranslation { arguments: None, types: String::new(), tried: 0 });
    }
    let types = |prefix: &str| {
        let document = draft07::document(root, prefix, &parameters, options.strict_formats)?;
        let mut file = engine::types(&document)?;
        tidy::tidy(&mut file, &document);
        sound::check(&file)?;
        Ok((document, file))
    };
    // Retries with a prefix: a definition `Point` and a property `point` would be the same type.
    let (document, file) = types(root)
        .or_else(|refusal| types(&format!("{root}Shared")).map_err(|_: TranslationError| refusal))?;
    let tried = try_values(&file, &document, &parameters)?;
    let is_root =
        |item: &syn::Item| matches!(item, syn::Item::Struct(strukt) if strukt.ident == document.root);
    let (roots, rest): (Vec<_>, Vec<_>) = file.items.into_iter().partition(is_root);
    let print = |items: Vec<syn::Item>| print::unparse(quote::quote!(#(#items)*));
    Ok(ToolTranslation { arguments: Some(print(roots)?), types: print(rest)?, tried })
}

/// Returns true if the schema allows no arguments.
fn takes_nothing(parameters: &Value) -> bool {
    let Value::Object(members) = parameters else {
        return matches!(parameters, Value::Null | Value::Bool(true));
    };
    let says_no_more = |keyword: &String| {
        ["$schema", "type", "properties", "required", "additionalProperties", "description", "title"]
            .contains(&keyword.as_str())
    };
    members.keys().all(says_no_more)
        && members.get("type").is_none_or(|name| name == "object")
        && members.get("properties").is_none_or(shape::is_empty)
        && members.get("additionalProperties").is_none_or(|rest| *rest == Value::Bool(false))
}

/// Passes sample values through the types.
fn try_values(
    file: &syn::File,
    document: &draft07::Draft07Document,
    parameters: &Value,
) -> Result<usize, TranslationError> {
    let none = |error: jsonschema::ValidationError<'_>| {
        TranslationError::new(format!("its schema is not valid: {error}"))
    };
    jsonschema::validator_for(parameters).map_err(none)?;
    // The types' schema, which is wider than the tool's schema.
    let validator = jsonschema::validator_for(&document.to_schema()).map_err(none)?;
    let shapes = shape::SerdeShapes::from_file(file);
    let mut tried = 0;
    for sample in samples::samples(&document.root, &document.definitions) {
        if !sample.is_object() || !validator.is_valid(&sample) {
            continue;
        }
        let back = shapes.pass(&document.root, &sample).map_err(TranslationError::new)?;
        difference(&sample, &back, "$").map_err(|place| {
            TranslationError::new(format!("{place}: {sample} would come out of the types as {back}"))
        })?;
        validator.validate(&back).map_err(|error| {
            TranslationError::new(format!("the types write {back}, which its schema does not allow: {error}"))
        })?;
        tried += 1;
    }
    Ok(tried)
}

/// Returns an error with the path at which `back` differs from `sample`. Empty values may be omitted.
fn difference(sample: &Value, back: &Value, at: &str) -> Result<(), String> {
    let is_same = match (sample, back) {
        (Value::Object(sample), Value::Object(back)) => {
            for (name, member) in sample {
                let here = format!("{at}.{name}");
                match back.get(name) {
                    Some(other) => difference(member, other, &here)?,
                    None if shape::is_empty(member) => {}
                    None if member.is_null() => {}
                    None => return Err(here),
                }
            }
            match back.keys().find(|name| !sample.contains_key(*name)) {
                Some(more) => return Err(format!("{at}.{more}")),
                None => true,
            }
        }
        (Value::Array(sample), Value::Array(back)) if sample.len() == back.len() => {
            for (index, (item, other)) in sample.iter().zip(back).enumerate() {
                difference(item, other, &format!("{at}[{index}]"))?;
            }
            true
        }
        (Value::Number(sample), Value::Number(back)) => sample == back || sample.as_f64() == back.as_f64(),
        (sample, back) => sample == back,
    };
    if is_same { Ok(()) } else { Err(at.to_owned()) }
}
