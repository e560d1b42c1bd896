//! A chat with any AG-UI server from a terminal: `cargo run -p agui-cli -- chat http://127.0.0.1:8000/`; and a page that
//! shows everything that it sends: `cargo run -p agui-cli -- inspect http://127.0.0.1:8000/`.
//!
//! The agent's output goes to standard output; questions and complaints go to standard error. Exits with 0 if the
//! conversation went well, 1 if a run failed, was truncated or left open questions, 2 if the agent could not be
//! reached.
//!
//! | file | holds together |
//! |---|---|
//! | `arguments` | the command line |
//! | `connect` | the connection to an agent, or to its recording |
//! | `chat` | the conversation: lines in, turns, follow-up questions |
//! | `inspect` | the page that shows the events of agents |
//! | `threads` | the threads that an agent's server stores |
//! | `question` `request` | the meaning of a line as an answer; the input of a run, in a recording |
//! | `tools` `fields` | the tools that the agent leaves to its user interface; their results, field by field |
//! | `lines` `interrupts` | standard input, read while other tasks run; Ctrl-C |
//! | `screen` | the output of a turn |
//! | `aside` | the output beside the conversation: questions, complaints |
//! | `diff` | the differences between two states |
//! | `paint` `harmless` | colours; text of others, without effect on a terminal |
//! | `went` | the result of the program |

mod arguments;
mod aside;
mod chat;
mod connect;
mod diff;
mod fields;
mod harmless;
mod inspect;
mod interrupts;
mod lines;
mod paint;
mod question;
mod request;
mod screen;
mod threads;
mod tools;
mod went;

use std::io::ErrorKind;
use std::process::ExitCode;

use clap::Parser as _;

use crate::arguments::{Arguments, Command};
use crate::connect::CliError;
use crate::went::Went;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    // The page of `inspect` cannot show the errors of its own server.
    agui_runtime::http::log_to_stderr();
    let done = match Arguments::parse().command {
        Command::Chat(options) => chat::chat(&options).await,
        Command::Capabilities(options) => connect::capabilities(&options).await,
        Command::Inspect(options) => inspect::serve(&options).await,
        Command::Threads(command) => threads::threads(&command).await,
    };
    match done {
        Ok(went) => went.into(),
        // The reader of the output, such as `head`, has seen enough.
        Err(CliError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Went::Well.into(),
        Err(error) => {
            aside::say(format_args!("error: {error}"));
            Went::Nowhere.into()
        }
    }
}
