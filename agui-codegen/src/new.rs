//! `agui-codegen new`: creates a project whose agent builds, runs and has tests.

mod choice;
mod error;
mod name;
mod question;
mod source;
mod template;

use std::fs;
use std::io::{ErrorKind, IsTerminal as _, stdin};
use std::path::Path;

use choice::{PageKind, ProjectParts};
pub(crate) use error::NewError;
use name::PackageName;
use source::RuntimeSource;

use crate::arguments::NewArguments;
use crate::command::word;

/// Writes the project, and prints the next steps.
pub(crate) fn new(options: &NewArguments, say: &mut dyn FnMut(&str)) -> Result<bool, NewError> {
    let name = PackageName::from_arguments(options)?;
    let source = RuntimeSource::from_arguments(options)?;
    if options.folder.symlink_metadata().is_ok() {
        return Err(NewError::Exists { folder: options.folder.clone() });
    }
    let choice = match ProjectParts::given(options) {
        Some(choice) => choice,
        None if stdin().is_terminal() => question::ask(&mut stdin().lock(), say)?,
        None => ProjectParts::default(),
    };
    create(&options.folder)?;
    if let Err(error) = write(&options.folder, &name, &source, choice) {
        // This command created the folder. An error while removing the folder would hide the relevant error.
        let _ = fs::remove_dir_all(&options.folder);
        return Err(error);
    }
    say(&next_steps(&options.folder, choice));
    Ok(true)
}

/// Creates the folder; returns an error if another program has created the folder meanwhile.
fn create(folder: &Path) -> Result<(), NewError> {
    let cannot = |source| NewError::Write { path: folder.to_owned(), source };
    folder.parent().map_or(Ok(()), fs::create_dir_all).map_err(cannot)?;
    fs::create_dir(folder).map_err(|source| match source.kind() {
        ErrorKind::AlreadyExists => NewError::Exists { folder: folder.to_owned() },
        _ => cannot(source),
    })
}

fn write(
    folder: &Path,
    name: &PackageName,
    source: &RuntimeSource,
    choice: ProjectParts,
) -> Result<(), NewError> {
    let runtime = source.dependency(folder)?;
    for file in template::files(name, &runtime, choice) {
        put(&folder.join(file.path), &file.text)?;
    }
    separate(folder)
}

fn put(path: &Path, text: &str) -> Result<(), NewError> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
    written.map_err(|source| NewError::Write { path: path.to_owned(), source })
}

/// Makes the project a separate workspace if an enclosing workspace does not have the project as a member: cargo would
/// refuse such a project.
fn separate(folder: &Path) -> Result<(), NewError> {
    let manifest = folder.join("Cargo.toml");
    let place = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let is_workspace = |above: &Path| {
        let text = fs::read_to_string(above.join("Cargo.toml")).unwrap_or_default();
        text.parse::<toml::Table>().is_ok_and(|table| table.contains_key("workspace"))
    };
    let is_inside = place.ancestors().skip(1).any(is_workspace);
    let mut metadata = cargo_metadata::MetadataCommand::new();
    if !is_inside || metadata.manifest_path(&manifest).no_deps().exec().is_ok() {
        return Ok(());
    }
    let read = fs::read_to_string(&manifest);
    let text = read.map_err(|source| NewError::Write { path: manifest.clone(), source })?;
    put(
        &manifest,
        &format!("{text}\n# The workspace above does not have this package as a member.\n[workspace]\n"),
    )
}

/// The purpose of a command that runs the agent and the page.
const WITH_PAGE: &str = "the agent and the page, and again after each change";

/// Returns the commands that run the project.
fn next_steps(folder: &Path, choice: ProjectParts) -> String {
    let name = folder.display();
    let mut steps = vec![(format!("cd {}", word(folder.as_os_str())), "")];
    steps.push(match choice.page {
        PageKind::None => ("agui-codegen dev".into(), "the agent, and again after each change"),
        PageKind::Plain | PageKind::React => ("agui-codegen dev".into(), WITH_PAGE),
        // The inspector asks for the agent's path.
        PageKind::CopilotKit => ("agui-codegen dev --at /assistant".into(), WITH_PAGE),
    });
    let width = steps.iter().map(|(command, _)| command.chars().count()).max().unwrap_or_default();
    let lines = steps.iter().map(|(command, purpose)| match *purpose {
        "" => format!("  {command}\n"),
        purpose => format!("  {command:width$}   # {purpose}\n"),
    });
    let readme = folder.join("README.md");
    format!("wrote {name}: {choice}\n\nNext:\n{}\nMore: {}\n", lines.collect::<String>(), readme.display())
}
