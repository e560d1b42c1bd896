//! Catalogs as data in the manifest.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::protocol::ToolSide;

/// A component catalog in a [`Manifest`](crate::manifest::Manifest), as the page's code sees the catalog: a property that may be a
/// path or a call on the wire is the value here. Schemas have no references.
///
/// ```
/// use agui_runtime::manifest::{AgentSource, CatalogDef, CatalogSource, ComponentSource, Manifest, TypeSource};
/// # use schemars::JsonSchema;
///
/// /// A line of text.
/// #[derive(JsonSchema)]
/// struct Label {
///     text: String,
/// }
///
/// let components = vec![ComponentSource { name: "Label", properties: TypeSource::of::<Label>() }];
/// let id = "https://shop.example/catalog.json";
/// let shop = CatalogSource { id, name: "Shop", description: "", components, functions: Vec::new() };
/// let clerk = AgentSource { catalogs: vec![shop], ..AgentSource::new("clerk") };
/// let manifest = Manifest::build("shop", "0.1.0", &[clerk])?;
/// let shop: &CatalogDef = &manifest.agents[0].catalogs[0];
/// assert_eq!(shop.components[0].properties["properties"]["text"]["type"], "string");
/// # Ok::<(), agui_runtime::manifest::ManifestError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CatalogDef {
    /// The catalog id, unique in the manifest.
    pub id: String,
    /// The Rust name of the catalog's type.
    pub name: String,
    /// The catalog's purpose.
    pub description: String,
    /// The components in declaration order.
    pub components: Vec<ComponentDef>,
    /// The functions in declaration order; absent without functions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<CatalogFunctionDef>,
}

/// A component of a [`CatalogDef`], whose page has an example.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComponentDef {
    /// The name in the catalog.
    pub name: String,
    /// The component's purpose.
    pub description: String,
    /// The properties, an object, with the marks of [`SURFACE_PART`](crate::manifest::SURFACE_PART).
    pub properties: Value,
}

/// A function of a [`CatalogDef`].
///
/// ```
/// use agui_runtime::manifest::{
///     AgentSource, CatalogFunctionDef, CatalogFunctionSource, CatalogSource, Manifest, TypeSource,
/// };
/// use agui_runtime::protocol::ToolSide;
/// # use schemars::JsonSchema;
///
/// #[derive(JsonSchema)]
/// struct Quote {
///     item: String,
/// }
///
/// let (arguments, value) = (TypeSource::of::<Quote>(), TypeSource::of::<String>());
/// let quote = CatalogFunctionSource { name: "quote", side: ToolSide::Backend, arguments, value };
/// let id = "https://shop.example/catalog.json";
/// let shop = CatalogSource { id, name: "Shop", description: "", components: Vec::new(), functions: vec![quote] };
/// let clerk = AgentSource { catalogs: vec![shop], ..AgentSource::new("clerk") };
/// let manifest = Manifest::build("shop", "0.1.0", &[clerk])?;
/// let quote: &CatalogFunctionDef = &manifest.agents[0].catalogs[0].functions[0];
/// assert_eq!(quote.value, Some(serde_json::json!({ "type": "string" })));
/// # Ok::<(), agui_runtime::manifest::ManifestError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CatalogFunctionDef {
    /// The name in the catalog.
    pub name: String,
    /// The side that has the function: `frontend` for the page, `backend` for the agent.
    pub side: ToolSide,
    /// The function's purpose.
    pub description: String,
    /// The arguments, an object: *out* for the page's function, *in* for the agent's.
    pub arguments: Value,
    /// The value, *in* for the page's function, *out* for the agent's; absent if the function has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}
