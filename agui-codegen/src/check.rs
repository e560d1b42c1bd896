//! Comparison between the files on disk and the files that would be generated now.

use std::collections::BTreeMap;
use std::fmt;

use similar::TextDiff;

use crate::emit::{GeneratedFile, MARK};

/// The generated files on disk: file text by path, relative to the language's folder.
///
/// ```
/// use agui_codegen::{ExistingFiles, check};
///
/// let existing = ExistingFiles::from([("chef/mine.ts".to_owned(), "export {};\n".to_owned())]);
/// assert_eq!(check(&[], &existing), [], "it was not generated, so it is not stale");
/// ```
pub type ExistingFiles = BTreeMap<String, String>;

/// A difference between the files on disk and the files that would be generated.
///
/// ```
/// use agui_codegen::{ExistingFiles, FileDrift, MARK, check};
///
/// let old = ExistingFiles::from([("waiter/types.ts".to_owned(), format!("// {MARK} 0.1.0\n"))]);
/// assert_eq!(check(&[], &old), [FileDrift::Stale { path: "waiter/types.ts".to_owned() }]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileDrift {
    /// The file is missing on disk.
    Missing {
        /// The file path.
        path: String,
    },
    /// The file content differs.
    Changed {
        /// The file path.
        path: String,
        /// A unified diff from the file on disk to the generated file.
        diff: String,
    },
    /// The file was generated before and would not be generated now.
    Stale {
        /// The file path.
        path: String,
    },
}

impl FileDrift {
    /// Returns the file path.
    ///
    /// ```
    /// use agui_codegen::FileDrift;
    ///
    /// let missing = FileDrift::Missing { path: "chef/types.ts".to_owned() };
    /// assert_eq!(missing.path(), "chef/types.ts");
    /// assert_eq!(missing.to_string(), "chef/types.ts: is missing\n");
    /// ```
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::Missing { path } | Self::Changed { path, .. } | Self::Stale { path } => path,
        }
    }
}

impl fmt::Display for FileDrift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { path } => writeln!(f, "{path}: is missing"),
            Self::Stale { path } => writeln!(f, "{path}: is stale: it would not be generated now"),
            Self::Changed { diff, .. } => f.write_str(diff),
        }
    }
}

/// Compares `files` with the files on disk. The result is empty if all files are up to date.
///
/// A file that a formatter changed is still up to date: white space, trailing commas and the comments at the top do not
/// count. A file in `existing` without [`MARK`] was not generated, and is never stale.
///
/// ```
/// use agui_codegen::{ExistingFiles, FileDrift, GeneratedFile, check};
///
/// let file = GeneratedFile { path: "chef/types.ts".to_owned(), text: "export type Dish = string;\n".to_owned() };
/// let on_disk = |text: &str| ExistingFiles::from([(file.path.clone(), text.to_owned())]);
/// assert_eq!(check(&[file.clone()], &on_disk("export type Dish =\n  string;\n")), []);
///
/// let changed = check(&[file.clone()], &on_disk("export type Dish = number;\n"));
/// let [FileDrift::Changed { diff, .. }] = &changed[..] else { panic!("{changed:?}") };
/// assert!(diff.contains("-export type Dish = number;\n+export type Dish = string;\n"));
/// ```
#[must_use]
pub fn check(files: &[GeneratedFile], existing: &ExistingFiles) -> Vec<FileDrift> {
    let mut drift = Vec::new();
    for GeneratedFile { path, text } in files {
        match existing.get(path) {
            None => drift.push(FileDrift::Missing { path: path.clone() }),
            Some(there) if there == text || essence(there) == essence(text) => {}
            Some(there) => {
                let diff = TextDiff::from_lines(there, text);
                let diff = diff.unified_diff().header(path, &format!("{path} (generated)")).to_string();
                drift.push(FileDrift::Changed { path: path.clone(), diff });
            }
        }
    }
    for (path, text) in existing {
        if is_generated(text) && !files.iter().any(|file| file.path == *path) {
            drift.push(FileDrift::Stale { path: path.clone() });
        }
    }
    drift
}

