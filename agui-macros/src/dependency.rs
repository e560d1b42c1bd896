//! The name under which a package depends on the runtime, from its `Cargo.toml`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::toml::{TomlEntry, entries};

const RUNTIME: &str = "agui-runtime";

/// The runtime's name in the package that is being compiled, as code spells the name; else why there is none.
pub(crate) fn name_of_runtime() -> Result<String, String> {
    let folder = env::var_os("CARGO_MANIFEST_DIR").ok_or("`CARGO_MANIFEST_DIR` is not set")?;
    let manifest = Path::new(&folder).join("Cargo.toml");
    let entries = read(&manifest)?;
    let own = value(&entries, &["package", "name"]).unwrap_or_default();
    let name = match own {
        RUNTIME => Some(RUNTIME.to_owned()),
        _ => name_in(&entries, || workspace_of(&manifest, &entries)).or_else(|| own_name_of_runtime(own)),
    };
    let name = name.ok_or_else(|| format!("`{}` does not name it", manifest.display()))?;
    Ok(name.replace('-', "_"))
}

/// The name that the packages behind the runtime give it (`extern crate self as agui_runtime`), so that their code expands like that of
/// other crates. When they are published, they do not depend on the runtime.
fn own_name_of_runtime(package: &str) -> Option<String> {
    package.strip_prefix(RUNTIME)?.starts_with('-').then(|| RUNTIME.to_owned())
}

/// Crate names that the package which is being compiled may depend on, and the package's own name; `None` if they are not known.
pub(crate) fn crate_names() -> Option<Vec<String>> {
    let folder = env::var_os("CARGO_MANIFEST_DIR")?;
    let entries = read(&Path::new(&folder).join("Cargo.toml")).ok()?;
    Some(crates_in(&entries))
}

fn crates_in(entries: &[TomlEntry]) -> Vec<String> {
    let kinds = ["dependencies", "dev-dependencies", "dev_dependencies"];
    let depended = kinds.iter().flat_map(|kind| entries.iter().filter_map(move |entry| of_kind(entry, kind)));
    let own = [value(entries, &["package", "name"]), value(entries, &["lib", "name"])];
    let mut names: Vec<_> = depended
        .map(|(name, ..)| name)
        .chain(own.into_iter().flatten())
        .map(|name| name.replace('-', "_"))
        .collect();
    names.dedup();
    names
}

fn read(manifest: &Path) -> Result<Vec<TomlEntry>, String> {
    let text = fs::read_to_string(manifest).map_err(|error| format!("`{}`: {error}", manifest.display()))?;
    entries(&text).ok_or_else(|| format!("`{}` is not TOML", manifest.display()))
}

fn value<'e>(entries: &'e [TomlEntry], path: &[&str]) -> Option<&'e str> {
    entries.iter().find(|entry| entry.path == path).map(|entry| entry.value.as_str())
}

/// The dependency's key. `workspace` is read only where a dependency comes from there.
fn name_in(entries: &[TomlEntry], workspace: impl FnOnce() -> Vec<TomlEntry>) -> Option<String> {
    let mut inherited = Vec::new();
    for kind in ["dependencies", "dev-dependencies"] {
        let dependencies: Vec<_> = entries.iter().filter_map(|entry| of_kind(entry, kind)).collect();
        for (name, option, value) in &dependencies {
            let package =
                dependencies.iter().find(|(of, option, _)| of == name && *option == Some("package"));
            if package.map_or(*name, |(_, _, package)| package) == RUNTIME {
                return Some((*name).to_owned());
            }
            if *option == Some("workspace") && *value == "true" {
                inherited.push(*name);
            }
        }
    }
    if inherited.is_empty() {
        return None;
    }
    let workspace = workspace();
    let is_runtime =
        |name: &&str| value(&workspace, &["workspace", "dependencies", name, "package"]) == Some(RUNTIME);
    inherited.into_iter().find(is_runtime).map(str::to_owned)
}

