//! The dependency source for a package's `agui-runtime`, as given in `Cargo.toml`.

use std::path::PathBuf;

use cargo_metadata::Dependency;
use toml::Table;

/// A dependency source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DependencyOrigin {
    /// A local folder.
    Path(PathBuf),
    /// A git repository, with a branch, tag or revision: `("branch", "main")`.
    Git { url: String, reference: Option<(String, String)> },
    /// A registry: the accepted versions, and the index if not the default index.
    Registry { versions: String, index: Option<String> },
}

impl DependencyOrigin {
    pub(super) fn from_dependency(dependency: &Dependency) -> Self {
        if let Some(path) = &dependency.path {
            return Self::Path(path.as_std_path().to_owned());
        }
        let source = dependency.source.as_ref().map(|source| source.repr.as_str());
        let Some(git) = source.and_then(|source| source.strip_prefix("git+")) else {
            let index = dependency.registry.clone();
            return Self::Registry { versions: dependency.req.to_string(), index };
        };
        // `https://…?branch=main`, where the name is written without percent encoding.
        let reference = |text: &str| {
            let (kind, name) = text.split_once('=')?;
            ["branch", "tag", "rev"].contains(&kind).then(|| (kind.to_owned(), name.to_owned()))
        };
        let parts = git.rsplit_once('?').and_then(|(url, text)| Some((url, reference(text)?)));
        match parts {
            Some((url, reference)) => Self::Git { url: url.to_owned(), reference: Some(reference) },
            None => Self::Git { url: git.to_owned(), reference: None },
        }
    }

    /// Returns the dependency as a `Cargo.toml` table, without default features.
    pub(super) fn table(&self) -> Table {
        let mut table = Table::new();
        let mut insert = |key: &str, value: &str| drop(table.insert(key.into(), value.into()));
        match self {
            Self::Path(path) => insert("path", &path.display().to_string()),
            Self::Git { url, reference } => {
                insert("git", url);
                if let Some((kind, name)) = reference {
                    insert(kind, name);
                }
            }
            Self::Registry { versions, index } => {
                insert("version", versions);
                if let Some(index) = index {
                    insert("registry-index", index);
                }
            }
        }
        table.insert("default-features".into(), false.into());
        table
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn origin(more: &Value) -> DependencyOrigin {
        let mut dependency = json!({
            "name": "agui-runtime", "source": null, "req": "^0.1", "kind": null, "rename": null, "optional": false,
            "uses_default_features": true, "features": [], "target": null, "registry": null,
        });
        dependency.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        DependencyOrigin::from_dependency(&serde_json::from_value(dependency).unwrap())
    }

    /// The forms in cargo's metadata, and the dependency for each form.
    #[test]
    fn dependencies_are_written_as_cargo_reports_them() {
        for (said, again) in [
            (json!({"path": "/my agents/100% ü"}), r#"path = "/my agents/100% ü""#),
            (json!({"source": "git+https://a.b/c"}), r#"git = "https://a.b/c""#),
            (
                json!({"source": "git+file:///g%20%25%C3%A4?branch=feature/ä+#1%20"}),
                "branch = \"feature/ä+#1%20\"\ngit = \"file:///g%20%25%C3%A4\"",
            ),
            (
                json!({"source": "git+https://a.b/c?token=x?rev=0123"}),
                "git = \"https://a.b/c?token=x\"\nrev = \"0123\"",
            ),
            (json!({"source": "git+https://a.b/c?token=x"}), r#"git = "https://a.b/c?token=x""#),
            (
                json!({"source": "registry+https://github.com/rust-lang/crates.io-index"}),
                r#"version = "^0.1""#,
            ),
            (
                json!({"source": "sparse+https://a.b/index%20/", "registry": "sparse+https://a.b/index%20/"}),
                "registry-index = \"sparse+https://a.b/index%20/\"\nversion = \"^0.1\"",
            ),
        ] {
            let mut expected: Table = again.parse().unwrap();
            expected.insert("default-features".into(), false.into());
            assert_eq!(origin(&said).table(), expected);
        }
    }
}
