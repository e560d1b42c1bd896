//! A cache for a program's manifest, valid until one file that the program is built from changes.
//!
//! Cargo takes a quarter of a second to find out that nothing has to be built, mostly for packages that never change.
//! Cargo records the files that each program is built from, so the files that can change are known. If all such files,
//! all settings and the whole environment are unchanged, the manifest is unchanged too. Uncertain cases go to cargo: a
//! package with a build script, which may depend on anything, and a program for another machine.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::{CargoWorkspace, WorkspacePackage};
use crate::arguments::ManifestSource;
use crate::arguments::build::BuildOptions;

/// Variables that shells change from command to command.
const OF_THE_SHELL: [&str; 4] = ["_", "OLDPWD", "PWD", "SHLVL"];

/// The lag in file times: they come from a system clock whose ticks last at most 16 ms.
const TICK: Duration = Duration::from_millis(20);

/// The error in a time without fractional seconds: old file systems store whole seconds, and FAT counts in steps of
/// two.
const COARSE: Duration = Duration::from_secs(2);

/// The manifest cache for one program.
pub(super) struct ManifestCache {
    file: PathBuf,
    key: u64,
}

/// A cached manifest.
#[derive(Serialize, Deserialize)]
struct CachedManifest {
    /// The hash over the request and the environment.
    key: u64,
    /// The program's path and stamp.
    program: (PathBuf, Option<FileStamp>),
    /// The files from which the program was built, with their stamps then. A file that did not exist must still not
    /// exist.
    files: Vec<(PathBuf, Option<FileStamp>)>,
    manifest: String,
}

/// A file's last modification time in nanoseconds, and the file length.
type FileStamp = (u64, u64);

/// The files that a program is built from.
pub(crate) struct ProgramFiles {
    pub(crate) files: BTreeSet<PathBuf>,
    /// True if no other file can change the program.
    is_all: bool,
}

impl ManifestCache {
    /// Returns the cache for the manifest that `program` in `package` prints, built with the options in `source`.
    pub(super) fn new(
        workspace: &CargoWorkspace,
        package: &WorkspacePackage,
        program: &str,
        source: &ManifestSource,
    ) -> Self {
        let mut hasher = DefaultHasher::new();
        let ManifestSource { build, host, .. } = source;
        let BuildOptions { features, all_features, no_default_features, profile, target, .. } = build;
        (env!("CARGO_PKG_VERSION"), &package.folder, &package.version, program).hash(&mut hasher);
        (features, all_features, no_default_features, profile, target, host, build.workspace)
            .hash(&mut hasher);
        let is_of_the_shell = |name: &std::ffi::OsString| OF_THE_SHELL.iter().any(|known| name == known);
        let mut environment: Vec<_> =
            std::env::vars_os().filter(|(name, _)| !is_of_the_shell(name)).collect();
        environment.sort();
        environment.hash(&mut hasher);
        let file =
            workspace.target.join("agui-codegen").join(format!("{}-{program}.cached.json", package.name));
        Self { file, key: hasher.finish() }
    }

    /// Returns the manifest that the program would write now, if that is certain, and the files that the program is
    /// built from.
    pub(super) fn read(&self) -> Option<(String, BTreeSet<PathBuf>)> {
        let CachedManifest { key, program, files, manifest } =
            serde_json::from_slice(&fs::read(&self.file).ok()?).ok()?;
        let is_same = |(path, before): &(PathBuf, Option<FileStamp>)| stamp(path) == *before;
        let same = key == self.key && is_same(&program) && files.iter().all(is_same);
        same.then(|| (manifest, files.into_iter().map(|(path, _)| path).collect()))
    }

    /// Returns the time on the build's file system, which may differ from this machine's time. `None` if nothing can be
    /// cached there.
    pub(super) fn now(&self) -> Option<SystemTime> {
        let scratch = self.scratch();
        fs::write(&scratch, "").ok()?;
        let now = fs::metadata(&scratch).and_then(|metadata| metadata.modified());
        let _ = fs::remove_file(&scratch);
        now.ok()
    }

    /// Caches the manifest from `executable`, which was built from `made_of` since `started`. If the cache cannot be
    /// written, the program runs again next time.
    pub(super) fn write(
        &self,
        executable: &Path,
        made_of: &ProgramFiles,
        started: SystemTime,
        manifest: &str,
    ) {
        if !made_of.is_all {
            return;
        }
        let mut files: Vec<(PathBuf, Option<FileStamp>)> = Vec::new();
        for path in &made_of.files {
            let stamp = stamp(path);
            // A file that changed during the build may be part of the program or not. A file that changes from now on
            // gets a later time than the cached files, so such a file cannot seem older than the build.
            if stamp.is_some_and(|(changed, _)| at_latest(changed) >= nanoseconds(started)) {
                return;
            }
            files.push((path.clone(), stamp));
        }
        let program = (executable.to_owned(), stamp(executable));
        let cached = CachedManifest { key: self.key, program, files, manifest: manifest.to_owned() };
        if let Ok(text) = serde_json::to_vec(&cached) {
            // The file appears whole or not at all; if the file cannot be written, the program runs again next time.
            let scratch = self.scratch();
            let _ = fs::write(&scratch, text).and_then(|()| fs::rename(&scratch, &self.file));
        }
    }

