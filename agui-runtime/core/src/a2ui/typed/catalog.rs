//! Catalogs as types: components and functions by their Rust types.

use std::marker::PhantomData;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::DynamicValue;
use super::property::ValueType;
use crate::a2ui::catalog::function_definition;
use crate::a2ui::{
    AgentFunctionCall, ComponentCatalog, FunctionCall, FunctionError, FunctionResponse, SurfaceError,
};
use crate::manifest::{CatalogFunctionSource, CatalogSource, ComponentSource, TypeSource};
use crate::protocol::{JsonObject, ToolSide};
use crate::quoted::quoted;

/// A catalog as a type. Implemented by [`#[derive(Catalog)]`](derive@crate::a2ui::Catalog), whose page has an example.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no catalog",
    label = "not a catalog",
    note = "add `#[derive(Catalog)]` to a type that stands for the catalog"
)]
pub trait Catalog: Sized {
    /// The catalog id.
    const ID: &'static str;

    /// Returns the catalog as A2UI v1.0 defines it (schema `catalog_definition.json`): for a model's prompt, for
    /// [`validate`](fn@crate::a2ui::validate), and for a renderer that draws the same catalog.
    #[must_use]
    fn definition() -> ComponentCatalog;

    /// Returns the catalog for the manifest: `agui-codegen` makes the page's types from a catalog that an agent lists,
    /// `#[agent(catalogs = [..])]`.
    #[must_use]
    fn source() -> CatalogSource;

    /// Returns a function's call, for a property, an action, or
    /// [`PendingFunctionCalls`](crate::a2ui::PendingFunctionCalls).
    ///
    /// # Errors
    /// [`SurfaceError::Json`] if the arguments have no JSON form.
    // `F::Value` in place of `T` would report a function that is not in the catalog twice.
    fn call<F: CatalogFunction<Self, Value = T>, T>(function: F) -> Result<TypedCall<T>, SurfaceError> {
        let args = without_nulls(object(&function)?);
        let call = FunctionCall { call: F::NAME.to_owned(), catalog_id: Some(Self::ID.to_owned()), args };
        Ok(TypedCall { call, value: PhantomData })
    }
}

/// Leaves out `Option`s without a value: a property or an argument that is not there.
pub(super) fn without_nulls(members: JsonObject) -> JsonObject {
    members.into_iter().filter(|(_, value)| !value.is_null()).collect()
}

/// Serializes a struct with named fields.
pub(super) fn object(value: &impl Serialize) -> Result<JsonObject, SurfaceError> {
    match crate::json::to_value(value).map_err(SurfaceError::Json)? {
        Value::Object(members) => Ok(members),
        // A unit struct.
        Value::Null => Ok(JsonObject::new()),
        _ => Err(SurfaceError::NotAnObject),
    }
}

/// A component that a [`Catalog`] lists: the properties are the fields, as serde writes them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no component of the catalog `{C}`",
    label = "not in `components` of `{C}`",
    note = "add the type to `#[catalog(components = [..])]`, or take it from its own catalog with `add_from`"
)]
pub trait CatalogComponent<C>: Serialize + JsonSchema {
    /// The component's name in the catalog.
    const NAME: &'static str;
}

/// A function that a [`Catalog`] lists, and the page has: the arguments are the fields, as serde writes them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no function of the catalog `{C}`",
    label = "not in `functions` of `{C}`",
    note = "add the type to `#[catalog(functions = [..])]`, with the type of its value: `{Self} -> bool`"
)]
pub trait CatalogFunction<C>: Serialize + JsonSchema {
    /// The function's name in the catalog.
    const NAME: &'static str;
    /// The type of the function's value.
    type Value;
}

/// A function that a [`Catalog`] lists for the agent: the page calls it, and [`AgentFunctionCall::read`] reads the arguments.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no agent's function of the catalog `{C}`",
    label = "not in `agent_functions` of `{C}`",
    note = "add the type to `#[catalog(agent_functions = [..])]`, with the type of its value: `{Self} -> bool`"
)]
pub trait AgentFunction<C>: DeserializeOwned + CatalogFunction<C> {}

/// A function's call whose value has the type `T`, from [`Catalog::call`].
#[derive(Debug, Clone, PartialEq)]
pub struct TypedCall<T> {
    call: FunctionCall,
    value: ValueType<T>,
}

impl<T> TypedCall<T> {
    /// Returns a property that shows the function's value.
    #[must_use]
    pub fn bind(self) -> DynamicValue<T> {
        DynamicValue::called(self.call)
    }

    /// Returns the call without its type, for [`PendingFunctionCalls::call`](crate::a2ui::PendingFunctionCalls::call).
    #[must_use]
    pub fn into_function_call(self) -> FunctionCall {
        self.call
    }
}

