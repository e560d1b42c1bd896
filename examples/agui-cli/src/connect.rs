//! The connection to an agent, or to its recording.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

use agui_runtime::client::{Accept, ClientError, HttpAgent, Replay, Session, Upstream, middleware};
use agui_runtime::receive::InvalidCeiling;

use crate::arguments::{Chat, Connection, Server};
use crate::aside;
use crate::harmless::Harmless;
use crate::tools::FrontendTools;
use crate::went::Went;

/// The reason why there is no conversation.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error("{file}: {error}")]
    File { file: String, error: io::Error },
    #[error("`{0}` is not a header: write `name: value`")]
    Header(String),
    #[error(transparent)]
    Ceiling(#[from] InvalidCeiling),
    #[error("the page cannot be served: {0}")]
    Page(#[source] agui_runtime::Error),
    #[error("Ctrl-C cannot be heard: {0}")]
    Interrupts(#[source] io::Error),
    #[error("standard output is closed: {0}")]
    Output(#[from] io::Error),
}

/// A conversation with the agent at an address, with the settings of the options and the tools that the agent leaves to its
/// user interface.
pub async fn session(url: &str, options: &Chat) -> Result<(Session, FrontendTools), CliError> {
    let agent = agent(url, &options.connection)?;
    let tools = FrontendTools::of(&agent).await;
    let mut session = conversation(agent, options)?.with_tools(tools.offered());
    if let Some(file) = &options.restore {
        let recording = read(file)?;
        let lines = recording.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned);
        // Events that were refused in the conversation are refused again, and are no reason to stop.
        session = session.restore_leniently(lines, |error| {
            aside::warn(format_args!("{}: {error}", file.display()));
        });
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
        let held = read(path)?;
        session = session.with(middleware::record_after(held.lines(), move |frame| {
            let written = frame.to_text().map_err(io::Error::other).and_then(|line| writeln!(file, "{line}"));
            if let Err(error) = written {
                aside::say(format_args!("the recording is incomplete: {error}"));
            }
        }));
    }
    Ok((session, tools))
}

/// A recorded conversation, and the number of turns of this program in it.
pub fn replay(file: &Path, options: &Chat) -> Result<(Session, Arc<Replay>), CliError> {
    let replay = Arc::new(Replay::from_lines(&read(file)?));
    Ok((conversation(Arc::clone(&replay), options)?, replay))
}

fn conversation(upstream: impl Upstream, options: &Chat) -> Result<Session, CliError> {
    let session = Session::new(upstream).with_warnings(aside::warn);
    Ok(match &options.ceiling {
        Some(ceiling) => session.with_ceiling(ceiling.parse()?),
        None => session,
    })
}

/// Prints the agent's capabilities.
pub async fn capabilities(options: &Server) -> Result<Went, CliError> {
    match agent(&options.url, &options.connection)?.capabilities().await? {
        Some(declared) => {
            let text = serde_json::to_string_pretty(&declared).map_err(io::Error::other)?;
            writeln!(io::stdout(), "{}", Harmless(text))?;
            Ok(Went::Well)
        }
        None => {
            aside::say("the agent declares nothing");
            Ok(Went::Badly)
        }
    }
}

/// An agent at an address, with the settings of the options.
pub fn agent(url: &str, connection: &Connection) -> Result<HttpAgent, CliError> {
    let Connection { timeout, max_bytes, .. } = *connection;
    let mut agent =
        HttpAgent::new(url)?.run_timeout(timeout).max_run(max_bytes).max_frame((max_bytes / 8).max(1));
    for header in &connection.header {
        let (name, value) = header.split_once(':').ok_or_else(|| CliError::Header(header.clone()))?;
        agent = agent.append_header(name.trim(), value.trim())?;
    }
    if connection.binary {
        agent = agent.accept(Accept::Binary);
    }
    if let Some(limit) = connection.idle_timeout {
        agent = agent.idle_timeout(limit);
    }
    Ok(agent)
}

fn read(file: &Path) -> Result<String, CliError> {
    fs::read_to_string(file).map_err(|error| CliError::File { file: file.display().to_string(), error })
}
