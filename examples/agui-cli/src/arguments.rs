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
    /// Each line is a message. If the agent asks a question, the next line is the answer: yes or no if the question
    /// wants that, otherwise JSON or text. `/state`, `/messages` and `/quit` are commands of this program. If a run
    /// failed to reach the agent, an empty line sends it again.
    Chat(Chat),
    /// Prints the agent's declared capabilities.
    Capabilities(Server),
    /// Serves a page on this machine that runs agents and shows their events, state and conversations.
    ///
    /// It needs no permission of the agent's server, because this program sends the requests: to these addresses, and to
    /// no others.
    Inspect(Inspect),
    /// Lists, renames, archives and deletes the threads that the agent's server stores for you.
    ///
    /// The server must know you, for example by `-H 'authorization: Bearer …'`.
    #[command(subcommand)]
    Threads(ThreadCommand),
}

#[derive(Debug, Subcommand)]
pub enum ThreadCommand {
    /// Lists the threads, the last changed first: id, age, title, last message, separated by tabs.
    List {
        /// Lists archived threads too.
        #[arg(long)]
        archived: bool,
        #[command(flatten)]
        server: Server,
    },
    /// Sets a thread's title; without one, removes the title.
    Rename {
        #[command(flatten)]
        thread: ThreadName,
        /// The new title.
        title: Option<String>,
    },
    /// Archives a thread: lists leave the thread out.
    Archive {
        #[command(flatten)]
        thread: ThreadName,
        /// Takes the thread back.
        #[arg(long)]
        undo: bool,
    },
    /// Deletes a thread with the whole conversation.
    Delete {
        #[command(flatten)]
        thread: ThreadName,
    },
}

/// A thread of an agent.
#[derive(Debug, Args)]
pub struct ThreadName {
    /// The address of the agent.
    pub url: String,
    /// The thread, by its id.
    pub id: String,
    #[command(flatten)]
    pub connection: Connection,
}

#[derive(Debug, Args)]
pub struct Chat {
    /// The address of the agent, such as `http://127.0.0.1:8000/`.
    #[arg(required_unless_present = "replay")]
    pub url: Option<String>,
    /// Sends this message and ends; can be repeated.
    #[arg(short, long, value_name = "TEXT")]
    pub message: Vec<String>,
    /// Appends the conversation to this file as JSON Lines: the input of each run, and every event.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Shows a recorded conversation instead of starting one.
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "url", "message", "record", "restore", "thread", "header", "binary", "idle_timeout", "timeout", "max_bytes",
    ])]
    pub replay: Option<PathBuf>,
    /// Continues the conversation recorded in this file, with its open questions.
    #[arg(long, value_name = "FILE")]
    pub restore: Option<PathBuf>,
    /// Continues this thread. If the agent keeps it, shows its history, and follows its run if one goes on.
    #[arg(long, value_name = "ID")]
    pub thread: Option<String>,
    /// Does not show the changes of the state.
    #[arg(long)]
    pub no_state: bool,
    /// The newest version of the AG-UI packages that the agent may have, such as 0.0.57.
    #[arg(long, value_name = "VERSION")]
    pub ceiling: Option<String>,
    #[command(flatten)]
    pub connection: Connection,
}

#[derive(Debug, Args)]
pub struct Server {
    /// The address of the agent.
    pub url: String,
    #[command(flatten)]
    pub connection: Connection,
}

#[derive(Debug, Args)]
pub struct Inspect {
    /// The addresses of the agents.
    #[arg(required = true, value_name = "URL")]
    pub urls: Vec<String>,
    /// The port of the page on 127.0.0.1; by default any free one.
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    #[command(flatten)]
    pub connection: Connection,
}

#[derive(Debug, Args)]
pub struct Connection {
    /// Adds a header to every request, written `name: value`; can be repeated.
    #[arg(short = 'H', long, value_name = "HEADER")]
    pub header: Vec<String>,
    /// Requests the binary encoding, which not every server supports.
    #[arg(long)]
    pub binary: bool,
    /// The limit of the agent's silence, in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub idle_timeout: Option<Duration>,
    /// The limit of a whole run, in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "600")]
    pub timeout: Duration,
    /// The limit of the bytes in one run, and of an eighth of that in one event: the events are kept in memory.
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20)]
    pub max_bytes: usize,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}
