//! A check for output that is known not to compile.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};
use syn::{Fields, GenericArgument, Item, PathArguments, Type};

use super::TranslationError;
use super::tidy::derives;

/// Refuses two types with the same name, and names without a type.
pub(super) fn check(file: &syn::File) -> Result<(), TranslationError> {
    let mut items = BTreeMap::new();
    for item in &file.items {
        let (ident, attrs) = match item {
            Item::Struct(strukt) => (&strukt.ident, &strukt.attrs),
            Item::Enum(choice) => (&choice.ident, &choice.attrs),
            _ => continue,
        };
        if items.insert(ident.to_string(), attrs).is_some() {
            return Err(TranslationError::new(format!("typify calls two types `{ident}`")));
        }
    }
    let ordered: BTreeSet<String> =
        items.iter().filter(|(_, attrs)| derives(attrs, "Ord")).map(|(name, _)| name.clone()).collect();
    let mut paths = PathVisitor { items: items.keys().cloned().collect(), ordered, refusal: None };
    for item in &file.items {
        match item {
            Item::Struct(strukt) => {
                once(&strukt.ident, strukt.fields.iter().filter_map(|field| field.ident.as_ref()))?;
                paths.visit_fields(&strukt.fields);
            }
            Item::Enum(choice) => {
                once(&choice.ident, choice.variants.iter().map(|variant| &variant.ident))?;
                choice.variants.iter().for_each(|variant| paths.visit_fields(&variant.fields));
            }
            _ => {}
        }
    }
    paths.refusal.map_or(Ok(()), Err)
}

fn once<'i>(
    owner: &syn::Ident,
    idents: impl Iterator<Item = &'i syn::Ident>,
) -> Result<(), TranslationError> {
    let mut seen = BTreeSet::new();
    for ident in idents {
        if !seen.insert(ident) {
            return Err(TranslationError::new(format!("typify calls two parts of `{owner}` `{ident}`")));
        }
    }
    Ok(())
}

/// Types that exist without a declaration in the file.
const KNOWN: [&str; 15] = [
    "Box", "Option", "String", "Vec", "bool", "f32", "f64", "i16", "i32", "i64", "i8", "u16", "u32", "u64",
    "u8",
];

struct PathVisitor {
    items: BTreeSet<String>,
    ordered: BTreeSet<String>,
    refusal: Option<TranslationError>,
}

impl Visit<'_> for PathVisitor {
    fn visit_fields(&mut self, fields: &Fields) {
        fields.iter().for_each(|field| self.visit_type(&field.ty));
    }

    fn visit_type_path(&mut self, path: &syn::TypePath) {
        let Some(last) = path.path.segments.last() else { return };
        let is_own = path.path.leading_colon.is_none() && path.path.segments.len() == 1;
        let name = last.ident.to_string();
        if is_own && !KNOWN.contains(&name.as_str()) && !self.items.contains(&name) {
            self.refusal =
                Some(TranslationError::new(format!("typify writes no type `{name}`, and uses it")));
        }
        if name == "BTreeMap"
            && let PathArguments::AngleBracketed(list) = &last.arguments
            && let Some(GenericArgument::Type(Type::Path(key))) = list.args.first()
            && let Some(key) = key.path.segments.last()
            && key.ident != "String"
            && !self.ordered.contains(&key.ident.to_string())
        {
            self.refusal = Some(TranslationError::new(format!("`{}` has no order and is a key", key.ident)));
        }
        visit::visit_type_path(self, path);
    }
}
