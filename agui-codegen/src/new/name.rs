//! A new package's name: applies cargo's rules before the project is written.

use super::NewError;
use crate::arguments::NewArguments;

/// Folder names that cargo creates beside programs.
const FOLDERS: [&str; 4] = ["build", "deps", "examples", "incremental"];

/// Rust's own crates.
const OF_RUST: [&str; 6] = ["alloc", "core", "proc-macro", "proc_macro", "std", "test"];

/// The keywords that Cargo refuses, and `_`, which no crate can be called.
const KEYWORDS: [&str; 52] = [
    "_", "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield",
];

/// The crates that the template names as dependencies.
pub(super) const DEPENDENCIES: [&str; 6] =
    ["agui-runtime", "agui_runtime", "schemars", "serde", "tokio", "agui-runtime-macros"];

/// The maximum length that registries accept.
const LONGEST: usize = 64;

/// A package name that cargo accepts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PackageName(String);

impl PackageName {
    /// Returns the name that the options give; the default is the folder's name.
    pub(super) fn from_arguments(options: &NewArguments) -> Result<Self, NewError> {
        let folder = || options.folder.clone();
        let name = match &options.name {
            Some(name) => name.as_str(),
            None => {
                let last = options.folder.file_name().and_then(|name| name.to_str());
                last.ok_or_else(|| NewError::NoName { folder: folder() })?
            }
        };
        match problem(name) {
            None => Ok(Self(name.to_owned())),
            Some(reason) => {
                let remedy = match options.name {
                    Some(_) => "choose another `--name`".into(),
                    None => format!("choose another folder, or a name with `--name {}`", suggested(name)),
                };
                Err(NewError::Name { name: name.to_owned(), reason, remedy })
            }
        }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    #[cfg(test)]
    pub(super) fn from_text(name: &str) -> Self {
        Self(name.to_owned())
    }
}

/// Returns the reason why cargo would refuse the name.
fn problem(name: &str) -> Option<String> {
    let Some(first) = name.chars().next() else { return Some("it is empty".into()) };
    if let Some(wrong) = name.chars().find(|c| !c.is_ascii_alphanumeric() && !"-_".contains(*c)) {
        return Some(format!(
            "it has the character `{wrong}`, and only letters, digits, `-` and `_` are allowed"
        ));
    }
    if !first.is_ascii_alphabetic() && first != '_' {
        return Some(format!("it begins with `{first}`, and not with a letter"));
    }
    if name.len() > LONGEST {
        return Some(format!("it has {} characters, and at most {LONGEST} are allowed", name.len()));
    }
    if OF_RUST.contains(&name) || DEPENDENCIES.contains(&name) {
        return Some("a crate that the project uses has this name".into());
    }
    if FOLDERS.contains(&name.to_ascii_lowercase().as_str()) {
        return Some("cargo's target folder has a folder of this name".into());
    }
    KEYWORDS.contains(&name).then(|| "it is a keyword of Rust".into())
}

/// Returns a similar name that cargo accepts.
fn suggested(name: &str) -> String {
    let kept: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    let kept: String = kept.trim_matches('-').chars().take(LONGEST - "agent-".len()).collect();
    match kept.as_str() {
        "" => "my-agent".into(),
        kept => format!("agent-{kept}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_packages() {
        for good in ["my-agent", "a", "_x", "agent2", "My_Agent", "match-maker", "raw"] {
            assert_eq!(problem(good), None, "{good}");
        }
        for (bad, part) in [
            ("", "it is empty"),
            ("my agent", "the character ` `"),
            ("agent.rs", "the character `.`"),
            ("ägent", "the character `ä`"),
            ("2fast", "it begins with `2`"),
            ("-x", "it begins with `-`"),
            ("match", "keyword of Rust"),
            ("async", "keyword of Rust"),
            ("Self", "keyword of Rust"),
            ("_", "keyword of Rust"),
            ("test", "a crate that the project uses"),
            ("serde", "a crate that the project uses"),
            ("agui-runtime", "a crate that the project uses"),
            ("deps", "cargo's target folder"),
            (&"a".repeat(65), "it has 65 characters"),
        ] {
            assert!(problem(bad).is_some_and(|reason| reason.contains(part)), "{bad}: {:?}", problem(bad));
            assert_eq!(problem(&suggested(bad)), None, "{bad}");
        }
    }

    #[test]
    #[cfg(feature = "expand")]
    fn syn_knows_the_same_keywords() {
        for keyword in KEYWORDS {
            assert!(syn::parse_str::<syn::Ident>(keyword).is_err(), "{keyword}");
        }
    }

    /// Cargo also refuses the names that are refused for their form, or because they are Rust keywords.
    #[test]
    fn cargo_agrees() {
        let folder = std::env::temp_dir().join(format!("agui-names-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for name in [
            "my-agent", "_x", "2fast", "my agent", "agent.rs", "match", "async", "Self", "test", "deps",
            "gen",
        ] {
            let mut cargo = crate::extract::cargo();
            cargo.current_dir(&folder).args(["new", "--quiet", "--vcs", "none", "--name", name, "project"]);
            let status = cargo.stderr(std::process::Stdio::null()).status().unwrap();
            drop(std::fs::remove_dir_all(folder.join("project")));
            // Cargo refuses what the newest edition reserves.
            let is_refused = problem(name).is_some();
            assert_eq!(status.success(), !is_refused, "{name}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
