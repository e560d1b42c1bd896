//! The plan for a run: the packages, and each package's options from the command line and the package's file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use agui_codegen::{Manifest, TargetLanguage};

use super::JobError;
use crate::arguments::{GenerateArguments, ManifestSource};
use crate::choices::OutputChoices;
use crate::command::command;
use crate::config::{CodegenConfig, ConfigError, FILE};
use crate::extract::{self, CargoWorkspace, WorkspacePackage};

/// The files for a package, or for several packages that share their folders.
pub(super) struct GenerateJob {
    pub(super) manifests: Vec<Manifest>,
    pub(super) folders: Vec<(&'static TargetLanguage, PathBuf)>,
    pub(super) choices: OutputChoices,
    /// The command that repeats the job, for each file's header.
    pub(super) header: String,
    /// The same command, as it works in the current folder.
    pub(super) again: String,
    /// The files that decide the manifests.
    pub(super) made_of: BTreeSet<PathBuf>,
}

/// Returns all jobs.
pub(super) fn jobs(options: &GenerateArguments) -> Result<Vec<GenerateJob>, JobError> {
    let folders = options.folders.0.clone();
    let jobs = if options.source.manifest.is_some() || options.source.url.is_some() {
        vec![without_packages(options, folders)?]
    } else if folders.is_empty() {
        by_their_files(options)?
    } else {
        vec![to_folders(options, folders)?]
    };
    let generated: Vec<&TargetLanguage> =
        jobs.iter().flat_map(|job| &job.folders).map(|(language, _)| *language).collect();
    match options.choices.idle(&generated) {
        None => Ok(jobs),
        Some((option, language)) => {
            Err(JobError::ChoiceWithoutFolder { option, language: language.name, key: language.key })
        }
    }
}

/// Returns a job whose manifest is given.
fn without_packages(
    options: &GenerateArguments,
    folders: Vec<(&'static TargetLanguage, PathBuf)>,
) -> Result<GenerateJob, JobError> {
    if folders.is_empty() {
        return Err(JobError::NoFolder);
    }
    let manifests = vec![single_manifest(&options.source)?];
    let again = command(&names(&manifests), &options.source, &folders, &options.choices);
    let choices = options.choices.clone();
    Ok(GenerateJob { manifests, folders, choices, header: again.clone(), again, made_of: BTreeSet::new() })
}

/// Returns one job for all selected packages, with the command line's folders; other settings come from the packages'
/// files.
fn to_folders(
    options: &GenerateArguments,
    folders: Vec<(&'static TargetLanguage, PathBuf)>,
) -> Result<GenerateJob, JobError> {
    let workspace = CargoWorkspace::load(&options.source)?;
    let mut chosen: Option<(&WorkspacePackage, OutputChoices)> = None;
    let (mut manifests, mut made_of) = (Vec::new(), BTreeSet::new());
    let packages = meant(&workspace, &options.source)?;
    for &package in &packages {
        let config = CodegenConfig::read(&package.folder)?.unwrap_or_default();
        let choices = options.choices.over(config.choices());
        match &chosen {
            Some((first, others)) if *others != choices => {
                let (first, second) = (first.name.clone(), package.name.clone());
                return Err(JobError::ChoicesDiffer { first, second });
            }
            _ => chosen = Some((package, choices)),
        }
        let described = extract::run(&workspace, package, &with_config(&options.source, &config))?;
        manifests.push(described.manifest);
        made_of.extend(described.made_of);
    }
    let (_, choices) = chosen.ok_or(JobError::NoPackage)?;
    let packages: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let again = command(&packages, &options.source, &folders, &options.choices);
    Ok(GenerateJob { manifests, folders, choices, header: again.clone(), again, made_of })
}

/// Returns a job for each package that has a file, with the settings in that file.
fn by_their_files(options: &GenerateArguments) -> Result<Vec<GenerateJob>, JobError> {
    let workspace = CargoWorkspace::load(&options.source)?;
    let mut jobs = Vec::new();
    for package in workspace.members(&options.source.package)? {
        let Some(config) = CodegenConfig::read(&package.folder)? else {
            if options.source.package.is_empty() {
                continue;
            }
            return Err(JobError::NoConfigFor(package.name.clone()));
        };
        let folders = config.folders(&package.folder);
        if folders.is_empty() {
            return Err(ConfigError::Nothing { path: package.folder.join(FILE) }.into());
        }
        let source = with_config(&options.source, &config);
        let described = extract::run(&workspace, package, &source)?;
        // The current folder does not belong in a committed file.
        let mut here = options.source.clone();
        here.build.manifest_path = None;
        jobs.push(GenerateJob {
            manifests: vec![described.manifest],
            folders,
            choices: options.choices.over(config.choices()),
            header: command(&[&package.name], &here, &[], &options.choices),
            again: command(&[&package.name], &options.source, &[], &options.choices),
            made_of: described.made_of,
        });
    }
    if jobs.is_empty() {
        return Err(JobError::NoConfig);
    }
    apart(&jobs)?;
    Ok(jobs)
}

/// Resolves `..` by name alone: the path need not exist.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        let is_name = matches!(plain.components().next_back(), Some(Component::Normal(_)));
        match part {
            Component::ParentDir if is_name => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// Returns an error if two jobs share a folder.
fn apart(jobs: &[GenerateJob]) -> Result<(), JobError> {
    let mut taken = BTreeMap::new();
    for job in jobs {
        let name = names(&job.manifests).join(", ");
        for (language, folder) in &job.folders {
            if let Some(first) = taken.insert((language.key, plain(folder)), name.clone()) {
                let TargetLanguage { name: language, key, .. } = language;
                let folder = folder.clone();
                return Err(JobError::OneFolder { first, second: name, language, key, folder });
            }
        }
    }
    Ok(())
}

/// Returns `source` with settings from the file; the command line takes precedence.
pub(crate) fn with_config(source: &ManifestSource, config: &CodegenConfig) -> ManifestSource {
    let mut source = source.clone();
    source.bin = source.bin.or_else(|| config.bin.clone());
    if source.build.features.is_empty() {
        source.build.features.clone_from(&config.features);
    }
    source
}

/// Returns the manifest for the only selected package.
pub(super) fn single_manifest(source: &ManifestSource) -> Result<Manifest, JobError> {
    if let Some(path) = &source.manifest {
        return Ok(extract::read(path)?);
    }
    if let Some(url) = &source.url {
        return Ok(extract::fetch(url, source)?);
    }
    let workspace = CargoWorkspace::load(source)?;
    let package = single_package(&workspace, source)?;
    let config = CodegenConfig::read(&package.folder)?.unwrap_or_default();
    Ok(extract::run(&workspace, package, &with_config(source, &config))?.manifest)
}

/// Returns the only selected package.
pub(crate) fn single_package<'a>(
    workspace: &'a CargoWorkspace,
    source: &ManifestSource,
) -> Result<&'a WorkspacePackage, JobError> {
    match meant(workspace, source)?.as_slice() {
        [package] => Ok(package),
        [] => Err(JobError::NoPackage),
        several => {
            let names: Vec<&str> = several.iter().map(|package| package.name.as_str()).collect();
            Err(JobError::WhichPackage(names.join(", ")))
        }
    }
}

/// Returns the selected packages: the named packages, the package in the current folder, or all packages that have
/// agents.
fn meant<'a>(
    workspace: &'a CargoWorkspace,
    source: &ManifestSource,
) -> Result<Vec<&'a WorkspacePackage>, JobError> {
    let candidates: Vec<&WorkspacePackage> = workspace.members(&source.package)?;
    if candidates.len() == 1 || !source.package.is_empty() {
        return Ok(candidates);
    }
    Ok(match candidates.iter().find(|package| workspace.is_current(package)) {
        Some(package) => vec![package],
        None => candidates.into_iter().filter(|package| package.has_agents).collect(),
    })
}

/// Returns the package names.
pub(super) fn names(manifests: &[Manifest]) -> Vec<&str> {
    manifests.iter().map(|manifest| manifest.krate.name.as_str()).collect()
}
