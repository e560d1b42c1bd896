//! Talks to any AG-UI server from a terminal: `cargo run -p agui-cli -- chat http://127.0.0.1:8000/`.
//!
//! What the agent says goes to standard output, questions and complaints go to standard error. Exits with 0 when the conversation went
//! well, 1 when a run failed, was truncated or was left with questions, 2 when the agent could not be talked to.
//!
//! | file | holds together |
//! |---|---|
//! | `arguments` | the command line |
//! | `connect` | where the agent is, or its recording |
//! | `chat` | the conversation: lines in, turns, follow-up questions |
//! | `question` `request` | what a line means as an answer; what was asked, in a recording |
//! | `lines` | standard input, while other things happen |
//! | `screen` | what is shown of a turn |
//! | `aside` | what is said beside: questions, complaints |
//! | `diff` | what is different in a state |
//! | `paint` `harmless` | colours, where there are any; what others say, made harmless for a terminal |
//! | `went` | how it went |

mod arguments;
mod aside;
mod chat;
mod connect;
mod diff;
mod harmless;
mod lines;
mod paint;
mod question;
mod request;
mod screen;
mod went;

use std::process::ExitCode;

use clap::Parser as _;

use crate::arguments::{Arguments, Command};
use crate::went::Went;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Chat(options) => chat::chat(&options).await,
        Command::Capabilities(options) => connect::capabilities(&options).await,
    };
    match done {
        Ok(went) => went.into(),
        Err(error) => {
            aside::say(format_args!("error: {error}"));
            Went::Nowhere.into()
        }
    }
}
