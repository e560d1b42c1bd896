//! A component catalog, as the page's code sees the catalog.

use serde_json::Value;

use super::{Type, TypeSlot};

/// A component catalog of A2UI.
///
/// ```
/// use agui_codegen::ir::{CatalogDecl, SurfacePart, Type};
/// use agui_codegen::lower::lower;
/// use agui_runtime::a2ui::{Catalog, DynamicValue, SurfaceAction};
/// use agui_runtime::manifest::{AgentSource, Manifest};
/// # use schemars::JsonSchema;
/// # use serde::Serialize;
///
/// #[derive(Catalog)]
/// #[catalog(id = "https://shop.example/catalog.json", components = [Button])]
/// struct Shop;
///
/// #[derive(Serialize, JsonSchema)]
/// struct Button {
///     label: DynamicValue<String>,
///     action: SurfaceAction,
/// }
///
/// let clerk = AgentSource { catalogs: vec![Shop::source()], ..AgentSource::new("clerk") };
/// let api = lower(&Manifest::build("shop", "0.1.0", &[clerk])?)?;
/// let shop: &CatalogDecl = &api.agents[0].catalogs[0];
/// let button = &shop.components[0];
/// assert_eq!(button.bound, ["label"]);
/// let Type::Object(properties) = &button.properties.ty else { panic!("{button:?}") };
/// assert_eq!(properties.fields[1].ty, Type::Surface(SurfacePart::Action));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogDecl {
    /// The id, by which pages know the catalog.
    pub id: String,
    /// The Rust name of the catalog's type, an identifier that no other catalog of the agent has.
    pub name: String,
    /// The description.
    pub description: String,
    /// The components, as the catalog lists them.
    pub components: Vec<ComponentDecl>,
    /// The functions on both sides, as the catalog lists them.
    pub functions: Vec<CatalogFunctionDecl>,
    /// The catalog in A2UI's own form, v1.0: properties refer to the types that A2UI shares between catalogs.
    pub definition: Value,
}

/// A component of a [`CatalogDecl`], whose page has an example.
#[derive(Clone, Debug, PartialEq)]
pub struct ComponentDecl {
    /// The name in the catalog.
    pub name: String,
    /// The description.
    pub description: String,
    /// The properties, an object.
    pub properties: TypeSlot,
    /// The properties as the agent sends them: [`SurfacePart::Bound`] may stand for a value that follows the data.
    pub sent: TypeSlot,
    /// The names of properties that follow the data: the page reads such a property, and may set it.
    pub bound: Vec<String>,
}

/// A function of a [`CatalogDecl`].
///
/// ```
/// use agui_codegen::ir::{CatalogFunctionDecl, Type};
/// use agui_codegen::lower::lower;
/// use agui_runtime::a2ui::Catalog;
/// use agui_runtime::manifest::{AgentSource, Manifest};
/// # use schemars::JsonSchema;
/// # use serde::Serialize;
///
/// #[derive(Catalog)]
/// #[catalog(id = "https://shop.example/catalog.json", functions = [IsOpen -> bool])]
/// struct Shop;
///
/// #[derive(Serialize, JsonSchema)]
/// struct IsOpen;
///
/// let clerk = AgentSource { catalogs: vec![Shop::source()], ..AgentSource::new("clerk") };
/// let api = lower(&Manifest::build("shop", "0.1.0", &[clerk])?)?;
/// let is_open: &CatalogFunctionDecl = &api.agents[0].catalogs[0].functions[0];
/// assert!(!is_open.in_agent && is_open.value.as_ref().is_some_and(|value| value.ty == Type::Bool));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogFunctionDecl {
    /// The name in the catalog.
    pub name: String,
    /// True if the agent has the function; false if the page has it.
    pub in_agent: bool,
    /// The description.
    pub description: String,
    /// The arguments, an object.
    pub arguments: TypeSlot,
    /// The value; `None` if the function has none.
    pub value: Option<TypeSlot>,
}

/// A value that only the page's code sees: on the wire, A2UI has data in its place.
///
/// ```
/// use agui_codegen::ir::{SurfacePart, Type};
///
/// let child = Type::Surface(SurfacePart::Component);
/// assert_ne!(child, Type::Any);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurfacePart {
    /// A function without arguments, for the time when the user acts.
    Action,
    /// A component to draw.
    Component,
    /// Components to draw, in order.
    Components,
    /// A path in the data, or a function's call: only in properties as the agent sends them.
    Bound,
}

impl CatalogDecl {
    /// Returns every place that has a type.
    pub(crate) fn slots(&self) -> impl Iterator<Item = &TypeSlot> {
        let components = self.components.iter().map(|component| &component.properties);
        let functions = self
            .functions
            .iter()
            .flat_map(|function| std::iter::once(&function.arguments).chain(&function.value));
        components.chain(functions)
    }

    /// Returns true if a property of a component contains the part.
    pub(crate) fn draws(&self, part: SurfacePart) -> bool {
        let mut found = false;
        for slot in self.slots() {
            slot.ty.each(&mut |ty| found |= *ty == Type::Surface(part));
        }
        found
    }
}
