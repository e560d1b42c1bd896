//! The Rust names for a tool and the tool's types.

use std::collections::BTreeSet;

use crate::names::{pascal, snake};

/// One tool's names.
///
/// ```
/// use agui_codegen::frontend::{ToolNames, read};
///
/// let declared = read(r#"[{"name": "showMap", "description": "Shows a map."}]"#)?;
/// let ToolNames { ident, module, root } = declared[0].names.as_ref().expect("the name is fine");
/// assert_eq!([ident, module, root], ["show_map", "show_map_types", "ShowMap"]);
/// # Ok::<(), agui_codegen::frontend::ToolsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolNames {
    /// The tool's Rust name: `show_map`.
    pub ident: String,
    /// The module that contains the tool's types: `show_map_types`.
    pub module: String,
    /// The prefix for type names, and the name for the type that contains all arguments: `ShowMap`.
    pub root: String,
}

/// Returns the reason why model providers and `#[tool]` refuse a tool with that name.
pub(super) fn problem(name: &str) -> Option<String> {
    let mut letters = name.chars();
    let starts_well = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    let goes_on_well = letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-');
    if !starts_well || !goes_on_well {
        Some(
            "model providers accept ASCII letters, digits, `_` and `-`, not beginning with a digit or `-`"
                .into(),
        )
    } else if name.len() > 64 {
        Some(format!("model providers accept at most 64 letters, and this name has {}", name.len()))
    } else {
        None
    }
}

/// Returns names for a tool that no earlier tool has.
pub(super) fn claim(name: &str, taken: &mut BTreeSet<String>) -> ToolNames {
    let words = snake(name);
    let words = if words.starts_with(|first: char| first.is_ascii_alphabetic()) {
        words
    } else {
        format!("tool_{words}")
    };
    let mut count = 1;
    loop {
        let words = if count == 1 { words.clone() } else { format!("{words}_{count}") };
        let module = format!("{words}_types");
        let ident =
            if syn::parse_str::<syn::Ident>(&words).is_ok() { words.clone() } else { format!("{words}_") };
        if !taken.contains(&ident) && !taken.contains(&module) {
            taken.extend([ident.clone(), module.clone()]);
            return ToolNames { ident, module, root: pascal(&words) };
        }
        count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_names_of_its_own() {
        let mut taken = BTreeSet::new();
        let mut ident = |name: &str| claim(name, &mut taken).ident;
        assert_eq!(ident("show_map"), "show_map");
        assert_eq!(ident("showMap"), "show_map_2");
        assert_eq!(ident("show-map"), "show_map_3");
        assert_eq!(ident("show_map_types"), "show_map_types_2", "the types of `show_map` are there");
        assert_eq!(ident("type"), "type_");
        assert_eq!(ident("self"), "self_");
        assert_eq!(ident("_"), "tool_");
        assert_eq!(claim("HTTPGet", &mut taken).root, "HttpGet");
    }

    #[test]
    fn names_that_models_refuse_are_reported() {
        for name in ["", "2d", "show map", "größe", "a.b", "-a", &"a".repeat(65)] {
            assert!(problem(name).is_some(), "{name}");
        }
        for name in ["a", "_", "show-map_2", &"a".repeat(64)] {
            assert_eq!(problem(name), None, "{name}");
        }
    }
}
