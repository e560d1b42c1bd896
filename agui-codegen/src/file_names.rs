//! File and folder names that are valid and distinct on every file system.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization as _;

/// The names in one folder. Windows and macOS ignore case; macOS also ignores the difference between composed and
/// decomposed characters.
#[derive(Debug, Default)]
pub(crate) struct FileNames {
    taken: BTreeSet<String>,
}

impl FileNames {
    /// Takes all names, if every name is free.
    pub(crate) fn take(&mut self, names: &[String]) -> bool {
        let folded: Vec<String> = names.iter().map(|name| folded(name)).collect();
        let are_free = !folded.iter().any(|name| self.taken.contains(name));
        if are_free {
            self.taken.extend(folded);
        }
        are_free
    }
}

/// Returns true if Windows opens a device for a name, whatever the extension.
pub(crate) fn is_device(name: &str) -> bool {
    let stem = folded(name.split('.').next().unwrap_or_default());
    let is_port = |kind: &str| {
        let number = stem.strip_prefix(kind);
        number.is_some_and(|number| number.len() == 1 && number.bytes().all(|digit| digit.is_ascii_digit()))
    };
    matches!(stem.as_str(), "aux" | "con" | "nul" | "prn") || is_port("com") || is_port("lpt")
}

/// Folds a name as the most lenient file systems do. Two names that some file systems keep apart may be equal here.
fn folded(name: &str) -> String {
    // In capitals, all forms that a small letter has are equal, such as the forms that sigma has.
    name.nfkc().collect::<String>().to_uppercase().to_lowercase().nfkc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_file_system_takes_for_one_are_taken_together() {
        for [one, other] in [
            ["page", "Page"],
            ["é", "e\u{301}"],
            ["É", "e\u{301}"],
            ["ΟΔΟΣ", "οδος"],
            ["οδοσ", "οδος"],
            ["ﬁle", "file"],
            ["µ", "μ"],
        ] {
            let mut names = FileNames::default();
            assert!(names.take(&[one.into()]) && !names.take(&[other.into()]), "{one} and {other}");
        }
        let mut names = FileNames::default();
        assert!(names.take(&["a".into(), "b".into()]) && !names.take(&["c".into(), "B".into()]));
        assert!(names.take(&["c".into()]), "none of a list that is not free is taken");
    }

    #[test]
    fn devices_are_known_in_every_spelling() {
        for device in ["con", "CON", "Aux", "nul.json", "prn", "com1", "LPT9", "com¹", "con.arguments.json"]
        {
            assert!(is_device(device), "{device}");
        }
        for name in ["cons", "com", "com10", "lpt_1", "_con", "con_", "arguments.con", "日本", "", "."] {
            assert!(!is_device(name), "{name}");
        }
    }
}
