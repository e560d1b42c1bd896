//! The keywords we know. A schema with any other is refused: it may say something that the types would have to show.

/// Says something to people only.
const ANNOTATION: &[&str] = &[
    "$comment",
    "$schema",
    "contentEncoding",
    "contentMediaType",
    "default",
    "deprecated",
    "description",
    "examples",
    "readOnly",
    "title",
    "writeOnly",
];

/// Narrows values in a way that no type shows; the generated schemas and their checks keep it.
const CONSTRAINT: &[&str] = &[
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "uniqueItems",
];

/// Makes the type.
const STRUCTURE: &[&str] = &[
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "enum",
    "items",
    "not",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "properties",
    "required",
    "type",
    "unevaluatedProperties",
];

/// What a keyword is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Annotation,
    Constraint,
    Structure,
    Unknown,
}

pub(super) fn role(keyword: &str) -> Role {
    if keyword.starts_with("x-") || ANNOTATION.contains(&keyword) {
        Role::Annotation
    } else if CONSTRAINT.contains(&keyword) {
        Role::Constraint
    } else if STRUCTURE.contains(&keyword) {
        Role::Structure
    } else {
        Role::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_keyword_has_one_role() {
        for (keyword, expected) in [
            ("x-order", Role::Annotation),
            ("title", Role::Annotation),
            ("maximum", Role::Constraint),
            ("oneOf", Role::Structure),
            ("if", Role::Unknown),
            ("dependentSchemas", Role::Unknown),
        ] {
            assert_eq!(role(keyword), expected, "{keyword}");
        }
        let all = [ANNOTATION, CONSTRAINT, STRUCTURE].concat();
        let mut once = all.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), all.len());
    }
}
