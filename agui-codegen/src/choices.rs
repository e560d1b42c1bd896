//! The choices of how to generate, from the command line and from `agui-codegen.toml`.

use std::collections::BTreeMap;

use agui_codegen::ir::{ApiDecl, PythonEnum, PythonFormats, PythonStyle, ReactPackage, ZodVersion};
use agui_codegen::rewrite::{self, ChoiceError, IntegerForm};
use agui_codegen::{LANGUAGES, TargetLanguage};
use clap::{Args, ValueEnum};
use serde::Deserialize;

/// The choices, each of which changes the output or adds to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(crate) struct OutputChoices {
    /// An agent to generate for, instead of all; can be given several times.
    #[arg(long = "agent", value_name = "NAME")]
    pub(crate) agents: Vec<String>,
    /// React hooks beside the TypeScript, on top of CopilotKit's.
    #[arg(long, value_enum, value_name = "VERSION")]
    pub(crate) react: Option<ReactName>,
    /// Zod schemas beside the TypeScript, in a module that no other module imports.
    #[arg(long, value_enum, value_name = "VERSION")]
    pub(crate) zod: Option<ZodName>,
    /// One TypeScript module for each agent, with all its types; hooks and Zod schemas stay separate.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) single_file: Option<bool>,
    /// Runs over one WebSocket: `_websocket.ts`, and `_websocket.py`, which needs the package `websockets`.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) websocket: Option<bool>,
    /// The check of webhooks, for programs that receive them: `_webhooks.ts` and `_webhooks.py`.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) webhooks: Option<bool>,
    /// A string or number type, such as an id, that TypeScript tells from others by name. The name is the one in the
    /// generated code, so the new name of a renamed type; can be given several times.
    #[arg(long, value_name = "TYPE")]
    pub(crate) brand: Vec<String>,
    /// The TypeScript name of strings with a format: `--format uuid=Uuid`; can be given several times.
    #[arg(long = "format", value_name = "FORMAT=TYPE", value_parser = pair)]
    pub(crate) formats: Vec<(String, String)>,
    /// The Python form of objects.
    #[arg(long, value_enum, value_name = "STYLE")]
    pub(crate) python_style: Option<StyleName>,
    /// The Python form of string enums.
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) python_enum: Option<EnumName>,
    /// The Python form of strings with a format, such as dates and ids.
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) python_formats: Option<FormatsName>,
    /// The form of 64-bit integers: a JavaScript number is exact only up to 2^53.
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

/// The options for one language, each with the key of that language.
const FOR: [(&str, &str); 8] = [
    ("--react", "ts"),
    ("--zod", "ts"),
    ("--single-file", "ts"),
    ("--brand", "ts"),
    ("--format", "ts"),
    ("--python-style", "python"),
    ("--python-enum", "python"),
    ("--python-formats", "python"),
];

impl OutputChoices {
    /// These choices, and those of `file` where none is made here.
    pub(crate) fn over(&self, file: Self) -> Self {
        fn list<T: Clone>(here: &[T], file: Vec<T>) -> Vec<T> {
            if here.is_empty() { file } else { here.to_vec() }
        }
        Self {
            agents: list(&self.agents, file.agents),
            react: self.react.or(file.react),
            zod: self.zod.or(file.zod),
            single_file: self.single_file.or(file.single_file),
            websocket: self.websocket.or(file.websocket),
            webhooks: self.webhooks.or(file.webhooks),
            brand: list(&self.brand, file.brand),
            formats: list(&self.formats, file.formats),
            python_style: self.python_style.or(file.python_style),
            python_enum: self.python_enum.or(file.python_enum),
            python_formats: self.python_formats.or(file.python_formats),
            ints: self.ints.or(file.ints),
            rename: list(&self.rename, file.rename),
        }
    }

    /// The first option for a language that is not among the `generated` ones.
    pub(crate) fn idle(
        &self,
        generated: &[&TargetLanguage],
    ) -> Option<(&'static str, &'static TargetLanguage)> {
        self.words().into_iter().find_map(|(option, _)| {
            let (_, key) = FOR.into_iter().find(|(known, _)| *known == option)?;
            let language = LANGUAGES.iter().find(|language| language.key == key)?;
            (!generated.iter().any(|one| one.key == key)).then_some((option, language))
        })
    }

