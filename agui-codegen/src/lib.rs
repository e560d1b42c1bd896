//! Generates TypeScript and Python from an agent's Rust types.
//!
//! The input is the program's manifest, the output is files: [`lower()`](lower::lower) decides every name and
//! direction, [`emit`] prints, [`check`] compares with the files on disk, [`diff()`](diff) compares two manifests. All
//! functions are pure; only the `agui-codegen` command accesses the disk and runs cargo.
//!
//! ```
//! use agui_codegen::{LANGUAGES, Manifest, check, generate};
//! # use agui_runtime::manifest::AgentSource;
//! # let chef = AgentSource {
//! #     version: "0.1.0", rust_path: "kitchen::Chef", ..AgentSource::new("chef")
//! # };
//! # let text = Manifest::build("kitchen", "0.1.0", &[chef])?.to_json();
//!
//! let manifest = Manifest::from_json(&text)?;
//! let generated = generate(&manifest, &LANGUAGES[0])?;
//! assert!(generated.files.iter().any(|file| file.path == "chef/client.ts"));
//!
//! // Nothing is on the disk yet, so everything is missing.
//! let drift = check(&generated.files, &Default::default());
//! assert_eq!(drift.len(), generated.files.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(hidden)]
pub mod assert_up_to_date;
mod check;
mod diff;
pub mod emit;
mod file_names;
mod folder;
#[cfg(feature = "frontend-tools")]
pub mod frontend;
mod hidden;
pub mod ir;
pub mod lower;
mod names;
pub mod rewrite;
mod template;
mod version;

pub use agui_runtime::manifest::Manifest;
pub use check::{ExistingFiles, FileDrift, check};
pub use diff::report::{ReportFormat, report};
pub use diff::{ChangeSeverity, ContractLevel, DiffOptions, ManifestChange, diff, is_breaking};
pub use emit::{GeneratedFile, LANGUAGES, MARK, TargetLanguage};
pub use folder::{ReadError, read_folder};
pub use lower::LowerError;
pub use version::newer;

/// The output from [`generate`].
///
/// ```
/// use agui_codegen::{GenerateOutput, LANGUAGES, generate};
/// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
/// # let count = AgentSource { state: Some(TypeSource::of::<u64>()), ..AgentSource::new("count") };
/// # let manifest = Manifest::build("count", "0.1.0", &[count])?;
///
/// let GenerateOutput { files, warnings } = generate(&manifest, &LANGUAGES[0])?;
/// assert!(files.iter().any(|file| file.path == "count/types.ts"));
/// assert!(warnings[0].contains("is a 64-bit integer"), "{warnings:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenerateOutput {
    /// The files, sorted by path.
    pub files: Vec<GeneratedFile>,
    /// The warnings for the user, in full sentences.
    pub warnings: Vec<String>,
}

/// Generates the `language` files for the agents in `manifest`.
///
/// The same manifest gives the same bytes, on any machine and at any time.
///
/// ```
/// use agui_codegen::{LANGUAGES, generate};
/// # use agui_runtime::manifest::{AgentSource, Manifest};
/// # let chef = AgentSource { description: "Cooks with you.", ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// for language in &LANGUAGES {
///     for file in generate(&manifest, language)?.files {
///         println!("{}/{}: {} bytes", language.key, file.path, file.text.len());
///         # assert!(!file.text.is_empty());
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`LowerError`] with every schema that has no exact representation and every pair of names that collide.
pub fn generate(manifest: &Manifest, language: &TargetLanguage) -> Result<GenerateOutput, LowerError> {
    let api = lower::lower(manifest)?;
    let warnings = newer(manifest).into_iter().chain(api.all_warnings()).collect();
    Ok(GenerateOutput { files: language.emit(&api), warnings })
}
