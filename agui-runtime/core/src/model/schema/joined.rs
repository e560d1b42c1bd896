//! Joins objects that are stated in several places, as serde does for `flatten` and for internally tagged enums with struct
//! variants.

use serde_json::Value;

use super::place::{SchemaFault, SchemaPath};
use super::walk::{SchemaObject, definition, each_child};
use crate::json::RemoveMember as _;

/// Keywords in objects that can be joined.
const JOINED: [&str; 5] = ["type", "title", "description", "properties", "required"];

/// Returns an equivalent schema with each such object in one place, where possible: some subsets allow nothing beside a reference
/// or beside alternatives.
pub(super) fn join_objects(root: &Value) -> Result<Value, SchemaFault> {
    let mut schema = root.clone();
    join(&mut schema, root)?;
    Ok(schema)
}

fn join(schema: &mut Value, root: &Value) -> Result<(), SchemaFault> {
    let Value::Object(members) = schema else { return Ok(()) };
    if members.contains_key("properties") {
        let joined = with_reference(members, root).or_else(|| with_alternatives(members, root));
        if let Some(joined) = joined {
            *members = joined;
        }
    }
    each_child(members, &SchemaPath::root(), &mut |child, _| join(child, root))
}

/// Joins an object with the object to which its `$ref` leads.
fn with_reference(members: &SchemaObject, root: &Value) -> Option<SchemaObject> {
    let mut own = members.clone();
    own.remove_member("$ref")?;
    join_members(&own, referred(members, root)?)
}

fn referred<'s>(members: &SchemaObject, root: &'s Value) -> Option<&'s SchemaObject> {
    let reference = members.get("$ref")?.as_str()?;
    definition(root, reference, &SchemaPath::root()).ok()?.1.as_object()
}

/// Joins an object into each of its alternatives.
fn with_alternatives(members: &SchemaObject, root: &Value) -> Option<SchemaObject> {
    let keyword = ["oneOf", "anyOf"].into_iter().find(|keyword| members.contains_key(*keyword))?;
    let mut own = members.clone();
    let Value::Array(list) = own.remove_member(keyword)? else { return None };
    let mut joined = SchemaObject::new();
    for annotation in ["title", "description"] {
        joined.extend(own.remove_member(annotation).map(|value| (annotation.to_owned(), value)));
    }
    let with_own = |alternative: &Value| {
        let members = alternative.as_object()?;
        let alone = members.len() == 1;
        let alternative = match referred(members, root) {
            Some(referred) if alone => referred.clone(),
            Some(_) => with_reference(members, root)?,
            None => members.clone(),
        };
        join_members(&own, &alternative).map(Value::Object)
    };
    let alternatives: Option<Vec<Value>> = list.iter().map(with_own).collect();
    joined.insert(keyword.to_owned(), alternatives?.into());
    Some(joined)
}

/// Returns one object with the members of both; `None` if they define a member differently, or have other keywords.
fn join_members(one: &SchemaObject, other: &SchemaObject) -> Option<SchemaObject> {
    let are_joined = |object: &SchemaObject| object.keys().all(|keyword| JOINED.contains(&keyword.as_str()));
    let types: Vec<_> = [one, other].into_iter().filter_map(|object| object.get("type")).collect();
    let are_objects = !types.is_empty() && types.iter().all(|of| *of == "object");
    if !are_joined(one) || !are_joined(other) || !are_objects {
        return None;
    }
    let mut both = other.clone();
    both.extend(one.clone());
    both.insert("type".to_owned(), "object".into());
    both.insert("properties".to_owned(), properties(one, other)?.into());
    let required = [one, other].into_iter().filter_map(|object| object.get("required")?.as_array());
    both.insert("required".to_owned(), required.flatten().cloned().collect());
    Some(both)
}

fn properties(one: &SchemaObject, other: &SchemaObject) -> Option<SchemaObject> {
    let mut both = one.get("properties")?.as_object()?.clone();
    for (name, schema) in other.get("properties")?.as_object()? {
        if both.get(name).is_some_and(|own| own != schema) {
            return None;
        }
        both.insert(name.clone(), schema.clone());
    }
    Some(both)
}
