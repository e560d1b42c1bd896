//! `agui-codegen.toml`, beside a package's `Cargo.toml`: where its files go, so that nobody has to say it again.

use std::path::{Path, PathBuf};

use agui_codegen::ir::React;
use serde::Deserialize;

/// The name of the file.
pub(crate) const FILE: &str = "agui-codegen.toml";

/// Such a file with everything it can say.
pub(crate) const EXAMPLE: &str = r#"ts = "web/src/agui"         # where the TypeScript goes
python = "client/agui"      # where the Python goes: a package
schemas = "schemas"         # where JSON Schema files go; one of the three is enough
react = "v2"                # React hooks beside the TypeScript, over CopilotKit's v1 or v2
bin = "server"              # the binary that knows the agents, if there are several
features = ["demo"]         # the features to build it with
"#;

/// What the file says. Paths are relative to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    /// Where the TypeScript goes.
    #[serde(default)]
    pub(crate) ts: Option<PathBuf>,
    /// Where the Python goes.
    #[serde(default)]
    pub(crate) python: Option<PathBuf>,
    /// Where the JSON Schema files go.
    #[serde(default)]
    pub(crate) schemas: Option<PathBuf>,
    /// The React hooks beside the TypeScript.
    #[serde(default)]
    pub(crate) react: Option<ReactName>,
    /// The binary that knows the agents, where the package has several.
    #[serde(default)]
    pub(crate) bin: Option<String>,
    /// The features to build it with.
    #[serde(default)]
    pub(crate) features: Vec<String>,
}

/// Whose hooks the React file uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ReactName {
    /// `@copilotkit/react-core`: shared state.
    V1,
    /// `@copilotkit/react-core/v2`: shared state, handlers, prompts, how calls are drawn.
    V2,
}

impl ReactName {
    pub(crate) fn react(self) -> React {
        match self {
            Self::V1 => React::V1,
            Self::V2 => React::V2,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::V1 => "v1",
            Self::V2 => "v2",
        }
    }
}

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    #[error("{}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{}: {source}", path.display())]
    Parse { path: PathBuf, source: Box<toml::de::Error> },
    #[error("{}: says none of `ts`, `python` and `schemas`, so there is nothing to generate", path.display())]
    Nothing { path: PathBuf },
}

impl Config {
    /// Reads the file in `folder`; `None` when there is none.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>, ConfigError> {
        let path = folder.join(FILE);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(ConfigError::Read { path, source }),
        };
        let config: Self = toml::from_str(&text)
            .map_err(|source| ConfigError::Parse { path: path.clone(), source: Box::new(source) })?;
        if config.ts.is_none() && config.python.is_none() && config.schemas.is_none() {
            return Err(ConfigError::Nothing { path });
        }
        Ok(Some(config))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_says_where_things_go() {
        let config: Config = toml::from_str("ts = \"web/agui\"\nfeatures = [\"demo\"]\n").unwrap();
        assert_eq!(config.ts, Some("web/agui".into()));
        assert_eq!(config.features, ["demo"]);
        let example: Config = toml::from_str(EXAMPLE).unwrap();
        assert_eq!((example.bin.as_deref(), example.react), (Some("server"), Some(ReactName::V2)));
        let error = toml::from_str::<Config>("tss = \"web\"").unwrap_err().to_string();
        assert!(error.contains("unknown field `tss`"), "{error}");
    }
}
