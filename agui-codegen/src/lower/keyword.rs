//! The known keywords. A keyword that says which values are valid, and has no representation, is refused. A keyword that
//! JSON Schema does not have only annotates, and is ignored with a warning.

/// Keywords for people only.
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

/// Keywords that narrow values in a way that no type shows; the generated schemas and their checks keep them.
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

/// Keywords that make the type.
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

/// Keywords that say which values are valid, and that no type shows.
const UNSUPPORTED: &[&str] = &[
    "$dynamicRef",
    "$recursiveRef",
    "additionalItems",
    "contains",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "if",
    "maxContains",
    "minContains",
    "nullable",
    "propertyNames",
    "then",
    "unevaluatedItems",
];

/// The purpose of a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeywordRole {
    Annotation,
    Constraint,
    Structure,
    Unsupported,
    /// JSON Schema does not have it, as OpenAPI's `discriminator`: it does not change which values are valid.
    Foreign,
}

pub(super) fn role(keyword: &str) -> KeywordRole {
    if keyword.starts_with("x-") || ANNOTATION.contains(&keyword) {
        KeywordRole::Annotation
    } else if CONSTRAINT.contains(&keyword) {
        KeywordRole::Constraint
    } else if STRUCTURE.contains(&keyword) {
        KeywordRole::Structure
    } else if UNSUPPORTED.contains(&keyword) {
        KeywordRole::Unsupported
    } else {
        KeywordRole::Foreign
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_keyword_has_one_role() {
        for (keyword, expected) in [
            ("x-order", KeywordRole::Annotation),
            ("title", KeywordRole::Annotation),
            ("maximum", KeywordRole::Constraint),
            ("oneOf", KeywordRole::Structure),
            ("if", KeywordRole::Unsupported),
            ("dependentSchemas", KeywordRole::Unsupported),
            ("nullable", KeywordRole::Unsupported),
            ("discriminator", KeywordRole::Foreign),
        ] {
            assert_eq!(role(keyword), expected, "{keyword}");
        }
        let all = [ANNOTATION, CONSTRAINT, STRUCTURE, UNSUPPORTED].concat();
        let mut once = all.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), all.len());
    }
}
