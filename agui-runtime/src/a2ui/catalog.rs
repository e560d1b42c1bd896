//! A catalog: the components that a page can draw, by name.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::PublicError;
use crate::protocol::{Context, JsonObject};
use crate::quoted::quoted;

/// The components that a page can draw: the name of each, with the JSON Schema of its properties (A2UI v0.9, section "Catalogs").
///
/// [`validate`](fn@super::validate) compares components with it. A page sends its catalog with the context, by
/// `@ag-ui/a2ui-middleware` with `schema`; [`of_page`](Self::of_page) reads it, and its JSON is what a model needs to know.
///
/// ```
/// use agui_runtime::a2ui::Catalog;
/// use serde_json::json;
///
/// let catalog = Catalog::new("https://shop.example/catalog.json")
///     .with("Price", json!({ "properties": { "cents": { "type": "integer" } }, "required": ["cents"] }));
/// let prompt = format!("Draw with these components: {}", serde_json::to_string(&catalog)?);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Catalog {
    /// The id, which [`CreateSurface`](super::CreateSurface) names.
    pub catalog_id: String,
    /// The JSON Schemas of the components, by name.
    pub components: JsonObject,
}

impl Catalog {
    /// The description of the entry of the context in which the middleware sends the catalog of a page.
    ///
    /// ```
    /// assert!(agui_runtime::a2ui::Catalog::CONTEXT.starts_with("A2UI Component Schema"));
    /// ```
    pub const CONTEXT: &'static str = "A2UI Component Schema — available components for generating UI surfaces. Use these component \
                                       names and properties when creating A2UI operations.";

    /// The id of the catalog that every page of A2UI v0.9 has.
    ///
    /// ```
    /// use agui_runtime::a2ui::{Catalog, Component, Surface};
    ///
    /// let hello = Surface::new("hello", Catalog::BASIC, [Component::new("root", "Text").with("text", "Hello!")]);
    /// ```
    pub const BASIC: &'static str = "https://a2ui.org/specification/v0_9/basic_catalog.json";

    /// Returns a catalog without components.
    ///
    /// ```
    /// let catalog = agui_runtime::a2ui::Catalog::new("https://shop.example/catalog.json");
    /// assert!(catalog.components.is_empty());
    /// ```
    #[must_use]
    pub fn new(catalog_id: impl Into<String>) -> Self {
        Self { catalog_id: catalog_id.into(), components: JsonObject::new() }
    }

    /// Adds a component. [`validate`](fn@super::validate) reads `required` of its schema, and in `properties` the formats `componentRef` and
    /// `componentRefList`, which mark properties that name components.
    ///
    /// ```
    /// use serde_json::json;
    ///
    /// let catalog = agui_runtime::a2ui::Catalog::new("https://shop.example/catalog.json")
    ///     .with("Fold", json!({ "properties": { "open": { "format": "componentRef" } }, "required": ["open"] }));
    /// assert_eq!(catalog.components.len(), 1);
    /// ```
    #[must_use]
    pub fn with(mut self, component: impl Into<String>, schema: impl Into<Value>) -> Self {
        self.components.insert(component.into(), schema.into());
        self
    }

    /// Reads the catalog of the page from the context of the input; `None` if the page sent none.
    ///
    /// # Errors
    /// [`CatalogError`] if the entry is not a catalog of v0.9, such as the older list of components.
    ///
    /// ```
    /// use agui_runtime::a2ui::Catalog;
    /// use agui_runtime::prelude::*;
    ///
    /// /// Tells the user about the page.
    /// #[agent]
    /// async fn designer(run: &mut Run<Designer>, input: Input<Designer>) -> Result<(), Stop> {
    ///     match Catalog::of_page(input.context())? {
    ///         Some(catalog) => run.say(format!("I have {} components.", catalog.components.len())).await,
    ///         None => run.say("I can only talk here.").await,
    ///     };
    ///     Ok(())
    /// }
    /// # let events = futures::executor::block_on(agui_runtime::testing::run(Designer::new(), agui_runtime::testing::input("?")));
    /// # assert_eq!(agui_runtime::testing::texts(&events), ["I can only talk here."]);
    /// ```
    pub fn of_page(context: &[Context]) -> Result<Option<Self>, CatalogError> {
        let Some(entry) = context.iter().find(|entry| entry.description == Self::CONTEXT) else {
            return Ok(None);
        };
        match serde_json::from_str(&entry.value) {
            Ok(catalog) => Ok(Some(catalog)),
            Err(error) => Err(CatalogError { reason: quoted(crate::json::message(&error)).to_string() }),
        }
    }
}

/// The catalog of a page that is not one of v0.9.
///
/// ```
/// use agui_runtime::a2ui::Catalog;
/// use agui_runtime::protocol::Context;
///
/// let error = Catalog::of_page(&[Context::new(Catalog::CONTEXT, "[]")]).unwrap_err();
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
