//! What is generated from where to where.

use std::path::{Path, PathBuf};

use agui_codegen::choose::{self, ChoiceError};
use agui_codegen::lower::{lower, together};
use agui_codegen::{
    DiffOptions, Format, LANGUAGES, Language, Level, LowerError, Manifest, check, is_breaking, newer,
    read_folder, report,
};

use crate::arguments::{Diff, FormatName, Generate, LevelName, ManifestOptions, Source};
use crate::choices::Choices;
use crate::command::command;
use crate::config::{Config, ConfigError, FILE};
use crate::disk::{self, DiskError};
use crate::extract::{self, ExtractError, Package, Workspace};

/// Why nothing was generated.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JobError {
    #[error(transparent)]
    Extract(#[from] ExtractError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error("{krate}: {source}")]
    Lower { krate: String, source: LowerError },
    #[error("{krate}: {source}")]
    Choice { krate: String, source: ChoiceError },
    #[error("say it in `{FILE}`, or say where the files go as well: `--ts DIR`, `--python DIR`")]
    ChoiceWithoutFolder,
    #[error("say where the files go: `--ts DIR`, `--python DIR`, `--schemas DIR`, or several of them")]
    NoFolder,
    #[error(
        "no package has an `{FILE}`: put one beside its Cargo.toml with a line such as `ts = \"web/agui\"`, or say \
         `--ts DIR` or `--python DIR`"
    )]
    NoConfig,
    #[error("package `{0}` has no `{FILE}`: add one, or say `--ts DIR` or `--python DIR`")]
    NoConfigFor(String),
    #[error(
        "no package of the workspace depends on `agui-runtime`, so none has agents: read a manifest with `--manifest \
         FILE`, or ask a server that runs with `--url URL`"
    )]
    NoPackage,
    #[error("one package is meant; choose it with `-p`: {0}")]
    WhichPackage(String),
    #[error(transparent)]
    Expand(#[from] crate::expand::ExpandError),
    #[cfg(feature = "frontend-tools")]
    #[error(transparent)]
    Rust(#[from] crate::rust::RustError),
    #[error("{} cannot be read or written: {source}", path.display())]
    Output { path: PathBuf, source: std::io::Error },
}

impl JobError {
    /// How the command ends.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Extract(error) if !error.is_usage() => 3,
            #[cfg(feature = "frontend-tools")]
            Self::Rust(crate::rust::RustError::Read { .. } | crate::rust::RustError::Tools { .. }) => 3,
            _ => 2,
        }
    }
}