    /// Applies the choices to `api`.
    pub(crate) fn apply(&self, api: &mut ApiDecl) -> Result<(), ChoiceError> {
        rewrite::integers(api, self.ints.unwrap_or(IntsName::Number).policy())?;
        rewrite::rename(api, &self.rename.iter().cloned().collect())?;
        let options = &mut api.options;
        options.react = self.react.map(ReactName::react);
        options.zod = self.zod.map(ZodName::zod);
        options.single_file = self.single_file.unwrap_or_default();
        options.websocket = self.websocket.unwrap_or_default();
        options.webhooks = self.webhooks.unwrap_or_default();
        options.brand = self.brand.iter().cloned().collect();
        options.formats = self.formats.iter().cloned().collect();
        options.python_style = self.python_style.unwrap_or(StyleName::Pydantic).style();
        options.python_enum = self.python_enum.unwrap_or(EnumName::Literal).kind();
        options.python_formats = self.python_formats.unwrap_or(FormatsName::Text).form();
        rewrite::check(api)
    }

    /// The choices as words of a command line: options, each with its value.
    pub(crate) fn words(&self) -> Vec<(&'static str, String)> {
        let mut words = Vec::new();
        words.extend(self.agents.iter().map(|agent| ("--agent", agent.clone())));
        words.extend(self.react.map(|react| ("--react", name(&react))));
        words.extend(self.zod.map(|zod| ("--zod", name(&zod))));
        words.extend(self.single_file.map(|single| ("--single-file", single.to_string())));
        words.extend(self.websocket.map(|websocket| ("--websocket", websocket.to_string())));
        words.extend(self.webhooks.map(|webhooks| ("--webhooks", webhooks.to_string())));
        words.extend(self.brand.iter().map(|brand| ("--brand", brand.clone())));
        words.extend(self.formats.iter().map(|(format, ty)| ("--format", format!("{format}={ty}"))));
        words.extend(self.python_style.map(|style| ("--python-style", name(&style))));
        words.extend(self.python_enum.map(|kind| ("--python-enum", name(&kind))));
        words.extend(self.python_formats.map(|form| ("--python-formats", name(&form))));
        words.extend(self.ints.map(|ints| ("--ints", name(&ints))));
        words.extend(self.rename.iter().map(|(old, new)| ("--rename", format!("{old}={new}"))));
        words
    }
}

/// The name of a value on the command line and in the file.
pub(crate) fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// The pairs in the form of the command line.
pub(crate) fn pairs(map: &BTreeMap<String, String>) -> Vec<(String, String)> {
    map.iter().map(|(left, right)| (left.clone(), right.clone())).collect()
}

/// The package that the hooks of the React file are made over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ReactName {
    /// `@copilotkit/react-core`: shared state.
    V1,
    /// `@copilotkit/react-core/v2`: shared state, handlers, prompts, the display of calls.
    V2,
    /// React without CopilotKit: state, messages, calls, interrupts and status of the generated client.
    Plain,
}

impl ReactName {
    fn react(self) -> ReactPackage {
        match self {
            Self::V1 => ReactPackage::V1,
            Self::V2 => ReactPackage::V2,
            Self::Plain => ReactPackage::Plain,
        }
    }
}

/// The version of Zod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ZodName {
    /// `zod/v3`, which Zod has from 3.25 on.
    V3,
    /// `zod/v4`.
    V4,
}

impl ZodName {
    fn zod(self) -> ZodVersion {
        match self {
            Self::V3 => ZodVersion::V3,
            Self::V4 => ZodVersion::V4,
        }
    }
}

/// The Python form of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StyleName {
    /// A pydantic model, which validates, and a client that uses it.
    Pydantic,
    /// A `TypedDict`: for type checkers only, without dependencies and without a client.
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

/// The Python form of string enums.
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

/// The Python form of strings with a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FormatsName {
    /// `str`.
    Text,
    /// `datetime`, `date`, `time`, `UUID`, `Decimal`, `IPv4Address` and `IPv6Address`.
    Types,
}

impl FormatsName {
    fn form(self) -> PythonFormats {
        match self {
            Self::Text => PythonFormats::Text,
            Self::Types => PythonFormats::Types,
        }
    }
}

/// The form of 64-bit integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum IntsName {
    /// A number, with a note in its doc comment and a warning during generation.
    Number,
    /// A number without the warning, for integers that you know to stay small.
    Silent,
    /// An error that names each of them.
    Refuse,
}

impl IntsName {
    fn policy(self) -> IntegerForm {
        match self {
            Self::Number => IntegerForm::Number,
            Self::Silent => IntegerForm::Silent,
            Self::Refuse => IntegerForm::Refuse,
        }
    }
}
