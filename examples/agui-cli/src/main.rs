//! Talks to any AG-UI server from a terminal: `cargo run -p agui-cli -- chat http://127.0.0.1:8000/`.
//!
//! What the agent says goes to standard output, questions and complaints go to standard error. Exits with 0 when the conversation went
//! well, 1 when a run failed, was truncated or was left with questions, 2 when the agent could not be talked to at all.
//!
//! | file | holds together |
//! |---|---|
//! | `arguments` | the command line |
//! | `connect` | where the agent is, or its recording |
//! | `chat` | the conversation: lines in, turns, follow-up questions |
//! | `question` | what a line means as an answer |
//! | `lines` | standard input, while other things happen |
//! | `screen` | what is shown of a turn |
//! | `diff` | what is different in a state |
//! | `paint` | colours, where there are any |

mod arguments;
mod chat;
mod connect;
mod diff;
mod lines;
mod paint;
mod question;
mod screen;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

use crate::arguments::{Arguments, Command};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Chat(options) => chat::chat(&options).await,
        Command::Capabilities(options) => connect::capabilities(&options).await,
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            // Nobody is left to tell when standard error is gone.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}
