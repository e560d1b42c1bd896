//! The reasons why `dev` cannot start. Later failures are printed, and the next change is another try.

use std::io;

use crate::extract::ExtractError;
use crate::job::JobError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum DevError {
    #[error(transparent)]
    Project(#[from] JobError),
    #[error("Ctrl-C and SIGTERM cannot be waited for: {0}")]
    Signals(#[source] ctrlc::Error),
    #[error(
        "AGUI_ADDR is `{address}`, which is in use: stop the program that uses it, or unset AGUI_ADDR for any free port"
    )]
    AddressInUse { address: String },
    #[error("AGUI_ADDR is `{value}`: expected an address such as `127.0.0.1:8000`: {source}")]
    Address { value: String, source: io::Error },
    #[error("no port from {first} to {last} is free on 127.0.0.1")]
    NoPort { first: u16, last: u16 },
    #[error("{program} cannot be started: {source}")]
    Start { program: String, source: io::Error },
    #[error("{program} was started, and cannot be waited for: {source}")]
    Lost { program: String, source: io::Error },
    #[error("the path `{0}` of an agent does not begin with `/`")]
    Path(String),
    #[cfg(feature = "inspector")]
    #[error("the inspector: {0}")]
    Inspector(String),
}

impl From<ExtractError> for DevError {
    fn from(error: ExtractError) -> Self {
        Self::Project(error.into())
    }
}
