//! Validates whole surfaces, of either version and with components from several catalogs.

use std::collections::BTreeMap;

use serde_json::Value;

use super::properties::{check_calls, check_properties};
use super::{InvalidComponents, MOST, ProblemCode, ProblemList, check_tree};
use crate::a2ui::{
    ComponentCatalog, CreateSurface, Surface, SurfaceComponent, SurfaceOperation, UpdateDataModel,
};
use crate::protocol::JsonObject;
use crate::quoted::quoted;

/// A surface as all its messages draw it.
#[derive(Default)]
struct DrawnSurface {
    catalog_id: Option<String>,
    components: Vec<SurfaceComponent>,
    data: JsonObject,
}

impl Surface {
    /// Checks the surface against catalogs: what [`validate`](fn@crate::a2ui::validate) checks, then unknown properties, the types of properties,
    /// and the functions that components call, by name and arguments. Components are checked after all messages, each against the
    /// catalog that it names, else against the surface's catalog.
    ///
    /// A tool that takes a surface from a model returns the error: the model reads each problem with its path.
    ///
    /// # Errors
    /// [`InvalidComponents`] with all problems, at most 100. A message of an unknown version, a message that is no operation, and a
    /// catalog that is not among these are problems too.
    ///
    /// ```
    /// use agui_runtime::a2ui::{ComponentCatalog, Surface, SurfaceComponent};
    /// use serde_json::json;
    ///
    /// let price = json!({ "properties": { "cents": { "type": "integer" } }, "required": ["cents"], "additionalProperties": false });
    /// let shop = ComponentCatalog::new("https://shop.example/catalog.json").with("Price", price);
    /// let price = SurfaceComponent::new("root", "Price").with("cents", "three").with("colour", "red");
    /// let error = Surface::new("price", &shop.catalog_id, [price]).check(&[&shop]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the components are no surface:\n\
    ///      - [wrong_property] components[0].cents: Expected integer, and found a string\n\
    ///      - [unknown_property] components[0].colour: Component 'Price' has no property 'colour'; it has: cents",
    /// );
    /// ```
    pub fn check(&self, catalogs: &[&ComponentCatalog]) -> Result<(), InvalidComponents> {
        let mut found = ProblemList(Vec::new());
        for (surface_id, surface) in drawn(self, &mut found) {
            surface.check(&surface_id, catalogs, &mut found);
        }
        found.result()
    }
}

/// Applies the messages, and reports messages that cannot be read.
fn drawn(surface: &Surface, found: &mut ProblemList) -> BTreeMap<String, DrawnSurface> {
    let mut surfaces: BTreeMap<String, DrawnSurface> = BTreeMap::new();
    for (index, message) in surface.messages().iter().enumerate() {
        let path = || format!("messages[{index}]");
        let Some(operation) = message.operation() else {
            let text = match (message.known_version(), message.version()) {
                (Some(version), _) => format!("The message is not one operation of A2UI {version}"),
                (None, Some(version)) => {
                    format!("Unknown version '{}'; known are 'v0.9' and 'v1.0'", quoted(version))
                }
                (None, None) => "The message has no version; write 'v0.9' or 'v1.0'".to_owned(),
            };
            found.add(ProblemCode::UnreadMessage, path(), text);
            continue;
        };
        match operation {
            SurfaceOperation::CreateSurface(begin) => {
                let CreateSurface { surface_id, catalog_id, components, data_model, .. } = begin;
                let drawn = DrawnSurface {
                    catalog_id,
                    components: components.unwrap_or_default(),
                    data: data_model.unwrap_or_default(),
                };
                if surfaces.contains_key(&surface_id) {
                    let text = format!("The surface '{}' is created twice", quoted(&surface_id));
                    found.add(ProblemCode::UnreadMessage, path(), text);
                }
                surfaces.insert(surface_id, drawn);
            }
            SurfaceOperation::UpdateComponents(update) => {
                let drawn = surfaces.entry(update.surface_id).or_default();
                drawn.components.retain(|old| update.components.iter().all(|new| new.id() != old.id()));
                drawn.components.extend(update.components);
            }
            SurfaceOperation::UpdateDataModel(update) => {
                let drawn = surfaces.entry(update.surface_id.clone()).or_default();
                apply(update, &mut drawn.data);
            }
            SurfaceOperation::DeleteSurface(gone) => {
                surfaces.remove(&gone.surface_id);
            }
            SurfaceOperation::CallRendererFunction(_) | SurfaceOperation::AgentFunctionResponse(_) => {}
        }
    }
    surfaces
}

