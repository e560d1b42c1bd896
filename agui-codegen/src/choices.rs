//! How things are generated, as it is said on the command line and in `agui-codegen.toml`.

use std::collections::BTreeMap;

use agui_codegen::choose::{self, ChoiceError, Integers};
use agui_codegen::ir::{Api, PythonEnum, PythonStyle, React, Zod};
use agui_codegen::{LANGUAGES, Language};
use clap::{Args, ValueEnum};
use serde::Deserialize;

/// What is generated besides and otherwise than without any of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(crate) struct Choices {
    /// An agent to generate for, where not all are wanted; can be given several times.
    #[arg(long = "agent", value_name = "NAME")]
    pub(crate) agents: Vec<String>,
    /// React hooks beside the TypeScript, over those of CopilotKit.
    #[arg(long, value_enum, value_name = "VERSION")]
    pub(crate) react: Option<ReactName>,
    /// Schemas of Zod beside the TypeScript, in a module that nothing else imports.
    #[arg(long, value_enum, value_name = "VERSION")]
    pub(crate) zod: Option<ZodName>,
    /// One TypeScript module for each agent, with all it needs inside; hooks and Zod schemas stay apart.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) single_file: Option<bool>,
    /// A text or number that TypeScript tells from others by its name, such as an id: the name it has in the generated code,
    /// which is the new one of a type that is renamed; can be given several times.
    #[arg(long, value_name = "TYPE")]
    pub(crate) brand: Vec<String>,
    /// What a text of a format is called in TypeScript: `--format uuid=Uuid`; can be given several times.
    #[arg(long = "format", value_name = "FORMAT=TYPE", value_parser = pair)]
    pub(crate) formats: Vec<(String, String)>,
    /// What an object is in Python.
    #[arg(long, value_enum, value_name = "STYLE")]
    pub(crate) python_style: Option<StyleName>,
    /// What a type of texts is in Python.
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) python_enum: Option<EnumName>,
    /// What becomes of 64-bit integers, which a JavaScript number holds exactly only up to 2^53.
    #[arg(long, value_enum, value_name = "POLICY")]
    pub(crate) ints: Option<IntsName>,
    /// Another name for a generated type: `--rename Todo=Task`; can be given several times.
    #[arg(long, value_name = "OLD=NEW", value_parser = pair)]
    pub(crate) rename: Vec<(String, String)>,
}

/// `a=b`.
fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((left, right)) if !left.is_empty() && !right.is_empty() => Ok((left.into(), right.into())),
        _ => Err("expected two names with `=` between them".into()),
    }
}

/// The options that are for one language, each with the key of it.
const FOR: [(&str, &str); 7] = [
    ("--react", "ts"),
    ("--zod", "ts"),
    ("--single-file", "ts"),
    ("--brand", "ts"),
    ("--format", "ts"),
    ("--python-style", "python"),
    ("--python-enum", "python"),
];

impl Choices {
    /// What is chosen here, and where nothing is, what `file` says.
    pub(crate) fn over(&self, file: Self) -> Self {
        fn list<T: Clone>(here: &[T], file: Vec<T>) -> Vec<T> {
            if here.is_empty() { file } else { here.to_vec() }
        }
        Self {
            agents: list(&self.agents, file.agents),
            react: self.react.or(file.react),
            zod: self.zod.or(file.zod),
            single_file: self.single_file.or(file.single_file),
            brand: list(&self.brand, file.brand),
            formats: list(&self.formats, file.formats),
            python_style: self.python_style.or(file.python_style),
            python_enum: self.python_enum.or(file.python_enum),
            ints: self.ints.or(file.ints),
            rename: list(&self.rename, file.rename),
        }
    }

    /// The first option that is for a language which is none of those that are `generated`.
    pub(crate) fn idle(&self, generated: &[&Language]) -> Option<(&'static str, &'static Language)> {
        self.words().into_iter().find_map(|(option, _)| {
            let (_, key) = FOR.into_iter().find(|(known, _)| *known == option)?;
            let language = LANGUAGES.iter().find(|language| language.key == key)?;
            (!generated.iter().any(|one| one.key == key)).then_some((option, language))
        })
    }

