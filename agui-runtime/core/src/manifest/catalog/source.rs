//! Catalog declarations, before any schema is generated.

use crate::manifest::TypeSource;
use crate::protocol::ToolSide;

/// A component catalog as declared by `#[derive(Catalog)]`.
///
/// ```
/// use agui_runtime::manifest::{AgentSource, CatalogSource, ComponentSource, Manifest, TypeSource};
/// # use schemars::JsonSchema;
///
/// /// A line of text.
/// #[derive(JsonSchema)]
/// struct Label {
///     text: String,
/// }
///
/// let shop = CatalogSource {
///     id: "https://shop.example/catalog.json",
///     name: "Shop",
///     description: "The shop's components.",
///     components: vec![ComponentSource { name: "Label", properties: TypeSource::of::<Label>() }],
///     functions: Vec::new(),
/// };
/// let clerk = AgentSource { catalogs: vec![shop], ..AgentSource::new("clerk") };
/// let manifest = Manifest::build("shop", "0.1.0", &[clerk])?;
/// let label = &manifest.agents[0].catalogs[0].components[0];
/// assert_eq!((label.description.as_str(), &label.properties["required"][0]), ("A line of text.", &"text".into()));
/// # Ok::<(), agui_runtime::manifest::ManifestError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CatalogSource {
    /// The catalog id, by which pages know the catalog.
    pub id: &'static str,
    /// The name of the type that stands for the catalog.
    pub name: &'static str,
    /// The catalog's purpose, from the doc comment.
    pub description: &'static str,
    /// The components, in declaration order.
    pub components: Vec<ComponentSource>,
    /// The functions on both sides, in declaration order.
    pub functions: Vec<CatalogFunctionSource>,
}

/// A component of a [`CatalogSource`], whose page has an example.
#[derive(Clone, Debug)]
pub struct ComponentSource {
    /// The name in the catalog.
    pub name: &'static str,
    /// The properties, an object.
    pub properties: TypeSource,
}

/// A function of a [`CatalogSource`].
///
/// ```
/// use agui_runtime::manifest::{CatalogFunctionSource, TypeSource};
/// use agui_runtime::protocol::ToolSide;
/// # use schemars::JsonSchema;
///
/// /// Counts the items in the cart.
/// #[derive(JsonSchema)]
/// struct CountItems {
///     cart: String,
/// }
///
/// let count = CatalogFunctionSource {
///     name: "countItems",
///     side: ToolSide::Frontend, // the page has the function
///     arguments: TypeSource::of::<CountItems>(),
///     value: TypeSource::of::<u32>(),
/// };
/// assert_eq!(count.value.root_schema().as_value()["type"], "integer");
/// ```
#[derive(Clone, Debug)]
pub struct CatalogFunctionSource {
    /// The name in the catalog.
    pub name: &'static str,
    /// The side that has the function.
    pub side: ToolSide,
    /// The arguments, an object.
    pub arguments: TypeSource,
    /// The value; `()` if the function has none.
    pub value: TypeSource,
}