/// Sets or removes a value. Missing objects on the way are created; a path through another value is not there afterwards.
fn apply(update: UpdateDataModel, data: &mut JsonObject) {
    let path = update.path.unwrap_or_default();
    let mut names = path
        .split('/')
        .filter(|name| !name.is_empty())
        .map(|name| name.replace("~1", "/").replace("~0", "~"));
    let Some(mut name) = names.next() else {
        *data = match update.value {
            Some(Value::Object(all)) => all,
            _ => JsonObject::new(),
        };
        return;
    };
    let mut at = data;
    for next in names {
        let member = at.entry(name).or_insert_with(|| Value::Object(JsonObject::new()));
        if let Value::Array(elements) = member {
            // The path ends in a list: as far as bindings are concerned the list is there.
            if let (Ok(index), Some(value)) = (next.parse::<usize>(), update.value)
                && index == elements.len()
            {
                elements.push(value);
            }
            return;
        }
        let Value::Object(inner) = member else { return };
        at = inner;
        name = next;
    }
    match update.value {
        Some(value) => at.insert(name, value),
        None => at.remove(&name),
    };
}

impl DrawnSurface {
    fn check(&self, surface_id: &str, catalogs: &[&ComponentCatalog], found: &mut ProblemList) {
        let named = |id: Option<&str>| {
            catalogs.iter().copied().find(|catalog| Some(catalog.catalog_id.as_str()) == id)
        };
        let default = self.catalog_id.as_deref();
        if default.is_some() && named(default).is_none() {
            let (id, known) = (quoted(default.unwrap_or_default()), known(catalogs));
            let text = format!("Unknown catalog '{id}'; known are {known}");
            found.add(
                ProblemCode::UnknownCatalog,
                format!("surfaces[{}].catalogId", quoted(surface_id)),
                text,
            );
        }
        if self.components.is_empty() {
            found.add(
                ProblemCode::EmptyComponents,
                "components",
                "A2UI components must be a non-empty array",
            );
            return;
        }
        let catalog_of = |component: &SurfaceComponent| named(component.catalog_id().or(default));
        check_tree(&self.components, &self.data, &catalog_of, found);
        for (index, component) in self.components.iter().enumerate() {
            if found.0.len() >= MOST {
                return;
            }
            let path = format!("components[{index}]");
            let own = component.catalog_id();
            let Some(catalog) = named(own.or(default)) else {
                if let Some(own) = own {
                    let text = format!("Unknown catalog '{}'; known are {}", quoted(own), known(catalogs));
                    found.add(ProblemCode::UnknownCatalog, format!("{path}.catalogId"), text);
                } else if default.is_none() {
                    let text = "The component names no catalog, and the surface neither".to_owned();
                    found.add(ProblemCode::UnknownCatalog, path, text);
                }
                continue;
            };
            check_properties(&path, component, catalog, found);
            let called = |id: Option<&str>| named(id.or(default));
            component
                .json()
                .iter()
                .for_each(|(name, value)| check_calls(&format!("{path}.{name}"), value, &called, found));
        }
    }
}

fn known(catalogs: &[&ComponentCatalog]) -> String {
    let ids: Vec<_> = catalogs.iter().map(|catalog| format!("'{}'", quoted(&catalog.catalog_id))).collect();
    if ids.is_empty() { "none".to_owned() } else { ids.join(", ") }
}
