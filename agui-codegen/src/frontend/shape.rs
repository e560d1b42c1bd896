//! A serde simulation for the generated types: reads a value and writes the value again, without a compiler.
//!
//! The simulation supports only the forms that typify writes. Any other form is an error, so that nothing passes
//! unchecked.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use syn::{Expr, ExprLit, Fields, GenericArgument, Item, Lit, PathArguments, PathSegment, Type};

use super::attributes::SerdeAttributes;

/// The types in a file, by name.
pub(super) struct SerdeShapes<'f> {
    items: BTreeMap<String, &'f Item>,
}

/// The reason why a value does not pass: the path, and the expected type.
pub(super) type ShapeMismatch = String;

impl<'f> SerdeShapes<'f> {
    pub(super) fn from_file(file: &'f syn::File) -> Self {
        let named = |item: &'f Item| match item {
            Item::Struct(strukt) => Some((strukt.ident.to_string(), item)),
            Item::Enum(choice) => Some((choice.ident.to_string(), item)),
            _ => None,
        };
        Self { items: file.items.iter().filter_map(named).collect() }
    }

    /// Reads `value` as the type called `name`, and writes the value again.
    pub(super) fn pass(&self, name: &str, value: &Value) -> Result<Value, ShapeMismatch> {
        self.named(name, value, "$")
    }

    fn named(&self, name: &str, value: &Value, at: &str) -> Result<Value, ShapeMismatch> {
        match self.items.get(name) {
            Some(Item::Struct(strukt)) => self.fields(
                &strukt.fields,
                SerdeAttributes::from_attributes(&strukt.attrs).has("deny_unknown_fields"),
                value,
                at,
            ),
            Some(Item::Enum(choice)) => self.choice(choice, value, at),
            _ => Err(format!("{at}: there is no type `{name}`")),
        }
    }

    fn ty(&self, ty: &Type, value: &Value, at: &str) -> Result<Value, ShapeMismatch> {
        match ty {
            Type::Tuple(tuple) if tuple.elems.is_empty() => is(value.is_null(), value, "null", at),
            Type::Tuple(tuple) => {
                let places: Vec<&Type> = tuple.elems.iter().collect();
                self.places(&places, value, at)
            }
            Type::Array(array) => {
                let Expr::Lit(ExprLit { lit: Lit::Int(length), .. }) = &array.len else {
                    return Err(format!("{at}: an array without a length"));
                };
                let length: usize = length.base10_parse().map_err(|error| format!("{at}: {error}"))?;
                self.places(&vec![&*array.elem; length], value, at)
            }
            Type::Path(path) => self.path(path, value, at),
            _ => Err(format!("{at}: an unknown type")),
        }
    }

    fn path(&self, path: &syn::TypePath, value: &Value, at: &str) -> Result<Value, ShapeMismatch> {
        let Some(last) = path.path.segments.last() else {
            return Err(format!("{at}: a type without a name"));
        };
        let name = last.ident.to_string();
        match (name.as_str(), type_arguments(last).as_slice()) {
            ("Option", [inner]) if !value.is_null() => self.ty(inner, value, at),
            ("Option", [_]) | ("Value", []) => Ok(value.clone()),
            ("Box", [inner]) => self.ty(inner, value, at),
            ("Vec" | "HashSet" | "BTreeSet", [inner]) => {
                let items = value.as_array().ok_or_else(|| wanted("a list", value, at))?.iter().enumerate();
                let items = items.map(|(index, item)| self.ty(inner, item, &format!("{at}[{index}]")));
                Ok(Value::Array(items.collect::<Result<_, _>>()?))
            }
            ("BTreeMap" | "HashMap" | "Map", [key, inner]) => self.map(key, inner, value, at),
            ("String", []) => is(value.is_string(), value, "a text", at),
            ("bool", []) => is(value.is_boolean(), value, "true or false", at),
            ("f64" | "f32", []) => is(value.is_number(), value, "a number", at),
            (own, []) if self.items.contains_key(own) => self.named(own, value, at),
            (number, []) if range(number).is_some() => {
                let whole = value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
                let (least, most) = range(number).unwrap_or_default();
                let fits = whole.is_some_and(|whole| (least..=most).contains(&whole))
                    && !(number.starts_with("NonZero") && whole == Some(0));
                is(fits, value, number, at)
            }
            // The types that represent formats.
            ("NaiveDate" | "DateTime" | "Uuid" | "IpAddr" | "Ipv4Addr" | "Ipv6Addr", _) => {
                is(value.is_string(), value, "a text", at)
            }
            _ => Err(format!("{at}: the unknown type `{name}`")),
        }
    }

    fn map(&self, key: &Type, inner: &Type, value: &Value, at: &str) -> Result<Value, ShapeMismatch> {
        let members = value.as_object().ok_or_else(|| wanted("an object", value, at))?;
        let mut back = Map::new();
        for (name, member) in members {
            let here = format!("{at}.{name}");
            let name = self.ty(key, &Value::String(name.clone()), &here)?;
            let name = name.as_str().ok_or_else(|| format!("{here}: a name that is not a string"))?;
            back.insert(name.to_owned(), self.ty(inner, member, &here)?);
        }
        Ok(Value::Object(back))
    }

    fn places(&self, places: &[&Type], value: &Value, at: &str) -> Result<Value, ShapeMismatch> {
        let items = value.as_array().filter(|items| items.len() == places.len());
        let items = items.ok_or_else(|| wanted(&format!("a list of {}", places.len()), value, at))?;
        let back = places.iter().zip(items).enumerate();
        let back = back.map(|(index, (place, item))| self.ty(place, item, &format!("{at}[{index}]")));
        Ok(Value::Array(back.collect::<Result<_, _>>()?))
    }

    fn fields(
        &self,
        fields: &Fields,
        is_closed: bool,
        value: &Value,
        at: &str,
    ) -> Result<Value, ShapeMismatch> {
        match fields {
            Fields::Unit => is(value.is_null(), value, "null", at),
            Fields::Unnamed(places) => {
                let types: Vec<&Type> = places.unnamed.iter().map(|field| &field.ty).collect();
                match types.as_slice() {
                    [only] => self.ty(only, value, at),
                    several => self.places(several, value, at),
                }
            }
            Fields::Named(named) => self.members(named, is_closed, value, at),
        }
    }

    fn members(
        &self,
        named: &syn::FieldsNamed,
        is_closed: bool,
        value: &Value,
        at: &str,
    ) -> Result<Value, ShapeMismatch> {
        let mut rest = value.as_object().ok_or_else(|| wanted("an object", value, at))?.clone();
        let mut back = Map::new();
        let mut poured = Vec::new();
        for field in &named.named {
            let attributes = SerdeAttributes::from_attributes(&field.attrs);
            if attributes.has("flatten") {
                poured.push(&field.ty);
                continue;
            }
            let name = attributes.wire_name(field.ident.as_ref());
            let here = format!("{at}.{name}");
            match rest.remove(&name) {
                Some(member) => {
                    let member = self.ty(&field.ty, &member, &here)?;
                    let is_left_out = match attributes.text("skip_serializing_if").unwrap_or_default() {
                        skip if skip.ends_with("is_none") => member.is_null(),
                        skip if skip.ends_with("is_empty") => is_empty(&member),
                        _ => false,
                    };
                    if !is_left_out {
                        back.insert(name, member);
                    }
                }
                None if attributes.has("default") => {}
                None if is_option(&field.ty) => drop(back.insert(name, Value::Null)),
                None => return Err(format!("{here}: is missing")),
            }
        }
        for ty in &poured {
            let given = Value::Object(rest.clone());
            let Value::Object(members) = self.ty(ty, &given, at)? else {
                return Err(format!("{at}: the flattened value is not an object"));
            };
            // Each part takes the members that the part knows.
            rest.retain(|name, _| !members.contains_key(name));
            back.extend(members);
        }
        match rest.keys().next() {
            Some(unknown) if is_closed => Err(format!("{at}.{unknown}: is not expected")),
            _ => Ok(Value::Object(back)),
        }
    }

    fn choice(&self, choice: &syn::ItemEnum, value: &Value, at: &str) -> Result<Value, ShapeMismatch> {
        let attributes = SerdeAttributes::from_attributes(&choice.attrs);
        let is_closed = attributes.has("deny_unknown_fields");
        if attributes.has("untagged") {
            let mut variants = choice.variants.iter();
            let read = variants.find_map(|variant| self.fields(&variant.fields, is_closed, value, at).ok());
            return read.ok_or_else(|| wanted(&format!("one of `{}`", choice.ident), value, at));
        }
        let unknown = || wanted(&format!("one of `{}`", choice.ident), value, at);
        let find = |name: &str| {
            let mut variants = choice.variants.iter();
            variants.find(|variant| {
                SerdeAttributes::from_attributes(&variant.attrs).wire_name(Some(&variant.ident)) == name
            })
        };
        if let Some(tag) = attributes.text("tag") {
            let mut members = value.as_object().ok_or_else(|| wanted("an object", value, at))?.clone();
            let name = members.remove(&tag).ok_or_else(unknown)?;
            let variant = name.as_str().and_then(find).ok_or_else(unknown)?;
            let mut back = Map::from_iter([(tag, name)]);
            if let Some(content) = attributes.text("content") {
                let inner = members.remove(&content).unwrap_or_default();
                let inner = self.fields(&variant.fields, is_closed, &inner, &format!("{at}.{content}"))?;
                if !matches!(variant.fields, Fields::Unit) {
                    back.insert(content, inner);
                }
            } else if !matches!(variant.fields, Fields::Unit) {
                let inner = self.fields(&variant.fields, is_closed, &Value::Object(members), at)?;
                back.extend(inner.as_object().ok_or_else(unknown)?.clone());
            }
            return Ok(Value::Object(back));
        }
        match value {
            Value::String(name) => {
                let variant = find(name).ok_or_else(unknown)?;
                is(matches!(variant.fields, Fields::Unit), value, "an object", at)
            }
            Value::Object(members) if members.len() == 1 => {
                let (name, inner) = members.iter().next().ok_or_else(unknown)?;
                let variant = find(name).ok_or_else(unknown)?;
                let inner = self.fields(&variant.fields, is_closed, inner, &format!("{at}.{name}"))?;
                Ok(Value::Object(Map::from_iter([(name.clone(), inner)])))
            }
            _ => Err(unknown()),
        }
    }
}

fn type_arguments(segment: &PathSegment) -> Vec<&Type> {
    let PathArguments::AngleBracketed(list) = &segment.arguments else { return Vec::new() };
    let types = list.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.collect()
}

fn is(fits: bool, value: &Value, what: &str, at: &str) -> Result<Value, ShapeMismatch> {
    if fits { Ok(value.clone()) } else { Err(wanted(what, value, at)) }
}

fn wanted(what: &str, value: &Value, at: &str) -> ShapeMismatch {
    format!("{at}: the type wants {what}, the schema allows {value}")
}

fn is_option(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Option"))
}

pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// Returns the range for a Rust number type.
fn range(name: &str) -> Option<(i128, i128)> {
    let range = match name.strip_prefix("NonZero").unwrap_or(name).to_lowercase().as_str() {
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" => (0, u64::MAX.into()),
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        "i64" => (i64::MIN.into(), i64::MAX.into()),
        _ => return None,
    };
    Some(range)
}
