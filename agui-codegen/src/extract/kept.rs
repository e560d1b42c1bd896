//! What a program answered, kept until something changes that it is made of.
//!
//! Cargo takes a quarter of a second to find out that nothing is to be built, most of it for packages that never change.
//! What does change is known: cargo writes down which files a program was made of. Where those are as they were, and
//! with them all settings and the whole environment, so is the answer. Whatever is not sure to be so goes to cargo: a
//! package with a build script, which may depend on anything, and a program for another machine.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::{Package, Workspace};
use crate::arguments::Source;

/// What shells change from command to command.
const OF_THE_SHELL: [&str; 4] = ["_", "OLDPWD", "PWD", "SHLVL"];

/// How late the time of a change may be written down.
const GRAIN: Duration = Duration::from_millis(20);

/// Where the answer of one program is kept.
pub(super) struct Place {
    file: PathBuf,
    key: u64,
}

/// What is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// What was asked, in which environment.
    key: u64,
    /// What the program is made of, as it was. A file that was not there must not be there.
    files: Vec<(PathBuf, Option<Stamp>)>,
    manifest: String,
}

/// When a file was changed, in nanoseconds, and how long it is.
type Stamp = (u64, u64);

impl Place {
    /// The place for what `program` of `package` answers when it is built as `source` says.
    pub(super) fn new(workspace: &Workspace, package: &Package, program: &str, source: &Source) -> Self {
        let mut hasher = DefaultHasher::new();
        let Source { features, all_features, no_default_features, profile, target, host, .. } = source;
        (env!("CARGO_PKG_VERSION"), &package.folder, &package.version, program).hash(&mut hasher);
        (features, all_features, no_default_features, profile, target, host).hash(&mut hasher);
        let is_of_the_shell = |name: &std::ffi::OsString| OF_THE_SHELL.iter().any(|known| name == known);
        let mut environment: Vec<_> =
            std::env::vars_os().filter(|(name, _)| !is_of_the_shell(name)).collect();
        environment.sort();
        environment.hash(&mut hasher);
        let file =
            workspace.target.join("agui-codegen").join(format!("{}-{program}.kept.json", package.name));
        Self { file, key: hasher.finish() }
    }

    /// The manifest that the program would write now, where that is sure.
    pub(super) fn read(&self) -> Option<String> {
        let kept: Kept = serde_json::from_slice(&fs::read(&self.file).ok()?).ok()?;
        let same = kept.key == self.key && kept.files.iter().all(|(path, before)| stamp(path) == *before);
        same.then_some(kept.manifest)
    }

    /// Keeps what `executable` answered, which was built since `started`. What cannot be kept is asked again.
    pub(super) fn write(
        &self,
        workspace: &Workspace,
        package: &Package,
        executable: &Path,
        started: SystemTime,
        manifest: &str,
    ) {
        let started = nanoseconds(started.checked_sub(GRAIN).unwrap_or(UNIX_EPOCH));
        let Some(paths) = made_of(workspace, package, executable) else { return };
        let mut files: Vec<(PathBuf, Option<Stamp>)> = Vec::new();
        for path in paths {
            let stamp = stamp(&path);
            // What changed while it was built may be in it or not.
            if stamp.is_some_and(|(changed, _)| changed >= started) {
                return;
            }
            files.push((path, stamp));
        }
        files.push((executable.to_owned(), stamp(executable)));
        let kept = Kept { key: self.key, files, manifest: manifest.to_owned() };
        if let Ok(text) = serde_json::to_vec(&kept) {
            // It is there whole or not at all, and where it cannot be written, the program is asked again.
            let scratch = self.file.with_extension(format!("{}.tmp", std::process::id()));
            let _ = fs::write(&scratch, text).and_then(|()| fs::rename(&scratch, &self.file));
        }
    }
}

/// Every file on which the program depends; `None` where that is not known.
fn made_of(workspace: &Workspace, package: &Package, executable: &Path) -> Option<BTreeSet<PathBuf>> {
    let sources = dependencies(&fs::read_to_string(executable.with_extension("d")).ok()?)?;
    // They can be told to be written from some folder on, which nobody knows here.
    if sources.iter().any(|source| !source.is_absolute()) {
        return None;
    }
    let mut files = BTreeSet::from([workspace.root.join("Cargo.lock"), workspace.root.join("Cargo.toml")]);
    let mut packages: BTreeSet<PathBuf> = BTreeSet::from([package.folder.clone()]);
    for source in &sources {
        packages.insert(source.ancestors().find(|folder| folder.join("Cargo.toml").is_file())?.to_owned());
    }
    for folder in packages {
        let manifest = folder.join("Cargo.toml");
        let table: toml::Table = fs::read_to_string(&manifest).ok()?.parse().ok()?;
        let script = table.get("package").and_then(|package| package.get("build"));
        let script =
            script.map_or(folder.join("build.rs").exists(), |script| script.as_bool() != Some(false));
        if script {
            return None;
        }
        // One of these is its workspace's, from which it inherits.
        files.extend(folder.ancestors().map(|folder| folder.join("Cargo.toml")));
        files.insert(folder.join("build.rs"));
    }
    files.extend(sources);
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    files.extend(home.iter().flat_map(|home| ["config", "config.toml"].map(|name| home.join(name))));
    for folder in package.folder.ancestors() {
        let names = [".cargo/config", ".cargo/config.toml", "rust-toolchain", "rust-toolchain.toml"];
        files.extend(names.map(|name| folder.join(name)));
    }
    Some(files)
}

/// What a file for `make` says that the program depends on; a space in a name has a `\` before it.
fn dependencies(text: &str) -> Option<Vec<PathBuf>> {
    let (_, names) = text.lines().next()?.split_once(": ")?;
    let mut paths = vec![String::new()];
    let mut characters = names.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, paths.last_mut()) {
            ('\\', Some(path)) if characters.peek() == Some(&' ') => path.extend(characters.next()),
            (' ', _) => paths.push(String::new()),
            (character, Some(path)) => path.push(character),
            (_, None) => {}
        }
    }
    Some(paths.into_iter().filter(|path| !path.is_empty()).map(PathBuf::from).collect())
}

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = fs::metadata(path).ok()?;
    Some((nanoseconds(metadata.modified().ok()?), metadata.len()))
}

/// Since 1970, which is enough until 2554.
fn nanoseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_by_spaces() {
        let text = "/t/shop: /a/main.rs /my\\ code/lib.rs C:\\x.rs\n\n/a/main.rs:\n";
        let expected = ["/a/main.rs", "/my code/lib.rs", "C:\\x.rs"].map(PathBuf::from);
        assert_eq!(dependencies(text).unwrap(), expected);
        assert_eq!(dependencies(""), None);
    }
}
