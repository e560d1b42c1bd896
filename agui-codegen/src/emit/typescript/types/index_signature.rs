//! Index signatures, for members that an object does not name.

use super::TypePrinter;
use crate::ir::{AdditionalProperties, ObjectType, Type};

impl TypePrinter<'_> {
    /// Returns the index signature for unnamed members. TypeScript requires that named members match the
    /// signature too.
    pub(super) fn index_signature(&self, object: &ObjectType) -> Option<String> {
        let AdditionalProperties::Typed(extra) = &object.extra else { return None };
        let mut texts = Vec::new();
        let mut known = self.alternatives(extra, &mut texts);
        for field in &object.fields {
            known &= self.alternatives(&field.ty, &mut texts);
            if !field.required {
                texts.push("undefined".into());
            }
        }
        let mut once: Vec<String> = Vec::new();
        for text in texts {
            if !once.contains(&text) {
                once.push(text);
            }
        }
        let known = known && !once.iter().any(|text| text == "unknown");
        Some(format!("[key: string]: {}", if known { once.join(" | ") } else { "unknown".into() }))
    }

    /// Adds the alternatives in `ty`, each on one line; returns false if an alternative needs more lines.
    fn alternatives(&self, ty: &Type, texts: &mut Vec<String>) -> bool {
        match ty {
            Type::Nullable(inner) => {
                let known = self.alternatives(inner, texts);
                texts.push("null".into());
                known
            }
            Type::Union(union) => union.variants.iter().all(|variant| self.alternatives(&variant.ty, texts)),
            ty => self.one_line(ty).map(|text| texts.push(text)).is_some(),
        }
    }
}
