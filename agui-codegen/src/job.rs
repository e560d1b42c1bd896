//! What is generated from where to where.

mod error;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use agui_codegen::choose;
use agui_codegen::lower::{lower, together};
use agui_codegen::{
    DiffOptions, Existing, File, Format, LANGUAGES, Language, Level, Manifest, check, is_breaking, newer,
    read_folder, report,
};

pub(crate) use error::JobError;

use crate::arguments::{Diff, FormatName, Generate, LevelName, ManifestOptions, Source};
use crate::choices::Choices;
use crate::command::command;
use crate::config::{Config, ConfigError, FILE};
use crate::disk::{self, DiskError};
use crate::extract::{self, Package, Workspace};

/// The files of a package, or of several that share their folders.
struct Job {
    manifests: Vec<Manifest>,
    folders: Vec<(&'static Language, PathBuf)>,
    choices: Choices,
    /// What to type to have it done, as each file says it.
    header: String,
    /// The same, as it works where the command runs now.
    again: String,
    /// What decides the manifests.
    made_of: BTreeSet<PathBuf>,
}

/// What a job comes to in one language, and what is there.
struct Draft {
    language: &'static Language,
    folder: PathBuf,
    files: Vec<File>,
    existing: Existing,
}

/// `agui-codegen generate`: `Ok(false)` is drift.
pub(crate) fn generate(options: &Generate, say: &mut dyn FnMut(&str)) -> Result<bool, JobError> {
    finish(&jobs(options)?, options.check, say)
}

/// `agui-codegen generate --watch`: what goes wrong is said, and the next change tried.
pub(crate) fn watch(options: &Generate) -> Result<bool, JobError> {
    let workspace = Workspace::load(&options.source)?;
    crate::watch::watch(&workspace.folders, || {
        let told = |error: JobError| crate::complain(&error);
        let jobs = jobs(options).map_err(told).ok()?;
        let _ = finish(&jobs, false, &mut crate::say).map_err(told);
        Some(jobs.into_iter().flat_map(|job| job.made_of).collect())
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
    [&old, &new].into_iter().filter_map(newer).for_each(|warning| crate::complain_of(&warning));
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

/// Writes or compares. Whatever stands in the way is found before anything is written.
fn finish(jobs: &[Job], check_only: bool, say: &mut dyn FnMut(&str)) -> Result<bool, JobError> {
    let drafts: Vec<Vec<Draft>> = jobs.iter().map(drafts).collect::<Result<_, _>>()?;
    if !check_only {
        for draft in drafts.iter().flatten() {
            disk::refuse_others(&draft.folder, &draft.files, &draft.existing)?;
        }
    }
    let mut due = Vec::new();
    for (job, drafts) in jobs.iter().zip(drafts) {
        let krate = names(&job.manifests).join(", ");
        let mut fresh = true;
        for Draft { language, folder, files, existing } in drafts {
            let place = format!("{krate}: {} in {}", language.name, folder.display());
            if check_only {
                let drift = check(&files, &existing);
                drift.iter().for_each(|drift| say(&drift.to_string()));
                say(&format!("{place} is {}\n", if drift.is_empty() { "fresh" } else { "NOT fresh" }));
                fresh &= drift.is_empty();
            } else {
                let touched = disk::write(&folder, &files, &existing)?;
                touched.iter().for_each(|line| say(&format!("{line}\n")));
                if touched.is_empty() {
                    say(&format!("{place} is fresh\n"));
                }
            }
        }
        due.extend((!fresh).then_some(&job.again));
    }
    due.iter().for_each(|again| say(&format!("run: {again}\n")));
    Ok(due.is_empty())
}

/// What is to be in the folders of a job.
fn drafts(job: &Job) -> Result<Vec<Draft>, JobError> {
    let krate = &names(&job.manifests).join(", ");
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
    api.warnings.iter().for_each(|warning| crate::complain_of(warning));
    let draft = |(language, folder): &(&'static Language, PathBuf)| {
        let files = language.emit(&api);
        let existing = read_folder(folder, language, &files).map_err(DiskError::from)?;
        Ok(Draft { language, folder: folder.clone(), files, existing })
    };
    job.folders.iter().map(draft).collect()
}

fn jobs(options: &Generate) -> Result<Vec<Job>, JobError> {
    let named = [options.ts.as_ref(), options.python.as_ref(), options.schemas.as_ref()];
    let folders = folders(named, Path::new(""));
    let jobs = if options.source.manifest.is_some() || options.source.url.is_some() {
        vec![without_packages(options, folders)?]
    } else if folders.is_empty() {
        by_their_files(options)?
    } else {
        vec![to_folders(options, folders)?]
    };
    let generated: Vec<&Language> =
        jobs.iter().flat_map(|job| &job.folders).map(|(language, _)| *language).collect();
    match options.choices.idle(&generated) {
        None => Ok(jobs),
        Some((option, language)) => {
            Err(JobError::ChoiceWithoutFolder { option, language: language.name, key: language.key })
        }
    }
}

/// From a manifest that is there.
fn without_packages(options: &Generate, folders: Vec<(&'static Language, PathBuf)>) -> Result<Job, JobError> {
    if folders.is_empty() {
        return Err(JobError::NoFolder);
    }
    let manifests = vec![single_manifest(&options.source)?];
    let again = command(&names(&manifests), &options.source, &folders, &options.choices);
    let choices = options.choices.clone();
    Ok(Job { manifests, folders, choices, header: again.clone(), again, made_of: BTreeSet::new() })
}

/// All packages that are meant to the folders of the command line; what else their files say holds.
fn to_folders(options: &Generate, folders: Vec<(&'static Language, PathBuf)>) -> Result<Job, JobError> {
    let workspace = Workspace::load(&options.source)?;
    let mut chosen: Option<(&Package, Choices)> = None;
    let (mut manifests, mut made_of) = (Vec::new(), BTreeSet::new());
    let packages = meant(&workspace, &options.source)?;
    for &package in &packages {
        let config = Config::read(&package.folder)?.unwrap_or_default();
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
    Ok(Job { manifests, folders, choices, header: again.clone(), again, made_of })
}

/// Each package that has a file, as it says there.
fn by_their_files(options: &Generate) -> Result<Vec<Job>, JobError> {
    let workspace = Workspace::load(&options.source)?;
    let mut jobs = Vec::new();
    for package in workspace.members(&options.source.package)? {
        let Some(config) = Config::read(&package.folder)? else {
            if options.source.package.is_empty() {
                continue;
            }
            return Err(JobError::NoConfigFor(package.name.clone()));
        };
        let folders = folders(config.folders(), &package.folder);
        if folders.is_empty() {
            return Err(ConfigError::Nothing { path: package.folder.join(FILE) }.into());
        }
        let source = with_config(&options.source, &config);
        let described = extract::run(&workspace, package, &source)?;
        // Where somebody stood is nothing for a file that everybody shares.
        let here = Source { manifest_path: None, ..options.source.clone() };
        jobs.push(Job {
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

/// A path without `..`, where names can be left out instead: it need not be there.
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

/// Fails where two jobs have one folder.
fn apart(jobs: &[Job]) -> Result<(), JobError> {
    let mut taken = BTreeMap::new();
    for job in jobs {
        let name = names(&job.manifests).join(", ");
        for (language, folder) in &job.folders {
            if let Some(first) = taken.insert((language.key, plain(folder)), name.clone()) {
                let Language { name: language, key, .. } = language;
                let folder = folder.clone();
                return Err(JobError::OneFolder { first, second: name, language, key, folder });
            }
        }
    }
    Ok(())
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
    Ok(extract::run(&workspace, package, &with_config(source, &config))?.manifest)
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

/// The packages that are meant: those that are named, the one that the command runs in, or all that have agents.
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
