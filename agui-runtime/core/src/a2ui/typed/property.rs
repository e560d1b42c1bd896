//! The types of component properties.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::{BoundPath, TypedCall};
use crate::a2ui::FunctionCall;
use crate::manifest::{RENDERED_CATALOG, SURFACE_PART};
use crate::protocol::JsonObject;

/// A property that is a value, a path in the data, or a function's value (A2UI, schema `common_types.json`, `DynamicValue`).
///
/// A value is written with `into()`, a path with [`BoundPath::bind`](super::BoundPath::bind), a function with
/// [`TypedCall::bind`].
///
/// ```
/// use agui_runtime::a2ui::DynamicValue;
///
/// let nights: DynamicValue<u32> = 3.into();
/// assert_eq!(serde_json::to_string(&nights)?, "3");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct DynamicValue<T>(Source<T>);

#[derive(Debug, Clone, PartialEq)]
enum Source<T> {
    Value(T),
    Path(String),
    Call(FunctionCall),
}

impl<T> DynamicValue<T> {
    pub(super) fn at(path: String) -> Self {
        Self(Source::Path(path))
    }

    pub(super) fn called(call: FunctionCall) -> Self {
        Self(Source::Call(call))
    }
}

impl<T> From<T> for DynamicValue<T> {
    fn from(value: T) -> Self {
        Self(Source::Value(value))
    }
}

impl From<&str> for DynamicValue<String> {
    fn from(value: &str) -> Self {
        Self(Source::Value(value.to_owned()))
    }
}

impl<T: Serialize> Serialize for DynamicValue<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Source::Value(value) => value.serialize(serializer),
            Source::Path(path) => json!({ "path": path }).serialize(serializer),
            Source::Call(call) => call.clone().into_json().serialize(serializer),
        }
    }
}

impl<T: JsonSchema> JsonSchema for DynamicValue<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Dynamic_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut value = generator.subschema_for::<T>();
        if is_rendered(generator) {
            value.insert(SURFACE_PART.to_owned(), "value".into());
            return value;
        }
        json_schema!({ "anyOf": [value, path_schema(), call_schema()] })
    }
}

/// True if the schema describes the form that the page's code sees: the manifest asks for that form.
fn is_rendered(generator: &SchemaGenerator) -> bool {
    generator.settings().definitions_path == RENDERED_CATALOG
}

/// Returns the schema for a part that the page draws or calls, if the schema is for the page's code.
fn rendered(part: &str, generator: &SchemaGenerator) -> Option<Schema> {
    is_rendered(generator).then(|| json_schema!({ SURFACE_PART: part }))
}

fn path_schema() -> Value {
    json!({
        "type": "object",
        "properties": { "path": { "type": "string" } },
        "required": ["path"],
        "additionalProperties": false,
    })
}

fn call_schema() -> Value {
    json!({ "type": "object", "properties": { "call": { "type": "string" } }, "required": ["call"] })
}

/// The id of a component on a surface. [`TypedSurface::add`](super::TypedSurface::add) returns one, so each id has its component.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ComponentId(pub(super) String);

impl JsonSchema for ComponentId {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ComponentId".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let wire = || json_schema!({ "type": "string", "format": "componentRef" });
        rendered("component", generator).unwrap_or_else(wire)
    }
}

/// The children of a component: ids in order, or a template that is repeated for each element of a list.
///
/// [`TypedSurface::repeat`](super::TypedSurface::repeat) returns a template; ids are collected.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct ComponentList(Value);

impl ComponentList {
    pub(super) fn template(path: &str, component: &ComponentId) -> Self {
        Self(json!({ "componentId": component.0, "path": path }))
    }
}

impl FromIterator<ComponentId> for ComponentList {
    fn from_iter<I: IntoIterator<Item = ComponentId>>(ids: I) -> Self {
        Self(ids.into_iter().map(|id| id.0).collect())
    }
}

impl<const N: usize> From<[ComponentId; N]> for ComponentList {
    fn from(ids: [ComponentId; N]) -> Self {
        ids.into_iter().collect()
    }
}

impl JsonSchema for ComponentList {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ComponentList".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let wire = || {
            json_schema!({ "format": "componentRefList", "anyOf": [
            { "type": "array", "items": { "type": "string" } },
            {
                "type": "object",
                "properties": { "componentId": { "type": "string" }, "path": { "type": "string" } },
                "required": ["componentId", "path"],
                "additionalProperties": false,
            },
        ] })
        };
        rendered("components", generator).unwrap_or_else(wire)
    }
}

/// An action when the user acts: an event for the agent, or a function's call (A2UI, schema `common_types.json`, `Action`).
///
/// ```
/// use agui_runtime::a2ui::SurfaceAction;
///
/// let buy = SurfaceAction::event("buy").with("ticket", "day");
/// let written = serde_json::json!({ "event": { "name": "buy", "context": { "ticket": "day" } } });
/// assert_eq!(serde_json::to_value(&buy)?, written);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceAction(ActionKind);

#[derive(Debug, Clone, PartialEq)]
enum ActionKind {
    Event { name: String, context: JsonObject },
    Call(FunctionCall),
}

impl SurfaceAction {
    /// Returns an event, which the agent reads as a [`UserAction`](crate::a2ui::UserAction).
    #[must_use]
    pub fn event(name: impl Into<String>) -> Self {
        Self(ActionKind::Event { name: name.into(), context: JsonObject::new() })
    }

    /// Returns a call. The page makes it, or asks the agent for an agent's function.
    #[must_use]
    pub fn call<T>(call: TypedCall<T>) -> Self {
        Self(ActionKind::Call(call.into_function_call()))
    }

    /// Adds a value to the event. A call has its own arguments, and is not changed.
    #[must_use]
    pub fn with(self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.with_member(name.into(), value.into())
    }

    /// Adds the value at a path to the event: the page sends the data as it is when the user acts. A call is not changed.
    #[must_use]
    pub fn bind<T>(self, name: impl Into<String>, path: &BoundPath<T>) -> Self {
        self.with_member(name.into(), json!({ "path": path.as_str() }))
    }

    fn with_member(mut self, name: String, value: Value) -> Self {
        if let ActionKind::Event { context, .. } = &mut self.0 {
            context.insert(name, value);
        }
        self
    }
}

impl Serialize for SurfaceAction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let action = match &self.0 {
            ActionKind::Call(call) => json!({ "functionCall": call.clone().into_json() }),
            ActionKind::Event { name, context } => json!({ "event": { "name": name, "context": context } }),
        };
        action.serialize(serializer)
    }
}

impl JsonSchema for SurfaceAction {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "SurfaceAction".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let wire = || {
            json_schema!({ "anyOf": [
            {
                "type": "object",
                "properties": { "event": {
                    "type": "object",
                    "properties": { "name": { "type": "string" }, "context": { "type": "object" } },
                    "required": ["name"],
                } },
                "required": ["event"],
            },
            { "type": "object", "properties": { "functionCall": call_schema() }, "required": ["functionCall"] },
        ] })
        };
        rendered("action", generator).unwrap_or_else(wire)
    }
}

/// A value's type, without a value.
pub(super) type ValueType<T> = PhantomData<fn() -> T>;