/// Name, option and value for an entry in `[dependencies]` or `[target.….dependencies]`.
fn of_kind<'e>(entry: &'e TomlEntry, kind: &str) -> Option<(&'e str, Option<&'e str>, &'e str)> {
    let path: Vec<&str> = entry.path.iter().map(String::as_str).collect();
    let path = match path.as_slice() {
        ["target", _, path @ ..] => path,
        path => path,
    };
    match path {
        [of, name, option @ ..] if *of == kind => Some((*name, option.first().copied(), &entry.value)),
        _ => None,
    }
}

/// The workspace manifest, empty if there is none.
fn workspace_of(manifest: &Path, of_package: &[TomlEntry]) -> Vec<TomlEntry> {
    let folder = manifest.parent().unwrap_or(manifest);
    let given = value(of_package, &["package", "workspace"]).map(|path| folder.join(path).join("Cargo.toml"));
    let above = || folder.ancestors().map(|folder| folder.join("Cargo.toml"));
    let candidates: Vec<PathBuf> = given.map_or_else(|| above().collect(), |given| vec![given]);
    let is_root = |entries: &Vec<TomlEntry>| {
        entries.iter().any(|e| e.path.first().is_some_and(|first| first == "workspace"))
    };
    candidates.iter().filter_map(|manifest| read(manifest).ok()).find(is_root).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(package: &str, workspace: &str) -> Option<String> {
        name_in(&entries(package).unwrap(), || entries(workspace).unwrap())
    }

    #[test]
    fn the_runtime_is_found_by_its_name_and_by_any_other() {
        let found = |package: &str| name(package, "").unwrap();
        assert_eq!(found("[dependencies]\nagui-runtime = \"0.1\""), "agui-runtime");
        assert_eq!(found("[dependencies]\nagui-runtime.workspace = true"), "agui-runtime");
        assert_eq!(found("[dev-dependencies.ag]\nversion = \"1\"\npackage = \"agui-runtime\""), "ag");
        assert_eq!(found("[target.'cfg(unix)'.dependencies]\nag = { package = 'agui-runtime' }"), "ag");
    }

    #[test]
    fn packages_behind_the_runtime_find_it_without_a_dependency() {
        assert_eq!(own_name_of_runtime("agui-runtime-core").unwrap(), "agui-runtime");
        assert_eq!(own_name_of_runtime("agui-runtimes"), None);
        assert_eq!(own_name_of_runtime("shop"), None);
    }

    #[test]
    fn crates_are_those_of_every_table_and_the_own_ones() {
        let package = "[package]\nname = \"my-shop\"\n[lib]\nname = \"shop\"\n[dependencies]\ntime = \"1\"\n\
                       [target.'cfg(unix)'.dev-dependencies.old-log]\nversion = \"1\"\npackage = \"log\"";
        let crates = crates_in(&entries(package).unwrap());
        assert_eq!(crates, ["time", "old_log", "my_shop", "shop"]);
    }

    #[test]
    fn a_workspace_may_have_given_the_name() {
        let package = "[dependencies]\nserde.workspace = true\nag = { workspace = true, features = [] }";
        let workspace = "[workspace.dependencies]\nag = { package = \"agui-runtime\", version = \"1\" }";
        assert_eq!(name(package, workspace).unwrap(), "ag");
        assert_eq!(name(package, "[workspace.dependencies]\nag = \"1\""), None);
        assert_eq!(name("[dependencies]\nag = \"1\"", workspace), None);
    }

    #[test]
    fn another_package_under_the_name_of_the_runtime_is_not_the_runtime() {
        assert_eq!(name("[dependencies]\nagui-runtime = { version = \"1\", package = \"other\" }", ""), None);
        assert_eq!(name("[build-dependencies]\nagui-runtime = \"1\"", ""), None);
    }

    #[test]
    fn a_package_of_a_workspace_finds_its_root() {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let root = workspace_of(&manifest, &read(&manifest).unwrap());
        assert_eq!(value(&root, &["workspace", "resolver"]), Some("3"));
    }
}
