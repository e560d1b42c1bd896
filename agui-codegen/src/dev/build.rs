//! A build, of which only the first error is kept: the rest of the errors is often caused by the first.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, IsTerminal as _, Read};
use std::path::PathBuf;
use std::process::Stdio;
use std::thread;

use cargo_metadata::Message;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel};

use super::process_groups::ProcessGroups;
use super::{DevError, screen};
use crate::arguments::ManifestSource;
use crate::extract::{self, CargoWorkspace, ExtractError, WorkspacePackage};

/// The outcome of a build.
pub(super) enum BuildOutcome {
    /// The program, and the files that it is built from.
    Built { executable: PathBuf, made_of: Option<BTreeSet<PathBuf>> },
    /// The text of the first error, and the number of other errors.
    Failed { first: String, others: usize },
}

/// Builds the program `binary` of a package.
pub(super) fn build(
    groups: &ProcessGroups,
    workspace: &CargoWorkspace,
    package: &WorkspacePackage,
    binary: &str,
    source: &ManifestSource,
) -> Result<BuildOutcome, DevError> {
    let mut command = extract::build_command(workspace, package, binary, source)?;
    let format = if std::io::stdout().is_terminal() { "json-diagnostic-rendered-ansi" } else { "json" };
    command.arg(format!("--message-format={format}"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut cargo = groups.spawn(command)?;
    let (messages, progress) = (cargo.stdout.take(), cargo.stderr.take());
    let progress = thread::spawn(move || progress.map(lines_of_cargo).unwrap_or_default());
    let (mut errors, mut executable) = (Vec::new(), None);
    for message in messages.into_iter().flat_map(|output| Message::parse_stream(BufReader::new(output))) {
        match message {
            Ok(Message::CompilerMessage(message)) => errors.extend(error(message.message)),
            Ok(Message::CompilerArtifact(artifact))
                if artifact.target.is_bin() && artifact.target.name == binary =>
            {
                executable = artifact.executable.map(Into::into);
            }
            _ => {}
        }
    }
    let status = cargo.wait()?;
    let lines = progress.join().unwrap_or_default();
    if !status.success() {
        let others = errors.len().saturating_sub(1);
        let first = errors.into_iter().next().unwrap_or_else(|| of_cargo(&lines));
        return Ok(BuildOutcome::Failed { first, others });
    }
    let no_program = || ExtractError::NoProgram { package: package.name.clone(), binary: binary.to_owned() };
    let executable: PathBuf = executable.ok_or_else(no_program)?;
    let made_of = extract::made_of(workspace, package, &executable).map(|made_of| made_of.files);
    Ok(BuildOutcome::Built { executable, made_of })
}

/// Returns the text of an error; `None` for a warning, and for the compiler's last message, which counts the errors.
fn error(diagnostic: Diagnostic) -> Option<String> {
    let is_error = matches!(diagnostic.level, DiagnosticLevel::Error | DiagnosticLevel::Ice);
    let is_count = diagnostic.spans.is_empty() && diagnostic.message.starts_with("aborting due to");
    let text = diagnostic.rendered.unwrap_or(diagnostic.message);
    (is_error && !is_count).then(|| text.trim_end().to_owned())
}

/// Returns what cargo says about the build, and shows it as it comes.
fn lines_of_cargo(output: impl Read) -> Vec<String> {
    let mut lines = Vec::new();
    for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line).into_owned();
        screen::progress(line.trim());
        lines.push(line);
    }
    lines
}

/// Returns the error in cargo's own output: the compiler did not run, for instance because a dependency is missing.
fn of_cargo(lines: &[String]) -> String {
    let start = lines.iter().position(|line| line.trim_start().starts_with("error")).unwrap_or_default();
    lines.get(start..).unwrap_or_default().join("\n").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_and_counts_are_no_errors() {
        let message = |level: &str, text: &str| -> Diagnostic {
            let value = serde_json::json!({ "message": text, "code": null, "level": level, "spans": [], "children": [], "rendered": format!("{level}: {text}\n") });
            serde_json::from_value(value).unwrap()
        };
        assert_eq!(error(message("error", "mismatched types")), Some("error: mismatched types".into()));
        assert_eq!(error(message("error", "aborting due to 2 previous errors")), None);
        assert_eq!(error(message("warning", "unused")), None);
    }

    #[test]
    fn an_error_of_cargo_is_shown_without_its_progress() {
        let lines =
            ["    Updating index", "error: no matching package", "  required by x"].map(str::to_owned);
        assert_eq!(of_cargo(&lines), "error: no matching package\n  required by x");
        assert_eq!(of_cargo(&[]), "");
    }
}
