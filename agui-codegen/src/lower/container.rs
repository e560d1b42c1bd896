//! Lowers lists and objects.

use std::fmt::Arguments;

use agui_runtime::manifest::allows_nothing;
use serde_json::{Map, Value};

use super::problem::PointerToken;
use super::schema::{SchemaLowering, doc};
use crate::ir::{AdditionalProperties, ArrayType, MapKey, MapType, ObjectField, ObjectType, Type};

impl SchemaLowering<'_> {
    pub(super) fn array(&mut self, object: &Map<String, Value>, path: Arguments<'_>) -> Type {
        let min = object.get("minItems").and_then(Value::as_u64);
        let max = object.get("maxItems").and_then(Value::as_u64);
        let others = object.get("items").filter(|items| !allows_nothing(items));
        match (object.get("prefixItems"), others) {
            (Some(Value::Array(places)), None) => {
                let length = u64::try_from(places.len()).ok();
                if min != length || (max != length && !object.contains_key("items")) {
                    return self
                        .problem(path, "a tuple must state that it has all of its places and no others");
                }
                let places = places.iter().enumerate();
                let items = places.map(|(i, item)| self.schema(item, format_args!("{path}/prefixItems/{i}")));
                Type::Tuple(items.collect())
            }
            (Some(_), _) => self.problem(path, "`prefixItems` beside `items` is not supported"),
            (None, None) if max == Some(0) => Type::Tuple(Vec::new()),
            (None, _) => {
                let items = object.get("items");
                let item = items.map_or(Type::Any, |items| self.schema(items, format_args!("{path}/items")));
                Type::Array(Box::new(ArrayType { item, min, max }))
            }
        }
    }

    /// Lowers an object to a struct, or to a map if the schema names no member.
    pub(super) fn object(&mut self, object: &Map<String, Value>, path: Arguments<'_>) -> Type {
        let fields = match object.get("properties") {
            None => Vec::new(),
            Some(Value::Object(properties)) => self.fields(properties, object, path),
            Some(_) => {
                return self.problem(format_args!("{path}/properties"), "expected an object of schemas");
            }
        };
        if let Some(patterns) = object.get("patternProperties") {
            return self.keyed_map(patterns, object, fields.is_empty(), path);
        }
        let other =
            ["additionalProperties", "unevaluatedProperties"].iter().find_map(|k| Some((k, object.get(*k)?)));
        let extra = match other {
            None => AdditionalProperties::Open,
            Some((_, Value::Bool(false))) => AdditionalProperties::Closed,
            Some((keyword, schema)) => {
                let value = self.schema(schema, format_args!("{path}/{keyword}"));
                if fields.is_empty() && *keyword == "additionalProperties" {
                    return Type::Map(Box::new(MapType { key: MapKey::String, value }));
                }
                AdditionalProperties::Typed(Box::new(value))
            }
        };
        Type::Object(ObjectType { fields, extra })
    }

    fn fields(
        &mut self,
        properties: &Map<String, Value>,
        object: &Map<String, Value>,
        path: Arguments<'_>,
    ) -> Vec<ObjectField> {
        let required: Vec<&str> = match object.get("required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        if let Some(name) = required.iter().find(|name| !properties.contains_key(**name)) {
            let message = format!("`{name}` is required but has no schema");
            self.problem(format_args!("{path}/required"), message);
        }
        let fields = properties.iter().map(|(name, schema)| ObjectField {
            name: name.clone(),
            ty: self.schema(schema, format_args!("{path}/properties/{}", PointerToken(name))),
            required: required.contains(&name.as_str()),
            doc: doc(schema),
        });
        fields.collect()
    }

    /// Lowers a map whose keys follow a pattern: schemars writes such a pattern for whole numbers.
    fn keyed_map(
        &mut self,
        patterns: &Value,
        object: &Map<String, Value>,
        alone: bool,
        path: Arguments<'_>,
    ) -> Type {
        let mut patterns = patterns.as_object().into_iter().flatten();
        let (Some((pattern, schema)), None) = (patterns.next(), patterns.next()) else {
            return self.problem(format_args!("{path}/patternProperties"), "expected exactly one pattern");
        };
        if !alone || object.get("additionalProperties") != Some(&Value::Bool(false)) {
            return self.problem(
                format_args!("{path}/patternProperties"),
                "a pattern for keys beside named members is not supported",
            );
        }
        let key = match pattern.as_str() {
            r"^\d+$" => MapKey::Integer { signed: false },
            r"^-?\d+$" => MapKey::Integer { signed: true },
            _ => MapKey::String,
        };
        let value = self.schema(schema, format_args!("{path}/patternProperties/{}", PointerToken(pattern)));
        Type::Map(Box::new(MapType { key, value }))
    }
}
