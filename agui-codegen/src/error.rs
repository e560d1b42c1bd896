//! Command errors, and their exit codes.

use crate::dev::DevError;
#[cfg(feature = "expand")]
use crate::expand::ExpandError;
use crate::job::JobError;
use crate::new::NewError;
#[cfg(feature = "frontend-tools")]
use crate::rust::RustError;

/// A command's error.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    #[error(transparent)]
    Job(#[from] JobError),
    #[cfg(feature = "expand")]
    #[error(transparent)]
    Expand(#[from] ExpandError),
    #[error(transparent)]
    Dev(#[from] DevError),
    #[error(transparent)]
    New(#[from] NewError),
    #[cfg(feature = "frontend-tools")]
    #[error(transparent)]
    Rust(#[from] RustError),
    #[cfg(feature = "frontend-tools")]
    #[error("standard input cannot be read: {0}")]
    TranslateTool(#[source] std::io::Error),
    #[cfg(not(all(feature = "expand", feature = "frontend-tools")))]
    #[error(
        "this agui-codegen was built without the feature `{feature}`: `cargo install agui-codegen --features {feature}`; \
         the packages of npm and PyPI have all features"
    )]
    LeftOut { feature: &'static str },
}

impl CommandError {
    /// Returns the command's exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Job(JobError::Extract(error)) | Self::Dev(DevError::Project(JobError::Extract(error)))
                if !error.is_usage() =>
            {
                3
            }
            #[cfg(feature = "expand")]
            Self::Expand(ExpandError::Extract(error)) if !error.is_usage() => 3,
            #[cfg(feature = "expand")]
            Self::Expand(ExpandError::Package(JobError::Extract(error))) if !error.is_usage() => 3,
            #[cfg(feature = "frontend-tools")]
            Self::Rust(RustError::Read { .. } | RustError::Tools { .. }) => 3,
            _ => 2,
        }
    }
}
