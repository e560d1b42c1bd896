//! The command's steps: a plan becomes a draft, and the draft is written or compared.

mod error;
mod plan;

use std::path::PathBuf;

use agui_codegen::lower::{lower, together};
use agui_codegen::rewrite;
use agui_codegen::{
    ContractLevel, DiffOptions, ExistingFiles, GeneratedFile, ReportFormat, TargetLanguage, check,
    is_breaking, newer, read_folder, report,
};

pub(crate) use error::JobError;
use plan::{GenerateJob, jobs, names, single_manifest};
pub(crate) use plan::{single_package, with_config};

use crate::arguments::{DiffArguments, FormatName, GenerateArguments, LevelName, ManifestArguments};
use crate::disk::{self, DiskError};
use crate::extract::{self, CargoWorkspace};
use crate::hidden::one_line;

/// The limit for changed files in one folder: up to this number they are listed, beyond they are counted.
const LINES: usize = 30;

/// A job's result in one language, and the files on disk.
struct JobDraft {
    language: &'static TargetLanguage,
    folder: PathBuf,
    files: Vec<GeneratedFile>,
    existing: ExistingFiles,
}

/// `agui-codegen generate`: returns `Ok(false)` if files are out of date.
pub(crate) fn generate(options: &GenerateArguments, say: &mut dyn FnMut(&str)) -> Result<bool, JobError> {
    finish(&jobs(options)?, options.check, say)
}

/// `agui-codegen generate --watch`: prints errors, and waits for the next change.
pub(crate) fn watch(options: &GenerateArguments) -> Result<bool, JobError> {
    let workspace = CargoWorkspace::load(&options.source)?;
    crate::watch::watch(&workspace.folders, || {
        let told = |error: JobError| crate::terminal::complain(&error);
        let jobs = jobs(options).map_err(told).ok()?;
        let _ = finish(&jobs, false, &mut crate::terminal::say).map_err(told);
        Some(jobs.into_iter().flat_map(|job| job.made_of).collect())
    })
}

/// `agui-codegen manifest`.
pub(crate) fn manifest(options: &ManifestArguments, say: &mut dyn FnMut(&str)) -> Result<bool, JobError> {
    let text = single_manifest(&options.source)?.to_json();
    match &options.output {
        None => say(&text),
        // An unchanged file is not written, so that file watchers are not woken.
        Some(path) if std::fs::read_to_string(path).is_ok_and(|there| there == text) => {}
        Some(path) => {
            std::fs::write(path, text).map_err(|source| JobError::Output { path: path.clone(), source })?;
        }
    }
    Ok(true)
}

/// `agui-codegen diff`: returns `Ok(false)` if a change breaks programs.
pub(crate) fn diff(options: &DiffArguments, say: &mut dyn FnMut(&str)) -> Result<bool, JobError> {
    let old = extract::read(&options.old)?;
    let new = match &options.new {
        Some(path) => extract::read(path)?,
        None => single_manifest(&options.source)?,
    };
    [&old, &new].into_iter().filter_map(newer).for_each(|warning| crate::terminal::complain_of(&warning));
    let level = match options.level {
        LevelName::Wire => ContractLevel::Wire,
        LevelName::Source => ContractLevel::Source,
    };
    let format = match options.format {
        FormatName::Text => ReportFormat::Text,
        FormatName::Json => ReportFormat::Json,
        FormatName::Github => ReportFormat::Github,
    };
    let changes = agui_codegen::diff(&old, &new, DiffOptions { level, closed: options.closed })
        .map_err(|source| JobError::Lower { krate: new.krate.name.clone(), source })?;
    let file = options.new.as_ref().unwrap_or(&options.old);
    say(&report(&changes, format, &file.display().to_string()));
    Ok(!is_breaking(&changes))
}

/// Writes or compares the files. All obstacles are found before the first file is written.
fn finish(jobs: &[GenerateJob], check_only: bool, say: &mut dyn FnMut(&str)) -> Result<bool, JobError> {
    let (drafts, warnings): (Vec<Vec<JobDraft>>, Vec<Vec<String>>) =
        jobs.iter().map(drafts).collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
    if !check_only {
        for draft in drafts.iter().flatten() {
            disk::refuse_others(&draft.folder, &draft.files, &draft.existing)?;
        }
    }
    let mut due = Vec::new();
    for (job, drafts) in jobs.iter().zip(drafts) {
        let krate = names(&job.manifests).join(", ");
        let mut fresh = true;
        for JobDraft { language, folder, files, existing } in drafts {
            let place = format!("{}: {} in {}", one_line(&krate), language.name, folder.display());
            if check_only {
                let drift = check(&files, &existing);
                drift.iter().for_each(|drift| say(&drift.to_string()));
                say(&format!(
                    "{place} is {}\n",
                    if drift.is_empty() { "up to date" } else { "NOT up to date" }
                ));
                fresh &= drift.is_empty();
            } else {
                let touched = disk::write(&folder, &files, &existing)?;
                if touched.is_empty() {
                    say(&format!("{place} is up to date\n"));
                } else if touched.len() > LINES {
                    say(&format!("{place}: changed {} of {} files\n", touched.len(), files.len()));
                } else {
                    touched.iter().for_each(|line| say(&format!("{line}\n")));
                }
            }
        }
        due.extend((!fresh).then_some(&job.again));
    }
    // Warnings come last, where users see them.
    warnings.iter().flatten().for_each(|warning| crate::terminal::complain_of(warning));
    due.iter().for_each(|again| say(&format!("run: {again}\n")));
    Ok(due.is_empty())
}

/// A package's generated files that differ from the package's types.
pub(crate) struct OutdatedFiles {
    pub(crate) language: &'static TargetLanguage,
    pub(crate) folder: PathBuf,
    /// The number of files that differ.
    pub(crate) files: usize,
    /// The command that regenerates the files.
    pub(crate) again: String,
}

/// Compares the generated files with the types, for one package or several.
pub(crate) fn outdated(options: &GenerateArguments) -> Result<Vec<OutdatedFiles>, JobError> {
    let mut outdated = Vec::new();
    for job in jobs(options)? {
        for JobDraft { language, folder, files, existing } in drafts(&job)?.0 {
            let files = check(&files, &existing).len();
            outdated.push(OutdatedFiles { language, folder, files, again: job.again.clone() });
        }
    }
    outdated.retain(|outdated| outdated.files > 0);
    Ok(outdated)
}

/// Returns the files that a job's folders should contain, and the warnings.
fn drafts(job: &GenerateJob) -> Result<(Vec<JobDraft>, Vec<String>), JobError> {
    let krate = &names(&job.manifests).join(", ");
    let mut apis = Vec::new();
    let mut manifests = job.manifests.clone();
    rewrite::agents(&mut manifests, &job.choices.agents)
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
    let draft = |(language, folder): &(&'static TargetLanguage, PathBuf)| {
        let files = language.emit(&api);
        let existing = read_folder(folder, language, &files).map_err(DiskError::from)?;
        Ok(JobDraft { language, folder: folder.clone(), files, existing })
    };
    let drafts = job.folders.iter().map(draft).collect::<Result<_, JobError>>()?;
    Ok((drafts, api.all_warnings()))
}
