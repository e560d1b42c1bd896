//! TypeScript and Python from the Rust types of an agent.
//!
//! The program's manifest comes in, files come out: [`lower()`](lower::lower) decides every name and direction,
//! [`emit`] prints, [`check`] compares with what is there, [`diff()`](diff) compares two manifests. All of it is pure; only the `agui-codegen` command touches
//! the disk and runs cargo.
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

mod check;
pub mod choose;
mod diff;
pub mod emit;
mod folder;
#[doc(hidden)]
pub mod fresh;
#[cfg(feature = "frontend-tools")]
pub mod frontend;
pub mod ir;
pub mod lower;
mod names;
mod version;

pub use agui_runtime::manifest::Manifest;
pub use check::{Drift, Existing, check};
pub use diff::report::{Format, report};
pub use diff::{Change, DiffOptions, Level, Severity, diff, is_breaking};
pub use emit::{File, LANGUAGES, Language, MARK};
pub use folder::{ReadError, read_folder};
pub use lower::LowerError;
pub use version::newer;

/// What [`generate`] makes of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The files, sorted by path.
    pub files: Vec<File>,
    /// What is worth telling the person who generates, in full sentences.
    pub warnings: Vec<String>,
}

/// Everything `language` has to say about the agents of `manifest`.
///
/// The same manifest gives the same bytes, whatever the machine and the day.
///
/// # Errors
///
/// [`LowerError`] with every schema that has no exact representation and every pair of names that meet.
pub fn generate(manifest: &Manifest, language: &Language) -> Result<Generated, LowerError> {
    let api = lower::lower(manifest)?;
    let warnings = newer(manifest).into_iter().chain(api.warnings.iter().cloned()).collect();
    Ok(Generated { files: language.emit(&api), warnings })
}
