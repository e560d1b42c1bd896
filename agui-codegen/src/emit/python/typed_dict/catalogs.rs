//! The module `catalogs.py`: component catalogs as types alone.

use indexmap::IndexMap;

use super::super::lower::sent_component;
use super::TypedDictPass;
use crate::emit::doc::lines;
use crate::ir::{
    AdditionalProperties, AgentDecl, CatalogDecl, DocComment, MapKey, MapType, ObjectField, ObjectType,
    StringType, SurfacePart, Type,
};
use crate::names::{identifier, pascal};

/// Returns the annotation for a part of a surface.
pub(super) fn surface_part(part: SurfacePart) -> &'static str {
    match part {
        SurfacePart::Component => "str",
        SurfacePart::Components => "list[str] | ChildTemplate",
        SurfacePart::Action => "SurfaceAction",
        SurfacePart::Bound => "Binding | FunctionCall",
    }
}

/// Prints `catalogs.py`.
pub(in crate::emit::python) fn catalogs(agent: &AgentDecl) -> String {
    let types = IndexMap::new();
    let mut pass = TypedDictPass::new(&types);
    for (name, doc, fields) in parts() {
        let name = pass.scope.give(name);
        pass.avoided.insert(name.clone());
        pass.object(name, &[doc.to_owned()], &ObjectType { fields, extra: AdditionalProperties::Open });
    }
    agent.catalogs.iter().for_each(|catalog| pass.catalog(catalog));
    pass.module()
}

/// The types that A2UI shares between catalogs.
fn parts() -> [(&'static str, &'static str, Vec<ObjectField>); 5] {
    let text = || Type::String(StringType::default());
    let any = || Type::Map(Box::new(MapType { key: MapKey::String, value: Type::Any }));
    let named = |name: &str| Type::Ref(name.to_owned());
    let field = |name: &str, required, ty| ObjectField {
        name: name.to_owned(),
        ty,
        required,
        doc: DocComment::default(),
    };
    [
        ("Binding", "A path in the data of a surface.", vec![field("path", true, text())]),
        (
            "FunctionCall",
            "A call of a function.",
            vec![field("call", true, text()), field("catalogId", false, text()), field("args", false, any())],
        ),
        (
            "ChildTemplate",
            "A component that is repeated for each element of a list in the data.",
            vec![field("componentId", true, text()), field("path", true, text())],
        ),
        (
            "ActionEvent",
            "An event for the agent.",
            vec![field("name", true, text()), field("context", false, any())],
        ),
        (
            "SurfaceAction",
            "The reaction to the user: an event, or a function call.",
            vec![
                field("event", false, named("ActionEvent")),
                field("functionCall", false, named("FunctionCall")),
            ],
        ),
    ]
}

impl TypedDictPass<'_> {
    fn catalog(&mut self, catalog: &CatalogDecl) {
        let mut components: Vec<String> = Vec::new();
        for component in &catalog.components {
            let name = self.scope.give(&format!("{}{}", catalog.name, identifier(&pascal(&component.name))));
            self.object(name.clone(), &lines(&component.description), &sent_component(component));
            components.push(name);
        }
        if !components.is_empty() {
            let name = self.scope.give(&format!("{}Component", catalog.name));
            let doc = lines(&format!("A component of the catalog `{}`.", catalog.id));
            self.alias_of(name, &doc, &components.join(" | "));
        }
        for function in &catalog.functions {
            let base = format!("{}{}", catalog.name, identifier(&pascal(&function.name)));
            let doc = lines(&function.description);
            self.named(&format!("{base}Arguments"), &doc, &function.arguments.ty);
            if let Some(value) = &function.value {
                self.named(&format!("{base}Value"), &[], &value.ty);
            }
        }
    }

    /// Names a type that a program needs.
    fn named(&mut self, name: &str, doc: &[String], ty: &Type) {
        let name = self.scope.give(name);
        match ty {
            Type::Object(object) => self.object(name, doc, object),
            ty => self.alias(name, doc, ty),
        }
    }
}
