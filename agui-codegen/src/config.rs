//! `agui-codegen.toml`, beside a package's `Cargo.toml`: the folders and choices, so that they need not be typed again.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use agui_codegen::{LANGUAGES, TargetLanguage};
use serde::Deserialize as Derive;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

use crate::choices::{EnumName, FormatsName, IntsName, OutputChoices, ReactName, StyleName, ZodName, pairs};
use crate::languages::any;

/// The name of the file.
pub(crate) const FILE: &str = "agui-codegen.toml";

/// An example of the file with every setting.
pub(crate) const EXAMPLE: &str = r#"schemas = "schemas"         # where JSON Schema files go
react = "v2"                # React hooks beside the TypeScript: over CopilotKit's v1 or v2, or "plain"
websocket = true            # clients that send runs over one WebSocket too
webhooks = true             # the check of webhooks, for programs that receive them
bin = "server"              # the binary that knows the agents, if there are several
features = ["demo"]         # the features to build it with
agents = ["shop"]           # the agents to generate for, where not all are wanted

[ts]                        # or, above, ts = "web/src/agui" and nothing else
out = "web/src/agui"        # where the TypeScript goes
zod = "v4"                  # zod.ts beside it: schemas of Zod, v3 or v4, that nothing else imports
single_file = true          # one module for each agent, with all it needs inside
brand = ["UserId"]          # texts and numbers that are told from others by name: that of the generated type
formats = { uuid = "Uuid" } # the type's name for texts of a format; if `brand` has the name too, other texts do not fit it

[python]                    # or, above, python = "client/agui" and nothing else
out = "client/agui"         # where the Python goes: a package
style = "pydantic"          # or "typeddict": types alone, without any package or client
enum = "literal"            # or "str_enum": classes
formats = "text"            # or "types": datetime, date, time, UUID, Decimal, IPv4Address, IPv6Address

[ints]
policy = "number"           # 64-bit integers, with a warning; or "silent", or "refuse"

[names]
rename = { Todo = "Task" }  # other names for generated types, by name or by path in Rust
"#;

/// The content of the file. Paths are relative to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Derive)]
#[serde(deny_unknown_fields)]
pub(crate) struct CodegenConfig {
    /// The settings of TypeScript.
    #[serde(default, alias = "typescript", deserialize_with = "path_or_table")]
    pub(crate) ts: Option<TypeScriptConfig>,
    /// The settings of Python.
    #[serde(default, deserialize_with = "path_or_table")]
    pub(crate) python: Option<PythonConfig>,
    /// The folder of the JSON Schema files.
    #[serde(default)]
    pub(crate) schemas: Option<PathBuf>,
    /// The React hooks beside the TypeScript.
    #[serde(default)]
    pub(crate) react: Option<ReactName>,
    /// The clients' runs over one WebSocket.
    #[serde(default)]
    websocket: Option<bool>,
    /// The check of webhooks.
    #[serde(default)]
    webhooks: Option<bool>,
    /// The binary that has the agents, if the package has several.
    #[serde(default)]
    pub(crate) bin: Option<String>,
    /// The features to build it with.
    #[serde(default)]
    pub(crate) features: Vec<String>,
    /// The agents to generate for; all if this is empty.
    #[serde(default)]
    agents: Vec<String>,
    /// The form of wide integers.
    #[serde(default)]
    ints: IntegerConfig,
    /// The names that differ from Rust's.
    #[serde(default)]
    names: NameConfig,
}

/// The folder and the choices of TypeScript.
#[derive(Clone, Debug, Default, PartialEq, Eq, Derive)]
#[serde(deny_unknown_fields)]
pub(crate) struct TypeScriptConfig {
    pub(crate) out: PathBuf,
    #[serde(default)]
    zod: Option<ZodName>,
    #[serde(default)]
    single_file: Option<bool>,
    #[serde(default)]
    brand: Vec<String>,
    #[serde(default)]
    formats: BTreeMap<String, String>,
}

/// The folder and the choices of Python.
#[derive(Clone, Debug, Default, PartialEq, Eq, Derive)]
#[serde(deny_unknown_fields)]
pub(crate) struct PythonConfig {
    pub(crate) out: PathBuf,
    #[serde(default)]
    style: Option<StyleName>,
    #[serde(default, rename = "enum")]
    kind: Option<EnumName>,
    #[serde(default)]
    formats: Option<FormatsName>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Derive)]
#[serde(deny_unknown_fields)]
#[serde(rename = "Ints")]
struct IntegerConfig {
    #[serde(default)]
    policy: Option<IntsName>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Derive)]
