//! maturin, which packs `agui-codegen` as a wheel.

use std::path::Path;
use std::time::Duration;

use super::{Missing, Python, finish, target_dir, without_package, workspace_dir};

const LIMIT: Duration = Duration::from_secs(1200);

/// maturin in a virtual environment, in the version that the release uses.
#[derive(Debug, Clone)]
pub struct Maturin(Python);

impl Maturin {
    /// Installs maturin on first use.
    ///
    /// # Errors
    /// [`Missing`] if Python or its `venv` is not on the machine, or too old; see [`need!`](crate::need).
    pub fn ready() -> Result<Self, Missing> {
        Python::with_requirements("maturin", "../../.github/release/maturin.txt").map(Self)
    }

    /// Writes the wheel of `agui-codegen` for this machine into `folder`. The program has the profile `dev`, whose dependencies the
    /// tests have built.
    pub fn pack(&self, folder: &Path) {
        let mut command = self.0.module("maturin");
        without_package(&mut command);
        command
            .args(["build", "--quiet", "--profile", "dev", "--compatibility", "linux", "--out"])
            .arg(folder);
        command.arg("--target-dir").arg(target_dir().join("outside/wheel"));
        command.env("CARGO_BUILD_BUILD_DIR", target_dir());
        command.current_dir(workspace_dir().join("agui-codegen/python"));
        drop(finish(command, "", LIMIT).assert_success());
    }
}
