//! The `agui-codegen` command: the disk and cargo, around a library that uses neither.
//!
//! Exits with 0 when everything is written, fresh or compatible, 1 when `--check` found outdated files, `diff` a
//! breaking change, or `doctor` a problem, 2 when the request cannot be done, 3 when there is no manifest.

mod arguments;
mod choices;
mod command;
mod config;
mod dev;
mod disk;
mod doctor;
mod error;
#[cfg(feature = "expand")]
mod expand;
mod extract;
mod hidden;
mod init;
mod job;
mod languages;
#[cfg(feature = "frontend-tools")]
mod limited_process;
mod new;
mod process;
mod relative;
#[cfg(feature = "frontend-tools")]
mod rust;
mod terminal;
mod watch;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

use crate::arguments::{CodegenCommand, CommandArguments};
use crate::error::CommandError;
use crate::terminal::{complain, say};

fn main() -> ExitCode {
    let outcome: Result<bool, CommandError> = match CommandArguments::parse().command {
        CodegenCommand::New(options) => new::new(&options, &mut say).map_err(Into::into),
        CodegenCommand::Doctor(options) => doctor::doctor(&options, &mut say).map_err(Into::into),
        CodegenCommand::Dev(options) => dev::dev(&options, &mut say).map_err(Into::into),
        CodegenCommand::Generate(options) if options.watch => job::watch(&options).map_err(Into::into),
        CodegenCommand::Generate(options) => job::generate(&options, &mut say).map_err(Into::into),
        CodegenCommand::Manifest(options) => job::manifest(&options, &mut say).map_err(Into::into),
        CodegenCommand::Diff(options) => job::diff(&options, &mut say).map_err(Into::into),
        #[cfg(feature = "expand")]
        CodegenCommand::Expand(options) => expand::expand(&options, &mut say).map_err(Into::into),
        #[cfg(not(feature = "expand"))]
        CodegenCommand::Expand(_) => Err(CommandError::LeftOut { feature: "expand" }),
        #[cfg(feature = "frontend-tools")]
        CodegenCommand::Rust(options) => rust::rust(&options, &mut say).map_err(Into::into),
        #[cfg(not(feature = "frontend-tools"))]
        CodegenCommand::Rust(_) => Err(CommandError::LeftOut { feature: "frontend-tools" }),
        #[cfg(feature = "frontend-tools")]
        CodegenCommand::TranslateTool => {
            limited_process::inside(&mut say).map_err(CommandError::TranslateTool)
        }
        CodegenCommand::Init(options) => init::init(&options, &mut say).map_err(Into::into),
        CodegenCommand::Completions { shell } => {
            let mut command = CommandArguments::command();
            clap_complete::generate(shell, &mut command, "agui-codegen", &mut std::io::stdout());
            Ok(true)
        }
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            complain(&error);
            ExitCode::from(error.code())
        }
    }
}
