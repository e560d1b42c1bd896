//! `--watch`: generates again whenever a source changes. Everything is looked at a few times a second, which needs no
//! service of the operating system and costs less than a build notices.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

/// How often the sources are looked at.
const TICK: Duration = Duration::from_millis(150);

/// The sources, each with the time of its last change.
type Seen = BTreeMap<PathBuf, SystemTime>;

/// Calls `work` now and after each change of a source in `folders`, for ever. Changes while it works count.
pub(crate) fn watch(folders: &[PathBuf], mut work: impl FnMut()) -> ! {
    loop {
        let before = seen(folders);
        work();
        while seen(folders) == before {
            thread::sleep(TICK);
        }
    }
}

fn seen(folders: &[PathBuf]) -> Seen {
    let mut seen = Seen::new();
    folders.iter().for_each(|folder| collect(folder, &mut seen));
    seen
}

/// What cannot be read now is looked at again the next time.
fn collect(folder: &Path, seen: &mut Seen) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let Ok(kind) = entry.file_type() else { continue };
        let name = name.to_string_lossy();
        if kind.is_dir() {
            if name != "target" && name != "node_modules" && !name.starts_with('.') {
                collect(&path, seen);
            }
        } else if is_source(&path)
            && let Ok(changed) = entry.metadata().and_then(|metadata| metadata.modified())
        {
            seen.insert(path, changed);
        }
    }
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "rs" || ending == "toml")
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
        let before = seen(std::slice::from_ref(&folder));
        let names: Vec<_> =
            before.keys().map(|path| path.strip_prefix(&folder).unwrap().to_owned()).collect();
        assert_eq!(names, [PathBuf::from("Cargo.toml"), PathBuf::from("src/lib.rs")]);
        fs::write(folder.join("src/more.rs"), "").unwrap();
        assert_ne!(seen(std::slice::from_ref(&folder)), before);
        fs::remove_dir_all(&folder).unwrap();
    }
}
