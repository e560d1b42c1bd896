//! Component catalogs: each component becomes a class, in the form that the agent sends.

use indexmap::IndexMap;

use super::ClassPass;
use crate::emit::doc;
use crate::emit::python::model::{PythonDecl, PythonModule, TypeAlias};
use crate::emit::python::names::{NameScope, attribute};
use crate::ir::{
    AdditionalProperties, AgentDecl, CatalogDecl, CatalogFunctionDecl, ComponentDecl, DocComment,
    LiteralValue, ObjectField, ObjectType, OutputOptions, StringType, Type, UnionType, UnionVariant,
};
use crate::names::{identifier, pascal, screaming};

/// Names that `catalogs.py` imports.
const IMPORTED: [&str; 8] = [
    "AgentFunction",
    "Bound",
    "Catalog",
    "ComponentList",
    "PageFunction",
    "Protocol",
    "SurfaceAction",
    "TypeAdapter",
];

/// A catalog's names in `catalogs.py`.
pub(in crate::emit::python) struct CatalogNames {
    pub(in crate::emit::python) constant: String,
    /// The type for all components, if the catalog has components.
    pub(in crate::emit::python) component: Option<String>,
    /// The class for the functions that the page has.
    pub(in crate::emit::python) protocol: String,
    /// For each function, the names.
    pub(in crate::emit::python) functions: Vec<CatalogFunctionNames>,
}

/// A catalog function's names in `catalogs.py`.
pub(in crate::emit::python) struct CatalogFunctionNames {
    /// The constant for a function that the agent has, the method for a function that the page has.
    pub(in crate::emit::python) name: String,
    pub(in crate::emit::python) arguments: String,
    pub(in crate::emit::python) value: Option<String>,
}

/// Lowers an agent's catalogs to a module of their own.
pub(in crate::emit::python) fn catalogs(
    agent: &AgentDecl,
    options: &OutputOptions,
) -> (PythonModule, Vec<CatalogNames>) {
    // The types in a catalog refer to no named types.
    let types = IndexMap::new();
    let mut pass = ClassPass::new(&types, options, &IMPORTED);
    let names = agent.catalogs.iter().map(|catalog| pass.catalog(catalog)).collect();
    (pass.module, names)
}

impl ClassPass<'_> {
    fn catalog(&mut self, catalog: &CatalogDecl) -> CatalogNames {
        let constant = self.scope.give(&screaming(&catalog.name));
        let protocol = self.scope.give(&format!("{}Functions", catalog.name));
        let component = (!catalog.components.is_empty()).then(|| self.components(catalog));
        let mut methods = NameScope::for_attributes(&self.attributes_avoid);
        let functions = catalog.functions.iter().map(|function| {
            let name = if function.in_agent {
                self.scope.give(&format!("{constant}_{}", identifier(&screaming(&function.name))))
            } else {
                methods.give(&attribute(&function.name))
            };
            self.catalog_function(catalog, function, name)
        });
        CatalogNames { functions: functions.collect(), constant, component, protocol }
    }

    /// Names the type for all components of a catalog.
    fn components(&mut self, catalog: &CatalogDecl) -> String {
        let variants = catalog.components.iter().map(|component| UnionVariant {
            ty: Type::Object(sent_component(component)),
            doc: description(&component.description),
        });
        let union = UnionType { variants: variants.collect(), tag: Some("component".to_owned()) };
        let annotation = self.union(&union, &catalog.name);
        let name = self.scope.give(&format!("{}Component", catalog.name));
        self.import("typing_extensions", "TypeAliasType");
        let doc = doc::lines(&format!("A component of the catalog `{}`.", catalog.id));
        let alias = TypeAlias { name: name.clone(), doc, annotation, recursive: false };
        self.module.decls.push(PythonDecl::Alias(alias));
        name
    }

    fn catalog_function(
        &mut self,
        catalog: &CatalogDecl,
        function: &CatalogFunctionDecl,
        name: String,
    ) -> CatalogFunctionNames {
        let base = format!("{}{}", catalog.name, identifier(&pascal(&function.name)));
        let doc = doc::lines(&function.description);
        let arguments = self.named(&format!("{base}Arguments"), doc, &function.arguments.ty);
        let value = function.value.as_ref();
        let value = value.map(|value| self.named(&format!("{base}Value"), Vec::new(), &value.ty));
        CatalogFunctionNames { name, arguments, value }
    }

    /// Names a type that another module needs.
    fn named(&mut self, name: &str, doc: Vec<String>, ty: &Type) -> String {
        let name = self.scope.give(name);
        match ty {
            Type::Object(object) => self.class(name.clone(), doc, object, None),
            ty => self.alias(name.clone(), doc, ty),
        }
        name
    }
}

/// Returns a component as the agent sends it: beside the properties, the id and the name.
pub(in crate::emit::python) fn sent_component(component: &ComponentDecl) -> ObjectType {
    let required = |name: &str, ty| ObjectField {
        name: name.to_owned(),
        ty,
        required: true,
        doc: DocComment::default(),
    };
    let mut fields = vec![
        required("id", Type::String(StringType::default())),
        required("component", Type::Literal(LiteralValue::String(component.name.clone()))),
    ];
    if let Type::Object(properties) = &component.sent.ty {
        fields.extend(properties.fields.iter().cloned());
    }
    // A2UI itself has more members, such as `accessibility`.
    ObjectType { fields, extra: AdditionalProperties::Open }
}

fn description(text: &str) -> DocComment {
    let description = Some(text.to_owned()).filter(|text| !text.trim().is_empty());
    DocComment { description, ..DocComment::default() }
}
