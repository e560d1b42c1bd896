//! The renderer's capabilities: the catalogs that a page can draw.

use serde::Deserialize;
use serde_json::Value;

use super::catalog::CatalogError;
use super::{ComponentCatalog, SurfaceVersion};
use crate::protocol::RunAgentInput;
use crate::quoted::quoted;

/// The page's capabilities in one version (A2UI v1.0, schema `renderer_capabilities.json`; v0.9, `client_capabilities.json`).
///
/// A page sends them in `forwardedProps`, in the member that A2UI defines for the metadata of other transports:
/// `a2uiRendererCapabilities`, in v0.9 `a2uiClientCapabilities`. CopilotKit's pages send neither: their catalog is in the context, and
/// counts as the one catalog of the page. An agent with another catalog for other pages asks [`draws`](Self::draws).
///
/// ```
/// use agui_runtime::a2ui::{RendererCapabilities, SurfaceVersion};
/// use serde_json::json;
///
/// let mut input = agui_runtime::testing::input("?");
/// input.forwarded_props = agui_runtime::protocol::NonNull::new(json!({
///     "a2uiRendererCapabilities": { "v1.0": { "supportedCatalogIds": ["https://shop.example/catalog.json"] } },
/// }));
/// let page = RendererCapabilities::of_client(&input)?.unwrap();
/// assert_eq!(page.version, SurfaceVersion::V1_0);
/// assert!(page.draws("https://shop.example/catalog.json"));
/// # Ok::<(), agui_runtime::a2ui::CatalogError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RendererCapabilities {
    /// The newest version that the page and this crate have.
    pub version: SurfaceVersion,
    /// The ids of the catalogs that the page has.
    pub supported_catalog_ids: Vec<String>,
    /// The catalogs that the page describes itself, each id once.
    pub inline_catalogs: Vec<ComponentCatalog>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct VersionCapabilities {
    supported_catalog_ids: Vec<String>,
    #[serde(default)]
    inline_catalogs: Vec<ComponentCatalog>,
}

impl RendererCapabilities {
    /// The members in `forwardedProps`.
    pub(super) const MEMBERS: [&'static str; 2] = ["a2uiRendererCapabilities", "a2uiClientCapabilities"];

    /// Reads the capabilities; `None` if the page sent none in a version that this crate has, and no catalog in the context.
    ///
    /// # Errors
    /// [`CatalogError`] if the capabilities or the catalog have another shape, or if two catalogs with one id contradict.
    pub fn of_client(input: &RunAgentInput) -> Result<Option<Self>, CatalogError> {
        let props = input.forwarded_props.as_ref().and_then(|props| props.as_object());
        let stated = Self::newest_of(Self::MEMBERS.iter().filter_map(|name| props?.get(*name)))?;
        if stated.is_some() {
            return Ok(stated);
        }
        let catalog = ComponentCatalog::from_context(input.context())?;
        Ok(catalog.map(|catalog| Self {
            version: catalog.version().unwrap_or_default(),
            supported_catalog_ids: vec![catalog.catalog_id.clone()],
            inline_catalogs: vec![catalog],
        }))
    }

    /// Reads the newest version that this crate has from the values of the members.
    pub(super) fn newest_of<'a>(
        members: impl IntoIterator<Item = &'a Value>,
    ) -> Result<Option<Self>, CatalogError> {
        let versions = members.into_iter().filter_map(Value::as_object).flatten();
        let known = versions.filter_map(|(name, value)| Some((SurfaceVersion::named(name)?, value)));
        let Some((version, value)) = known.max_by_key(|(version, _)| *version) else { return Ok(None) };
        let read = VersionCapabilities::deserialize(value).map_err(|error| CatalogError::Unread {
            reason: quoted(crate::json::message(&error)).to_string(),
        })?;
        let mut inline_catalogs: Vec<ComponentCatalog> = Vec::new();
        for catalog in read.inline_catalogs {
            match inline_catalogs.iter().find(|known| known.catalog_id == catalog.catalog_id) {
                None => inline_catalogs.push(catalog),
                Some(known) if *known == catalog => {}
                Some(_) => {
                    return Err(CatalogError::Contradicting {
                        catalog_id: quoted(&catalog.catalog_id).to_string(),
                    });
                }
            }
        }
        Ok(Some(Self { version, supported_catalog_ids: read.supported_catalog_ids, inline_catalogs }))
    }

    /// True if the page has the catalog, or describes it.
    #[must_use]
    pub fn draws(&self, catalog_id: &str) -> bool {
        self.supported_catalog_ids.iter().any(|id| id == catalog_id)
            || self.inline_catalogs.iter().any(|catalog| catalog.catalog_id == catalog_id)
    }
}
