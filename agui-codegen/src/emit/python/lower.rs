//! From the shared representation to classes and aliases.
//!
//! Python has no type for an object without a class, and no intersections. So objects inside a type get a class named
//! after their place, and an intersection becomes one class for each combination of its alternatives.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::format::format_type;
use super::model::{Alias, Class, Decl, EnumAlias, Extra, Field, Module};
use super::names::{Scope, attribute, avoided_by_attributes, text};
use super::scalar::{lengths, limits, sized_integer, whole_limits};
use crate::emit::doc::described;
use crate::emit::shape::{Shape, Shapes, suffix, tag};
use crate::ir::{
    AgentDecl, ArrayType, Bounds, Doc, Extra as IrExtra, Literal, MapKey, Object, Options, PythonEnum,
    PythonFormats, SizedInteger, Text, Type, TypeDecl, Union, Variant,
};
use crate::names::{identifier, pascal, screaming, upper_camel};

pub(super) fn lower(agent: &AgentDecl, options: &Options) -> Module {
    let mut scope = Scope::of_types();
    let mut module = Module { str_enums: options.python_enum == PythonEnum::StrEnum, ..Module::default() };
    if module.str_enums {
        scope.give("Enum");
    }
    let formats = options.python_formats;
    if formats == PythonFormats::Types {
        super::format::NAMES.into_iter().for_each(|name| drop(scope.give(name)));
    }
    for name in agent.types.keys() {
        module.names.insert(name.clone(), scope.give(name));
    }
    // A member named `date` would hide the type of that name in its class.
    let imported = super::format::NAMES.into_iter().filter(|_| formats == PythonFormats::Types);
    let attributes_avoid =
        avoided_by_attributes(module.names.values().cloned().chain(imported.map(str::to_owned)));
    let recursive = agent.types.values().filter(|decl| decl.recursive);
    let recursive = recursive.filter_map(|decl| module.names.get(&decl.name).cloned()).collect();
    let mut pass =
        Pass { shapes: Shapes { types: &agent.types }, attributes_avoid, recursive, scope, module, formats };
    for decl in agent.types.values() {
        pass.decl(decl);
    }
    pass.slots(agent);
    pass.module
}

struct Pass<'a> {
    shapes: Shapes<'a>,
    attributes_avoid: Rc<BTreeSet<String>>,
    /// The recursive types, by their Python names.
    recursive: BTreeSet<String>,
    scope: Scope,
    module: Module,
    formats: PythonFormats,
}

