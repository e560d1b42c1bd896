//! The catalog: components that a page can draw, and functions that components call, by name.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use super::SurfaceVersion;
use crate::agent::PublicError;
use crate::protocol::{Context, JsonObject};
use crate::quoted::quoted;

/// The components that a page can draw: each name, with the JSON Schema for the properties (A2UI, section "Catalogs"). The functions
/// are a map too; the list of v0.9 is read into this map.
///
/// [`validate`](fn@super::validate) checks components against the catalog. A page sends its catalog in the context, as
/// CopilotKit's pages do, or through `@ag-ui/a2ui-middleware` with `schema`; [`from_context`](Self::from_context) reads that entry. A model needs the catalog's JSON in its
/// prompt.
///
/// ```
/// use agui_runtime::a2ui::ComponentCatalog;
/// use serde_json::json;
///
/// let catalog = ComponentCatalog::new("https://shop.example/catalog.json")
///     .with("Price", json!({ "properties": { "cents": { "type": "integer" } }, "required": ["cents"] }));
/// let prompt = format!("Draw with these components: {}", serde_json::to_string(&catalog)?);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ComponentCatalog {
    /// The catalog id, which [`CreateSurface`](super::CreateSurface) names.
    pub catalog_id: String,
    /// The A2UI version of the definitions, such as `1.0`; `None` means `0.9`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol_version: Option<String>,
    /// The component schemas (JSON Schema), by name. A catalog with functions alone may leave them out.
    #[serde(default)]
    pub components: JsonObject,
    /// The function definitions, by name: the schema for a call, with `returnType` and `allowedCallers`.
    #[serde(default, deserialize_with = "functions", skip_serializing_if = "JsonObject::is_empty")]
    pub functions: JsonObject,
}

/// Reads the map of v1.0, or the list of v0.9, in which each function has `name`, `parameters` and `returnType`.
fn functions<'de, D: Deserializer<'de>>(deserializer: D) -> Result<JsonObject, D::Error> {
    /// A function in v0.9.
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct NamedFunction {
        name: String,
        parameters: Value,
        return_type: String,
    }

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Functions {
        Map(JsonObject),
        List(Vec<NamedFunction>),
    }

    let list = match Functions::deserialize(deserializer)? {
        Functions::Map(functions) => return Ok(functions),
        Functions::List(list) => list,
    };
    let mut functions = JsonObject::new();
    for NamedFunction { name, parameters, return_type } in list {
        let definition = function_definition(&name, &parameters, &return_type, None);
        if functions.insert(name.clone(), definition).is_some() {
            return Err(serde::de::Error::custom(format_args!(
                "the function `{}` is there twice",
                quoted(&name)
            )));
        }
    }
    Ok(functions)
}

/// Returns a function's definition in v1.0 (schema `catalog_definition.json`).
pub(super) fn function_definition(
    name: &str,
    arguments: &Value,
    returns: &str,
    callers: Option<&str>,
) -> Value {
    let mut definition = json!({
        "type": "object",
        "properties": { "call": { "const": name }, "args": arguments },
        "required": ["call", "args"],
        "returnType": returns,
    });
    if let (Some(callers), Some(members)) = (callers, definition.as_object_mut()) {
        members.insert("allowedCallers".to_owned(), callers.into());
        // The published schema takes a missing member for `true`, which only the renderer's own calls can meet.
        members.insert("requiresUserActivation".to_owned(), false.into());
    }
    definition
}

impl ComponentCatalog {
    /// The description that marks the context entry in which the middleware sends a page's catalog.
    pub const CONTEXT: &'static str = "A2UI Component Schema — available components for generating UI surfaces. Use these component \
                                       names and properties when creating A2UI operations.";

    /// The id of the catalog that every A2UI v0.9 page has. [`Surface::in_version`](super::Surface::in_version) writes
    /// [`BASIC_V1_0`](Self::BASIC_V1_0) in its place for pages of v1.0.
    pub const BASIC: &'static str = "https://a2ui.org/specification/v0_9/basic_catalog.json";

    /// The id of the catalog that every A2UI v1.0 page has.
    pub const BASIC_V1_0: &'static str = "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json";

    /// Returns a catalog without components; [`with`](Self::with) adds one.
    #[must_use]
    pub fn new(catalog_id: impl Into<String>) -> Self {
        Self {
            catalog_id: catalog_id.into(),
            protocol_version: None,
            components: JsonObject::new(),
            functions: JsonObject::new(),
        }
    }

    /// Adds a component. In the schema, [`validate`](fn@super::validate) reads `required`, and in `properties` the formats
    /// `componentRef` and `componentRefList`, which mark properties that name components.
    #[must_use]
    pub fn with(mut self, component: impl Into<String>, schema: impl Into<Value>) -> Self {
        self.components.insert(component.into(), schema.into());
        self
    }

    /// Returns the version of the definitions; `None` without a version, and for one unknown to this crate.
    pub(super) fn version(&self) -> Option<SurfaceVersion> {
        SurfaceVersion::named(&format!("v{}", self.protocol_version.as_ref()?))
    }

    /// Reads the page's catalog from the input context; `None` if the page sent no catalog.
    ///
    /// # Errors
    /// [`CatalogError`] if the entry is not a catalog of v0.9 or v1.0, for example the older component list.
    ///
    /// ```
    /// use agui_runtime::a2ui::ComponentCatalog;
    /// use agui_runtime::prelude::*;
    ///
    /// /// Tells the user about the page.
    /// #[agent]
    /// async fn designer(run: &mut Run<Designer>, input: Input<Designer>) -> Result<(), Stop> {
    ///     match ComponentCatalog::from_context(input.context())? {
    ///         Some(catalog) => run.say(format!("I have {} components.", catalog.components.len())).await,
    ///         None => run.say("I can only talk here.").await,
    ///     };
    ///     Ok(())
    /// }
    /// # let events = futures::executor::block_on(agui_runtime::testing::run(Designer::new(), agui_runtime::testing::input("?")));
    /// # assert_eq!(agui_runtime::testing::texts(&events), ["I can only talk here."]);
    /// ```
    pub fn from_context(context: &[Context]) -> Result<Option<Self>, CatalogError> {
        let Some(entry) = context.iter().find(|entry| entry.description == Self::CONTEXT) else {
            return Ok(None);
        };
        match serde_json::from_str(&entry.value) {
            Ok(catalog) => Ok(Some(catalog)),
            Err(error) => {
                Err(CatalogError::Unread { reason: quoted(crate::json::message(&error)).to_string() })
            }
        }
    }
}

/// A page's catalogs cannot be used.
///
/// ```
/// use agui_runtime::a2ui::ComponentCatalog;
/// use agui_runtime::protocol::Context;
///
/// let error = ComponentCatalog::from_context(&[Context::new(ComponentCatalog::CONTEXT, "[]")]).unwrap_err();
/// assert!(error.to_string().starts_with("the page's catalog of A2UI is not one of v0.9 or v1.0: "), "{error}");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogError {
    /// The JSON is not a catalog.
    #[error("the page's catalog of A2UI is not one of v0.9 or v1.0: {reason}")]
    #[non_exhaustive]
    Unread {
        /// The value that was expected.
        reason: String,
    },
    /// Two catalogs have one id, and differ.
    #[error("two catalogs have the id `{catalog_id}`, and differ: give each catalog an id of its own")]
    #[non_exhaustive]
    Contradicting {
        /// The id.
        catalog_id: String,
    },
}

impl PublicError for CatalogError {}
