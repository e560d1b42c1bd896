//! What is generated from where to where.

use std::path::{Path, PathBuf};

use agui_codegen::lower::lower;
use agui_codegen::{LANGUAGES, Language, LowerError, Manifest, check};

use crate::arguments::{Generate, ManifestOptions, Source};
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
    #[error("say where the files go: `--ts DIR`, `--python DIR`, or both")]
    NoFolder,
    #[error(
        "no package has an `{FILE}`: put one beside its Cargo.toml with a line such as `ts = \"web/agui\"`, or say \
         `--ts DIR` or `--python DIR`"
    )]
    NoConfig,
    #[error("package `{0}` has no `{FILE}`: add one, or say `--ts DIR` or `--python DIR`")]
    NoConfigFor(String),
    #[error("`--ts` and `--python` name folders of one package; choose it with `-p`: {0}")]
    WhichPackage(String),
    #[error("{} cannot be written: {source}", path.display())]
    Output { path: PathBuf, source: std::io::Error },
}

/// One package's files: where the manifest comes from, and where each language goes.
struct Job {
    manifest: Manifest,
    folders: Vec<(&'static Language, PathBuf)>,
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

fn run(job: &Job, check_only: bool, say: &mut dyn FnMut(&str)) -> Result<bool, JobError> {
    let krate = &job.manifest.krate.name;
    let mut fresh = true;
    let mut api = lower(&job.manifest).map_err(|source| JobError::Lower { krate: krate.clone(), source })?;
    api.origin.command.clone_from(&job.header);
    for (language, folder) in &job.folders {
        let files = language.emit(&api);
        let existing = disk::read(folder, language, &files)?;
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
    let folders = folders(options.ts.as_deref(), options.python.as_deref(), Path::new(""));
    if !folders.is_empty() || options.source.manifest.is_some() {
        if folders.is_empty() {
            return Err(JobError::NoFolder);
        }
        let manifest = single_manifest(&options.source)?;
        let again = command(&manifest.krate.name, &options.source, &folders);
        return Ok(vec![Job { manifest, folders, header: again.clone(), again }]);
    }
    let workspace = Workspace::load(&options.source)?;
    let mut jobs = Vec::new();
    for package in workspace.members(&options.source.package)? {
        match Config::read(&package.folder)? {
            Some(config) => {
                let folders = self::folders(config.ts.as_deref(), config.python.as_deref(), &package.folder);
                let source = with_config(&options.source, &config);
                let manifest = extract::run(&workspace, package, &source)?;
                // Where somebody stood is nothing for a file that everybody shares.
                let here = Source { manifest_path: None, ..options.source.clone() };
                let header = command(&package.name, &here, &[]);
                let again = command(&package.name, &options.source, &[]);
                jobs.push(Job { manifest, folders, header, again });
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

fn folders(ts: Option<&Path>, python: Option<&Path>, base: &Path) -> Vec<(&'static Language, PathBuf)> {
    let named = [("ts", ts), ("python", python)];
    let folders = LANGUAGES.iter().filter_map(|language| {
        let folder = named.iter().find(|(key, _)| *key == language.key).and_then(|(_, folder)| *folder)?;
        Some((language, base.join(folder)))
    });
    folders.collect()
}

/// The manifest of the one package that is meant.
fn single_manifest(source: &Source) -> Result<Manifest, JobError> {
    if let Some(path) = &source.manifest {
        return Ok(extract::read(path)?);
    }
    let workspace = Workspace::load(source)?;
    let candidates: Vec<&Package> = workspace.members(&source.package)?;
    let meant: Vec<&Package> = match candidates.as_slice() {
        [_] => candidates,
        all => match all.iter().find(|package| workspace.is_current(package)) {
            Some(package) if source.package.is_empty() => vec![package],
            _ => all.iter().copied().filter(|package| package.has_agents).collect(),
        },
    };
    match meant.as_slice() {
        [package] => {
            let config = Config::read(&package.folder)?.unwrap_or_default();
            Ok(extract::run(&workspace, package, &with_config(source, &config))?)
        }
        several => {
            let names: Vec<&str> = several.iter().map(|package| package.name.as_str()).collect();
            Err(JobError::WhichPackage(names.join(", ")))
        }
    }
}