/// The files of a package, or of several that share their folders.
struct Job {
    manifests: Vec<Manifest>,
    folders: Vec<(&'static Language, PathBuf)>,
    choices: Choices,
    /// What to type to have it done, as each file says it.
    header: String,
    /// The same, as it works where the command runs now.
    again: String,
}

/// `agui-codegen generate`: `Ok(false)` is drift.
pub(crate) fn generate(options: &Generate, say: &mut dyn FnMut(&str)) -> Result<bool, JobError> {
    let mut due = Vec::new();
    for job in jobs(options)? {
        if !run(&job, options.check, say)? {
            due.push(job.again);
        }
    }
    due.iter().for_each(|again| say(&format!("run: {again}\n")));
    Ok(due.is_empty())
}

/// `agui-codegen generate --watch`: what goes wrong is said, and the next change tried.
pub(crate) fn watch(options: &Generate) -> Result<bool, JobError> {
    let workspace = Workspace::load(&options.source)?;
    let folders: Vec<PathBuf> =
        workspace.members(&[])?.into_iter().map(|package| package.folder.clone()).collect();
    crate::watch::watch(&folders, || {
        if let Err(error) = generate(options, &mut crate::say) {
            crate::complain(&error);
        }
    })
}

/// `agui-codegen manifest`.
pub(crate) fn manifest(options: &ManifestOptions, say: &mut dyn FnMut(&str)) -> Result<bool, JobError> {
    let text = single_manifest(&options.source)?.to_json();
    match &options.output {
        None => say(&text),
        Some(path) => {
            std::fs::write(path, text).map_err(|source| JobError::Output { path: path.clone(), source })?;
        }
    }
    Ok(true)
}

/// `agui-codegen diff`: `Ok(false)` is something that breaks.
pub(crate) fn diff(options: &Diff, say: &mut dyn FnMut(&str)) -> Result<bool, JobError> {
    let old = extract::read(&options.old)?;
    let new = match &options.new {
        Some(path) => extract::read(path)?,
        None => single_manifest(&options.source)?,
    };
    let level = match options.level {
        LevelName::Wire => Level::Wire,
        LevelName::Source => Level::Source,
    };
    let format = match options.format {
        FormatName::Text => Format::Text,
        FormatName::Json => Format::Json,
        FormatName::Github => Format::Github,
    };
    let changes = agui_codegen::diff(&old, &new, DiffOptions { level, closed: options.closed })
        .map_err(|source| JobError::Lower { krate: new.krate.name.clone(), source })?;
    let file = options.new.as_ref().unwrap_or(&options.old);
    say(&report(&changes, format, &file.display().to_string()));
    Ok(!is_breaking(&changes))
}

fn run(job: &Job, check_only: bool, say: &mut dyn FnMut(&str)) -> Result<bool, JobError> {
    let krate = &names(&job.manifests).join(", ");
    let mut fresh = true;
    let mut apis = Vec::new();
    let mut manifests = job.manifests.clone();
    choose::agents(&mut manifests, &job.choices.agents)
        .map_err(|source| JobError::Choice { krate: krate.clone(), source })?;
    for manifest in &manifests {
        let krate = || manifest.krate.name.clone();
        let mut api = lower(manifest).map_err(|source| JobError::Lower { krate: krate(), source })?;
        api.warnings.extend(newer(manifest));
        apis.push(api);
    }
    let mut api = together(apis).map_err(|source| JobError::Lower { krate: krate.clone(), source })?;
    api.origin.command.clone_from(&job.header);
    job.choices.apply(&mut api).map_err(|source| JobError::Choice { krate: krate.clone(), source })?;
    for (language, folder) in &job.folders {
        let files = language.emit(&api);
        let existing = read_folder(folder, language, &files).map_err(DiskError::from)?;
        if check_only {
            let drift = check(&files, &existing);
            for drift in &drift {
                say(&drift.to_string());
            }
            let verdict = if drift.is_empty() { "fresh" } else { "NOT fresh" };
            say(&format!("{krate}: {} in {} is {verdict}\n", language.name, folder.display()));
            fresh &= drift.is_empty();
        } else {
            let touched = disk::write(folder, &files, &existing)?;
            touched.iter().for_each(|line| say(&format!("{line}\n")));
            if touched.is_empty() {
                say(&format!("{krate}: {} in {} is fresh\n", language.name, folder.display()));
            }
        }
    }
    api.warnings.iter().for_each(|warning| say(&format!("warning: {warning}\n")));
    Ok(fresh)
}

fn jobs(options: &Generate) -> Result<Vec<Job>, JobError> {
    let named = [options.ts.as_ref(), options.python.as_ref(), options.schemas.as_ref()];
    let folders = folders(named, Path::new(""));
    if !folders.is_empty() || options.source.manifest.is_some() || options.source.url.is_some() {
        if folders.is_empty() {
            return Err(JobError::NoFolder);
        }
        let manifests = manifests(&options.source)?;
        let again = command(&names(&manifests), &options.source, &folders, &options.choices);
        let choices = options.choices.clone();
        return Ok(vec![Job { manifests, folders, choices, header: again.clone(), again }]);
    }
    if options.choices != Choices::default() {
        return Err(JobError::ChoiceWithoutFolder);
    }
    let workspace = Workspace::load(&options.source)?;
    let mut jobs = Vec::new();
    for package in workspace.members(&options.source.package)? {
        match Config::read(&package.folder)? {
            Some(config) => {
                let folders = self::folders(config.folders(), &package.folder);
                let source = with_config(&options.source, &config);
                let manifest = extract::run(&workspace, package, &source)?;
                // Where somebody stood is nothing for a file that everybody shares.
                let here = Source { manifest_path: None, ..options.source.clone() };
                let header = command(&[&package.name], &here, &[], &Choices::default());
                let again = command(&[&package.name], &options.source, &[], &Choices::default());
                jobs.push(Job {
                    manifests: vec![manifest],
                    folders,
                    choices: config.choices(),
                    header,
                    again,
                });
            }
            None if options.source.package.is_empty() => {}
            None => return Err(JobError::NoConfigFor(package.name.clone())),
        }
    }
    if jobs.is_empty() { Err(JobError::NoConfig) } else { Ok(jobs) }
}

/// The command line goes before the file.
fn with_config(source: &Source, config: &Config) -> Source {
    let mut source = source.clone();
    source.bin = source.bin.or_else(|| config.bin.clone());
    if source.features.is_empty() {
        source.features.clone_from(&config.features);
    }
    source
}

/// Where each language goes, of the folders that are named in the order of the languages.
fn folders(named: [Option<&PathBuf>; LANGUAGES.len()], base: &Path) -> Vec<(&'static Language, PathBuf)> {
    let folders = LANGUAGES.iter().zip(named).filter_map(|(language, folder)| {
        let folder = folder?;
        Some((language, base.join(folder)))
    });
    folders.collect()
}

/// The manifests of all packages that are meant: those that are named, the one that the command runs in, or all that have
/// agents.
fn manifests(source: &Source) -> Result<Vec<Manifest>, JobError> {
    if source.manifest.is_some() || source.url.is_some() {
        return Ok(vec![single_manifest(source)?]);
    }
    let workspace = Workspace::load(source)?;
    let packages = meant(&workspace, source)?;
    if packages.is_empty() {
        return Err(JobError::NoPackage);
    }
    let describe = |package: &Package| {
        let config = Config::read(&package.folder)?.unwrap_or_default();
        Ok(extract::run(&workspace, package, &with_config(source, &config))?)
    };
    packages.into_iter().map(describe).collect()
}

fn names(manifests: &[Manifest]) -> Vec<&str> {
    manifests.iter().map(|manifest| manifest.krate.name.as_str()).collect()
}

/// The manifest of the one package that is meant.
fn single_manifest(source: &Source) -> Result<Manifest, JobError> {
    if let Some(path) = &source.manifest {
        return Ok(extract::read(path)?);
    }
    if let Some(url) = &source.url {
        return Ok(extract::fetch(url, source)?);
    }
    let workspace = Workspace::load(source)?;
    let package = choose(&workspace, source)?;
    let config = Config::read(&package.folder)?.unwrap_or_default();
    Ok(extract::run(&workspace, package, &with_config(source, &config))?)
}

/// The one package that is meant.
pub(crate) fn choose<'a>(workspace: &'a Workspace, source: &Source) -> Result<&'a Package, JobError> {
    match meant(workspace, source)?.as_slice() {
        [package] => Ok(package),
        [] => Err(JobError::NoPackage),
        several => {
            let names: Vec<&str> = several.iter().map(|package| package.name.as_str()).collect();
            Err(JobError::WhichPackage(names.join(", ")))
        }
    }
}

/// The packages that are meant.
fn meant<'a>(workspace: &'a Workspace, source: &Source) -> Result<Vec<&'a Package>, JobError> {
    let candidates: Vec<&Package> = workspace.members(&source.package)?;
    if candidates.len() == 1 || !source.package.is_empty() {
        return Ok(candidates);
    }
    Ok(match candidates.iter().find(|package| workspace.is_current(package)) {
        Some(package) => vec![package],
        None => candidates.into_iter().filter(|package| package.has_agents).collect(),
    })
}
