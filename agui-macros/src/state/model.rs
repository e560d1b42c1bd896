//! A state type as data: the JSON form in serde, and how each part is compared.

use syn::{ExprPath, Generics, Ident, Member, Path, Token, Type, Visibility};

use super::attr::KeyAttr;
use crate::attr::{AttributeFlag, SerdeAttrs};

pub(super) struct StateModel<'a> {
    pub(super) vis: &'a Visibility,
    pub(super) ident: &'a Ident,
    pub(super) generics: &'a Generics,
    pub(super) serde: SerdeAttrs,
    /// A derive beside this derive that writes JSON other than serde's own.
    pub(super) foreign_serialize: Option<Path>,
    pub(super) opaque: Option<AttributeFlag>,
    pub(super) exact: Option<AttributeFlag>,
    pub(super) live: Option<AttributeFlag>,
    pub(super) shape: StateShape<'a>,
}

pub(super) enum StateShape<'a> {
    Struct(StructModel<'a>),
    Enum(Vec<VariantModel<'a>>),
    Union(&'a Token![union]),
}

pub(super) struct StructModel<'a> {
    pub(super) body: FieldsBody<'a>,
    /// The member that holds the struct's own name, and that name.
    pub(super) tag: Option<(JsonName, JsonName)>,
    /// `serde(transparent)`.
    pub(super) transparent: bool,
}

pub(super) struct VariantModel<'a> {
    pub(super) ident: &'a Ident,
    pub(super) name: JsonName,
    pub(super) serde: SerdeAttrs,
    pub(super) form: VariantForm,
    /// True if serde has no JSON for the variant.
    pub(super) skipped: bool,
    pub(super) body: FieldsBody<'a>,
}

/// Location where a variant's name is written.
#[derive(Clone)]
pub(super) enum VariantForm {
    /// `{"Variant": content}`, or `"Variant"`.
    External,
    /// `{"tag": "Variant", …content}`.
    Internal { tag: JsonName },
    /// `{"tag": "Variant", "content": content}`.
    Adjacent { tag: JsonName, content: JsonName },
    /// The name is not written.
    Untagged,
}

pub(super) struct FieldsBody<'a> {
    pub(super) style: Style,
    pub(super) fields: Vec<FieldModel<'a>>,
}

/// JSON form for struct or variant fields.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `null`.
    Unit,
    /// The one field.
    Newtype,
    /// An array.
    Tuple,
    /// An object.
    Named,
}

pub(super) struct FieldModel<'a> {
    pub(super) member: Member,
    /// The field's name in a pattern, on the side that changes.
    pub(super) mine: Ident,
    /// The field's name in a pattern, on the other side.
    pub(super) theirs: Ident,
    pub(super) vis: &'a Visibility,
    pub(super) ty: &'a Type,
    pub(super) owner: FieldOwner,
    pub(super) name: JsonName,
    pub(super) serde: SerdeAttrs,
    /// True if the field is not written as JSON.
    pub(super) skipped: bool,
    /// The function that returns true if the field is absent.
    pub(super) absent: Option<ExprPath>,
    /// True if the field's members are members in the owner.
    pub(super) flatten: bool,
    pub(super) how: WriteMethod,
    pub(super) opaque: Option<AttributeFlag>,
    pub(super) key: Option<KeyAttr>,
}

/// The code that compares and writes a field.
pub(super) enum WriteMethod {
    /// The field is a state.
    State,
    /// The field's `Serialize`.
    Serialize,
    /// A user function.
    Function(ExprPath),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldOwner {
    NamedStruct,
    TupleStruct,
    Variant,
}

/// A name on the wire.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct JsonName(pub(super) String);

impl JsonName {
    /// A JSON string, with quotes.
    pub(super) fn json(&self) -> String {
        format!("\"{}\"", escaped(&self.0))
    }

    /// The beginning JSON for a member, with the colon.
    pub(super) fn member(&self) -> String {
        format!("{}:", self.json())
    }

    /// The last JSON Pointer part inside a JSON string: first the pointer's escapes, then the string's.
    pub(super) fn token(&self) -> String {
        format!("/{}", escaped(&self.0.replace('~', "~0").replace('/', "~1")))
    }
}

/// The inside of a JSON string, with the escapes that serde_json writes.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut json, letter| {
        match letter {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            '\u{8}' => json.push_str("\\b"),
            '\u{c}' => json.push_str("\\f"),
            letter if letter < ' ' => json.push_str(&format!("\\u{:04x}", u32::from(letter))),
            letter => json.push(letter),
        }
        json
    })
}

impl<'a> StateModel<'a> {
    /// Every field, including variant fields, in source order.
    pub(super) fn fields(&self) -> Vec<&FieldModel<'a>> {
        match &self.shape {
            StateShape::Struct(strukt) => strukt.body.fields.iter().collect(),
            StateShape::Enum(variants) => variants.iter().flat_map(|variant| &variant.body.fields).collect(),
            StateShape::Union(_) => Vec::new(),
        }
    }

    /// Returns true if serde alone decides how the type is written: as another type, or because the user says so.
    pub(super) fn is_opaque(&self) -> bool {
        self.opaque.is_some() || self.serde.serde(&["into"]).is_some()
    }

    /// The fields that must be states themselves.
    pub(super) fn compared(&self) -> Vec<&FieldModel<'a>> {
        let is_compared = |field: &&FieldModel<'a>| !self.is_opaque() && field.is_compared();
        self.fields().into_iter().filter(is_compared).collect()
    }

    /// Returns true if every value is written as a string, and so can be a member name.
    pub(super) fn is_unit_enum(&self) -> bool {
        let StateShape::Enum(variants) = &self.shape else { return false };
        !self.is_opaque()
            && !variants.is_empty()
            && variants.iter().all(|variant| {
                variant.body.style == Style::Unit
                    && variant.body.fields.is_empty()
                    && matches!(variant.form, VariantForm::External)
            })
    }

    /// The only field, if the struct is written as that field.
    pub(super) fn inner(&self) -> Option<&FieldModel<'_>> {
        match &self.shape {
            StateShape::Struct(strukt) if !self.is_opaque() => strukt.inner(),
            _ => None,
        }
    }
}

impl StructModel<'_> {
    /// The field that the struct is written as, if there is one.
    pub(super) fn inner(&self) -> Option<&FieldModel<'_>> {
        match (self.transparent, self.body.style) {
            (true, _) => self.body.fields.iter().find(|field| !field.skipped && !field.is_phantom()),
            (false, Style::Newtype) => self.body.fields.first(),
            _ => None,
        }
    }
}

impl<'a> FieldsBody<'a> {
    /// The fields that have a place in the JSON.
    pub(super) fn written(&self) -> impl Iterator<Item = &FieldModel<'a>> {
        self.fields.iter().filter(|field| !field.skipped)
    }
}

impl FieldModel<'_> {
    pub(super) fn is_compared(&self) -> bool {
        matches!(self.how, WriteMethod::State) && !self.skipped
    }

    /// serde writes `PhantomData` as nothing or `null`; either way it never changes.
    pub(super) fn is_phantom(&self) -> bool {
        match crate::spelling::peeled(self.ty) {
            Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "PhantomData"),
            _ => false,
        }
    }
}
