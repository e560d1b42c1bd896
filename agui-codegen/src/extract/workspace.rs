//! Cargo's metadata: the packages and their binaries.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cargo_metadata::{CrateType, Dependency, DependencyKind, Metadata, MetadataCommand, Package, Target};

use super::{DependencyOrigin, ExtractError};
use crate::arguments::ManifestSource;

/// A cargo workspace.
#[derive(Debug)]
pub(crate) struct CargoWorkspace {
    /// The target folder.
    pub(crate) target: PathBuf,
    /// The folder that contains the workspace's `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// The folders that contain the workspace members and their path dependencies.
    pub(crate) folders: BTreeSet<PathBuf>,
    members: Vec<WorkspacePackage>,
    current: Option<String>,
}

/// A workspace member.
#[derive(Debug)]
pub(crate) struct WorkspacePackage {
    pub(crate) name: String,
    /// The folder that contains the package's `Cargo.toml`.
    pub(crate) folder: PathBuf,
    pub(crate) version: String,
    /// The package's feature names.
    pub(crate) features: Vec<String>,
    /// The source for `agui-runtime`, if the package depends on the runtime.
    pub(crate) runtime: Option<DependencyOrigin>,
    /// True if the package depends on the runtime, and has a program or a library.
    pub(crate) has_agents: bool,
    library: Option<PackageLibrary>,
    binaries: Vec<String>,
    default_run: Option<String>,
}

/// A package's library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PackageLibrary {
    /// The library's name in Rust code.
    pub(crate) name: String,
    /// The library's crate types: `"cdylib"`.
    pub(crate) kinds: String,
    /// True if a Rust program can link the library.
    pub(crate) can_be_linked: bool,
}

/// The program that describes a package's agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestedProgram<'a> {
    /// The package's own binary.
    Binary(&'a str),
    /// A program that is written around the package's library.
    Library(&'a PackageLibrary),
}

impl CargoWorkspace {
    /// Loads the metadata from cargo.
    pub(crate) fn load(source: &ManifestSource) -> Result<Self, ExtractError> {
        let metadata = read_metadata(source)?;
        let mut folders = BTreeSet::new();
        for package in metadata.workspace_packages() {
            folders.extend(package.manifest_path.parent().map(|folder| folder.as_std_path().to_owned()));
            let paths = package.dependencies.iter().filter_map(|dependency| dependency.path.as_ref());
            folders.extend(paths.map(|path| path.as_std_path().to_owned()));
        }
        let packages = metadata.workspace_packages();
        let mut members: Vec<_> = packages.into_iter().map(WorkspacePackage::from_metadata).collect();
        members.sort_by(|a, b| a.name.cmp(&b.name));
        let place = source.build.manifest_path.as_deref().and_then(Path::parent).unwrap_or(Path::new("."));
        let current = innermost(&members, place);
        let root = metadata.workspace_root.into_std_path_buf();
        Ok(Self { target: metadata.target_directory.into_std_path_buf(), root, folders, members, current })
    }

    /// Returns the members with these `names`; all members if `names` is empty.
    pub(crate) fn members(&self, names: &[String]) -> Result<Vec<&WorkspacePackage>, ExtractError> {
        if names.is_empty() {
            return Ok(self.members.iter().collect());
        }
        let find = |name: &String| {
            self.members.iter().find(|package| package.name == *name).ok_or_else(|| ExtractError::NoPackage {
                name: name.clone(),
                known: self.members.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", "),
            })
        };
        names.iter().map(find).collect()
    }

    /// Returns true if the command runs in the package's folder.
    pub(crate) fn is_current(&self, package: &WorkspacePackage) -> bool {
        self.current.as_ref() == Some(&package.name)
    }
}

impl WorkspacePackage {
    fn from_metadata(package: &Package) -> Self {
        let binaries = package.targets.iter().filter(|target| target.is_bin());
        let binaries: Vec<String> = binaries.map(|target| target.name.clone()).collect();
        let is_runtime = |dependency: &&Dependency| dependency.name == "agui-runtime";
        let runtime = package.dependencies.iter().filter(is_runtime);
        // Tests may depend on the runtime with other settings.
        let runtime = runtime.min_by_key(|dependency| dependency.kind != DependencyKind::Normal);
        let is_library = |target: &&Target| target.is_lib() || target.is_cdylib() || target.is_staticlib();
        let library = package.targets.iter().find(is_library).map(PackageLibrary::from_target);
        let folder = package.manifest_path.parent().map(|folder| folder.as_std_path().to_owned());
        Self {
            name: package.name.to_string(),
            folder: folder.unwrap_or_default(),
            version: package.version.to_string(),
            features: package.features.keys().cloned().collect(),
            has_agents: runtime.is_some()
                && (!binaries.is_empty() || library.is_some())
                && package.name != "agui-codegen",
            runtime: runtime.map(DependencyOrigin::from_dependency),
            library,
            binaries,
            default_run: package.default_run.clone(),
        }
    }
}

