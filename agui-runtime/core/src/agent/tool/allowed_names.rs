//! Tool names and descriptions that all providers accept, and names that the runtime reserves. `#[tool]` has the same rules.

/// Maximum name length in bytes.
pub(crate) const LONGEST_NAME: usize = 64;

/// Maximum description length in characters.
pub const LONGEST_DESCRIPTION: usize = 1024;

/// The name under which a model sees a chat's output as a tool.
pub(crate) const FINAL_RESULT: &str = "final_result";

/// Prefix for the runtime's own tools.
const RESERVED_PREFIX: &str = "agui_";

/// True if the runtime reserves the name.
pub(crate) const fn is_reserved(name: &str) -> bool {
    begins_with(name, RESERVED_PREFIX)
        || (name.len() == FINAL_RESULT.len() && begins_with(name, FINAL_RESULT))
}

const fn begins_with(text: &str, beginning: &str) -> bool {
    let (mut text, mut beginning) = (text.as_bytes(), beginning.as_bytes());
    while let [expected, rest @ ..] = beginning {
        match text {
            [byte, others @ ..] if *byte == *expected => (text, beginning) = (others, rest),
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_names_are_known() {
        for (name, expected) in [
            ("final_result", true),
            ("final_results", false),
            ("final_resul", false),
            ("agui_x", true),
            ("agui_", true),
            ("agui", false),
            ("", false),
        ] {
            assert_eq!(is_reserved(name), expected, "{name}");
        }
    }
}
