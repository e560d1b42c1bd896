//! A component of a surface, as a catalog defines it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::protocol::JsonObject;

/// A component of a surface: an id, the name of a component in the catalog of the page, and its properties (A2UI v0.9, section
/// "`updateComponents`").
///
/// Components are a flat list, and name each other by their ids. A property is a value, or [bound](Self::bind) to a place in the data of
/// the surface. [`validate`](fn@super::validate) finds mistakes.
///
/// ```
/// use agui_runtime::a2ui::Component;
/// use serde_json::json;
///
/// let card = Component::new("card", "HotelCard")
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
/// let layout: Vec<Component> = serde_json::from_str(layout)?;
/// assert_eq!(layout[0].id(), Some("root"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Component(JsonObject);

impl Component {
    /// Returns a component without properties: its id, and its name in the catalog. The component of the surface itself has the id `root`.
    ///
    /// ```
    /// let root = agui_runtime::a2ui::Component::new("root", "Column");
    /// assert_eq!((root.id(), root.name()), (Some("root"), Some("Column")));
    /// ```
    #[must_use]
    pub fn new(id: impl Into<String>, name: impl Into<String>) -> Self {
        let (id, name): (String, String) = (id.into(), name.into());
        Self(JsonObject::from_iter([("id".to_owned(), id.into()), ("component".to_owned(), name.into())]))
    }

    /// Sets a property.
    ///
    /// ```
    /// let title = agui_runtime::a2ui::Component::new("title", "Text").with("text", "Hotels").with("variant", "h2");
    /// assert_eq!(title.json()["variant"], "h2");
    /// ```
    #[must_use]
    pub fn with(mut self, property: impl Into<String>, value: impl Into<Value>) -> Self {
        self.0.insert(property.into(), value.into());
        self
    }

    /// Binds a property to a place in the data. A path that begins with `/` is one of the whole data; any other is one of the element for
    /// which a [template](Self::for_each) is repeated. The page writes the user's text of a bound field to that place.
    ///
    /// ```
    /// let name = agui_runtime::a2ui::Component::new("name", "TextField").with("label", "Name").bind("value", "/form/name");
    /// assert_eq!(name.json()["value"]["path"], "/form/name");
    /// ```
    #[must_use]
    pub fn bind(self, property: impl Into<String>, path: impl Into<String>) -> Self {
        let path: String = path.into();
        self.with(property, json!({ "path": path }))
    }

    /// Sets the id of the component inside, for containers of one.
    ///
    /// ```
    /// let card = agui_runtime::a2ui::Component::new("root", "Card").child("title");
    /// assert_eq!(card.json()["child"], "title");
    /// ```
    #[must_use]
    pub fn child(self, id: impl Into<String>) -> Self {
        let id: String = id.into();
        self.with("child", id)
    }

    /// Sets the ids of the components inside, in their order.
    ///
    /// ```
    /// use serde_json::json;
    ///
    /// let column = agui_runtime::a2ui::Component::new("root", "Column").children(["title", "list"]);
    /// assert_eq!(column.json()["children"], json!(["title", "list"]));
    /// ```
    #[must_use]
    pub fn children<I: Into<String>>(self, ids: impl IntoIterator<Item = I>) -> Self {
        let ids: Vec<Value> = ids.into_iter().map(|id| Value::String(id.into())).collect();
        self.with("children", ids)
    }

    /// Repeats a component for each element of a list in the data.
    ///
    /// ```
    /// use serde_json::json;
    ///
    /// let list = agui_runtime::a2ui::Component::new("root", "List").for_each("/hotels", "card");
    /// assert_eq!(list.json()["children"], json!({ "componentId": "card", "path": "/hotels" }));
    /// ```
    #[must_use]
    pub fn for_each(self, path: impl Into<String>, component_id: impl Into<String>) -> Self {
        let (path, component_id): (String, String) = (path.into(), component_id.into());
        self.with("children", json!({ "componentId": component_id, "path": path }))
    }

    /// Sets the event that the component sends to the agent, and the values that come with it: each a value, or `{"path": …}`, whose
    /// value is taken from the data when the user acts. The agent reads it as a [`UserAction`](super::UserAction).
    ///
    /// ```
    /// use serde_json::json;
    ///
    /// let button = agui_runtime::a2ui::Component::new("send", "Button")
    ///     .child("label")
    ///     .event("send", [("name", json!({ "path": "/form/name" }))]);
    /// assert_eq!(button.json()["action"]["event"]["name"], "send");
    /// ```
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

    /// Returns the id, if it is a text.
    ///
    /// ```
    /// assert_eq!(agui_runtime::a2ui::Component::new("root", "Column").id(), Some("root"));
    /// ```
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.0.get("id")?.as_str()
    }

    /// Returns the name of the component in the catalog, if it is a text.
    ///
    /// ```
    /// assert_eq!(agui_runtime::a2ui::Component::new("root", "Column").name(), Some("Column"));
    /// ```
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.0.get("component")?.as_str()
    }

    /// Returns the component as JSON.
    ///
    /// ```
    /// assert_eq!(agui_runtime::a2ui::Component::new("root", "Column").json().len(), 2);
    /// ```
    #[must_use]
    pub fn json(&self) -> &JsonObject {
        &self.0
    }
}

/// A component as it is.
impl From<JsonObject> for Component {
    fn from(component: JsonObject) -> Self {
        Self(component)
    }
}

impl From<Component> for Value {
    fn from(component: Component) -> Self {
        Self::Object(component.0)
    }
}
