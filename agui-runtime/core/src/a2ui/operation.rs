//! The A2UI operations: on a surface, and of functions.

use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::{CallRendererFunction, FunctionResponse, SurfaceComponent, SurfaceVersion};
use crate::protocol::JsonObject;

/// An A2UI operation of v0.9 or v1.0, read from a [`SurfaceMessage`](super::SurfaceMessage).
///
/// ```
/// use agui_runtime::a2ui::{DeleteSurface, SurfaceMessage, SurfaceOperation};
///
/// let message = SurfaceMessage::new(DeleteSurface::new("flights"));
/// let Some(SurfaceOperation::DeleteSurface(gone)) = message.operation() else { panic!("{message:?}") };
/// assert_eq!(gone.surface_id, "flights");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SurfaceOperation {
    /// Creates a surface.
    CreateSurface(CreateSurface),
    /// Adds components, or replaces components with the same ids.
    UpdateComponents(UpdateComponents),
    /// Changes the data that the components show.
    UpdateDataModel(UpdateDataModel),
    /// Removes a surface.
    DeleteSurface(DeleteSurface),
    /// Calls a function on the page. New in v1.0.
    CallRendererFunction(CallRendererFunction),
    /// Answers the page's call of an agent's function. New in v1.0.
    AgentFunctionResponse(FunctionResponse),
}

/// Creates a surface (A2UI, section "`createSurface`"). In v1.0 the operation can hold the first components and the first data, and
/// has no theme. A page reports an error if a surface with this id exists and was not
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
    /// The id of the catalog that defines the components that name none themselves. `None` only in v1.0.
    pub catalog_id: Option<String>,
    /// The parameters for the catalog's theme. Only in v0.9.
    pub theme: Option<JsonObject>,
    /// True if the page sends the surface's data with its requests.
    pub send_data_model: Option<bool>,
    /// The first components, at least one. Only in v1.0.
    pub components: Option<Vec<SurfaceComponent>>,
    /// The first data. Only in v1.0.
    pub data_model: Option<JsonObject>,
    /// The members for extensions, by their names. Only in v1.0.
    pub metadata: Option<SurfaceMetadata>,
}

/// The metadata of a surface (A2UI v1.0, schema `agent_to_renderer.json`).
///
/// ```
/// use agui_runtime::a2ui::{CreateSurface, SurfaceMessage};
/// use serde_json::json;
///
/// let begin = CreateSurface::new("flights", "https://shop.example/catalog.json");
/// let begin = SurfaceMessage::new(begin.with_extensions([("shop_theme", json!({ "accent": "#0055aa" }))]));
/// assert_eq!(begin.json()["createSurface"]["metadata"]["extensions"]["shop_theme"]["accent"], "#0055aa");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct SurfaceMetadata {
    /// The values, by the extensions' names.
    pub extensions: Option<JsonObject>,
}

impl CreateSurface {
    /// Returns the operation without a theme; [`with_theme`](Self::with_theme) sets one.
    #[must_use]
    pub fn new(surface_id: impl Into<String>, catalog_id: impl Into<String>) -> Self {
        Self {
            surface_id: surface_id.into(),
            catalog_id: Some(catalog_id.into()),
            theme: None,
            send_data_model: None,
            components: None,
            data_model: None,
            metadata: None,
        }
    }

    /// Sets the first components. The message is then one of v1.0.
    ///
    /// ```
    /// use agui_runtime::a2ui::{CreateSurface, SurfaceComponent, SurfaceMessage};
    /// use serde_json::json;
    ///
    /// let text = SurfaceComponent::new("root", "Text").bind("text", "/greeting");
    /// let hello = CreateSurface::new("hello", "https://shop.example/catalog.json").with_components([text]);
    /// let hello = SurfaceMessage::new(hello.with_data_model([("greeting", json!("Hello!"))]));
    /// assert_eq!(hello.version(), Some("v1.0"));
    /// assert_eq!(hello.json()["createSurface"]["dataModel"], json!({ "greeting": "Hello!" }));
    /// ```
    #[must_use]
    pub fn with_components(self, components: impl IntoIterator<Item = SurfaceComponent>) -> Self {
        Self { components: Some(components.into_iter().collect()), ..self }
    }

    /// Sets the first data, by member. The message is then one of v1.0.
    #[must_use]
    pub fn with_data_model<N: Into<String>>(self, data: impl IntoIterator<Item = (N, Value)>) -> Self {
        let data = data.into_iter().map(|(name, value)| (name.into(), value)).collect();
        Self { data_model: Some(data), ..self }
    }

    /// Sets values for extensions, by their names. The message is then one of v1.0.
    #[must_use]
    pub fn with_extensions<N: Into<String>>(self, extensions: impl IntoIterator<Item = (N, Value)>) -> Self {
        let extensions = extensions.into_iter().map(|(name, value)| (name.into(), value)).collect();
        Self { metadata: Some(SurfaceMetadata { extensions: Some(extensions) }), ..self }
    }

