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

/// How far behind the clock is that files get their times from: a tick of the system, of which none is longer than 16 ms.
const TICK: Duration = Duration::from_millis(20);

/// How far behind a time without parts of a second may be: old file systems write no others, and FAT every other second.
const COARSE: Duration = Duration::from_secs(2);

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
    /// The program.
    program: (PathBuf, Option<Stamp>),
    /// What it is made of, as it was. A file that was not there must not be there.
    files: Vec<(PathBuf, Option<Stamp>)>,
    manifest: String,
}

/// When a file was changed, in nanoseconds, and how long it is.
type Stamp = (u64, u64);

/// What a program is made of.
pub(super) struct MadeOf {
    pub(super) files: BTreeSet<PathBuf>,
    /// Whether nothing else can change it.
    is_all: bool,
}

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

    /// The manifest that the program would write now, where that is sure, and what the program is made of.
    pub(super) fn read(&self) -> Option<(String, BTreeSet<PathBuf>)> {
        let Kept { key, program, files, manifest } =
            serde_json::from_slice(&fs::read(&self.file).ok()?).ok()?;
        let is_same = |(path, before): &(PathBuf, Option<Stamp>)| stamp(path) == *before;
        let same = key == self.key && is_same(&program) && files.iter().all(is_same);
        same.then(|| (manifest, files.into_iter().map(|(path, _)| path).collect()))
    }

    /// The time, as the file system has it that the program is built on: it need not be this machine's. `None` where
    /// nothing can be kept.
    pub(super) fn now(&self) -> Option<SystemTime> {
        let scratch = self.scratch();
        fs::write(&scratch, "").ok()?;
        let now = fs::metadata(&scratch).and_then(|metadata| metadata.modified());
        let _ = fs::remove_file(&scratch);
        now.ok()
    }

    /// Keeps what `executable` answered, which was built of `made_of` since `started`. What cannot be kept is asked again.
    pub(super) fn write(&self, executable: &Path, made_of: &MadeOf, started: SystemTime, manifest: &str) {
        if !made_of.is_all {
            return;
        }
        let mut files: Vec<(PathBuf, Option<Stamp>)> = Vec::new();
        for path in &made_of.files {
            let stamp = stamp(path);
            // What changed while it was built may be in it or not. And what changes from now on has another time than any
            // that is kept: it cannot seem to be older than the build.
            if stamp.is_some_and(|(changed, _)| at_latest(changed) >= nanoseconds(started)) {
                return;
            }
            files.push((path.clone(), stamp));
        }
        let program = (executable.to_owned(), stamp(executable));
        let kept = Kept { key: self.key, program, files, manifest: manifest.to_owned() };
        if let Ok(text) = serde_json::to_vec(&kept) {
            // It is there whole or not at all, and where it cannot be written, the program is asked again.
            let scratch = self.scratch();
            let _ = fs::write(&scratch, text).and_then(|()| fs::rename(&scratch, &self.file));
        }
    }

    fn scratch(&self) -> PathBuf {
        self.file.with_extension(format!("{}.tmp", std::process::id()))
    }
}

/// What `executable`, which was just built, is made of; `None` where cargo did not write it down.
pub(super) fn made_of(workspace: &Workspace, package: &Package, executable: &Path) -> Option<MadeOf> {
    let sources = dependencies(&fs::read_to_string(executable.with_extension("d")).ok()?)?;
    // They can be told to be written from some folder on, which nobody knows here.
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
    Some(MadeOf { files, is_all })
}

/// Whether the package in `folder` says that it is built without a script; `None` where it cannot be read.
fn has_no_build_script(folder: &Path) -> Option<bool> {
    let table: toml::Table = fs::read_to_string(folder.join("Cargo.toml")).ok()?.parse().ok()?;
    let script = table.get("package").and_then(|package| package.get("build"));
    Some(script.map_or(!folder.join("build.rs").exists(), |script| script.as_bool() == Some(false)))
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

/// When a file may have been changed that says it was at `changed`: not before that, and not later than this.
fn at_latest(changed: u64) -> u64 {
    let behind = if changed.is_multiple_of(1_000_000_000) { COARSE } else { TICK };
    changed.saturating_add(u64::try_from(behind.as_nanos()).unwrap_or(u64::MAX))
}

/// Since 1970, which is enough until 2554.
fn nanoseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is built in one second may be changed in the same, and where files have no other times, nothing tells.
    #[test]
    fn what_may_have_changed_since_is_not_kept() {
        let folder = std::env::temp_dir().join(format!("agui-kept-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let source = folder.join("main.rs");
        fs::write(&source, "fn main() {}").unwrap();
        let place = Place { file: folder.join("kept.json"), key: 7 };
        let made_of =
            MadeOf { files: BTreeSet::from([source.clone(), folder.join("build.rs")]), is_all: true };
        let started = place.now().unwrap();
        let since = started.duration_since(UNIX_EPOCH).unwrap();
        let second = UNIX_EPOCH + Duration::from_secs(since.as_secs());
        let is_kept = |changed: SystemTime, started: SystemTime| {
            let _ = fs::remove_file(&place.file);
            fs::File::options().append(true).open(&source).unwrap().set_modified(changed).unwrap();
            place.write(&source, &made_of, started, "{}");
            place.read().is_some()
        };
        let milliseconds = Duration::from_millis;
        // Within a tick of the clock before, or later.
        let moment = second + milliseconds(500);
        for later in [0, 5, 19] {
            assert!(!is_kept(moment, moment + milliseconds(later)), "{later} ms");
        }
        assert!(!is_kept(moment + milliseconds(1), moment));
        assert!(is_kept(moment, moment + milliseconds(21)));
        // A time in whole seconds is one of up to two.
        assert!(!is_kept(second, second + milliseconds(500)));
        assert!(!is_kept(second, second + milliseconds(2000)));
        assert!(is_kept(second, second + milliseconds(2001)));
        // What changes afterwards is seen, as is what appears, and another program.
        fs::write(folder.join("build.rs"), "").unwrap();
        assert_eq!(place.read(), None);
        fs::remove_file(folder.join("build.rs")).unwrap();
        assert!(place.read().is_some());
        fs::write(&source, "fn main( ){}").unwrap();
        assert_eq!(place.read(), None);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn files_are_told_apart_by_spaces() {
        let text = "/t/shop: /a/main.rs /my\\ code/lib.rs C:\\x.rs\n\n/a/main.rs:\n";
        let expected = ["/a/main.rs", "/my code/lib.rs", "C:\\x.rs"].map(PathBuf::from);
        assert_eq!(dependencies(text).unwrap(), expected);
        assert_eq!(dependencies(""), None);
    }
}