impl AgentFunctionCall {
    /// Reads the arguments of a function; `None` if the page calls another function, or one of another catalog.
    ///
    /// # Errors
    /// [`FunctionError`] with the code [`INVALID_ARGUMENTS`](FunctionError::INVALID_ARGUMENTS), the path and the reason: the response
    /// for the page.
    pub fn read<C: Catalog, F: AgentFunction<C>>(&self) -> Result<Option<F>, FunctionError> {
        let is_other = self.call.catalog_id.as_deref().is_some_and(|id| id != C::ID);
        if is_other || self.call.call != F::NAME {
            return Ok(None);
        }
        let args = Value::Object(self.call.args.clone());
        serde_path_to_error::deserialize(args).map(Some).map_err(|error| {
            let (path, reason) = (quoted(error.path()), quoted(crate::json::message(error.inner())));
            let message = format!("The arguments of `{}` do not fit at `{path}`: {reason}", F::NAME);
            FunctionError::new(FunctionError::INVALID_ARGUMENTS, message)
        })
    }
}

impl FunctionResponse {
    /// Reads the value that a function returned.
    ///
    /// # Errors
    /// The page's [`FunctionError`], or one with the code `INVALID_VALUE` if the value does not fit `T`.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, FunctionError> {
        let value = self.result.clone()?;
        serde_path_to_error::deserialize(value).map_err(|error| {
            let (path, reason) = (quoted(error.path()), quoted(crate::json::message(error.inner())));
            FunctionError::new("INVALID_VALUE", format!("The value does not fit at `{path}`: {reason}"))
        })
    }
}

/// A component in the manifest.
#[doc(hidden)]
#[must_use]
pub fn component_source<C, T: CatalogComponent<C>>() -> ComponentSource {
    ComponentSource { name: T::NAME, properties: TypeSource::of::<T>() }
}

/// A function in the manifest.
#[doc(hidden)]
#[must_use]
pub fn function_source<C, F: CatalogFunction<C, Value: JsonSchema>>(side: ToolSide) -> CatalogFunctionSource {
    let (arguments, value) = (TypeSource::of::<F>(), TypeSource::of::<F::Value>());
    CatalogFunctionSource { name: F::NAME, side, arguments, value }
}

/// One definition in a catalog.
#[doc(hidden)]
#[derive(Debug)]
pub struct CatalogItem {
    name: &'static str,
    definition: Value,
    is_function: bool,
}

/// Assembles a derived catalog.
#[doc(hidden)]
#[must_use]
pub fn catalog(id: &str, items: impl IntoIterator<Item = CatalogItem>) -> ComponentCatalog {
    let mut catalog = ComponentCatalog::new(id);
    catalog.protocol_version = Some("1.0".to_owned());
    for CatalogItem { name, definition, is_function } in items {
        let definitions = if is_function { &mut catalog.functions } else { &mut catalog.components };
        definitions.insert(name.to_owned(), definition);
    }
    catalog
}

#[doc(hidden)]
#[must_use]
pub fn component<C, T: CatalogComponent<C>>() -> CatalogItem {
    let mut definition = schema::<T>();
    // The published schema of messages adds members to each component, and closes the whole.
    definition.remove("additionalProperties");
    let properties = member(&mut definition, "properties", json!({}));
    if let Value::Object(properties) = properties {
        properties.insert("component".to_owned(), json!({ "const": T::NAME }));
    }
    if let Value::Array(required) = member(&mut definition, "required", json!([])) {
        required.insert(0, "component".into());
    }
    CatalogItem { name: T::NAME, definition: Value::Object(definition), is_function: false }
}

/// A function of the page: components and the agent call it.
#[doc(hidden)]
#[must_use]
pub fn function<C, F: CatalogFunction<C, Value: JsonSchema>>() -> CatalogItem {
    item::<C, F>("rendererOrAgent")
}

/// A function of the agent: the page calls it.
#[doc(hidden)]
#[must_use]
pub fn agent_function<C, F: AgentFunction<C> + CatalogFunction<C, Value: JsonSchema>>() -> CatalogItem {
    item::<C, F>("rendererOnly")
}

fn item<C, F: CatalogFunction<C, Value: JsonSchema>>(callers: &str) -> CatalogItem {
    let returns = return_type(&schema::<F::Value>());
    let mut arguments = schema::<F>();
    if arguments.get("type").and_then(Value::as_str) != Some("object") {
        // A unit struct.
        arguments = JsonObject::from_iter([("type".to_owned(), "object".into())]);
    }
    arguments.insert("additionalProperties".to_owned(), false.into());
    let definition = function_definition(F::NAME, &arguments.into(), returns, Some(callers));
    CatalogItem { name: F::NAME, definition, is_function: true }
}

/// Returns the kind of value in A2UI's words.
fn return_type(schema: &JsonObject) -> &'static str {
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => "string",
        Some("number" | "integer") => "number",
        Some("boolean") => "boolean",
        Some("array") => "array",
        Some("object") => "object",
        Some("null") => "void",
        _ => "any",
    }
}

fn member<'d>(definition: &'d mut JsonObject, name: &str, default: Value) -> &'d mut Value {
    definition.entry(name).or_insert(default)
}

/// Returns the schema, in which an `Option` is not required, without references to other schemas where the type is not recursive.
fn schema<T: JsonSchema>() -> JsonObject {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut members = match Value::from(schema) {
        Value::Object(members) => members,
        other => return JsonObject::from_iter([("anyOf".to_owned(), json!([other]))]),
    };
    members.remove("title");
    members
}
