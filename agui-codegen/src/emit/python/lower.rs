//! Lowers the shared representation to Python classes and aliases.
//!
//! Python has no intersections, and no type for an object without a class. So an object inside a type gets a
//! class named after the object's place, and an intersection becomes one class for each combination of
//! alternatives.

mod annotation;
mod catalogs;
mod slots;
mod union;

use std::collections::BTreeSet;
use std::rc::Rc;

use indexmap::IndexMap;

use super::model::{EnumAlias, ModelExtra, ModelField, PydanticModel, PythonDecl, PythonModule, TypeAlias};
use super::names::{NameScope, attribute, avoided_by_attributes, text};
use crate::emit::doc::described;
use crate::emit::shape::ShapeFinder;
use crate::ir::{
    AdditionalProperties as IrExtra, AgentDecl, DocComment, LiteralValue, ObjectType, OutputOptions,
    PythonEnum, PythonFormats, Type, TypeDecl,
};
use crate::names::{identifier, pascal, screaming};

pub(super) use catalogs::{CatalogFunctionNames, CatalogNames, catalogs, sent_component};

pub(super) fn lower(agent: &AgentDecl, options: &OutputOptions) -> PythonModule {
    let mut pass = ClassPass::new(&agent.types, options, &[]);
    for decl in agent.types.values() {
        pass.decl(decl);
    }
    pass.slots(agent);
    pass.module
}

struct ClassPass<'a> {
    shapes: ShapeFinder<'a>,
    attributes_avoid: Rc<BTreeSet<String>>,
    /// The Python names of recursive types.
    recursive: BTreeSet<String>,
    scope: NameScope,
    module: PythonModule,
    formats: PythonFormats,
}

impl<'a> ClassPass<'a> {
    /// Names the types of a module that also has the names in `taken`.
    fn new(types: &'a IndexMap<String, TypeDecl>, options: &OutputOptions, taken: &[&str]) -> Self {
        let mut scope = NameScope::for_types();
        taken.iter().for_each(|name| drop(scope.give(name)));
        let mut module =
            PythonModule { str_enums: options.python_enum == PythonEnum::StrEnum, ..PythonModule::default() };
        if module.str_enums {
            scope.give("Enum");
        }
        let formats = options.python_formats;
        if formats == PythonFormats::Types {
            super::format::NAMES.into_iter().for_each(|name| drop(scope.give(name)));
        }
        for name in types.keys() {
            module.names.insert(name.clone(), scope.give(name));
        }
        // In a class, a member named `date` would hide the type `date`.
        let imported = super::format::NAMES.into_iter().filter(|_| formats == PythonFormats::Types);
        let taken = taken.iter().copied().chain(imported).map(str::to_owned);
        let attributes_avoid = avoided_by_attributes(module.names.values().cloned().chain(taken));
        let recursive = types.values().filter(|decl| decl.recursive);
        let recursive = recursive.filter_map(|decl| module.names.get(&decl.name).cloned()).collect();
        Self { shapes: ShapeFinder { types }, attributes_avoid, recursive, scope, module, formats }
    }
}

impl ClassPass<'_> {
    fn import(&mut self, module: &'static str, name: &'static str) -> &'static str {
        self.module.imports.entry(module).or_default().insert(name);
        name
    }

    fn decl(&mut self, decl: &TypeDecl) {
        let name = self.module.names.get(&decl.name).cloned().unwrap_or_else(|| decl.name.clone());
        let doc = lines(&decl.doc, &decl.ty);
        match &decl.ty {
            Type::Object(object) => self.class(name, doc, object, None),
            Type::Enum(values) => {
                if self.module.str_enums {
                    self.import("enum", "Enum");
                } else {
                    self.import("typing", "Literal");
                }
                let list = self.scope.give(&format!("{}_VALUES", screaming(&name)));
                let values = values.iter().map(|value| (value.value.clone(), lines(&value.doc, &Type::Null)));
                let values = values.collect();
                self.module.decls.push(PythonDecl::Enum(EnumAlias { name, list, doc, values }));
            }
            Type::Intersection(_) => match self.shapes.find(&decl.ty, 0).as_deref() {
                Some([shape]) => {
                    let object = ObjectType { fields: shape.fields.clone(), extra: shape.extra.clone() };
                    self.class(name, doc, &object, None);
                }
                Some(_) => self.alias(name, doc, &decl.ty),
                None => {
                    let object = self.shapes.loosened(&decl.ty, 0);
                    self.class(name, doc, &object, None);
                }
            },
            ty => self.alias(name, doc, ty),
        }
    }

    fn alias(&mut self, name: String, doc: Vec<String>, ty: &Type) {
        let annotation = self.annotation(ty, &name);
        self.import("typing_extensions", "TypeAliasType");
        let recursive = self.recursive.contains(&name);
        if recursive {
            self.import("typing", "TYPE_CHECKING");
            self.import("typing", "TypeAlias");
        }
        self.module.decls.push(PythonDecl::Alias(TypeAlias { name, doc, annotation, recursive }));
    }

    fn class(&mut self, name: String, doc: Vec<String>, object: &ObjectType, tag: Option<&str>) {
        self.import(".._model", "Model");
        let mut scope = NameScope::for_attributes(&self.attributes_avoid);
        let mut fields = Vec::new();
        for field in &object.fields {
            let inner = format!("{name}{}", identifier(&pascal(&field.name)));
            let annotation = self.annotation(&field.ty, &inner);
            let attribute = scope.give(&attribute(&field.name));
            let (annotation, default) = match (&field.ty, field.required) {
                (Type::Literal(LiteralValue::String(value)), true) if tag == Some(field.name.as_str()) => {
                    (annotation, Some(text(value)))
                }
                (_, true) => (annotation, None),
                (Type::Nullable(_) | Type::Null | Type::Any, false) => (annotation, Some("None".into())),
                (_, false) => {
                    self.import(".._model", "Maybe");
                    (format!("Maybe[{annotation}]"), Some("None".into()))
                }
            };
            let alias = (attribute != field.name).then(|| field.name.clone());
            if alias.is_some() {
                self.import("pydantic", "Field");
            }
            let doc = lines(&field.doc, &field.ty);
            fields.push(ModelField { attribute, alias, annotation, default, doc });
        }
        let extra = match &object.extra {
            IrExtra::Open => ModelExtra::Allow,
            IrExtra::Closed => {
                self.import("pydantic", "ConfigDict");
                ModelExtra::Forbid
            }
            IrExtra::Typed(ty) if **ty == Type::Any => ModelExtra::Allow,
            IrExtra::Typed(ty) => {
                self.import("pydantic", "Field");
                ModelExtra::Typed(self.annotation(ty, &format!("{name}Other")))
            }
        };
        self.module.decls.push(PythonDecl::Class(PydanticModel { name, doc, fields, extra }));
    }
}

pub(super) fn lines(doc: &DocComment, ty: &Type) -> Vec<String> {
    described(doc, ty, |name, value| {
        let name = match name {
            "default" => "Default",
            "format" => "Format",
            _ => "Deprecated",
        };
        if value.is_empty() { format!("{name}.") } else { format!("{name}: {value}") }
    })
}
