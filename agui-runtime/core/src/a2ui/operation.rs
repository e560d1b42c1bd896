//! The A2UI v0.9 operations on a surface.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::SurfaceComponent;
use crate::protocol::JsonObject;

/// An A2UI v0.9 operation, read from a [`SurfaceMessage`](super::SurfaceMessage).
///
/// ```
/// use agui_runtime::a2ui::{DeleteSurface, SurfaceMessage, SurfaceOperation};
///
/// let message = SurfaceMessage::new(DeleteSurface::new("flights"));
/// let Some(SurfaceOperation::DeleteSurface(gone)) = message.operation() else { panic!("{message:?}") };
/// assert_eq!(gone.surface_id, "flights");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum SurfaceOperation {
    /// Creates a surface.
    CreateSurface(CreateSurface),
    /// Adds components, or replaces components with the same ids.
    UpdateComponents(UpdateComponents),
    /// Changes the data that the components show.
    UpdateDataModel(UpdateDataModel),
    /// Removes a surface.
    DeleteSurface(DeleteSurface),
}

/// Creates a surface (A2UI v0.9, section "`createSurface`"). A page reports an error if a surface with this id exists and was not
/// deleted.
///
/// ```
/// use agui_runtime::a2ui::{CreateSurface, SurfaceMessage};
/// use serde_json::json;
///
/// let begin = CreateSurface::new("flights", "https://shop.example/catalog.json").sending_data();
/// let begin = SurfaceMessage::new(begin.with_theme([("primaryColor", "#0055aa".into())]));
/// assert_eq!(begin.json()["createSurface"]["theme"], json!({ "primaryColor": "#0055aa" }));
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CreateSurface {
    /// The surface id, unique on the page.
    pub surface_id: String,
    /// The id of the catalog that defines the surface's components.
    pub catalog_id: String,
    /// The parameters for the catalog's theme.
    pub theme: Option<JsonObject>,
    /// True if the page sends the surface's data with its requests.
    pub send_data_model: Option<bool>,
}

impl CreateSurface {
    /// Returns the operation without a theme; [`with_theme`](Self::with_theme) sets one.
    #[must_use]
    pub fn new(surface_id: impl Into<String>, catalog_id: impl Into<String>) -> Self {
        Self {
            surface_id: surface_id.into(),
            catalog_id: catalog_id.into(),
            theme: None,
            send_data_model: None,
        }
    }

    /// Sets theme parameters, by the names in the catalog.
    #[must_use]
    pub fn with_theme<N: Into<String>>(self, theme: impl IntoIterator<Item = (N, Value)>) -> Self {
        let theme = theme.into_iter().map(|(name, value)| (name.into(), value)).collect();
        Self { theme: Some(theme), ..self }
    }

    /// Asks the page to send the surface's data with each request.
    #[must_use]
    pub fn sending_data(self) -> Self {
        Self { send_data_model: Some(true), ..self }
    }
}

/// Adds components, or replaces components with the same ids (A2UI v0.9, section "`updateComponents`"). One component on the
/// surface has the id `root`.
///
/// ```
/// use agui_runtime::a2ui::{SurfaceComponent, SurfaceMessage, UpdateComponents};
///
/// let draw = UpdateComponents::new("hello", [SurfaceComponent::new("root", "Text").with("text", "Hello!")]);
/// let draw = SurfaceMessage::new(draw);
/// assert_eq!(draw.json()["updateComponents"]["components"][0]["id"], "root");
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UpdateComponents {
    /// The surface id.
    pub surface_id: String,
    /// The components, at least one.
    pub components: Vec<SurfaceComponent>,
}

impl UpdateComponents {
    /// Returns the operation, ready for [`Surface::push`](super::Surface::push).
    #[must_use]
    pub fn new(
        surface_id: impl Into<String>,
        components: impl IntoIterator<Item = SurfaceComponent>,
    ) -> Self {
        Self { surface_id: surface_id.into(), components: components.into_iter().collect() }
    }
}

