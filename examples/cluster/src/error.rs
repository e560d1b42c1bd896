//! The ways in which the program fails.

use std::io;

use agui_runtime::client::{ClientError, StateUnreadable};
use agui_runtime::thread::OpenError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ClusterError {
    #[error("there is no Postgres: install it (postgresql on Debian), or set DATABASE_URL to one that runs")]
    NoPostgres,
    #[error("Postgres did not start; its log:\n{log}")]
    PostgresFailed { log: String },
    #[error("DATABASE_URL is not set: a node needs it")]
    NoUrl,
    #[error("the database: {0}")]
    Open(#[from] OpenError),
    #[error("the server: {0}")]
    Server(#[from] agui_runtime::Error),
    #[error("node {number} ended before it printed its address")]
    NodeEnded { number: usize },
    #[error("the conversation: {0}")]
    Client(#[from] ClientError),
    #[error("the conversation: {0}")]
    State(#[from] StateUnreadable),
    #[error("a run ended with {outcome}")]
    Run { outcome: String },
    #[error("shown and not kept: {shown}\nkept: {kept}")]
    NotKept { shown: String, kept: String },
    #[error("the system: {0}")]
    Io(#[from] io::Error),
}
