//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

/// Talks to any AG-UI server.
#[derive(Debug, Parser)]
#[command(version, about)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Talks to an agent, line by line.
    ///
    /// Lines are what you say. When the agent asks, the next line is the answer: yes or no where that is what it wants, otherwise JSON or
    /// text. `/state`, `/messages` and `/quit` are for this program. When the agent could not be talked to, an empty line asks it again.
    Chat(Chat),
    /// Shows what an agent declares about itself.
    Capabilities(Server),
}

#[derive(Debug, Args)]
pub struct Chat {
    /// Where the agent is, such as `http://127.0.0.1:8000/`.
    #[arg(required_unless_present = "replay")]
    pub url: Option<String>,
    /// Says this and ends; can be repeated.
    #[arg(short, long, value_name = "TEXT")]
    pub message: Vec<String>,
    /// Writes the conversation to the end of this file, as JSON Lines: every event that comes, and with each run what was asked.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Shows a recorded conversation instead of having one.
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "url", "message", "record", "restore", "thread", "header", "binary", "idle_timeout", "timeout", "max_bytes",
    ])]
    pub replay: Option<PathBuf>,
    /// Goes on with the conversation recorded in this file, questions that were left among it.
    #[arg(long, value_name = "FILE")]
    pub restore: Option<PathBuf>,
    /// Goes on with this thread.
    #[arg(long, value_name = "ID")]
    pub thread: Option<String>,
    /// Does not show how the state changes.
    #[arg(long)]
    pub no_state: bool,
    /// Talks to an agent known to be no newer than this version of the AG-UI packages, such as 0.0.57.
    #[arg(long, value_name = "VERSION")]
    pub ceiling: Option<String>,
    #[command(flatten)]
    pub connection: Connection,
}

#[derive(Debug, Args)]
pub struct Server {
    /// Where the agent is.
    pub url: String,
    #[command(flatten)]
    pub connection: Connection,
}

#[derive(Debug, Args)]
pub struct Connection {
    /// Sends a header with every request, written `name: value`; can be repeated.
    #[arg(short = 'H', long, value_name = "HEADER")]
    pub header: Vec<String>,
    /// Asks for the binary encoding, which not every server has.
    #[arg(long)]
    pub binary: bool,
    /// How many seconds the agent may be silent.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub idle_timeout: Option<Duration>,
    /// How many seconds a whole run may take.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "600")]
    pub timeout: Duration,
    /// How many bytes an agent may say in one run, and an eighth of that in one event: what it says is kept in memory.
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20)]
    pub max_bytes: usize,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "that is no number".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}
