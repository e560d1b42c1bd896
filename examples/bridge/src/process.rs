//! The Python program: a process for each run.

use std::process::Stdio;

use agui_runtime::PublicError;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, Take};
use tokio::process::{Child, ChildStdout, Command};

/// The source of the program.
const PROGRAM: &str = include_str!("../agent.py");

/// The most bytes that the program may write: it may never end a line.
const MOST: u64 = 16 * 1024 * 1024;

/// The interpreter of Python.
#[derive(Clone, Debug)]
pub(crate) struct Python(String);

impl Python {
    /// Returns the interpreter that `BRIDGE_PYTHON` names, or `python3`.
    pub(crate) fn from_env() -> Self {
        Self(std::env::var("BRIDGE_PYTHON").unwrap_or_else(|_| "python3".to_owned()))
    }
}

/// The reason why the program gave no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProcessError {
    #[error("the Python program cannot be used")]
    Io(#[from] std::io::Error),
    #[error("the Python program wrote a line that is not JSON")]
    Line(#[from] serde_json::Error),
    #[error("the Python program failed")]
    Failed,
}

impl PublicError for ProcessError {}

/// A program that answers; dropping it kills it.
pub(crate) struct Process {
    child: Child,
    lines: BufReader<Take<ChildStdout>>,
}

impl Process {
    pub(crate) async fn ask(python: &Python, question: &str) -> Result<Self, ProcessError> {
        let mut command = Command::new(&python.0);
        command.args(["-c", PROGRAM]).kill_on_drop(true).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(ProcessError::Failed);
        };
        stdin.write_all(json!({ "question": question }).to_string().as_bytes()).await?;
        drop(stdin);
        Ok(Self { child, lines: BufReader::new(stdout.take(MOST)) })
    }

    /// Returns the next item; `None` when the program has ended well.
    pub(crate) async fn next(&mut self) -> Result<Option<Value>, ProcessError> {
        let mut line = String::new();
        if self.lines.read_line(&mut line).await? > 0 {
            return Ok(Some(serde_json::from_str(&line)?));
        }
        if self.child.wait().await?.success() { Ok(None) } else { Err(ProcessError::Failed) }
    }
}
