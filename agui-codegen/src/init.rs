//! `agui-codegen init`: what a package needs so that `agui-codegen generate` knows what to do.

use std::fs;
use std::path::{Path, PathBuf};

use crate::arguments::Init;
use crate::choices::name;
use crate::config::FILE;
use crate::extract::{ExtractError, Package, Workspace};
use crate::job::{JobError, choose};

/// What `.gitattributes` says of generated files: hosts fold them in reviews and leave them out of statistics.
const ATTRIBUTE: &str = "linguist-generated=true";

/// A program that has nothing to do but to be asked.
const PROGRAM: &str = "//! Asked by `agui-codegen` for the agents of this package.

use {library} as _;

use agui_runtime::manifest::{ManifestError, hook};

fn main() -> Result<(), ManifestError> {
    hook::write_if_asked(env!(\"CARGO_PKG_NAME\"), env!(\"CARGO_PKG_VERSION\"), hook::registered()).map(drop)
}
";

/// Writes what is missing, and says what else there is to do.
pub(crate) fn init(options: &Init, say: &mut dyn FnMut(&str)) -> Result<bool, JobError> {
    let workspace = Workspace::load(&options.source)?;
    let package = choose(&workspace, &options.source)?;
    let config = package.folder.join(FILE);
    if config.exists() {
        say(&format!("{} is there already\n", config.display()));
    } else {
        write(&config, &settings(options), say)?;
    }
    attributes(package, options, say)?;
    if options.program {
        program(package, say)?;
    }
    say(&format!(
        "\nNext:\n  agui-codegen generate -p {name}\nIn CI, for example as a step of a GitHub workflow:\n  - run: cargo \
         install agui-codegen --locked\n  - run: agui-codegen generate -p {name} --check\n",
        name = package.name
    ));
    Ok(true)
}

fn settings(options: &Init) -> String {
    let named = [("ts", &options.ts), ("python", &options.python), ("schemas", &options.schemas)];
    let mut text: String = named
        .iter()
        .filter_map(|(key, folder)| Some(format!("{key} = {}\n", toml::Value::from(path(folder.as_ref()?)))))
        .collect();
    if text.is_empty() {
        text.push_str("ts = \"web/src/agui\"\n");
    }
    if let Some(react) = options.react {
        text.push_str(&format!("react = {}\n", toml::Value::from(name(react))));
    }
    text
}

fn path(path: &Path) -> String {
    path.display().to_string()
}

fn attributes(package: &Package, options: &Init, say: &mut dyn FnMut(&str)) -> Result<(), JobError> {
    let file = package.folder.join(".gitattributes");
    let there = fs::read_to_string(&file).unwrap_or_default();
    let given: Vec<&PathBuf> =
        [&options.ts, &options.python, &options.schemas].into_iter().flatten().collect();
    let standard = PathBuf::from("web/src/agui");
    let folders = if given.is_empty() { vec![&standard] } else { given };
    let mut text = there.clone();
    for folder in folders {
        let line = format!("{}/** {ATTRIBUTE}", path(folder).trim_end_matches('/'));
        if !there.lines().any(|known| known == line) {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&format!("{line}\n"));
        }
    }
    if text == there { Ok(()) } else { write(&file, &text, say) }
}

fn program(package: &Package, say: &mut dyn FnMut(&str)) -> Result<(), JobError> {
    let file = package.folder.join("src/bin/agui_manifest.rs");
    if file.exists() {
        say(&format!("{} is there already\n", file.display()));
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
