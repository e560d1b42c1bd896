//! The catalog: components that a page can draw, by name.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::PublicError;
use crate::protocol::{Context, JsonObject};
use crate::quoted::quoted;

/// The components that a page can draw: each name, with the JSON Schema for the properties (A2UI v0.9, section "Catalogs").
///
/// [`validate`](fn@super::validate) checks components against the catalog. A page sends its catalog in the context, through
/// `@ag-ui/a2ui-middleware` with `schema`; [`from_context`](Self::from_context) reads that entry. A model needs the catalog's JSON in its
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
    /// The component schemas (JSON Schema), by name.
    pub components: JsonObject,
}

impl ComponentCatalog {
    /// The description that marks the context entry in which the middleware sends a page's catalog.
    pub const CONTEXT: &'static str = "A2UI Component Schema — available components for generating UI surfaces. Use these component \
                                       names and properties when creating A2UI operations.";

    /// The id of the catalog that every A2UI v0.9 page has.
    pub const BASIC: &'static str = "https://a2ui.org/specification/v0_9/basic_catalog.json";

    /// Returns a catalog without components; [`with`](Self::with) adds one.
    #[must_use]
    pub fn new(catalog_id: impl Into<String>) -> Self {
        Self { catalog_id: catalog_id.into(), components: JsonObject::new() }
    }

    /// Adds a component. In the schema, [`validate`](fn@super::validate) reads `required`, and in `properties` the formats
    /// `componentRef` and `componentRefList`, which mark properties that name components.
    #[must_use]
    pub fn with(mut self, component: impl Into<String>, schema: impl Into<Value>) -> Self {
        self.components.insert(component.into(), schema.into());
        self
    }

    /// Reads the page's catalog from the input context; `None` if the page sent no catalog.
    ///
    /// # Errors
    /// [`CatalogError`] if the entry is not a v0.9 catalog, for example the older component list.
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
            Err(error) => Err(CatalogError { reason: quoted(crate::json::message(&error)).to_string() }),
        }
    }
}

/// The page's catalog is not a v0.9 catalog.
///
/// ```
/// use agui_runtime::a2ui::ComponentCatalog;
/// use agui_runtime::protocol::Context;
///
/// let error = ComponentCatalog::from_context(&[Context::new(ComponentCatalog::CONTEXT, "[]")]).unwrap_err();
/// assert!(error.to_string().starts_with("the page's catalog of A2UI is not one of v0.9: "), "{error}");
/// ```
#[derive(Debug, thiserror::Error)]
#[error("the page's catalog of A2UI is not one of v0.9: {reason}")]
#[non_exhaustive]
pub struct CatalogError {
    /// The value that was expected.
    pub reason: String,
}

impl PublicError for CatalogError {}
