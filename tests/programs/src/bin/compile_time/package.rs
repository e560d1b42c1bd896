//! A package made for measuring, and how long cargo works on it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use agui_programs::{target_dir, workspace_dir};

/// A package of one program.
pub(crate) struct Package {
    pub(crate) name: &'static str,
    pub(crate) dependencies: String,
    pub(crate) source: String,
    /// The file that pins its dependencies, in the workspace.
    pub(crate) lock: &'static str,
}

#[derive(Clone, Copy)]
pub(crate) enum Verb {
    Check,
    Build,
}

impl Package {
    /// Seconds for the crate alone.
    pub(crate) fn crate_alone(&self, verb: Verb) -> f64 {
        self.write("fn main() {}\n");
        self.cargo(verb);
        self.write(&self.source);
        self.cargo(verb)
    }

    /// Seconds for the crate and all its dependencies.
    pub(crate) fn cold(&self, verb: Verb) -> f64 {
        self.write(&self.source);
        let target = self.folder().join("target");
        if target.exists() {
            fs::remove_dir_all(&target).unwrap_or_else(|cause| panic!("{}: {cause}", target.display()));
        }
        self.fetch();
        self.cargo(verb)
    }

    fn folder(&self) -> PathBuf {
        target_dir().join("compile-time").join(self.name)
    }

    fn write(&self, source: &str) {
        let folder = self.folder();
        fs::create_dir_all(folder.join("src"))
            .unwrap_or_else(|cause| panic!("{}: {cause}", folder.display()));
        let manifest = format!(
            "[package]\nname = \"{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{}",
            self.name, self.dependencies
        );
        write(&folder.join("Cargo.toml"), &manifest);
        let lock = workspace_dir().join(self.lock);
        fs::copy(&lock, folder.join("Cargo.lock"))
            .unwrap_or_else(|cause| panic!("{}: {cause}", lock.display()));
        write(&folder.join("src/main.rs"), source);
    }

    /// Downloads what is missing, so that it is not measured.
    fn fetch(&self) {
        self.run(&["fetch", "--quiet"]);
    }

    fn cargo(&self, verb: Verb) -> f64 {
        let verb = match verb {
            Verb::Check => "check",
            Verb::Build => "build",
        };
        let (start, worked) = (Instant::now(), worked());
        self.run(&[verb, "--quiet", "-j1"]);
        let took = match (worked, self::worked()) {
            (Some(before), Some(after)) => after - before,
            _ => start.elapsed(),
        };
        took.as_secs_f64()
    }

    fn run(&self, arguments: &[&str]) {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(arguments).current_dir(self.folder());
        cargo.env("CARGO_TARGET_DIR", self.folder().join("target")).env("CARGO_INCREMENTAL", "0");
        let status = cargo.status().unwrap_or_else(|cause| panic!("cargo: {cause}"));
        assert!(status.success(), "cargo {} in {} failed", arguments.join(" "), self.folder().display());
    }
}

/// The processor time of the programs that this one has waited for, where Linux reports it: other load changes it less
/// than the time on the clock.
pub(crate) fn worked() -> Option<Duration> {
    /// The unit in which Linux counts, everywhere (`getconf CLK_TCK`).
    const TICK: Duration = Duration::from_millis(10);
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name may contain any character and ends with the last bracket; then come fields 3 and later
    // (proc_pid_stat(5)).
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(16 - 3);
    let (user, system): (u32, u32) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some(TICK * (user + system))
}

pub(crate) fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap_or_else(|cause| panic!("{}: {cause}", path.display()));
}