    /// Sets theme parameters, by the names in the catalog. v1.0 has no theme.
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

/// Adds components, or replaces components with the same ids (A2UI, section "`updateComponents`"). One component on the
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

/// Changes the data that the components show (A2UI, section "`updateDataModel`").
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
    /// The new value. `None` removes the member. A JSON `null` is a value in v0.9; v1.0 writes the removal as `null`.
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

/// Removes a surface (A2UI, section "`deleteSurface`").
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
    ($($Operation:ident($Content:ident) $name:literal;)*) => {
        /// The message members that hold an operation.
        pub(super) const NAMES: [&str; 6] = [$($name),*];

        $(impl From<$Content> for SurfaceOperation {
            fn from(operation: $Content) -> Self {
                Self::$Operation(operation)
            }
        })*

        impl SurfaceOperation {
            /// Reads the operation with this name; `None` if the value has another shape, or the version has no such operation.
            pub(super) fn read(version: SurfaceVersion, name: &str, value: &Value) -> Option<Self> {
                let operation = match name {
                    $($name => $Content::deserialize(value).ok().map(Self::$Operation),)*
                    _ => None,
                }?;
                operation.of_version(version)
            }

            /// Returns the operation's message member: name and value.
            pub(super) fn into_member(self, version: SurfaceVersion) -> (&'static str, JsonObject) {
                match self {
                    $(Self::$Operation(operation) => ($name, operation.into_json(version)),)*
                }
            }
        }
    };
}

operations! {
    CreateSurface(CreateSurface) "createSurface";
    UpdateComponents(UpdateComponents) "updateComponents";
    UpdateDataModel(UpdateDataModel) "updateDataModel";
    DeleteSurface(DeleteSurface) "deleteSurface";
    CallRendererFunction(CallRendererFunction) "callRendererFunction";
    AgentFunctionResponse(FunctionResponse) "agentFunctionResponse";
}

impl SurfaceOperation {
    /// Returns the oldest version that has the operation with its members.
    pub(super) fn version(&self) -> SurfaceVersion {
        let is_new = match self {
            Self::CreateSurface(begin) => {
                let is_new =
                    begin.components.is_some() || begin.data_model.is_some() || begin.metadata.is_some();
                is_new || begin.catalog_id.is_none()
            }
            Self::CallRendererFunction(_) | Self::AgentFunctionResponse(_) => true,
            Self::UpdateComponents(_) | Self::UpdateDataModel(_) | Self::DeleteSurface(_) => false,
        };
        if is_new { SurfaceVersion::V1_0 } else { SurfaceVersion::V0_9 }
    }

    /// Returns the operation as this version means it; `None` if the version has no such operation.
    fn of_version(self, version: SurfaceVersion) -> Option<Self> {
        match (version, self) {
            (SurfaceVersion::V1_0, Self::UpdateDataModel(update)) => {
                // `null` removes, and without a value the message is not complete.
                let value = update.value?;
                Some(Self::UpdateDataModel(UpdateDataModel {
                    value: Some(value).filter(|value| !value.is_null()),
                    ..update
                }))
            }
            (SurfaceVersion::V1_0, Self::CreateSurface(begin)) => {
                begin.theme.is_none().then_some(Self::CreateSurface(begin))
            }
            (_, operation) => (operation.version() <= version).then_some(operation),
        }
    }
}

/// Builds an object, without the absent members.
fn object<const N: usize>(members: [(&str, Option<Value>); N]) -> JsonObject {
    let members = members.into_iter();
    members.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

fn components_json(components: Vec<SurfaceComponent>) -> Value {
    components.into_iter().map(Value::from).collect()
}

impl CreateSurface {
    fn into_json(self, version: SurfaceVersion) -> JsonObject {
        let theme = self.theme.filter(|_| version < SurfaceVersion::V1_0);
        object([
            ("surfaceId", Some(self.surface_id.into())),
            ("catalogId", self.catalog_id.map(Value::String)),
            ("theme", theme.map(Value::Object)),
            ("sendDataModel", self.send_data_model.map(Value::Bool)),
            ("components", self.components.map(components_json)),
            ("dataModel", self.data_model.map(Value::Object)),
            ("metadata", self.metadata.map(SurfaceMetadata::into_json)),
        ])
    }
}

impl SurfaceMetadata {
    fn into_json(self) -> Value {
        Value::Object(object([("extensions", self.extensions.map(Value::Object))]))
    }
}

impl UpdateComponents {
    fn into_json(self, _: SurfaceVersion) -> JsonObject {
        object([
            ("surfaceId", Some(self.surface_id.into())),
            ("components", Some(components_json(self.components))),
        ])
    }
}

impl UpdateDataModel {
    fn into_json(self, version: SurfaceVersion) -> JsonObject {
        let removal = (version >= SurfaceVersion::V1_0).then_some(Value::Null);
        object([
            ("surfaceId", Some(self.surface_id.into())),
            ("path", self.path.map(Value::String)),
            ("value", self.value.or(removal)),
        ])
    }
}

impl DeleteSurface {
    fn into_json(self, _: SurfaceVersion) -> JsonObject {
        object([("surfaceId", Some(self.surface_id.into()))])
    }
}

impl CallRendererFunction {
    fn into_json(self, _: SurfaceVersion) -> JsonObject {
        object([
            ("functionCallId", Some(self.function_call_id.into())),
            ("callFunction", Some(self.call.into_json())),
        ])
    }
}

impl FunctionResponse {
    fn into_json(self, _: SurfaceVersion) -> JsonObject {
        let (name, result) = match self.result {
            Ok(value) => ("value", value),
            Err(error) => ("error", json!({ "code": error.code, "message": error.message })),
        };
        object([("functionCallId", Some(self.function_call_id.into())), (name, Some(result))])
    }
}
