//! `agui-codegen rust`: writes the file that contains a frontend's tools.

use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use agui_codegen::frontend::{self, ToolTranslation, ToolsError, TranslationError, TranslationOptions};
use agui_codegen::{ExistingFiles, GeneratedFile, MARK, check};

use crate::arguments::RustArguments;
use crate::command::word;
use crate::disk::is_ours;
use crate::hidden::one_line;
use crate::limited_process;

/// An error: no Rust was written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RustError {
    #[error("{}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{}: {}", path.display(), one_line(&source.to_string()))]
    Tools { path: PathBuf, source: Box<ToolsError> },
    #[error("{}: {}", path.display(), one_line(&source.to_string()))]
    Print { path: PathBuf, source: TranslationError },
    #[error(
        "{} was not generated: it has no line with `{MARK}`, so it stays as it is; move it, or write elsewhere",
        path.display()
    )]
    NotOurs { path: PathBuf },
    #[error("{} cannot be read or written: {source}", path.display())]
    Output { path: PathBuf, source: std::io::Error },
}

/// Writes the file, or compares the file with `--check`; returns `Ok(false)` if the file is out of date.
pub(crate) fn rust(options: &RustArguments, say: &mut dyn FnMut(&str)) -> Result<bool, RustError> {
    let path = &options.tools;
    let text =
        std::fs::read_to_string(path).map_err(|source| RustError::Read { path: path.clone(), source })?;
    let declared = frontend::read(&text)
        .map_err(|source| RustError::Tools { path: path.clone(), source: Box::new(source) })?;
    let limit = Duration::from_secs(options.timeout);
    let how = TranslationOptions { strict_formats: options.strict_formats };
    let translate = |declared: &frontend::DeclaredTool| match &declared.names {
        Ok(names) => limited_process::translate(&declared.tool, &names.root, how, limit),
        Err(problem) => Err(TranslationError { reason: problem.clone() }),
    };
    crate::terminal::note(&format!("    Making Rust of {} tools", declared.len()));
    let translations = side_by_side(&declared, translate);
    let command = again(options);
    let from = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let printed = frontend::print(&declared, &translations, &from, &command)
        .map_err(|source| RustError::Print { path: path.clone(), source })?;
    for warning in &printed.warnings {
        crate::terminal::complain_of(warning);
    }
    let Some(output) = &options.output else {
        say(&printed.text);
        return Ok(true);
    };
    write(output, printed.text, options.check.then_some(command.as_str()), say)
}

/// Starts as many items in parallel as there are processors: each item waits for a process.
fn side_by_side<T: Sync>(
    all: &[T],
    translate: impl Fn(&T) -> Result<ToolTranslation, TranslationError> + Sync,
) -> Vec<Result<ToolTranslation, TranslationError>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(one) = all.get(at) else { return done };
            let translated = catch_unwind(AssertUnwindSafe(|| translate(one)));
            let failed = |_| Err(TranslationError { reason: "reading it panicked".into() });
            done.push((at, translated.unwrap_or_else(failed)));
        }
    };
    let mut done: Vec<_> = thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from).min(all.len());
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, translated)| translated).collect()
}

/// Returns the command that regenerates the file.
fn again(options: &RustArguments) -> String {
    let mut words = vec![format!("agui-codegen rust --tools {}", word(options.tools.as_os_str()))];
    words.extend(options.output.iter().map(|output| format!("-o {}", word(output.as_os_str()))));
    words.extend(options.strict_formats.then(|| "--strict-formats".to_owned()));
    words.join(" ")
}

fn write(
    output: &Path,
    text: String,
    check_with: Option<&str>,
    say: &mut dyn FnMut(&str),
) -> Result<bool, RustError> {
    let there = match std::fs::read_to_string(output) {
        Ok(there) => Some(there),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(source) => return Err(RustError::Output { path: output.to_owned(), source }),
    };
    let shown = output.display().to_string();
    if there.as_ref().is_some_and(|there| !is_ours(there)) {
        return Err(RustError::NotOurs { path: output.to_owned() });
    }
    let file = GeneratedFile { path: shown.clone(), text };
    let is_same = there.as_ref().is_some_and(|there| is_same(there, &file.text));
    let existing: ExistingFiles = there.iter().map(|there| (shown.clone(), there.clone())).collect();
    let drift = if is_same { Vec::new() } else { check(std::slice::from_ref(&file), &existing) };
    if let Some(command) = check_with {
        drift.iter().for_each(|drift| say(&drift.to_string()));
        say(&if drift.is_empty() {
            format!("{shown} is up to date\n")
        } else {
            format!("{shown} is NOT up to date\nrun: {command}\n")
        });
        return Ok(drift.is_empty());
    }
    if there.as_ref() == Some(&file.text) {
        say(&format!("{shown} is up to date\n"));
        return Ok(true);
    }
    let io = |source| RustError::Output { path: output.to_owned(), source };
    if let Some(folder) = output.parent() {
        std::fs::create_dir_all(folder).map_err(io)?;
    }
    std::fs::write(output, file.text).map_err(io)?;
    say(&format!("wrote {shown}\n"));
    Ok(true)
}

/// Returns true if two files are equal apart from formatting: both are printed again, and compared as all generated
/// files are.
fn is_same(there: &str, text: &str) -> bool {
    let printed = |text: &str| syn::parse_file(text).map(|file| prettyplease::unparse(&file));
    let (Ok(there), Ok(text)) = (printed(there), printed(text)) else { return there == text };
    let file = GeneratedFile { path: String::new(), text };
    check(&[file], &ExistingFiles::from([(String::new(), there)])).is_empty()
}
