//! Lowers schemas that apply together: all must describe objects.

use std::collections::BTreeSet;
use std::fmt::Arguments;

use serde_json::{Map, Value};

use super::keyword::{KeywordRole, role};
use super::schema::SchemaLowering;
use crate::ir::{AdditionalProperties, ObjectType, Type};

impl SchemaLowering<'_> {
    /// Combines `object`'s own keywords with the parts beside them.
    pub(super) fn conjunction(
        &mut self,
        object: &Map<String, Value>,
        mut parts: Vec<Type>,
        path: Arguments<'_>,
    ) -> Type {
        let says_object = object.get("type").and_then(Value::as_str) == Some("object");
        let has_own = object.keys().any(|key| {
            !matches!(key.as_str(), "$ref" | "allOf" | "anyOf" | "oneOf" | "type" | "not")
                && role(key) == KeywordRole::Structure
        });
        if object.contains_key("type") && !says_object {
            return self.problem(path, "only an object can be combined with another schema");
        }
        if parts.len() == 1 && !has_own && !says_object {
            return parts.pop().unwrap_or(Type::Any);
        }
        if has_own {
            if object.contains_key("additionalProperties") {
                let message = "`additionalProperties` beside another schema contradicts it: \
                               use `unevaluatedProperties`";
                return self.problem(format_args!("{path}/additionalProperties"), message);
            }
            let own = self.object(object, path);
            parts.insert(0, own);
        }
        let mut kept = Vec::new();
        for part in parts {
            match open_alternatives(part) {
                Type::Any => {}
                part => {
                    let is_own = has_own && kept.is_empty();
                    if !self.is_trial
                        && let Err(message) = self.check_part(&part, is_own, &mut BTreeSet::new())
                    {
                        return self.problem(path, message);
                    }
                    kept.push(part);
                }
            }
        }
        match kept.len() {
            0 if says_object => {
                Type::Object(ObjectType { fields: Vec::new(), extra: AdditionalProperties::Open })
            }
            0 => Type::Any,
            1 => kept.pop().unwrap_or(Type::Any),
            _ => Type::Intersection(kept),
        }
    }

    /// Checks that `part` is an object that allows other parts' members. `own` is true for the keywords beside the
    /// parts, whose `unevaluatedProperties` see all parts; `seen` contains the types that were checked.
    fn check_part(&self, part: &Type, own: bool, seen: &mut BTreeSet<String>) -> Result<(), &'static str> {
        match part {
            Type::Object(ObjectType { extra: AdditionalProperties::Open, .. }) => Ok(()),
            Type::Object(_) if own => Ok(()),
            Type::Object(_) => Err("an object that says what other members it may have cannot be combined"),
            Type::Map(_) => Err("a map cannot be combined with another schema"),
            Type::Union(union) => {
                union.variants.iter().try_for_each(|variant| self.check_part(&variant.ty, false, seen))
            }
            Type::Intersection(parts) => parts.iter().try_for_each(|part| self.check_part(part, false, seen)),
            Type::Ref(name) if seen.insert(name.clone()) => {
                let Some(schema) = self.definitions.get(name) else { return Ok(()) };
                // Problems inside the named type are reported for that type.
                let mut aside = SchemaLowering { is_trial: true, ..SchemaLowering::new(self.definitions) };
                let target = aside.schema(schema, format_args!(""));
                self.check_part(&target, false, seen)
            }
            Type::Ref(_) => Ok(()),
            Type::Never => Ok(()),
            _ => Err("only objects can be combined: one of the schemas is not an object"),
        }
    }
}

/// Turns `{}` among alternatives into an unconstrained object, which `{}` means in a conjunction with objects.
fn open_alternatives(part: Type) -> Type {
    match part {
        Type::Union(mut union) => {
            for variant in &mut union.variants {
                variant.ty = match open_alternatives(std::mem::replace(&mut variant.ty, Type::Any)) {
                    Type::Any => {
                        Type::Object(ObjectType { fields: Vec::new(), extra: AdditionalProperties::Open })
                    }
                    ty => ty,
                };
            }
            Type::Union(union)
        }
        other => other,
    }
}
