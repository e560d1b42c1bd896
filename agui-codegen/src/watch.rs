//! `--watch`: generates again whenever a program's file changes.
//!
//! All files are checked a few times a second. Polling is simpler than operating systems' file events, which differ,
//! limit the number of folders, and do not cover other machines or container mounts. Polling also costs too little for
//! a build to notice.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

/// The interval between checks.
pub(crate) const TICK: Duration = Duration::from_millis(150);

/// Files, each with the last modification time; `None` if the file does not exist.
type SeenFiles = BTreeMap<PathBuf, Option<SystemTime>>;

/// Calls `work` now and after each change, forever. Changes during `work` count.
///
/// Watches the sources in `folders`, because any new source may belong to a program, and the files that `work` returns,
/// in any folder; if `work` fails, the previous files stay watched.
pub(crate) fn watch(folders: &BTreeSet<PathBuf>, mut work: impl FnMut() -> Option<BTreeSet<PathBuf>>) -> ! {
    let mut watcher = FileWatcher::new(folders.clone());
    loop {
        watcher.begin();
        watcher.finish(work());
        while watcher.changed().is_none() {
            thread::sleep(TICK);
        }
    }
}

/// The files that a program is built from, as they were when the last build began.
pub(crate) struct FileWatcher {
    folders: BTreeSet<PathBuf>,
    /// The watched files outside of `folders`, or with another extension.
    files: BTreeSet<PathBuf>,
    started: SystemTime,
    sources: SeenFiles,
    known: SeenFiles,
}

impl FileWatcher {
    /// Returns a watcher for the sources in `folders`.
    pub(crate) fn new(folders: BTreeSet<PathBuf>) -> Self {
        let (files, started) = (BTreeSet::new(), SystemTime::now());
        Self { folders, files, started, sources: SeenFiles::new(), known: SeenFiles::new() }
    }

    /// Notes all files: a build begins.
    pub(crate) fn begin(&mut self) {
        self.started = SystemTime::now();
        (self.sources, self.known) = (sources(&self.folders), changes(&self.files));
    }

    /// Watches the files that the build has read; after a failed build, the previous files.
    pub(crate) fn finish(&mut self, files: Option<BTreeSet<PathBuf>>) {
        let Some(files) = files else { return };
        let known = changes(&files).into_iter().map(|(path, now)| {
            let then = self.known.get(&path).or(self.sources.get(&path)).copied();
            // A file that was not watched before counts as unchanged, unless the modification time says otherwise.
            let then = then.unwrap_or_else(|| now.filter(|changed| *changed < self.started));
            (path, then)
        });
        self.known = known.collect();
        self.files = files;
    }

    /// Returns one file that has changed since the build began.
    pub(crate) fn changed(&self) -> Option<PathBuf> {
        difference(&self.sources, &sources(&self.folders))
            .or_else(|| difference(&self.known, &changes(&self.files)))
    }

    /// Waits until no file changes, because editors and version control write several files one after another.
    pub(crate) fn settle(&self) {
        let now = || (sources(&self.folders), changes(&self.files));
        let mut before = now();
        loop {
            thread::sleep(TICK);
            let after = now();
            if after == before {
                return;
            }
            before = after;
        }
    }
}

/// Returns the first path that two states do not have in common.
fn difference(before: &SeenFiles, after: &SeenFiles) -> Option<PathBuf> {
    let changed = |(path, time): &(&PathBuf, &Option<SystemTime>)| before.get(*path) != Some(*time);
    let removed = |path: &&PathBuf| !after.contains_key(*path);
    after.iter().find(changed).map(|(path, _)| path).or_else(|| before.keys().find(removed)).cloned()
}

/// Returns the modification times for `files`; a folder has the time of the newest file in the folder.
fn changes(files: &BTreeSet<PathBuf>) -> SeenFiles {
    let changed = |path: &PathBuf| {
        let metadata = fs::metadata(path).ok()?;
        let changed = metadata.modified().ok();
        let mut inside = SeenFiles::new();
        if metadata.is_dir() {
            collect(path, &|_| true, &mut inside);
        }
        inside.into_values().flatten().chain(changed).max()
    };
    files.iter().map(|path| (path.clone(), changed(path))).collect()
}

fn sources(folders: &BTreeSet<PathBuf>) -> SeenFiles {
    let mut seen = SeenFiles::new();
    let is_source = |path: &Path| path.extension().is_some_and(|ending| ending == "rs" || ending == "toml");
    folders.iter().for_each(|folder| collect(folder, &is_source, &mut seen));
    seen
}

/// A folder that cannot be read is read again the next time.
fn collect(folder: &Path, wanted: &dyn Fn(&Path) -> bool, seen: &mut SeenFiles) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let Ok(kind) = entry.file_type() else { continue };
        let name = name.to_string_lossy();
        if kind.is_dir() {
            if name != "target" && name != "node_modules" && !name.starts_with('.') {
                collect(&path, wanted, seen);
            }
        } else if wanted(&path)
            && let Ok(changed) = entry.metadata().and_then(|metadata| metadata.modified())
        {
            seen.insert(path, Some(changed));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_seen_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("agui-watch-{}", std::process::id()));
        for path in ["src/lib.rs", "Cargo.toml", "target/debug/x.rs", ".git/x.rs", "web/index.ts"] {
            fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
            fs::write(folder.join(path), "").unwrap();
        }
        let folders = BTreeSet::from([folder.clone()]);
        let before = sources(&folders);
        let names: Vec<_> =
            before.keys().map(|path| path.strip_prefix(&folder).unwrap().to_owned()).collect();
        assert_eq!(names, [PathBuf::from("Cargo.toml"), PathBuf::from("src/lib.rs")]);
        fs::write(folder.join("src/more.rs"), "").unwrap();
        assert_ne!(sources(&folders), before);

        // A named file is watched whatever the extension, and a folder with all content.
        let named = BTreeSet::from(["web", "nowhere"].map(|name| folder.join(name)));
        let before = changes(&named);
        assert_eq!(before[&folder.join("nowhere")], None);
        let later = SystemTime::now() + Duration::from_secs(5);
        let index = fs::File::options().append(true).open(folder.join("web/index.ts")).unwrap();
        index.set_modified(later).unwrap();
        assert_eq!(changes(&named)[&folder.join("web")], Some(later));
        fs::write(folder.join("nowhere"), "").unwrap();
        assert!(changes(&named)[&folder.join("nowhere")].is_some());
        fs::remove_dir_all(&folder).unwrap();
    }
}
