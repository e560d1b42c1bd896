//! The crates, packed as for the index, and unpacked in a folder outside of the workspace.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use agui_tests::outside::{CargoFolder, cargo, finish, target_dir, workspace_dir};
use serde_json::Value;

const LIMIT: Duration = Duration::from_secs(1200);

/// The folder with the packages and the projects, whose `.cargo/config.toml` replaces our packages of the index by the packed ones.
pub(crate) struct Packed {
    pub(crate) folder: CargoFolder,
    version: String,
    /// The features of `agui-runtime`.
    pub(crate) features: Vec<String>,
}

impl Packed {
    /// The packages of this process.
    pub(crate) fn ready() -> &'static Self {
        static READY: OnceLock<Packed> = OnceLock::new();
        READY.get_or_init(Self::pack)
    }

    fn pack() -> Self {
        let folder = CargoFolder::create("agui-published");
        let metadata = metadata();
        let packages = published(&metadata);
        let mut options = vec!["package", "--no-verify", "--locked", "--offline", "--allow-dirty", "--quiet"];
        options.extend(packages.iter().flat_map(|(name, _)| ["--package", name]));
        let crates = target_dir().join("packages");
        let mut pack = cargo();
        pack.args(options).arg("--target-dir").arg(&crates).current_dir(workspace_dir());
        drop(finish(pack, "", LIMIT).assert_success());

        let mut patch = String::new();
        for (name, version) in &packages {
            let place = unpacked(&crates.join(format!("package/{name}-{version}.crate")), &folder.path);
            patch.push_str(&format!("{name} = {{ path = {place:?} }}\n"));
        }
        let build = format!("build-dir = {:?}\ntarget-dir = {:?}", target_dir(), folder.path.join("target"));
        folder.configure(&build, &format!("[patch.crates-io]\n{patch}"));
        let (_, version) = packages.into_iter().find(|(name, _)| name == "agui-codegen").unwrap();
        Self { folder, version, features: features(&metadata) }
    }

    /// The program of the packed `agui-codegen`.
    pub(crate) fn codegen(&self) -> PathBuf {
        let package = self.folder.path.join(format!("agui-codegen-{}", self.version));
        let _ = self.folder.cargo(&package, &["build", "--quiet"]).assert_success();
        self.program("agui-codegen")
    }

    /// A program that was built here.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.folder.path.join("target/debug").join(name)
    }
}

/// The packages of the workspace, as Cargo describes them.
fn metadata() -> Value {
    let mut command = cargo();
    command
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(workspace_dir());
    finish(command, "", LIMIT).json()
}

/// The published packages, each with its version.
fn published(metadata: &Value) -> Vec<(String, String)> {
    let published =
        metadata["packages"].as_array().unwrap().iter().filter(|package| package["publish"].is_null());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let packages: Vec<_> =
        published.map(|package| (text(&package["name"]), text(&package["version"]))).collect();
    assert!(packages.len() >= 8, "{packages:?}");
    packages
}

/// The features of `agui-runtime`.
fn features(metadata: &Value) -> Vec<String> {
    let packages = metadata["packages"].as_array().unwrap();
    let runtime = packages.iter().find(|package| package["name"] == "agui-runtime").unwrap();
    runtime["features"].as_object().unwrap().keys().cloned().collect()
}

/// Unpacks a package into `folder`, and returns its folder there. A package that is there already stays: all its files have the same
/// time, so that cargo could not see which of them are new.
fn unpacked(package: &Path, folder: &Path) -> PathBuf {
    let place = folder.join(package.file_stem().unwrap());
    let kept = folder.join(package.file_name().unwrap());
    let bytes = fs::read(package).unwrap();
    if fs::read(&kept).is_ok_and(|before| before == bytes) {
        return place;
    }
    drop(fs::remove_file(&kept));
    drop(fs::remove_dir_all(&place));
    let mut tar = Command::new("tar");
    tar.args(["--touch", "-xzf"]).arg(package).arg("-C").arg(folder);
    let _ = finish(tar, "", LIMIT).assert_success();
    fs::write(kept, bytes).unwrap();
    place
}
