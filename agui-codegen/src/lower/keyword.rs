//! The known keywords. A keyword that restricts which values are valid, and has no representation, is refused. A
//! keyword that JSON Schema does not define only annotates, and is ignored with a warning.

/// Annotation keywords, which only people read.
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

/// Keywords that restrict values in a way that no type shows; the generated schemas and the checks from them keep these
/// keywords.
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

/// Keywords that determine the type.
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

/// Keywords that restrict which values are valid, and that no type shows.
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

/// A keyword's purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeywordRole {
    Annotation,
    Constraint,
    Structure,
    Unsupported,
    /// JSON Schema does not define the keyword, for example OpenAPI's `discriminator`: the keyword does not change
    /// which values are valid.
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