/// Returns true if this program wrote the file: one of the first lines has [`MARK`].
pub(crate) fn is_generated(text: &str) -> bool {
    text.lines().take(5).any(|line| line.contains(MARK))
}

/// Returns the text that remains after any formatter: without line breaks, indentation and trailing commas. Strings,
/// which end on their line, stay unchanged.
fn essence(text: &str) -> String {
    let is_head = |line: &&str| {
        let line = line.trim();
        line.is_empty() || line.starts_with("//") || line.starts_with('#') || line.starts_with("/* eslint")
    };
    let mut essence = String::with_capacity(text.len());
    let mut comma = false;
    for line in text.lines().skip_while(is_head) {
        let (mut quoted, mut escaped) = (false, false);
        for c in line.chars().filter(|c| !matches!(c, '\r')) {
            if !quoted && c.is_whitespace() {
                continue;
            }
            // Drops a comma before a closing bracket.
            if std::mem::take(&mut comma) && !matches!(c, ')' | ']' | '}') {
                essence.push(',');
            }
            if !quoted && c == ',' {
                comma = true;
                continue;
            }
            essence.push(c);
            quoted ^= c == '"' && !escaped;
            escaped = quoted && c == '\\' && !escaped;
        }
    }
    essence.extend(comma.then_some(','));
    essence
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "// @generated by agui-codegen 0.1.0. Do not edit.\n/* eslint-disable */\n\nexport type A = [\n  \
         number,\n  string,\n];\n";

    fn file(text: &str) -> Vec<GeneratedFile> {
        vec![GeneratedFile { path: "a/types.ts".into(), text: text.into() }]
    }

    fn existing(path: &str, text: &str) -> ExistingFiles {
        ExistingFiles::from([(path.to_owned(), text.to_owned())])
    }

    #[test]
    fn a_file_on_disk_is_fresh_or_stale() {
        let same = existing("a/types.ts", TEXT);
        assert_eq!(check(&file(TEXT), &same), []);

        let renamed = check(&file(&TEXT.replace("type A", "type B")), &same);
        let [FileDrift::Changed { path, diff }] = renamed.as_slice() else { panic!("{renamed:?}") };
        assert_eq!(path, "a/types.ts");
        assert!(diff.contains("-export type A = [\n+export type B = [\n"), "{diff}");

        assert_eq!(
            check(&file(TEXT), &ExistingFiles::new()),
            [FileDrift::Missing { path: "a/types.ts".into() }]
        );
    }

    #[test]
    fn differences_inside_a_string_count() {
        let schema = |text: &str| format!("{{ \"$comment\": \"{MARK}\", \"const\": [{text}] }}\n");
        let same = |one: &str, other: &str| essence(&schema(one)) == essence(&schema(other));
        assert!(!same("\"in progress\"", "\"inprogress\""));
        assert!(!same(r#""a \", ]""#, r#""a \",]""#));
        assert!(!same("\"a,]\"", "\"a]\""));
        assert!(same("\"a b\",\n  \"c\",\n", "\"a b\", \"c\""));
        assert!(same("\"\\\\\", 1 , 2", "\"\\\\\",1,2"));
    }

    #[test]
    fn a_formatter_changes_nothing() {
        let formatted = "// prettier was here\n\nexport type A = [number, string];";
        assert_eq!(check(&file(TEXT), &existing("a/types.ts", formatted)), []);
        let different = formatted.replace("string", "String");
        assert_eq!(check(&file(TEXT), &existing("a/types.ts", &different)).len(), 1);
    }

    #[test]
    fn only_our_own_files_are_stale() {
        let old = check(&[], &existing("b/types.ts", TEXT));
        assert_eq!(old, [FileDrift::Stale { path: "b/types.ts".into() }]);
        assert_eq!(check(&[], &existing("b/mine.ts", "export {};\n")), []);
    }
}
