//! Generated names that an old program uses and that no longer exist.

use agui_runtime::manifest::Manifest;

use super::{ChangeSeverity, ContractLevel, ManifestChange, matched};
use crate::ir::{
    AgentDecl, CatalogDecl, CatalogFunctionDecl, LiteralValue, ObjectType, Type, TypeDecl, UnionType,
};
use crate::lower::{LowerError, lower};

/// Returns the changes that break a program when the program is compiled again with the new code.
pub(super) fn changes(old: &Manifest, new: &Manifest) -> Result<Vec<ManifestChange>, LowerError> {
    let (old, new) = (lower(old)?, lower(new)?);
    let mut changes = Vec::new();
    for (old, new) in matched(&old.agents, &new.agents, |agent| &agent.name) {
        if let (Some(old), Some(new)) = (old, new) {
            SourceComparison { agent: &old.name, changes: &mut changes }.agents(old, new);
        }
    }
    Ok(changes)
}

struct SourceComparison<'a> {
    agent: &'a str,
    changes: &'a mut Vec<ManifestChange>,
}

impl SourceComparison<'_> {
    fn breaks(&mut self, place: String, path: String, message: String) {
        self.changes.push(ManifestChange {
            severity: ChangeSeverity::Breaking,
            level: ContractLevel::Source,
            agent: self.agent.to_owned(),
            place,
            direction: None,
            path,
            message,
        });
    }

    fn agents(&mut self, old: &AgentDecl, new: &AgentDecl) {
        for (old, new) in matched(&old.tools, &new.tools, |tool| &tool.name) {
            match (old, new) {
                (Some(old), None) => {
                    self.breaks(format!("the tool `{}`", old.name), String::new(), "no longer exists".into());
                }
                (None, Some(new)) if new.frontend => self.breaks(
                    format!("the tool `{}`", new.name),
                    String::new(),
                    "is new and runs in the user interface: it needs a handler".into(),
                ),
                _ => {}
            }
        }
        for (old, new) in matched(&old.events, &new.events, |event| &event.name) {
            if let (Some(old), None) = (old, new) {
                self.breaks(format!("the event `{}`", old.name), String::new(), "no longer exists".into());
            }
        }
        for (old, new) in matched(&old.activities, &new.activities, |shown| &shown.activity_type) {
            if let (Some(old), None) = (old, new) {
                let place = format!("the activity `{}`", old.activity_type);
                self.breaks(place, String::new(), "no longer exists".into());
            }
        }
        for (old, new, place, message) in [
            (&old.result, &new.result, "the result", "no longer exists"),
            (&old.forwarded, &new.forwarded, "the forwarded props", "no longer exist"),
        ] {
            if old.is_some() && new.is_none() {
                self.breaks(place.into(), String::new(), message.into());
            }
        }
        for (old, new) in matched(&old.interrupts, &new.interrupts, |asked| &asked.reason) {
            let (reason, message) = match (old, new) {
                (Some(old), None) => (&old.reason, "no longer exists"),
                (None, Some(new)) => (&new.reason, "is new: it needs an answer"),
                _ => continue,
            };
            self.breaks(format!("the interrupt `{reason}`"), String::new(), message.into());
        }
        for (old, new) in matched(&old.catalogs, &new.catalogs, |catalog| &catalog.id) {
            match (old, new) {
                (Some(old), Some(new)) => self.catalogs(old, new),
                (Some(old), None) => {
                    self.breaks(
                        format!("the catalog `{}`", old.id),
                        String::new(),
                        "no longer exists".into(),
                    );
                }
                _ => {}
            }
        }
        for old_type in old.types.values() {
            match new.types.get(&old_type.name) {
                Some(new_type) => {
                    let place = format!("the type `{}`", old_type.name);
                    self.types(&place, "$", &old_type.ty, &new_type.ty);
                }
                None => self.gone(old_type, old, new),
            }
        }
    }

    /// A page implements each component and each function of the page, and names the others.
    fn catalogs(&mut self, old: &CatalogDecl, new: &CatalogDecl) {
        for (before, after) in matched(&old.components, &new.components, |component| &component.name) {
            let (name, message) = match (before, after) {
                (Some(before), None) => (&before.name, "no longer exists"),
                (None, Some(after)) => (&after.name, "is new: the page has to draw it"),
                (Some(before), Some(after)) => {
                    let place = format!("the component `{}`", before.name);
                    self.types(&place, "$", &before.properties.ty, &after.properties.ty);
                    continue;
                }
                (None, None) => continue,
            };
            self.breaks(format!("the component `{name}`"), String::new(), message.into());
        }
        for (before, after) in matched(&old.functions, &new.functions, |function| &function.name) {
            let (name, message) = match (before, after) {
                (Some(before), None) => (&before.name, "no longer exists"),
                (None, Some(after)) if !after.in_agent => {
                    (&after.name, "is new: the page has to implement it")
                }
                (Some(before), Some(after)) if before.in_agent == after.in_agent => {
                    self.functions(before, after);
                    continue;
                }
                (Some(_), Some(after)) if after.in_agent => {
                    (&after.name, "belongs to the agent now: the page calls it")
                }
                (Some(_), Some(after)) => {
                    (&after.name, "belongs to the page now: the page has to implement it")
                }
                _ => continue,
            };
            self.breaks(format!("the function `{name}`"), String::new(), message.into());
        }
    }

    fn functions(&mut self, old: &CatalogFunctionDecl, new: &CatalogFunctionDecl) {
        let place = format!("the arguments of `{}`", old.name);
        self.types(&place, "$", &old.arguments.ty, &new.arguments.ty);
        let place = format!("the value of `{}`", old.name);
        match (&old.value, &new.value) {
            (Some(old), Some(new)) => self.types(&place, "$", &old.ty, &new.ty),
            // A page's function may still return a value; a page that reads the agent's value finds none.
            (Some(_), None) if old.in_agent => self.breaks(place, String::new(), "no longer exists".into()),
            (None, Some(_)) if !old.in_agent => {
                self.breaks(place, String::new(), "is new: the page has to return it".into());
            }
            _ => {}
        }
    }

    fn gone(&mut self, decl: &TypeDecl, old: &AgentDecl, new: &AgentDecl) {
        let same = |other: &&TypeDecl| !old.types.contains_key(&other.name) && other.ty == decl.ty;
        let message = match new.types.values().find(same) {
            Some(other) => format!("is called `{}` now", other.name),
            None => "no longer exists".into(),
        };
        self.breaks(format!("the type `{}`", decl.name), String::new(), message);
    }

    /// Compares the members, values and alternatives that a program may name.
    fn types(&mut self, place: &str, path: &str, old: &Type, new: &Type) {
        if let (Some(old), Some(new)) = (values(old), values(new)) {
            for value in old.into_iter().filter(|value| !new.contains(value)) {
                self.breaks(place.into(), path.into(), format!("`{value:?}` no longer exists"));
            }
            return;
        }
        match (old, new) {
            (Type::Object(old), Type::Object(new)) => self.objects(place, path, old, new),
            (Type::Nullable(old), Type::Nullable(new)) => self.types(place, path, old, new),
            (Type::Array(old), Type::Array(new)) => {
                self.types(place, &format!("{path}[]"), &old.item, &new.item);
            }
            (Type::Union(old), Type::Union(new)) => self.unions(place, path, old, new),
            _ => {}
        }
    }

    fn objects(&mut self, place: &str, path: &str, old: &ObjectType, new: &ObjectType) {
        for field in &old.fields {
            let path = format!("{path}.{}", field.name);
            match new.fields.iter().find(|other| other.name == field.name) {
                Some(other) => self.types(place, &path, &field.ty, &other.ty),
                None => self.breaks(place.into(), path, "no longer exists".into()),
            }
        }
    }

    fn unions(&mut self, place: &str, path: &str, old: &UnionType, new: &UnionType) {
        let Some(tag) = old.tag.as_ref().filter(|tag| new.tag.as_ref() == Some(tag)) else { return };
        let named = |union: &UnionType, wanted: &str| {
            union
                .variants
                .iter()
                .find(|variant| tag_of(&variant.ty, tag) == Some(wanted))
                .map(|v| v.ty.clone())
        };
        for variant in &old.variants {
            let Some(value) = tag_of(&variant.ty, tag) else { continue };
            match named(new, value) {
                Some(other) => self.types(place, &format!("{path}<{value}>"), &variant.ty, &other),
                None => self.breaks(
                    place.into(),
                    path.into(),
                    format!("the alternative `{value}` no longer exists"),
                ),
            }
        }
    }
}

/// Returns the enum's strings, also for an enum with a single value.
fn values(ty: &Type) -> Option<Vec<&str>> {
    match ty {
        Type::Enum(values) => Some(values.iter().map(|value| value.value.as_str()).collect()),
        Type::Literal(LiteralValue::String(value)) => Some(vec![value]),
        _ => None,
    }
}

/// Returns an alternative's constant in the tag member, if the alternative itself declares that member.
fn tag_of<'a>(ty: &'a Type, tag: &str) -> Option<&'a str> {
    let object = match ty {
        Type::Object(object) => object,
        Type::Intersection(parts) => return parts.iter().find_map(|part| tag_of(part, tag)),
        _ => return None,
    };
    object.fields.iter().filter(|field| field.name == tag).find_map(|field| match &field.ty {
        Type::Literal(LiteralValue::String(value)) => Some(value.as_str()),
        _ => None,
    })
}