    fn scratch(&self) -> PathBuf {
        self.file.with_extension(format!("{}.tmp", std::process::id()))
    }
}

/// Returns the files that `executable` was just built from; `None` if cargo did not record the files.
pub(crate) fn made_of(
    workspace: &CargoWorkspace,
    package: &WorkspacePackage,
    executable: &Path,
) -> Option<ProgramFiles> {
    let sources = dependencies(&fs::read_to_string(executable.with_extension("d")).ok()?)?;
    // A cargo setting makes paths relative to a folder that is not known here.
    let mut is_all = sources.iter().all(|source| source.is_absolute());
    let mut files = BTreeSet::from([workspace.root.join("Cargo.lock"), workspace.root.join("Cargo.toml")]);
    let mut packages: BTreeSet<PathBuf> = BTreeSet::from([package.folder.clone()]);
    for source in &sources {
        let folder = source.ancestors().find(|folder| folder.join("Cargo.toml").is_file());
        is_all &= folder.is_some();
        packages.extend(folder.map(Path::to_owned));
    }
    for folder in packages {
        is_all &= has_no_build_script(&folder).unwrap_or(false);
        // One path is the workspace's `Cargo.toml`, from which the package inherits.
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
    Some(ProgramFiles { files, is_all })
}

/// Returns true if the package in `folder` has no build script; `None` if the package cannot be read.
fn has_no_build_script(folder: &Path) -> Option<bool> {
    let table: toml::Table = fs::read_to_string(folder.join("Cargo.toml")).ok()?.parse().ok()?;
    let script = table.get("package").and_then(|package| package.get("build"));
    Some(script.map_or(!folder.join("build.rs").exists(), |script| script.as_bool() == Some(false)))
}

/// Returns the dependencies in a make file; a space in a name has a `\` before it.
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

fn stamp(path: &Path) -> Option<FileStamp> {
    let metadata = fs::metadata(path).ok()?;
    Some((nanoseconds(metadata.modified().ok()?), metadata.len()))
}

/// Returns the latest actual modification time for a file with the recorded time `changed`.
fn at_latest(changed: u64) -> u64 {
    let behind = if changed.is_multiple_of(1_000_000_000) { COARSE } else { TICK };
    changed.saturating_add(u64::try_from(behind.as_nanos()).unwrap_or(u64::MAX))
}

/// Returns the nanoseconds since 1970, which fit until 2554.
fn nanoseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file may change in the second in which the build used the file, and coarse file times do not show the change.
    #[test]
    fn files_that_may_have_changed_are_not_cached() {
        let folder = std::env::temp_dir().join(format!("agui-cached-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let source = folder.join("main.rs");
        fs::write(&source, "fn main() {}").unwrap();
        let cache = ManifestCache { file: folder.join("cached.json"), key: 7 };
        let made_of =
            ProgramFiles { files: BTreeSet::from([source.clone(), folder.join("build.rs")]), is_all: true };
        let started = cache.now().unwrap();
        let since = started.duration_since(UNIX_EPOCH).unwrap();
        let second = UNIX_EPOCH + Duration::from_secs(since.as_secs());
        let is_cached = |changed: SystemTime, started: SystemTime| {
            let _ = fs::remove_file(&cache.file);
            fs::File::options().append(true).open(&source).unwrap().set_modified(changed).unwrap();
            cache.write(&source, &made_of, started, "{}");
            cache.read().is_some()
        };
        let milliseconds = Duration::from_millis;
        // Within a clock tick before the build, or later.
        let moment = second + milliseconds(500);
        for later in [0, 5, 19] {
            assert!(!is_cached(moment, moment + milliseconds(later)), "{later} ms");
        }
        assert!(!is_cached(moment + milliseconds(1), moment));
        assert!(is_cached(moment, moment + milliseconds(21)));
        // A time in whole seconds stands for up to two seconds.
        assert!(!is_cached(second, second + milliseconds(500)));
        assert!(!is_cached(second, second + milliseconds(2000)));
        assert!(is_cached(second, second + milliseconds(2001)));
        // Later changes are noticed, also new files and another program.
        fs::write(folder.join("build.rs"), "").unwrap();
        assert_eq!(cache.read(), None);
        fs::remove_file(folder.join("build.rs")).unwrap();
        assert!(cache.read().is_some());
        fs::write(&source, "fn main( ){}").unwrap();
        assert_eq!(cache.read(), None);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn spaces_separate_files() {
        let text = "/t/shop: /a/main.rs /my\\ code/lib.rs C:\\x.rs\n\n/a/main.rs:\n";
        let expected = ["/a/main.rs", "/my code/lib.rs", "C:\\x.rs"].map(PathBuf::from);
        assert_eq!(dependencies(text).unwrap(), expected);
        assert_eq!(dependencies(""), None);
    }
}
