//! A shim program for a package that has only a library: the shim links the library and describes the library's agents.
//!
//! The shim is a separate workspace in the target folder, with the lock file, the patches and the profiles from the
//! user's workspace, so that the shim is built from the same sources in the same way.

use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::{CargoWorkspace, DependencyOrigin, ExtractError, PackageLibrary, WorkspacePackage};
use crate::arguments::ManifestSource;

/// The name for the generated package and program.
pub(super) const NAME: &str = "agui-codegen-shim";

/// Writes the shim for `library` in `package`. Returns the path to the shim's `Cargo.toml`.
pub(super) fn write(
    workspace: &CargoWorkspace,
    package: &WorkspacePackage,
    library: &PackageLibrary,
    source: &ManifestSource,
) -> Result<PathBuf, ExtractError> {
    if !library.can_be_linked {
        return Err(ExtractError::NotLinkable {
            package: package.name.clone(),
            kinds: library.kinds.clone(),
        });
    }
    let runtime = package.runtime.as_ref();
    // A copy that differs from the package's own runtime would not know the agents.
    let runtime = runtime.ok_or_else(|| ExtractError::NoRuntime { package: package.name.clone() })?;
    let root = &workspace.root;
    let folder = workspace.target.join("agui-codegen/shim").join(&package.name);
    let manifest = folder.join("Cargo.toml");
    let text = manifest_text(root, package, runtime, source)?;
    put(&manifest, &text)?;
    put(&folder.join("src/main.rs"), &program(package))?;
    let lock = root.join("Cargo.lock");
    if lock.exists() {
        let text = fs::read_to_string(&lock).map_err(|source| ExtractError::Read { path: lock, source })?;
        put(&folder.join("Cargo.lock"), &text)?;
    }
    Ok(manifest)
}

/// Writes a file only if the content differs, because cargo compares file times.
fn put(path: &Path, text: &str) -> Result<(), ExtractError> {
    let io = |source| ExtractError::Read { path: path.to_owned(), source };
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(io)?;
    }
    fs::write(path, text).map_err(io)
}

fn manifest_text(
    root: &Path,
    package: &WorkspacePackage,
    runtime: &DependencyOrigin,
    source: &ManifestSource,
) -> Result<String, ExtractError> {
    let mut user = Table::new();
    user.insert("package".into(), package.name.clone().into());
    user.insert("path".into(), text(&package.folder));
    if source.build.no_default_features {
        user.insert("default-features".into(), false.into());
    }
    let mut features = source.build.features.clone();
    if source.build.all_features {
        features.extend(package.features.iter().cloned());
    }
    if !features.is_empty() {
        user.insert("features".into(), Value::Array(features.into_iter().map(Value::from).collect()));
    }
    let mut dependencies = Table::new();
    dependencies.insert("described".into(), Value::Table(user));
    dependencies.insert("agui-runtime".into(), Value::Table(runtime.table()));

    let mut shim = Table::new();
    shim.insert("name".into(), NAME.into());
    shim.insert("version".into(), "0.0.0".into());
    shim.insert("edition".into(), "2021".into());
    shim.insert("publish".into(), false.into());

    let path = root.join("Cargo.toml");
    let of_root = fs::read_to_string(&path)
        .map_err(|source| ExtractError::Read { path: path.clone(), source })?
        .parse::<Table>()
        .map_err(|source| ExtractError::Toml { path, source: Box::new(source) })?;
    let mut whole = Table::new();
    whole.insert("package".into(), Value::Table(shim));
    // Makes the shim a workspace root, in any folder.
    whole.insert("workspace".into(), Value::Table(Table::new()));
    whole.insert("dependencies".into(), Value::Table(dependencies));
    for name in ["patch", "replace", "profile"] {
        if let Some(value) = of_root.get(name) {
            let mut value = value.clone();
            if name != "profile" {
                absolute_paths(&mut value, root);
            }
            whole.insert(name.into(), value);
        }
    }
    Ok(whole.to_string())
}

/// Makes every nested `path` absolute.
fn absolute_paths(value: &mut Value, root: &Path) {
    let Value::Table(table) = value else { return };
    for (key, inner) in table.iter_mut() {
        match inner {
            Value::String(path) if key == "path" => *path = root.join(&*path).display().to_string(),
            inner => absolute_paths(inner, root),
        }
    }
}

fn text(path: &Path) -> Value {
    Value::String(path.display().to_string())
}

fn program(package: &WorkspacePackage) -> String {
    // Names the library, so that the linker keeps the agents that the library registers.
    format!(
        "extern crate described as _;\n\nuse agui_runtime::manifest::hook;\n\nfn main() {{\n    if let \
         Err(error) = hook::write_if_asked({:?}, {:?}, hook::entry_agents(hook::registered())) {{\n        eprintln!(\"error: \
         {{error}}\");\n        std::process::exit(1);\n    }}\n}}\n",
        package.name, package.version
    )
}
