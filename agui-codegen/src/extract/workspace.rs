//! What cargo knows: the packages and their binaries.

use std::path::PathBuf;

use cargo_metadata::MetadataCommand;

use super::ExtractError;
use crate::arguments::Source;

/// A cargo workspace.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// Where everything is built.
    pub(crate) target: PathBuf,
    members: Vec<Package>,
    current: Option<String>,
}

/// A member of the workspace.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// The folder of its `Cargo.toml`.
    pub(crate) folder: PathBuf,
    /// Whether it depends on `agui-runtime` and has a program.
    pub(crate) has_agents: bool,
    binaries: Vec<String>,
    default_run: Option<String>,
}

impl Workspace {
    /// Asks cargo.
    pub(crate) fn load(source: &Source) -> Result<Self, ExtractError> {
        let mut command = MetadataCommand::new();
        command.no_deps();
        if let Some(path) = &source.manifest_path {
            command.manifest_path(path);
        }
        let mut options = Vec::new();
        if source.locked {
            options.push("--locked".to_owned());
        }
        if source.offline {
            options.push("--offline".to_owned());
        }
        let metadata = command.other_options(options).exec()?;
        let current = metadata.root_package().map(|package| package.name.to_string());
        let mut members: Vec<Package> = metadata
            .workspace_packages()
            .into_iter()
            .map(|package| {
                let binaries: Vec<String> = package
                    .targets
                    .iter()
                    .filter(|target| target.is_bin())
                    .map(|target| target.name.clone())
                    .collect();
                let uses_runtime = package.dependencies.iter().any(|d| d.name == "agui-runtime");
                let folder = package.manifest_path.parent().map(|folder| folder.as_std_path().to_owned());
                Package {
                    name: package.name.to_string(),
                    folder: folder.unwrap_or_default(),
                    has_agents: uses_runtime && !binaries.is_empty() && package.name != "agui-codegen",
                    binaries,
                    default_run: package.default_run.clone(),
                }
            })
            .collect();
        members.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self { target: metadata.target_directory.into_std_path_buf(), members, current })
    }

    /// The members called `names`; all of them when none is named.
    pub(crate) fn members(&self, names: &[String]) -> Result<Vec<&Package>, ExtractError> {
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

    /// Whether cargo was asked in the folder of that package.
    pub(crate) fn is_current(&self, package: &Package) -> bool {
        self.current.as_ref() == Some(&package.name)
    }
}

impl Package {
    /// The binary to ask: the one that is named, one called `agui_manifest`, or the only one.
    pub(crate) fn binary(&self, named: Option<&str>) -> Result<&str, ExtractError> {
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
        let package = |binaries: &[&str], default_run: Option<&str>| Package {
            name: "shop".into(),
            folder: PathBuf::new(),
            has_agents: true,
            binaries: binaries.iter().map(|&name| name.to_owned()).collect(),
            default_run: default_run.map(str::to_owned),
        };
        assert_eq!(package(&["shop"], None).binary(None).unwrap(), "shop");
        assert_eq!(package(&["shop", "admin"], None).binary(Some("admin")).unwrap(), "admin");
        assert_eq!(package(&["shop", "admin"], Some("shop")).binary(None).unwrap(), "shop");
        assert_eq!(package(&["shop", "agui_manifest"], None).binary(None).unwrap(), "agui_manifest");
        for (package, named, expected) in [
            (package(&[], None), None, "has no binary that could describe"),
            (package(&["a", "b"], None), None, "several binaries: choose one with `--bin`"),
            (package(&["a", "b"], None), Some("c"), "has no binary `c`; it has: a, b"),
        ] {
            let error = package.binary(named).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
