//! A Rust type that can generate a schema.
//!
//! Types are stored as functions, because building a manifest generates every schema several times: once per direction, and in two
//! orders to find colliding names.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::any_type::subschema_for;
use super::object_schemas::without_boolean_schemas;
use super::schema::decoded;
use super::{SizedInteger, unwritable_default};
use crate::protocol::{JsonReadError, LazyJson};

/// A Rust type that can describe itself to a schema generator.
///
/// ```
/// use agui_runtime::manifest::TypeSource;
/// use schemars::SchemaGenerator;
///
/// let text = TypeSource::of::<String>();
/// let schema = text.schema(&mut SchemaGenerator::default());
/// assert_eq!(schema.as_value()["type"], "string");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TypeSource {
    pub(super) schema: fn(&mut SchemaGenerator) -> Schema,
    pub(super) name: fn() -> Cow<'static, str>,
    pub(super) id: fn() -> Cow<'static, str>,
    pub(super) is_inline: fn() -> bool,
    rust_path: fn() -> &'static str,
    /// Checks that a value can be read as the type; only for types that clients send.
    read: Option<ReadFn>,
    /// Checks a text as a tool's arguments.
    check: Option<CheckFn>,
}

type CheckFn = fn(&str) -> Result<(), String>;

type ReadFn = fn(&LazyJson<Value>) -> Result<(), JsonReadError>;

impl TypeSource {
    /// Returns the source for `T`.
    ///
    /// ```
    /// use agui_runtime::manifest::TypeSource;
    /// use schemars::SchemaGenerator;
    ///
    /// let schema = TypeSource::of::<bool>().schema(&mut SchemaGenerator::default());
    /// assert_eq!(schema.as_value()["type"], "boolean");
    /// ```
    #[must_use]
    pub const fn of<T: JsonSchema>() -> Self {
        Self {
            schema: T::json_schema,
            name: T::schema_name,
            id: T::schema_id,
            is_inline: T::inline_schema,
            rust_path: std::any::type_name::<T>,
            read: None,
            check: None,
        }
    }

    /// Returns the source for a type whose values can be checked without knowing the type.
    pub(crate) fn of_readable<T: JsonSchema + DeserializeOwned>() -> Self {
        Self { read: Some(|value| value.read::<T>().map(drop)), ..Self::of::<T>() }
    }

    /// Adds the check for a text as a tool's arguments.
    pub(crate) const fn checked_by(self, check: CheckFn) -> Self {
        Self { check: Some(check), ..self }
    }

    /// Checks a text as a tool's arguments; always `Ok` for a type without a check.
    pub(crate) fn check_arguments(&self, text: &str) -> Result<(), String> {
        self.check.map_or(Ok(()), |check| check(text))
    }

    /// Checks that `value` can be read as the type; always `Ok` for a type from [`Self::of`].
    pub(crate) fn read(&self, value: &LazyJson<Value>) -> Result<(), JsonReadError> {
        self.read.map_or(Ok(()), |read| read(value))
    }

    /// Returns the type's schema: a reference into the generator's definitions for a named type.
    #[must_use]
    pub fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        subschema_for(self, generator)
    }

    /// Returns a standalone JSON Schema, definitions included: AG-UI's tool `parameters` and interrupt `responseSchema`.
    ///
    /// Numbers have no `format`, because `uint32` and the like are not JSON Schema formats, and some validators refuse unknown
    /// formats. Integers up to 32 bits get the bounds instead. Larger integers lack the bounds that only the format states,
    /// because many JSON readers round such large numbers; serde refuses a value outside the type.
    ///
    /// ```
    /// use agui_runtime::manifest::TypeSource;
    ///
    /// let schema = TypeSource::of::<u32>().root_schema().to_value();
    /// assert_eq!((&schema["maximum"], schema.get("format")), (&u32::MAX.into(), None));
    /// ```
    #[must_use]
    pub fn root_schema(&self) -> Schema {
        self.root(SchemaSettings::draft2020_12().for_deserialize())
    }

    /// Like [`root_schema`](Self::root_schema), for values that the agent writes, such as results, in which serde may use other
    /// names and leave out other members.
    #[must_use]
    pub fn written_schema(&self) -> Schema {
        self.root(SchemaSettings::draft2020_12().for_serialize())
    }

    fn root(&self, settings: SchemaSettings) -> Schema {
        let mut root = self.unmodified_root(settings).to_value();
        without_number_formats(&mut root);
        without_boolean_schemas(&mut root);
        // A root is an object.
        Schema::try_from(root).unwrap_or_default()
    }

    /// Returns the JSON Schema with number formats, which act as bounds.
    pub(crate) fn formatted_schema(&self) -> Value {
        self.unmodified_root(SchemaSettings::draft2020_12().for_deserialize()).to_value()
    }

    /// Like [`SchemaGenerator::into_root_schema_for`], without the type parameter: each of a program's many types would compile
    /// another copy.
    fn unmodified_root(&self, settings: SchemaSettings) -> Schema {
        let mut generator = settings.into_generator();
        let mut schema = self.schema(&mut generator);
        let mut definitions = generator.take_definitions(false);
        if !(self.is_inline)() {
            take_up(&mut schema, &mut definitions);
        }
        let object = schema.ensure_object();
        object.entry("title").or_insert_with(|| (self.name)().into());
        if let Some(meta_schema) = &generator.settings().meta_schema {
            object.insert("$schema".into(), meta_schema.as_ref().into());
        }
        if !definitions.is_empty() {
            object.insert("$defs".into(), definitions.into());
        }
        let mut root = schema.to_value();
        unwritable_default::remove_from_root(&mut root);
        // A root is an object.
        Schema::try_from(root).unwrap_or_default()
    }

    /// Returns the Rust type's path, for human readers. Not stable between compiler versions.
    #[must_use]
    pub fn rust_path(&self) -> &'static str {
        (self.rust_path)()
    }
}

