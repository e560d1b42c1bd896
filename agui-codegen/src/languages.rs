//! The languages on the command line, each with an option for the output folder.

use std::path::PathBuf;

use agui_codegen::{LANGUAGES, TargetLanguage};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};

/// The folders that the options name, each with a language.
#[derive(Clone, Debug, Default)]
pub(crate) struct LanguageFolders(pub(crate) Vec<(&'static TargetLanguage, PathBuf)>);

impl Args for LanguageFolders {
    fn augment_args(command: Command) -> Command {
        command.args(LANGUAGES.iter().map(|language| {
            let folder = Arg::new(language.key).long(language.key).value_name("DIR");
            folder.value_parser(value_parser!(PathBuf)).help(language.folder)
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for LanguageFolders {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let named =
            |language: &'static TargetLanguage| Some((language, matches.get_one(language.key).cloned()?));
        Ok(Self(LANGUAGES.iter().filter_map(named).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns all language keys, each formatted by `form`, as the words in a sentence: `a`, `b` or `c`.
pub(crate) fn any(form: impl Fn(&str) -> String) -> String {
    let keys: Vec<String> = LANGUAGES.iter().map(|language| format!("`{}`", form(language.key))).collect();
    match keys.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => keys.concat(),
    }
}

/// Returns all language options, as the words in a sentence.
pub(crate) fn any_option() -> String {
    any(|key| format!("--{key} DIR"))
}
