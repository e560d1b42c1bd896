//! References: component properties that name other components.

use serde_json::Value;

use crate::a2ui::{ComponentCatalog, SurfaceComponent};

/// A component id in another component's property.
pub(super) struct ChildReference<'c> {
    /// The property path in the component, such as `children[1]`.
    pub(super) path: String,
    /// The id referred to.
    pub(super) to: &'c str,
}

/// Returns a component's references: `child`, `children`, and the properties that the catalog schema marks by format, also inside
/// object lists.
pub(super) fn references<'c>(
    component: &'c SurfaceComponent,
    catalog: Option<&ComponentCatalog>,
) -> impl Iterator<Item = ChildReference<'c>> {
    let mut found = Vec::new();
    let properties = component.json();
    add_value("child", properties.get("child"), &mut found);
    add_list("children", properties.get("children"), &mut found);
    let schema =
        component.name().and_then(|name| catalog?.components.get(name)?.get("properties")?.as_object());
    let marked =
        schema.into_iter().flatten().filter(|(name, _)| !["child", "children"].contains(&name.as_str()));
    for (name, schema) in marked {
        let value = properties.get(name);
        if add_by_format(name, schema, value, &mut found) || schema.get("type") != Some(&Value::from("array"))
        {
            continue;
        }
        let parts = schema.get("items").and_then(|items| items.get("properties")?.as_object());
        let elements = value.and_then(Value::as_array).into_iter().flatten();
        for (index, element) in elements.enumerate().filter(|(_, element)| element.is_object()) {
            for (part, schema) in parts.into_iter().flatten() {
                add_by_format(&format!("{name}[{index}].{part}"), schema, element.get(part), &mut found);
            }
        }
    }
    found.into_iter()
}

/// Adds the references in a property that the schema marks. True if the schema marks the property.
fn add_by_format<'c>(
    path: &str,
    schema: &Value,
    value: Option<&'c Value>,
    found: &mut Vec<ChildReference<'c>>,
) -> bool {
    let mark = schema.get("format").or_else(|| schema.get("$ref")).and_then(Value::as_str);
    // The published catalogs refer to A2UI's common types.
    match mark.map(|mark| mark.rsplit("#/$defs/").next().unwrap_or(mark)) {
        Some("componentRef" | "Child" | "ComponentId") => add_value(path, value, found),
        Some("componentRefList" | "ChildList") => add_list(path, value, found),
        _ => return false,
    }
    true
}

fn add_list<'c>(path: &str, value: Option<&'c Value>, found: &mut Vec<ChildReference<'c>>) {
    match value {
        Some(Value::Array(elements)) => {
            for (index, element) in elements.iter().enumerate() {
                add_value(&format!("{path}[{index}]"), Some(element), found);
            }
        }
        other => add_value(path, other, found),
    }
}

/// Adds an id, a template, or a list with both, from one path.
fn add_value<'c>(path: &str, value: Option<&'c Value>, found: &mut Vec<ChildReference<'c>>) {
    let several = value.and_then(Value::as_array);
    for value in several.into_iter().flatten().chain(value) {
        let id = value.as_str().or_else(|| value.get("componentId")?.as_str());
        found.extend(id.map(|to| ChildReference { path: path.to_owned(), to }));
    }
}