/// Changes the data that the components show (A2UI v0.9, section "`updateDataModel`").
///
/// ```
/// use agui_runtime::a2ui::{SurfaceMessage, UpdateDataModel};
/// use serde_json::json;
///
/// let price = SurfaceMessage::new(UpdateDataModel::set("flights", "/flights/0/price", json!("$289")));
/// assert_eq!(price.json()["updateDataModel"]["value"], "$289");
/// let gone = SurfaceMessage::new(UpdateDataModel::remove("flights", "/note"));
/// assert_eq!(gone.json()["updateDataModel"].get("value"), None);
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UpdateDataModel {
    /// The surface id.
    pub surface_id: String,
    /// The path to change, a JSON Pointer (RFC 6901); `/` or `None` is the whole data.
    pub path: Option<String>,
    /// The new value. `None` removes the member; a JSON `null` is a value.
    #[serde(default, deserialize_with = "present")]
    pub value: Option<Value>,
}

/// Keeps an explicit `null` apart from a missing member.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl UpdateDataModel {
    /// Returns the operation that sets the value at a path. An array element is replaced, not inserted; the index after the last
    /// element appends.
    ///
    /// ```
    /// use agui_runtime::a2ui::UpdateDataModel;
    /// use serde_json::json;
    ///
    /// let all = UpdateDataModel::set("flights", "/", json!({ "flights": [] }));
    /// assert_eq!(all.value, Some(json!({ "flights": [] })));
    /// ```
    #[must_use]
    pub fn set(surface_id: impl Into<String>, path: impl Into<String>, value: impl Into<Value>) -> Self {
        Self { surface_id: surface_id.into(), path: Some(path.into()), value: Some(value.into()) }
    }

    /// Returns the operation that removes an object member; [`set`](Self::set) writes one.
    #[must_use]
    pub fn remove(surface_id: impl Into<String>, path: impl Into<String>) -> Self {
        Self { surface_id: surface_id.into(), path: Some(path.into()), value: None }
    }
}

/// Removes a surface (A2UI v0.9, section "`deleteSurface`").
///
/// ```
/// use agui_runtime::a2ui::{DeleteSurface, SurfaceMessage};
///
/// let gone = SurfaceMessage::new(DeleteSurface::new("flights"));
/// assert_eq!(gone.surface_id(), Some("flights"));
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct DeleteSurface {
    /// The surface id.
    pub surface_id: String,
}

impl DeleteSurface {
    /// Returns the operation, ready for [`Surface::push`](super::Surface::push).
    #[must_use]
    pub fn new(surface_id: impl Into<String>) -> Self {
        Self { surface_id: surface_id.into() }
    }
}

macro_rules! operations {
    ($($Operation:ident $name:literal;)*) => {
        /// The message members that hold an operation.
        pub(super) const NAMES: [&str; 4] = [$($name),*];

        $(impl From<$Operation> for SurfaceOperation {
            fn from(operation: $Operation) -> Self {
                Self::$Operation(operation)
            }
        })*

        impl SurfaceOperation {
            /// Reads the operation with this name; `None` if the value has another shape.
            pub(super) fn read(name: &str, value: &Value) -> Option<Self> {
                match name {
                    $($name => $Operation::deserialize(value).ok().map(Self::$Operation),)*
                    _ => None,
                }
            }

            /// Returns the operation's message member: name and value.
            pub(super) fn into_member(self) -> (&'static str, JsonObject) {
                match self {
                    $(Self::$Operation(operation) => ($name, operation.into_json()),)*
                }
            }
        }
    };
}

operations! {
    CreateSurface "createSurface";
    UpdateComponents "updateComponents";
    UpdateDataModel "updateDataModel";
    DeleteSurface "deleteSurface";
}

/// Builds an object, without the absent members.
fn object<const N: usize>(members: [(&str, Option<Value>); N]) -> JsonObject {
    let members = members.into_iter();
    members.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

impl CreateSurface {
    fn into_json(self) -> JsonObject {
        object([
            ("surfaceId", Some(self.surface_id.into())),
            ("catalogId", Some(self.catalog_id.into())),
            ("theme", self.theme.map(Value::Object)),
            ("sendDataModel", self.send_data_model.map(Value::Bool)),
        ])
    }
}

impl UpdateComponents {
    fn into_json(self) -> JsonObject {
        let components = self.components.into_iter().map(Value::from).collect();
        object([("surfaceId", Some(self.surface_id.into())), ("components", Some(Value::Array(components)))])
    }
}

impl UpdateDataModel {
    fn into_json(self) -> JsonObject {
        object([
            ("surfaceId", Some(self.surface_id.into())),
            ("path", self.path.map(Value::String)),
            ("value", self.value),
        ])
    }
}

impl DeleteSurface {
    fn into_json(self) -> JsonObject {
        object([("surfaceId", Some(self.surface_id.into()))])
    }
}
