//! Where the agent is, or its recording.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use agui_runtime::client::{Accept, ClientError, HttpAgent, Replay, Session, Upstream as _, middleware};
use agui_runtime::receive::{InvalidCeiling, ReceiveError};

use crate::arguments::{Chat, Connection, Server};

/// Why there is no conversation.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error("{file}: {error}")]
    File { file: String, error: io::Error },
    #[error("{file}: {error}")]
    Recording { file: String, error: ReceiveError },
    #[error("a header is written `name: value`, unlike `{0}`")]
    Header(String),
    #[error(transparent)]
    Ceiling(#[from] InvalidCeiling),
    #[error("the output is gone: {0}")]
    Output(#[from] io::Error),
}

/// A conversation with the agent at an address, as the options say.
pub fn session(url: &str, options: &Chat) -> Result<Session, CliError> {
    let mut session = Session::new(agent(url, &options.connection)?).with_warnings(|warning| warn(&warning));
    if let Some(ceiling) = &options.ceiling {
        session = session.with_ceiling(ceiling.parse()?);
    }
    if let Some(file) = &options.restore {
        let recording = read(file)?;
        session = restored(session, &recording)
            .map_err(|error| CliError::Recording { file: file.display().to_string(), error })?;
    }
    if let Some(thread) = &options.thread {
        session = session.with_thread_id(thread.as_str());
    }
    if let Some(path) = &options.record {
        let mut file = File::options()
            .create(true)
            .append(true)
            .open(path)
            .map_err(|error| CliError::File { file: path.display().to_string(), error })?;
        session = session.with(middleware::record(move |frame| {
            let written = frame.to_text().map_err(io::Error::other).and_then(|line| writeln!(file, "{line}"));
            if let Err(error) = written {
                let _ = writeln!(io::stderr(), "the recording is incomplete: {error}");
            }
        }));
    }
    Ok(session)
}

/// A recorded conversation.
pub fn replay(file: &Path) -> Result<Replay, CliError> {
    Ok(Replay::from_lines(&read(file)?))
}

/// Prints what an agent declares about itself.
pub async fn capabilities(options: &Server) -> Result<bool, CliError> {
    match agent(&options.url, &options.connection)?.capabilities().await? {
        Some(declared) => {
            let text = serde_json::to_string_pretty(&declared).map_err(io::Error::other)?;
            writeln!(io::stdout(), "{text}")?;
            Ok(true)
        }
        None => {
            writeln!(io::stderr(), "the agent declares nothing")?;
            Ok(false)
        }
    }
}

fn agent(url: &str, connection: &Connection) -> Result<HttpAgent, CliError> {
    let mut agent = HttpAgent::new(url)?;
    for header in &connection.header {
        let (name, value) = header.split_once(':').ok_or_else(|| CliError::Header(header.clone()))?;
        agent = agent.header(name.trim(), value.trim())?;
    }
    if connection.binary {
        agent = agent.accept(Accept::Binary);
    }
    if let Some(limit) = connection.idle_timeout {
        agent = agent.idle_timeout(limit);
    }
    Ok(agent)
}

/// What is not as AG-UI 1.0 has it, and no reason to stop.
pub fn warn(warning: &dyn std::fmt::Display) {
    // Whoever closed standard error does not want to know.
    let _ = writeln!(io::stderr(), "warning: {warning}");
}

fn read(file: &Path) -> Result<String, CliError> {
    fs::read_to_string(file).map_err(|error| CliError::File { file: file.display().to_string(), error })
}

fn restored(session: Session, recording: &str) -> Result<Session, ReceiveError> {
    use agui_runtime::receive::Intake;
    let mut intake = Intake::new();
    let mut events = Vec::new();
    for (at, line) in recording.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let read = intake.text(line, &mut |warning| warn(&warning));
        events.extend(read.map_err(|error| ReceiveError::Rejected { at, error })?);
    }
    session.restore(events)
}