impl PackageLibrary {
    fn from_target(target: &Target) -> Self {
        let kinds: Vec<_> = target.crate_types.iter().map(|kind| format!("\"{kind}\"")).collect();
        let is_rust = |kind: &CrateType| matches!(kind, CrateType::Lib | CrateType::RLib);
        Self {
            name: target.name.replace('-', "_"),
            kinds: kinds.join(", "),
            can_be_linked: target.crate_types.iter().any(is_rust),
        }
    }
}

/// Runs `cargo metadata`.
fn read_metadata(source: &ManifestSource) -> Result<Metadata, ExtractError> {
    let mut command = MetadataCommand::new();
    command.no_deps();
    if let Some(path) = &source.build.manifest_path {
        // Cargo runs in the build folder, so that the same settings apply, for example the target folder.
        let path =
            std::path::absolute(path).map_err(|source| ExtractError::Read { path: path.clone(), source })?;
        command.manifest_path(&path);
        if let Some(folder) = path.parent().filter(|folder| folder.is_dir()) {
            command.current_dir(folder);
        }
    }
    let mut options = Vec::new();
    if source.build.locked {
        options.push("--locked".to_owned());
    }
    if source.build.offline {
        options.push("--offline".to_owned());
    }
    Ok(command.other_options(options).exec()?)
}

/// Returns the member whose folder is `place` or contains `place`; the innermost folder wins.
fn innermost(members: &[WorkspacePackage], place: &Path) -> Option<String> {
    let place = if place.as_os_str().is_empty() { Path::new(".") } else { place };
    let place = place.canonicalize().ok()?;
    let depth = |package: &&WorkspacePackage| {
        let folder = package.folder.canonicalize().ok()?;
        place.starts_with(&folder).then(|| folder.components().count())
    };
    let inside = members.iter().filter(|package| depth(package).is_some());
    inside.max_by_key(|package| depth(package)).map(|package| package.name.clone())
}

impl WorkspacePackage {
    /// Returns the package's binary names.
    #[cfg(feature = "expand")]
    pub(crate) fn binaries(&self) -> &[String] {
        &self.binaries
    }

    /// Returns the library's name in Rust code.
    pub(crate) fn library_name(&self) -> Option<&str> {
        self.library.as_ref().map(|library| library.name.as_str())
    }

    /// Returns the program to run: the named binary, a binary called `agui_manifest`, the only binary, or without
    /// binaries the library.
    pub(crate) fn asked(&self, named: Option<&str>) -> Result<RequestedProgram<'_>, ExtractError> {
        match &self.library {
            Some(library) if named.is_none() && self.binaries.is_empty() => {
                Ok(RequestedProgram::Library(library))
            }
            _ => self.binary(named).map(RequestedProgram::Binary),
        }
    }

    /// Returns the program that serves the agents: the named binary, or the only one beside `agui_manifest`.
    pub(crate) fn server(&self, named: Option<&str>) -> Result<&str, ExtractError> {
        let others: Vec<&String> = self.binaries.iter().filter(|binary| *binary != "agui_manifest").collect();
        match others.as_slice() {
            [only] if named.is_none() => Ok(only),
            _ => self.binary(named.or(self.default_run.as_deref())),
        }
    }

    fn binary(&self, named: Option<&str>) -> Result<&str, ExtractError> {
        let known = || self.binaries.join(", ");
        let find = |name: &str| self.binaries.iter().find(|binary| *binary == name).map(String::as_str);
        if let Some(name) = named {
            return find(name).ok_or_else(|| ExtractError::UnknownBinary {
                package: self.name.clone(),
                name: name.to_owned(),
                known: known(),
            });
        }
        if let Some(own) = find("agui_manifest").or_else(|| self.default_run.as_deref().and_then(find)) {
            return Ok(own);
        }
        match self.binaries.as_slice() {
            [only] => Ok(only),
            [] => Err(ExtractError::NoBinary { package: self.name.clone() }),
            _ => Err(ExtractError::WhichBinary { package: self.name.clone(), known: known() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_binary_is_named_or_obvious() {
        let package = |binaries: &[&str], default_run: Option<&str>| WorkspacePackage {
            name: "shop".into(),
            folder: PathBuf::new(),
            version: "0.1.0".into(),
            features: vec![],
            runtime: None,
            has_agents: true,
            library: None,
            binaries: binaries.iter().map(|&name| name.to_owned()).collect(),
            default_run: default_run.map(str::to_owned),
        };
        assert_eq!(package(&["shop"], None).binary(None).unwrap(), "shop");
        assert_eq!(package(&["shop", "admin"], None).binary(Some("admin")).unwrap(), "admin");
        assert_eq!(package(&["shop", "admin"], Some("shop")).binary(None).unwrap(), "shop");
        assert_eq!(package(&["shop", "agui_manifest"], None).binary(None).unwrap(), "agui_manifest");
        for (package, named, expected) in [
            (package(&[], None), None, "neither a program nor a library"),
            (package(&["a", "b"], None), None, "several binaries: choose one with `--bin`"),
            (package(&["a", "b"], None), Some("c"), "has no binary `c`; it has: a, b"),
        ] {
            let error = package.binary(named).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
