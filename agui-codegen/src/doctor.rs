//! `agui-codegen doctor`: the programs that a machine lacks, and the project files that are out of date.

mod finding;
mod generated;
mod lock;
mod machine;
mod packages;

use finding::{DoctorFinding, FindingStatus};
use machine::NeededPrograms;

use crate::arguments::{DoctorArguments, ManifestSource};
use crate::config::{CodegenConfig, ConfigError};
use crate::extract::{CargoWorkspace, ExtractError, WorkspacePackage};
use crate::job::JobError;

/// Prints a line for each check. Returns `Ok(false)` if something is missing or out of date.
pub(crate) fn doctor(options: &DoctorArguments, say: &mut dyn FnMut(&str)) -> Result<bool, JobError> {
    let source = ManifestSource {
        package: options.package.clone(),
        build: options.build.clone(),
        ..ManifestSource::default()
    };
    let workspace = match CargoWorkspace::load(&source) {
        Ok(workspace) => Some(workspace),
        // Without a project, only the machine is checked.
        Err(ExtractError::Metadata(_)) if is_outside(&source) => None,
        Err(error) => return Err(error.into()),
    };
    let mut is_well = true;
    let mut tell = |finding: DoctorFinding| {
        is_well &= finding.status.is_well();
        say(&finding.to_string());
    };
    let packages = match &workspace {
        Some(workspace) => workspace.members(&source.package)?,
        None => Vec::new(),
    };
    let mut projects = Vec::new();
    for package in packages.into_iter().filter(|package| package.has_agents) {
        projects.push((package, CodegenConfig::read(&package.folder)));
    }
    let needs = needs(workspace.is_some(), &projects);
    machine::look(&needs).into_iter().for_each(&mut tell);
    let Some(workspace) = &workspace else {
        tell(DoctorFinding::new(FindingStatus::Note, "project", "there is no Cargo.toml here or above"));
        return Ok(is_well);
    };
    if projects.is_empty() {
        let found = "no package of this workspace depends on agui-runtime";
        tell(DoctorFinding::new(FindingStatus::Note, "project", found));
        return Ok(is_well);
    }
    lock::look(&workspace.root).into_iter().for_each(&mut tell);
    for (package, config) in projects {
        look(package, config, options, &mut tell);
    }
    Ok(is_well)
}

/// Returns true if no `Cargo.toml` is given, and neither the current folder nor a parent folder has one.
fn is_outside(source: &ManifestSource) -> bool {
    let has_manifest = |folder: &std::path::Path| folder.join("Cargo.toml").exists();
    let here = std::env::current_dir();
    source.build.manifest_path.is_none() && here.is_ok_and(|here| !here.ancestors().any(has_manifest))
}

/// Returns the programs that the projects need.
fn needs(
    has_project: bool,
    projects: &[(&WorkspacePackage, Result<Option<CodegenConfig>, ConfigError>)],
) -> NeededPrograms {
    let mut needs = NeededPrograms { is_certain: has_project, ..NeededPrograms::default() };
    for (_, config) in projects {
        if let Ok(Some(config)) = config {
            needs.node |= config.ts.is_some();
            needs.python |= config.python.is_some();
        }
    }
    needs
}

/// Checks one package.
fn look(
    package: &WorkspacePackage,
    config: Result<Option<CodegenConfig>, ConfigError>,
    options: &DoctorArguments,
    tell: &mut dyn FnMut(DoctorFinding),
) {
    let name = &package.name;
    match config {
        Err(error) => tell(DoctorFinding::new(FindingStatus::Broken, name, error.to_string())),
        Ok(None) => {
            let found = "has no agui-codegen.toml, so no clients are generated";
            tell(
                DoctorFinding::new(FindingStatus::Note, name, found)
                    .remedy("agui-codegen init --ts web/src/agui"),
            );
        }
        Ok(Some(config)) => {
            packages::look(package, &config).into_iter().for_each(&mut *tell);
            generated::look(package, &config, options).into_iter().for_each(tell);
        }
    }
}