#[serde(deny_unknown_fields)]
#[serde(rename = "Names")]
struct NameConfig {
    #[serde(default)]
    rename: BTreeMap<String, String>,
}

impl From<PathBuf> for TypeScriptConfig {
    fn from(out: PathBuf) -> Self {
        Self { out, ..Self::default() }
    }
}

impl From<PathBuf> for PythonConfig {
    fn from(out: PathBuf) -> Self {
        Self { out, ..Self::default() }
    }
}

/// Reads a language that is given as a path alone, or as a table.
fn path_or_table<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + From<PathBuf>,
{
    struct Either<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de> + From<PathBuf>> Visitor<'de> for Either<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a path, or a table with `out`")
        }

        fn visit_str<E>(self, path: &str) -> Result<T, E> {
            Ok(T::from(path.into()))
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map))
        }
    }

    deserializer.deserialize_any(Either(PhantomData)).map(Some)
}

/// An error in the file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    #[error("{}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{}: {source}", path.display())]
    Parse { path: PathBuf, source: Box<toml::de::Error> },
    #[error("{}: has no folder, so there is nothing to generate: add {}", path.display(), any(|key| format!("{key} = \"DIR\"")))]
    Nothing { path: PathBuf },
}

impl CodegenConfig {
    /// Reads the file in `folder`; `None` if it does not exist.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>, ConfigError> {
        let path = folder.join(FILE);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(ConfigError::Read { path, source }),
        };
        let config = toml::from_str(&text);
        config.map(Some).map_err(|source| ConfigError::Parse { path, source: Box::new(source) })
    }
}

impl CodegenConfig {
    /// The folders of the languages, below `base`.
    pub(crate) fn folders(&self, base: &Path) -> Vec<(&'static TargetLanguage, PathBuf)> {
        let (ts, python) =
            (self.ts.as_ref().map(|ts| &ts.out), self.python.as_ref().map(|python| &python.out));
        // In the order of the languages.
        let folders: [_; LANGUAGES.len()] = [ts, python, self.schemas.as_ref()];
        let named = LANGUAGES.iter().zip(folders);
        named.filter_map(|(language, folder)| Some((language, base.join(folder?)))).collect()
    }

    /// The choices that the file makes.
    pub(crate) fn choices(&self) -> OutputChoices {
        let (ts, python) = (self.ts.clone().unwrap_or_default(), self.python.clone().unwrap_or_default());
        OutputChoices {
            agents: self.agents.clone(),
            react: self.react,
            zod: ts.zod,
            single_file: ts.single_file,
            websocket: self.websocket,
            webhooks: self.webhooks,
            brand: ts.brand,
            formats: pairs(&ts.formats),
            python_style: python.style,
            python_enum: python.kind,
            python_formats: python.formats,
            ints: self.ints.policy,
            rename: pairs(&self.names.rename),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_names_the_folders() {
        let config: CodegenConfig = toml::from_str("ts = \"web/agui\"\nfeatures = [\"demo\"]\n").unwrap();
        assert_eq!(config.ts, Some(PathBuf::from("web/agui").into()));
        assert_eq!(config.features, ["demo"]);
        let example: CodegenConfig = toml::from_str(EXAMPLE).unwrap();
        assert_eq!((example.bin.as_deref(), example.react), (Some("server"), Some(ReactName::V2)));
        let folders = example.folders("shop".as_ref());
        let folders: Vec<_> = folders.iter().map(|(language, path)| (language.key, path.as_path())).collect();
        let expected =
            [("ts", "shop/web/src/agui"), ("python", "shop/client/agui"), ("schemas", "shop/schemas")];
        assert_eq!(folders, expected.map(|(key, path)| (key, Path::new(path))));
        let words: Vec<String> = example
            .choices()
            .words()
            .into_iter()
            .map(|(option, value)| format!("{option} {value}"))
            .collect();
        assert_eq!(
            words.join(" "),
            "--agent shop --react v2 --zod v4 --single-file true --websocket true --webhooks true --brand UserId --format uuid=Uuid --python-style pydantic --python-enum literal \
             --python-formats text --ints number --rename Todo=Task"
        );
        let error =
            toml::from_str::<CodegenConfig>("[ts]\nout = \"web\"\nzodd = \"v4\"").unwrap_err().to_string();
        assert!(error.contains("unknown field `zodd`"), "{error}");
        let error = toml::from_str::<CodegenConfig>("python = 1").unwrap_err().to_string();
        assert!(error.contains("a path, or a table with `out`"), "{error}");
        let error = toml::from_str::<CodegenConfig>("tss = \"web\"").unwrap_err().to_string();
        assert!(error.contains("unknown field `tss`"), "{error}");
    }
}