/// Replaces a reference by the definition, and references to that definition by `#`.
fn take_up(schema: &mut Schema, definitions: &mut Map<String, Value>) {
    let Some(reference) = schema.get("$ref").and_then(Value::as_str).map(str::to_owned) else { return };
    let name = reference.strip_prefix("#/$defs/").and_then(decoded);
    let Some(name) = name.map(Cow::into_owned) else { return };
    let Some(Ok(definition)) = definitions.get(&name).cloned().map(Schema::try_from) else { return };
    // The others keep their order.
    definitions.retain(|other, _| *other != name);
    *schema = definition;
    let mut to_root = RecursiveTransform(|schema: &mut Schema| {
        if schema.get("$ref").is_some_and(|to| *to == reference) {
            schema.insert("$ref".to_owned(), "#".into());
        }
    });
    to_root.transform(schema);
    for definition in definitions.values_mut() {
        if let Ok(definition) = definition.try_into() {
            to_root.transform(definition);
        }
    }
}

/// Replaces number formats by the bounds that only the format states, at every depth: readers do not know the formats of Rust
/// types.
///
/// ```
/// use agui_runtime::manifest::without_number_formats;
/// use serde_json::json;
///
/// let mut schema = json!({ "items": { "type": "integer", "format": "uint8" } });
/// without_number_formats(&mut schema);
/// assert_eq!(schema, json!({ "items": { "type": "integer", "minimum": 0, "maximum": 255 } }));
/// ```
pub fn without_number_formats(schema: &mut Value) {
    if let Ok(schema) = schema.try_into() {
        RecursiveTransform(replace_number_format).transform(schema);
    }
}

/// Replaces one number's format by the bounds that only the format states.
fn replace_number_format(schema: &mut Schema) {
    let is_number = |kind: &Value| matches!(kind.as_str(), Some("integer" | "number"));
    let is_of_numbers = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().all(|kind| is_number(kind) || kind == "null"),
        kind => kind.is_some_and(is_number),
    };
    if !is_of_numbers {
        return;
    }
    let format = schema.remove("format");
    let integer = format.as_ref().and_then(Value::as_str).and_then(SizedInteger::of);
    let Some(integer) = integer.filter(|integer| integer.bits <= 32) else { return };
    let (least, greatest) = (i64::try_from(integer.least()), u64::try_from(integer.greatest()));
    let bounds = [
        ("minimum", "exclusiveMinimum", least.ok().map(Value::from)),
        ("maximum", "exclusiveMaximum", greatest.ok().map(Value::from)),
    ];
    for (keyword, exclusive, bound) in bounds {
        if let Some(bound) = bound.filter(|_| schema.get(exclusive).is_none()) {
            schema.ensure_object().entry(keyword).or_insert(bound);
        }
    }
}

#[cfg(test)]
mod tests {
    use schemars::json_schema;

    use super::*;

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is read")]
    struct Tree {
        leaf: Option<Leaf>,
        branches: Vec<Tree>,
        again: Option<Box<Tree>>,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is read")]
    struct Leaf {
        of: Box<Tree>,
        size: u8,
    }

    /// The title stands.
    #[derive(JsonSchema)]
    #[schemars(title = "Branch of a tree/~")]
    #[expect(dead_code, reason = "only its schema is read")]
    struct Branch(Leaf);

    #[derive(JsonSchema)]
    #[schemars(rename = "Page of/~%T")]
    #[expect(dead_code, reason = "only its schema is read")]
    struct Page<T> {
        items: Vec<T>,
        next: Option<Box<Page<T>>>,
    }

    struct Alias;

    impl JsonSchema for Alias {
        fn schema_name() -> Cow<'static, str> {
            "Alias".into()
        }

        fn inline_schema() -> bool {
            true
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            generator.subschema_for::<Leaf>()
        }
    }

    struct Anything;

    impl JsonSchema for Anything {
        fn schema_name() -> Cow<'static, str> {
            "Anything".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!(true)
        }
    }

    fn is_as_schemars_makes_it<T: JsonSchema>() {
        let settings = SchemaSettings::draft2020_12();
        for settings in [settings.clone().for_deserialize(), settings.for_serialize()] {
            let expected = settings.clone().into_generator().into_root_schema_for::<T>().to_value();
            let ours = TypeSource::of::<T>().unmodified_root(settings).to_value();
            assert_eq!(ours.to_string(), expected.to_string(), "also in the order of the members");
        }
    }

    #[test]
    fn a_root_is_what_schemars_makes_of_the_type() {
        is_as_schemars_makes_it::<Tree>();
        is_as_schemars_makes_it::<Leaf>();
        is_as_schemars_makes_it::<Branch>();
        is_as_schemars_makes_it::<Page<Tree>>();
        is_as_schemars_makes_it::<Box<Page<Leaf>>>();
        is_as_schemars_makes_it::<Alias>();
        is_as_schemars_makes_it::<Anything>();
        is_as_schemars_makes_it::<Option<Tree>>();
        is_as_schemars_makes_it::<Vec<Leaf>>();
        is_as_schemars_makes_it::<String>();
        is_as_schemars_makes_it::<()>();
    }
}
