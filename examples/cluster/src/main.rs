//! Two nodes with one database, killed again and again while a conversation goes on: `cargo run -p cluster`.
//!
//! | file | holds |
//! |---|---|
//! | `main` `error` | the command, and the ways in which it fails |
//! | `teller` | the agent, and a node that serves it |
//! | `nodes` | the nodes as processes, and their random deaths |
//! | `proxy` | the one address of both nodes |
//! | `talk` | the conversation, and the comparison of what was shown with what is stored |
//! | `postgres` | a database for this run |
//! | `screen` | the output |

mod error;
mod nodes;
mod postgres;
mod proxy;
mod screen;
mod talk;
mod teller;

use std::io::Write as _;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::error::ClusterError;
use crate::nodes::Nodes;
use crate::postgres::Database;
use crate::proxy::Proxy;
use crate::screen::show;
use crate::talk::Talk;

/// Kills servers while a conversation goes on, and checks that nothing which was shown is lost.
#[derive(Parser)]
struct Options {
    /// The number of turns of the conversation.
    #[arg(long, default_value_t = 8)]
    turns: u32,
    /// The seed of the random numbers; by default a new one, which is printed.
    #[arg(long)]
    seed: Option<u64>,
    #[command(subcommand)]
    part: Option<Part>,
}

#[derive(Subcommand)]
enum Part {
    /// Serves the agent as one node, with the database that `DATABASE_URL` names, until its input ends.
    Node,
}

#[agui_runtime::main]
async fn main() -> ExitCode {
    let options = Options::parse();
    let done = match options.part {
        Some(Part::Node) => teller::serve().await,
        None => run(&options).await,
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Without a standard error, the exit code says it.
            drop(writeln!(std::io::stderr(), "error: {error}"));
            ExitCode::FAILURE
        }
    }
}

async fn run(options: &Options) -> Result<(), ClusterError> {
    let seed = options.seed.unwrap_or_else(|| fastrand::u64(..));
    let mut random = fastrand::Rng::with_seed(seed);
    show(&format!("seed {seed}\n"));
    let mut database = Database::open().await?;
    let proxy = Proxy::start().await?;
    let mut nodes = Nodes::start(&database.url, &proxy).await?;
    let mut talk = Talk::new(&proxy.url)?;
    tokio::select! {
        talked = talk.turns(options.turns) => talked?,
        failed = nodes.trouble(&mut database, &mut random) => failed?,
    }
    database.ready().await?;
    nodes.mend().await?;
    talk.check(&proxy.url).await?;
    show(&format!(
        "\n\n{} turns; killed: {} nodes, {} times Postgres; {} times cut off; {} runs lost; shown: {} messages, {} words; all kept\n",
        options.turns,
        nodes.kills,
        database.kills,
        nodes.cuts,
        talk.lost,
        talk.shown.len(),
        talk.words(),
    ));
    Ok(())
}