impl Pass<'_> {
    /// Names the type of every place, so that no other module spells one out.
    fn slots(&mut self, agent: &AgentDecl) {
        let agent_name = identifier(&pascal(&agent.name));
        self.module.slots.state = agent.state.as_ref().map(|state| {
            let out = self.slot(&state.out.ty, &format!("{agent_name}State"));
            let input = if state.input.ty == state.out.ty {
                out.clone()
            } else {
                self.slot(&state.input.ty, &format!("{agent_name}StateInput"))
            };
            (out, input)
        });
        for tool in &agent.tools {
            let name = identifier(&pascal(&tool.name));
            let params = self.slot(&tool.params.ty, &format!("{name}Arguments"));
            let result = tool.result.as_ref().map(|result| self.slot(&result.ty, &format!("{name}Result")));
            self.module.slots.tools.push((params, result));
            let item = tool.item().map(|item| self.slot(item, &format!("{name}ResultItem")));
            self.module.slots.items.push(item);
        }
        for event in &agent.events {
            let name = self.slot(&event.value.ty, &format!("{}Value", identifier(&pascal(&event.name))));
            self.module.slots.events.push(name);
        }
        for asked in &agent.interrupts {
            let base = identifier(&pascal(&asked.reason));
            let payload = self.slot(&asked.payload.ty, &format!("{base}Payload"));
            let response = self.slot(&asked.response.ty, &format!("{base}Response"));
            self.module.slots.interrupts.push((payload, response));
        }
        for shown in &agent.activities {
            let name = format!("{}Content", identifier(&upper_camel(&shown.activity_type)));
            let name = self.slot(&shown.content.ty, &name);
            self.module.slots.activities.push(name);
        }
        self.module.slots.result =
            agent.result.as_ref().map(|result| self.slot(&result.ty, &format!("{agent_name}Result")));
        self.module.slots.forwarded = agent
            .forwarded
            .as_ref()
            .map(|props| self.slot(&props.ty, &format!("{agent_name}ForwardedProps")));
    }

    fn slot(&mut self, ty: &Type, name: &str) -> String {
        if let Type::Ref(name) = ty {
            return self.module.names.get(name).cloned().unwrap_or_else(|| name.clone());
        }
        let name = self.scope.give(name);
        self.alias(name.clone(), Vec::new(), ty);
        name
    }

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
                self.module.decls.push(Decl::Enum(EnumAlias { name, list, doc, values }));
            }
            Type::Intersection(_) => match self.shapes.of(&decl.ty, 0).as_deref() {
                Some([shape]) => {
                    let object = Object { fields: shape.fields.clone(), extra: shape.extra.clone() };
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
        self.module.decls.push(Decl::Alias(Alias { name, doc, annotation, recursive }));
    }

    fn class(&mut self, name: String, doc: Vec<String>, object: &Object, tag: Option<&str>) {
        self.import(".._model", "Model");
        let mut scope = Scope::of_attributes(&self.attributes_avoid);
        let mut fields = Vec::new();
        for field in &object.fields {
            let inner = format!("{name}{}", identifier(&pascal(&field.name)));
            let annotation = self.annotation(&field.ty, &inner);
            let attribute = scope.give(&attribute(&field.name));
            let (annotation, default) = match (&field.ty, field.required) {
                (Type::Literal(Literal::String(value)), true) if tag == Some(field.name.as_str()) => {
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
            fields.push(Field { attribute, alias, annotation, default, doc });
        }
        let extra = match &object.extra {
            IrExtra::Open => Extra::Allow,
            IrExtra::Closed => {
                self.import("pydantic", "ConfigDict");
                Extra::Forbid
            }
            IrExtra::Typed(ty) if **ty == Type::Any => Extra::Allow,
            IrExtra::Typed(ty) => {
                self.import("pydantic", "Field");
                Extra::Typed(self.annotation(ty, &format!("{name}Other")))
            }
        };
        self.module.decls.push(Decl::Class(Class { name, doc, fields, extra }));
    }

    /// The annotation of `ty`; objects inside get classes named after `place`.
    fn annotation(&mut self, ty: &Type, place: &str) -> String {
        match ty {
            Type::Any => self.import("typing", "Any").into(),
            Type::Never => self.import(".._model", "Nothing").into(),
            Type::Null => "None".into(),
            Type::Bool => "bool".into(),
            Type::Integer(bounds) => self.integer(bounds),
            Type::Number(bounds) => {
                let base = self.constrained("float", &limits(bounds));
                let Some(step) = &bounds.step else { return base };
                self.import("typing", "Annotated");
                let multiple_of = self.import(".._model", "MultipleOf");
                format!("Annotated[{base}, {multiple_of}({step})]")
            }
            Type::String(Text { format: Some(format), .. })
                if self.formats == PythonFormats::Types
                    && let Some((from, names)) = format_type(format) =>
            {
                let names: Vec<&str> = names.iter().map(|name| self.import(from, name)).collect();
                names.join(" | ")
            }
            Type::String(Text { min, max, pattern, .. }) => {
                let base = self.constrained("str", &lengths(*min, *max));
                let Some(pattern) = pattern else { return base };
                self.import("typing", "Annotated");
                let matching = self.import(".._model", "Matching");
                format!("Annotated[{base}, {matching}({})]", text(pattern))
            }
            Type::Literal(literal) => self.literals(std::slice::from_ref(literal)),
            Type::Enum(values) => {
                self.import("typing", "Literal");
                let values: Vec<String> = values.iter().map(|value| text(&value.value)).collect();
                format!("Literal[{}]", values.join(", "))
            }
            Type::Array(array) => {
                let ArrayType { item, min, max } = array.as_ref();
                let item = self.annotation(item, &format!("{place}Item"));
                self.constrained(&format!("list[{item}]"), &lengths(*min, *max))
            }
            Type::Tuple(items) if items.is_empty() => "tuple[()]".into(),
            Type::Tuple(items) => {
                let items: Vec<String> = items
                    .iter()
                    .enumerate()
                    .map(|(index, item)| self.annotation(item, &format!("{place}{index}")))
                    .collect();
                format!("tuple[{}]", items.join(", "))
            }
            Type::Map(map) => {
                let value = self.annotation(&map.value, &format!("{place}Value"));
                match map.key {
                    MapKey::String => format!("dict[str, {value}]"),
                    MapKey::Integer { signed: true } => format!("dict[int, {value}]"),
                    MapKey::Integer { signed: false } => {
                        let key = self.constrained("int", &["ge=0".into()]);
                        format!("dict[{key}, {value}]")
                    }
                }
            }
            Type::Object(object) => {
                let name = self.scope.give(place);
                self.class(name.clone(), Vec::new(), object, None);
                name
            }
            Type::Nullable(inner) => format!("{} | None", self.annotation(inner, place)),
            Type::Union(union) => self.union(union, place),
            Type::Intersection(_) => match self.shapes.of(ty, 0) {
                Some(shapes) => self.combinations(shapes, place),
                None => {
                    let object = self.shapes.loosened(ty, 0);
                    let name = self.scope.give(place);
                    self.class(name.clone(), Vec::new(), &object, None);
                    name
                }
            },
            Type::Ref(name) => self.module.names.get(name).cloned().unwrap_or_else(|| name.clone()),
        }
    }

    /// A union of constants of one kind.
    fn literals(&mut self, literals: &[Literal]) -> String {
        self.import("typing", "Literal");
        let values = literals.iter().map(|literal| match literal {
            Literal::String(value) => text(value),
            Literal::Integer(value) => value.to_string(),
            Literal::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
        });
        let values = format!("Literal[{}]", values.collect::<Vec<_>>().join(", "));
        // In Python, `1 == True`.
        let mark = match literals.first() {
            Some(Literal::Integer(_)) => "Whole",
            Some(Literal::Bool(_)) => "Truth",
            _ => return values,
        };
        self.import("typing", "Annotated");
        self.import(".._model", mark);
        format!("Annotated[{values}, {mark}]")
    }

    fn integer(&mut self, bounds: &Bounds) -> String {
        let Some(integer) = bounds.format.as_deref().and_then(SizedInteger::of) else {
            return self.constrained("int", &whole_limits(bounds));
        };
        // The sized integer implies its own limits. A limit closer than those narrows it, and a type may have only one of the two.
        let (least, most) = (integer.least().to_string(), integer.greatest().to_string());
        let mut closer = bounds.clone();
        closer.minimum = closer.minimum.filter(|minimum| minimum.to_string() != least);
        closer.maximum = closer.maximum.filter(|maximum| maximum.to_string() != most);
        let base = self.import(".._model", sized_integer(integer)).to_owned();
        self.constrained(&base, &whole_limits(&closer))
    }

    fn constrained(&mut self, base: &str, limits: &[String]) -> String {
        if limits.is_empty() {
            return base.to_owned();
        }
        self.import("typing", "Annotated");
        self.import("pydantic", "Field");
        format!("Annotated[{base}, Field({})]", limits.join(", "))
    }

    fn union(&mut self, union: &Union, place: &str) -> String {
        // Pydantic tells classes apart by a tag, but not unions of classes.
        let one_each = union.variants.iter().all(|variant| match &variant.ty {
            Type::Intersection(_) => self.shapes.of(&variant.ty, 0).is_some_and(|shapes| shapes.len() == 1),
            _ => true,
        });
        let discriminated = union.tag.as_deref().filter(|_| union.variants.len() > 1 && one_each);
        let constants = union.variants.iter().map(|variant| match &variant.ty {
            Type::Literal(literal @ Literal::Integer(_)) => Some(literal.clone()),
            _ => None,
        });
        if let Some(constants) = constants.collect::<Option<Vec<_>>>() {
            return self.literals(&constants);
        }
        let mut texts: Vec<String> = Vec::new();
        for (index, variant) in union.variants.iter().enumerate() {
            let name = format!("{place}{}", suffix(&variant.ty, union.tag.as_deref(), index));
            let text = match (&variant.ty, self.shapes.of(&variant.ty, 0).as_deref()) {
                (Type::Object(object), _) => self.variant(&name, variant, object, discriminated),
                (Type::Intersection(_), Some([shape])) => {
                    let object = Object { fields: shape.fields.clone(), extra: shape.extra.clone() };
                    self.variant(&name, variant, &object, discriminated)
                }
                (ty, _) => self.annotation(ty, &name),
            };
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        self.discriminated(&texts.join(" | "), discriminated)
    }

    /// A class for an alternative. No other type uses it, so its tag need not be written out in Python.
    fn variant(&mut self, name: &str, variant: &Variant, object: &Object, tag: Option<&str>) -> String {
        let name = self.scope.give(name);
        self.class(name.clone(), lines(&variant.doc, &Type::Null), object, tag);
        name
    }

    /// One class for each combination.
    fn combinations(&mut self, shapes: Vec<Shape>, place: &str) -> String {
        let alone = shapes.len() == 1;
        let tag = tag(&shapes);
        let texts: Vec<String> = shapes
            .into_iter()
            .map(|shape| {
                let name = if alone { place.to_owned() } else { format!("{place}{}", shape.suffix) };
                let name = self.scope.give(&name);
                let object = Object { fields: shape.fields, extra: shape.extra };
                self.class(name.clone(), lines(&shape.doc, &Type::Null), &object, tag.as_deref());
                name
            })
            .collect();
        self.discriminated(&texts.join(" | "), tag.as_deref())
    }

    /// The union `text`, told apart by the member `tag` where there is one.
    fn discriminated(&mut self, text: &str, tag: Option<&str>) -> String {
        let Some(tag) = tag else { return text.to_owned() };
        self.import("typing", "Annotated");
        self.import("pydantic", "Field");
        let mut scope = Scope::of_attributes(&self.attributes_avoid);
        let attribute = scope.give(&attribute(tag));
        format!("Annotated[{text}, Field(discriminator=\"{attribute}\")]")
    }
}

pub(super) fn lines(doc: &Doc, ty: &Type) -> Vec<String> {
    described(doc, ty, |name, value| {
        let name = match name {
            "default" => "Default",
            "format" => "Format",
            _ => "Deprecated",
        };
        if value.is_empty() { format!("{name}.") } else { format!("{name}: {value}") }
    })
}