    /// Makes `api` what is to be printed.
    pub(crate) fn apply(&self, api: &mut Api) -> Result<(), ChoiceError> {
        choose::integers(api, self.ints.unwrap_or(IntsName::Number).policy())?;
        choose::rename(api, &self.rename.iter().cloned().collect())?;
        let options = &mut api.options;
        options.react = self.react.map(ReactName::react);
        options.zod = self.zod.map(ZodName::zod);
        options.single_file = self.single_file.unwrap_or_default();
        options.brand = self.brand.iter().cloned().collect();
        options.formats = self.formats.iter().cloned().collect();
        options.python_style = self.python_style.unwrap_or(StyleName::Pydantic).style();
        options.python_enum = self.python_enum.unwrap_or(EnumName::Literal).kind();
        choose::check(api)
    }

    /// As words of a command line: options, each with its value.
    pub(crate) fn words(&self) -> Vec<(&'static str, String)> {
        let mut words = Vec::new();
        words.extend(self.agents.iter().map(|agent| ("--agent", agent.clone())));
        words.extend(self.react.map(|react| ("--react", name(&react))));
        words.extend(self.zod.map(|zod| ("--zod", name(&zod))));
        words.extend(self.single_file.map(|single| ("--single-file", single.to_string())));
        words.extend(self.brand.iter().map(|brand| ("--brand", brand.clone())));
        words.extend(self.formats.iter().map(|(format, ty)| ("--format", format!("{format}={ty}"))));
        words.extend(self.python_style.map(|style| ("--python-style", name(&style))));
        words.extend(self.python_enum.map(|kind| ("--python-enum", name(&kind))));
        words.extend(self.ints.map(|ints| ("--ints", name(&ints))));
        words.extend(self.rename.iter().map(|(old, new)| ("--rename", format!("{old}={new}"))));
        words
    }
}

/// What a value is called on the command line and in the file.
pub(crate) fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// Pairs as the file has them.
pub(crate) fn pairs(map: &BTreeMap<String, String>) -> Vec<(String, String)> {
    map.iter().map(|(left, right)| (left.clone(), right.clone())).collect()
}

/// Whose hooks the React file uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ReactName {
    /// `@copilotkit/react-core`: shared state.
    V1,
    /// `@copilotkit/react-core/v2`: shared state, handlers, prompts, how calls are drawn.
    V2,
}

impl ReactName {
    fn react(self) -> React {
        match self {
            Self::V1 => React::V1,
            Self::V2 => React::V2,
        }
    }
}

/// Which Zod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ZodName {
    /// `zod/v3`, which Zod has from 3.25 on.
    V3,
    /// `zod/v4`.
    V4,
}

impl ZodName {
    fn zod(self) -> Zod {
        match self {
            Self::V3 => Zod::V3,
            Self::V4 => Zod::V4,
        }
    }
}

/// What an object is in Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StyleName {
    /// A model of pydantic, which checks, and a client that uses it.
    Pydantic,
    /// A `TypedDict`: for type checkers alone, without any package, and without a client.
    #[value(name = "typeddict")]
    TypedDict,
}

impl StyleName {
    fn style(self) -> PythonStyle {
        match self {
            Self::Pydantic => PythonStyle::Pydantic,
            Self::TypedDict => PythonStyle::TypedDict,
        }
    }
}

/// What a type of texts is in Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EnumName {
    /// `Literal["open", "done"]`.
    Literal,
    /// A class that is an `Enum` and a `str`.
    #[value(name = "str_enum")]
    StrEnum,
}

impl EnumName {
    fn kind(self) -> PythonEnum {
        match self {
            Self::Literal => PythonEnum::Literal,
            Self::StrEnum => PythonEnum::StrEnum,
        }
    }
}

/// What becomes of 64-bit integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum IntsName {
    /// A number, with a note in its doc comment and a warning when it is generated.
    Number,
    /// The same without the warning, where you know that they stay small.
    Silent,
    /// An error that names each of them.
    Refuse,
}

impl IntsName {
    fn policy(self) -> Integers {
        match self {
            Self::Number => Integers::Number,
            Self::Silent => Integers::Silent,
            Self::Refuse => Integers::Refuse,
        }
    }
}
