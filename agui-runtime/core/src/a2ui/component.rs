//! A surface component, as a catalog defines it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::protocol::JsonObject;

/// A surface component: an id, a component name from the page's catalog, and properties (A2UI, section "`updateComponents`").
///
/// Components form a flat list, and refer to each other by id. A property is a value, or [bound](Self::bind) to a path in the
/// surface's data. [`validate`](fn@super::validate) finds mistakes.
///
/// ```
/// use agui_runtime::a2ui::SurfaceComponent;
/// use serde_json::json;
///
/// let card = SurfaceComponent::new("card", "HotelCard")
///     .bind("name", "name")
///     .event("book", [("hotel", json!({ "path": "name" }))]);
/// assert_eq!(
///     serde_json::to_value(&card)?,
///     json!({
///         "id": "card",
///         "component": "HotelCard",
///         "name": { "path": "name" },
///         "action": { "event": { "name": "book", "context": { "hotel": { "path": "name" } } } },
///     }),
/// );
///
/// // A layout that never changes may stand in a file of the program.
/// let layout = r#"[{"id":"root","component":"Text","text":{"path":"/greeting"}}]"#;
/// let layout: Vec<SurfaceComponent> = serde_json::from_str(layout)?;
/// assert_eq!(layout[0].id(), Some("root"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct SurfaceComponent(JsonObject);

impl SurfaceComponent {
    /// Returns a component without properties: id and catalog name. The surface's root component has the id `root`.
    ///
    /// ```
    /// let root = agui_runtime::a2ui::SurfaceComponent::new("root", "Column");
    /// assert_eq!((root.id(), root.name()), (Some("root"), Some("Column")));
    /// ```
    #[must_use]
    pub fn new(id: impl Into<String>, name: impl Into<String>) -> Self {
        let (id, name): (String, String) = (id.into(), name.into());
        Self(JsonObject::from_iter([("id".to_owned(), id.into()), ("component".to_owned(), name.into())]))
    }

    /// Sets a property.
    #[must_use]
    pub fn with(mut self, property: impl Into<String>, value: impl Into<Value>) -> Self {
        self.0.insert(property.into(), value.into());
        self
    }

    /// Binds a property to a data path. A path with a leading `/` starts at the whole data; any other path starts at the element
    /// for which a [template](Self::for_each) is repeated. The page writes user input in a bound field to that path.
    #[must_use]
    pub fn bind(self, property: impl Into<String>, path: impl Into<String>) -> Self {
        let path: String = path.into();
        self.with(property, json!({ "path": path }))
    }

    /// Sets the child's id, for containers with one child.
    #[must_use]
    pub fn child(self, id: impl Into<String>) -> Self {
        let id: String = id.into();
        self.with("child", id)
    }

    /// Sets the children's ids, in order.
    #[must_use]
    pub fn children<I: Into<String>>(self, ids: impl IntoIterator<Item = I>) -> Self {
        let ids: Vec<Value> = ids.into_iter().map(|id| Value::String(id.into())).collect();
        self.with("children", ids)
    }

    /// Repeats a component for each element in a data array.
    #[must_use]
    pub fn for_each(self, path: impl Into<String>, component_id: impl Into<String>) -> Self {
        let (path, component_id): (String, String) = (path.into(), component_id.into());
        self.with("children", json!({ "componentId": component_id, "path": path }))
    }

    /// Sets the event that the component sends to the agent, with context values: each a plain value, or `{"path": …}`, which the
    /// page replaces by the data at that path when the user acts. The agent reads the event as a
    /// [`UserAction`](super::UserAction).
    #[must_use]
    pub fn event<N: Into<String>>(
        self,
        name: impl Into<String>,
        context: impl IntoIterator<Item = (N, Value)>,
    ) -> Self {
        let context: JsonObject = context.into_iter().map(|(name, value)| (name.into(), value)).collect();
        let name: String = name.into();
        self.with("action", json!({ "event": { "name": name, "context": context } }))
    }

    /// Takes the component from another catalog than the surface's. New in v1.0: such a surface has no form in v0.9.
    ///
    /// ```
    /// use agui_runtime::a2ui::SurfaceComponent;
    ///
    /// let chart = SurfaceComponent::new("chart", "Chart").from_catalog("https://charts.example/catalog.json");
    /// assert_eq!(chart.catalog_id(), Some("https://charts.example/catalog.json"));
    /// ```
    #[must_use]
    pub fn from_catalog(self, catalog_id: impl Into<String>) -> Self {
        let catalog_id: String = catalog_id.into();
        self.with("catalogId", catalog_id)
    }

    /// Returns the id, if the member is a string.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.0.get("id")?.as_str()
    }

    /// Returns the component's catalog name, if the member is a string.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.0.get("component")?.as_str()
    }

    /// Returns the id of the component's own catalog; `None` means the surface's catalog. New in v1.0.
    #[must_use]
    pub fn catalog_id(&self) -> Option<&str> {
        self.0.get("catalogId")?.as_str()
    }

    pub(super) fn into_json(self) -> JsonObject {
        self.0
    }

    /// Returns the component as JSON.
    #[must_use]
    pub fn json(&self) -> &JsonObject {
        &self.0
    }
}

/// Takes component JSON unchanged.
impl From<JsonObject> for SurfaceComponent {
    fn from(component: JsonObject) -> Self {
        Self(component)
    }
}

impl From<SurfaceComponent> for Value {
    fn from(component: SurfaceComponent) -> Self {
        Self::Object(component.0)
    }
}
