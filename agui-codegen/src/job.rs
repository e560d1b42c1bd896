//! What the command does: what is planned is drafted, and then written or compared.

mod error;
mod plan;

use std::path::PathBuf;

use agui_codegen::choose as choices;
use agui_codegen::lower::{lower, together};
use agui_codegen::{
    DiffOptions, Existing, File, Format, Language, Level, check, is_breaking, newer, read_folder, report,
};

pub(crate) use error::JobError;
pub(crate) use plan::choose;
use plan::{Job, jobs, names, single_manifest};

use crate::arguments::{Diff, FormatName, Generate, LevelName, ManifestOptions};
use crate::disk::{self, DiskError};
use crate::extract::{self, Workspace};

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
        // What watches the file is not told of what did not change.
        Some(path) if std::fs::read_to_string(path).is_ok_and(|there| there == text) => {}
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
    choices::agents(&mut manifests, &job.choices.agents)
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
