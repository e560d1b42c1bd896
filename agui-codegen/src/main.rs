//! The `agui-codegen` command: the disk and cargo, around a library that knows neither.
//!
//! Exits with 0 when everything is written or fresh, 1 when `--check` found drift, 2 when something went wrong.

mod arguments;
mod command;
mod config;
mod disk;
mod extract;
mod job;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

use crate::arguments::{Arguments, Command};

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Generate(options) => job::generate(&options, &mut say),
        Command::Manifest(options) => job::manifest(&options, &mut say),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            // Nobody is left to tell when standard error is gone.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

fn say(text: &str) {
    // A closed pipe, as behind `| head`, is no reason to fail.
    let _ = write!(std::io::stdout(), "{text}");
}
