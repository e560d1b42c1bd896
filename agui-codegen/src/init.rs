//! `agui-codegen init`: creates the files that `agui-codegen generate` needs in a package.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::arguments::InitArguments;
use crate::choices::name;
use crate::command::word;
use crate::config::FILE;
use crate::extract::{CargoWorkspace, DependencyOrigin, ExtractError, WorkspacePackage};
use crate::job::{JobError, single_package};
use crate::relative::relative;

/// The `.gitattributes` line for generated files: hosts fold such files in reviews and leave them out when they compute
/// statistics.
const ATTRIBUTE: &str = "linguist-generated=true";

/// A program whose only purpose is to print the manifest.
const PROGRAM: &str = "//! `agui-codegen` runs this program for the manifest of this package's agents.

use {library} as _;

use agui_runtime::manifest::{ManifestError, hook};

fn main() -> Result<(), ManifestError> {
    hook::write_if_asked(env!(\"CARGO_PKG_NAME\"), env!(\"CARGO_PKG_VERSION\"), hook::entry_agents(hook::registered())).map(drop)
}
";

/// Writes the missing files, and prints the remaining steps.
pub(crate) fn init(options: &InitArguments, say: &mut dyn FnMut(&str)) -> Result<bool, JobError> {
    let workspace = CargoWorkspace::load(&options.source)?;
    let package = single_package(&workspace, &options.source)?;
    let config = package.folder.join(FILE);
    if config.exists() {
        say(&format!("{} exists already\n", config.display()));
    } else {
        write(&config, &settings(options), say)?;
    }
    attributes(package, options, say)?;
    if options.program {
        program(package, say)?;
    }
    let name = &package.name;
    say(&format!(
        "\nNext:\n  agui-codegen generate -p {name}\nIn CI, for example as a step of a GitHub workflow:\n"
    ));
    if let Some(runtime) = &package.runtime {
        say(&format!("  - run: {}\n", install(runtime, &workspace)));
    }
    say(&format!("  - run: agui-codegen generate -p {name} --check\n"));
    Ok(true)
}

/// Returns the command that installs this program, from the source that the package's `agui-runtime` has.
fn install(runtime: &DependencyOrigin, workspace: &CargoWorkspace) -> String {
    let mut words = vec!["cargo install --locked".to_owned()];
    let mut option = |name: &str, value: &str| words.push(format!("{name} {}", word(value.as_ref())));
    match runtime {
        DependencyOrigin::Path(folder) => {
            let folder = folder.with_file_name("agui-codegen");
            option("--path", &path(&relative(&folder, &workspace.root)));
        }
        DependencyOrigin::Git { url, reference } => {
            option("--git", url);
            if let Some((kind, name)) = reference {
                option(&format!("--{kind}"), name);
            }
            words.push("agui-codegen".into());
        }
        DependencyOrigin::Registry { versions, index } => {
            if let Some(index) = index {
                option("--index", index);
            }
            option("--version", versions);
            words.push("agui-codegen".into());
        }
    }
    words.join(" ")
}

/// Returns the language keys, with the folders to generate into.
fn folders(options: &InitArguments) -> Vec<(&'static str, &Path)> {
    match options.folders.0.as_slice() {
        [] => vec![("ts", Path::new("web/src/agui"))],
        named => named.iter().map(|(language, folder)| (language.key, folder.as_path())).collect(),
    }
}

fn settings(options: &InitArguments) -> String {
    let folders = folders(options);
    let setting = |(key, folder): &(&str, &Path)| format!("{key} = {}\n", toml::Value::from(path(folder)));
    let mut text: String = folders.iter().map(setting).collect();
    if let Some(react) = options.react {
        text.push_str(&format!("react = {}\n", toml::Value::from(name(&react))));
    }
    text
}

fn path(path: &Path) -> String {
    path.display().to_string()
}

fn attributes(
    package: &WorkspacePackage,
    options: &InitArguments,
    say: &mut dyn FnMut(&str),
) -> Result<(), JobError> {
    let file = package.folder.join(".gitattributes");
    let there = match fs::read_to_string(&file) {
        Ok(there) => there,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        // An existing file belongs to the user, even if the file is not text.
        Err(source) => return Err(JobError::Output { path: file, source }),
    };
    let mut text = there.clone();
    for (_, folder) in folders(options) {
        let pattern = format!("{}/**", path(folder).trim_end_matches('/'));
        let pattern = if pattern.contains(' ') { format!("{pattern:?}") } else { pattern };
        let line = format!("{pattern} {ATTRIBUTE}");
        if !there.lines().any(|known| known == line) {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&format!("{line}\n"));
        }
    }
    if text == there { Ok(()) } else { write(&file, &text, say) }
}

fn program(package: &WorkspacePackage, say: &mut dyn FnMut(&str)) -> Result<(), JobError> {
    let file = package.folder.join("src/bin/agui_manifest.rs");
    if file.exists() {
        say(&format!("{} exists already\n", file.display()));
        return Ok(());
    }
    let library = package
        .library_name()
        .ok_or_else(|| JobError::Extract(ExtractError::NoBinary { package: package.name.clone() }))?;
    write(&file, &PROGRAM.replace("{library}", library), say)
}

fn write(path: &Path, text: &str, say: &mut dyn FnMut(&str)) -> Result<(), JobError> {
    let io = |source| JobError::Output { path: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(io)?;
    }
    fs::write(path, text).map_err(io)?;
    say(&format!("wrote {}\n", path.display()));
    Ok(())
}
