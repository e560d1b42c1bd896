//! Python with the packages of `tests/python/requirements.txt`.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
    time::Duration,
};

use agui_programs::{Installation, Program};

use super::{Missing, finish, tests_dir};

const PYTHON: Program = Program {
    name: "python3",
    variable: "AGUI_PYTHON",
    at_least: (3, 11),
    how_to_get_it: "install Python 3.11 or newer with venv (python3-venv on Debian)",
};

const INSTALL_LIMIT: Duration = Duration::from_secs(600);

/// Python in a virtual environment that holds the official models, the stream validator and mypy.
#[derive(Debug, Clone)]
pub struct Python {
    program: PathBuf,
}

impl Python {
    /// Finds Python, and installs the packages of `tests/python/requirements.txt` on first use.
    ///
    /// # Errors
    /// [`Missing`] if Python or its `venv` is not on the machine, or too old; see [`need!`](crate::need).
    pub fn ready() -> Result<Self, Missing> {
        Self::with_requirements("python", "requirements.txt")
    }

    /// Python with the packages of another file of `tests/python`.
    pub(super) fn with_requirements(name: &str, requirements: &str) -> Result<Self, Missing> {
        let (python, by) = found()?;
        let requirements = tests_dir().join("python").join(requirements);
        let files = [requirements.clone()];
        let folder = Installation { name, by: &by, files: &files }.ready(|folder| {
            let mut venv = Command::new(&python);
            venv.args(["-m", "venv"]).arg(folder);
            drop(finish(venv, "", INSTALL_LIMIT).assert_success());
            let mut pip = Command::new(program_in(folder));
            pip.args([
                "-m",
                "pip",
                "install",
                "--no-deps",
                "--require-hashes",
                "--disable-pip-version-check",
                "-r",
            ])
            .arg(&requirements);
            drop(finish(pip, "", INSTALL_LIMIT).assert_success());
        });
        Ok(Self { program: program_in(&folder) })
    }

    /// A command that runs a script of ours, given relative to `tests/python` (or as an absolute path).
    #[must_use]
    pub fn command(&self, script: impl AsRef<Path>) -> Command {
        let mut command = self.interpreter();
        command.arg(tests_dir().join("python").join(script));
        command
    }

    /// A command that runs an installed module, such as `mypy`.
    #[must_use]
    pub fn module(&self, name: &str) -> Command {
        let mut command = self.interpreter();
        command.args(["-m", name]);
        command
    }

    /// The interpreter itself.
    pub(super) fn program(&self) -> &Path {
        &self.program
    }

    fn interpreter(&self) -> Command {
        let mut command = Command::new(&self.program);
        // Text is UTF-8 under any settings of the machine, and no file is written beside our sources.
        command.env("PYTHONUTF8", "1").env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }
}

/// Python and its version. It is looked for once: all tests that need Python ask for it.
fn found() -> Result<(PathBuf, String), Missing> {
    static FOUND: OnceLock<Result<(PathBuf, String), Missing>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let (python, version) = PYTHON.find()?;
        let mut probe = Command::new(&python);
        probe.args(["-c", "import venv, ensurepip, sys; print(sys.executable)"]);
        let probe = finish(probe, "", Duration::from_secs(60));
        if !probe.status.success() {
            let what = format!("{} has no venv", python.display());
            return Err(Missing { what, how_to_get_it: PYTHON.how_to_get_it.to_owned() });
        }
        let by = format!("{version}, {}", probe.stdout.trim());
        Ok((python, by))
    });
    found.clone()
}

fn program_in(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}
