//! The agent, and a node that serves it.

use std::io::Read as _;
use std::time::Duration;
use std::{env, io, process, thread};

use agui_runtime::Server;
use agui_runtime::http::ThreadOptions;
use agui_runtime::prelude::*;
use agui_runtime::thread::Postgres;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::ClusterError;

const TALE: &str = "Two keepers lived in one lighthouse, and between them they kept one light and one book. \
    Whatever the light showed to a ship, they wrote into the book first, word by word. \
    One night a storm took the younger keeper while she was writing, and the light went out. \
    The older keeper came down the stairs, opened the book at the last word, and read. \
    He closed the broken sentence, so that no ship would wait for its end. \
    Then he lit the lamp again and went on from there, as if it had been his own. \
    In the morning the sea brought her back, wet and cross, and she took the next watch. \
    The captains in the harbour never knew, because every word they saw was in the book. ";

const A_WORD: Duration = Duration::from_millis(120);

/// The place in the tale.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default, Debug, PartialEq)]
pub struct Place {
    /// The number of its words so far.
    pub words: usize,
}

/// Tells a tale: one sentence for each request, from where it stopped. If its node is lost, another one goes on.
#[agent(state = Place, restart)]
pub async fn teller(run: &mut Run<Teller>, input: Input<Teller>) -> Result<(), Stop> {
    let place = run.state().adopt_or_snapshot(&input).await?;
    let told = place.read(|now| now.words)?;
    let mut text = run.message().await;
    for word in TALE.split_inclusive(' ').cycle().skip(told) {
        text.push(word).await;
        place.update(|now| now.words += 1).await?;
        tokio::time::sleep(A_WORD).await;
        if word.ends_with(". ") {
            break;
        }
    }
    Ok(())
}

/// Serves the agent as one node, until the standard input ends: a node does not outlive the program that started it.
pub async fn serve() -> Result<(), ClusterError> {
    thread::spawn(|| {
        drop(io::stdin().read_to_end(&mut Vec::new()));
        process::exit(0);
    });
    let url = env::var("DATABASE_URL").map_err(|_| ClusterError::NoUrl)?;
    let threads = Postgres::connect(&url).await?;
    let options = ThreadOptions::default().lease(Duration::from_secs(2));
    Ok(Server::new().threads(threads).thread_options(options).agent("/", Teller::new()).serve().await?)
}
